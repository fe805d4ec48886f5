"""The core and the reference agree on flying kings among many pieces, which the core searches with a capture graph."""

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

MIN_CROWD = 10  # pieces open to capture: with this number or more, the core builds a capture graph
MAX_CROWD = 16
MAX_AREA = 12  # rows and columns that the pieces are spread over
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
FEW, MANY = 2_000, 8_000  # maximum number of captures that the slow reference lists


def uses_capture_graph(rules: DraughtsRules) -> bool:
    """Return whether the core uses capture graphs: the board must not change for a flying king while it captures."""
    fixed = rules.flying_kings and rules.removal is Removal.AT_END
    return fixed and not rules.breakthrough and Criterion.KINGS_FIRST not in rules.precedence


GRAPH_VARIANTS = tuple(rules for rules in VARIANTS.values() if uses_capture_graph(rules))


def with_capture_graph(rules: DraughtsRules) -> DraughtsRules:
    """Return the rules, changed so that the core uses capture graphs and games do not end early."""
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
    """Generate known variants with other rules for captures; the core has special code for their boards."""
    return replace(
        with_capture_graph(draw(strategies.variants())),
        men_capture_kings=draw(st.booleans()),
        promotion=draw(st.sampled_from(Promotion)),
        king_landing=draw(st.sampled_from(KingLanding)),
        capture_compulsory=draw(strategies.OFTEN),
        precedence=tuple(each for each in draw(strategies.PRECEDENCES) if each is not Criterion.KINGS_FIRST),
    )


def custom_rules() -> SearchStrategy[DraughtsRules]:
    """Return custom rules that use capture graphs, on boards with space for many pieces."""
    custom = strategies.custom_rules().filter(lambda rules: min(rules.columns, rules.rows) > 6)
    return st.one_of(changed_variants(), custom.map(with_capture_graph))


def open_to_capture(rules: DraughtsRules, pieces: AbstractSet[Place], others: AbstractSet[Place]) -> set[Place]:
    """Return the pieces that have free places on both sides, along a line on which kings capture."""
    # The lines of both sides are the same, but in opposite directions.
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
    """Generate one or two kings to move among many opponents, and a few pieces in the way."""
    chosen, turn = draw(rules), draw(st.sampled_from(strategies.SIDES))
    chance = Random(draw(strategies.SEEDS))
    places = sample_area(chance, chosen)
    kings = {places.pop() for _ in range(chance.choice((1, 1, 1, 2)))}
    if chance.random() < 0.7:
        # Opponents on every second row and column can be captured in all directions.
        row, column = chance.choice(places)
        places.sort(key=lambda place: (place[0] % 2, place[1] % 2) == (row % 2, column % 2))
    opponents: set[Place] = set()
    size = chance.randint(MIN_CROWD, MAX_CROWD)
    while places and len(opponents) < size:
        more = opponents | {places.pop()}
        opponents = more if open_to_capture(chosen, more, kings) == more else opponents
    assume(len(opponents) >= MIN_CROWD)
    men: set[Place] = set()
    for place in places[: chance.randint(0, 6)]:
        more_men, more = (men | {place}, opponents) if chance.random() < 0.5 else (men, opponents | {place})
        if len(open_to_capture(chosen, more, kings | more_men)) >= MIN_CROWD:
            men, opponents = more_men, more
    share = chance.choice((0.0, 0.4, 1.0))
    their_kings = {place for place in opponents if chance.random() < share}
    own, others = (men, kings), (opponents - their_kings, their_kings)
    white_men, white_kings, black_men, black_kings = map(
        frozenset, own + others if turn is Side.WHITE else others + own
    )
    return to_core(ReferencePosition(chosen, turn, white_men, white_kings, black_men, black_kings))


def sample_area(chance: Random, rules: DraughtsRules) -> list[Place]:
    """Return the places of a part of the board in random order: all over a large board, pieces would never meet."""
    top, left = (chance.randint(0, max(0, size - MAX_AREA)) for size in (rules.rows, rules.columns))
    rows, columns = range(top, top + MAX_AREA), range(left, left + MAX_AREA)
    near = [place for place in playable_places(rules) if place[0] in rows and place[1] in columns]
    return chance.sample(near, len(near))


def check(position: Position, maximum: int = FEW) -> None:
    expected_position = from_core(position)
    opponents, own = (
        expected_position.pieces(expected_position.turn.opponent),
        expected_position.pieces(expected_position.turn),
    )
    assert uses_capture_graph(position.variant)
    assert expected_position.kings(expected_position.turn)
    assert len(open_to_capture(position.variant, opponents, own)) >= MIN_CROWD
    assume(has_few_captures(position, maximum))
    check_agreement(position)


@pytest.mark.parametrize("rules", GRAPH_VARIANTS, ids=lambda rules: rules.name)
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
@given(crowds(custom_rules()))
def test_custom_rules(position: Position) -> None:
    check(position)


@pytest.mark.slow
@settings(max_examples=250)
@given(crowds(st.one_of(strategies.by_name(GRAPH_VARIANTS), custom_rules())))
def test_many_crowds(position: Position) -> None:
    check(position, MANY)


def test_crowd_with_a_single_capture() -> None:
    # All 19 pieces are captured, along 20 paths of the same move.
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
def test_man_worth_more_than_a_king(board: str, fen: str, landing: KingLanding, counts: tuple[int, int]) -> None:
    # It is better to spare the king, which can only be captured last, than any of the men.
    flying = replace(VARIANTS[board], name="custom", flying_kings=True, king_landing=landing)
    position = Position.from_fen(fen, replace(flying, precedence=(MostValue(man=3, king=1),)))
    check_agreement(position)
    assert (position.perft(1), position.perft(1, paths=True)) == counts
