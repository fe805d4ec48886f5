"""All games of a server: create them, load them when they are opened, and remove unused ones from memory."""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tablemen.clock import parse_time_control
from tablemen.errors import GameOverError, TablemenError
from tablemen.family import get_family
from tablemen.outcome import Side
from tablemen.web.fair_queue import FairQueue
from tablemen.web.games.hosted_game import HostedGame, hash_key, new_game_id
from tablemen.web.games.opponents import Computer, Engines
from tablemen.web.games.room import Room
from tablemen.web.games.state_cache import GameStateCache
from tablemen.web.games.store import GameInfo, GameStatus, Store, StoredGame, StoredMove, StoreError
from tablemen.web.limits import RateLimit, TooManyError
from tablemen.web.models import CreatedGame, NewGame, PositionSpec
from tablemen.web.serialize import find_game, find_rules, find_side
from tablemen.web.settings import Settings
from tablemen.work import work_limit

MAX_DELETED_AT_ONCE = 100  # old games that are deleted to make space for new ones
UNOPENED = ""  # the address that games in memory are counted for if no client has them open


class UnknownGameError(LookupError):
    """No game has this id."""


class FullError(Exception):
    """The database contains the maximum number of games."""

    def __str__(self) -> str:
        return "this server cannot store more games; try again later"


