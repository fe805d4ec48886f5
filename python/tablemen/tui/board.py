"""The base class of board widgets, with cursor, mouse input and layout; and a text board for any family."""

from __future__ import annotations

import textwrap
from abc import abstractmethod
from collections.abc import Collection, Sequence
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

from tablemen.family import get_family
from tablemen.game import Game
from tablemen.move_input import MoveInput
from tablemen.outcome import Side

TOO_SMALL = "This window is too small for the board; moves can still be typed."


@dataclass(frozen=True)
class BoardView:
    """The state that a board shows."""

    game: Game[Any, Any]
    orientation: Side = Side.WHITE
    move_input: MoveInput = field(default_factory=lambda: MoveInput(()))
    hint: Any = None  # the move that is shown as a hint
    is_over: bool = False  # the arrow keys then step through the moves

    @property
    def last_move(self) -> Any:
        """The move that led to the position, if any."""
        return self.game.moves[-1] if self.game.moves else None


class BoardWidget(Widget, can_focus=True):
    """A board with places that are selected with the mouse, or with a cursor and Enter."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(0, -1)", "Cursor", show=False),
        Binding("down", "move(0, 1)", "Cursor", show=False),
        Binding("left", "move(-1, 0)", "Cursor", show=False),
        Binding("right", "move(1, 0)", "Cursor", show=False),
        Binding("enter,space", "touch", "Pick", show=False),
    ]

    class Touched(Message):
        """The message that a place was clicked, or Enter pressed on it."""

        def __init__(self, place: str) -> None:
            super().__init__()
            self.place = place

    def __init__(self, view: BoardView, **settings: Any) -> None:
        self._painted: Sequence[list[Segment]] | None = None  # cached lines
        super().__init__(**settings)
        self.view = view
        self.has_cursor = False  # a key shows the cursor, the mouse hides it

    def show(self, view: BoardView) -> None:
        """Show a new state."""
        self.view = view
        self.refresh()

    @abstractmethod
    def step(self, columns: int, rows: int) -> None:
        """Move the cursor to a neighbouring place."""

    @abstractmethod
    def cursor_place(self) -> str:
        """Return the place under the cursor."""

    @abstractmethod
    def place_cursor(self, places: Collection[str]) -> None:
        """Move the cursor to the nearest of these places, of which there is at least one."""

    @abstractmethod
    def place_at(self, column: int, row: int) -> str | None:
        """Return the place at a point of the widget, or None."""

    @abstractmethod
    def extent(self) -> tuple[int, int]:
        """Return the width and the height of the board, or (0, 0) if the widget is too small."""

    @abstractmethod
    def lines(self) -> Sequence[list[Segment]]:
        """Return the lines of the board; called only if it fits the widget."""

    def skip_animation(self) -> None:
        """Show the final position at once if a move is being animated."""

    async def wait_for_animation(self) -> None:
        """Wait until no move is being animated."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave the arrow keys to the screen when the game is over."""
        if action == "move" and self.view.is_over:
            return False
        return super().check_action(action, parameters)

    def action_move(self, columns: int, rows: int) -> None:
        """Show the cursor on a place that can be played, or move it if it is shown."""
        starts = self.view.move_input.starts
        if self.has_cursor:
            self.step(columns, rows)
        elif starts and self.cursor_place() not in starts and not self.view.move_input.touched:
            self.place_cursor(starts)
        self.has_cursor = True
        self.refresh()

    def action_touch(self) -> None:
        """Select the place under the cursor."""
        if self.has_cursor:
            self.post_message(self.Touched(self.cursor_place()))
        else:
            self.action_move(0, 0)

    def on_click(self, event: Click) -> None:
        """Select the place that was clicked."""
        self.has_cursor = False
        place = self.place_at(event.x, event.y)
        if place is not None:
            self.post_message(self.Touched(place))
        self.refresh()

    def on_resize(self, _event: Resize) -> None:
        """Drop the cached lines."""
        self._painted = None

    def render_line(self, y: int) -> Strip:
        """Return a line of the widget, with the board in the middle."""
        background = self.rich_style
        _, height = self.extent()
        if not height:
            wrapped = textwrap.wrap(TOO_SMALL, max(self.size.width, 1))
            text = wrapped[y] if y < len(wrapped) else ""
            return Strip([Segment(text, background)]).adjust_cell_length(self.size.width, background)
        left, top = self.margins()
        if not 0 <= y - top < height:
            return Strip.blank(self.size.width, background)
        if self._painted is None:
            self._painted = self.lines()
        line = self._painted[y - top]
        return Strip([Segment(" " * left, background), *line]).adjust_cell_length(self.size.width, background)

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        """Paint the board again."""
        self._painted = None
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def margins(self) -> tuple[int, int]:
        """Return the empty columns to the left of the board, and the empty lines above it."""
        width, height = self.extent()
        return (self.size.width - width) // 2, (self.size.height - height) // 2

    @property
    def in_colour(self) -> bool:
        """Whether colours are shown."""
        return not self.app.no_color

    def plain(self, text: str, *, bold: bool = False, dim: bool = False) -> Segment:
        """Return a text in the colours of the widget."""
        return Segment(text, self.rich_style + Style(bold=bold or None, dim=dim or None))


class TextBoard(BoardWidget):
    """A board as `Family.draw` draws it, for families without a widget. It has no places: moves are typed."""

    def _text(self) -> list[str]:
        position = self.view.game.position
        return get_family(position).draw(position, orientation=self.view.orientation).splitlines()

    def action_move(self, columns: int, rows: int) -> None:
        """Do nothing: there is no cursor."""

    def action_touch(self) -> None:
        """Do nothing: there is no cursor."""

    def place_at(self, column: int, row: int) -> str | None:  # noqa: ARG002 - the board has no places
        """Return None, since the board has no places."""
        return None

    def extent(self) -> tuple[int, int]:
        """Return the size of the text."""
        text = self._text()
        width, height = max(map(len, text)), len(text)
        return (width, height) if width <= self.size.width and height <= self.size.height else (0, 0)

    def lines(self) -> Sequence[list[Segment]]:
        """Return the lines of the text."""
        return [[self.plain(line)] for line in self._text()]
