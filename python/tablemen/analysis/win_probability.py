"""Winning chances from scores, and the marks of bad moves.

An extra man means little in a won game and much in an even one. Moves are therefore judged by winning chances: the
expected share of the points, from 0 to 1, with 1/2 for a draw. The chances are a logistic function of the score.
"""

from __future__ import annotations

import math

from tablemen.enums import Named
from tablemen.search import Score

# The minimum share of the points that a move with this mark has lost.
INACCURACY, MISTAKE, BLUNDER = 0.10, 0.20, 0.30


class Mark(Named):
    """The mark of a bad move; its value is the sign that players write after the move.

    >>> [(mark.value, mark.nag, str(mark)) for mark in Mark]
    [('?!', 6, 'inaccuracy'), ('?', 2, 'mistake'), ('??', 4, 'blunder')]
    """

    INACCURACY = "?!"
    MISTAKE = "?"
    BLUNDER = "??"

    @property
    def nag(self) -> int:
        """The number of the annotation glyph in PDN."""
        return _NAGS[self]

    def __str__(self) -> str:
        return self.name.lower()


_NAGS = {Mark.INACCURACY: 6, Mark.MISTAKE: 2, Mark.BLUNDER: 4}


def win_probability(score: Score, scale: float) -> float:
    """Return the expected share of the points of the side with this score, from 0 to 1.

    `scale` is the score that means odds of e to 1, the `score_scale` of a family. It was fitted to several thousand
    positions from self-play: level 7 gives 1.1 men in international, 1.2 in Russian and 0.9 in English draughts, 1.6
    seeds in Kalah and 3.3 in Oware; level 5, which makes more errors, gives 2.0, 1.3, 0.9, 3.9 and 5.6.

    >>> [round(win_probability(Score(value), 1.0), 2) for value in (-1.0, 0.0, 2.0)]
    [0.27, 0.5, 0.88]
    >>> win_probability(Score(2.0, exact=True), 3.0)  # proven: the game is won by two seeds
    1.0
    """
    if score.is_draw:
        return 0.5
    if score.exact or math.isinf(score.value):
        return 1.0 if score.value > 0 else 0.0
    return 0.5 + 0.5 * math.tanh(score.value / scale / 2)  # the logistic function, without overflow


def mark_move(lost: float, *, was_won: bool, is_lost: bool) -> Mark | None:
    """Return the mark of a move that lost this share of the points, or None.

    If the game was a proven win before or is a proven loss now, the lowest threshold is enough for a blunder. Below
    that threshold, the result was expected anyway, and only the proof is new.

    >>> mark_move(0.15, was_won=False, is_lost=False), mark_move(0.15, was_won=False, is_lost=True)
    (Mark.INACCURACY, Mark.BLUNDER)
    >>> mark_move(0.05, was_won=True, is_lost=False) is None
    True
    """
    if lost < INACCURACY:
        return None
    if lost >= BLUNDER or was_won or is_lost:
        return Mark.BLUNDER
    return Mark.MISTAKE if lost >= MISTAKE else Mark.INACCURACY
