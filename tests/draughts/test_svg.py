"""Boards drawn as SVG."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablemen import Side, TablemenError
from tablemen.draughts import INTERNATIONAL, VARIANTS, Kind, Move, Position
from tablemen.draughts.svg import CELL, draw
from tests.strategies import positions

NAMESPACE = "{http://www.w3.org/2000/svg}"
CAPTURE = Move("international", [32, 23, 14, 25, 34], [28, 19, 20, 30])
AFTER = "B:W34,K40:B1,K5"


def parse(picture: str) -> ET.Element:
    root = ET.fromstring(picture)
    assert root.tag == f"{NAMESPACE}svg"
    return root


def discs(root: ET.Element) -> list[ET.Element]:
    return list(root.iter(f"{NAMESPACE}circle"))


def find(root: ET.Element, name: str) -> ET.Element | None:
    """The element of this class."""
    return next((each for each in root.iter() if each.get("class") == name), None)


def drawn(root: ET.Element, name: str) -> str:
    """The path or the points of the element of this class."""
    element = find(root, name)
    assert element is not None
    return element.get("d") or element.get("points") or ""


@given(positions(), st.booleans())
def test_every_piece_has_a_disc_on_a_square_of_its_own(position: Position, flipped: bool) -> None:  # noqa: FBT001
    root = parse(draw(position, flipped=flipped))
    counted = Counter(disc.get("class") for disc in discs(root))
    kings = 0
    for side in Side:
        kings += len(position.squares(side, Kind.KING))
        assert counted[str(side)] == sum(len(position.squares(side, kind)) for kind in Kind)
    assert len({(disc.get("cx"), disc.get("cy")) for disc in discs(root)}) == len(discs(root))
    crowns = [each.get("d", "") for each in root.iter(f"{NAMESPACE}path") if each.get("class") == "crowns"]
    assert "".join(crowns).count("M") == kings


@pytest.mark.parametrize("name", VARIANTS)
def test_every_variant_names_its_squares(name: str) -> None:
    position = Position.start(name)
    texts = sorted(each.text or "" for each in parse(draw(position)).iter(f"{NAMESPACE}text"))
    names = [square.name for square in position.variant.mover.squares]
    if names[0].isdecimal():
        assert texts == sorted(names)
    else:
        assert texts == sorted({each[0] for each in names} | {each[1:] for each in names})


def test_pieces_stand_where_they_should() -> None:
    (disc,) = discs(parse(draw(Position.from_fen("W:W46:B", "international"))))
    (turned,) = discs(parse(draw(Position.from_fen("W:W46:B", "international"), flipped=True)))
    low, high = 8 + CELL // 2, 8 + 9 * CELL + CELL // 2
    assert (disc.get("cx"), disc.get("cy")) == (str(low), str(high))
    assert (turned.get("cx"), turned.get("cy")) == (str(high), str(low))


def test_it_says_what_it_shows() -> None:
    root = parse(draw(Position.from_fen("B:Wa1:BKh8", "russian")))
    assert root.get("role") == "img"
    assert root.get("aria-label") == "Russian draughts, B:Wa1:BKh8"
    title = root.find(f"{NAMESPACE}title")
    assert title is not None
    assert title.text == "Russian draughts, black to move"


def test_titles_of_ones_own_are_escaped() -> None:
    rules = replace(INTERNATIONAL, name="odd", title='<b> & "c"')
    root = parse(draw(Position.start(rules)))
    assert (root.get("aria-label") or "").startswith('<b> & "c", W:W31')


def test_the_last_move_is_marked() -> None:
    root = parse(draw(Position.from_fen(AFTER, "international"), last_move=CAPTURE))
    assert drawn(root, "last-move").count("M") == 2
    assert len(drawn(root, "way").split()) == len(CAPTURE.path)
    assert drawn(root, "captured").count("M") == len(CAPTURE.captured)
    assert len(discs(root)) == 4


def test_a_move_that_ends_where_it_began_marks_one_square() -> None:
    circle = Move("international", [14, 3, 12, 23, 14], [9, 8, 18, 19])
    root = parse(draw(Position.from_fen("B:W14:B", "international"), last_move=circle))
    assert drawn(root, "last-move").count("M") == 1


def test_without_captures_nothing_is_crossed_out() -> None:
    quiet = Move("international", [32, 28])
    root = parse(draw(Position.from_fen("B:W28:B1", "international"), last_move=quiet))
    assert find(root, "way") is not None
    assert find(root, "captured") is None


def test_without_a_last_move_nothing_is_marked() -> None:
    root = parse(draw(Position.start("international")))
    assert [find(root, name) for name in ("last-move", "way", "captured")] == [None, None, None]


@pytest.mark.parametrize(
    ("name", "size", "width", "height"),
    [("international", 400, 400, 400), ("russian", 200, 200, 200), ("spantsiretti", 428, 428, 348)],
)
def test_the_longer_side_has_the_size(name: str, size: int, width: int, height: int) -> None:
    root = parse(draw(Position.start(name), size=size))
    assert (root.get("width"), root.get("height")) == (str(width), str(height))


def test_it_is_what_notebooks_show_and_always_the_same() -> None:
    position = Position.from_fen(AFTER, "international")
    assert position._repr_svg_() == position.svg() == draw(position) == draw(Position.from_fen(AFTER, "international"))


def test_a_position_draws_itself_with_every_option() -> None:
    position = Position.from_fen(AFTER, "international")
    picture = position.svg(last_move=CAPTURE, flipped=True, size=123)
    assert picture == draw(position, last_move=CAPTURE, flipped=True, size=123)


def test_pictures_share_no_identifiers_and_fetch_nothing() -> None:
    picture = draw(Position.from_fen(AFTER, "international"), last_move=CAPTURE)
    assert not any(word in picture for word in ("id=", "<style", "<script", "href", "url("))
    assert picture.count("http") == 1  # the namespace


def test_nonsense_is_refused() -> None:
    position = Position.start("international")
    with pytest.raises(TablemenError, match="0 pixels"):
        draw(position, size=0)
    with pytest.raises(TablemenError, match="last move is of russian, the position of international"):
        draw(position, last_move=Move("russian", ["c3", "d4"]))
