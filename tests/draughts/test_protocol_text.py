"""Positions and moves in the formats of the Hub and DXP protocols."""

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
from tests.draughts import invalid_input
from tests.strategies import positions, variants

START = Position.start("international")
LARGE = replace(INTERNATIONAL, name="large", columns=16, rows=16)


def only_move(fen: str, name: str = "international") -> Move:
    (move,) = Position.from_fen(fen, name).legal_moves()
    return move


def without_runs(position: Position) -> Position:
    """Return the position without the quiet moves of kings, which the formats do not contain."""
    return Position.from_letters(position.letters(), position.variant, position.turn)


def test_start_position() -> None:
    assert format_hub_position(START) == "W" + 20 * "b" + 10 * "e" + 20 * "w"
    assert format_dxp_position(START) == "W" + 20 * "z" + 10 * "e" + 20 * "w"


def test_every_kind_of_piece_has_its_letter() -> None:
    position = Position.from_fen("B:W46,K50:B6,K1", "international")
    assert format_hub_position(position) == "BB" + 4 * "e" + "b" + 39 * "e" + "w" + 3 * "e" + "W"
    assert format_dxp_position(position) == "ZZ" + 4 * "e" + "z" + 39 * "e" + "w" + 3 * "e" + "W"


def test_squares_are_in_the_order_of_their_numbers() -> None:
    assert format_hub_position(Position.from_fen("W:W1:BK32", "spanish")) == "Ww" + 30 * "e" + "B"
    assert format_hub_position(Position.from_fen("W:Wa1:BKh8", "russian")) == "W" + 3 * "e" + "B" + 24 * "e" + "weee"


def test_lower_case_side_of_the_first_hub_version_is_accepted() -> None:
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
def test_captured_squares_can_be_in_any_order(fen: str, hub: list[str], dxp: list[str]) -> None:
    position = Position.from_fen(fen, "international")
    moves = [parse_hub_move(text, position) for text in hub] + [parse_dxp_move(text, position) for text in dxp]
    assert len(set(moves)) == 1
    assert position.is_legal(moves[0])
    assert sorted(format_hub_move(moves[0]).split("x")) == sorted(hub[0].split("x"))
    assert format_dxp_move(moves[0]) in dxp


def test_algebraic_squares_are_written_as_numbers() -> None:
    move = only_move("W:Wc3:Bd4", "russian")
    assert (format_hub_move(move), format_dxp_move(move)) == ("22x15x18", "22150118")
    assert parse_hub_move("22x15x18", Position.from_fen("W:Wc3:Bd4", "russian")) == move


@pytest.mark.parametrize(("text", "column"), invalid_input.HUB_POSITIONS)
def test_error_in_a_hub_position_has_its_column(text: str, column: int) -> None:
    with pytest.raises(NotationError) as caught:
        parse_hub_position(text, invalid_input.TINY)
    assert (caught.value.line, caught.value.column, caught.value.text) == (1, column, text)


@pytest.mark.parametrize(("text", "column"), invalid_input.DXP_POSITIONS)
def test_error_in_a_dxp_position_has_its_column(text: str, column: int) -> None:
    with pytest.raises(NotationError) as caught:
        parse_dxp_position(text, invalid_input.TINY)
    assert (caught.value.line, caught.value.column, caught.value.text) == (1, column, text)


def test_protocols_have_different_letters() -> None:
    with pytest.raises(NotationError) as caught:
        parse_hub_position(format_dxp_position(START), INTERNATIONAL)
    assert caught.value.column == 2
    with pytest.raises(NotationError) as caught:
        parse_dxp_position(format_hub_position(START), INTERNATIONAL)
    assert caught.value.column == 2


@pytest.mark.parametrize(("text", "column"), invalid_input.HUB_MOVES)
def test_error_in_a_hub_move_has_its_column(text: str, column: int) -> None:
    with pytest.raises(NotationError) as caught:
        parse_hub_move(text, START)
    assert (caught.value.line, caught.value.column, caught.value.text) == (1, column, text)


@pytest.mark.parametrize(("text", "column"), invalid_input.DXP_MOVES)
def test_error_in_a_dxp_move_has_its_column(text: str, column: int) -> None:
    with pytest.raises(NotationError) as caught:
        parse_dxp_move(text, START)
    assert (caught.value.line, caught.value.column, caught.value.text) == (1, column, text)


@pytest.mark.parametrize(("hub", "dxp"), [("32-23", "322300"), ("32x23x28", "32230128"), ("1-6", "010600")])
def test_illegal_move_is_rejected(hub: str, dxp: str) -> None:
    with pytest.raises(IllegalMoveError) as caught:
        parse_hub_move(hub, START)
    assert (caught.value.move, caught.value.position) == (hub, START)
    with pytest.raises(IllegalMoveError) as caught:
        parse_dxp_move(dxp, START)
    assert (caught.value.move, caught.value.position) == (dxp, START)


def test_wrong_captured_squares_are_rejected() -> None:
    position = Position.from_fen("W:W32:B28,19", "international")
    for text in ("32-14", "32x14x28", "32x14x28x19x1"):
        with pytest.raises(IllegalMoveError):
            parse_hub_move(text, position)


def test_dxp_does_not_support_boards_of_100_squares() -> None:
    position = Position.start(LARGE)
    move = position.legal_moves()[0]
    assert parse_hub_move(format_hub_move(move), position) == move
    with pytest.raises(TablemenError, match=r"\b99\b.*\b128\b"):
        format_dxp_move(move)
    with pytest.raises(TablemenError, match=r"\b99\b.*\b128\b"):
        parse_dxp_move("322800", position)


def test_captures_that_differ_only_in_crowning_are_ambiguous() -> None:
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
def test_round_trip_of_positions(position: Position) -> None:
    rules, plain = position.variant, without_runs(position)
    assert parse_hub_position(format_hub_position(position), rules) == plain
    assert parse_dxp_position(format_dxp_position(position), rules) == plain


@given(positions(variants()))
def test_round_trip_of_moves(position: Position) -> None:
    for move in position.legal_moves():
        assert parse_hub_move(format_hub_move(move), position) == move
        assert parse_dxp_move(format_dxp_move(move), position) == move
