"""Positions and moves as Hub and DXP write them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from tablemen import AmbiguousMoveError, IllegalMoveError, NotationError, TablemenError
from tablemen.draughts import INTERNATIONAL, Move, Position, find_variant
from tablemen.draughts.notation import (
    format_dxp_move,
    format_dxp_position,
    format_hub_move,
    format_hub_position,
    parse_dxp_move,
    parse_dxp_position,
    parse_hub_move,
    parse_hub_position,
    parse_move,
)
from tablemen.draughts.rules import Direction, Promotion
from tests.strategies import positions, variants

START = Position.start("international")
LARGE = replace(INTERNATIONAL, name="large", columns=16, rows=16)


def after(fen: str, name: str = "international") -> Move:
    """The only move of a position."""
    (move,) = Position.from_fen(fen, name).legal_moves()
    return move


def without_runs(position: Position) -> Position:
    """The position as if no king had moved quietly: the strings have no place for that."""
    return Position.from_letters(position.letters(), position.variant, position.turn)


def test_the_start_in_letters() -> None:
    assert format_hub_position(START) == "W" + 20 * "b" + 10 * "e" + 20 * "w"
    assert format_dxp_position(START) == "W" + 20 * "z" + 10 * "e" + 20 * "w"


def test_every_kind_of_piece_has_its_letter() -> None:
    position = Position.from_fen("B:W46,K50:B6,K1", "international")
    assert format_hub_position(position) == "BB" + 4 * "e" + "b" + 39 * "e" + "w" + 3 * "e" + "W"
    assert format_dxp_position(position) == "ZZ" + 4 * "e" + "z" + 39 * "e" + "w" + 3 * "e" + "W"


def test_squares_come_in_the_order_of_their_numbers() -> None:
    assert format_hub_position(Position.from_fen("W:W1:BK32", "spanish")) == "Ww" + 30 * "e" + "B"
    assert format_hub_position(Position.from_fen("W:Wa1:BKh8", "russian")) == "W" + 3 * "e" + "B" + 24 * "e" + "weee"


def test_the_first_hub_wrote_the_side_small() -> None:
    small = "b" + format_hub_position(START)[1:]
    assert parse_hub_position(small, INTERNATIONAL).fen() == START.fen().replace("W", "B", 1)
    assert parse_hub_position(f" {small}\n", INTERNATIONAL) == parse_hub_position(small, INTERNATIONAL)


@pytest.mark.parametrize(
    ("fen", "hub", "dxp"),
    [
        ("B:W50:B6", ["6-11"], ["061100"]),
        ("W:W32:B28", ["32x23x28"], ["32230128"]),
        ("W:W32:B28,19", ["32x14x28x19", "32x14x19x28"], ["3214022819", "3214021928"]),
        ("W:W14:B8,9,18,19", ["14x14x8x9x18x19", "14x14x19x18x9x8"], ["14140408091819"]),
        ("W:WK10:B14,17,27,31", ["10x3x14x17x27", "10x3x27x17x14"], ["100303141727"]),
    ],
)
def test_moves_are_read_whatever_the_order_of_their_captures(fen: str, hub: list[str], dxp: list[str]) -> None:
    position = Position.from_fen(fen, "international")
    moves = [parse_hub_move(text, position) for text in hub] + [parse_dxp_move(text, position) for text in dxp]
    assert len(set(moves)) == 1
    assert position.is_legal(moves[0])
    assert sorted(format_hub_move(moves[0]).split("x")) == sorted(hub[0].split("x"))
    assert format_dxp_move(moves[0]) in dxp


def test_algebraic_squares_go_by_their_numbers() -> None:
    move = after("W:Wc3:Bd4", "russian")
    assert (format_hub_move(move), format_dxp_move(move)) == ("22x15x18", "22150118")
    assert parse_hub_move("22x15x18", Position.from_fen("W:Wc3:Bd4", "russian")) == move


BAD_BOARDS = [
    # a Hub position of 4 by 4 squares, column, what the message says
    ("", 1, "the position is missing"),
    ("  ", 1, "the position is missing"),
    ("W", 2, "0 squares are given, and small has 8"),
    ("Weeeeeee", 9, "7 squares are given, and small has 8"),
    ("Weeeeeeeee", 10, "9 squares are given, and small has 8"),
    (" Wee.eeeee", 5, "'.' is not a square: one of w b W B e is expected"),
    ("Weeeeeeez", 9, "'z' is not a square"),
    ("Weeee eeee", 6, "' ' is not a square"),
    ("eeeeeeeee", 1, "unknown side to move 'e': W or B is expected"),
    ("ßeeeeeeee", 1, "unknown side to move 'ß'"),
    ("?eeeeeeee", 1, "unknown side to move '?'"),
]


@pytest.mark.parametrize(("text", "column", "problem"), BAD_BOARDS)
def test_errors_in_positions_point_at_the_letter(text: str, column: int, problem: str) -> None:
    small = replace(INTERNATIONAL, name="small", columns=4, rows=4, start_rows=1)
    with pytest.raises(NotationError) as caught:
        parse_hub_position(text, small)
    assert (caught.value.line, caught.value.column, caught.value.text) == (1, column, text)
    assert problem in str(caught.value)


def test_each_protocol_has_its_own_letters() -> None:
    with pytest.raises(NotationError, match="column 2: 'z' is not a square"):
        parse_hub_position(format_dxp_position(START), INTERNATIONAL)
    with pytest.raises(NotationError, match="column 2: 'b' is not a square: one of w z W Z e is expected"):
        parse_dxp_position(format_hub_position(START), INTERNATIONAL)
    with pytest.raises(NotationError, match="column 1: unknown side to move 'B': W or Z is expected"):
        parse_dxp_position("B" + 50 * "e", INTERNATIONAL)


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        ("", 1, "'' is not a move: one like 32-28 or 28x19x23 is expected"),
        (" 3228", 2, "'3228' is not a move"),
        ("32x28", 1, "'32x28' is not a move"),
        ("32-", 4, "a square is missing here"),
        ("32--28", 1, "'32--28' is not a move"),
        ("32-28-23", 1, "'32-28-23' is not a move"),
        ("32-51", 4, "international has no square '51'"),
        ("0-28", 1, "international has no square '0'"),
        ("32-c3", 4, "international has no square 'c3'"),
        ("32- 28", 4, "international has no square ' 28'"),
        ("32x14x28x28", 10, "square 28 is captured twice"),
        ("32x14x28x", 10, "a square is missing here"),
        ("32x14x٢٨", 7, "international has no square"),
    ],
)
def test_errors_in_hub_moves(text: str, column: int, problem: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_hub_move(text, START)
    assert (caught.value.line, caught.value.column, caught.value.text) == (1, column, text)
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        ("", 1, "a start, an end and the number of captured pieces are expected"),
        ("3228", 5, "a start, an end and the number of captured pieces are expected"),
        ("32280", 5, "two digits are expected here, not '0'"),
        ("32-28", 3, "two digits are expected here, not '-2'"),
        ("32 800", 3, "two digits are expected here, not ' 8'"),
        (" 322801", 6, "1 captured pieces are announced, but 0 squares are given"),
        ("32280023", 5, "0 captured pieces are announced, but 1 squares are given"),
        ("325100", 3, "international has no square '51'"),
        ("002800", 1, "international has no square '00'"),
        ("3214022828", 9, "square 28 is captured twice"),
    ],
)
def test_errors_in_dxp_moves(text: str, column: int, problem: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_dxp_move(text, START)
    assert (caught.value.line, caught.value.column, caught.value.text) == (1, column, text)
    assert problem in str(caught.value)


@pytest.mark.parametrize(("hub", "dxp"), [("32-23", "322300"), ("32x23x28", "32230128"), ("1-6", "010600")])
def test_what_is_not_legal_is_refused(hub: str, dxp: str) -> None:
    with pytest.raises(IllegalMoveError, match=f"'{hub}' is not legal"):
        parse_hub_move(hub, START)
    with pytest.raises(IllegalMoveError, match=f"'{dxp}' is not legal"):
        parse_dxp_move(dxp, START)


def test_what_is_captured_must_be_right() -> None:
    position = Position.from_fen("W:W32:B28,19", "international")
    for text in ("32-14", "32x14x28", "32x14x28x19x1"):
        with pytest.raises(IllegalMoveError):
            parse_hub_move(text, position)


def test_dxp_has_two_digits_a_square() -> None:
    position = Position.start(LARGE)
    move = position.legal_moves()[0]
    assert parse_hub_move(format_hub_move(move), position) == move
    with pytest.raises(TablemenError, match="DXP has two digits for a square, but large has 128"):
        format_dxp_move(move)
    with pytest.raises(TablemenError, match="large has 128 squares"):
        parse_dxp_move("322800", position)


def test_captures_that_differ_in_the_crown_alone_cannot_be_told_apart() -> None:
    passing = replace(
        find_variant("frisian"),
        name="passing",
        columns=8,
        rows=8,
        start_rows=2,
        precedence=(),
        promotion=Promotion.IN_FLIGHT,
        man_captures=Direction.ALL,
    )
    position = Position.from_fen("W:W11:B10,12,15,16,23,24", passing)
    man, king = parse_move("11x20x27x18x11x9", position), parse_move("11x18x2x20x27x9", position)
    assert format_hub_move(man) == format_hub_move(king)
    with pytest.raises(AmbiguousMoveError) as caught:
        parse_hub_move(format_hub_move(man), position)
    assert set(caught.value.candidates) == {man, king}


@given(positions())
def test_reading_undoes_writing_of_positions(position: Position) -> None:
    rules, plain = position.variant, without_runs(position)
    assert parse_hub_position(format_hub_position(position), rules) == plain
    assert parse_dxp_position(format_dxp_position(position), rules) == plain


@given(positions(variants()))
def test_reading_undoes_writing_of_moves(position: Position) -> None:
    for move in position.legal_moves():
        assert parse_hub_move(format_hub_move(move), position) == move
        assert parse_dxp_move(format_dxp_move(move), position) == move
