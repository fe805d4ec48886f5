"""The draw counters of the core agree with the reference, which recounts the whole history after every move."""

from __future__ import annotations

import copy
import pickle
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablemen import Game, InvalidRulesError, Outcome, TablemenError, Termination
from tablemen.draughts import INTERNATIONAL, VARIANTS, DraughtsRules, Move, Position
from tablemen.draughts.draws import DrawnMaterial, Force, Material, MoveCount, Threat, ZeroingMove
from tablemen.draws import DrawRule, Ply, Repetition
from tests import reference
from tests.draughts.test_draws import CASES, Case
from tests.draughts.test_whole_games import GAMES, WholeGame
from tests.guided_play import DraughtsGame, play_safe, safe_moves
from tests.reference.draw_counts import count as recount
from tests.reference.game import ReferenceGame
from tests.strategies import (
    SEEDS,
    crowning_captures,
    custom_rules,
    edited_positions,
    few_pieces,
    is_too_crowded,
    kings_only,
    variants,
)

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

MAX_PLIES = 60
KINGS = Termination.KING_MOVES
ENDINGS = (few_pieces, kings_only, crowning_captures)


def check(start: Position, moves: tuple[Move, ...]) -> None:
    """Compare all counts after every move, even after the end of the game, where a search may continue."""
    rules = start.variant.draws
    history = ReferenceGame([reference.from_core(start)])
    position, counters = start, start.draw_counters()
    assert counters.rules == tuple(rule for rule in rules if not isinstance(rule, Repetition))
    game: DraughtsGame = Game(start)
    check_counts(counters, history)
    check_game(game, history)
    for move in moves:
        after = position.play(move)
        counters = counters.advance(position, move, after)
        history.push(reference.move_from_core(move))
        check_counts(counters, history)
        if game.outcome() is None:
            game.push(move)
            check_game(game, history)
        position = after


def check_counts(counters: Any, history: ReferenceGame) -> None:
    expected = {rule: recount(history, rule) for rule in counters.rules}
    assert dict(zip(counters.rules, counters.counts, strict=True)) == expected
    assert counters.is_drawn == any(rule.is_fulfilled(count) for rule, count in expected.items())


def check_game(game: DraughtsGame, history: ReferenceGame) -> None:
    """Check counts, outcome and claims against the history."""
    counts = {rule: recount(history, rule) for rule in game.start.variant.draws}
    assert game.draw_counts() == {rule: count for rule, count in counts.items() if count is not None}
    fulfilled = [rule for rule, count in counts.items() if rule.is_fulfilled(count)]
    ending = [rule for rule in fulfilled if not rule.by_claim]
    if shown := game.position.outcome():
        assert game.outcome() == shown
    elif ending:
        assert game.outcome() == Outcome(None, ending[0].termination)
    else:
        assert game.outcome() is None
        assert list(game.claims()) == fulfilled


def check_last(game: DraughtsGame) -> None:
    history = ReferenceGame([reference.from_core(game.start)])
    for move in game.moves:
        history.push(reference.move_from_core(move))
    check_game(game, history)


@pytest.mark.parametrize("whole", GAMES, ids=str)
def test_whole_games(whole: WholeGame) -> None:
    game: DraughtsGame = Game(Position.start(whole.variant), whole.moves)
    check_last(game)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_guided_games(case: Case) -> None:
    game = case.game
    play_safe(game, case.plies - 1, case.predicate)
    check_last(game)
    play_safe(game, 1, case.predicate)
    check_last(game)


def test_immediate_draw() -> None:
    # Two kings against one become one against one. One of the rules counts both, and its count continues.
    start = Position.from_fen("W:WK48:BK1,K43", "international")
    move = start.legal_moves()[0]
    counters = start.draw_counters()
    assert (counters.counts, counters.is_drawn) == ((None, 0, None, 0), False)
    counters = counters.advance(start, move, start.play(move))
    assert (counters.counts, counters.is_drawn) == ((1, 0, None, 1), True)
    check(start, (move,))


@pytest.mark.parametrize(
    ("fen", "name", "drawn"),
    [
        ("W:WK46:BK14", "international", False),  # White can capture
        ("W:WK46:BK5", "international", False),  # White is captured after any move
        ("W:WK14:BK46", "international", False),  # after 14-5, Black is captured
        ("W:WK47:BK5", "international", True),
        ("W:WK46:BK5", "frisian", False),
        ("W:Wd4:Bd5", "turkish", False),
        ("B:WKa4:Bh7", "turkish", True),
    ],
)
def test_exceptions_to_an_immediate_draw(fen: str, name: str, *, drawn: bool) -> None:
    start = Position.from_fen(fen, name)
    assert start.draw_counters().is_drawn == drawn
    for move in start.legal_moves():
        check(start, (move,))


def test_shorter_of_two_repetition_rules_applies() -> None:
    rules = replace(INTERNATIONAL, name="mine", draws=(Repetition(3), Repetition(2)))
    moves = ["47-42", "4-10", "42-47", "10-4"]
    game: DraughtsGame = Game(Position.from_fen("W:WK46,K47:BK4,K5", rules), moves)
    assert game.outcome() == Outcome(None, Termination.REPETITION)
    check(game.start, game.moves)


