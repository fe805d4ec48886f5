"""Moves of mancala in detail: the pits that a move sows, the robot rule, and why a move is not legal."""

from __future__ import annotations

from typing import NamedTuple

from tablemen._core import MancalaMove as Move
from tablemen._core import MancalaPosition as Position
from tablemen.errors import GameOverError, IllegalMoveError
from tablemen.mancala.rules import NAMES, OwareRules
from tablemen.outcome import Side

SWAP_HOUSE = 0  # the `house` of the swap


class Pit(NamedTuple):
    """A house of a side by its number, or its store, which is house 0.

    >>> print(Pit(Side.WHITE, 3), Pit(Side.BLACK, 0), sep=", ")
    south 3, north store
    """

    side: Side
    house: int

    def __str__(self) -> str:
        return f"{NAMES[self.side]} {self.house or 'store'}"


def trace(position: Position, move: Move) -> tuple[Pit, ...]:
    """Return the pits that a legal move sows, in order; none for the swap.

    >>> from tablemen.mancala import Position
    >>> start = Position.start("kalah")
    >>> [str(pit) for pit in trace(start, start.parse_move("5"))]
    ['south 6', 'south store', 'north 1', 'north 2']
    """
    if move.is_swap:
        return ()
    lap = _lap(position, move.house)
    return tuple(lap[seed % len(lap)] for seed in range(move.sown))


def _lap(position: Position, house: int) -> list[Pit]:
    """Return the pits of one lap around the board, beginning after a house of the side to move."""
    own, other = position.turn, position.turn.opponent
    features = position.variant.features
    houses = range(1, features.houses + 1)
    around = [Pit(own, each) for each in houses[house:]]
    around += [Pit(own, 0)] if features.sows_store else []
    around += [Pit(other, each) for each in houses]
    around += [Pit(own, each) for each in houses[: house - 1]]
    return around + ([Pit(own, house)] if features.sows_origin else [])


def explain_move(position: Position, move: Move | str) -> str | None:
    """Explain why a move, given as such or as text, is not legal; return None if it is.

    Raises `NotationError` if the text is not a move.
    """
    if isinstance(move, str):
        try:
            position.parse_move(move)
        except IllegalMoveError:
            word = move.strip().casefold()
            return explain_illegal(position, SWAP_HOUSE if word == "swap" else int(word))
        return None
    if move.variant != position.variant:
        return f"it is a move of {move.variant}, not of {position.variant}"
    return explain_illegal(position, move.house)


def explain_illegal(position: Position, house: int) -> str | None:
    """Explain why the side to move may not play a house, or swap sides (house 0); return None if it may.

    >>> from tablemen.mancala import Position
    >>> explain_illegal(Position.from_text("<6,3,3,0,4,4,4,4,4,4,4,4,4,4,2> south", "kalah"), 1)
    'house 1 is empty'
    """
    if any(move.house == house for move in position.legal_moves()):
        return None
    outcome = position.outcome()
    if outcome is not None:
        return f"the game is over: {outcome.termination}"
    if house == SWAP_HOUSE:
        return "sides cannot be swapped now"
    own = position.houses(position.turn)
    if not 1 <= house <= len(own):
        return f"there is no house {house}: expected 1 to {len(own)}"
    if not own[house - 1]:
        return f"house {house} is empty"
    return _explain_oware(position, house)


def _explain_oware(position: Position, house: int) -> str:
    """Explain why a house with seeds may not be played: it gives the opponent no seeds, or it is a grand slam."""
    opponent = position.turn.opponent
    allowed = ", ".join(str(move.house) for move in position.legal_moves())
    if isinstance(position.variant, OwareRules) and not any(position.houses(opponent)):
        return f"{NAMES[opponent].capitalize()} has no seeds and must be given some: play {allowed}"
    return f"house {house} would capture all seeds of {NAMES[opponent].capitalize()}, which is forbidden"


class RobotChoice(NamedTuple):
    """A move and the reason for it."""

    move: Move
    reason: str


def choose_robot_move(position: Position) -> RobotChoice:
    """Choose the first move with an extra turn, else the first capture, else the first legal move; never swap sides.

    >>> from tablemen.mancala import Position
    >>> move, reason = choose_robot_move(Position.start("kalah"))
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