class PlyBudget:
    """A limit for the memory of games, counted in plies. One address may use half of it."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._games: dict[str, tuple[str, int]] = {}  # the address and the length of each game
        self._plies: Counter[str] = Counter()  # by address
        self.refused = 0  # games so far

    @property
    def is_exceeded(self) -> bool:
        """Whether games must be removed from memory."""
        return self._plies.total() > self._limit

    def check(self, address: str, plies: int) -> None:
        """Raise `TooManyError` if the address cannot open a game of this length even after unused games are removed."""
        if self._plies[address] + plies > self._limit / 2:
            self.refused += 1
            raise TooManyError("too many long games are open from your address")
        if self._plies.total() - self._plies[UNOPENED] + plies > self._limit:
            self.refused += 1
            raise TooManyError("too many long games are open on this server; try again later")

    def add(self, game_id: str, plies: int, address: str = UNOPENED) -> None:
        """Count a game for an address, or update its length or its address."""
        self.remove(game_id)
        self._games[game_id] = address, plies
        self._plies[address] += plies

    def remove(self, game_id: str) -> None:
        """Stop counting a game."""
        address, plies = self._games.pop(game_id, (UNOPENED, 0))
        self._plies[address] -= plies
        if not self._plies[address]:
            del self._plies[address]


def create_game(request: NewGame, engines: Engines) -> tuple[StoredGame, CreatedGame]:
    """Return a new game and the response with its keys; raises `TablemenError` if the request is invalid."""
    rules = find_rules(request.variant, request.houses, request.seeds)
    family = get_family(rules)
    game = find_game(PositionSpec(**request.model_dump(include=set(PositionSpec.model_fields))))
    if outcome := game.outcome():
        raise GameOverError(outcome)
    if request.opponent == "computer" and not family.has_search:
        raise TablemenError(f"the computer does not play {rules}")
    if request.opponent == "engine":
        engines.find(request.engine).check(game.position)
    control = None if request.clock is None else str(parse_time_control(request.clock))
    side = random.choice(list(Side)) if request.side is None else find_side(request.side, rules)
    if request.opponent == "screen":
        side = game.position.turn
    keys = {side: secrets.token_urlsafe(16)}
    if request.opponent == "screen":
        keys[side.opponent] = keys[side]
    elif request.opponent == "link":
        keys[side.opponent] = secrets.token_urlsafe(16)
    hashes = {each: hash_key(key) for each, key in keys.items()}
    info = GameInfo(
        id=new_game_id(),
        variant=rules.name,
        houses=request.houses,
        seeds=request.seeds,
        position=None if request.position is None else family.format_position(game.start),
        opening=len(game.moves),
        opponent=request.opponent,
        level=request.level if request.opponent == "computer" else None,
        white_key=hashes.get(Side.WHITE),
        black_key=hashes.get(Side.BLACK),
        created=time.time(),
        engine=request.engine if request.opponent == "engine" else None,
    )
    created = CreatedGame(
        id=info.id, keys={family.sides[each]: key for each, key in keys.items()}, side=family.sides[side]
    )
    moves = tuple(StoredMove(family.format_move(move, full=True)) for move in game.moves)
    return StoredGame(info, GameStatus(control=control), moves), created


class Rooms:
    """The rooms of a server, by the ids of their games. Unused rooms stay in memory while there is space."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.engines = Engines(settings.engines, seconds=settings.engine_seconds, waiting_of_one=settings.moves_of_one)
        self._computer = Computer(
            searches=settings.searches,
            table_mb=settings.table_mb,
            seconds=settings.move_seconds,
            waiting_of_one=settings.moves_of_one,
        )
        self._store = Store(settings.database)
        self._new_games = RateLimit(settings.new_games_an_hour, seconds=3600, label="new games")
        self._rooms: dict[str, Room] = {}
        self._unused: OrderedDict[str, None] = OrderedDict()  # ids of rooms without users; the longest unused is first
        self._budget = PlyBudget(settings.plies_in_memory)
        self._loading: dict[str, asyncio.Task[None]] = {}
        self._deleting = asyncio.Lock()
        self._count_full = 0  # games refused because the database is full
        self._stored_at: dict[str, float] = {}  # `Room.stored_at` of games with a running clock that are not in memory

    @property
    def stored(self) -> int:
        """The number of games in the database."""
        return self._store.count

    @property
    def in_memory(self) -> int:
        """The number of games in memory."""
        return len(self._rooms)

    @property
    def queues(self) -> dict[str, FairQueue]:
        """The queues of moves of the computer and of each engine, and of probes of tablebases."""
        queues = {"computer": self._computer.queue, "tablebases": self._computer.probes.queue}
        return {**queues, **{f"engine {each.name}": each.queue for each in self.engines}}

    @property
    def refused(self) -> dict[str, int]:
        """How often each limit has refused a game so far."""
        return {"new_games": self._new_games.refused, "memory": self._budget.refused, "database": self._count_full}

    def open(self) -> None:
        """Open the database if it is not open. Raises `StoreError` if that fails."""
        if not self._store.is_open:
            self._store.open()

    async def close(self) -> None:
        """Stop all searches, finish the queued writes, and close the database."""
        for room in self._rooms.values():
            room.close()
        try:
            await asyncio.gather(self._computer.close(), self.engines.close())
        finally:
            await asyncio.to_thread(self._store.close)

    async def create(self, request: NewGame, address: str) -> CreatedGame:
        """Create a game. Raises `TablemenError` if the request is invalid, and the errors of `admit`."""
        await self.admit(address)
        stored, created = await asyncio.to_thread(self._create, request)
        await self._store.create(stored)
        return created

    def _create(self, request: NewGame) -> tuple[StoredGame, CreatedGame]:
        with work_limit(self.settings.request_work):
            return create_game(request, self.engines)

    async def admit(self, address: str) -> None:
        """Raise `TooManyError` or `FullError` if the address cannot create a game. Deletes old games if necessary."""
        self._new_games.acquire(address)
        async with self._deleting:
            if self._store.count >= self.settings.games:
                in_use = {*self._rooms, *self._loading}
                await self._store.delete_old(MAX_DELETED_AT_ONCE, days=self.settings.days, except_for=in_use)
        if self._store.count >= self.settings.games:
            self._count_full += 1
            raise FullError

    @asynccontextmanager
    async def enter(self, game_id: str, address: str) -> AsyncIterator[Room]:
        """Yield the room of a game, which stays in memory until the end of the block.

        Raises `UnknownGameError`, `StoreError` if the game cannot be read, and `TooManyError` if too many are open.
        """
        while game_id not in self._rooms:  # the game may have been removed again before this task resumes
            await self._load_once(game_id, address)
        room = self._rooms[game_id]
        if not room.users:
            room.opener = address
            self._unused.pop(game_id, None)
            self._budget.add(game_id, room.plies, address)
        room.users += 1
        try:
            yield room
        finally:
            room.users -= 1
            if room.users:
                self._budget.add(game_id, room.plies, room.opener)
            else:
                self._unused[game_id] = None
                self._budget.add(game_id, room.plies)
            self._free_memory()

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
        self._unused[game_id] = None
        self._budget.add(game_id, room.plies)

    async def _read(self, game_id: str, address: str) -> Room:
        stored = await self._store.read(game_id)
        if stored is None:
            raise UnknownGameError(game_id)
        self._budget.check(address, len(stored.moves))
        stored_at = self._stored_at.get(game_id)
        away = 0.0 if stored_at is None else time.monotonic() - stored_at
        try:
            hosted = await asyncio.to_thread(HostedGame, stored, self._computer, self.engines, away=away)
            cache = await asyncio.to_thread(GameStateCache, hosted)
        except (TablemenError, LookupError, ValueError) as error:  # another program has changed the database
            raise StoreError(f"the stored game is invalid: {error}") from error
        self._stored_at.pop(game_id, None)
        return Room(hosted, cache, self._store, self._computer, stored_at=time.monotonic() - away)

    def _free_memory(self) -> None:
        """Remove unused rooms from memory, the longest unused first, until the limits are met."""
        while len(self._rooms) > self.settings.games_in_memory or self._budget.is_exceeded:
            game_id = next((each for each in self._unused if not self._rooms[each].is_busy), None)
            if game_id is None:
                return
            room = self._rooms.pop(game_id)
            del self._unused[game_id]
            self._budget.remove(game_id)
            room.close()
            if room.hosted.clock.running is not None:
                self._stored_at[game_id] = room.stored_at
