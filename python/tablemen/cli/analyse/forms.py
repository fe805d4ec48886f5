"""What `tablemen analyse` prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from tablemen.analysis import GameAnalysis, Mark, MoveAnalysis, PositionAnalysis, draw_graph
from tablemen.analysis.graphs import BLOCK_CHARACTERS
from tablemen.analysis.result import describe, format_score
from tablemen.family import get_family
from tablemen.outcome import Side

LONGEST_LINE = 8  # moves of a line that are shown
NOTABLE = 0.03  # lost chances from which on a better move is shown
WIDTH = 80
PLURALS = {Mark.INACCURACY: "inaccuracies", Mark.MISTAKE: "mistakes", Mark.BLUNDER: "blunders"}


def list_moves(found: PositionAnalysis[Any]) -> Iterator[str]:
    """Who stands better, and the moves of a position with their scores."""
    family = get_family(found.position)
    yield f"{found.position.variant}, {family.side_name(found.turn)} to move"
    yield f"{describe(found)}."
    if not found.lines:
        return
    yield ""
    rows = [
        (str(info.line[0]), str(info.score), str(info.depth), " ".join(map(str, info.line[:LONGEST_LINE])))
        for info in found.lines
    ]
    yield from _table([("move", "score", "depth", "line"), *rows], "<>><")


def list_game(analysis: GameAnalysis[Any], encoding: str | None) -> Iterator[str]:
    """The moves of a game, the graph and how well both sides played."""
    if analysis.moves:
        rows = [_move_row(each) for each in analysis.moves]
        score = get_family(analysis.start.position).side_name(Side.WHITE)
        yield from _table([("", "move", score, ""), *rows], "<<><")
        yield ""
        yield draw_graph(analysis, width=WIDTH, ascii_only=not _can_show(BLOCK_CHARACTERS, encoding))
        yield ""
    yield f"{describe(analysis.moves[-1].after if analysis.moves else analysis.start)}."
    for side in Side:
        yield _sum_up(analysis, side)


def _move_row(each: MoveAnalysis[Any]) -> tuple[str, str, str, str]:
    number, move = str(each).split(" ")
    better = ""
    if each.mark is not None or each.lost_chances >= NOTABLE:
        better = f"{each.before.best} is better, {format_score(each.before)}"
    return number, move, format_score(each.after), better


def _sum_up(analysis: GameAnalysis[Any], side: Side) -> str:
    """How well a side played."""
    summary = analysis.summary(side)
    counts = ((mark, summary.marks[mark]) for mark in Mark)
    marks = ", ".join(f"{count or 'no'} {mark if count == 1 else PLURALS[mark]}" for mark, count in counts)
    moves = "1 move" if summary.moves == 1 else f"{summary.moves} moves"
    name = get_family(analysis.start.position).side_name(side)
    return f"{name}: {moves}, {marks}; {100 * summary.average_loss:.1f} % of the points lost a move"


def _table(rows: Iterable[tuple[str, ...]], alignments: str) -> Iterator[str]:
    """The rows with their columns under each other."""
    listed = list(rows)
    widths = [max(map(len, column)) for column in zip(*listed, strict=True)]
    for row in listed:
        cells = (f"{cell:{side}{width}}" for cell, side, width in zip(row, alignments, widths, strict=True))
        yield "  ".join(cells).rstrip()


def _can_show(text: str, encoding: str | None) -> bool:
    """Whether an encoding has these characters."""
    try:
        text.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
