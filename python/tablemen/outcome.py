"""Sides, outcomes of games, and results of random games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from tablemen.enums import Named


class Side(Named):
    """One of the two players. A side is neither true nor false: `opponent` is the other side, not `not side`.

    >>> Side.WHITE.opponent
    Side.BLACK
    >>> not Side.WHITE
    Traceback (most recent call last):
    TypeError: a Side is neither true nor false; use side.opponent for the other side, and compare with `is`
    """

    WHITE = "white"
    BLACK = "black"

    @property
    def opponent(self) -> Side:
        """The other side."""
        return Side.BLACK if self is Side.WHITE else Side.WHITE

    def __bool__(self) -> bool:
        raise TypeError("a Side is neither true nor false; use side.opponent for the other side, and compare with `is`")

    def __str__(self) -> str:
        return self.value


class Termination(Named):
    """The reason why a game is over; the value is used in game files and JSON."""

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
    PROVEN_DRAW = "a tablebase proves a draw"
    TIME = "time ran out"
    FORFEIT = "a player failed"
    ADJUDICATION = "adjudication"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a finished game; `winner` is None if the game is drawn.

    >>> Outcome(Side.WHITE, Termination.NO_MOVE)
    Outcome(winner=Side.WHITE, termination=Termination.NO_MOVE)
    >>> print(Outcome(Side.WHITE, Termination.RESIGNATION))
    White wins: Black resigned
    >>> print(Outcome(None, Termination.AGREEMENT))
    Draw: the players agreed
    """

    winner: Side | None
    termination: Termination

    def __str__(self) -> str:
        return describe_outcome(self, {side: str(side).capitalize() for side in Side})


# Reasons as clauses of a sentence, if the value of the termination is not one.
_REASONS = {
    Termination.NO_MOVE: "{mover} has no legal move",
    Termination.NO_PIECES: "{mover} has no pieces left",
    Termination.LONE_PIECE: "{loser} has only one piece left",
    Termination.NO_SEEDS: "one side has no seeds left in its houses",
    Termination.MAJORITY: "{winner} has more than half of the seeds",
    Termination.REPETITION: "the same position occurred again",
    Termination.KING_AGAINST_KING: "each side has only a king left",
    Termination.ONE_AGAINST_ONE: "each side has only one piece left",
    Termination.MAIN_ROAD: "a king held the long diagonal for too long",
    Termination.RESIGNATION: "{loser} resigned",
    Termination.AGREEMENT: "the players agreed",
    Termination.PROVEN_DRAW: "a tablebase proves that neither side can win",
    Termination.TIME: "{loser} ran out of time",
    Termination.FORFEIT: "{loser} forfeited the game",
    Termination.ADJUDICATION: "the game was adjudicated",
}


def describe_outcome(
    outcome: Outcome, names: Mapping[Side, str], *, mover: str = "the side to move", score: str = ""
) -> str:
    """Describe an outcome in a sentence without a full stop.

    `names` are the names of the sides, `mover` is the name of the side to move, and `score` follows the result.

    >>> names = {Side.WHITE: "South", Side.BLACK: "North"}
    >>> describe_outcome(Outcome(Side.WHITE, Termination.MAJORITY), names, score="25 to 7")
    'South wins, 25 to 7: South has more than half of the seeds'
    """
    winner = outcome.winner
    result = "Draw" if winner is None else f"{names[winner]} wins"
    if score:
        result += f", {score}"
    clause = _REASONS.get(outcome.termination, str(outcome.termination))
    if winner is not None:
        return f"{result}: {clause.format(mover=mover, winner=names[winner], loser=names[winner.opponent])}"
    names_winner = "{winner}" in clause or "{loser}" in clause
    return f"{result}: {outcome.termination if names_winner else clause.format(mover=mover)}"


class Playouts(NamedTuple):
    """The results of random games and their lengths in plies.

    The result is None if a game is drawn or reaches the maximum length.
    """

    results: tuple[Side | None, ...]
    lengths: tuple[int, ...]
