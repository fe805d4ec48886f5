"""The games of a server: those that are played are in memory, the others are read again when somebody opens them."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tablemen.errors import TablemenError
from tablemen.web.games.beginning import new_table
from tablemen.web.games.computer import Computer
from tablemen.web.games.engines import Engines
from tablemen.web.games.room import Room
from tablemen.web.games.space import Space
from tablemen.web.games.store import Store
from tablemen.web.games.table import Table
from tablemen.web.games.telling import Telling
from tablemen.web.games.transactions import StoreError
from tablemen.web.models import CreatedGame, NewGame
from tablemen.web.settings import Settings

FORGOTTEN_AT_ONCE = 100  # games, where there is no space for a new one


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
        self._computer = Computer(
            searches=settings.searches,
            table_mb=settings.table_mb,
            seconds=settings.move_seconds,
            waiting_of_one=settings.moves_of_one,
        )
        self.engines = Engines(settings.engines, seconds=settings.engine_seconds, waiting_of_one=settings.moves_of_one)
        self._rooms: dict[str, Room] = {}
        self._idle: OrderedDict[str, None] = OrderedDict()  # that nobody has open, the longest first
        self._space = Space(settings.plies_in_memory)
        self._loading: dict[str, asyncio.Task[None]] = {}
        self._forgetting = asyncio.Lock()
        self._left: dict[str, float] = {}  # when what is kept of a clock was true that runs on without a room

    def open(self) -> None:
        """Open the database; raises `StoreError`. Once is enough."""
        if not self._store.is_open:
            self._store.open()

    async def close(self) -> None:
        """Stop thinking, write what waits, and close the database."""
        for room in self._rooms.values():
            room.close()
        try:
            await asyncio.gather(self._computer.close(), self.engines.close())
        finally:
            await asyncio.to_thread(self._store.close)

    async def create(self, asked: NewGame) -> CreatedGame:
        """A new game; raises `TablemenError` where it cannot be, and `FullError`."""
        await self.check_space()
        table, created = await asyncio.to_thread(new_table, asked, self._computer, self.engines)
        await self._store.create(table.facts, table.standing(), table.moves_from(0))
        return created

    async def check_space(self) -> None:
        """Raises `FullError` where there can be no new game, whatever is forgotten."""
        async with self._forgetting:
            if self._store.count >= self._settings.games:
                opened = {*self._rooms, *self._loading}
                await self._store.forget(FORGOTTEN_AT_ONCE, days=self._settings.days, except_for=opened)
        if self._store.count >= self._settings.games:
            raise FullError

    @asynccontextmanager
    async def entered(self, game_id: str, address: str) -> AsyncIterator[Room]:
        """The room of a game, which stays what it is until the end of the block.

        Raises `UnknownGameError`, `StoreError` where it cannot be read, and `TooManyError`.
        """
        while game_id not in self._rooms:  # others may have come and gone since it was read
            await self._load_once(game_id, address)
        room = self._rooms[game_id]
        if not room.users:
            room.opener = address
            self._idle.pop(game_id, None)
            self._space.put(game_id, room.plies, address)
        room.users += 1
        try:
            yield room
        finally:
            room.users -= 1
            if room.users:
                self._space.put(game_id, room.plies, room.opener)
            else:
                self._idle[game_id] = None
                self._space.put(game_id, room.plies)
            self._make_space()

    async def _load_once(self, game_id: str, address: str) -> None:
        loading = self._loading.get(game_id)
        if loading is None:
            loading = self._loading[game_id] = asyncio.create_task(self._load(game_id, address))
        await asyncio.shield(loading)

    async def _load(self, game_id: str, address: str) -> None:
        try:
            room = await self._read(game_id, address)
        finally:
            del self._loading[game_id]
        self._rooms[game_id] = room
        self._idle[game_id] = None
        self._space.put(game_id, room.plies)

    async def _read(self, game_id: str, address: str) -> Room:
        kept = await self._store.read(game_id)
        if kept is None:
            raise UnknownGameError(game_id)
        self._space.check(address, len(kept.moves))
        left = self._left.get(game_id)
        away = 0.0 if left is None else time.monotonic() - left
        try:
            table = await asyncio.to_thread(Table, kept, self._computer, self.engines, away=away)
            telling = await asyncio.to_thread(Telling, table)
        except (TablemenError, LookupError, ValueError) as error:  # somebody has written into the database
            raise StoreError(f"what is kept of this game makes no sense: {error}") from error
        self._left.pop(game_id, None)
        return Room(table, telling, self._store, self._computer, kept_at=time.monotonic() - away)

    def _make_space(self) -> None:
        """Rooms that nobody has open leave memory, those first that nobody has opened for the longest time."""
        while len(self._rooms) > self._settings.games_in_memory or self._space.is_over:
            game_id = next((each for each in self._idle if not self._rooms[each].is_busy), None)
            if game_id is None:
                return
            room = self._rooms.pop(game_id)
            del self._idle[game_id]
            self._space.take(game_id)
            room.close()
            if room.table.session.clock.running is not None:
                self._left[game_id] = room.kept_at
