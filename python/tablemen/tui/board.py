"""What the boards of all families share: a cursor, what is picked, and what is shown beside it."""

from __future__ import annotations

import textwrap
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.events import Click, Resize
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from tablemen.game import Game
from tablemen.move_input import MoveInput
from tablemen.outcome import Side

TOO_SMALL = "This window is too small for the board; moves can still be typed."


@dataclass(frozen=True)
class View:
    """What a board shows."""

    game: Game[Any, Any]
    orientation: Side = Side.WHITE
    picking: MoveInput = field(default_factory=lambda: MoveInput(()))
    hint: Any = None  # a move

    @property
    def last_move(self) -> Any:
        """The move that led to the position, if any did."""
        return self.game.moves[-1] if self.game.moves else None


class Board(Widget, can_focus=True):
    """A board that can be pointed at: with the mouse, or with a cursor and Enter."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(0, -1)", "Cursor", show=False),
        Binding("down", "move(0, 1)", "Cursor", show=False),
        Binding("left", "move(-1, 0)", "Cursor", show=False),
        Binding("right", "move(1, 0)", "Cursor", show=False),
        Binding("enter,space", "touch", "Pick", show=False),
    ]

    class Touched(Message):
        """Somebody pointed at a place where something can be picked."""

        def __init__(self, place: str) -> None:
            super().__init__()
            self.place = place

    def __init__(self, view: View, **settings: Any) -> None:
        self._painted: Sequence[list[Segment]] | None = None
        super().__init__(**settings)
        self.view = view
        self.has_cursor = False  # it comes with the first key, and a mouse sends it away

    def show(self, view: View) -> None:
        """Show something else."""
        self.view = view
        self.refresh()

    @abstractmethod
    def step(self, columns: int, rows: int) -> None:
        """Take the cursor to a neighbour."""

    @abstractmethod
    def cursor_place(self) -> str:
        """The place under the cursor."""

    @abstractmethod
    def place_at(self, column: int, row: int) -> str | None:
        """The place at a point of the widget."""

    @abstractmethod
    def extent(self) -> tuple[int, int]:
        """How many columns and lines the board has; (0, 0) where there is no room for it."""

    @abstractmethod
    def lines(self) -> Sequence[list[Segment]]:
        """The board, line by line; there is room for it."""

    def action_move(self, columns: int, rows: int) -> None:
        """Takes the cursor to a neighbour; at first it just appears."""
        if self.has_cursor:
            self.step(columns, rows)
        self.has_cursor = True
        self.refresh()

    def action_touch(self) -> None:
        """Points at what is under the cursor."""
        if self.has_cursor:
            self.post_message(self.Touched(self.cursor_place()))
        else:
            self.action_move(0, 0)

    def on_click(self, event: Click) -> None:
        """Points at what was clicked."""
        self.has_cursor = False
        place = self.place_at(event.x, event.y)
        if place is not None:
            self.post_message(self.Touched(place))
        self.refresh()

    def on_resize(self, _event: Resize) -> None:
        """There is more room, or less."""
        self._painted = None

    def render_line(self, y: int) -> Strip:
        """A line of the widget, the board in its middle."""
        background = self.rich_style
        _, height = self.extent()
        if not height:
            told = textwrap.wrap(TOO_SMALL, max(self.size.width, 1))
            text = told[y] if y < len(told) else ""
            return Strip([Segment(text, background)]).adjust_cell_length(self.size.width, background)
        left, top = self.margins()
        if not 0 <= y - top < height:
            return Strip.blank(self.size.width, background)
        if self._painted is None:
            self._painted = self.lines()
        line = self._painted[y - top]
        return Strip([Segment(" " * left, background), *line]).adjust_cell_length(self.size.width, background)

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        """Paint it anew."""
        self._painted = None
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def margins(self) -> tuple[int, int]:
        """How many columns and lines are left free before the board."""
        width, height = self.extent()
        return (self.size.width - width) // 2, (self.size.height - height) // 2

    @property
    def in_colour(self) -> bool:
        """Whether colours are shown."""
        return not self.app.no_color

    def plain(self, text: str, *, bold: bool = False) -> Segment:
        """A text beside the board."""
        return Segment(text, self.rich_style + Style(bold=bold or None))
