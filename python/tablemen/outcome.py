"""Who plays, and how a game ended."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Side(enum.Enum):
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

    def __repr__(self) -> str:
        return f"Side.{self.name}"

    def __str__(self) -> str:
        return self.value


class Termination(enum.Enum):
    """Why a game is over."""

    NO_MOVE = "no legal move"
    NO_PIECES = "no pieces left"
    BREAKTHROUGH = "a man reached the far row"
    LONE_PIECE = "a single piece left"

    def __repr__(self) -> str:
        return f"Termination.{self.name}"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a finished game; `winner` is None when it is drawn.

    >>> Outcome(Side.WHITE, Termination.NO_MOVE)
    Outcome(winner=Side.WHITE, termination=Termination.NO_MOVE)
    """

    winner: Side | None
    termination: Termination
