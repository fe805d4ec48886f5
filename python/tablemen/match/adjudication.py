"""Games that are ended before their end, by what the players themselves say of them."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import Any

from tablemen.errors import ArgumentError
from tablemen.family import get_family
from tablemen.game import Game
from tablemen.outcome import Outcome, Side, Termination
from tablemen.search import Score
from tablemen.validation import is_number, is_whole

RESIGN_EXPECTED = "a score, and maybe a number of moves, such as 5 or 5:3,"
DRAW_EXPECTED = "a score, and maybe a number of moves and the first that counts, such as 0.1 or 0.1:10:30,"


@dataclass(frozen=True, slots=True)
class ResignAdjudication:
    """A side loses that says of so many of its moves in a row that they are worth `-score` or less to it.

    >>> print(ResignAdjudication(5))
    5:3
    """

    score: float
    moves: int = 3

    def __post_init__(self) -> None:
        if not is_number(self.score) or not self.score:
            raise ArgumentError("score", self.score, "a number above 0")
        _check_moves("moves", self.moves, least=1)

    def __str__(self) -> str:
        return f"{_plain(self.score)}:{self.moves}"


@dataclass(frozen=True, slots=True)
class DrawAdjudication:
    """A draw where both sides say of so many of their moves in a row that they are worth between `-score` and `score`.

    Both must have made `after` moves in the game before.

    >>> print(DrawAdjudication(0.1))
    0.1:10:30
    """

    score: float
    moves: int = 10
    after: int = 30

    def __post_init__(self) -> None:
        if not is_number(self.score):
            raise ArgumentError("score", self.score, "a number from 0 up")
        _check_moves("moves", self.moves, least=1)
        _check_moves("after", self.after, least=0)

    def __str__(self) -> str:
        return f"{_plain(self.score)}:{self.moves}:{self.after}"


def parse_resign(text: str) -> ResignAdjudication:
    """The rule that is written `SCORE` or `SCORE:MOVES`; raises `ArgumentError`.

    >>> parse_resign("4.5:2")
    ResignAdjudication(score=4.5, moves=2)
    """
    score, moves = _numbers("resign", text, 2, RESIGN_EXPECTED)
    return ResignAdjudication(score, *moves)


def parse_draw(text: str) -> DrawAdjudication:
    """The rule that is written `SCORE`, `SCORE:MOVES` or `SCORE:MOVES:AFTER`; raises `ArgumentError`.

    >>> parse_draw("0.1:8")
    DrawAdjudication(score=0.1, moves=8, after=30)
    """
    score, moves = _numbers("draw", text, 3, DRAW_EXPECTED)
    return DrawAdjudication(score, *moves)


@dataclass(frozen=True, slots=True)
class Ruling:
    """How a game is ended, and why."""

    outcome: Outcome
    reason: str


class Judge:
    """Hears what the players of a game say of their moves, and ends it by the rules that are given."""

    def __init__(self, resign: ResignAdjudication | None = None, draw: DrawAdjudication | None = None) -> None:
        self._resign = resign
        self._draw = draw
        self._hopeless: Counter[Side] = Counter()  # moves in a row of which the side says so
        self._level: Counter[Side] = Counter()

    def hear(self, side: Side, score: Score | None) -> None:
        """The side has moved, and this is what it says of that; who says nothing begins anew."""
        value = math.nan if score is None else _worth(score)  # which is neither more nor less than anything
        is_hopeless = self._resign is not None and value <= -self._resign.score
        is_level = self._draw is not None and abs(value) <= self._draw.score
        self._hopeless[side] = self._hopeless[side] + 1 if is_hopeless else 0
        self._level[side] = self._level[side] + 1 if is_level else 0

    def rule(self, game: Game[Any, Any]) -> Ruling | None:
        """How a game that is not over is ended; None where it goes on."""
        for side in Side:
            if self._resign is not None and self._hopeless[side] >= self._resign.moves:
                loser, winner = name_of(side, game), name_of(side.opponent, game)
                said = f"{loser} said {_plain(-self._resign.score)} or less of {_moves(self._resign.moves)}"
                outcome = Outcome(side.opponent, Termination.ADJUDICATION)
                return Ruling(outcome, f"adjudicated a win of {winner}: {said}")
        if self._draw is not None and all(
            self._level[side] >= self._draw.moves and game.count_moves(side) >= self._draw.after for side in Side
        ):
            said = f"both sides said no more than {_plain(self._draw.score)} for either of {_moves(self._draw.moves)}"
            return Ruling(Outcome(None, Termination.ADJUDICATION), f"adjudicated a draw: {said}")
        return None


def name_of(side: Side, game: Game[Any, Any]) -> str:
    """What the side is called in games of this kind."""
    return get_family(game.start).side_name(side)


def _worth(score: Score) -> float:
    """What counts: a win that is proven is one, by however few seeds."""
    return math.inf if score.is_win else -math.inf if score.is_loss else score.value


def _numbers(name: str, text: str, most: int, expected: str) -> tuple[float, list[int]]:
    """A score, and whole numbers behind it, with colons between them."""
    score, *moves = text.split(":")
    if len(moves) >= most:
        raise ArgumentError(name, text, expected)
    try:
        return float(score), [int(word) for word in moves]
    except ValueError as error:
        raise ArgumentError(name, text, expected) from error


def _check_moves(name: str, value: object, *, least: int) -> None:
    if not is_whole(value, least=least):
        raise ArgumentError(name, value, f"a whole number from {least} up")


def _plain(score: float) -> str:
    return repr(float(score)).removesuffix(".0")


def _moves(number: int) -> str:
    return "a move" if number == 1 else f"{number} moves in a row"
