"""Boards as text and as pictures."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings

from tablemen import Game, TablemenError
from tablemen.mancala import KALAH, NORTH, Move, Position, Swap
from tablemen.mancala.diagram import draw
from tablemen.mancala.svg import draw as draw_svg
from tests.mancala import strategies
from tests.pictures import SVG, of_class, parse

BUSY = Position.from_text("<6,10,7,14,0,5,4,12,40,1,2,3,4,5,6> north", "kalah")

DRAWN = """\
      6  5  4  3  2  1
      6  5  4  3  2  1
 7                       10
     14  0  5  4 12 40
      1  2  3  4  5  6
North to move"""

TURNED = """\
      6  5  4  3  2  1
     40 12  4  5  0 14
10                       7
      1  2  3  4  5  6
      1  2  3  4  5  6
North to move"""


def test_a_board_is_drawn_from_either_side() -> None:
    assert str(BUSY) == draw(BUSY) == DRAWN
    assert draw(BUSY, orientation=NORTH) == TURNED


def texts(picture: str, kind: str) -> list[str | None]:
    """What the elements of a class say."""
    return [each.text for each in of_class(parse(picture), kind)]


def test_a_picture_counts_every_pit() -> None:
    counts = texts(BUSY.svg(), "seeds")
    assert sorted(map(str, counts)) == sorted(map(str, (10, 7, 14, 0, 5, 4, 12, 40, 1, 2, 3, 4, 5, 6)))
    root = parse(BUSY.svg(size=300))
    assert root.get("width") == "300"
    assert root.get("aria-label") == f"Kalah, {BUSY.text()}"
    title = root.find(f"{SVG}title")
    assert title is not None
    assert title.text == "Kalah, north to move"


def test_a_title_of_ones_own_is_escaped() -> None:
    root = parse(Position.start(replace(KALAH, title="<b>\x07")).svg())
    assert (root.get("aria-label") or "").startswith("<b>\ufffd, <6,")


@settings(max_examples=30)
@given(strategies.positions())
def test_any_position_can_be_drawn(position: Position) -> None:
    houses = position.variant.houses
    assert len(texts(position.svg(), "house")) == 2 * houses
    assert len(str(position).splitlines()) == 6
    assert position._repr_svg_() == draw_svg(position)


def place(picture: str, kind: str) -> list[tuple[str | None, str | None]]:
    return [(each.get("cx"), each.get("cy")) for each in of_class(parse(picture), kind)]


def test_the_last_move_is_marked_where_it_began() -> None:
    game: Game[Position, Move] = Game(Position.start("kalah"), ["3", "1"])  # the first one moves again
    (first,) = place(game.positions[1].svg(last_move=game.moves[0]), "last-move")
    (second,) = place(game.svg(), "last-move")
    assert first[1] == second[1]
    houses = place(game.svg(), "house")
    assert (houses.index(first), houses.index(second)) == (2, 0)
    game.push("6")
    (third,) = place(game.svg(), "last-move")
    assert houses.index(third) == 6 + 5
    (turned,) = place(game.svg(orientation=NORTH), "last-move")
    assert turned == houses[5]


def test_a_swap_marks_nothing() -> None:
    start = Position.start(replace(KALAH, name="pie", swap=Swap.PIE))
    game: Game[Position, Move] = Game(start, ["1", "swap"])
    assert place(game.svg(), "last-move") == []


def test_what_cannot_be_drawn() -> None:
    with pytest.raises(TablemenError, match="size"):
        BUSY.svg(size=0)
    with pytest.raises(TablemenError, match=r"kgp.*kalah"):
        BUSY.svg(last_move=Move("kgp", 1))
    for function in (draw, draw_svg):
        with pytest.raises(TypeError, match="orientation must be a Side"):
            function(BUSY, orientation="north")  # type: ignore[arg-type]
