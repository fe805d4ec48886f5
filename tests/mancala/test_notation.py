"""Moves and positions as text, there and back, and what cannot be read."""

from __future__ import annotations

import reprlib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablemen import IllegalMoveError, NotationError
from tablemen.mancala import KALAH, NORTH, SOUTH, Position, Swap
from tablemen.mancala.fairkalah import BOARDS, fair_start
from tablemen.mancala.notation import format_move, format_position, parse_move, parse_position
from tests.mancala import strategies

START = Position.start("kalah")
PIE = replace(KALAH, name="pie", swap=Swap.PIE)
FOURS = "4,4,4,4,4,4,4,4,4,4,4,4"


@given(strategies.positions())
def test_positions_and_moves_are_read_back(position: Position) -> None:
    assert parse_position(format_position(position), position.variant) == position
    for move in position.legal_moves():
        assert parse_move(format_move(move), position) == move


@pytest.mark.parametrize(
    "text",
    [
        f"<6,0,0,{FOURS}> south",
        f"<6,0,0,{FOURS}>",
        f"  < 6, 0,0 ,{FOURS} >  S\n",
        f"<06,0,00,{FOURS}>SOUTH",
    ],
)
def test_a_board_as_people_write_it(text: str) -> None:
    assert parse_position(text, "kalah") == START


def test_a_board_of_the_protocol_is_read_for_either_side() -> None:
    position = parse_position("<6,1,2,1,2,3,4,5,6,7,8,9,10,11,12> n", "kgp")
    assert (position.turn, position.stores) == (NORTH, {SOUTH: 1, NORTH: 2})
    assert (position.houses(SOUTH), position.houses(NORTH)) == ((1, 2, 3, 4, 5, 6), (7, 8, 9, 10, 11, 12))


def test_an_open_swap_is_written() -> None:
    assert Position.start(PIE).text() == f"<6,0,0,{FOURS}> south swap"
    assert parse_position(f"<6,0,0,{FOURS}> swap", PIE) == Position.start(PIE)


@pytest.mark.parametrize(
    ("text", "line", "column", "problem"),
    [
        ("", 1, 1, "a board is written"),
        ("6,0,0", 1, 1, "a board is written"),
        (f"<6,0,0,{FOURS}", 1, 1, "a board is written"),
        (f"<6,0,0,{FOURS}><>", 1, 1, "a board is written"),
        ("<>", 1, 2, "'' is not a number"),
        ("<5,0,0>", 1, 2, "the board has 5 houses a side, kalah has 6"),
        ("<1,0,0>", 1, 2, "the board has 1 house a side, kalah has 6"),
        (f"<{'9' * 5000}>", 1, 2, "houses a side"),
        (f"<6,0,0,{FOURS},4>", 1, 1, "15 pits, not 14"),
        ("<6,0,0,4>", 1, 1, "3 pits, not 14"),
        (f"<6,x,0,{FOURS}>", 1, 4, "'x' is not a number of seeds"),
        (f"<6,0,-1,{FOURS}>", 1, 6, "'-1' is not a number of seeds"),
        (f"<6,\n0,½,{FOURS}>", 2, 3, "'½' is not a number of seeds"),
        (f"<6,0,{'9' * 5000},{FOURS}>", 1, 1, "the store of north has"),
        (f"<6,0,0,{FOURS}> west", 1, 33, "'west' is not a side to move"),
        (f"<6,0,0,{FOURS}> south north", 1, 39, "'north' is not a side"),
        (f"<6,0,0,{FOURS}> south swap", 1, 1, "do not let the second player swap"),
    ],
)
def test_a_bad_board_says_where(text: str, line: int, column: int, problem: str) -> None:
    with pytest.raises(NotationError, match=problem) as caught:
        parse_position(text, "kalah")
    assert (caught.value.line, caught.value.column) == (line, column)


def test_a_swap_is_named_once() -> None:
    with pytest.raises(NotationError, match="'swap' is not a side"):
        parse_position(f"<6,0,0,{FOURS}> south swap swap", PIE)


@pytest.mark.parametrize("text", ["3", " 3 ", "03", "3\n"])
def test_a_house_is_read(text: str) -> None:
    assert str(parse_move(text, START)) == "3"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "is not the number of a house"),
        ("three", "is not the number of a house"),
        ("-1", "is not the number of a house"),
        ("³", "is not the number of a house"),
        ("1 2", "is not the number of a house"),
        ("0", "there is no house 0: they are 1 to 6"),
        ("7", "there is no house 7: they are 1 to 6"),
        ("9" * 5000, "there is no house"),
    ],
)
def test_what_is_no_house(text: str, problem: str) -> None:
    with pytest.raises(NotationError, match=problem):
        parse_move(text, START)


@given(st.text(st.characters(max_codepoint=0x2FF, exclude_characters="0123456789")))
def test_a_bad_move_is_quoted_as_python_quotes_it(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_move(text, START)
    assert caught.value.problem == f"{reprlib.repr(text)} is not the number of a house"
    assert (caught.value.text, caught.value.line) == (text, text[: len(text) - len(text.lstrip())].count("\n") + 1)


@pytest.mark.parametrize("text", ["\ud800", "\ud83d\ude00", "3\udc00"])
def test_a_text_with_surrogates_is_not_a_move(text: str) -> None:
    with pytest.raises(NotationError, match="is not the number of a house") as caught:
        parse_move(text, START)
    assert caught.value.text == text
    with pytest.raises(NotationError) as caught:
        parse_position(f"<6,{text},0>x", "kalah")
    assert (caught.value.line, caught.value.column) == (1, 4)


def test_what_is_no_house_says_where() -> None:
    with pytest.raises(NotationError) as caught:
        parse_move("\n\n 9 ", START)
    assert (caught.value.line, caught.value.column) == (3, 2)


@pytest.mark.parametrize("text", ["3", "swap"])
def test_a_move_that_is_not_legal(text: str) -> None:
    position = START.play(START.parse_move("3"))
    with pytest.raises(IllegalMoveError):
        position.parse_move(text)


@pytest.mark.parametrize("number", [3, None, b"3"])
def test_texts_are_texts(number: object) -> None:
    with pytest.raises(TypeError, match=r"\bstr\b"):
        parse_move(number, START)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"\bstr\b"):
        parse_position(number, "kalah")  # type: ignore[arg-type]


def test_fair_boards_hold_all_seeds_and_differ() -> None:
    boards = [fair_start(number) for number in range(1, BOARDS + 1)]
    assert len(set(boards)) == BOARDS == 254
    assert {sum(board.score().values()) for board in boards} == {48}
    assert {board.variant.name for board in boards} == {"fairkalah"}
    assert fair_start(1).text() == "<6,0,0,4,4,5,4,3,4,4,4,4,4,4,4> south"


@pytest.mark.parametrize("number", [0, 255, -1, "1", True, 1.0])
def test_no_such_fair_board(number: object) -> None:
    with pytest.raises(ValueError, match="1 to 254 is expected"):
        fair_start(number)  # type: ignore[arg-type]
