"""Symmetries: a position that is mirrored, or turned with its colours swapped, has the same moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablemen import Side, TablemenError
from tablemen.draughts import VARIANTS, DraughtsRules, Position
from tablemen.draughts.board import Playable
from tablemen.draughts.rules import Direction
from tests import reference, strategies
from tests.reference import KingRun, Place, ReferencePosition

LEFT_TO_RIGHT = {
    Direction.LEFT: Direction.RIGHT,
    Direction.FORWARD_LEFT: Direction.FORWARD_RIGHT,
    Direction.BACKWARD_LEFT: Direction.BACKWARD_RIGHT,
}
MIRRORED = {**LEFT_TO_RIGHT, **{right: left for left, right in LEFT_TO_RIGHT.items()}}


@dataclass(frozen=True)
class Symmetry:
    """A symmetry of places and rules; it may swap the colours."""

    name: str
    place: Callable[[DraughtsRules, Place], Place]
    rules: Callable[[DraughtsRules], DraughtsRules]
    swaps_colours: bool

    def __str__(self) -> str:
        return self.name

    def position(self, position: Position) -> Position:
        before = reference.from_core(position)
        after = self.rules(before.rules)

        def moved(places: frozenset[Place]) -> frozenset[Place]:
            return frozenset(self.place(before.rules, place) for place in places)

        def moved_run(side: Side) -> KingRun | None:
            run = before.run(side)
            return run and KingRun(self.place(before.rules, run.place), run.moves)

        white, black = (Side.BLACK, Side.WHITE) if self.swaps_colours else (Side.WHITE, Side.BLACK)
        return reference.to_core(
            ReferencePosition(
                after,
                before.turn.opponent if self.swaps_colours else before.turn,
                white_men=moved(before.men(white)),
                white_kings=moved(before.kings(white)),
                black_men=moved(before.men(black)),
                black_kings=moved(before.kings(black)),
                white_run=moved_run(white),
                black_run=moved_run(black),
            )
        )

    def move(self, rules: DraughtsRules, move: reference.Move) -> reference.Move:
        captured = frozenset(self.place(rules, place) for place in move.captured)
        return reference.Move(self.place(rules, move.start), self.place(rules, move.end), captured, move.crowns)


def mirrored_place(rules: DraughtsRules, place: Place) -> Place:
    return place[0], rules.columns - 1 - place[1]


def turned_place(rules: DraughtsRules, place: Place) -> Place:
    return rules.rows - 1 - place[0], rules.columns - 1 - place[1]


def mirrored_rules(rules: DraughtsRules) -> DraughtsRules:
    """Mirror directions, and the colour of White's left corner."""
    return replace(
        rules,
        corner_playable=corner_playable(rules, distance=rules.columns - 1),
        man_moves=mirrored_directions(rules.man_moves),
        man_captures=mirrored_directions(rules.man_captures),
        king_moves=mirrored_directions(rules.king_moves),
        king_captures=mirrored_directions(rules.king_captures),
    )


def turned_rules(rules: DraughtsRules) -> DraughtsRules:
    """Turn the colour of White's left corner; directions are relative to the side to move and stay the same."""
    return replace(rules, corner_playable=corner_playable(rules, distance=rules.rows - 1 + rules.columns - 1))


def mirrored_directions(directions: Direction) -> Direction:
    mirrored = Direction(0)
    for direction in directions:
        mirrored |= MIRRORED.get(direction, direction)
    return mirrored


def corner_playable(rules: DraughtsRules, *, distance: int) -> bool:
    """Return whether the square at this distance, in rows plus columns, from White's left corner is playable."""
    changes = rules.playable is Playable.ONE_COLOUR and distance % 2 == 1
    return rules.corner_playable != changes


MIRROR = Symmetry("mirror", mirrored_place, mirrored_rules, swaps_colours=False)
TURN = Symmetry("turn", turned_place, turned_rules, swaps_colours=True)
SYMMETRIES = pytest.mark.parametrize("symmetry", [MIRROR, TURN], ids=str)


def check_mirror(position: Position, image: Position) -> None:
    """Check that `mirror` returns the turned image, or raises an error if its board differs."""
    if image.variant != position.variant:
        with pytest.raises(TablemenError, match="no mirror image"):
            position.mirror()
        return
    assert position.mirror() == image
    assert position.mirror().mirror() == position


def check(symmetry: Symmetry, position: Position) -> None:
    """Check that the image of a position has the images of its moves, and the same count and result."""
    image = symmetry.position(position)
    if symmetry is TURN:
        check_mirror(position, image)
    moves = {reference.move_from_core(move) for move in position.legal_moves()}
    assert {symmetry.move(position.variant, move) for move in moves} == {
        reference.move_from_core(move) for move in image.legal_moves()
    }
    # A man that becomes a flying king among many pieces can have millions of captures, which take minutes to count.
    if not any(strategies.is_too_crowded(position.play(move)) for move in position.legal_moves()):
        assert image.perft(2) == position.perft(2)
    ending, image_ending = position.outcome(), image.outcome()
    if ending is None or image_ending is None:
        assert ending is image_ending
    else:
        assert ending.termination is image_ending.termination
        assert ending.winner is not None
        assert image_ending.winner is (ending.winner.opponent if symmetry.swaps_colours else ending.winner)


@SYMMETRIES
@pytest.mark.parametrize("name", VARIANTS)
@settings(max_examples=20)
@given(st.data())
def test_variant(symmetry: Symmetry, name: str, data: st.DataObject) -> None:
    check(symmetry, data.draw(strategies.positions(st.just(VARIANTS[name]))))


@SYMMETRIES
@settings(max_examples=100)
@given(strategies.positions(strategies.custom_rules()))
def test_custom_rules(symmetry: Symmetry, position: Position) -> None:
    check(symmetry, position)


@SYMMETRIES
@pytest.mark.parametrize("name", VARIANTS)
def test_counts_from_the_start(symmetry: Symmetry, name: str) -> None:
    position = Position.start(name)
    image = symmetry.position(position)
    assert image.perft(5) == position.perft(5)
    assert symmetry.position(image) == position
