"""Results of games, in the two scoring systems of PDN."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tablemen.draughts.rules import DraughtsRules
from tablemen.named import Named
from tablemen.outcome import Side

NO_RESULT = "*"
INTERNATIONAL_GAME_TYPES = (20, 27)  # PDN, "GameType": the games with two points for a win


class Result(Named):
    """A result. The values are its texts in the two systems: one point for a win, and two points for a win."""

    WHITE = ("1-0", "2-0")
    BLACK = ("0-1", "0-2")
    DRAW = ("1/2-1/2", "1-1")
    BOTH_LOSE = ("0-0", "0-0")
    NONE = (NO_RESULT, NO_RESULT)


_BY_TEXT: Mapping[str, Result] = MappingProxyType({text: result for result in Result for text in result.value})


def parse_result(text: str) -> Result | None:
    """Parse a result of either system; None if it is of neither.

    >>> parse_result("2-0") is parse_result("1-0") is Result.WHITE
    True
    """
    return _BY_TEXT.get(text.strip())


def format_result(result: Result, rules: DraughtsRules) -> str:
    """Return the text of a result in the system of the variant.

    >>> from tablemen.draughts import ENGLISH, INTERNATIONAL
    >>> format_result(Result.DRAW, ENGLISH), format_result(Result.DRAW, INTERNATIONAL)
    ('1/2-1/2', '1-1')
    """
    one_point, two_points = result.value
    return two_points if rules.game_type in INTERNATIONAL_GAME_TYPES else one_point


def result_of(winner: Side | None) -> Result:
    """Return the result for a winner, or for a draw if there is none."""
    return Result.DRAW if winner is None else Result.WHITE if winner is Side.WHITE else Result.BLACK
