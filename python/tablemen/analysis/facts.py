"""What an analysis found, as JSON has it."""

from __future__ import annotations

import math
from typing import Any

from tablemen.analysis.chances import Mark
from tablemen.analysis.model import GameAnalysis, MoveAnalysis, PositionAnalysis
from tablemen.analysis.words import describe
from tablemen.family import get_family
from tablemen.outcome import Side
from tablemen.search import Info, Score


def position_facts(found: PositionAnalysis[Any]) -> dict[str, object]:
    """A position and its best moves; scores are those of the side to move, chances those of each side by its name."""
    family = get_family(found.position)
    return {
        "variant": found.position.variant.name,
        "position": family.format_position(found.position),
        "turn": family.sides[found.turn],
        "verdict": describe(found),
        "score": score_facts(found.score),
        "chances": _chances(found),
        "outcome": None if found.outcome is None else str(found.outcome.termination),
        "lines": [_line_facts(info) for info in found.lines],
    }


def game_facts(analysis: GameAnalysis[Any]) -> dict[str, object]:
    """A game move by move, and how well both sides played.

    Scores are those of White or South, chances those of each side by its name.
    """
    family = get_family(analysis.start.position)
    return {
        "variant": analysis.variant.name,
        "start": family.format_position(analysis.start.position),
        "score": score_facts(analysis.start.score_for(Side.WHITE)),
        "chances": _chances(analysis.start),
        "moves": [_move_facts(each) for each in analysis.moves],
        "summary": {family.sides[side]: _summary_facts(analysis, side) for side in Side},
    }


def score_facts(score: Score) -> dict[str, object]:
    """A score; its value is null where it is infinite, and `text` says then whether it is a win or a loss."""
    value = None if math.isinf(score.value) else round(score.value, 4)
    return {"text": str(score), "value": value, "exact": score.exact, "plies": score.plies}


def _chances(found: PositionAnalysis[Any]) -> dict[str, float]:
    """The share of the points that each side can expect."""
    sides = get_family(found.position).sides
    return {sides[side]: round(found.chances_for(side), 4) for side in Side}


def _line_facts(info: Info[Any]) -> dict[str, object]:
    return {
        "move": str(info.line[0]),
        "score": score_facts(info.score),
        "depth": info.depth,
        "line": [str(move) for move in info.line],
    }


def _move_facts(each: MoveAnalysis[Any]) -> dict[str, object]:
    best = each.before.lines[0] if each.before.lines else None
    return {
        "ply": each.index + 1,
        "number": each.number,
        "turn": get_family(each.before.position).sides[each.turn],
        "move": str(each.move),
        "score": score_facts(each.after.score_for(Side.WHITE)),
        "chances": _chances(each.after),
        "best": None if best is None else str(best.line[0]),
        "line": [] if best is None else [str(move) for move in best.line],
        "depth": None if best is None else best.depth,
        "loss": None if math.isinf(each.loss) else round(each.loss, 4),
        "lost_chances": round(each.lost_chances, 4),
        "mark": None if each.mark is None else str(each.mark),
    }


def _summary_facts(analysis: GameAnalysis[Any], side: Side) -> dict[str, object]:
    summary = analysis.summary(side)
    marks = {str(mark): summary.marks[mark] for mark in Mark}
    return {"moves": summary.moves, "average_loss": round(summary.average_loss, 4), **marks}
