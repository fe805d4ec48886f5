"""A game that is played: one change at a time, kept before anybody hears of it, and told to all who look on."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Coroutine
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from tablemen.console import visible
from tablemen.errors import GameError, GameOverError, TablemenError
from tablemen.outcome import Side
from tablemen.web.connections import Connection
from tablemen.web.games.actions import act
from tablemen.web.games.beginning import next_game
from tablemen.web.games.computer import Computer
from tablemen.web.games.engines import describe_failure
from tablemen.web.games.jobs import BusyComputerError
from tablemen.web.games.store import Store
from tablemen.web.games.table import Sides, Table, TableSnapshot
from tablemen.web.games.telling import Telling
from tablemen.web.games.transactions import StoreError
from tablemen.web.models import Action, MoveFacts
from tablemen.web.views import tell_move

EVENT = "tablemen serve"  # in game files
RETRY_SECONDS = 5.0  # after which what could not be kept, or chosen, is tried again
FLAG_MARGIN = 0.01  # seconds, so that a flag has fallen when it is looked at

T = TypeVar("T")

log = logging.getLogger("tablemen")


class Room:
    """A table, those who sit at it or watch, and the computer where it plays.

    Whatever changes goes one way: the table changes, the store writes it down, and only then everybody is told. Where
    it cannot be written, the table is as it was.
    """

    def __init__(
        self, table: Table, telling: Telling, store: Store, computer: Computer, *, kept_at: float | None = None
    ) -> None:
        """`telling` is of the table; `kept_at` says when what is kept of the clock was true, if not now."""
        self.table = table
        self.kept_at = time.monotonic() if kept_at is None else kept_at
        self.users = 0  # who has it open now; see `Rooms`
        self.opener = ""  # the address for which it was opened
        self._store = store
        self._computer = computer
        self._telling = telling
        self._listeners: dict[Connection, Sides] = {}
        self._told = len(table.game.moves)  # how many moves every listener knows
        self._lock = asyncio.Lock()
        self._thinking: asyncio.Task[None] | None = None
        self._owner = ""  # for whom the computer thinks
        self._flag: asyncio.TimerHandle | None = None
        self._retry: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._set_flag()

    @property
    def is_thinking(self) -> bool:
        """Whether the computer is choosing a move."""
        return self._thinking is not None and self.table.is_for_the_computer

    @property
    def is_busy(self) -> bool:
        """Whether anybody needs it."""
        return bool(self.users or self._listeners or self._thinking is not None or self._tasks or self._lock.locked())

    @property
    def plies(self) -> int:
        """How long the game is."""
        return len(self.table.game.moves)

    @property
    def _connected(self) -> set[Side]:
        return {side for sides in self._listeners.values() for side in sides}

    async def join(self, connection: Connection, sides: Sides, address: str) -> None:
        """Somebody looks on from now on, or plays, and is told the whole game."""
        async with self._lock:
            connected = self._connected
            if not sides <= connected:
                self._tell(connected | sides)
            self._listeners[connection] = sides
            self._wake(address)
            connection.send(self._state(sides))

    async def leave(self, connection: Connection) -> None:
        """Somebody has left."""
        async with self._lock:
            before = self._connected
            del self._listeners[connection]
            if self._connected != before:
                self._tell()

    async def state(self, sides: Sides, address: str) -> str:
        """The game as JSON, for whoever has these sides."""
        async with self._lock:
            self._wake(address)
            return self._state(sides)

    async def act(self, action: Action, sides: Sides, address: str) -> MoveFacts | None:
        """Do something; gives a hint where it was asked for. Raises `TablemenError` where it cannot be done."""
        if action.action == "hint":
            return await self._hint(sides, address)
        if action.action == "retry":
            await self._retry_engine(address)
            return None
        # Whoever asks may be gone before it is written, but what was begun is brought to its end.
        await asyncio.shield(self._begin(self._act(action, sides, address)))
        return None

    async def _act(self, action: Action, sides: Sides, address: str) -> None:
        async with self._lock:
            self._owner = address
            before = self.table.snapshot()
            try:
                has_changed = act(self.table, action, sides)
            except TablemenError:
                if self.table.game.outcome() != before.session.game.outcome():  # a flag had fallen before
                    await self._commit(before)
                raise
            if has_changed:
                await self._commit(before)

    async def _retry_engine(self, address: str) -> None:
        async with self._lock:
            if not self.table.can_retry:
                raise GameError("nobody has failed")
            self.table.problem = None
            self.table.session.resume()
            self._set_flag()
            self._wake(address)
            self._tell()

    async def sheet(self) -> tuple[str, str]:
        """The game as a file has it, and the name of its family."""
        async with self._lock:
            session = self.table.session
            sheet = replace(session.sheet(), event=EVENT, date=self.table.began_on, players=self.table.names)
            return session.family.format_game(sheet), session.family.name

    async def _hint(self, sides: Sides, address: str) -> MoveFacts:
        async with self._lock:
            game = self.table.game.copy()
            if outcome := game.outcome():
                raise GameOverError(outcome)
            if self.table.is_between_two:
                raise GameError("there are no hints between two people")
            if game.position.turn not in sides:
                raise GameError("it is not your turn")
        move = await self._computer.run(partial(self.table.hinter.choose, game), address)
        return tell_move(game.position, move)

    async def _commit(self, before: TableSnapshot) -> None:
        """Keep what has changed, and tell everybody; the lock is held."""
        table = self.table
        table.revision = before.revision + 1
        if self._thinking is not None:
            table.session.stop()  # it thinks about what was
        keep = min(before.count, len(table.game.moves))
        standing, now = table.standing(), time.monotonic()
        following = None if table.next == before.next else next_game(table)
        moves = table.moves_from(keep)
        try:
            await self._store.write(table.facts.id, standing, keep=keep, moves=moves, following=following)
        except StoreError:
            table.restore(before)
            raise
        finally:
            self._set_flag()
        self.kept_at = now
        table.problem = None
        self._telling.refresh(keep)
        self._told = min(self._told, keep)
        self._wake(self._owner)
        self._tell()

    def _state(self, sides: Sides) -> str:
        return self._telling.state(sides, connected=self._connected, thinking=self.is_thinking)

    def _tell(self, connected: set[Side] | None = None) -> None:
        """Tells every listener what it does not know."""
        states = self._telling.states(
            self._listeners.values(),
            since=self._told,
            connected=self._connected if connected is None else connected,
            thinking=self.is_thinking,
        )
        for connection, sides in self._listeners.items():
            connection.send(states[sides])
        self._told = len(self.table.game.moves)

    def _wake(self, address: str) -> None:
        """The computer begins to think if it is its turn."""
        if self._thinking is None and self.table.is_for_the_computer and self.table.problem is None:
            self._owner = address
            self._thinking = asyncio.create_task(self._think())

    def _wake_later(self) -> None:
        """The room may leave memory meanwhile: whoever opens the game again wakes the computer too."""
        self._retry = asyncio.get_running_loop().call_later(RETRY_SECONDS, self._wake, self._owner)

    async def _think(self) -> None:
        """The computer chooses, and moves if the game is still the one that it thought about."""
        revision = self.table.revision
        try:
            choice = await (self.table.engine or self._computer).run(self.table.choose, self._owner)
            async with self._lock:
                before = self.table.snapshot()
                self.table.session.answer(choice)
                self._thinking = None  # so that all are told that it has moved, or that it thinks again
                await self._commit(before)
        except StoreError as error:
            log.warning("%s", error)
            self._wake_later()
        except BusyComputerError:
            self._wake_later()
        except GameError:  # the game has changed
            self._thinking = None
            self._wake(self._owner)
        except TablemenError as error:
            await self._fail(error, revision)
        finally:
            if self._thinking is asyncio.current_task():
                self._thinking = None

    async def _fail(self, error: TablemenError, revision: int) -> None:
        """A program cannot move: everybody is told, and no time runs until it is asked again or the game changes."""
        name = self.table.facts.engine or "the computer"
        log.warning("%s", visible(f"{name}: {error}"))
        async with self._lock:
            self._thinking = None
            if self.table.revision != revision:  # it may do better with what the game has become
                self._wake(self._owner)
                return
            self.table.problem = describe_failure(name, error)
            self.table.session.pause()
            self._set_flag()
            self._tell()

    def _set_flag(self, wait: float = FLAG_MARGIN) -> None:
        """Looks at the clock when the time of whoever is to move has run out, and so many seconds later."""
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        clock = self.table.session.clock
        left = None if clock.running is None else clock.left(clock.running)
        if left is not None and self.table.game.outcome() is None:
            loop, seconds = asyncio.get_running_loop(), max(0.0, left) + wait
            self._flag = loop.call_later(seconds, lambda: self._begin(self.check_time()))

    def _begin(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """A task that is not lost, whoever waits for it."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._end)
        return task

    def _end(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # whoever waited has got it, or has gone

    async def check_time(self) -> None:
        """The game is over if a flag has fallen."""
        async with self._lock:
            before = self.table.snapshot()
            try:
                if self.table.check_time() is None:
                    self._set_flag()
                else:
                    await self._commit(before)
            except StoreError as error:
                log.warning("%s", error)
                self._set_flag(RETRY_SECONDS)

    def close(self) -> None:
        """Nobody thinks any more, and nothing is looked at; what was played is kept."""
        for timer in (self._flag, self._retry):
            if timer is not None:
                timer.cancel()
        self.table.session.stop()
        self.table.hinter.stop()
        for task in (self._thinking, *self._tasks):
            if task is not None:
                task.cancel()
