"""Analyses of games with given scores, without a search."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from tablemen.analysis import GameAnalysis, MoveAnalysis, PositionAnalysis
from tablemen.draughts import Position
from tablemen.search import Info, Score


def make_analysis(scores: Sequence[Score | None], *, variant: str = "international") -> GameAnalysis[Any]:
    """Return the analysis of a game whose positions have these scores for White; None is an unknown position.

    The best move of each position is never the move that was played.
    """
    position: Any = Position.start(variant)
    found: list[PositionAnalysis[Any] | None] = []
    played = []
    for index, score in enumerate(scores):
        # Play the move that leaves the most replies, because a forced move would always be the best.
        move = max(position.legal_moves(), key=lambda each: len(position.play(each).legal_moves()))
        best = next(each for each in position.legal_moves() if each != move)
        own = score if score is None or index % 2 == 0 else Score(-score.value, exact=score.exact, plies=score.plies)
        found.append(None if own is None else PositionAnalysis(position, own, (Info(1, own, 1, 0.0, (best,)),)))
        played.append(move)
        position = position.play(move)
    moves = [
        MoveAnalysis(index, index // 2 + 1, played[index], before, after)
        for index, (before, after) in enumerate(pairwise(found))
        if before is not None and after is not None
    ]
    start = next(each for each in found if each is not None)
    return GameAnalysis(start, tuple(moves), len(scores) - 1)
