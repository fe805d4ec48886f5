"""The draw rules as a search counts them, beside those of Python: every count after every move."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablemen import Game, IllegalMoveError, InvalidRulesError, Termination
from tablemen._core import draw_states
from tablemen.draughts import INTERNATIONAL, VARIANTS, DraughtsRules, Move, Position
from tablemen.draughts.draws import DrawnMaterial, MoveCount, Progress, Threat
from tablemen.draughts.material import Force, Material
from tablemen.draws import DrawRule, Ply, Repetition
from tests.draughts.test_draws import CASES, Case
from tests.draughts.test_whole_games import GAMES, WholeGame
from tests.steering import DraughtsGame, safe_moves, wander
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


def expected(start: Position, moves: tuple[Move, ...]) -> Iterator[tuple[list[int | None], bool, bool]]:
    """What the rules themselves say, also after the end of the game: a search may go on there."""
    rules = start.variant.draws
    position, seen = start, [start]
    counts = [rule.begin(start) for rule in rules]
    yield _state(rules, counts)
    for move in moves:
        after = position.play(move)
        seen.append(after)
        ply = Ply(position, move, after, seen.count(after))
        counts = [rule.advance(count, ply) for rule, count in zip(rules, counts, strict=True)]
        yield _state(rules, counts)
        position = after


def _state(rules: tuple[DrawRule, ...], counts: list[int | None]) -> tuple[list[int | None], bool, bool]:
    fulfilled = [rule for rule, count in zip(rules, counts, strict=True) if rule.is_fulfilled(count)]
    told = [count for rule, count in zip(rules, counts, strict=True) if not isinstance(rule, Repetition)]
    return told, bool(fulfilled), any(isinstance(rule, DrawnMaterial) for rule in fulfilled)


def check(start: Position, moves: tuple[Move, ...]) -> None:
    assert draw_states(start, moves) == list(expected(start, moves))


def check_game(game: DraughtsGame) -> None:
    """The states of a game are those of Python, and the last is what the game says of itself."""
    check(game.start, game.moves)
    counts, is_drawn, _ = draw_states(game.start, game.moves)[-1]
    rules = [rule for rule in game.start.variant.draws if not isinstance(rule, Repetition)]
    assert {rule: count for rule, count in zip(rules, counts, strict=True) if count is not None} == {
        rule: count for rule, count in game.draw_counts().items() if not isinstance(rule, Repetition)
    }
    outcome = game.outcome()
    if outcome is None or outcome.winner is None:
        assert is_drawn == bool(outcome or game.claims())


@pytest.mark.parametrize("whole", GAMES, ids=str)
def test_whole_games(whole: WholeGame) -> None:
    check_game(Game(Position.start(whole.variant), whole.moves))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_steered_games(case: Case) -> None:
    game = case.game
    wander(game, case.plies - 1, case.wish)
    assert not draw_states(game.start, game.moves)[-1][1]
    wander(game, 1, case.wish)
    assert draw_states(game.start, game.moves)[-1][1:] == (True, False)
    check_game(game)


def test_what_is_drawn_at_once() -> None:
    # Two kings against one become one against one; the count that holds for both goes on.
    start = Position.from_fen("W:WK48:BK1,K43", "international")
    moves = start.legal_moves()[:1]
    assert draw_states(start, moves) == [([None, 0, None, 0], False, False), ([1, 0, None, 1], True, True)]
    check(start, moves)


@pytest.mark.parametrize(
    ("fen", "name", "drawn"),
    [
        ("W:WK46:BK14", "international", False),  # White can capture
        ("W:WK46:BK5", "international", False),  # and here is captured wherever it goes
        ("W:WK47:BK5", "international", True),
        ("W:WK46:BK5", "frisian", False),
        ("W:Wd4:Bd5", "turkish", False),
        ("B:WKa4:Bh7", "turkish", True),
    ],
)
def test_threats_keep_it_going(fen: str, name: str, *, drawn: bool) -> None:
    start = Position.from_fen(fen, name)
    for move in start.legal_moves():
        assert draw_states(start, (move,))[0][1:] == (drawn, drawn)
        check(start, (move,))


def test_of_two_repetitions_the_shorter_counts() -> None:
    rules = replace(INTERNATIONAL, name="mine", draws=(Repetition(3), Repetition(2)))
    game: DraughtsGame = Game(Position.from_fen("W:WK46,K47:BK4,K5", rules), ["47-42", "4-10", "42-47", "10-4"])
    assert [is_drawn for _, is_drawn, _ in draw_states(game.start, game.moves)] == [False] * 4 + [True]
    check_game(game)


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
        resets=st.integers(0, 7).map(Progress),
        within=st.none() | MATERIALS,
        outside=st.none() | st.builds(Material, UNPLACED, UNPLACED, TOTALS),
    ),
    st.builds(DrawnMaterial, MATERIALS, termination=st.just(KINGS), unless=st.sampled_from(Threat)),
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
    """A known rule made into something else."""


class OwnForce(Force):
    """A force that may mean anything."""


ALL = Material(Force(), Force())


@pytest.mark.parametrize("name", VARIANTS)
def test_the_rules_of_every_variant_are_known(name: str) -> None:
    assert VARIANTS[name].mover.knows_draws


@pytest.mark.parametrize(
    "unknown",
    [
        Own(),
        OwnCount(2, termination=KINGS),
        MoveCount(2, termination=KINGS, within=Material(Force(), OwnForce())),
        MoveCount(2, termination=KINGS, outside=Material(OwnForce(), Force())),
        DrawnMaterial(Material(OwnForce(), Force()), termination=KINGS),
        MoveCount(65_535, termination=KINGS),
    ],
    ids=repr,
)
def test_a_rule_that_is_not_known_is_left_out_and_the_others_are_counted(unknown: DrawRule) -> None:
    known = MoveCount(3, termination=KINGS)
    rules = replace(INTERNATIONAL, name="mine", draws=(unknown, known))
    assert not rules.mover.knows_draws
    start = Position.start(rules)
    moves = wandering(start, 0, 0.0)[:4]
    assert draw_states(start, moves) == [([count], count >= 3, False) for count in range(5)]
    assert pickle.loads(pickle.dumps(replace(rules, draws=(known,)))).mover.knows_draws


def test_the_largest_count() -> None:
    rules = replace(INTERNATIONAL, name="mine", draws=(MoveCount(65_534, termination=KINGS), Repetition(10**30)))
    assert rules.mover.knows_draws
    start = Position.from_fen("W:WK46,K2:BK5", rules)
    moves = wandering(start, 0, 1.0)
    assert moves
    check(start, moves)


def test_eight_rules_are_counted_and_no_more() -> None:
    draws = tuple(MoveCount(plies, termination=KINGS) for plies in range(1, 9))
    eight = replace(INTERNATIONAL, name="mine", draws=(Repetition(3), *draws, Own()))
    start = Position.start(eight)
    assert draw_states(start, wandering(start, 0, 0.0)[:1])[-1] == ([1] * 8, True, False)
    with pytest.raises(InvalidRulesError, match="draws has 9 rules besides repetition, not 8 at most"):
        replace(eight, draws=(*draws, DrawnMaterial(ALL, termination=KINGS)))


def test_only_legal_moves_are_followed() -> None:
    start = Position.start("international")
    move = start.legal_moves()[0]
    with pytest.raises(IllegalMoveError):
        draw_states(start, (move, move))
