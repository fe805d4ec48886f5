"""A board of mancala in a terminal: lying, or upright where it is too narrow for that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from rich.segment import Segment

from tablemen.mancala.notation import SWAP
from tablemen.mancala.rules import NAMES
from tablemen.outcome import Side
from tablemen.tui import look
from tablemen.tui.board import Board, View
from tablemen.tui.look import Mark

SIZES = ((9, 5), (7, 4), (6, 4), (6, 3), (5, 3))  # columns and lines of a pit, the largest first
DOTS = 12  # room for so many seeds at least, or they are not drawn
UPRIGHT = 8  # columns of a pit on a board that stands
SWAP_TEXT = "[ swap sides ]"


class Pit(NamedTuple):
    """A house, or a store, whose number is 0."""

    side: Side
    number: int


class MancalaBoard(Board):
    """Houses and stores with their seeds; the cursor goes over the houses of the side to move."""

    def __init__(self, view: View, **settings: Any) -> None:
        super().__init__(view, **settings)
        self.cursor = 1
        self.is_at_swap = False

    @property
    def turn(self) -> Side:
        """Who is to move."""
        turn: Side = self.view.game.position.turn
        return turn

    @property
    def houses(self) -> int:
        """Houses of a side."""
        houses: int = self.view.game.position.variant.houses
        return houses

    @property
    def can_swap(self) -> bool:
        """Whether the sides can be swapped now."""
        return SWAP in self.view.picking.starts

    def cursor_place(self) -> str:
        """The house under the cursor, or the swap."""
        return SWAP if self.is_at_swap and self.can_swap else str(self.cursor)

    def step(self, columns: int, rows: int) -> None:
        """Along the houses as they are seen; down to the swap, which is below the last of them."""
        is_standing = self._pit_size() is None
        near = self.turn is self.view.orientation
        if self.can_swap and rows:
            is_last = not is_standing or self.cursor == (self.houses if near else 1)
            was_at_swap, self.is_at_swap = self.is_at_swap, rows > 0 and is_last
            if is_last and (self.is_at_swap or was_at_swap):
                return
        along = rows if is_standing else columns
        self.cursor = min(max(self.cursor + (along if near else -along), 1), self.houses)

    def place_at(self, column: int, row: int) -> str | None:
        """The house there: by its number where it is the mover's, else with whose it is."""
        _, height = self.extent()
        if not height:
            return None
        left, top = self.margins()
        column, row = column - left, row - top
        if self.can_swap and row == height - 1:
            return SWAP
        size = self._pit_size()
        pit = self._standing_pit(column, row) if size is None else self._lying_pit(column, row, size)
        if pit is None:
            return None
        return str(pit.number) if pit.side is self.turn else f"{NAMES[pit.side]} {pit.number}"

    def extent(self) -> tuple[int, int]:
        """The pits, what stands around them, and the swap."""
        size = self._pit_size()
        if size is not None:
            return size[0] * (self.houses + 2), 2 * size[1] + 2 + self.can_swap
        width, height = 2 * UPRIGHT + 8, self.houses + 2 + self.can_swap
        return (width, height) if width <= self.size.width and height <= self.size.height else (0, 0)

    def lines(self) -> Sequence[list[Segment]]:
        """The board, and the swap below where there is one."""
        size = self._pit_size()
        lines = self._standing() if size is None else self._lying(size)
        if self.can_swap:
            width, _ = self.extent()
            chosen = self.has_cursor and self.has_focus and self.is_at_swap
            text = SWAP_TEXT.replace("[", ">").replace("]", "<") if chosen else SWAP_TEXT
            lines.append([self.plain(f"{text:^{width}}", bold=True)])
        return lines

    def _pit_size(self) -> tuple[int, int] | None:
        """Columns and lines of a pit of a lying board; nothing where it has no room."""
        for width, height in SIZES:
            if width * (self.houses + 2) <= self.size.width and 2 * height + 2 + self.can_swap <= self.size.height:
                return width, height
        return None

    def _seeds(self, pit: Pit) -> int:
        position = self.view.game.position
        seeds: int = position.houses(pit.side)[pit.number - 1] if pit.number else position.stores[pit.side]
        return seeds

    def _mark(self, pit: Pit) -> Mark | None:
        """The most urgent of what is special about a pit."""
        if pit.side is self.turn and pit.number:
            here = self.has_cursor and self.has_focus and not (self.is_at_swap and self.can_swap)
            if here and pit.number == self.cursor:
                return Mark.CURSOR
            if self.view.hint is not None and str(self.view.hint) == str(pit.number):
                return Mark.HINT
        if pit == self._last_pit():
            return Mark.LAST
        is_open = pit.side is self.turn and str(pit.number) in self.view.picking.starts
        return Mark.TARGET if is_open else None

    def _last_pit(self) -> Pit | None:
        """The house that was played last."""
        game = self.view.game
        if not game.moves or game.moves[-1].is_swap:
            return None
        return Pit(game.positions[-2].turn, game.moves[-1].house)

    def _lying(self, size: tuple[int, int]) -> list[list[Segment]]:
        """Two rows of houses between the stores, each side's at its right hand."""
        (width, height), near = size, self.view.orientation
        far = near.opponent
        numbers = range(1, self.houses + 1)
        rows = [[Pit(far, number) for number in reversed(numbers)], [Pit(near, number) for number in numbers]]
        stores = [self._pit(Pit(side, 0), width, 2 * height) for side in (far, near)]
        lines = [self._numbers(reversed(numbers), width)]
        for place, row in enumerate(rows):
            pits = [self._pit(pit, width, height) for pit in row]
            for number in range(height):
                middle = [segment for pit in pits for segment in pit[number]]
                across = place * height + number
                lines.append([*stores[0][across], *middle, *stores[1][across]])
        return [*lines, self._numbers(numbers, width)]

    def _numbers(self, numbers: Any, width: int) -> list[Segment]:
        row = "".join(f"{number:^{width}}" for number in numbers)
        return [self.plain(f"{'':{width}}{row}{'':{width}}")]

    def _lying_pit(self, column: int, row: int, size: tuple[int, int]) -> Pit | None:
        width, height = size
        across, down = column // width - 1, (row - 1) // height
        if not 0 <= across < self.houses or down not in {0, 1} or row < 1:
            return None
        near = self.view.orientation
        return Pit(near, across + 1) if down else Pit(near.opponent, self.houses - across)

    def _standing(self) -> list[list[Segment]]:
        """Two columns of houses between the stores, the near side's at the left and its store below."""
        near = self.view.orientation
        lines = [self._standing_store(near.opponent)]
        for number in range(1, self.houses + 1):
            other = self.houses + 1 - number
            pits = (Pit(near, number), Pit(near.opponent, other))
            left, right = (self._bar(pit, UPRIGHT) for pit in pits)
            lines.append([self.plain(f"{number:>3} "), left, right, self.plain(f" {other:<3}")])
        return [*lines, self._standing_store(near)]

    def _standing_store(self, side: Side) -> list[Segment]:
        return [self.plain("    "), self._bar(Pit(side, 0), 2 * UPRIGHT), self.plain("    ")]

    def _standing_pit(self, column: int, row: int) -> Pit | None:
        if not 1 <= row <= self.houses or not 4 <= column < 4 + 2 * UPRIGHT:
            return None
        near = self.view.orientation
        return Pit(near, row) if column < 4 + UPRIGHT else Pit(near.opponent, self.houses + 1 - row)

    def _bar(self, pit: Pit, width: int) -> Segment:
        """A pit in a line; without colours what stands around the seeds says more."""
        mark = self._mark(pit)
        edges = ("  " if self.in_colour else "||") if pit.number else "[]"
        if mark is not None and not self.in_colour:
            edges = mark.edges
        ground = look.WOOD if mark is None else mark.colour
        text = f"{self._seeds(pit):^{width - 2}}"
        return Segment(f"{edges[0]}{text}{edges[1]}", look.style("#ffffff", ground, bold=True))

    def _pit(self, pit: Pit, width: int, height: int) -> list[list[Segment]]:
        """A pit in a box: its seeds as dots where there is room, and how many they are."""
        mark = self._mark(pit)
        rim = look.style(look.RIM if mark is None else mark.colour, look.WOOD, bold=mark is not None)
        inside = look.style(look.SEED, look.HOLLOW)
        number = look.style("#ffffff", look.HOLLOW, bold=True)
        seeds, room = self._seeds(pit), width - 2
        inner = [" " * room] * (height - 2)
        counted = (height - 3) // 2
        if pit.number and room * (height - 3) >= DOTS:
            counted = height - 3
            inner = [*_dots(seeds, room, counted), ""]
        inner[counted] = f"{seeds:^{room}}"
        top, side, bottom = self._box(mark, room)
        lines = [[Segment(top, rim)]]
        for line, text in enumerate(inner):
            style = number if line == counted else inside
            lines.append([Segment(side[0], rim), Segment(text, style), Segment(side[1], rim)])
        return [*lines, [Segment(bottom, rim)]]

    def _box(self, mark: Mark | None, room: int) -> tuple[str, str, str]:
        """The rim of a pit: heavier where it is marked."""
        if mark is None:
            return f"╭{'─' * room}╮", "││", f"╰{'─' * room}╯"
        if mark is Mark.TARGET:
            return f"┏{'━' * room}┓", "┃┃", f"┗{'━' * room}┛"
        return f"╔{'═' * room}╗", "║║" if self.in_colour else mark.edges, f"╚{'═' * room}╝"


def _dots(seeds: int, room: int, lines: int) -> list[str]:
    """The seeds drawn in lines, as far as there is room."""
    dots = "•" * min(seeds, room * lines)
    if seeds > room * lines:
        dots = f"{dots[:-1]}+"
    return [f"{dots[line * room : (line + 1) * room]:^{room}}" for line in range(lines)]
