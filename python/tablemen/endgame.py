"""Proven values of positions near the end of a game, as endgame tablebases provide them, for all families."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NamedTuple, Protocol

from tablemen.outcome import Side, Termination

__all__ = ["EndgameResult", "ExactValues", "MoveValue", "Wdl", "WdlTablebase"]


class Wdl(IntEnum):
    """The value of a position for the side to move."""

    WIN = 1
    DRAW = 0
    LOSS = -1


class WdlTablebase(Protocol):
    """A tablebase of any family."""

    def probe_wdl(self, position: Any, /) -> Wdl | None:
        """Return the value of a position for the side to move, or None if the tablebase does not have it."""
        ...


_VERBS = {Wdl.WIN: "wins", Wdl.LOSS: "loses"}


class MoveValue(NamedTuple):
    """A legal move, and the value and distance of the position before it if it is played."""

    move: Any
    wdl: Wdl
    distance: int | None


@dataclass(frozen=True, slots=True)
class ExactValues:
    """The exact value of a position for its side to move, and those of the legal moves, in their order.

    The unit is that of the game: the final margin in seeds, or the points of the result: 1 for a win, ½ for a draw and
    0 for a loss. `distances` are the plies to the end of the game, each with its move, for the fastest win against the
    longest defence; None in a draw and if they are not known. If the game is over, there are no moves.
    """

    value: float
    moves: Mapping[Any, float]
    distances: Mapping[Any, int | None]


@dataclass(frozen=True)
class EndgameResult:
    """The proven value of a position that is not over, for the side to move, and that of each legal move.

    Values ignore the draw rules, and distances are plies to the end of the game. `moves` has the best move first.
    `line` is the fastest win against the longest defence; it is empty in a draw and if the distances are not known. If
    a draw can be claimed now or a draw rule ends the game on this line before it is won, `drawn_by` is the reason. A
    slower win may still be possible.
    """

    turn: Side
    wdl: Wdl
    distance: int | None
    moves: tuple[MoveValue, ...]
    line: tuple[Any, ...] = ()
    drawn_by: Termination | None = None

    @property
    def best_move(self) -> Any:
        """The best move."""
        return self.moves[0].move

    def with_value(self, wdl: Wdl) -> tuple[MoveValue, ...]:
        """Return the moves that have a value, the best first."""
        return tuple(each for each in self.moves if each.wdl is wdl)

    def describe(self, side_name: str) -> str:
        """Describe the value in a sentence without a full stop; `side_name` is the name of the side to move.

        >>> result = EndgameResult(Side.WHITE, Wdl.WIN, 23, ())
        >>> result.describe("White")
        'White wins in 23 plies'
        >>> EndgameResult(Side.WHITE, Wdl.DRAW, None, ()).describe("White")
        'Draw'
        >>> EndgameResult(Side.WHITE, Wdl.WIN, 41, (), (), Termination.REPETITION).describe("White")
        'White wins in 41 plies, but a draw rule may end the game first: the same position again'
        >>> EndgameResult(Side.WHITE, Wdl.WIN, None, ()).describe("White")  # the distances are not known
        'White wins, unless a draw rule ends the game first'
        """
        if self.wdl is Wdl.DRAW:
            return "Draw"
        text = f"{side_name} {_VERBS[self.wdl]}"
        if self.distance is None:
            return f"{text}, unless a draw rule ends the game first"
        text += f" in {self.distance} {'ply' if self.distance == 1 else 'plies'}"
        return text if self.drawn_by is None else f"{text}, but a draw rule may end the game first: {self.drawn_by}"

    def describe_moves(self, format_move: Callable[[Any], str] = str) -> list[str]:
        """Describe the values of the moves, one line for each value, with distances in brackets.

        >>> moves = (MoveValue("14-18", Wdl.WIN, 23), MoveValue("14-9", Wdl.DRAW, None))
        >>> EndgameResult(Side.WHITE, Wdl.WIN, 23, moves).describe_moves()
        ['win: 14-18 (23)', 'draw: 14-9']
        """
        return [
            f"{wdl.name.lower()}: {_join_moves(moves, format_move)}" for wdl in Wdl if (moves := self.with_value(wdl))
        ]


def _join_moves(moves: Iterable[MoveValue], format_move: Callable[[Any], str]) -> str:
    texts = ((format_move(each.move), each.distance) for each in moves)
    return ", ".join(text if distance is None else f"{text} ({distance})" for text, distance in texts)
