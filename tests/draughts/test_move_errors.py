"""Why a move is not legal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablemen import TablemenError
from tablemen.draughts import Position
from tablemen.draughts.move_errors import explain_illegal, explain_start
from tests import strategies

OBJECTIONS = [
    ("english", "W:W17:B7,14", 17, 10, "the capture must go on: 17x3"),
    ("english", "W:W22,32:B17", 32, 28, "White must capture: 22x13"),
    ("english", "W:W9:B5", 9, 4, "9 to 4 is not a diagonal step"),
    ("english", "W:W1:B2", 1, 3, "1 to 3 is not a diagonal step"),
    ("english", "W:W1:B6", 1, 10, "a man does not capture backwards"),
    ("english", "W:W22:B8", 22, 26, "a man does not move backwards"),
    ("english", "W:W22:B8", 22, 13, "22 to 13 is too far for a man: there is no piece between them to capture"),
    ("english", "W:W22:B1", 22, 8, "22 to 8 is too far for a man"),
    ("english", "W:W9,2:B6", 9, 2, "a white man stands on 2"),
    ("english", "W:W9,6:B", 9, 2, "a white man of its own is in the way"),
    ("english", "W:W9:B5", 5, 1, "the man on 5 is Black's, and White is to move"),
    ("english", "W:W9:B5", 10, 6, "no piece stands on 10"),
    ("english", "W:W9:B5", 9, 9, "a move must end on another square"),
    ("international", "W:WK46:B19,23", 46, 14, "more than one piece is in the way"),
    ("international", "W:W26,45:B12,21,40", 45, 34, "another capture has precedence: 26x8"),
    ("international", "W:WK46:B5,10", 46, 5, "a black man stands on 5"),
    ("frisian", "W:WK28,31:BK1,6:+0+328", 28, 23, "the king on 28 has made 3 quiet moves in a row and must wait"),
    ("italian", "W:W18:BK14", 18, 11, "a man does not capture a king"),
    ("turkish", "W:Wd4:Bh8", "d4", "e5", "d4 to e5 is not a straight step"),
    ("armenian", "W:W36:B1", 36, 21, "36 to 21 is not a diagonal or straight step"),
    ("breakthrough", "W:W32,K46:B1", 32, 28, "the game is over: a man reached the far row"),
    ("russian", "W:Wc3:Bd4", " C3 ", "b4", "White must capture: c3:e5"),
]


@pytest.mark.parametrize(("variant", "fen", "start", "end", "objection"), OBJECTIONS)
def test_it_says_what_is_wrong(variant: str, fen: str, start: int | str, end: int | str, objection: str) -> None:
    assert explain_illegal(Position.from_fen(fen, variant), start, end) == objection


def test_it_names_a_few_captures_only() -> None:
    position = Position.from_fen("W:WK46,31:B23", "international")
    assert explain_illegal(position, 31, 27) == "White must capture: 46x5, 46x10, 46x14, 46x19"
    position = Position.from_fen("W:WKa1,h2:Bc3", "russian")
    assert explain_illegal(position, "h2", "g3") == "White must capture: a1:h8, a1:g7, a1:f6, a1:e5 …"


def test_squares_are_on_the_board() -> None:
    with pytest.raises(TablemenError, match="no square 33"):
        explain_illegal(Position.start("english"), 11, 33)
    with pytest.raises(TablemenError, match='no square "" on'):
        explain_illegal(Position.start("english"), "", 33)


@pytest.mark.parametrize("square", [33, "33", "a1", ""])
def test_a_move_begins_on_the_board(square: int | str) -> None:
    with pytest.raises(TablemenError, match=f"no square {square} on the board of English draughts"):
        explain_start(Position.start("english"), square)


def test_a_move_begins_on_a_square_by_any_of_its_names() -> None:
    start = Position.start("russian")
    for square in ("b2", " B2 ", "25", "025", 25):
        assert explain_start(start, square) == "the man on b2 cannot move: no square in front of it is free"


def test_a_square_of_another_variant_goes_by_its_number() -> None:
    a3 = Position.start("russian").legal_moves()[0].start
    assert explain_illegal(Position.start("international"), a3, 28) == "no piece stands on 21"


@given(strategies.played_positions(strategies.variants()), st.data())
def test_there_is_an_objection_to_every_other_move(position: Position, data: st.DataObject) -> None:
    squares = st.sampled_from(position.variant.mover.squares)
    start, end = data.draw(squares), data.draw(squares)
    assert (explain_illegal(position, start, end) is None) == bool(position.find_moves([start, end]))
