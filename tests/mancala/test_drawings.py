"""Boards as text diagrams and as SVG pictures."""

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

POSITION = Position.from_text("<6,10,7,14,0,5,4,12,40,1,2,3,4,5,6> north", "kalah")

DIAGRAM = """\
      6  5  4  3  2  1
      6  5  4  3  2  1
 7                       10
     14  0  5  4 12 40
      1  2  3  4  5  6
North to move"""

TURNED_DIAGRAM = """\
      6  5  4  3  2  1
     40 12  4  5  0 14
10                       7
      1  2  3  4  5  6
      1  2  3  4  5  6
North to move"""


def test_a_board_is_drawn_from_either_side() -> None:
    assert str(POSITION) == draw(POSITION) == DIAGRAM
    assert draw(POSITION, orientation=NORTH) == TURNED_DIAGRAM


def get_texts(picture: str, kind: str) -> list[str | None]:
    """Return the texts of the elements of a class."""
    return [each.text for each in of_class(parse(picture), kind)]


def test_a_picture_counts_every_pit() -> None:
    counts = get_texts(POSITION.svg(), "seeds")
    assert sorted(map(str, counts)) == sorted(map(str, (10, 7, 14, 0, 5, 4, 12, 40, 1, 2, 3, 4, 5, 6)))
    root = parse(POSITION.svg(size=300))
    assert root.get("width") == "300"
    assert root.get("aria-label") == f"Kalah, {POSITION.text()}"
    title = root.find(f"{SVG}title")
    assert title is not None
    assert title.text == "Kalah, north to move"


def test_titles_are_escaped() -> None:
    root = parse(Position.start(replace(KALAH, title="<b>\x07")).svg())
    assert (root.get("aria-label") or "").startswith("<b>\ufffd, <6,")


@settings(max_examples=30)
@given(strategies.positions())
def test_any_position_can_be_drawn(position: Position) -> None:
    houses = position.variant.houses
    assert len(get_texts(position.svg(), "house")) == 2 * houses
    assert len(str(position).splitlines()) == 6
    assert position._repr_svg_() == draw_svg(position)


def get_places(picture: str, kind: str) -> list[tuple[str | None, str | None]]:
    return [(each.get("cx"), each.get("cy")) for each in of_class(parse(picture), kind)]


def test_the_house_of_the_last_move_is_marked() -> None:
    game: Game[Position, Move] = Game(Position.start("kalah"), ["3", "1"])  # the first move gives an extra turn
    (first,) = get_places(game.positions[1].svg(last_move=game.moves[0]), "last-move")
    (second,) = get_places(game.svg(), "last-move")
    assert first[1] == second[1]
    houses = get_places(game.svg(), "house")
    assert (houses.index(first), houses.index(second)) == (2, 0)
    game.push("6")
    (third,) = get_places(game.svg(), "last-move")
    assert houses.index(third) == 6 + 5
    (turned,) = get_places(game.svg(orientation=NORTH), "last-move")
    assert turned == houses[5]


def test_a_swap_marks_no_house() -> None:
    start = Position.start(replace(KALAH, name="pie", swap=Swap.PIE))
    game: Game[Position, Move] = Game(start, ["1", "swap"])
    assert get_places(game.svg(), "last-move") == []


def test_invalid_options_of_drawings() -> None:
    with pytest.raises(TablemenError, match=r"size .* 0$"):
        POSITION.svg(size=0)
    with pytest.raises(TablemenError, match=r"last move .*kgp.*kalah"):
        POSITION.svg(last_move=Move("kgp", 1))
    for function in (draw, draw_svg):
        with pytest.raises(TypeError, match="orientation"):
            function(POSITION, orientation="north")  # type: ignore[arg-type]
