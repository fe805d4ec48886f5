"""The core's draw counters beside the reference, which reads the whole history anew after every move."""

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
from tests.guided_play import DraughtsGame, safe_moves, wander
from tests.reference.draw_counts import count as count_anew
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

LONGEST = 60
KINGS = Termination.KING_MOVES
ENDINGS = (few_pieces, kings_only, crowning_captures)


def check(start: Position, moves: tuple[Move, ...]) -> None:
    """Compare every count after every move, also after the end of the game: a search may go on there."""
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
    expected = {rule: count_anew(history, rule) for rule in counters.rules}
    assert dict(zip(counters.rules, counters.counts, strict=True)) == expected
    assert counters.is_drawn == any(rule.is_fulfilled(count) for rule, count in expected.items())


def check_game(game: DraughtsGame, history: ReferenceGame) -> None:
    """The counts, the outcome and the claims are those that follow from the history."""
    counts = {rule: count_anew(history, rule) for rule in game.start.variant.draws}
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
def test_steered_games(case: Case) -> None:
    game = case.game
    wander(game, case.plies - 1, case.wish)
    check_last(game)
    wander(game, 1, case.wish)
    check_last(game)


def test_what_is_drawn_at_once() -> None:
    # Two kings against one become one against one; the count that holds for both continues.
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
        ("W:WK46:BK5", "international", False),  # and here is captured wherever it goes
        ("W:WK14:BK46", "international", False),  # 14-5, and Black is
        ("W:WK47:BK5", "international", True),
        ("W:WK46:BK5", "frisian", False),
        ("W:Wd4:Bd5", "turkish", False),
        ("B:WKa4:Bh7", "turkish", True),
    ],
)
def test_exceptions(fen: str, name: str, *, drawn: bool) -> None:
    start = Position.from_fen(fen, name)
    assert start.draw_counters().is_drawn == drawn
    for move in start.legal_moves():
        check(start, (move,))


def test_of_two_repetitions_the_shorter_counts() -> None:
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
    with pytest.raises(TablemenError, match="of different variants"):
        counters.advance(start, move, Position.start("english"))


def wandering(start: Position, seed: int, care: float) -> tuple[Move, ...]:
    """Random moves, with the given share of careful ones, which keep endings going; draws do not end it."""
    chance = Random(seed)
    position = start
    moves: list[Move] = []
    while len(moves) < LONGEST and (legal := position.legal_moves()) and not is_too_crowded(position):
        careful = chance.random() < care and list(safe_moves(Game(position), lambda _position, _move: True))
        moves.append(chance.choice(careful or legal))
        position = position.play(moves[-1])
    return tuple(moves)


CARE = st.sampled_from((0.0, 0.9, 1.0))


@given(edited_positions(variants(), ENDINGS), SEEDS, CARE)
def test_endings_of_variants(start: Position, seed: int, care: float) -> None:
    check(start, wandering(start, seed, care))


# Rules of one's own: anything that the classes can say, most of it about few pieces.

RANGES = st.one_of(
    st.just((0, 1024)),
    st.tuples(st.integers(0, 4), st.integers(0, 4)).map(lambda pair: (min(pair), max(pair))),
    st.integers(0, 3).map(lambda least: (least, 10**30)),
)
FORCES = st.builds(Force, pieces=RANGES, kings=RANGES, men=RANGES, on_long_diagonal=st.booleans())
UNPLACED = st.builds(Force, pieces=RANGES, kings=RANGES, men=RANGES)
TOTALS = st.one_of(st.just((0, 1024)), st.integers(1, 7).map(lambda most: (1, most)))
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
    # Forced wins are for two kings: `test_two_kings` has them.
    st.builds(
        DrawnMaterial, MATERIALS, termination=st.just(KINGS), unless=st.sampled_from((Threat.NONE, Threat.CAPTURE))
    ),
)


@st.composite
def own_rules(draw: DrawFn, base: SearchStrategy[DraughtsRules]) -> DraughtsRules:
    """Rule sets with draws of one's own."""
    draws = draw(st.lists(COUNTED | st.builds(Repetition, st.integers(2, 5)), max_size=8, unique=True))
    return replace(draw(base), name="mine", draws=tuple(draws))


@given(edited_positions(own_rules(custom_rules()), ENDINGS), SEEDS, CARE)
def test_rules_of_ones_own_on_any_board(start: Position, seed: int, care: float) -> None:
    check(start, wandering(start, seed, care))


@given(edited_positions(own_rules(variants()), ENDINGS), SEEDS, CARE)
def test_rules_of_ones_own_in_variants(start: Position, seed: int, care: float) -> None:
    check(start, wandering(start, seed, care))


@pytest.mark.slow
@settings(max_examples=800)
@given(edited_positions(st.one_of(variants(), own_rules(custom_rules() | variants())), ENDINGS), SEEDS, CARE)
def test_many_endings(start: Position, seed: int, care: float) -> None:
    check(start, wandering(start, seed, care))


# What cannot be known


@dataclass(frozen=True)
class Own(DrawRule):
    """A rule of a kind that only Python knows."""

    termination: Termination = KINGS

    @property
    def limit(self) -> int:
        return 2

    def begin(self, position: Any) -> int:  # noqa: ARG002
        return 0

    def advance(self, count: int | None, ply: Any) -> int:  # noqa: ARG002
        return (count or 0) + 1


