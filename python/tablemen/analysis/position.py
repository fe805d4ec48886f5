"""A position or the end of a game, analysed."""

from __future__ import annotations

import math
from typing import Any

from tablemen.analysis.model import PositionAnalysis
from tablemen.errors import ArgumentError
from tablemen.game import Game
from tablemen.mancala import Position as MancalaPosition
from tablemen.outcome import Outcome
from tablemen.search import Limit, Score, Searcher
from tablemen.validation import is_whole

USUAL_LIMIT = Limit(nodes=5_000_000)  # about a second for a position with all its moves
TABLE_MB = 64


def analyse_position(
    subject: Any, limit: Limit = USUAL_LIMIT, *, lines: int | None = None, searcher: Searcher | None = None
) -> PositionAnalysis[Any]:
    """The best moves of a position, or of a game with its past, each with its score and its line.

    `lines` says how many; without it, every legal move. Without a `searcher` of your own it is one with an empty table,
    which finds the same every time where the limit is a number of positions or plies.

    >>> from tablemen.draughts import Position
    >>> shot = Position.from_fen("W:WK29,38,42,45:B27,35,K47", "international")
    >>> found = analyse_position(shot, Limit(depth=12), lines=2)
    >>> print(found.best, found.score, len(found.lines))
    38-33 win in 9 plies 2

    A game that is over has no lines, and the score says how it ended.
    """
    if lines is not None and not is_whole(lines, least=1):
        raise ArgumentError("lines", lines, "a whole number from 1 up")
    game: Game[Any, Any] = subject if isinstance(subject, Game) else Game(subject)
    return look_at(game, limit, searcher or Searcher(table_mb=TABLE_MB), lines)


def look_at(game: Game[Any, Any], limit: Limit, searcher: Searcher, lines: int | None = 1) -> PositionAnalysis[Any]:
    """What the searcher finds in the position of a game now."""
    outcome = game.outcome()
    if outcome is not None:
        return PositionAnalysis(game.position, _final_score(game.position, outcome), outcome=outcome)
    count = len(game.legal_moves())
    found = searcher.analyse(game, limit, multipv=count if lines is None else min(lines, count)).result()
    return PositionAnalysis(game.position, found.score, found.lines)


def _final_score(position: Any, outcome: Outcome) -> Score:
    """How a game ended, for the side to move: in mancala by its margin, unless a player gave it up."""
    if outcome.winner is None:
        return Score(0.0, exact=True)
    sign = 1 if outcome.winner is position.turn else -1
    if isinstance(position, MancalaPosition):
        seeds = position.score()
        margin = seeds[position.turn] - seeds[position.turn.opponent]
        if margin * sign > 0:
            return Score(float(margin), exact=True)
    return Score(sign * math.inf, exact=True, plies=0)
