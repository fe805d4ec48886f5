"""The games of a server: those that are played are in memory, the others are read again when somebody opens them."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tablemen.web.beginning import new_table
from tablemen.web.computer import Computer
from tablemen.web.models import CreatedGame, NewGame
from tablemen.web.room import Room
from tablemen.web.settings import Settings
from tablemen.web.store import Store
from tablemen.web.table import Table
from tablemen.web.telling import Telling


class UnknownGameError(LookupError):
    """There is no game of this name."""


class FullError(Exception):
    """There are as many games as may be."""

    def __str__(self) -> str:
        return "this server keeps as many games as it can"


class Rooms:
    """All games by their names. A room is there as long as somebody has it open, and then while there is space."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._store = Store(settings.database)
        self._computer = Computer(searches=settings.searches, table_mb=settings.table_mb, seconds=settings.move_seconds)
        self._rooms: dict[str, Room] = {}
        self._idle: OrderedDict[str, None] = OrderedDict()  # that nobody has open, the longest first
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self._left: dict[str, float] = {}  # when what is kept of a clock was true that runs on without a room

    def open(self) -> None:
        """Open the database; raises `StoreError`. Once is enough."""
        if not self._store.is_open:
            self._store.open()

    async def close(self) -> None:
        """Stop thinking, write what waits, and close the database."""
        for room in self._rooms.values():
            room.close()
        await asyncio.to_thread(self._computer.close)
        await asyncio.to_thread(self._store.close)

    async def create(self, asked: NewGame) -> CreatedGame:
        """A new game; raises `TablemenError` where it cannot be, and `FullError`."""
        self.check_space()
        table, created = await asyncio.to_thread(new_table, asked, self._computer)
        await self._store.create(table.facts, table.standing(), table.moves_from(0))
        return created

    def check_space(self) -> None:
        """Raises `FullError` where there can be no new game."""
        if self._store.count >= self._settings.games:
            raise FullError

    @asynccontextmanager
    async def entered(self, game_id: str) -> AsyncIterator[Room]:
        """The room of a game, which stays what it is until the end of the block; raises `UnknownGameError`."""
        room = await self._find(game_id)
        room.users += 1
        self._idle.pop(game_id, None)
        try:
            yield room
        finally:
            room.users -= 1
            if not room.users:
                self._idle[game_id] = None
                self._make_space()

    async def _find(self, game_id: str) -> Room:
        if room := self._rooms.get(game_id):
            return room
        loading = self._loading.get(game_id)
        if loading is None:
            loading = self._loading[game_id] = asyncio.create_task(self._load(game_id))
            loading.add_done_callback(lambda _: self._loading.pop(game_id, None))
        return await asyncio.shield(loading)

    async def _load(self, game_id: str) -> Room:
        kept = await self._store.read(game_id)
        if kept is None:
            raise UnknownGameError(game_id)
        left = self._left.pop(game_id, None)
        away = 0.0 if left is None else time.monotonic() - left
        table = await asyncio.to_thread(Table, kept, self._computer, away=away)
        telling = await asyncio.to_thread(Telling, table)
        room = self._rooms[game_id] = Room(table, telling, self._store, self._computer, kept_at=time.monotonic() - away)
        return room

    def _make_space(self) -> None:
        """Rooms that nobody has open leave memory, those first that nobody has opened for the longest time."""
        surplus = len(self._rooms) - self._settings.games_in_memory
        if surplus <= 0:
            return
        free = (game_id for game_id in self._idle if not self._rooms[game_id].is_busy)
        for game_id in list(itertools.islice(free, surplus)):
            room = self._rooms.pop(game_id)
            del self._idle[game_id]
            room.close()
            if room.table.session.clock.running is not None:
                self._left[game_id] = room.kept_at
