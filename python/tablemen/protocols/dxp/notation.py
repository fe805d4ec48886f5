"""Positions and moves of a game as messages have them."""

from __future__ import annotations

from dataclasses import replace

from tablemen.draughts import DraughtsRules, Move, Position
from tablemen.draughts.notation import format_dxp_move, format_dxp_position, parse_dxp_move, parse_dxp_position
from tablemen.game import Game
from tablemen.outcome import Side
from tablemen.protocols.dxp import message as messages
from tablemen.protocols.dxp.message import ForeignRequest, GameAcceptance, GameRequest, Message
from tablemen.protocols.dxp.text import format_message


def write_start(position: Position) -> str | None:
    """What a request says of the position that a game begins with; nothing where it begins as usual.

    As usual means that White begins, so where Black does the position is written. Raises `TablemenError` where the
    board is too large for DXP.
    """
    _check_board(position)
    is_usual = position.turn is Side.WHITE and position == Position.start(position.variant)
    return None if is_usual else format_dxp_position(position)


def read_start(text: str | None, rules: DraughtsRules) -> Position:
    """The position that a request speaks of, its twin. Raises `TablemenError`."""
    position = Position.start(rules) if text is None else parse_dxp_position(text, rules)
    _check_board(position)
    return position


def _check_board(position: Position) -> None:
    for move in position.legal_moves()[:1]:
        format_dxp_move(move)


def write_move(move: Move, seconds: float, game: Game[Position, Move]) -> messages.Move:
    """The message for a move of the game.

    Raises `AmbiguousMoveError` where it could mean another move as well: under some rules a capture can be made in two
    ways that differ in the crown alone.
    """
    text = format_dxp_move(move)
    if move in game.legal_moves():
        parse_dxp_move(text, game.position)
    start, end, _, *captured = (int(text[at : at + 2]) for at in range(0, len(text), 2))
    return messages.Move(int(min(max(0.0, seconds), messages.MOST_SECONDS)), start, end, tuple(captured))


def show(message: Message) -> str:
    """The message for an error, as it was sent but for the blanks and oddities of a name."""
    if isinstance(message, ForeignRequest):
        return f"R{message.version:02}"
    if isinstance(message, GameRequest | GameAcceptance):
        message = replace(message, name=messages.fit_name(message.name))
    return format_message(message).decode()
