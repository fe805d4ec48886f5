"""Positions as SVG."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablemen import Side, TablemenError
from tablemen.draughts import INTERNATIONAL, VARIANTS, Kind, Move, Position
from tablemen.draughts.svg import CELL, Arrow, SquareMark, draw
from tests.pictures import SVG, of_class, parse
from tests.strategies import positions

CAPTURE = Move("international", [32, 23, 14, 25, 34], [28, 19, 20, 30])
AFTER = "B:W34,K40:B1,K5"


def discs(root: ET.Element) -> list[ET.Element]:
    return list(root.iter(f"{SVG}circle"))


def find(root: ET.Element, name: str) -> ET.Element | None:
    """Return the first element of this class."""
    return next((each for each in root.iter() if each.get("class") == name), None)


def drawn(root: ET.Element, name: str) -> str:
    """Return the path or the points of the first element of this class."""
    element = find(root, name)
    assert element is not None
    return element.get("d") or element.get("points") or ""


@given(positions(), st.sampled_from(Side))
def test_every_piece_has_a_disc_on_its_own_square(position: Position, orientation: Side) -> None:
    root = parse(draw(position, orientation=orientation))
    counted = Counter(disc.get("class") for disc in discs(root))
    kings = 0
    for side in Side:
        kings += len(position.squares(side, Kind.KING))
        assert counted[str(side)] == sum(len(position.squares(side, kind)) for kind in Kind)
    assert len({(disc.get("cx"), disc.get("cy")) for disc in discs(root)}) == len(discs(root))
    crowns = [each.get("d", "") for each in root.iter(f"{SVG}path") if each.get("class") == "crowns"]
    assert "".join(crowns).count("M") == kings


@pytest.mark.parametrize("name", VARIANTS)
def test_squares_are_labelled_in_every_variant(name: str) -> None:
    position = Position.start(name)
    texts = sorted(each.text or "" for each in parse(draw(position)).iter(f"{SVG}text"))
    names = [square.name for square in position.variant.mover.squares]
    if names[0].isdecimal():
        assert texts == sorted(names)
    else:
        assert texts == sorted({each[0] for each in names} | {each[1:] for each in names})


def test_orientation_turns_the_board_around() -> None:
    (disc,) = discs(parse(draw(Position.from_fen("W:W46:B", "international"))))
    (turned,) = discs(parse(draw(Position.from_fen("W:W46:B", "international"), orientation=Side.BLACK)))
    low, high = 8 + CELL // 2, 8 + 9 * CELL + CELL // 2
    assert (disc.get("cx"), disc.get("cy")) == (str(low), str(high))
    assert (turned.get("cx"), turned.get("cy")) == (str(high), str(low))


def test_picture_has_a_title_and_a_label() -> None:
    root = parse(draw(Position.from_fen("B:Wa1:BKh8", "russian")))
    assert root.get("role") == "img"
    assert root.get("aria-label") == "Russian draughts, B:Wa1:BKh8"
    title = root.find(f"{SVG}title")
    assert title is not None
    assert title.text == "Russian draughts, black to move"


def test_title_of_custom_rules_is_escaped() -> None:
    rules = replace(INTERNATIONAL, name="odd", title='<b> & "c"\x07')
    root = parse(draw(Position.start(rules), marks=[SquareMark(28, "\x1b")]))
    assert (root.get("aria-label") or "").startswith('<b> & "c"\ufffd, W:W31')


def test_last_move_is_marked() -> None:
    root = parse(draw(Position.from_fen(AFTER, "international"), last_move=CAPTURE))
    assert drawn(root, "last-move").count("M") == 2
    assert len(drawn(root, "way").split()) == len(CAPTURE.path)
    assert drawn(root, "captured").count("M") == len(CAPTURE.captured)
    assert len(discs(root)) == 4


def test_move_that_ends_on_its_start_marks_one_square() -> None:
    circle = Move("international", [14, 3, 12, 23, 14], [9, 8, 18, 19])
    root = parse(draw(Position.from_fen("B:W14:B", "international"), last_move=circle))
    assert drawn(root, "last-move").count("M") == 1


def test_quiet_move_has_no_crosses() -> None:
    quiet = Move("international", [32, 28])
    root = parse(draw(Position.from_fen("B:W28:B1", "international"), last_move=quiet))
    assert find(root, "way") is not None
    assert find(root, "captured") is None


def test_no_marks_without_a_last_move() -> None:
    root = parse(draw(Position.start("international")))
    assert [find(root, name) for name in ("last-move", "way", "captured")] == [None, None, None]


@pytest.mark.parametrize(
    ("name", "size", "width", "height"),
    [("international", 400, 400, 400), ("russian", 200, 200, 200), ("spantsiretti", 428, 428, 348)],
)
def test_longer_side_has_the_given_size(name: str, size: int, width: int, height: int) -> None:
    root = parse(draw(Position.start(name), size=size))
    assert (root.get("width"), root.get("height")) == (str(width), str(height))


def test_notebooks_show_the_default_picture() -> None:
    position = Position.from_fen(AFTER, "international")
    assert position._repr_svg_() == position.svg() == draw(position) == draw(Position.from_fen(AFTER, "international"))


def test_method_svg_has_all_options() -> None:
    position = Position.from_fen(AFTER, "international")
    arrows: list[Arrow | tuple[int | str, int | str]] = [(5, 10), Arrow(34, 29, "red")]
    marks: list[SquareMark | int | str] = [5, SquareMark(40, "blue")]
    black = Side.BLACK
    picture = position.svg(last_move=CAPTURE, orientation=black, arrows=arrows, marks=marks, size=123)
    assert picture == draw(position, last_move=CAPTURE, orientation=black, arrows=arrows, marks=marks, size=123)
    assert position.svg(orientation=Side.WHITE) == position.svg(orientation=None) == position.svg()
    assert draw(position, orientation=None) == draw(position)


def centre(column: int, row: int) -> tuple[float, float]:
    """Return the coordinates of the centre of a square on a numeric board."""
    return 8 + CELL * (column + 0.5), 8 + CELL * (row + 0.5)


def points(element: ET.Element) -> list[tuple[float, float]]:
    """Return the corners of an arrow."""
    corners = (element.get("d") or "").removeprefix("M").removesuffix("z").split("L")
    return [(float(x), float(y)) for x, y in (corner.split() for corner in corners)]


def test_arrows_point_from_square_to_square() -> None:
    position = Position.from_fen(AFTER, "international")
    down, coloured = of_class(parse(draw(position, arrows=[(5, 46), Arrow("46", "5", "red")])), "arrow")
    (first, *_, last), tip = points(down), points(down)[3]
    assert tip == centre(0, 9)
    assert ((first[0] + last[0]) / 2, (first[1] + last[1]) / 2) == pytest.approx(centre(9, 0))
    assert (points(coloured)[3], coloured.get("fill")) == (centre(9, 0), "red")
    (turned,) = of_class(parse(draw(position, arrows=[(5, 46)], orientation=Side.BLACK)), "arrow")
    assert points(turned)[3] == centre(9, 0)


def test_arrow_from_a_square_to_itself_is_a_ring() -> None:
    (ring,) = of_class(parse(draw(Position.start("russian"), arrows=[("c3", "C3")])), "arrow")
    assert ring.get("fill") == "none"


def test_marks_colour_squares() -> None:
    root = parse(draw(Position.start("international"), marks=[1, SquareMark("50", "tomato")]))
    first, last = of_class(root, "mark")
    assert (first.get("d"), last.get("d")) == ("M48 8h40v40h-40z", "M328 368h40v40h-40z")
    assert (first.get("fill"), last.get("fill")) != (last.get("fill"), last.get("fill"))
    order = [each.get("class") for each in root.iter()]
    assert order.index("mark") < order.index("white")  # pieces are drawn over marks


def test_colours_are_escaped() -> None:
    nasty = '"/><script>'
    root = parse(draw(Position.start("russian"), arrows=[Arrow("a1", "b2", nasty)], marks=[SquareMark("c3", nasty)]))
    assert [each.get("fill") for name in ("arrow", "mark") for each in of_class(root, name)] == [nasty, nasty]


def test_picture_has_no_identifiers_styles_or_links() -> None:
    picture = draw(Position.from_fen(AFTER, "international"), last_move=CAPTURE, arrows=[(1, 7)], marks=[1])
    assert not any(word in picture for word in ("id=", "<style", "<script", "href", "url("))
    assert picture.count("http") == 1  # the namespace


def test_invalid_options_are_rejected() -> None:
    position = Position.start("international")
    with pytest.raises(TablemenError, match=r"size .*\b0\b"):
        draw(position, size=0)
    with pytest.raises(TablemenError, match=r"russian.*international"):
        draw(position, last_move=Move("russian", ["c3", "d4"]))
    for options, square in (
        ({"arrows": [(1, 51)]}, "51"),
        ({"arrows": [("x9", 1)]}, "'x9'"),
        ({"marks": [51]}, "51"),
        ({"marks": [SquareMark(0)]}, "0"),
    ):
        with pytest.raises(TablemenError, match=f"square {square}$"):
            draw(position, **options)
    with pytest.raises(TypeError, match=r"orientation .*'black'"):
        draw(position, orientation="black")  # type: ignore[arg-type]