class OwnCount(MoveCount):
    """A known rule made into something else, or not."""


class OwnMaterial(DrawnMaterial):
    """The same for material."""


class Slow(MoveCount):
    """A rule that counts what its class counts, two for each move."""

    def advance(self, count: int | None, ply: Ply[Position, Move]) -> int | None:
        advanced = super().advance(count, ply)
        return advanced if advanced is None or count is None or not advanced else count + 2


ALL = Material(Force(), Force())


@pytest.mark.parametrize("name", VARIANTS)
def test_the_rules_of_every_variant_are_known(name: str) -> None:
    assert VARIANTS[name].mover.knows_draws


@pytest.mark.parametrize(
    "unknown",
    [Own(), OwnCount(2, termination=KINGS), OwnMaterial(ALL, termination=KINGS), MoveCount(65_535, termination=KINGS)],
    ids=repr,
)
def test_a_rule_that_the_core_does_not_know_is_left_out_of_its_counters(unknown: DrawRule) -> None:
    known = MoveCount(3, termination=KINGS)
    rules = replace(INTERNATIONAL, name="mine", draws=(unknown, known))
    assert not rules.mover.knows_draws
    assert Position.start(rules).draw_counters().rules == (known,)
    assert pickle.loads(pickle.dumps(replace(rules, draws=(known,)))).mover.knows_draws


def as_own(rule: DrawRule) -> DrawRule:
    """The same rule as a subclass, which is counted by itself."""
    if isinstance(rule, MoveCount):
        fields = {
            name: getattr(rule, name) for name in ("plies", "termination", "by_claim", "resets", "within", "outside")
        }
        return OwnCount(**fields)
    assert isinstance(rule, DrawnMaterial)
    return OwnMaterial(rule.material, termination=rule.termination, unless=rule.unless)


@given(edited_positions(variants(), ENDINGS), st.lists(COUNTED, max_size=3, unique=True), SEEDS, CARE)
def test_rules_in_any_order_are_counted_alike(start: Position, draws: list[DrawRule], seed: int, care: float) -> None:
    mixed = [Repetition(2), *draws, Own(by_claim=True), *map(as_own, draws)]
    Random(seed).shuffle(mixed)
    rules = replace(start.variant, name="mine", draws=tuple(mixed))
    start = Position.from_letters(start.letters(), rules, start.turn)
    game: DraughtsGame = Game(start)
    moves = list(wandering(start, seed, care))
    while True:
        counts = game.draw_counts()
        assert list(counts) == [rule for rule in mixed if rule in counts]
        assert [counts.get(as_own(rule)) for rule in draws] == [counts.get(rule) for rule in draws]
        assert counts[Own(by_claim=True)] == len(game.moves)
        if not moves or game.outcome():
            break
        assert [rule for rule in mixed if rule.is_fulfilled(counts.get(rule))] == list(game.claims())
        game.push(moves.pop(0))
    while game.moves:
        game.pop()
    assert game == Game(start)
    assert vars(game) == vars(Game(start))


def test_a_rule_of_one_s_own_can_call_the_core() -> None:
    rules = replace(INTERNATIONAL, name="mine", draws=(Slow(7, termination=KINGS),))
    game: DraughtsGame = Game(Position.start(rules))
    counts: list[int] = []
    while game.outcome() is None:
        counts += game.draw_counts().values()
        game.push(game.legal_moves()[0])
    assert counts == [0, 2, 4, 6]


def test_a_rule_of_one_s_own_that_fails_leaves_the_game_as_it_was() -> None:
    class Failing(Own):
        def advance(self, count: int | None, ply: Any) -> int:  # noqa: ARG002
            raise RuntimeError

    game: DraughtsGame = Game(Position.start(replace(INTERNATIONAL, name="mine", draws=(Failing(), Repetition(3)))))
    before = copy.deepcopy(vars(game))
    with pytest.raises(RuntimeError):
        game.push("32-28")
    assert vars(game) == before


def test_the_largest_count() -> None:
    rules = replace(INTERNATIONAL, name="mine", draws=(MoveCount(65_534, termination=KINGS), Repetition(10**30)))
    assert rules.mover.knows_draws
    start = Position.from_fen("W:WK46,K2:BK5", rules)
    moves = wandering(start, 0, 1.0)
    assert moves
    check(start, moves)


def test_a_count_may_be_larger_than_the_core_counts() -> None:
    rule = MoveCount(10**30, termination=KINGS)
    start = Position.from_fen("W:WK46,K2:BK5", replace(INTERNATIONAL, name="mine", draws=(rule,)))
    move = start.legal_moves()[0]
    ply = Ply(start, move, start.play(move), 1)
    assert [rule.advance(count, ply) for count in (None, 0, 65_534, 10**20)] == [None, 1, 65_535, 10**20 + 1]


def test_eight_rules_are_counted_and_no_more() -> None:
    draws = tuple(MoveCount(plies, termination=KINGS) for plies in range(1, 9))
    eight = replace(INTERNATIONAL, name="mine", draws=(Repetition(3), *draws, Own()))
    start = Position.start(eight)
    move = start.legal_moves()[0]
    assert start.draw_counters().advance(start, move, start.play(move)).counts == (1,) * 8
    with pytest.raises(InvalidRulesError, match="draws has 9 rules besides repetition"):
        replace(eight, draws=(*draws, DrawnMaterial(ALL, termination=KINGS)))
