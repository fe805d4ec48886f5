"""The results of an analysis, for a position, a move or a game, and their text and JSON."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from tablemen.analysis.win_probability import Mark, mark_move, win_probability
from tablemen.endgame import EndgameResult, Wdl
from tablemen.family import get_family
from tablemen.outcome import Outcome, Side
from tablemen.search import Info, Score

M = TypeVar("M")

# The minimum winning chances for each description.
_ADVANTAGES = (
    (0.90, "is winning"),
    (0.75, "stands much better"),
    (0.62, "stands better"),
    (0.55, "stands a little better"),
)


@dataclass(frozen=True, slots=True)
class PositionAnalysis(Generic[M]):
    """A position with its score for the side to move, and its best lines; a finished game has no lines.

    `endgame` is the proven value if a tablebase has the position. The score then follows from it, unless a draw rule
    may end the game first.
    """

    position: Any
    score: Score
    lines: tuple[Info[M], ...] = ()
    outcome: Outcome | None = None
    endgame: EndgameResult | None = None

    @property
    def turn(self) -> Side:
        """The side to move."""
        side: Side = self.position.turn
        return side

    @property
    def best(self) -> M | None:
        """The best move found."""
        return self.lines[0].line[0] if self.lines else None

    def score_for(self, side: Side) -> Score:
        """Return the score from the point of view of a side.

        The side to move need not be the opponent of the last mover: in Kalah a side may move again.
        """
        if side is self.turn:
            return self.score
        return Score(-self.score.value, exact=self.score.exact, plies=self.score.plies)

    def chances_for(self, side: Side) -> float:
        """Return the expected share of the points of a side, from 0 to 1."""
        return win_probability(self.score_for(side), get_family(self.position).score_scale)

    def _repr_svg_(self) -> str:
        return get_family(self.position).draw_best_move(self.position, self.best)


@dataclass(frozen=True, slots=True)
class MoveAnalysis(Generic[M]):
    """A move of a game, with the analyses of the positions before and after it.

    `index` counts the moves of the game from 0. `number` is the move number in a game file, which both sides share.
    """

    index: int
    number: int
    move: M
    before: PositionAnalysis[M]
    after: PositionAnalysis[M]

    @property
    def turn(self) -> Side:
        """The side that moved."""
        return self.before.turn

    @property
    def is_best(self) -> bool:
        """Whether the move is the best one found, or the game was already over."""
        return self.before.outcome is not None or self.move == self.before.best

    @property
    def loss(self) -> float:
        """The score lost by the move, in men or seeds; infinite if it lost a proven win.

        The loss is the score of the best move minus the score after the move played. It is 0 if the move is the best
        one found, or turned out to be even better.
        """
        best, got = self.before.score.value, self.after.score_for(self.turn).value
        return 0.0 if self.is_best or got >= best else best - got

    @property
    def lost_chances(self) -> float:
        """The share of the points lost by the move, from 0 to 1."""
        if self.is_best:
            return 0.0
        return max(0.0, self.before.chances_for(self.turn) - self.after.chances_for(self.turn))

    @property
    def mark(self) -> Mark | None:
        """The mark of a bad move; None for other moves."""
        return mark_move(
            self.lost_chances, was_won=self.before.score.is_win, is_lost=self.after.score_for(self.turn).is_loss
        )

    def __str__(self) -> str:
        rules = self.before.position.variant
        is_first = self.turn is get_family(rules).first_side(rules)
        return f"{self.number}{'.' if is_first else '...'} {self.move}{self.mark.value if self.mark else ''}"


@dataclass(frozen=True, slots=True)
class Summary:
    """The play of a side: its number of moves, the average share of the points lost by a move, and its marks."""

    moves: int
    average_loss: float  # from 0 to 1
    marks: Counter[Mark]


@dataclass(frozen=True)
class GameAnalysis(Generic[M]):
    """The analysis of a game.

    `moves` has the moves from known positions: all moves, unless a game file omits some. `length` is the number of all
    moves. `start` is the first known position.
    """

    start: PositionAnalysis[M]
    moves: tuple[MoveAnalysis[M], ...]
    length: int

    @property
    def variant(self) -> Any:
        """The rules of the game."""
        return self.start.position.variant

    @cached_property
    def curve(self) -> tuple[float | None, ...]:
        """The chances of White, or South, at the start and after every move; None for unknown positions."""
        curve: list[float | None] = [None] * (self.length + 1)
        for each in self.moves:
            if curve[each.index] is None:
                curve[each.index] = each.before.chances_for(Side.WHITE)
            curve[each.index + 1] = each.after.chances_for(Side.WHITE)
        return tuple(curve) if self.moves else (self.start.chances_for(Side.WHITE), *curve[1:])

    def marked(self) -> Iterator[MoveAnalysis[M]]:
        """Return the marked moves."""
        return (each for each in self.moves if each.mark is not None)

    def summary(self, side: Side) -> Summary:
        """Return the summary of a side."""
        moves = [each for each in self.moves if each.turn is side]
        lost = sum(each.lost_chances for each in moves) / len(moves) if moves else 0.0
        return Summary(len(moves), lost, Counter(each.mark for each in moves if each.mark is not None))

    def _repr_svg_(self) -> str:
        from tablemen.analysis.graphs import draw_svg

        return draw_svg(self)


def format_score(analysis: PositionAnalysis[Any]) -> str:
    """Format the score for White, or South: positive if White is better, whichever side is to move.

    >>> from tablemen.draughts import Position
    >>> black_to_move = Position.start("english")
    >>> print(format_score(PositionAnalysis(black_to_move, Score(0.5))))
    -0.50
    """
    score = analysis.score_for(Side.WHITE)
    if not math.isinf(score.value):
        return str(score)
    winner = get_family(analysis.position).side_name(Side.WHITE if score.value > 0 else Side.BLACK)
    if score.plies is None:
        return f"{winner} wins"
    return f"{winner} wins in {_format_plies(score.plies)}" if score.plies else f"{winner} has won"


def describe(analysis: PositionAnalysis[Any]) -> str:
    """Return a sentence, without a full stop, on which side is better, by how much, and its share of the points.

    >>> from tablemen.draughts import Position
    >>> black_to_move = Position.start("english")
    >>> describe(PositionAnalysis(black_to_move, Score(0.5)))
    'Black stands better, ahead by 0.50: 62 % of the points'
    """
    family = get_family(analysis.position)
    if analysis.outcome is not None:
        return family.describe_outcome(analysis.outcome, analysis.position)
    if analysis.endgame is not None and analysis.endgame.wdl is not Wdl.DRAW:
        return analysis.endgame.describe(family.side_name(analysis.turn))
    if analysis.score.is_draw:
        return "The game is drawn with perfect play"
    better = max(Side, key=analysis.chances_for)
    name, score = family.side_name(better), analysis.score_for(better)
    if score.exact:
        how = f"in {_format_plies(score.plies)} at the latest" if score.plies is not None else f"by {score.value:g}"
        return f"{name} wins {how} with perfect play"
    return _describe_estimate(name, score, analysis.chances_for(better))


def _describe_estimate(name: str, score: Score, chances: float) -> str:
    """Describe the score of the side that is better, and its share of the points."""
    lead, points = f"{abs(score.value):.2f}", f"{100 * chances:.0f} % of the points"
    for minimum, advantage in _ADVANTAGES:
        if chances >= minimum:
            return f"{name} {advantage}, ahead by {lead}: {points}"
    if lead == "0.00":
        return f"The position is even: {points}"
    return f"The position is about even, {name} ahead by {lead}: {points}"


def serialize_position_analysis(analysis: PositionAnalysis[Any]) -> dict[str, object]:
    """Return the analysis of a position as JSON values.

    Scores are for the side to move; chances are given for each side by its name.
    """
    family = get_family(analysis.position)
    return {
        "variant": analysis.position.variant.name,
        "position": family.format_position(analysis.position),
        "turn": family.sides[analysis.turn],
        "verdict": describe(analysis),
        "score": serialize_score(analysis.score),
        "chances": _serialize_chances(analysis),
        "outcome": None if analysis.outcome is None else str(analysis.outcome.termination),
        "endgame": None if analysis.endgame is None else family.serialize_endgame(analysis.endgame),
        "lines": [
            {
                "move": str(info.line[0]),
                "score": serialize_score(info.score),
                "depth": info.depth,
                "line": [str(move) for move in info.line],
            }
            for info in analysis.lines
        ],
    }


def serialize_game_analysis(analysis: GameAnalysis[Any]) -> dict[str, object]:
    """Return the analysis of a game as JSON values: every move, and a summary of each side.

    Scores are for White or South; chances are given for each side by its name.
    """
    family = get_family(analysis.start.position)
    return {
        "variant": analysis.variant.name,
        "start": family.format_position(analysis.start.position),
        "score": serialize_score(analysis.start.score_for(Side.WHITE)),
        "chances": _serialize_chances(analysis.start),
        "moves": [_serialize_move(each) for each in analysis.moves],
        "summary": {family.sides[side]: _serialize_summary(analysis.summary(side)) for side in Side},
    }


def serialize_score(score: Score) -> dict[str, object]:
    """Return a score as JSON values; an infinite score has the value null, and `text` says win or loss."""
    value = None if math.isinf(score.value) else round(score.value, 4)
    return {"text": str(score), "value": value, "exact": score.exact, "plies": score.plies}


def _serialize_chances(analysis: PositionAnalysis[Any]) -> dict[str, float]:
    sides = get_family(analysis.position).sides
    return {sides[side]: round(analysis.chances_for(side), 4) for side in Side}


def _serialize_move(each: MoveAnalysis[Any]) -> dict[str, object]:
    best = each.before.lines[0] if each.before.lines else None
    return {
        "ply": each.index + 1,
        "number": each.number,
        "turn": get_family(each.before.position).sides[each.turn],
        "move": str(each.move),
        "score": serialize_score(each.after.score_for(Side.WHITE)),
        "chances": _serialize_chances(each.after),
        "best": None if best is None else str(best.line[0]),
        "line": [] if best is None else [str(move) for move in best.line],
        "depth": None if best is None else best.depth,
        "loss": None if math.isinf(each.loss) else round(each.loss, 4),
        "lost_chances": round(each.lost_chances, 4),
        "mark": None if each.mark is None else str(each.mark),
    }


def _serialize_summary(summary: Summary) -> dict[str, object]:
    marks = {str(mark): summary.marks[mark] for mark in Mark}
    return {"moves": summary.moves, "average_loss": round(summary.average_loss, 4), **marks}


def _format_plies(count: int) -> str:
    return "1 ply" if count == 1 else f"{count} plies"
