"""Graphs of the winning chances in a game, as text or SVG.

SVG pictures are self-contained: they have no style sheets, scripts, fonts or identifiers that could clash with other
pictures on the same page. Their colours suit both light and dark pages.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tablemen.analysis.result import GameAnalysis, MoveAnalysis, format_score
from tablemen.analysis.win_probability import Mark
from tablemen.errors import ArgumentError
from tablemen.family import get_family
from tablemen.outcome import Side
from tablemen.validation import is_int
from tablemen.xml import escape

MIN_TEXT_WIDTH = 20
TEXT_TICK_INTERVAL = 10  # columns between two move numbers
MARK_SIGNS = {Mark.BLUNDER: "X", Mark.MISTAKE: "?"}  # the worst first

WIDTH, HEIGHT = 800, 240  # of an SVG picture, in its own units
LEFT, TOP, RIGHT, BOTTOM = 52, 10, 14, 26  # margins around the plot
PLOT_WIDTH, PLOT_HEIGHT = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
MAX_TICKS = 12  # move numbers below the plot
DOT_RADIUS = 4.5

FRAME, LABEL = "#4b382a", "#e9d8b9"
AREA_COLOURS = {Side.WHITE: "#fbf7ec", Side.BLACK: "#35302c"}
UNKNOWN, MIDDLE, CURVE = "#8a7f75", "#b58a60", "#b58a60"
MARK_COLOURS = {Mark.INACCURACY: "#f4d03f", Mark.MISTAKE: "#e67e22", Mark.BLUNDER: "#c0392b"}


@dataclass(frozen=True)
class _CharacterSet:
    """The characters of a text graph: full, lower half and upper half of a cell, and the axis."""

    full: str
    lower: str
    upper: str
    axis: str


_BLOCKS, _ASCII = _CharacterSet("█", "▄", "▀", "─"), _CharacterSet("#", ".", "'", "-")
BLOCK_CHARACTERS = _BLOCKS.full + _BLOCKS.lower + _BLOCKS.upper + _BLOCKS.axis


def draw_graph(analysis: GameAnalysis[Any], *, width: int = 80, height: int = 4, ascii_only: bool = False) -> str:
    """Draw the winning chances after every move as lines of text; bars point up if White, or South, is better.

    A bar that fills all `height` rows is a certain win. The signs above the graph are the blunders, `X`, and mistakes,
    `?`, of White; those below it are Black's. The last line has the move numbers. If the game has more moves than there
    are columns, each column stands for several moves.

    >>> from tablemen.analysis import analyse_game
    >>> from tablemen.draughts import Position
    >>> from tablemen.game import Game
    >>> from tablemen.search import Limit
    >>> game = Game(Position.from_fen("W:WK29,38,42,45:B27,35,K47", "international"), ["38-33", "47x38", "33x42"])
    >>> print(draw_graph(analyse_game(game, Limit(depth=9)), height=2, ascii_only=True))
    White ###
          ###
    even  ---
    <BLANKLINE>
    Black
          1
    """
    for name, value, minimum in (("width", width, MIN_TEXT_WIDTH), ("height", height, 1)):
        if not is_int(value, minimum=minimum):
            raise ArgumentError(name, value, f"a whole number of at least {minimum}")
    names = _side_names(analysis)
    margin = max(map(len, names.values())) + 1
    columns = _columns(analysis, width - margin)
    if not columns:
        return ""
    characters = _ASCII if ascii_only else _BLOCKS

    def bars(side: Side) -> list[tuple[str, str]]:
        """Return the rows of a side with their labels, from the axis outwards; only the last row has a label."""
        return [
            (
                names[side] if row == height else "",
                "".join(_cell(column, side, row, height, characters) for column in columns),
            )
            for row in range(1, height + 1)
        ]

    rows = [
        *_sign_row(columns, Side.WHITE),
        *reversed(bars(Side.WHITE)),
        ("even", characters.axis * len(columns)),
        *bars(Side.BLACK),
        *_sign_row(columns, Side.BLACK),
        ("", _tick_row(columns)),
    ]
    return "\n".join(f"{label:<{margin}}{cells}".rstrip() for label, cells in rows)


@dataclass(frozen=True)
class _Column:
    """The moves of one column, and White's average chances after them; None if these positions are unknown."""

    chances: float | None
    moves: tuple[MoveAnalysis[Any], ...]

    def sign(self, side: Side) -> str:
        """Return the sign of the worst mark of a side."""
        marks = {each.mark for each in self.moves if each.turn is side}
        return next((sign for mark, sign in MARK_SIGNS.items() if mark in marks), " ")


