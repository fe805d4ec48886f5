"""Explanations of why a move is not legal."""

from __future__ import annotations

import pickle
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablemen import IllegalMoveError, NotationError, TablemenError
from tablemen.draughts import Move, Position
from tablemen.draughts.move_errors import explain_illegal, explain_start
from tablemen.draughts.notation import format_move
from tests import strategies

# Variant, position, start and end of an illegal move. `illegal_moves.txt` has the explanations.
ILLEGAL: list[tuple[str, str, int | str, int | str]] = [
    ("english", "W:W17:B7,14", 17, 10),
    ("english", "W:W22,32:B17", 32, 28),
    ("english", "W:W9:B5", 9, 4),
    ("english", "W:W1:B2", 1, 3),
    ("english", "W:W1:B6", 1, 10),
    ("english", "W:W22:B8", 22, 26),
    ("english", "W:W22:B8", 22, 13),
    ("english", "W:W22:B1", 22, 8),
    ("english", "W:W9,2:B6", 9, 2),
    ("english", "W:W9,6:B", 9, 2),
    ("english", "W:W9:B5", 5, 1),
    ("english", "W:W9:B5", 10, 6),
    ("english", "W:W9:B5", 9, 9),
    ("international", "W:WK46:B19,23", 46, 14),
    ("international", "W:W26,45:B12,21,40", 45, 34),
    ("international", "W:WK46:B5,10", 46, 5),
    ("frisian", "W:WK28,31:BK1,6:+0+328", 28, 23),
    ("italian", "W:W18:BK14", 18, 11),
    ("turkish", "W:Wd4:Bh8", "d4", "e5"),
    ("armenian", "W:W36:B1", 36, 21),
    ("breakthrough", "W:W32,K46:B1", 32, 28),
    ("russian", "W:Wc3:Bd4", " C3 ", "b4"),
]


@pytest.mark.parametrize(("variant", "fen", "start", "end"), ILLEGAL)
def test_illegal_move_has_an_explanation(variant: str, fen: str, start: int | str, end: int | str) -> None:
    assert explain_illegal(Position.from_fen(fen, variant), start, end)


def test_explanation_lists_at_most_four_captures() -> None:
    position = Position.from_fen("W:WK46,31:B23", "international")
    explanation = explain_illegal(position, 31, 27)
    assert explanation is not None
    assert explanation.endswith(": 46x5, 46x10, 46x14, 46x19")
    position = Position.from_fen("W:WKa1,h2:Bc3", "russian")
    explanation = explain_illegal(position, "h2", "g3")
    assert explanation is not None
    assert explanation.endswith(": a1:h8, a1:g7, a1:f6, a1:e5 …")


def test_end_must_be_on_the_board() -> None:
    with pytest.raises(TablemenError, match=r"\b33\b"):
        explain_illegal(Position.start("english"), 11, 33)
    with pytest.raises(TablemenError, match='""'):
        explain_illegal(Position.start("english"), "", 33)


@pytest.mark.parametrize("square", [33, "33", "a1", ""])
def test_start_must_be_on_the_board(square: int | str) -> None:
    with pytest.raises(TablemenError, match=f"square {square} .*English draughts"):
        explain_start(Position.start("english"), square)


def test_square_can_be_given_by_name_or_number() -> None:
    start = Position.start("russian")
    expected = explain_start(start, "b2")
    assert expected is not None
    for square in (" B2 ", "25", "025", 25):
        assert explain_start(start, square) == expected


def test_square_of_another_variant_is_converted_by_its_number() -> None:
    a3 = Position.start("russian").legal_moves()[0].start
    start = Position.start("international")
    assert explain_illegal(start, a3, 28) == explain_illegal(start, 21, 28) is not None


@given(strategies.played_positions(strategies.variants()), st.data())
def test_exactly_the_illegal_moves_have_an_explanation(position: Position, data: st.DataObject) -> None:
    squares = st.sampled_from(position.variant.mover.squares)
    start, end = data.draw(squares), data.draw(squares)
    explanation = explain_illegal(position, start, end)
    assert (explanation is None) == bool(position.find_moves([start, end]))
    if explanation is not None:
        text, move = f"{start}x{end}", Move(position.variant, [start, end])
        for call in (partial(position.parse_move, text), partial(position.play, move)):
            assert position.explain_illegal(call.args[0]) == explanation
            with pytest.raises(IllegalMoveError) as caught:
                call()
            assert caught.value.reason == explanation
            assert str(caught.value).endswith(f": {explanation}")
            assert pickle.loads(pickle.dumps(caught.value)).reason == explanation


@settings(max_examples=30)
@given(strategies.played_positions(strategies.variants()))
def test_legal_moves_have_no_explanation(position: Position) -> None:
    for move in position.legal_moves():
        assert position.explain_illegal(move) is position.explain_illegal(format_move(move, full=True)) is None


def test_reasons_of_moves_that_differ_from_a_legal_one() -> None:
    position = Position.from_fen("W:W14:B8,9,18,19", "international")
    with pytest.raises(IllegalMoveError) as caught:
        position.parse_move("14x25x14")
    assert caught.value.reason == "no capture has this path; the legal ones are 14x23x12x3x14"
    start = Position.start("international")
    texts = {
        Move("frisian", [31, 27]): "it is a move of Frisian draughts, not of International draughts",
        Move("international", [31, 27], crowns=True): "the legal move is 31-27, with another capture or crowning",
    }
    assert {move: start.explain_illegal(move) for move in texts} == texts


def test_a_text_that_is_not_a_move_has_no_explanation() -> None:
    with pytest.raises(NotationError):
        Position.start("english").explain_illegal("castles")
