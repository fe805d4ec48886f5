"""What a program has found, as `info` says it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from tablemen._core import Move, Position
from tablemen.draughts.notation import format_hub_move, parse_hub_move
from tablemen.errors import TablemenError
from tablemen.protocols.hub.message import Message, message
from tablemen.protocols.hub.numbers import read_real, read_whole, write_real
from tablemen.search import Info, Score

KNOWN = ("depth", "score", "nodes", "time", "pv")  # what is made use of
MOST_MOVES = 60  # of a line that are read: checking more of them would only take time

WON = 100.0  # men: what a game is worth that is won on the spot
PLY = 0.01  # and how much less a later win is
LEAST_WON = 99.0


def men_of(score: Score) -> float:
    """A score in men, always a finite number: a win is worth almost a hundred, and less the later it comes.

    >>> men_of(Score(0.35)), men_of(Score(-math.inf, exact=True, plies=7))
    (0.35, -99.93)
    """
    if math.isfinite(score.value):
        return score.value
    men = max(LEAST_WON, WON - PLY * (score.plies or 0))
    return math.copysign(round(men, 2), score.value)


def format_info(info: Info[Any]) -> Message:
    """The message that tells of it: nodes a second in millions, and the score for the side to move."""
    return message(
        "info",
        depth=info.depth,
        score=f"{men_of(info.score):.2f}".replace("-0.00", "0.00"),
        nodes=info.nodes,
        time=write_real(info.time, 3),
        nps=write_real(info.nodes_per_second / 1e6, 3),
        pv=" ".join(format_hub_move(move) for move in info.line) or None,
    )


def read_info(told: Mapping[str, str], position: Position) -> Info[Any] | None:
    """What a program has told of a position by now; None where it has not told any score.

    Numbers that are none do not count, and a line ends before the first move that is not legal.
    """
    men = read_real(told.get("score"))
    if men is None:
        return None
    return Info(
        depth=read_whole(told.get("depth")) or 0,
        score=Score(men),
        nodes=max(0, read_whole(told.get("nodes")) or 0),
        time=max(0.0, read_real(told.get("time")) or 0.0),
        line=read_line(told.get("pv", ""), position),
    )


def read_line(text: str, position: Position) -> tuple[Move, ...]:
    """The moves of a line as far as they are legal."""
    moves: list[Move] = []
    for word in text.split(maxsplit=MOST_MOVES)[:MOST_MOVES]:
        try:
            move = parse_hub_move(word, position)
        except TablemenError:
            break
        moves.append(move)
        position = position.play(move)
    return tuple(moves)