def _columns(analysis: GameAnalysis[Any], maximum: int) -> list[_Column]:
    count = min(maximum, analysis.length)
    bounds = [analysis.length * number // count for number in range(count + 1)] if count else []
    columns = []
    for begin, end in pairwise(bounds):
        known = [chances for chances in analysis.curve[begin + 1 : end + 1] if chances is not None]
        moves = tuple(each for each in analysis.moves if begin <= each.index < end)
        columns.append(_Column(sum(known) / len(known) if known else None, moves))
    return columns


def _cell(column: _Column, side: Side, row: int, height: int, characters: _CharacterSet) -> str:
    """Return the character of a column in a row of a side; rows count from 1 at the axis."""
    if column.chances is None:
        return " "
    lead = (2 * column.chances - 1) * (1 if side is Side.WHITE else -1)
    halves = round(lead * 2 * height) - 2 * (row - 1)
    if halves >= 2:
        return characters.full
    return (characters.lower if side is Side.WHITE else characters.upper) if halves == 1 else " "


def _sign_row(columns: list[_Column], side: Side) -> Iterator[tuple[str, str]]:
    signs = "".join(column.sign(side) for column in columns)
    if signs.strip():
        yield "", signs


def _tick_row(columns: list[_Column]) -> str:
    """Return the line of move numbers, each of which begins below its column."""
    line = ""
    for place in range(0, len(columns), TEXT_TICK_INTERVAL):
        numbers = [each.number for each in columns[place].moves]
        line = f"{line:<{place}}{numbers[0] if numbers else ''}"
    return line


def draw_svg(analysis: GameAnalysis[Any], *, title: str = "", size: int = WIDTH) -> str:
    """Draw the winning chances after every move as an SVG picture, `size` pixels wide.

    The light area from the bottom up is White's, or South's, share of the points; the dark area is Black's. A yellow
    dot marks an inaccuracy, an orange dot a mistake and a red dot a blunder; its tooltip has the move and a better one.

    >>> from tablemen.analysis import analyse_game
    >>> from tablemen.draughts import Position
    >>> from tablemen.game import Game
    >>> from tablemen.search import Limit
    >>> game = Game(Position.from_fen("W:WK29,38,42,45:B27,35,K47", "international"), ["29-7"])
    >>> draw_svg(analyse_game(game, Limit(depth=9))).count('class="blunder"')
    1
    """
    if not is_int(size, minimum=1):
        raise ArgumentError("size", size, "a whole number of pixels, at least 1")
    names = _side_names(analysis)
    heading = escape(title or f"{analysis.variant}: winning chances of {names[Side.WHITE]} after every move")
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
        *(shape for run in _known_runs(analysis) for shape in _areas(analysis, run)),
        f'<path stroke="{MIDDLE}" stroke-dasharray="6 4" d="M{LEFT} {_y(0.5):g}h{PLOT_WIDTH}"/>',
        *_labels(analysis, names),
        *(_dot(analysis, each) for each in analysis.marked()),
        "</svg>",
    ]
    return "\n".join(lines)


def _side_names(analysis: GameAnalysis[Any]) -> dict[Side, str]:
    family = get_family(analysis.start.position)
    return {side: family.side_name(side) for side in Side}


def _x(analysis: GameAnalysis[Any], ply: int) -> float:
    return LEFT + PLOT_WIDTH * ply / max(analysis.length, 1)


def _y(chances: float) -> float:
    return TOP + PLOT_HEIGHT * (1 - chances)


def _known_runs(analysis: GameAnalysis[Any]) -> Iterator[range]:
    """Yield the ranges of consecutive plies whose positions are known."""
    begin = None
    for ply, chances in enumerate((*analysis.curve, None)):
        if chances is not None and begin is None:
            begin = ply
        elif chances is None and begin is not None:
            yield range(begin, ply)
            begin = None


def _areas(analysis: GameAnalysis[Any], run: range) -> Iterator[str]:
    """Yield the areas of both sides for a range of plies, and the curve between them."""
    left, right = _x(analysis, run[0]), _x(analysis, run[-1])
    chances = [analysis.curve[ply] for ply in run]
    points = [
        f"{_x(analysis, ply):.1f} {_y(each):.1f}" for ply, each in zip(run, chances, strict=True) if each is not None
    ]
    if len(points) == 1:  # a game without moves
        right = LEFT + PLOT_WIDTH
        points.append(f"{right:.1f} {points[0].split()[1]}")
    black = f'x="{left:.1f}" y="{TOP}" width="{right - left:.1f}" height="{PLOT_HEIGHT}"'
    yield f'<rect class="black" {black} fill="{AREA_COLOURS[Side.BLACK]}"/>'
    curve = "L".join(points)
    yield f'<path class="white" fill="{AREA_COLOURS[Side.WHITE]}" d="M{left:.1f} {_y(0):g}L{curve}V{_y(0):g}z"/>'
    yield f'<path class="curve" fill="none" stroke="{CURVE}" stroke-width="2" stroke-linejoin="round" d="M{curve}"/>'


def _labels(analysis: GameAnalysis[Any], names: dict[Side, str]) -> Iterator[str]:
    """Yield the labels of the vertical axis and the move numbers."""
    yield f'<g font-size="12" fill="{LABEL}">'
    for text, chances, offset in ((names[Side.WHITE], 1.0, 10), ("even", 0.5, 4), (names[Side.BLACK], 0.0, 0)):
        yield f'<text x="{LEFT - 6}" y="{_y(chances) + offset:g}" text-anchor="end">{text}</text>'
    step = max(1, -(-analysis.length // MAX_TICKS))
    for each in analysis.moves[::step]:
        x = _x(analysis, each.index + 1)
        yield f'<text x="{x:.1f}" y="{HEIGHT - 9}" text-anchor="middle">{each.number}</text>'
    yield "</g>"


def _dot(analysis: GameAnalysis[Any], each: MoveAnalysis[Any]) -> str:
    """Return the dot for a marked move, with its tooltip."""
    assert each.mark is not None
    x, y = _x(analysis, each.index + 1), _y(each.after.chances_for(Side.WHITE))
    text = f"{each}: {format_score(each.after)}; {each.before.best} is better, {format_score(each.before)}"
    return (
        f'<circle class="{each.mark}" cx="{x:.1f}" cy="{y:.1f}" r="{DOT_RADIUS}" fill="{MARK_COLOURS[each.mark]}"'
        f' stroke="{FRAME}"><title>{escape(text)}</title></circle>'
    )