def test_counters_are_values() -> None:
    start = Position.start("international")
    move = start.legal_moves()[0]
    counters = start.draw_counters()
    assert counters == Position.start("international").draw_counters()
    assert copy.deepcopy(counters) == counters
    assert counters != Position.start("canadian").draw_counters()
    assert counters != counters.counts
    assert counters == counters.advance(start, move, start.play(move))  # a man has moved
    with pytest.raises(TablemenError):
        counters.advance(start, move, Position.start("english"))


def random_moves(start: Position, seed: int, care: float) -> tuple[Move, ...]:
    """Play random moves, also after a draw. `care` is the share of safe moves, which make endgames last longer."""
    chance = Random(seed)
    position = start
    moves: list[Move] = []
    while len(moves) < MAX_PLIES and (legal := position.legal_moves()) and not is_too_crowded(position):
        careful = chance.random() < care and list(safe_moves(Game(position), lambda _position, _move: True))
        moves.append(chance.choice(careful or legal))
        position = position.play(moves[-1])
    return tuple(moves)


CARE = st.sampled_from((0.0, 0.9, 1.0))


@given(edited_positions(variants(), ENDINGS), SEEDS, CARE)
def test_endings_of_variants(start: Position, seed: int, care: float) -> None:
    check(start, random_moves(start, seed, care))


# Custom draw rules with all options, mostly for few pieces.

RANGES = st.one_of(
    st.just((0, 1024)),
    st.tuples(st.integers(0, 4), st.integers(0, 4)).map(lambda pair: (min(pair), max(pair))),
    st.integers(0, 3).map(lambda minimum: (minimum, 10**30)),
)
FORCES = st.builds(Force, pieces=RANGES, kings=RANGES, men=RANGES, on_long_diagonal=st.booleans())
UNPLACED = st.builds(Force, pieces=RANGES, kings=RANGES, men=RANGES)
TOTALS = st.one_of(st.just((0, 1024)), st.integers(1, 7).map(lambda maximum: (1, maximum)))
MATERIALS = st.builds(Material, FORCES, FORCES, TOTALS)
COUNTED: SearchStrategy[DrawRule] = st.one_of(
    st.builds(
        MoveCount,
        st.integers(1, 9),
        termination=st.just(KINGS),
        by_claim=st.booleans(),
        resets=st.integers(0, 7).map(ZeroingMove),
        within=st.none() | MATERIALS,
        outside=st.none() | st.builds(Material, UNPLACED, UNPLACED, TOTALS),
    ),
    # `test_two_kings` tests forced wins.
    st.builds(
        DrawnMaterial, MATERIALS, termination=st.just(KINGS), unless=st.sampled_from((Threat.NONE, Threat.CAPTURE))
    ),
)


@st.composite
def with_custom_draws(draw: DrawFn, base: SearchStrategy[DraughtsRules]) -> DraughtsRules:
    """Generate rules with custom draw rules."""
    draws = draw(st.lists(COUNTED | st.builds(Repetition, st.integers(2, 5)), max_size=8, unique=True))
    return replace(draw(base), name="mine", draws=tuple(draws))


@given(edited_positions(with_custom_draws(custom_rules()), ENDINGS), SEEDS, CARE)
def test_custom_draw_rules_on_any_board(start: Position, seed: int, care: float) -> None:
    check(start, random_moves(start, seed, care))


@given(edited_positions(with_custom_draws(variants()), ENDINGS), SEEDS, CARE)
def test_custom_draw_rules_in_variants(start: Position, seed: int, care: float) -> None:
    check(start, random_moves(start, seed, care))


@pytest.mark.slow
@settings(max_examples=800)
@given(edited_positions(st.one_of(variants(), with_custom_draws(custom_rules() | variants())), ENDINGS), SEEDS, CARE)
def test_many_endings(start: Position, seed: int, care: float) -> None:
    check(start, random_moves(start, seed, care))


# Rules that the core cannot count


@dataclass(frozen=True)
class PythonRule(DrawRule):
    """A draw rule that is implemented in Python only."""

    termination: Termination = KINGS

    @property
    def limit(self) -> int:
        return 2

    def begin(self, position: Any) -> int:  # noqa: ARG002
        return 0

    def advance(self, count: int | None, ply: Any) -> int:  # noqa: ARG002
        return (count or 0) + 1


class CountSubclass(MoveCount):
    """A subclass, which could change the rule; the core does not count it."""


class MaterialSubclass(DrawnMaterial):
    """A subclass for material."""


class DoubleCount(MoveCount):
    """A rule that calls the core and adds two for each move."""

    def advance(self, count: int | None, ply: Ply[Position, Move]) -> int | None:
        advanced = super().advance(count, ply)
        return advanced if advanced is None or count is None or not advanced else count + 2


ALL = Material(Force(), Force())


