"""The mancala board for terminals: horizontal, or vertical if the widget is too narrow."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Collection, Sequence
from typing import Any

from rich.segment import Segment
from textual.timer import Timer

from tablemen.mancala import Move, Position
from tablemen.mancala.moves import Pit, trace
from tablemen.mancala.notation import SWAP
from tablemen.outcome import Side
from tablemen.tui import theme
from tablemen.tui.board import BoardView, BoardWidget
from tablemen.tui.theme import Highlight

SIZES = ((9, 5), (7, 4), (6, 4), (6, 3), (5, 3))  # columns and lines of a pit, the largest first
MIN_DOTS = 12  # seeds are drawn as dots only if a pit has room for this number
VERTICAL_WIDTH = 8  # columns of a pit on a vertical board
SWAP_TEXT = "[ swap sides ]"
SOWING_INTERVAL = 0.15  # seconds between two seeds
MAX_SOWING_TIME = 2.0  # seconds for all seeds of a move


def count_seeds(position: Position) -> dict[Pit, int]:
    """Return the seeds of every pit; the number of a store is 0."""
    rows = {side: (position.stores[side], *position.houses(side)) for side in Side}
    return {Pit(side, house): seeds for side, row in rows.items() for house, seeds in enumerate(row)}


class Sowing:
    """A move that is sown seed by seed: the seeds of each pit, and the pits that are still to be sown."""

    def __init__(self, position: Position, move: Move) -> None:
        self.seeds = count_seeds(position)
        self.pits = deque(trace(position, move))
        self.last = Pit(position.turn, move.house)  # the house that is emptied, or the last pit that was sown
        self.seeds[self.last] = 0
        self.timer: Timer | None = None
        self.is_over = asyncio.Event()

    def sow(self) -> None:
        """Sow the next seed."""
        self.last = self.pits.popleft()
        self.seeds[self.last] += 1


class MancalaBoard(BoardWidget):
    """A mancala board with houses, stores and seeds; the cursor moves over the houses of the side to move."""

    def __init__(self, view: BoardView, **settings: Any) -> None:
        super().__init__(view, **settings)
        self.cursor = 1
        self.is_at_swap = False
        self._shown = view.game, len(view.game.moves)
        self._sowing: Sowing | None = None

    def show(self, view: BoardView) -> None:
        """Show a new state; if it is the next move of the game, sow it seed by seed."""
        (game, count), self._shown = self._shown, (view.game, len(view.game.moves))
        if view.game is not game or len(view.game.moves) != count:
            self.skip_animation()
            if view.game is game and len(game.moves) == count + 1 and self.app.animation_level != "none":
                self._sow(game.positions[-2], game.moves[-1])
        super().show(view)

    def _sow(self, position: Position, move: Move) -> None:
        """Start to sow a move; the swap sows nothing."""
        sowing = Sowing(position, move)
        if sowing.pits:
            interval = min(SOWING_INTERVAL, MAX_SOWING_TIME / len(sowing.pits))
            self._sowing = sowing
            sowing.timer = self.set_interval(interval, self._sow_seed)

    def _sow_seed(self) -> None:
        """Sow the next seed; after the last one, show the position with the captures."""
        if self._sowing is not None and self._sowing.pits:
            self._sowing.sow()
            self.refresh()
        else:
            self.skip_animation()

    def skip_animation(self) -> None:
        """Show the position after the move that is being sown."""
        if self._sowing is not None:
            if self._sowing.timer is not None:
                self._sowing.timer.stop()
            self._sowing.is_over.set()
            self._sowing = None
            self.refresh()

    async def wait_for_animation(self) -> None:
        """Wait until the move that is being sown is complete."""
        if self._sowing is not None:
            await self._sowing.is_over.wait()

    def on_unmount(self) -> None:
        """Stop sowing."""
        self.skip_animation()

    @property
    def turn(self) -> Side:
        """The side to move."""
        turn: Side = self.view.game.position.turn
        return turn

    @property
    def houses(self) -> int:
        """The number of houses of a side."""
        houses: int = self.view.game.position.variant.houses
        return houses

    @property
    def can_swap(self) -> bool:
        """Whether the sides can be swapped now."""
        return SWAP in self.view.move_input.starts

    def cursor_place(self) -> str:
        """Return the house under the cursor, or the swap."""
        return SWAP if self.is_at_swap and self.can_swap else str(self.cursor)

    def place_cursor(self, places: Collection[str]) -> None:
        """Move to the nearest of these houses."""
        houses = [int(place) for place in places if place != SWAP]
        if houses:
            self.cursor = min(houses, key=lambda house: (abs(house - self.cursor), house))

    def step(self, columns: int, rows: int) -> None:
        """Move along the houses as they are shown, or down to the swap below the last one."""
        is_vertical = self._pit_size() is None
        near = self.turn is self.view.orientation
        if self.can_swap and rows:
            is_last = not is_vertical or self.cursor == (self.houses if near else 1)
            was_at_swap, self.is_at_swap = self.is_at_swap, rows > 0 and is_last
            if is_last and (self.is_at_swap or was_at_swap):
                return
        along = rows if is_vertical else columns
        self.cursor = min(max(self.cursor + (along if near else -along), 1), self.houses)

    def place_at(self, column: int, row: int) -> str | None:
        """Return the house at a point: its number, or side and number for a house of the opponent."""
        _, height = self.extent()
        if not height:
            return None
        left, top = self.margins()
        column, row = column - left, row - top
        if self.can_swap and row == height - 1:
            return SWAP
        size = self._pit_size()
        pit = self._vertical_pit(column, row) if size is None else self._horizontal_pit(column, row, size)
        if pit is None:
            return None
        return str(pit.house) if pit.side is self.turn else str(pit)

    def extent(self) -> tuple[int, int]:
        """Return the size of the pits, the numbers and the swap."""
        size = self._pit_size()
        if size is not None:
            return size[0] * (self.houses + 2), 2 * size[1] + 2 + self.can_swap
        width, height = 2 * VERTICAL_WIDTH + 8, self.houses + 2 + self.can_swap
        return (width, height) if width <= self.size.width and height <= self.size.height else (0, 0)

    def lines(self) -> Sequence[list[Segment]]:
        """Return the board, and the swap below if it is legal."""
        size = self._pit_size()
        lines = self._vertical() if size is None else self._horizontal(size)
        if self.can_swap:
            width, _ = self.extent()
            chosen = self.has_cursor and self.has_focus and self.is_at_swap
            text = SWAP_TEXT.replace("[", ">").replace("]", "<") if chosen else SWAP_TEXT
            lines.append([self.plain(f"{text:^{width}}", bold=True)])
        return lines

    def _pit_size(self) -> tuple[int, int] | None:
        """Return the columns and lines of a pit on a horizontal board, or None if there is no room."""
        for width, height in SIZES:
            if width * (self.houses + 2) <= self.size.width and 2 * height + 2 + self.can_swap <= self.size.height:
                return width, height
        return None

    def _seeds(self, pit: Pit) -> int:
        if self._sowing is not None:
            return self._sowing.seeds[pit]
        position = self.view.game.position
        seeds: int = position.houses(pit.side)[pit.house - 1] if pit.house else position.stores[pit.side]
        return seeds

    def _highlight(self, pit: Pit) -> Highlight | None:
        """Return the highlight of a pit with the highest precedence."""
        if self._sowing is not None:
            return Highlight.LAST if pit == self._sowing.last else None
        if pit.side is self.turn and pit.house:
            here = self.has_cursor and self.has_focus and not (self.is_at_swap and self.can_swap)
            if here and pit.house == self.cursor:
                return Highlight.CURSOR
            if self.view.hint is not None and str(self.view.hint) == str(pit.house):
                return Highlight.HINT
        if pit == self._last_pit():
            return Highlight.LAST
        is_open = pit.side is self.turn and str(pit.house) in self.view.move_input.starts
        return Highlight.TARGET if is_open else None

    def _last_pit(self) -> Pit | None:
        """Return the house that was played last."""
        game = self.view.game
        if not game.moves or game.moves[-1].is_swap:
            return None
        return Pit(game.positions[-2].turn, game.moves[-1].house)

    def _horizontal(self, size: tuple[int, int]) -> list[list[Segment]]:
        """Return two rows of houses between the stores; the store of a side is at its right hand."""
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

    def _horizontal_pit(self, column: int, row: int, size: tuple[int, int]) -> Pit | None:
        width, height = size
        across, down = column // width - 1, (row - 1) // height
        if not 0 <= across < self.houses or down not in {0, 1} or row < 1:
            return None
        near = self.view.orientation
        return Pit(near, across + 1) if down else Pit(near.opponent, self.houses - across)

    def _vertical(self) -> list[list[Segment]]:
        """Return two columns of houses between the stores, those of the near side on the left and below."""
        near = self.view.orientation
        lines = [self._vertical_store(near.opponent)]
        for number in range(1, self.houses + 1):
            other = self.houses + 1 - number
            pits = (Pit(near, number), Pit(near.opponent, other))
            left, right = (self._bar(pit, VERTICAL_WIDTH) for pit in pits)
            lines.append([self.plain(f"{number:>3} "), left, right, self.plain(f" {other:<3}")])
        return [*lines, self._vertical_store(near)]

    def _vertical_store(self, side: Side) -> list[Segment]:
        return [self.plain("    "), self._bar(Pit(side, 0), 2 * VERTICAL_WIDTH), self.plain("    ")]

    def _vertical_pit(self, column: int, row: int) -> Pit | None:
        if not 1 <= row <= self.houses or not 4 <= column < 4 + 2 * VERTICAL_WIDTH:
            return None
        near = self.view.orientation
        return Pit(near, row) if column < 4 + VERTICAL_WIDTH else Pit(near.opponent, self.houses + 1 - row)

    def _bar(self, pit: Pit, width: int) -> Segment:
        """Return a pit in one line; without colours the edges show the highlight."""
        highlight = self._highlight(pit)
        edges = ("  " if self.in_colour else "||") if pit.house else "[]"
        if highlight is not None and not self.in_colour:
            edges = highlight.edges
        ground = theme.WOOD if highlight is None else highlight.colour
        text = f"{self._seeds(pit):^{width - 2}}"
        return Segment(f"{edges[0]}{text}{edges[1]}", theme.style("#ffffff", ground, bold=True))

    def _pit(self, pit: Pit, width: int, height: int) -> list[list[Segment]]:
        """Return a pit as a box with the number of seeds, and a dot for each seed if there is room."""
        highlight = self._highlight(pit)
        rim = theme.style(theme.RIM if highlight is None else highlight.colour, theme.WOOD, bold=highlight is not None)
        inside = theme.style(theme.SEED, theme.HOLLOW)
        number = theme.style("#ffffff", theme.HOLLOW, bold=True)
        seeds, room = self._seeds(pit), width - 2
        inner = [" " * room] * (height - 2)
        counted = (height - 3) // 2
        if pit.house and room * (height - 3) >= MIN_DOTS:
            counted = height - 3
            inner = [*_dots(seeds, room, counted), ""]
        inner[counted] = f"{seeds:^{room}}"
        top, side, bottom = self._box(highlight, room)
        lines = [[Segment(top, rim)]]
        for line, text in enumerate(inner):
            style = number if line == counted else inside
            lines.append([Segment(side[0], rim), Segment(text, style), Segment(side[1], rim)])
        return [*lines, [Segment(bottom, rim)]]

    def _box(self, highlight: Highlight | None, room: int) -> tuple[str, str, str]:
        """Return the characters of the rim of a pit; that of a highlighted pit is heavier."""
        if highlight is None:
            return f"╭{'─' * room}╮", "││", f"╰{'─' * room}╯"
        if highlight is Highlight.TARGET:
            return f"┏{'━' * room}┓", "┃┃", f"┗{'━' * room}┛"
        return f"╔{'═' * room}╗", "║║" if self.in_colour else highlight.edges, f"╚{'═' * room}╝"


def _dots(seeds: int, room: int, lines: int) -> list[str]:
    """Return lines of dots, with a + at the end if there are more seeds than room."""
    dots = "•" * min(seeds, room * lines)
    if seeds > room * lines:
        dots = f"{dots[:-1]}+"
    return [f"{dots[line * room : (line + 1) * room]:^{room}}" for line in range(lines)]
