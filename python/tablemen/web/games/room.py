"""A room: one hosted game whose changes are stored and then sent to the subscribers."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Coroutine
from functools import partial
from typing import Any, NamedTuple, TypeVar

from tablemen.console import escape_controls
from tablemen.endgame import WdlTablebase
from tablemen.errors import GameError, TablemenError
from tablemen.session import choose_hint
from tablemen.web.connections import Connection
from tablemen.web.endgames import prove_draw, try_probe
from tablemen.web.games.hosted_game import GameSnapshot, HostedGame, Sides
from tablemen.web.games.opponents import BusyComputerError, Computer, describe_failure
from tablemen.web.games.state_cache import GameStateCache
from tablemen.web.games.store import Store, StoreError
from tablemen.web.models import Action, HintInfo
from tablemen.web.serialize import serialize_move

RETRY_INTERVAL = 5.0  # seconds until a failed write, or a search that could not be queued, is repeated
FLAG_MARGIN = 0.01  # seconds, so that the flag has fallen when the timer checks it

T = TypeVar("T")

log = logging.getLogger("tablemen")


class Subscriber(NamedTuple):
    """A connection that receives all states of a game, the sides that it may move, and the client's address.

    Two connections of one device have the same `device`; the older one is lost.
    """

    connection: Connection
    sides: Sides
    address: str
    device: str


class Room:
    """A hosted game, its subscribers, and the search of its computer or engine.

    For every change, a lock is held during three steps: change the game, write it to the store, notify the subscribers.
    If the write fails, the change is undone and the subscribers are not notified.
    """

    def __init__(
        self,
        hosted: HostedGame,
        cache: GameStateCache,
        store: Store,
        computer: Computer,
        *,
        stored_at: float | None = None,
    ) -> None:
        """Create a room; `stored_at` is the time of `time.monotonic` when the clock was stored, by default now."""
        self.hosted = hosted
        self.stored_at = time.monotonic() if stored_at is None else stored_at
        self.users = 0  # number of `Rooms.enter` blocks that use the room
        self.opener = ""  # the address that the memory of the game is counted for
        self._cache = cache
        self._store = store
        self._computer = computer
        self._subscribers: list[Subscriber] = []
        self._sent_plies = len(hosted.game.moves)  # number of moves that all subscribers have received
        self._lock = asyncio.Lock()
        self._search: asyncio.Task[None] | None = None
        self._client = ""  # the address that the search is queued for
        self._flag_timer: asyncio.TimerHandle | None = None
        self._retry_timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._set_flag_timer()

    @property
    def is_thinking(self) -> bool:
        """Whether the computer or engine is choosing a move."""
        return self._search is not None and self.hosted.is_computer_turn

    @property
    def is_busy(self) -> bool:
        """Whether the room must stay in memory."""
        return bool(self.users or self._subscribers or self._search is not None or self._tasks or self._lock.locked())

    @property
    def plies(self) -> int:
        """The number of moves."""
        return len(self.hosted.game.moves)

    async def subscribe(self, subscriber: Subscriber) -> None:
        """Send the whole game to a new subscriber, and every change from now on."""
        async with self._lock:
            before, others = self._connected(), list(self._subscribers)
            self._subscribers.append(subscriber)
            self._notify_connected(others, before, subscriber.sides)
            self._start_search(subscriber.address)
            subscriber.connection.send(self._serialize(subscriber.sides))
            for each in others:
                if (each.device, each.sides) == (subscriber.device, subscriber.sides):
                    # so that a delayed request of the lost connection is not executed
                    each.connection.drop("this device has connected again")

    async def unsubscribe(self, subscriber: Subscriber) -> None:
        """Stop sending to a subscriber."""
        async with self._lock:
            before = self._connected()
            self._subscribers.remove(subscriber)
            self._notify_connected(self._subscribers, before, subscriber.sides)

    async def state(self, sides: Sides, address: str) -> str:
        """Return the game as JSON for a player with these sides."""
        async with self._lock:
            self._start_search(address)
            return self._serialize(sides)

    async def file(self) -> tuple[str, str]:
        """Return the text of a game file, and its suffix."""
        async with self._lock:
            return self.hosted.format_file(), self.hosted.family.file_suffix

    async def act(self, action: Action, sides: Sides, address: str) -> HintInfo | None:
        """Execute an action of a player; return the hint if it is one. Raises `TablemenError` if it is not allowed."""
        if action.action == "hint":
            return await self._find_hint(sides, address)
        # A change is completed even if the client disconnects meanwhile.
        work = self._retry(address) if action.action == "retry" else self._change(action, sides, address)
        await asyncio.shield(self._spawn(work))
        return None

    async def _change(self, action: Action, sides: Sides, address: str) -> None:
        proof = await self._prove_draw(address) if action.action == "draw" else None
        async with self._lock:
            self._client = address
            before = self.hosted.snapshot()
            try:
                has_changed = self.hosted.act(action, sides, proof=proof)
            except TablemenError:
                if self.hosted.game.outcome() != before.game.outcome():  # a flag has fallen
                    await self._commit(before)
                raise
            if has_changed:
                await self._commit(before)

    async def _retry(self, address: str) -> None:
        async with self._lock:
            self.hosted.retry()
            self._set_flag_timer()
            self._start_search(address)
            self._notify()

    async def _prove_draw(self, address: str) -> WdlTablebase | None:
        """Return the proof of a tablebase that the current position is a draw, if the game needs one.

        If the game changes meanwhile, the proof is not valid any more.
        """
        if not self.hosted.needs_proof:
            return None
        return await self._computer.probes.run(partial(try_probe, prove_draw, self.hosted.game.position), address)

    async def _find_hint(self, sides: Sides, address: str) -> HintInfo:
        async with self._lock:
            game = self.hosted.copy_for_hint(sides)
        family, endgame = self.hosted.family, None
        if family.is_endgame(game.position):
            endgame = await self._computer.probes.run(partial(try_probe, family.probe_endgame, game), address)
        search = partial(self.hosted.hint_player.choose, game)
        hint = await self._computer.run(partial(choose_hint, endgame, search), address)
        return HintInfo(**dict(serialize_move(game.position, hint.move)), reason=hint.reason)

    async def _commit(self, before: GameSnapshot) -> None:
        """Store a change and notify the subscribers, or undo it and raise `StoreError`. The caller holds the lock."""
        hosted = self.hosted
        hosted.revision = before.revision + 1
        if self._search is not None:
            hosted.stop()  # the search is for the game before the change
        keep = min(len(before.game.moves), self.plies)
        now = time.monotonic()
        try:
            await self._store.write(
                hosted.info.id,
                hosted.status(),
                keep=keep,
                moves=hosted.stored_moves(keep),
                rematch=None if hosted.next == before.next else hosted.create_rematch(),
            )
        except StoreError:
            hosted.restore(before)
            raise
        finally:
            self._set_flag_timer()
        self.stored_at = now
        hosted.problem = None
        self._cache.refresh(keep)
        self._sent_plies = min(self._sent_plies, keep)
        self._start_search(self._client)
        self._notify()

    def _connected(self) -> Sides:
        return frozenset(side for subscriber in self._subscribers for side in subscriber.sides)

    def _count_devices(self, sides: Sides) -> int:
        """Return the number of devices of the player of these sides; 0 for spectators."""
        return len({each.device for each in self._subscribers if each.sides == sides}) if sides else 0

    def _serialize(self, sides: Sides) -> str:
        devices = {sides: self._count_devices(sides)}
        return self._cache.serialize(devices, connected=self._connected(), thinking=self.is_thinking)[sides]

    def _notify(self) -> None:
        """Send the state to every subscriber, with only the plies that are new to them."""
        self._send_states(self._subscribers)
        self._sent_plies = self.plies

    def _notify_connected(self, subscribers: list[Subscriber], before: Sides, sides: Sides) -> None:
        """Notify subscribers of a connection that was opened or closed: all of them, or the same player only."""
        if self._connected() == before:
            subscribers = [each for each in subscribers if each.sides == sides != frozenset()]
        self._send_states(subscribers)

    def _send_states(self, subscribers: list[Subscriber]) -> None:
        states = self._cache.serialize(
            {sides: self._count_devices(sides) for sides in {each.sides for each in subscribers}},
            since=self._sent_plies,
            connected=self._connected(),
            thinking=self.is_thinking,
        )
        for subscriber in subscribers:
            subscriber.connection.send(states[subscriber.sides])

    def _start_search(self, address: str) -> None:
        """Start a search if it is the turn of the computer or engine, and it has not failed."""
        if self._search is None and self.hosted.is_computer_turn and self.hosted.problem is None:
            self._client = address
            self._search = asyncio.create_task(self._play_computer_move())

    def _start_search_later(self) -> None:
        """Start the search after a while. If the room leaves memory before, the search starts when it is loaded."""
        self._retry_timer = asyncio.get_running_loop().call_later(RETRY_INTERVAL, self._start_search, self._client)

    async def _play_computer_move(self) -> None:
        """Choose a move, and play it if the game has not changed meanwhile."""
        revision = self.hosted.revision
        try:
            choice = await (self.hosted.engine or self._computer).run(self.hosted.choose, self._client)
            async with self._lock:
                before = self.hosted.snapshot()
                self.hosted.play_choice(choice)
                self._search = None  # so that `_commit` reports the end of the search or starts the next one
                await self._commit(before)
        except StoreError as error:
            log.warning("%s", error, extra={"event": "database"})
            self._start_search_later()
        except BusyComputerError:
            self._start_search_later()
        except GameError:  # the game has changed
            self._search = None
            self._start_search(self._client)
        except TablemenError as error:
            await self._report_failure(error, revision)
        finally:
            if self._search is asyncio.current_task():
                self._search = None

    async def _report_failure(self, error: TablemenError, revision: int) -> None:
        """Pause the game and show the failure, until the engine is retried or the game changes."""
        name = self.hosted.info.engine or "the computer"
        log.warning("%s", escape_controls(f"{name}: {error}"), extra={"event": "engine"})
        async with self._lock:
            self._search = None
            if self.hosted.revision != revision:  # the game has changed, so search again
                self._start_search(self._client)
                return
            self.hosted.fail(describe_failure(name, error))
            self._set_flag_timer()
            self._notify()

    def _set_flag_timer(self, delay: float = FLAG_MARGIN) -> None:
        """Start a timer that checks the clock `delay` seconds after the side to move has used up its time."""
        if self._flag_timer is not None:
            self._flag_timer.cancel()
            self._flag_timer = None
        clock = self.hosted.clock
        left = None if clock.running is None else clock.left(clock.running)
        if left is not None and self.hosted.game.outcome() is None:
            loop, seconds = asyncio.get_running_loop(), max(0.0, left) + delay
            self._flag_timer = loop.call_later(seconds, lambda: self._spawn(self.check_time()))

    async def check_time(self) -> None:
        """End the game if a flag has fallen."""
        async with self._lock:
            before = self.hosted.snapshot()
            try:
                if self.hosted.check_time() is None:
                    self._set_flag_timer()
                else:
                    await self._commit(before)
            except StoreError as error:
                log.warning("%s", error, extra={"event": "database"})
                self._set_flag_timer(RETRY_INTERVAL)

    def _spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Start a task, and keep a reference to it until it is done."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._forget_task)
        return task

    def _forget_task(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # mark the exception as retrieved, since the caller may have been cancelled

    def close(self) -> None:
        """Stop searches, timers and tasks. The game itself is already stored."""
        for timer in (self._flag_timer, self._retry_timer):
            if timer is not None:
                timer.cancel()
        self.hosted.stop()
        self.hosted.hint_player.stop()
        for task in (self._search, *self._tasks):
            if task is not None:
                task.cancel()