@pytest.mark.parametrize("name", VARIANTS)
def test_core_counts_the_draw_rules_of_every_variant(name: str) -> None:
    assert VARIANTS[name].mover.knows_draws


@pytest.mark.parametrize(
    "unknown",
    [
        PythonRule(),
        CountSubclass(2, termination=KINGS),
        MaterialSubclass(ALL, termination=KINGS),
        MoveCount(65_535, termination=KINGS),
    ],
    ids=repr,
)
def test_core_does_not_count_python_rules_and_large_limits(unknown: DrawRule) -> None:
    known = MoveCount(3, termination=KINGS)
    rules = replace(INTERNATIONAL, name="mine", draws=(unknown, known))
    assert not rules.mover.knows_draws
    assert Position.start(rules).draw_counters().rules == (known,)
    assert pickle.loads(pickle.dumps(replace(rules, draws=(known,)))).mover.knows_draws


def as_subclass(rule: DrawRule) -> DrawRule:
    """Return the rule as a subclass, which Python counts."""
    if isinstance(rule, MoveCount):
        fields = {
            name: getattr(rule, name) for name in ("plies", "termination", "by_claim", "resets", "within", "outside")
        }
        return CountSubclass(**fields)
    assert isinstance(rule, DrawnMaterial)
    return MaterialSubclass(rule.material, termination=rule.termination, unless=rule.unless)


@given(edited_positions(variants(), ENDINGS), st.lists(COUNTED, max_size=3, unique=True), SEEDS, CARE)
def test_core_and_python_rules_are_counted_alike_in_any_order(
    start: Position, draws: list[DrawRule], seed: int, care: float
) -> None:
    mixed = [Repetition(2), *draws, PythonRule(by_claim=True), *map(as_subclass, draws)]
    Random(seed).shuffle(mixed)
    rules = replace(start.variant, name="mine", draws=tuple(mixed))
    start = Position.from_letters(start.letters(), rules, start.turn)
    game: DraughtsGame = Game(start)
    moves = list(random_moves(start, seed, care))
    while True:
        counts = game.draw_counts()
        assert list(counts) == [rule for rule in mixed if rule in counts]
        assert [counts.get(as_subclass(rule)) for rule in draws] == [counts.get(rule) for rule in draws]
        assert counts[PythonRule(by_claim=True)] == len(game.moves)
        if not moves or game.outcome():
            break
        assert [rule for rule in mixed if rule.is_fulfilled(counts.get(rule))] == list(game.claims())
        game.push(moves.pop(0))
    while game.moves:
        game.pop()
    assert game == Game(start)
    assert vars(game) == vars(Game(start))


def test_python_rule_can_call_the_core() -> None:
    rules = replace(INTERNATIONAL, name="mine", draws=(DoubleCount(7, termination=KINGS),))
    game: DraughtsGame = Game(Position.start(rules))
    counts: list[int] = []
    while game.outcome() is None:
        counts += game.draw_counts().values()
        game.push(game.legal_moves()[0])
    assert counts == [0, 2, 4, 6]


def test_failing_python_rule_leaves_the_game_unchanged() -> None:
    class Failing(PythonRule):
        def advance(self, count: int | None, ply: Any) -> int:  # noqa: ARG002
            raise RuntimeError

    game: DraughtsGame = Game(Position.start(replace(INTERNATIONAL, name="mine", draws=(Failing(), Repetition(3)))))
    before = copy.deepcopy(vars(game))
    with pytest.raises(RuntimeError):
        game.push("32-28")
    assert vars(game) == before


def test_largest_limit_of_the_core() -> None:
    rules = replace(INTERNATIONAL, name="mine", draws=(MoveCount(65_534, termination=KINGS), Repetition(10**30)))
    assert rules.mover.knows_draws
    start = Position.from_fen("W:WK46,K2:BK5", rules)
    moves = random_moves(start, 0, 1.0)
    assert moves
    check(start, moves)


def test_count_larger_than_the_limit_of_the_core() -> None:
    rule = MoveCount(10**30, termination=KINGS)
    start = Position.from_fen("W:WK46,K2:BK5", replace(INTERNATIONAL, name="mine", draws=(rule,)))
    move = start.legal_moves()[0]
    ply = Ply(start, move, start.play(move), 1)
    assert [rule.advance(count, ply) for count in (None, 0, 65_534, 10**20)] == [None, 1, 65_535, 10**20 + 1]


def test_more_than_eight_counted_rules_are_rejected() -> None:
    draws = tuple(MoveCount(plies, termination=KINGS) for plies in range(1, 9))
    eight = replace(INTERNATIONAL, name="mine", draws=(Repetition(3), *draws, PythonRule()))
    start = Position.start(eight)
    move = start.legal_moves()[0]
    assert start.draw_counters().advance(start, move, start.play(move)).counts == (1,) * 8
    with pytest.raises(InvalidRulesError, match=r"\b9 rules") as caught:
        replace(eight, draws=(*draws, DrawnMaterial(ALL, termination=KINGS)))
    assert len(caught.value.problems) == 1
