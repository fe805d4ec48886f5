"""What a score is worth in points, and which moves throw too many of them away.

A man more means little in a won game and much in an even one. So moves are judged by winning chances: the share of the
points that a side can expect, 1 for a win and 1/2 for a draw. They are the logistic function of the score.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

from tablemen.enums import Named
from tablemen.search import Score

# How much more one must have, in men or in seeds, for odds of e to 1, by the family. Fitted to some thousand positions
# from games of the search against itself, level 7 gives 1.1 men in international, 1.2 in Russian and 0.9 in English
# draughts, 1.6 seeds in Kalah and 3.3 in Oware; level 5, which errs more, 2.0, 1.3, 0.9, 3.9 and 5.6.
SCALES: Mapping[str, float] = MappingProxyType({"draughts": 1.0, "mancala": 3.0})

# Lost chances from which on a move is marked.
INACCURACY, MISTAKE, BLUNDER = 0.10, 0.20, 0.30


class Mark(Named):
    """What is wrong with a move; the value is the sign that players write behind it.

    >>> [(mark.value, mark.nag, str(mark)) for mark in Mark]
    [('?!', 6, 'inaccuracy'), ('?', 2, 'mistake'), ('??', 4, 'blunder')]
    """

    INACCURACY = "?!"
    MISTAKE = "?"
    BLUNDER = "??"

    @property
    def nag(self) -> int:
        """The number of the glyph that PDN has for it."""
        return _NAGS[self]

    def __str__(self) -> str:
        return self.name.lower()


_NAGS = {Mark.INACCURACY: 6, Mark.MISTAKE: 2, Mark.BLUNDER: 4}


def winning_chances(score: Score, family: str) -> float:
    """The share of the points that the side with this score can expect, from 0 to 1.

    >>> [round(winning_chances(Score(value), "draughts"), 2) for value in (-1.0, 0.0, 2.0)]
    [0.27, 0.5, 0.88]
    >>> winning_chances(Score(2.0, exact=True), "mancala")  # proven: the game is won by two seeds
    1.0
    """
    if score.is_draw:
        return 0.5
    if score.exact or math.isinf(score.value):
        return 1.0 if score.value > 0 else 0.0
    return 0.5 + 0.5 * math.tanh(score.value / SCALES[family] / 2)  # the logistic function, without overflow


def judge(lost: float, *, was_won: bool, is_lost: bool) -> Mark | None:
    """The mark of a move that threw so many chances away.

    What is proven weighs more: where the game was won for certain, or is lost for certain now, the first threshold is
    enough for a blunder. Below it the result was no surprise, and only its proof is new.

    >>> judge(0.15, was_won=False, is_lost=False), judge(0.15, was_won=False, is_lost=True)
    (Mark.INACCURACY, Mark.BLUNDER)
    >>> judge(0.05, was_won=True, is_lost=False) is None
    True
    """
    if lost < INACCURACY:
        return None
    if lost >= BLUNDER or was_won or is_lost:
        return Mark.BLUNDER
    return Mark.MISTAKE if lost >= MISTAKE else Mark.INACCURACY
