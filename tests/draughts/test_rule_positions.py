"""Core and reference agree with positions that each show one rule."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tablemen import Side
from tablemen.draughts import VARIANTS, DraughtsRules, Kind, Move, Position
from tests import reference
from tests.draughts.rule_positions import RulePosition, read_rule_positions, split_move
from tests.reference.convert import get_place

RULE_POSITIONS = read_rule_positions()
with_moves = pytest.mark.parametrize("block", [block for block in RULE_POSITIONS if not block.outcome], ids=str)
with_result = pytest.mark.parametrize("block", [block for block in RULE_POSITIONS if block.outcome], ids=str)


def core_position(block: RulePosition) -> Position:
    """Return the position of the block for the core, after its moves."""
    position = block.position
    for text in block.played:
        (move,) = (move for move in position.legal_moves() if str(move) == text)
        position = position.play(move)
    return position


def reference_position(block: RulePosition) -> reference.ReferencePosition:
    """Return the position of the block for the reference, after its moves."""
    position = reference.from_core(block.position)
    for text in block.played:
        start, end = (get_place(block.squares[name]) for name in split_move(text))
        (move,) = (move for move in reference.legal_moves(position) if (move.start, move.end) == (start, end))
        position = reference.play(position, move)
    return position


def test_every_block_is_read() -> None:
    names = [block.name for block in RULE_POSITIONS]
    assert len(names) == len(set(names)) == 58
    assert all(block.rule.endswith(".") and bool(block.moves) != bool(block.outcome) for block in RULE_POSITIONS)


@with_moves
def test_core_moves(block: RulePosition) -> None:
    moves = core_position(block).legal_moves()
    assert {(str(move), frozenset(square.name for square in move.captured), move.crowns) for move in moves} == {
        (move.text, move.captured, move.crowns) for move in block.moves
    }
    assert len(moves) == len(block.moves)


@with_moves
def test_core_path_agrees_with_the_text(block: RulePosition) -> None:
    for move in core_position(block).legal_moves():
        names = [square.name for square in move.path]
        written = split_move(str(move))
        assert (names[0], names[-1]) == (written[0], written[-1]) == (move.start.name, move.end.name)
        assert len(written) == 2 or names == written


@with_moves
def test_reference_moves(block: RulePosition) -> None:
    expected = {move.to_reference(block.squares) for move in block.moves}
    assert reference.legal_moves(reference_position(block)) == expected
    assert reference.outcome(reference_position(block)) is None


@with_result
def test_core_result(block: RulePosition) -> None:
    assert core_position(block).outcome() == block.outcome
    assert core_position(block).legal_moves() == ()


@with_result
def test_reference_result(block: RulePosition) -> None:
    assert reference.outcome(reference_position(block)) == block.outcome
    assert not reference.legal_moves(reference_position(block))


SHARED = Path(__file__).parents[3] / "shared" / "rules" / "rule_positions.json"


@pytest.fixture(scope="module")
def shared_positions() -> list[dict[str, Any]]:
    if not SHARED.exists():
        pytest.skip(f"no {SHARED.name} beside the checkout")
    positions: list[dict[str, Any]] = json.loads(SHARED.read_text(encoding="utf-8"))["positions"]
    return positions


def uniform_fen(position: Position) -> str:
    """Return the FEN with squares numbered row by row from the top left in every variant."""
    numbers = {square: number for number, square in enumerate(position.variant.mover.squares, start=1)}

    def pieces(side: Side) -> str:
        men = {numbers[square]: "" for square in position.squares(side, Kind.MAN)}
        kings = {numbers[square]: "K" for square in position.squares(side, Kind.KING)}
        return ",".join(f"{letter}{number}" for number, letter in sorted({**men, **kings}.items()))

    turn = "W" if position.turn is Side.WHITE else "B"
    return f"{turn}:W{pieces(Side.WHITE)}:B{pieces(Side.BLACK)}"


def uniform_move(rules: DraughtsRules, move: Move) -> dict[str, object]:
    """Return a move in the format of the shared file, without its paths."""
    numbers = {square: number for number, square in enumerate(rules.mover.squares, start=1)}
    return {
        "from": numbers[move.start],
        "to": numbers[move.end],
        "captures": sorted(numbers[square] for square in move.captured),
        "promotes": move.crowns,
        "pdn": str(move),
    }


def test_shared_positions(shared_positions: list[dict[str, Any]]) -> None:
    for each in shared_positions:
        rules = VARIANTS[each["variant"]]
        position = Position.from_fen(each["fen_pdn"], rules)
        assert uniform_fen(position) == each["fen"], each["id"]
        moves = [uniform_move(rules, move) for move in position.legal_moves()]
        expected = [{key: move[key] for key in move if key != "paths"} for move in each["expected"]]
        assert sorted(moves, key=str) == sorted(expected, key=str), each["id"]
        assert len(moves) == each["n_moves"], each["id"]


def test_shared_paths(shared_positions: list[dict[str, Any]]) -> None:
    for each in shared_positions:
        rules = VARIANTS[each["variant"]]
        numbers = {square: number for number, square in enumerate(rules.mover.squares, start=1)}
        position = Position.from_fen(each["fen_pdn"], rules)
        paths = {tuple(numbers[square] for square in move.path) for move in position.legal_moves(paths=True)}
        # If a capture goes straight on, the shared file has only one of several landing squares.
        expected = {tuple(path) for move in each["expected"] for path in move.get("paths", ())}
        assert expected <= paths, each["id"]
        assert {(path[0], path[-1]) for path in paths} == {(move["from"], move["to"]) for move in each["expected"]}
