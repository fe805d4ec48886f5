"""The core and the reference agree where kings fly among many pieces, which the core searches in a way of its own."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tablemen import Side
from tablemen.draughts import VARIANTS, DraughtsRules, Position
from tablemen.draughts.rules import Criterion, KingLanding, MostValue, Promotion, Removal
from tests import strategies
from tests.reference import Place, ReferencePosition, from_core, to_core
from tests.reference.agreement import check_agreement, has_few_captures
from tests.reference.board import is_playable, playable_places, steps

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

CROWD = 10  # pieces that can be captured from somewhere: from so many on, the core draws a chart of a king's flights
LARGEST_CROWD = 16
LARGEST_PART = 12  # rows and columns of a board that they stand on
PRECEDENCES: tuple[tuple[Criterion | MostValue, ...], ...] = (
    (),
    (Criterion.MOST_PIECES,),
    (Criterion.MOST_KINGS,),
    (Criterion.WITH_KING,),
    (MostValue(man=2, king=3),),
    (MostValue(man=3, king=1),),
    (Criterion.MOST_PIECES, Criterion.MOST_KINGS),
    (Criterion.MOST_KINGS, MostValue(man=3, king=1)),
    (MostValue(man=2, king=1), Criterion.MOST_KINGS, Criterion.WITH_KING),
)
FEW, MANY = 2_000, 8_000  # flights and ways of captures that the reference is asked to list


def draws_charts(rules: DraughtsRules) -> bool:
    """Whether the core draws charts under these rules: what a flying king meets must not change as it captures."""
    fixed = rules.flying_kings and rules.removal is Removal.AT_END
    return fixed and not rules.breakthrough and Criterion.KINGS_FIRST not in rules.precedence


CHARTED = tuple(rules for rules in VARIANTS.values() if draws_charts(rules))


def charted(rules: DraughtsRules) -> DraughtsRules:
    """The rules with what it takes to draw charts, and no early end."""
    return replace(
        rules,
        name="custom",
        flying_kings=True,
        removal=Removal.AT_END,
        reverse_captures=False,
        precedence=tuple(each for each in rules.precedence if each is not Criterion.KINGS_FIRST),
        breakthrough=False,
        lone_piece_loses=False,
        lone_man_loses_to_king=False,
    )


@st.composite
def changed_variants(draw: DrawFn) -> DraughtsRules:
    """Known variants with other rules for captures: their boards and directions are those that the core knows best."""
    return replace(
        charted(draw(strategies.variants())),
        men_capture_kings=draw(st.booleans()),
        promotion=draw(st.sampled_from(Promotion)),
        king_landing=draw(st.sampled_from(KingLanding)),
        capture_compulsory=draw(strategies.OFTEN),
        precedence=tuple(each for each in draw(strategies.PRECEDENCES) if each is not Criterion.KINGS_FIRST),
    )


def rules_of_ones_own() -> SearchStrategy[DraughtsRules]:
    """Rule sets under which the core draws charts, on boards with room for a crowd."""
    custom = strategies.custom_rules().filter(lambda rules: min(rules.columns, rules.rows) > 6)
    return st.one_of(changed_variants(), custom.map(charted))


def open_to_capture(rules: DraughtsRules, pieces: AbstractSet[Place], others: AbstractSet[Place]) -> set[Place]:
    """Those of the pieces that have free places before and behind them, on a line along which kings capture."""
    # Every line has two ends, so the side does not matter.
    lines = steps(rules, Side.WHITE, rules.king_captures) + steps(rules, Side.BLACK, rules.king_captures)

    def is_free(row: int, column: int) -> bool:
        return is_playable(rules, (row, column)) and (row, column) not in pieces and (row, column) not in others

    return {
        (row, column)
        for row, column in pieces
        if any(is_free(row - down, column - right) and is_free(row + down, column + right) for down, right in lines)
    }


@st.composite
def crowds(draw: DrawFn, rules: SearchStrategy[DraughtsRules]) -> Position:
    """One or two kings to move among a crowd of opponents, and a few more pieces that stand in the way."""
    chosen, turn = draw(rules), draw(st.sampled_from(strategies.SIDES))
    chance = Random(draw(strategies.SEEDS))
    places = near_one_another(chance, chosen)
    kings = {places.pop() for _ in range(chance.choice((1, 1, 1, 2)))}
    if chance.random() < 0.7:
        # Opponents on every second row and column can be captured from all around.
        row, column = chance.choice(places)
        places.sort(key=lambda place: (place[0] % 2, place[1] % 2) == (row % 2, column % 2))
    opponents: set[Place] = set()
    size = chance.randint(CROWD, LARGEST_CROWD)
    while places and len(opponents) < size:
        more = opponents | {places.pop()}
        opponents = more if open_to_capture(chosen, more, kings) == more else opponents
    assume(len(opponents) >= CROWD)
    men: set[Place] = set()
    for place in places[: chance.randint(0, 6)]:
        more_men, more = (men | {place}, opponents) if chance.random() < 0.5 else (men, opponents | {place})
        if len(open_to_capture(chosen, more, kings | more_men)) >= CROWD:
            men, opponents = more_men, more
    share = chance.choice((0.0, 0.4, 1.0))
    their_kings = {place for place in opponents if chance.random() < share}
    own, others = (men, kings), (opponents - their_kings, their_kings)
    white_men, white_kings, black_men, black_kings = map(
        frozenset, own + others if turn is Side.WHITE else others + own
    )
    return to_core(ReferencePosition(chosen, turn, white_men, white_kings, black_men, black_kings))


def near_one_another(chance: Random, rules: DraughtsRules) -> list[Place]:
    """The places of a part of the board, in any order: on a large one, pieces all over it would never meet."""
    top, left = (chance.randint(0, max(0, size - LARGEST_PART)) for size in (rules.rows, rules.columns))
    rows, columns = range(top, top + LARGEST_PART), range(left, left + LARGEST_PART)
    near = [place for place in playable_places(rules) if place[0] in rows and place[1] in columns]
    return chance.sample(near, len(near))


def check(position: Position, most: int = FEW) -> None:
    judged = from_core(position)
    opponents, own = judged.pieces(judged.turn.opponent), judged.pieces(judged.turn)
    assert draws_charts(position.variant)
    assert judged.kings(judged.turn)
    assert len(open_to_capture(position.variant, opponents, own)) >= CROWD, "this is no crowd"
    assume(has_few_captures(position, most))
    check_agreement(position)


@pytest.mark.parametrize("rules", CHARTED, ids=lambda rules: rules.name)
@settings(max_examples=10)
@given(st.data())
def test_variant(rules: DraughtsRules, data: st.DataObject) -> None:
    check(data.draw(crowds(st.just(rules))))


@pytest.mark.parametrize("precedence", PRECEDENCES, ids=str)
@settings(max_examples=20)
@given(st.data())
def test_precedence(precedence: tuple[Criterion | MostValue, ...], data: st.DataObject) -> None:
    check(data.draw(crowds(changed_variants().map(lambda rules: replace(rules, precedence=precedence)))))


@settings(max_examples=80)
@given(crowds(rules_of_ones_own()))
def test_rules_of_ones_own(position: Position) -> None:
    check(position)


@pytest.mark.slow
@settings(max_examples=250)
@given(crowds(st.one_of(strategies.by_name(CHARTED), rules_of_ones_own())))
def test_many_crowds(position: Position) -> None:
    check(position, MANY)


def test_a_crowd_with_a_single_capture() -> None:
    # Every one of the 19 pieces is captured, in 20 ways that come down to one move.
    position = Position.from_fen("W:WK50:B3,7,10,12,13,14,17,20,21,23,25,30,32,36,38,39,41,43,K47", "frisian")
    (move,) = position.legal_moves()
    paths = position.legal_moves(paths=True)
    assert (move.start, len(move.captured)) == (50, 19)
    assert len({path.path for path in paths}) == len(paths) == 20
    assert set(paths) == {move}
    assert (position.perft(1), position.perft(1, paths=True)) == (1, 20)


@pytest.mark.parametrize(
    ("board", "fen", "landing", "counts"),
    [
        ("pool", "W:WK31:BK6,K7,8,14,15,16,K22,23,K24,25", KingLanding.BEHIND_EACH, (2, 4)),
        ("italian", "W:WK1,K8:B5,6,7,K13,14,15,K21,22,23,28", KingLanding.ANY, (1, 1)),
    ],
)
def test_a_man_worth_more_than_a_king(board: str, fen: str, landing: KingLanding, counts: tuple[int, int]) -> None:
    # Leaving out a king that can only come last costs less than leaving out any of the men.
    flying = replace(VARIANTS[board], name="custom", flying_kings=True, king_landing=landing)
    position = Position.from_fen(fen, replace(flying, precedence=(MostValue(man=3, king=1),)))
    check_agreement(position)
    assert (position.perft(1), position.perft(1, paths=True)) == counts
