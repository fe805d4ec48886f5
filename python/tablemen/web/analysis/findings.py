"""What a search has found, as the page sees it: scores are those of the first side, whoever is to move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tablemen.analysis import PositionAnalysis
from tablemen.analysis.result import describe, format_score, serialize_score
from tablemen.outcome import Side
from tablemen.search import Info
from tablemen.web.models import Found, LineFacts, ScoreFacts
from tablemen.web.views import tell_move

FIRST = Side.WHITE  # South in mancala; the first of `Family.sides`


@dataclass(frozen=True)
class Finding:
    """The lines of a depth, and what they took in all."""

    what: PositionAnalysis[Any]
    depth: int = 0
    nodes: int = 0
    seconds: float = 0.0


def tell_score(found: PositionAnalysis[Any]) -> ScoreFacts:
    """The score of a position."""
    return ScoreFacts.model_validate({**serialize_score(found.score_for(FIRST)), "text": format_score(found)})


def tell_chances(found: PositionAnalysis[Any]) -> float:
    """The share of the points that the first side can expect."""
    return round(found.chances_for(FIRST), 4)


def tell_found(finding: Finding, number: int = 0) -> Found:
    """The lines; `number` is that of the request."""
    found = finding.what
    return Found(
        id=number,
        depth=finding.depth,
        nodes=finding.nodes,
        seconds=round(finding.seconds, 3),
        verdict=describe(found),
        score=tell_score(found),
        chances=tell_chances(found),
        lines=[_tell_line(found.position, info) for info in found.lines],
    )


def _tell_line(position: Any, info: Info[Any]) -> LineFacts:
    found: PositionAnalysis[Any] = PositionAnalysis(position, info.score)
    return LineFacts(
        move=tell_move(position, info.line[0]),
        line=[str(move) for move in info.line],
        score=tell_score(found),
        chances=tell_chances(found),
    )
