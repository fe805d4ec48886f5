"""Sides, outcomes of games, and results of random games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from tablemen.enums import Named


class Side(Named):
    """One of the two players.

    >>> Side.WHITE.opponent
    Side.BLACK
    """

    WHITE = "white"
    BLACK = "black"

    @property
    def opponent(self) -> Side:
        """The other side."""
        return Side.BLACK if self is Side.WHITE else Side.WHITE

    def __str__(self) -> str:
        return self.value


class Termination(Named):
    """Why a game is over."""

    NO_MOVE = "no legal move"
    NO_PIECES = "no pieces left"
    BREAKTHROUGH = "a man reached the far row"
    LONE_PIECE = "a single piece left"
    NO_SEEDS = "no seeds left in the houses of a side"
    MAJORITY = "more than half of the seeds"
    REPETITION = "the same position again"
    KING_MOVES = "only kings moved for too long"
    UNCHANGED_BALANCE = "no capture or crowning for too long"
    KING_AGAINST_KING = "a king against a king"
    ONE_AGAINST_ONE = "one piece against one"
    FEW_AGAINST_KING = "one or two pieces did not catch a king in time"
    THREE_AGAINST_KING = "three pieces or more did not catch a king in time"
    MAIN_ROAD = "the long diagonal was held for too long"
    RESIGNATION = "resignation"
    AGREEMENT = "agreement"
    TIME = "time ran out"
    FORFEIT = "a player failed"
    ADJUDICATION = "adjudication"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a finished game; `winner` is None when it is drawn.

    >>> Outcome(Side.WHITE, Termination.NO_MOVE)
    Outcome(winner=Side.WHITE, termination=Termination.NO_MOVE)
    >>> print(Outcome(None, Termination.AGREEMENT))
    draw: agreement
    """

    winner: Side | None
    termination: Termination

    def __str__(self) -> str:
        return f"{'draw' if self.winner is None else f'{self.winner} wins'}: {self.termination}"


class Playouts(NamedTuple):
    """The results of random games and their lengths in plies.

    The result is None if a game is drawn or reaches the maximum length.
    """

    results: tuple[Side | None, ...]
    lengths: tuple[int, ...]
