"""Helpers for tests of the full-screen interface: sessions, the app under test, and a simulated user."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from textual import _wait
from textual.events import Key
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Button, Footer

from tablemen import Game, Side
from tablemen.clock import TimeControl
from tablemen.family import find_variant, get_family
from tablemen.players import parse_player
from tablemen.saved_games import SavedGames
from tablemen.search import Limit
from tablemen.session import Session
from tablemen.tui import TablemenApp, review, widgets
from tablemen.tui.board import BoardWidget
from tablemen.tui.table_screen import TableScreen
from tests.timeouts import TIMEOUT

SIZE = (80, 24)
MAX_POLLS = 3000  # at intervals of 0.01 s

# Poll intervals of textual's pilot, which waits twice after every key; the default of a fiftieth of a second is slow.
_wait.SLEEP_GRANULARITY, _wait.SLEEP_IDLE = 0.004, 0.0004
review.ANALYSIS_LIMIT = Limit(nodes=500)
widgets.EVALUATION_LIMIT = Limit(nodes=500)  # the bar searches after every move


def make_session(
    variant: Any, white: str = "human", black: str = "human", *, start: str | None = None, clock: str | None = None
) -> Session:
    """Return a session from the start position or from a position as text."""
    rules = find_variant(variant)
    family = get_family(rules)
    position = family.start(rules) if start is None else family.parse_position(start, rules)
    control = None if clock is None else TimeControl(float(clock))
    players = {Side.WHITE: parse_player(white), Side.BLACK: parse_player(black)}
    return Session(position, players, control=control, hints="minimax:depth=1")


class Player:
    """A simulated user."""

    def __init__(self, pilot: Pilot[None], notifications: list[str]) -> None:
        self.pilot = pilot
        self.notifications = notifications
        assert isinstance(pilot.app, TablemenApp)
        self.app = pilot.app

    @property
    def table(self) -> TableScreen:
        assert self.app.table is not None
        return self.app.table

    @property
    def game(self) -> Game[Any, Any]:
        return self.table.session.game

    @property
    def message(self) -> str:
        return str(self.table.query_one("#message").render())

    @property
    def shows_error(self) -> bool:
        """Whether the message is shown as an error."""
        return self.table.query_one("#message").has_class("wrong")

    @property
    def turn(self) -> str:
        """The text that says whose turn it is."""
        return self.table.describe_turn()

    @property
    def report(self) -> str:
        """The text about the last move, and whose turn it is."""
        return f"{self.table.session.family.describe_last_move(self.game)}. {self.turn}."

    @property
    def result(self) -> str:
        """The text of the final dialog; empty if the game is not over."""
        outcome = self.game.outcome()
        return f"{self.table.session.family.describe_outcome(outcome, self.game.position)}." if outcome else ""

    @property
    def has_started(self) -> bool:
        """Whether the table screen shows a message."""
        return self.app.table is not None and self.app.table.is_mounted and bool(self.message)

    @property
    def question(self) -> str:
        """The question of the dialog on top."""
        asked = self.app.screen.query(".question")
        return str(asked.first().render()) if asked else ""

    def is_at_table(self) -> bool:
        """Return whether no dialog is open."""
        return self.app.screen is self.app.table

    def picked(self) -> tuple[str, ...]:
        """Return the selected places."""
        return self.table.move_input.touched

    async def wait_for_screen(self, kind: type[Screen[Any]]) -> None:
        """Wait until a screen of this kind is on top."""
        await self.wait_for(lambda: isinstance(self.app.screen, kind))

    def text(self, place: str) -> str:
        return str(self.table.query_one(place).render())

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    def place(self, name: str) -> tuple[int, int]:
        """Return a point of a place of the board."""
        return find_place(self.table.board, name)

    def shown(self) -> str:
        """Return the text of the screen."""
        strips = self.app.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in strip) for strip in strips)

    async def type(self, text: str, *, into: bool = False) -> None:
        """Type a text and Enter over the board, or `into` the input."""
        if into:
            self.table.query_one("#typed").focus()
        driver = self.app._driver
        assert driver is not None
        for sign in (*text, "\r"):  # all at once, as over a slow connection
            driver.send_message(Key("enter" if sign == "\r" else sign, sign))
        await self.pilot.press("f12")  # wait until the keys before it are handled
        await self.pilot.pause()

    async def click(self, place: str) -> None:
        """Click on the middle of a place of the board, when the board shows it."""
        await self.wait_for(lambda: place in find_places(self.table.board))
        await self.pilot.click("#board", offset=find_place(self.table.board, place))

    async def resize(self, width: int, height: int) -> None:
        """Resize the window."""
        await self.pilot.resize_terminal(width, height)
        await self.wait_for(lambda: self.app.screen.size == (width, height))
        await self.pilot.pause()

    async def wait_until_passes(self, check: Callable[[], None]) -> None:
        """Wait until a check passes, since a screen is laid out a little after a change."""
        for _ in range(MAX_POLLS):
            try:
                return check()
            except AssertionError:
                await self.pilot.pause(0.01)
        return check()

    async def wait_for(self, condition: Callable[[], bool]) -> None:
        """Wait until a condition holds."""
        for _ in range(MAX_POLLS):
            if condition():
                return
            await self.pilot.pause(0.01)
        message = self.message if self.app.table is not None else ""
        raise AssertionError(f"the condition does not hold; the last message: {message}")

    async def choose(self, label: str) -> None:
        """Click on a button of the dialog on top."""
        await self.wait_for(lambda: label in self._buttons() and self._buttons()[label].region.area > 0)
        await self.pilot.click(self._buttons()[label])
        await self.pilot.pause()

    def _buttons(self) -> dict[str, Button]:
        return {str(button.label): button for button in self.app.screen.query(Button)}


def find_place(board: BoardWidget, place: str) -> tuple[int, int]:
    """Return the middle of the points of a place."""
    points = find_places(board).get(place)
    assert points, f"the board has no {place}"
    return points[len(points) // 2]


def find_places(board: BoardWidget) -> dict[str, list[tuple[int, int]]]:
    """Return the points of every place, cached until the layout of the board changes."""
    seen = (board.size, board.view.orientation, board.view.game.position.turn, len(board.view.move_input.starts))
    known: dict[Any, dict[str, list[tuple[int, int]]]] = vars(board).setdefault("places_for_tests", {})
    if seen not in known:
        known[seen] = {}
        for y in range(board.size.height):
            for x in range(board.size.width):
                place = board.place_at(x, y)
                if place is not None:
                    known[seen].setdefault(place, []).append((x, y))
    return known[seen]


def async_test(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Make an asynchronous test synchronous, with a timeout."""

    @functools.wraps(test)
    def run(*arguments: Any, **named: Any) -> None:
        asyncio.run(asyncio.wait_for(test(*arguments, **named), 5 * TIMEOUT))

    return run


@asynccontextmanager
async def open_app(
    session: Session | None, folder: Path, *, size: tuple[int, int] = SIZE, offer: bool = True
) -> AsyncIterator[Player]:
    """Run the app with a session, in a terminal of a size; letters act at once, and nothing is animated.

    The footer stays empty, because updating it after every move is the slowest part of a test.
    """
    app = TablemenApp(session, SavedGames(folder), offer=offer, pace=0, key_timeout=0)
    app.animation_level = "none"
    notifications: list[str] = []
    notify = app.notify

    def record(message: str, **options: Any) -> None:
        notifications.append(message)
        notify(message, **options)

    with patch.object(Footer, "compose", lambda _: ()), patch.object(app, "notify", record):
        async with app.run_test(size=size) as pilot:
            player = Player(pilot, notifications)
            try:
                await player.wait_for(
                    lambda: len(app.screen_stack) > 1 and (player.has_started or not player.is_at_table())
                )
                yield player
            finally:
                app.close()
