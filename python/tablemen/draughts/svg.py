"""Positions as SVG pictures, for notebooks and web pages.

A picture is self-contained: it has no style sheet, script, font or identifier that could clash with others on a page.
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

CELL = 40  # the side of a square in SVG units, the scale of everything else
RADIUS = 14.5
SHAFT, HEAD, RING = 6, 16, 17  # of arrows: width of the shaft, length of the head, radius of the ring around a square
EDGE, LABELLED_EDGE = 8, 20  # width of the frame, and of its edges with letters and digits

FRAME, LABEL = "#4b382a", "#e9d8b9"
LIGHT, DARK, DARKER = "#efdfc3", "#b58a60", "#a97d53"
NUMBER = "#3b2a1c"
LAST_MOVE, PATH, CAPTURED = "#f4d03f", "#1f5f8b", "#c0392b"
DISC = {Side.WHITE: "#fbf7ec", Side.BLACK: "#35302c"}
RIM = {Side.WHITE: "#6f6353", Side.BLACK: "#14110f"}
GROOVE = {Side.WHITE: "#cfc4ae", Side.BLACK: "#6a615a"}
ARROW, MARKED = "#15803d", "#4c9be8"
CROWN, CROWN_RIM = "#e3aa2c", "#7a5510"
CROWN_PATH = "m-8.5 7-1.7-11.5 5.6 4.7 4.6-8.2 4.6 8.2 5.6-4.7-1.7 11.5z"


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow from a square to another, or a ring around a square if both are the same, in any CSS colour.

    >>> Arrow("c3", "d4")
    Arrow(start='c3', end='d4', colour='#15803d')
    """

    start: int | str
    end: int | str
    colour: str = ARROW


@dataclass(frozen=True, slots=True)
class SquareMark:
    """A square marked with any CSS colour.

    >>> SquareMark(28, "tomato")
    SquareMark(square=28, colour='tomato')
    """

    square: int | str
    colour: str = MARKED


Arrows: TypeAlias = Iterable[Arrow | tuple[int | str, int | str]]
Marks: TypeAlias = Iterable[SquareMark | int | str]


def draw(  # noqa: PLR0913 - all but the position are options
    position: Position,
    *,
    last_move: Move | None = None,
    orientation: Side | None = None,
    arrows: Arrows = (),
    marks: Marks = (),
    size: int = 400,
) -> str:
    """Draw the board as SVG; its longer side measures `size` pixels.

    `last_move`, the move before the position, is shown with its ends, its path and its captures. `orientation` is the
    side at the bottom, White by default. `arrows` are `Arrow`s or pairs of squares, and `marks` are `SquareMark`s or
    squares.

    >>> from tablemen.draughts import Position
    >>> position = Position.start("russian")
    >>> move = position.legal_moves()[0]
    >>> picture = draw(position.play(move), last_move=move, orientation=Side.BLACK, arrows=[("f6", "g5")], marks=["b4"])
    >>> picture.count("<circle")
    24

    Raises `TablemenError` if the last move is of another variant, a square is not on the board or the size is below 1.
    """
    if orientation is not None and not isinstance(orientation, Side):
        raise TypeError(f"orientation must be a Side or None, not {orientation!r}")
    if size < 1:
        raise TablemenError(f"size must be at least 1 pixel, not {size}")
    if last_move is not None and last_move.variant != position.variant:
        raise TablemenError(
            f"the last move is one of {last_move.variant.name}, but the position is one of {position.variant.name}"
        )
    all_marks = [each if isinstance(each, SquareMark) else SquareMark(each) for each in marks]
    all_arrows = [each if isinstance(each, Arrow) else Arrow(*each) for each in arrows]
    canvas = _Canvas(position.variant, Side.WHITE if orientation is None else orientation)
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
        *canvas.draw_board(),
        *(canvas.draw_ends(last_move) if last_move else ()),
        *map(canvas.draw_mark, all_marks),
        *(canvas.draw_numbers() if position.variant.notation is Notation.NUMERIC else canvas.draw_labels()),
        *(canvas.draw_path(last_move) if last_move else ()),
        *canvas.draw_pieces(position),
        *(canvas.draw_captures(last_move) if last_move else ()),
        *map(canvas.draw_arrow, all_arrows),
        "</svg>",
    ]
    return "\n".join(lines)


