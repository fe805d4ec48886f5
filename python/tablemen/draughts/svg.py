"""Positions drawn as SVG, for notebooks and pages.

A picture stands alone: no style sheet, script, font or identifier that could meet another's on the same page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from tablemen._core import Move, Position
from tablemen.draughts.board import Kind, Notation, Playable, Square, squares_by_text
from tablemen.draughts.diagram import edge_labels
from tablemen.draughts.rules import DraughtsRules
from tablemen.errors import TablemenError
from tablemen.outcome import Side
from tablemen.xml import escape

CELL = 40  # the side of a square in the picture's own units; everything else is drawn to it
RADIUS = 14.5
SHAFT, HEAD, RING = 6, 16, 17  # of arrows: how wide, how long their heads, and the ring around a single square
EDGE, LABELLED_EDGE = 8, 20  # the frame, and where it carries letters and digits

FRAME, LABEL = "#4b382a", "#e9d8b9"
LIGHT, DARK, DARKER = "#efdfc3", "#b58a60", "#a97d53"
NUMBER = "#3b2a1c"
MARK, WAY, CAPTURED = "#f4d03f", "#1f5f8b", "#c0392b"
DISC = {Side.WHITE: "#fbf7ec", Side.BLACK: "#35302c"}
RIM = {Side.WHITE: "#6f6353", Side.BLACK: "#14110f"}
GROOVE = {Side.WHITE: "#cfc4ae", Side.BLACK: "#6a615a"}
ARROW, MARKED = "#15803d", "#4c9be8"
CROWN, CROWN_RIM = "#e3aa2c", "#7a5510"
CROWN_PATH = "m-8.5 7-1.7-11.5 5.6 4.7 4.6-8.2 4.6 8.2 5.6-4.7-1.7 11.5z"


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow from a square to another, or a ring around a square where both are the same; any colour of CSS.

    >>> Arrow("c3", "d4")
    Arrow(start='c3', end='d4', colour='#15803d')
    """

    start: int | str
    end: int | str
    colour: str = ARROW


@dataclass(frozen=True, slots=True)
class Mark:
    """A coloured square.

    >>> Mark(28, "tomato")
    Mark(square=28, colour='tomato')
    """

    square: int | str
    colour: str = MARKED


Arrows: TypeAlias = Iterable[Arrow | tuple[int | str, int | str]]
Marks: TypeAlias = Iterable[Mark | int | str]


def draw(  # noqa: PLR0913 - all but the position may be left out
    position: Position,
    *,
    last_move: Move | None = None,
    orientation: Side = Side.WHITE,
    arrows: Arrows = (),
    marks: Marks = (),
    size: int = 400,
) -> str:
    """The board as an SVG text; its longer side measures `size` pixels.

    `last_move` shows the move that led here: where it began and ended, its way and what it captured. `orientation` is
    the side at the bottom. `arrows` are `Arrow`s or pairs of squares, and `marks` are `Mark`s or squares.

    >>> from tablemen.draughts import Position
    >>> position = Position.start("russian")
    >>> move = position.legal_moves()[0]
    >>> picture = draw(position.play(move), last_move=move, orientation=Side.BLACK, arrows=[("f6", "g5")], marks=["b4"])
    >>> picture.count("<circle")
    24

    Raises `TablemenError` where the last move is of another variant, a square is not on the board or the size is no
    size.
    """
    if not isinstance(orientation, Side):
        raise TypeError(f"the orientation is a Side, not {orientation!r}")
    if size < 1:
        raise TablemenError(f"a picture cannot be {size} pixels large")
    if last_move is not None and last_move.variant != position.variant:
        raise TablemenError(f"the last move is of {last_move.variant.name}, the position of {position.variant.name}")
    marked = [each if isinstance(each, Mark) else Mark(each) for each in marks]
    pointed = [each if isinstance(each, Arrow) else Arrow(*each) for each in arrows]
    canvas = _Canvas(position.variant, orientation)
    scale = size / max(canvas.width, canvas.height)
    description = escape(f"{position.variant}, {position.fen()}")
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {canvas.width} {canvas.height}"'
        f' width="{round(canvas.width * scale)}" height="{round(canvas.height * scale)}"'
        f' role="img" aria-label="{description}" font-family="sans-serif">'
    )
    lines = [
        head,
        f"<title>{escape(str(position.variant))}, {position.turn} to move</title>",
        *canvas.board(),
        *(canvas.ends(last_move) if last_move else ()),
        *(canvas.mark(each) for each in marked),
        *canvas.names(),
        *(canvas.way(last_move) if last_move else ()),
        *canvas.pieces(position),
        *(canvas.crosses(last_move) if last_move else ()),
        *(canvas.arrow(each) for each in pointed),
        "</svg>",
    ]
    return "\n".join(lines)


