"""The draughts board for terminals, as large as the widget allows."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from rich.segment import Segment

from tablemen.draughts import DraughtsRules, Kind, Piece, Square
from tablemen.draughts.board import Notation
from tablemen.draughts.diagram import edge_labels, outer_numbers
from tablemen.outcome import Side
from tablemen.tui import theme
from tablemen.tui.board import BoardView, BoardWidget
from tablemen.tui.theme import Highlight

SIZES = (4, 3, 2, 1)  # heights of a square in lines, the largest first


class DraughtsBoard(BoardWidget):
    """A draughts board with squares, pieces and highlights; the cursor moves over the playable squares."""

    def __init__(self, view: BoardView, **settings: Any) -> None:
        super().__init__(view, **settings)
        rules: DraughtsRules = view.game.position.variant
        self.rules = rules
        self.places = {(square.row, square.column): square for square in rules.mover.squares}
        self.rows: list[list[Square]] = [[] for _ in range(rules.rows)]
        for square in rules.mover.squares:
            self.rows[square.row].append(square)
        self.cursor: Square = self.rows[-2][len(self.rows[-2]) // 2]  # until it is shown
        self.labels = outer_numbers(rules) if rules.notation is Notation.NUMERIC else (edge_labels(rules)[0], [])
        self.below = edge_labels(rules)[1]
        self.label_width = max(map(len, self.labels[0]))

    @property
    def is_flipped(self) -> bool:
        """Whether Black is at the bottom."""
        return self.view.orientation is Side.BLACK

    @property
    def height_of_square(self) -> int:
        """The lines of a square, or 0 if the widget is too small."""
        across, down = self.size.width, self.size.height - any(self.below)
        fitting = (each for each in SIZES if self._width(each) * self.rules.columns + 2 * self._margin(each) <= across)
        return next((each for each in fitting if each * self.rules.rows <= down), 0)

    @staticmethod
    def _width(height: int) -> int:
        return 2 * height + 1  # a character is about twice as high as wide

    def _margin(self, height: int) -> int:
        """Return the columns for labels, with a gap if the squares show their numbers too."""
        return self.label_width + (height > 1)

    def cursor_place(self) -> str:
        """Return the square under the cursor."""
        return self.cursor.name

    def place_cursor(self, places: Collection[str]) -> None:
        """Move to the nearest of these squares."""
        squares = [square for square in self.rules.mover.squares if square.name in places]
        at = self.cursor
        self.cursor = min(squares, key=lambda each: (abs(each.row - at.row) + abs(each.column - at.column), each.name))

    def step(self, columns: int, rows: int) -> None:
        """Move along the playable squares of the row, or to the same index in the next row."""
        turn = -1 if self.is_flipped else 1
        row = self.rows[self.cursor.row]
        number = row.index(self.cursor)
        after = self.rows[min(max(self.cursor.row + turn * rows, 0), len(self.rows) - 1)]
        self.cursor = after[min(max(number + turn * columns, 0), len(after) - 1)]

    def place_at(self, column: int, row: int) -> str | None:
        """Return the playable square at a point, or None."""
        height = self.height_of_square
        if not height:
            return None
        left, top = self.margins()
        across, down = (column - left - self._margin(height)) // self._width(height), (row - top) // height
        square = self.places.get(self._turned(down, across))
        return None if square is None else square.name

    def _turned(self, row: int, column: int) -> tuple[int, int]:
        """Convert between rows and columns of the screen and of the board."""
        return (self.rules.rows - 1 - row, self.rules.columns - 1 - column) if self.is_flipped else (row, column)

    def extent(self) -> tuple[int, int]:
        """Return the size of the squares and the labels."""
        height = self.height_of_square
        if not height:
            return 0, 0
        width = self._width(height) * self.rules.columns + 2 * self._margin(height)
        return width, height * self.rules.rows + any(self.below)

    def lines(self) -> Sequence[list[Segment]]:
        """Return the rows of squares, with numbers or letters at the edges."""
        height = self.height_of_square
        painter = _Painter(self, height)
        lines = [line for row in range(self.rules.rows) for line in self._row(painter, row, height)]
        if any(self.below):
            width = self._width(height)
            below = self.below[::-1] if self.is_flipped else self.below
            names = "".join(f"{name:^{width}}" for name in below)
            margin = " " * self._margin(height)
            lines.append([self.plain(f"{margin}{names}{margin}")])
        return lines

    def _row(self, painter: _Painter, shown: int, height: int) -> list[list[Segment]]:
        """Return the lines of a row of squares."""
        row, _ = self._turned(shown, 0)
        left, right = self.labels if self.labels[1] else (self.labels[0], [""] * self.rules.rows)
        if self.is_flipped and self.labels[1]:
            left, right = right, left
        cells = [painter.paint(*self._turned(shown, column)) for column in range(self.rules.columns)]
        lines = []
        gap = " " * (self._margin(height) - self.label_width)
        for number in range(height):
            is_labelled = number == height // 2  # below the number of an empty square
            before, after = (left[row], right[row]) if is_labelled else ("", "")
            texts = f"{before:>{self.label_width}}{gap}", f"{gap}{after:<{self.label_width}}"
            edges = [self.plain(text, dim=True) for text in texts]
            lines.append([edges[0], *(segment for cell in cells for segment in cell[number]), edges[1]])
        return lines


class _Painter:
    """A painter of squares, each as lines of segments."""

    def __init__(self, board: DraughtsBoard, height: int) -> None:
        self.board = board
        self.height = height
        self.width = 2 * height + 1
        view = board.view
        last = view.last_move
        self.position = view.game.position
        cursor = {board.cursor.name} if board.has_cursor and board.has_focus else set()
        # The first highlight of a square wins.
        self.highlighted: dict[Highlight, Collection[str]] = {
            Highlight.CURSOR: cursor,
            Highlight.PICKED: view.move_input.touched,
            Highlight.TARGET: view.move_input.targets | view.move_input.ends,
            Highlight.HINT: {square.name for square in view.hint.path} if view.hint else set(),
            Highlight.LAST: {last.start.name, last.end.name} if last else set(),
        }
        self.is_numbered = board.rules.notation is Notation.NUMERIC and height > 1

    def paint(self, row: int, column: int) -> list[list[Segment]]:
        """Return the square at a row and a column."""
        square = self.board.places.get((row, column))
        if square is None:
            blank = theme.style(on=theme.LIGHT if self.board.in_colour else None)
            return [[Segment(" " * self.width, blank)] for _ in range(self.height)]
        piece = self.position.piece_at(square)
        highlights = [highlight for highlight, names in self.highlighted.items() if square.name in names]
        ground = highlights[0].colour if highlights else theme.DARK
        is_target = Highlight.TARGET in highlights
        cell = self._empty(square, ground, is_target=is_target) if piece is None else self._occupied(piece, ground)
        return cell if self.board.in_colour else self._framed(cell, highlights)

    def _empty(self, square: Square, ground: str, *, is_target: bool) -> list[list[Segment]]:
        sign = "•" if is_target else " " if self.board.in_colour else "·"
        lines = [" " * self.width] * self.height
        middle = (self.height - 1) // 2
        lines[middle] = f"{sign:^{self.width}}"
        colour = theme.style("#ffffff" if is_target else theme.NUMBER, ground, bold=is_target)
        if self.is_numbered and not is_target:
            lines[0] = f"{square.name:<{self.width}}" if self.board.in_colour else f"{square.name:^{self.width}}"
        return [[Segment(line, colour)] for line in lines]

    def _occupied(self, piece: Piece, ground: str) -> list[list[Segment]]:
        """Return a piece as a disc, or as a character if the squares are one line high."""
        colour = theme.style(theme.PIECE[piece.side], ground, bold=True)
        if self.height == 1:
            return [[Segment(self._small(piece), colour)]]
        lines = [[Segment(line, colour)] for line in self._disc(piece.side)]
        if piece.kind is Kind.KING:
            middle, centre = (self.height - 1) // 2, self.height
            line = self._disc(piece.side)[middle]
            crown = theme.style(theme.CROWN[piece.side], theme.PIECE[piece.side], bold=True)
            lines[middle] = [
                Segment(line[:centre], colour),
                Segment("K", crown),
                Segment(line[centre + 1 :], colour),
            ]
        return lines

    def _disc(self, side: Side) -> tuple[str, ...]:
        if self.board.in_colour or side is Side.BLACK:
            return theme.DISCS[self.height]
        return theme.RINGS[self.height]

    def _small(self, piece: Piece) -> str:
        is_king = piece.kind is Kind.KING
        if not self.board.in_colour:
            return f" {theme.OPEN[piece.side]}{'K' if is_king else ' '}"
        return "K".join(theme.BRACKETS[piece.side]) if is_king else f" {theme.SMALL} "

    def _framed(self, cell: list[list[Segment]], highlights: list[Highlight]) -> list[list[Segment]]:
        """Show the highlight by characters at the edges, for terminals without colours; targets have a dot instead."""
        edges = next((each.edges for each in highlights if each is not Highlight.TARGET), None)
        if edges is None:
            return cell
        framed = []
        for line in cell:
            text = "".join(segment.text for segment in line)
            end = text[-1] if text[-1] == "K" else edges[1]
            framed.append([Segment(f"{edges[0]}{text[1:-1]}{end}", line[0].style)])
        return framed
