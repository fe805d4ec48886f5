"""Scores in words, as both sides see them."""

from __future__ import annotations

from typing import Any

from tablemen.analysis.model import PositionAnalysis
from tablemen.family import get_family
from tablemen.outcome import Side

# The chances from which on a side stands so.
STANDING = (
    (0.90, "is winning"),
    (0.75, "stands much better"),
    (0.62, "stands better"),
    (0.55, "stands a little better"),
)


def format_score(found: PositionAnalysis[Any]) -> str:
    """The score as White sees it, or South: plus where White is better, whoever is to move.

    >>> from tablemen.draughts import Position
    >>> from tablemen.search import Score
    >>> black_to_move = Position.start("english")
    >>> print(format_score(PositionAnalysis(black_to_move, Score(0.5))))
    -0.50
    """
    score = found.score_for(Side.WHITE)
    if score.plies is None:
        return str(score)
    winner = get_family(found.position).side_name(Side.WHITE if score.value > 0 else Side.BLACK)
    return f"{winner} wins in {_plies(score.plies)}" if score.plies else f"{winner} has won"


def describe(found: PositionAnalysis[Any]) -> str:
    """Who stands better, in a sentence without its full stop; points are those of the side that it names.

    >>> from tablemen.draughts import Position
    >>> from tablemen.search import Score
    >>> black_to_move = Position.start("english")
    >>> describe(PositionAnalysis(black_to_move, Score(0.5)))
    'Black stands better, ahead by 0.50: 62 % of the points'
    """
    family = get_family(found.position)
    if found.outcome is not None:
        return family.describe_outcome(found.outcome, found.position)
    if found.score.is_draw:
        return "The game is drawn when nobody errs"
    better = max(Side, key=found.chances_for)
    name, score = family.side_name(better), found.score_for(better)
    if score.exact:
        how = f"in {_plies(score.plies)} at the latest" if score.plies is not None else f"by {score.value:g}"
        return f"{name} wins {how} when nobody errs"
    chances = found.chances_for(better)
    lead, points = f"{abs(score.value):.2f}", f"{100 * chances:.0f} % of the points"
    for least, words in STANDING:
        if chances >= least:
            return f"{name} {words}, ahead by {lead}: {points}"
    if lead == "0.00":
        return f"The position is even: {points}"
    return f"The position is about even, {name} ahead by {lead}: {points}"


def _plies(count: int) -> str:
    return "1 ply" if count == 1 else f"{count} plies"