class _Canvas:
    """Where squares are in the picture, and the layers that are drawn on them."""

    def __init__(self, rules: DraughtsRules, orientation: Side) -> None:
        self.rules = rules
        self.flipped = orientation is Side.BLACK
        self.squares = squares_by_text(rules.mover.squares)
        self.edge = EDGE if rules.notation is Notation.NUMERIC else LABELLED_EDGE
        self.width = self.edge + CELL * rules.columns + EDGE
        self.height = EDGE + CELL * rules.rows + self.edge

    def left(self, column: int) -> int:
        """Where a column begins."""
        return self.edge + CELL * (self.rules.columns - 1 - column if self.flipped else column)

    def top(self, row: int) -> int:
        """Where a row begins."""
        return EDGE + CELL * (self.rules.rows - 1 - row if self.flipped else row)

    def centre(self, square: Square) -> tuple[int, int]:
        """The middle of a square."""
        return self.left(square.column) + CELL // 2, self.top(square.row) + CELL // 2

    def find(self, square: int | str) -> Square:
        """The square of this name or number."""
        found = self.squares.get(str(square).lower())
        if found is None:
            raise TablemenError(f"{self.rules.name} has no square {square!r}")
        return found

    def board(self) -> Iterator[str]:
        """The frame and the squares."""
        rules = self.rules
        yield f'<rect width="{self.width}" height="{self.height}" rx="5" fill="{FRAME}"/>'
        yield f'<path fill="{LIGHT}" d="M{self.edge} {EDGE}h{CELL * rules.columns}v{CELL * rules.rows}H{self.edge}z"/>'
        # Where all squares are used, two close shades tell neighbours apart.
        for shade, parity in ((DARK, 0), (DARKER, 1)):
            squares = [each for each in rules.mover.squares if self.parity(each) == parity]
            if squares:
                yield f'<path fill="{shade}" d="{"".join(map(self.outline, squares))}"/>'

    def parity(self, square: Square) -> int:
        """0 and 1 in turn where all squares are used, else 0."""
        return (square.row + square.column) % 2 if self.rules.playable is Playable.ALL else 0

    def outline(self, square: Square) -> str:
        """The square as a piece of a path."""
        return f"M{self.left(square.column)} {self.top(square.row)}h{CELL}v{CELL}h-{CELL}z"

    def names(self) -> Iterator[str]:
        """The names of the squares, as the variant's players look for them."""
        return self.numbers() if self.rules.notation is Notation.NUMERIC else self.labels()

    def numbers(self) -> Iterator[str]:
        """A small number in the corner of each square."""
        size = 8 if len(self.rules.mover.squares) < 100 else 6  # to stay clear of the discs
        yield f'<g font-size="{size}" fill="{NUMBER}">'
        for square in self.rules.mover.squares:
            yield f'<text x="{self.left(square.column) + 1}" y="{self.top(square.row) + size - 1}">{square}</text>'
        yield "</g>"

    def labels(self) -> Iterator[str]:
        """Letters and digits along the left and the lower edge."""
        rows, columns = edge_labels(self.rules)
        yield f'<g font-size="12" fill="{LABEL}" text-anchor="middle">'
        for row, label in enumerate(rows):
            yield f'<text x="{self.edge // 2}" y="{self.top(row) + CELL // 2 + 4}">{label}</text>'
        for column, label in enumerate(columns):
            yield f'<text x="{self.left(column) + CELL // 2}" y="{self.height - 6}">{label}</text>'
        yield "</g>"

    def ends(self, move: Move) -> Iterator[str]:
        """The squares where a move began and ended."""
        ends = "".join(self.outline(square) for square in dict.fromkeys((move.start, move.end)))
        yield f'<path class="last-move" fill="{MARK}" fill-opacity=".6" d="{ends}"/>'

    def mark(self, mark: Mark) -> str:
        """A coloured square."""
        outline = self.outline(self.find(mark.square))
        return f'<path class="mark" fill="{escape(mark.colour)}" fill-opacity=".6" d="{outline}"/>'

    def arrow(self, arrow: Arrow) -> str:
        """An arrow between the middles of two squares, or a ring."""
        start, end = (complex(*self.centre(self.find(square))) for square in (arrow.start, arrow.end))
        colour, length = escape(arrow.colour), abs(end - start)
        if not length:
            turns = "".join(f"a{RING} {RING} 0 1 0 {across} 0" for across in (2 * RING, -2 * RING))
            ring = f"M{start.real - RING:g} {start.imag:g}{turns}z"
            return (
                f'<path class="arrow" fill="none" stroke="{colour}" stroke-width="4" stroke-opacity=".8" d="{ring}"/>'
            )
        neck, half = length - HEAD, SHAFT / 2
        right = [0 + half * 1j, neck + half * 1j, neck + HEAD / 2 * 1j]  # of an arrow that points along the first axis
        left = [corner.conjugate() for corner in reversed(right)]
        corners = [start + corner * (end - start) / length for corner in (*right, length, *left)]
        outline = "L".join(f"{corner.real:.1f} {corner.imag:.1f}" for corner in corners)
        return f'<path class="arrow" fill="{colour}" fill-opacity=".8" d="M{outline}z"/>'

    def way(self, move: Move) -> Iterator[str]:
        """A line along the way of a move, with a dot where it began and wherever it stopped."""
        centres = [self.centre(square) for square in move.path]
        points = " ".join(f"{x},{y}" for x, y in centres)
        yield (
            f'<g stroke="{WAY}" stroke-opacity=".75" stroke-linecap="round" stroke-linejoin="round" fill="none">'
            f'<polyline class="way" stroke-width="4" points="{points}"/>'
        )
        stops = "".join(f"M{x} {y}h0" for x, y in centres[:-1])
        yield f'<path stroke-width="11" d="{stops}"/></g>'

    def pieces(self, position: Position) -> Iterator[str]:
        """A disc for each piece, and a crown on it for a king."""
        for side in Side:
            kings = position.squares(side, Kind.KING)
            squares = sorted((*position.squares(side, Kind.MAN), *kings), key=lambda each: (each.row, each.column))
            if squares:
                yield f'<g fill="{DISC[side]}" stroke="{RIM[side]}" stroke-width="1.5">'
                for square in squares:
                    x, y = self.centre(square)
                    yield f'<circle class="{side}" cx="{x}" cy="{y}" r="{RADIUS}"/>'
                yield "</g>"
                yield self.grooves(squares, side)
            if kings:
                yield self.crowns(kings)

    def grooves(self, squares: list[Square], side: Side) -> str:
        """The ring turned into the top of each disc."""
        ring = "m-10.5 0a10.5 10.5 0 1 0 21 0a10.5 10.5 0 1 0-21 0z"
        rings = "".join("M{} {}{}".format(*self.centre(square), ring) for square in squares)
        return f'<path fill="none" stroke="{GROOVE[side]}" stroke-width="1.5" d="{rings}"/>'

    def crowns(self, kings: tuple[Square, ...]) -> str:
        """A crown on each king."""
        crowns = "".join("M{} {}{}".format(*self.centre(square), CROWN_PATH) for square in kings)
        return f'<path class="crowns" fill="{CROWN}" stroke="{CROWN_RIM}" stroke-linejoin="round" d="{crowns}"/>'

    def crosses(self, move: Move) -> Iterator[str]:
        """A cross on each square where a piece was captured."""
        if move.captured:
            strokes = "m-7-7 14 14m0-14-14 14"
            crosses = "".join("M{} {}{}".format(*self.centre(square), strokes) for square in move.captured)
            yield f'<path class="captured" stroke="{CAPTURED}" stroke-width="4" stroke-linecap="round" d="{crosses}"/>'
