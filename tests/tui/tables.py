"""Tables for tests of the full screen: made, played at, and waited for."""

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
from tablemen.saved import SavedGames
from tablemen.search import Limit
from tablemen.session import Session
from tablemen.tui import TablemenApp, evaluator
from tablemen.tui.board import Board
from tablemen.tui.table import TableScreen
from tests.patience import LONG

SIZE = (80, 24)
OVER = "The game is over: n begins a new one, u takes moves back."
PATIENCE = 3000  # looks, a hundredth of a second apart

# How long textual's pilot looks whether the program is idle, after every key and twice: a fiftieth of a second is long.
_wait.SLEEP_GRANULARITY, _wait.SLEEP_IDLE = 0.004, 0.0004
evaluator.EFFORT = Limit(nodes=500)  # who stands better is shown after every move


def make_session(
    variant: Any, white: str = "human", black: str = "human", *, start: str | None = None, clock: str | None = None
) -> Session:
    """A session of a variant, from its start or from a position that is written down."""
    rules = find_variant(variant)
    family = get_family(rules)
    position = family.start(rules) if start is None else family.parse_position(start, rules)
    control = None if clock is None else TimeControl(float(clock))
    players = {Side.WHITE: parse_player(white), Side.BLACK: parse_player(black)}
    return Session(position, players, control=control, hints="minimax:depth=1")


class Player:
    """Somebody at the screen."""

    def __init__(self, pilot: Pilot[None], told: list[str]) -> None:
        self.pilot = pilot
        self.told = told  # in a corner of the screen, from where it goes again after a while
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
    def has_begun(self) -> bool:
        """Whether the table says whose turn it is."""
        return self.app.table is not None and self.app.table.is_mounted and bool(self.message)

    @property
    def question(self) -> str:
        """What is asked before the board."""
        asked = self.app.screen.query(".question")
        return str(asked.first().render()) if asked else ""

    def is_at_table(self) -> bool:
        """Whether nothing stands before the board."""
        return self.app.screen is self.app.table

    def picked(self) -> tuple[str, ...]:
        """What has been picked of a move."""
        return self.table.picking.touched

    async def wait_for_screen(self, kind: type[Screen[Any]]) -> None:
        """Waits until such a screen is on top."""
        await self.wait_for(lambda: isinstance(self.app.screen, kind))

    def text(self, place: str) -> str:
        return str(self.table.query_one(place).render())

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    def place(self, name: str) -> tuple[int, int]:
        """Where a place of the board is."""
        return find_place(self.table.board, name)

    def shown(self) -> str:
        """The screen, line by line, without its colours."""
        strips = self.app.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in strip) for strip in strips)

    async def type(self, text: str, *, into: bool = False) -> None:
        """Types over the board, or `into` the line for moves, and ends with Enter."""
        if into:
            self.table.query_one("#typed").focus()
        driver = self.app._driver
        assert driver is not None
        for sign in (*text, "\r"):  # at once, as a quick hand and a slow line do it
            driver.send_message(Key("enter" if sign == "\r" else sign, sign))
        await self.pilot.press("f12")  # until that was heard
        await self.pilot.pause()

    async def click(self, place: str) -> None:
        """Clicks on the middle of a place of the board, once it is there."""
        await self.wait_for(lambda: place in find_places(self.table.board))
        await self.pilot.click("#board", offset=find_place(self.table.board, place))

    async def resize(self, width: int, height: int) -> None:
        """Makes the window larger or smaller."""
        await self.pilot.resize_terminal(width, height)
        await self.wait_for(lambda: self.app.screen.size == (width, height))
        await self.pilot.pause()

    async def wait_until_it_holds(self, check: Callable[[], None]) -> None:
        """Waits until a check passes; a screen that has just changed is laid out a little later."""
        for _ in range(PATIENCE):
            try:
                return check()
            except AssertionError:
                await self.pilot.pause(0.01)
        return check()

    async def wait_for(self, condition: Callable[[], bool]) -> None:
        """Waits until something holds, which other threads may have to see to."""
        for _ in range(PATIENCE):
            if condition():
                return
            await self.pilot.pause(0.01)
        told = self.message if self.app.table is not None else ""
        raise AssertionError(f"nothing of that sort came; the last message: {told}")

    async def choose(self, label: str) -> None:
        """Clicks on a button of the question on top."""
        await self.wait_for(lambda: label in self._buttons() and self._buttons()[label].region.area > 0)
        await self.pilot.click(self._buttons()[label])
        await self.pilot.pause()

    def _buttons(self) -> dict[str, Button]:
        return {str(button.label): button for button in self.app.screen.query(Button)}


def find_place(board: Board, place: str) -> tuple[int, int]:
    """A point of the board where a place is, the one in the middle of all of them."""
    points = find_places(board).get(place)
    assert points, f"there is no {place} on the board"
    return points[len(points) // 2]


def find_places(board: Board) -> dict[str, list[tuple[int, int]]]:
    """The points of every place; they are looked for once as long as the board looks alike."""
    seen = (board.size, board.view.orientation, board.view.game.position.turn, len(board.view.picking.starts))
    known: dict[Any, dict[str, list[tuple[int, int]]]] = vars(board).setdefault("places_for_tests", {})
    if seen not in known:
        known[seen] = {}
        for y in range(board.size.height):
            for x in range(board.size.width):
                place = board.place_at(x, y)
                if place is not None:
                    known[seen].setdefault(place, []).append((x, y))
    return known[seen]


def in_program(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """A test that waits for what a program does, a few times at most as long as for any single thing."""

    @functools.wraps(test)
    def run(*arguments: Any, **named: Any) -> None:
        asyncio.run(asyncio.wait_for(test(*arguments, **named), 5 * LONG))

    return run


@asynccontextmanager
async def sit_down(
    session: Session | None, folder: Path, *, size: tuple[int, int] = SIZE, offer: bool = True
) -> AsyncIterator[Player]:
    """The program with a session, in a terminal of a size.

    The line of keys at the bottom stays empty: to fill it anew after every move takes longer than all the rest.
    """
    app = TablemenApp(session, SavedGames(folder), offer=offer, pace=0)
    told: list[str] = []
    notify = app.notify

    def remember(message: str, **options: Any) -> None:
        told.append(message)
        notify(message, **options)

    with patch.object(Footer, "compose", lambda _: ()), patch.object(app, "notify", remember):
        async with app.run_test(size=size) as pilot:
            player = Player(pilot, told)
            try:
                await player.wait_for(
                    lambda: len(app.screen_stack) > 1 and (player.has_begun or not player.is_at_table())
                )
                yield player
            finally:
                app.close()
