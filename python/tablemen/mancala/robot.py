"""The robot rule: an extra move before a capture before any other move, and the lowest such house."""

from __future__ import annotations

from typing import NamedTuple

from tablemen._core import MancalaMove as Move
from tablemen._core import MancalaPosition as Position
from tablemen.errors import GameOverError


class RobotChoice(NamedTuple):
    """A move and the reason for it."""

    move: Move
    reason: str


def choose(position: Position) -> RobotChoice:
    """Choose the first move with an extra turn, else the first capture, else the first legal move; never swap sides.

    >>> from tablemen.mancala import Position
    >>> move, reason = choose(Position.start("kalah"))
    >>> move.house, reason
    (3, 'it leads to an extra move')

    Raises `GameOverError` if the game is over.
    """
    if outcome := position.outcome():
        raise GameOverError(outcome)
    moves = sorted((move for move in position.legal_moves() if not move.is_swap), key=lambda move: move.house)
    for move in moves:
        if move.extra_turn:
            return RobotChoice(move, "it leads to an extra move")
    for move in moves:
        if move.captured:
            return RobotChoice(move, "it leads to a capture")
    return RobotChoice(moves[0], "it is the first legal move")
