"""Adjudication: ending a game early by the scores that the players give their own moves, or by a tablebase."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import Any

from tablemen.endgame import Wdl
from tablemen.errors import ArgumentError
from tablemen.family import get_family
from tablemen.game import Game
from tablemen.outcome import Outcome, Side, Termination
from tablemen.search import Score
from tablemen.validation import is_int, is_number

RESIGN_EXPECTED = "SCORE or SCORE:MOVES, such as 5 or 5:3"
DRAW_EXPECTED = "SCORE, SCORE:MOVES or SCORE:MOVES:AFTER, such as 0.1 or 0.1:10:30"


@dataclass(frozen=True, slots=True)
class ResignAdjudication:
    """The rule that a side loses if it gives `moves` moves in a row a score of `-score` or less.

    >>> print(ResignAdjudication(5))
    5:3
    """

    score: float
    moves: int = 3

    def __post_init__(self) -> None:
        if not is_number(self.score) or not self.score:
            raise ArgumentError("score", self.score, "a number above 0")
        _check_moves("moves", self.moves, minimum=1)

    def __str__(self) -> str:
        return f"{_format_score(self.score)}:{self.moves}"


@dataclass(frozen=True, slots=True)
class DrawAdjudication:
    """The rule that a game is a draw if both sides give `moves` moves in a row a score between `-score` and `score`.

    Both sides must have made at least `after` moves in the game.

    >>> print(DrawAdjudication(0.1))
    0.1:10:30
    """

    score: float
    moves: int = 10
    after: int = 30

    def __post_init__(self) -> None:
        if not is_number(self.score):
            raise ArgumentError("score", self.score, "a number of at least 0")
        _check_moves("moves", self.moves, minimum=1)
        _check_moves("after", self.after, minimum=0)

    def __str__(self) -> str:
        return f"{_format_score(self.score)}:{self.moves}:{self.after}"


def parse_resign(text: str) -> ResignAdjudication:
    """Parse a rule: `SCORE` or `SCORE:MOVES`. Raises `ArgumentError`.

    >>> parse_resign("4.5:2")
    ResignAdjudication(score=4.5, moves=2)
    """
    score, moves = _parse_numbers("resign", text, 2, RESIGN_EXPECTED)
    return ResignAdjudication(score, *moves)


def parse_draw(text: str) -> DrawAdjudication:
    """Parse a rule: `SCORE`, `SCORE:MOVES` or `SCORE:MOVES:AFTER`. Raises `ArgumentError`.

    >>> parse_draw("0.1:8")
    DrawAdjudication(score=0.1, moves=8, after=30)
    """
    score, moves = _parse_numbers("draw", text, 3, DRAW_EXPECTED)
    return DrawAdjudication(score, *moves)


@dataclass(frozen=True, slots=True)
class Ruling:
    """The outcome of an adjudicated game, and the reason."""

    outcome: Outcome
    reason: str


class Adjudicator:
    """The adjudicator of one game, which applies the given rules to the scores of its players.

    With `tablebases`, it also ends games whose value a tablebase proves.
    """

    def __init__(
        self,
        resign: ResignAdjudication | None = None,
        draw: DrawAdjudication | None = None,
        *,
        tablebases: bool = False,
    ) -> None:
        self._resign = resign
        self._draw = draw
        self._tablebases = tablebases
        self._losing_streaks: Counter[Side] = Counter()  # consecutive moves with a losing score
        self._even_streaks: Counter[Side] = Counter()  # consecutive moves with an even score

    def add_score(self, side: Side, score: Score | None) -> None:
        """Record the score that a side gave its move; None ends its streaks."""
        value = math.nan if score is None else _to_value(score)  # every comparison with nan is false
        is_losing = self._resign is not None and value <= -self._resign.score
        is_even = self._draw is not None and abs(value) <= self._draw.score
        self._losing_streaks[side] = self._losing_streaks[side] + 1 if is_losing else 0
        self._even_streaks[side] = self._even_streaks[side] + 1 if is_even else 0

    def rule(self, game: Game[Any, Any]) -> Ruling | None:
        """Return the ruling on an unfinished game, or None if it continues.

        Raises `TablebaseError` if the file of a tablebase is damaged, and `OSError`.
        """
        if self._tablebases and (ruling := _rule_by_tablebase(game)) is not None:
            return ruling
        for side in Side:
            if self._resign is not None and self._losing_streaks[side] >= self._resign.moves:
                family = get_family(game.start)
                loser, winner = family.side_name(side), family.side_name(side.opponent)
                score, moves = _format_score(-self._resign.score), _format_moves(self._resign.moves)
                outcome = Outcome(side.opponent, Termination.ADJUDICATION)
                return Ruling(
                    outcome, f"adjudicated a win for {winner}: {loser}'s score was {score} or less for {moves}"
                )
        if self._draw is not None and all(
            self._even_streaks[side] >= self._draw.moves and game.count_moves(side) >= self._draw.after for side in Side
        ):
            score, moves = _format_score(self._draw.score), _format_moves(self._draw.moves)
            reason = f"adjudicated a draw: both scores were within ±{score} for {moves}"
            return Ruling(Outcome(None, Termination.ADJUDICATION), reason)
        return None


def _rule_by_tablebase(game: Game[Any, Any]) -> Ruling | None:
    """Return the ruling by the value of the position.

    Values ignore draw rules. So a win is adjudicated only if its distance is known, and no draw rule ends the game
    first.
    """
    family = get_family(game.position)
    endgame = family.probe_endgame(game)
    if endgame is None or game.claims():
        return None
    if endgame.wdl is Wdl.DRAW:
        return Ruling(Outcome(None, Termination.ADJUDICATION), "adjudicated a draw by the tablebase")
    if endgame.distance is None or endgame.drawn_by is not None:
        return None
    winner = endgame.turn if endgame.wdl is Wdl.WIN else endgame.turn.opponent
    plies = "1 ply" if endgame.distance == 1 else f"{endgame.distance} plies"
    reason = f"adjudicated a win for {family.side_name(winner)} by the tablebase: {plies}"
    return Ruling(Outcome(winner, Termination.ADJUDICATION), reason)


def _to_value(score: Score) -> float:
    """Return the score as a number; a proven win is infinite, even if it is by one seed."""
    return math.inf if score.is_win else -math.inf if score.is_loss else score.value


def _parse_numbers(name: str, text: str, maximum: int, expected: str) -> tuple[float, list[int]]:
    """Parse a score and whole numbers, separated by colons, `maximum` numbers in all."""
    score, *moves = text.split(":")
    if len(moves) >= maximum:
        raise ArgumentError(name, text, expected)
    try:
        return float(score), [int(word) for word in moves]
    except ValueError as error:
        raise ArgumentError(name, text, expected) from error


def _check_moves(name: str, value: object, *, minimum: int) -> None:
    if not is_int(value, minimum=minimum):
        raise ArgumentError(name, value, f"a whole number of at least {minimum}")


def _format_score(score: float) -> str:
    return repr(float(score)).removesuffix(".0")


def _format_moves(number: int) -> str:
    return "one move" if number == 1 else f"{number} moves in a row"
