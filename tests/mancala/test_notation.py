"""Parsing and formatting of moves and positions."""

from __future__ import annotations

import reprlib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablemen import ArgumentError, IllegalMoveError, NotationError
from tablemen.mancala import KALAH, NORTH, SOUTH, Position, Swap
from tablemen.mancala.fairkalah import BOARDS, fair_start
from tablemen.mancala.notation import format_move, format_position, parse_move, parse_position
from tests.mancala import strategies

START = Position.start("kalah")
PIE = replace(KALAH, name="pie", swap=Swap.PIE)
FOURS = "4,4,4,4,4,4,4,4,4,4,4,4"


@given(strategies.positions())
def test_positions_and_moves_round_trip(position: Position) -> None:
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
def test_blanks_case_and_zeros_are_ignored(text: str) -> None:
    assert parse_position(text, "kalah") == START


def test_the_side_to_move_may_be_abbreviated() -> None:
    position = parse_position("<6,1,2,1,2,3,4,5,6,7,8,9,10,11,12> n", "kgp")
    assert (position.turn, position.stores) == (NORTH, {SOUTH: 1, NORTH: 2})
    assert (position.houses(SOUTH), position.houses(NORTH)) == ((1, 2, 3, 4, 5, 6), (7, 8, 9, 10, 11, 12))


def test_an_open_swap_round_trips() -> None:
    assert Position.start(PIE).text() == f"<6,0,0,{FOURS}> south swap"
    assert parse_position(f"<6,0,0,{FOURS}> swap", PIE) == Position.start(PIE)


@pytest.mark.parametrize(
    ("text", "line", "column", "fact"),
    [
        ("", 1, 1, ""),
        ("6,0,0", 1, 1, ""),
        (f"<6,0,0,{FOURS}", 1, 1, ""),
        (f"<6,0,0,{FOURS}><>", 1, 1, ""),
        ("<>", 1, 2, "''"),
        ("<5,0,0>", 1, 2, "5 houses"),
        ("<1,0,0>", 1, 2, "1 house "),
        (f"<{'9' * 5000}>", 1, 2, "houses"),
        (f"<6,0,0,{FOURS},4>", 1, 1, "15 pits"),
        ("<6,0,0,4>", 1, 1, "3 pits"),
        (f"<6,x,0,{FOURS}>", 1, 4, "'x'"),
        (f"<6,0,-1,{FOURS}>", 1, 6, "'-1'"),
        (f"<6,\n0,½,{FOURS}>", 2, 3, "'½'"),
        (f"<6,0,{'9' * 5000},{FOURS}>", 1, 1, "store of north"),
        (f"<6,0,0,{FOURS}> west", 1, 33, "'west'"),
        (f"<6,0,0,{FOURS}> south north", 1, 39, "'north'"),
        (f"<6,0,0,{FOURS}> south swap", 1, 1, "swap"),
    ],
)
def test_invalid_boards_are_located(text: str, line: int, column: int, fact: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_position(text, "kalah")
    assert (caught.value.line, caught.value.column) == (line, column)
    assert fact in caught.value.problem


def test_swap_must_not_occur_twice() -> None:
    with pytest.raises(NotationError, match="'swap'"):
        parse_position(f"<6,0,0,{FOURS}> south swap swap", PIE)


@pytest.mark.parametrize("text", ["3", " 3 ", "03", "3\n"])
def test_blanks_and_zeros_around_a_house_are_ignored(text: str) -> None:
    assert str(parse_move(text, START)) == "3"


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("", "''"),
        ("three", "'three'"),
        ("-1", "'-1'"),
        ("³", "'³'"),
        ("1 2", "'1 2'"),
        ("0", "house 0"),
        ("7", "house 7"),
        ("9" * 5000, "house 999"),
    ],
)
def test_invalid_houses(text: str, fact: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_move(text, START)
    assert fact in caught.value.problem


@given(st.text(st.characters(max_codepoint=0x2FF, exclude_characters="0123456789")))
def test_an_invalid_move_is_quoted_as_by_reprlib(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_move(text, START)
    assert reprlib.repr(text) in caught.value.problem
    assert (caught.value.text, caught.value.line) == (text, text[: len(text) - len(text.lstrip())].count("\n") + 1)


@pytest.mark.parametrize("text", ["\ud800", "\ud83d\ude00", "3\udc00"])
def test_a_text_with_surrogates_is_not_a_move(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_move(text, START)
    assert caught.value.text == text
    with pytest.raises(NotationError) as caught:
        parse_position(f"<6,{text},0>x", "kalah")
    assert (caught.value.line, caught.value.column) == (1, 4)


def test_an_invalid_house_is_located() -> None:
    with pytest.raises(NotationError) as caught:
        parse_move("\n\n 9 ", START)
    assert (caught.value.line, caught.value.column) == (3, 2)


@pytest.mark.parametrize("text", ["3", "swap"])
def test_an_illegal_move_is_an_error(text: str) -> None:
    position = START.play(START.parse_move("3"))
    with pytest.raises(IllegalMoveError):
        position.parse_move(text)


@pytest.mark.parametrize("number", [3, None, b"3"])
def test_only_text_is_parsed(number: object) -> None:
    with pytest.raises(TypeError, match=type(number).__name__):
        parse_move(number, START)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=type(number).__name__):
        parse_position(number, "kalah")  # type: ignore[arg-type]


def test_fair_boards_have_all_seeds_and_differ() -> None:
    boards = [fair_start(number) for number in range(1, BOARDS + 1)]
    assert len(set(boards)) == BOARDS == 254
    assert {sum(board.score().values()) for board in boards} == {48}
    assert {board.variant.name for board in boards} == {"fairkalah"}
    assert fair_start(1).text() == "<6,0,0,4,4,5,4,3,4,4,4,4,4,4,4> south"


@pytest.mark.parametrize("number", [0, 255, -1, "1", True, 1.0])
def test_unknown_fair_boards(number: object) -> None:
    with pytest.raises(ArgumentError) as caught:
        fair_start(number)  # type: ignore[arg-type]
    assert (caught.value.name, caught.value.value) == ("number", number)
