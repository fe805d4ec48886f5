"""What was found, drawn as SVG: the chances in a game, and the best move of a position.

A picture stands alone: no style sheet, script, font or identifier that could meet another's on the same page. Its
colours are those of a board, which suit a light page and a dark one.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from tablemen.analysis.chances import Mark
from tablemen.analysis.model import GameAnalysis, MoveAnalysis, PositionAnalysis
from tablemen.analysis.words import format_score
from tablemen.draughts import Position as DraughtsPosition
from tablemen.errors import ArgumentError
from tablemen.family import get_family
from tablemen.outcome import Side
from tablemen.validation import is_whole
from tablemen.xml import escape

WIDTH, HEIGHT = 800, 240  # of the picture in its own units; everything else is drawn to them
LEFT, TOP, RIGHT, BOTTOM = 52, 10, 14, 26  # the frame
PLOT_WIDTH, PLOT_HEIGHT = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
MOST_TICKS = 12  # move numbers under the picture
RADIUS = 4.5

FRAME, LABEL = "#4b382a", "#e9d8b9"
SHARE = {Side.WHITE: "#fbf7ec", Side.BLACK: "#35302c"}
UNKNOWN, MIDDLE, CURVE = "#8a7f75", "#b58a60", "#b58a60"
MARKED = {Mark.INACCURACY: "#f4d03f", Mark.MISTAKE: "#e67e22", Mark.BLUNDER: "#c0392b"}


def draw_svg(analysis: GameAnalysis[Any], *, title: str = "", size: int = WIDTH) -> str:
    """White's chances after every move, or South's, as an SVG text, `size` pixels wide.

    White's share of the points is light, from the bottom up, and Black's is dark. A dot marks an inaccuracy in yellow,
    a mistake in orange and a blunder in red; pointing at it tells the move and what was better.

    >>> from tablemen.analysis import analyse_game
    >>> from tablemen.draughts import Position
    >>> from tablemen.game import Game
    >>> from tablemen.search import Limit
    >>> game = Game(Position.from_fen("W:WK29,38,42,45:B27,35,K47", "international"), ["29-7"])
    >>> draw_svg(analyse_game(game, Limit(depth=9))).count('class="blunder"')
    1
    """
    if not is_whole(size, least=1):
        raise ArgumentError("size", size, "a whole number of pixels from 1 up")
    family = get_family(analysis.start.position)
    names = {side: family.side_name(side) for side in Side}
    heading = escape(title or f"{analysis.variant}: the chances of {names[Side.WHITE]}, move by move")
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{size}"'
        f' height="{round(HEIGHT * size / WIDTH)}" role="img" aria-label="{heading}" font-family="sans-serif">'
    )
    plot = f'x="{LEFT}" y="{TOP}" width="{PLOT_WIDTH}" height="{PLOT_HEIGHT}"'
    lines = [
        head,
        f"<title>{heading}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="5" fill="{FRAME}"/>',
        f'<rect {plot} fill="{UNKNOWN}"/>',
        *(shape for run in _runs(analysis) for shape in _area(analysis, run)),
        f'<path stroke="{MIDDLE}" stroke-dasharray="6 4" d="M{LEFT} {_y(0.5):g}h{PLOT_WIDTH}"/>',
        *_labels(analysis, names),
        *(_dot(analysis, each) for each in analysis.marked()),
        "</svg>",
    ]
    return "\n".join(lines)


def draw_best(analysis: PositionAnalysis[Any]) -> str:
    """The position as an SVG text, in draughts with arrows along the way of the best move."""
    position = analysis.position
    if isinstance(position, DraughtsPosition) and analysis.best is not None:
        return position.svg(arrows=[(one.name, other.name) for one, other in pairwise(analysis.best.path)])
    picture: str = position.svg()
    return picture


def _x(analysis: GameAnalysis[Any], place: int) -> float:
    """Where the position after so many moves stands."""
    return LEFT + PLOT_WIDTH * place / max(analysis.length, 1)


def _y(chances: float) -> float:
    return TOP + PLOT_HEIGHT * (1 - chances)


def _runs(analysis: GameAnalysis[Any]) -> Iterator[range]:
    """The places of positions that are known, one after the other."""
    begin = None
    for place, chances in enumerate((*analysis.curve, None)):
        if chances is not None and begin is None:
            begin = place
        elif chances is None and begin is not None:
            yield range(begin, place)
            begin = None


def _area(analysis: GameAnalysis[Any], run: range) -> Iterator[str]:
    """Both shares along a run of positions, and the curve between them."""
    left, right = _x(analysis, run[0]), _x(analysis, run[-1])
    chances = [analysis.curve[place] for place in run]
    points = [
        f"{_x(analysis, place):.1f} {_y(each):.1f}"
        for place, each in zip(run, chances, strict=True)
        if each is not None
    ]
    if len(points) == 1:  # a game without moves
        right = LEFT + PLOT_WIDTH
        points.append(f"{right:.1f} {points[0].split()[1]}")
    black = f'x="{left:.1f}" y="{TOP}" width="{right - left:.1f}" height="{PLOT_HEIGHT}"'
    yield f'<rect class="black" {black} fill="{SHARE[Side.BLACK]}"/>'
    curve = "L".join(points)
    yield f'<path class="white" fill="{SHARE[Side.WHITE]}" d="M{left:.1f} {_y(0):g}L{curve}V{_y(0):g}z"/>'
    yield f'<path class="curve" fill="none" stroke="{CURVE}" stroke-width="2" stroke-linejoin="round" d="M{curve}"/>'


def _labels(analysis: GameAnalysis[Any], names: dict[Side, str]) -> Iterator[str]:
    """Whose edge is which, and the numbers of moves."""
    yield f'<g font-size="12" fill="{LABEL}">'
    for words, chances in ((names[Side.WHITE], 1.0), ("even", 0.5), (names[Side.BLACK], 0.0)):
        down = {1.0: 10, 0.5: 4, 0.0: 0}[chances]
        yield f'<text x="{LEFT - 6}" y="{_y(chances) + down:g}" text-anchor="end">{words}</text>'
    step = max(1, -(-analysis.length // MOST_TICKS))
    for each in analysis.moves[::step]:
        x = _x(analysis, each.index + 1)
        yield f'<text x="{x:.1f}" y="{HEIGHT - 9}" text-anchor="middle">{each.number}</text>'
    yield "</g>"


def _dot(analysis: GameAnalysis[Any], each: MoveAnalysis[Any]) -> str:
    """The dot of a marked move, which tells about it."""
    assert each.mark is not None
    x, y = _x(analysis, each.index + 1), _y(each.after.chances_for(Side.WHITE))
    words = f"{each}: {format_score(each.after)}; {each.before.best} is better, {format_score(each.before)}"
    return (
        f'<circle class="{each.mark}" cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS}" fill="{MARKED[each.mark]}"'
        f' stroke="{FRAME}"><title>{escape(words)}</title></circle>'
    )