class _Canvas:
    """The coordinates of the squares, and the layers of the picture."""

    def __init__(self, rules: DraughtsRules, orientation: Side) -> None:
        self.rules = rules
        self.flipped = orientation is Side.BLACK
        self.squares = squares_by_text(rules.mover.squares)
        self.edge = EDGE if rules.notation is Notation.NUMERIC else LABELLED_EDGE
        self.width = self.edge + CELL * rules.columns + EDGE
        self.height = EDGE + CELL * rules.rows + self.edge

    def left(self, column: int) -> int:
        """Return the x coordinate of the left edge of a column."""
        return self.edge + CELL * (self.rules.columns - 1 - column if self.flipped else column)

    def top(self, row: int) -> int:
        """Return the y coordinate of the top edge of a row."""
        return EDGE + CELL * (self.rules.rows - 1 - row if self.flipped else row)

    def centre(self, square: Square) -> tuple[int, int]:
        """Return the coordinates of the centre of a square."""
        return self.left(square.column) + CELL // 2, self.top(square.row) + CELL // 2

    def find(self, square: int | str) -> Square:
        """Return the square with this name or number. Raises `TablemenError` if there is none."""
        found = self.squares.get(str(square).lower())
        if found is None:
            raise TablemenError(f"{self.rules.name} has no square {square!r}")
        return found

    def draw_board(self) -> Iterator[str]:
        """Draw the frame and the squares."""
        rules = self.rules
        yield f'<rect width="{self.width}" height="{self.height}" rx="5" fill="{FRAME}"/>'
        yield f'<path fill="{LIGHT}" d="M{self.edge} {EDGE}h{CELL * rules.columns}v{CELL * rules.rows}H{self.edge}z"/>'
        # If all squares are used, two similar shades distinguish neighbours.
        for shade, parity in ((DARK, 0), (DARKER, 1)):
            squares = [each for each in rules.mover.squares if self._shade(each) == parity]
            if squares:
                yield f'<path fill="{shade}" d="{"".join(map(self._outline, squares))}"/>'

    def _shade(self, square: Square) -> int:
        """Return 0 and 1 alternately if all squares are used, else 0."""
        return (square.row + square.column) % 2 if self.rules.playable is Playable.ALL else 0

    def _outline(self, square: Square) -> str:
        """Return the outline of a square as path data."""
        return f"M{self.left(square.column)} {self.top(square.row)}h{CELL}v{CELL}h-{CELL}z"

    def draw_numbers(self) -> Iterator[str]:
        """Draw a small number in the corner of each square."""
        size = 8 if len(self.rules.mover.squares) < 100 else 6  # three digits must not overlap the discs
        yield f'<g font-size="{size}" fill="{NUMBER}">'
        for square in self.rules.mover.squares:
            yield f'<text x="{self.left(square.column) + 1}" y="{self.top(square.row) + size - 1}">{square}</text>'
        yield "</g>"

    def draw_labels(self) -> Iterator[str]:
        """Draw letters and digits along the left and the lower edge."""
        rows, columns = edge_labels(self.rules)
        yield f'<g font-size="12" fill="{LABEL}" text-anchor="middle">'
        for row, label in enumerate(rows):
            yield f'<text x="{self.edge // 2}" y="{self.top(row) + CELL // 2 + 4}">{label}</text>'
        for column, label in enumerate(columns):
            yield f'<text x="{self.left(column) + CELL // 2}" y="{self.height - 6}">{label}</text>'
        yield "</g>"

    def draw_ends(self, move: Move) -> Iterator[str]:
        """Mark the first and the last square of a move."""
        ends = "".join(self._outline(square) for square in dict.fromkeys((move.start, move.end)))
        yield f'<path class="last-move" fill="{LAST_MOVE}" fill-opacity=".6" d="{ends}"/>'

    def draw_mark(self, mark: SquareMark) -> str:
        """Draw a coloured square."""
        outline = self._outline(self.find(mark.square))
        return f'<path class="mark" fill="{escape(mark.colour)}" fill-opacity=".6" d="{outline}"/>'

    def draw_arrow(self, arrow: Arrow) -> str:
        """Draw an arrow between the centres of two squares, or a ring."""
        start, end = (complex(*self.centre(self.find(square))) for square in (arrow.start, arrow.end))
        colour, length = escape(arrow.colour), abs(end - start)
        if not length:
            halves = "".join(f"a{RING} {RING} 0 1 0 {diameter} 0" for diameter in (2 * RING, -2 * RING))
            ring = f"M{start.real - RING:g} {start.imag:g}{halves}z"
            return (
                f'<path class="arrow" fill="none" stroke="{colour}" stroke-width="4" stroke-opacity=".8" d="{ring}"/>'
            )
        neck, half = length - HEAD, SHAFT / 2
        right = [0 + half * 1j, neck + half * 1j, neck + HEAD / 2 * 1j]  # of an arrow along the x axis
        left = [corner.conjugate() for corner in reversed(right)]
        corners = [start + corner * (end - start) / length for corner in (*right, length, *left)]
        outline = "L".join(f"{corner.real:.1f} {corner.imag:.1f}" for corner in corners)
        return f'<path class="arrow" fill="{colour}" fill-opacity=".8" d="M{outline}z"/>'

    def draw_path(self, move: Move) -> Iterator[str]:
        """Draw a line along the path of a move, with a dot on each square but the last."""
        centres = [self.centre(square) for square in move.path]
        points = " ".join(f"{x},{y}" for x, y in centres)
        yield (
            f'<g stroke="{PATH}" stroke-opacity=".75" stroke-linecap="round" stroke-linejoin="round" fill="none">'
            f'<polyline class="way" stroke-width="4" points="{points}"/>'
        )
        stops = "".join(f"M{x} {y}h0" for x, y in centres[:-1])
        yield f'<path stroke-width="11" d="{stops}"/></g>'

    def draw_pieces(self, position: Position) -> Iterator[str]:
        """Draw a disc for each piece, with a crown on a king."""
        for side in Side:
            kings = position.squares(side, Kind.KING)
            squares = sorted((*position.squares(side, Kind.MAN), *kings), key=lambda each: (each.row, each.column))
            if squares:
                yield f'<g fill="{DISC[side]}" stroke="{RIM[side]}" stroke-width="1.5">'
                for square in squares:
                    x, y = self.centre(square)
                    yield f'<circle class="{side}" cx="{x}" cy="{y}" r="{RADIUS}"/>'
                yield "</g>"
                yield self._draw_grooves(squares, side)
            if kings:
                yield self._draw_crowns(kings)

    def _draw_grooves(self, squares: list[Square], side: Side) -> str:
        """Draw a circular groove on each disc."""
        ring = "m-10.5 0a10.5 10.5 0 1 0 21 0a10.5 10.5 0 1 0-21 0z"
        rings = "".join("M{} {}{}".format(*self.centre(square), ring) for square in squares)
        return f'<path fill="none" stroke="{GROOVE[side]}" stroke-width="1.5" d="{rings}"/>'

    def _draw_crowns(self, kings: tuple[Square, ...]) -> str:
        """Draw a crown on each king."""
        crowns = "".join("M{} {}{}".format(*self.centre(square), CROWN_PATH) for square in kings)
        return f'<path class="crowns" fill="{CROWN}" stroke="{CROWN_RIM}" stroke-linejoin="round" d="{crowns}"/>'

    def draw_captures(self, move: Move) -> Iterator[str]:
        """Draw a cross on the square of each captured piece."""
        if move.captured:
            strokes = "m-7-7 14 14m0-14-14 14"
            crosses = "".join("M{} {}{}".format(*self.centre(square), strokes) for square in move.captured)
            yield f'<path class="captured" stroke="{CAPTURED}" stroke-width="4" stroke-linecap="round" d="{crosses}"/>'
