"""The opponents of people: the computer and the engines of the server, which all games share fairly."""

from __future__ import annotations

import asyncio
import secrets
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from tablemen.errors import (
    ArgumentError,
    GameError,
    PeerError,
    PeerGoneError,
    PeerTimeoutError,
    ProtocolError,
    TablemenError,
)
from tablemen.family import families
from tablemen.game import Game
from tablemen.players import HumanPlayer, Player, WrittenPlayer, parse_player
from tablemen.search import Analysis, Level, Limit, Searcher
from tablemen.threads import call_after, low_priority_executor, run_in_daemon_thread
from tablemen.web.fair_queue import BusyError, FairQueue

MAX_NAME_LENGTH = 40  # characters of the name of an engine
RETRY_INTERVAL = 1.0  # seconds after a failure; limits how often clients can make an engine restart
STOP_TIMEOUT = 5.0  # seconds from a stop request until an engine that has not moved is closed

T = TypeVar("T")


class BusyComputerError(GameError):
    """Too many moves are queued for one address."""


class MissingEngineError(TablemenError):
    """The server no longer has the engine of a game."""


class RefusedGameError(TablemenError):
    """An engine does not support a variant or an option; the `reason` is for the operator of the server."""

    def __init__(self, name: str, reason: str) -> None:
        self.name = name
        self.reason = reason
        super().__init__(name, reason)

    def __str__(self) -> str:
        return f"{self.name} does not play this game: {self.reason}"


class FairThreadPool:
    """A thread pool that clients share fairly, regardless of how many jobs each of them queues."""

    def __init__(self, threads: int, *, waiting_of_one: int, name: str, has_low_priority: bool = False) -> None:
        self.is_closed = False
        self._name = name  # in messages to players
        self._threads = low_priority_executor(threads, name) if has_low_priority else ThreadPoolExecutor(threads, name)
        self.queue = FairQueue(threads, max_waiting=sys.maxsize, max_waiting_per_client=waiting_of_one)

    async def run(self, work: Callable[[], T], client: str) -> T:
        """Run the work in a thread when it is the client's turn, and return the result.

        Raises `BusyComputerError` if the client has too many queued jobs.
        """
        try:
            slot = self.queue.enqueue(client)
        except BusyError as error:
            raise BusyComputerError(f"{self._name} is busy with your other games; try again later") from error
        try:
            await slot.acquire()
        except asyncio.CancelledError:
            slot.release()
            raise
        if self.is_closed:
            slot.release()
            raise asyncio.CancelledError
        running = self._start(work)
        running.add_done_callback(
            lambda _: slot.release()
        )  # after the end of the work, even if the caller is cancelled
        return await asyncio.shield(running)

    def _start(self, work: Callable[[], T]) -> asyncio.Future[T]:
        return asyncio.get_running_loop().run_in_executor(self._threads, work)

    def cancel_queued(self) -> None:
        """Reject new jobs, and cancel the queued ones."""
        self.is_closed = True
        self.queue.cancel_waiting()

    async def close(self) -> None:
        """Cancel the queued jobs, and wait for the running ones, which their owners must stop."""
        self.cancel_queued()
        await asyncio.to_thread(self._threads.shutdown, wait=True, cancel_futures=True)


class Computer(FairThreadPool):
    """The thread pool for searches of all games. A few searchers are shared, since each has a transposition table.

    `probes` has a thread of low priority that probes tablebases.
    """

    def __init__(self, *, searches: int, table_mb: int, seconds: float, waiting_of_one: int) -> None:
        super().__init__(searches, waiting_of_one=waiting_of_one, name="the computer")
        self.probes = FairThreadPool(1, waiting_of_one=waiting_of_one, name="the tablebase", has_low_priority=True)
        self.seconds = seconds  # time limit of a search
        self._table_mb = table_mb
        self._free: list[Searcher] = []

    def acquire(self) -> Searcher:
        """Return a free or new searcher."""
        return self._free.pop() if self._free else Searcher(table_mb=self._table_mb, seed=secrets.randbits(32))

    def release(self, searcher: Searcher) -> None:
        """Make the searcher available again."""
        self._free.append(searcher)

    async def close(self) -> None:
        """Cancel the queued jobs, and wait for the running ones, which their owners must stop."""
        await asyncio.gather(super().close(), self.probes.close())


class ComputerPlayer(Player):
    """The computer as a player of one game. It has a searcher only while it chooses a move."""

    def __init__(self, computer: Computer, strength: Level | Limit) -> None:
        self._computer = computer
        self._strength = strength
        self._analysis: Analysis[Any] | None = None
        self._is_stopped = False

    @property
    def name(self) -> str:
        """The name in game files."""
        return f"Computer, level {self._strength.number}" if isinstance(self._strength, Level) else "Computer"

    def choose(self, game: Game[Any, Any]) -> Any:
        """Search for a move, with the strength of the level."""
        self._is_stopped = False
        searcher = self._computer.acquire()
        try:
            analysis = self._analysis = searcher.begin(game, self._strength, clock=self.clock)
            if self._is_stopped or self._computer.is_closed:  # `stop` was called before the analysis existed
                analysis.stop()
            timer = threading.Timer(self._computer.seconds, analysis.stop)
            timer.start()
            try:
                return analysis.result().move
            finally:
                timer.cancel()
        finally:
            self._analysis = None
            self._computer.release(searcher)

    def stop(self) -> None:
        """Stop the running search."""
        self._is_stopped = True
        analysis = self._analysis
        if analysis is not None:
            analysis.stop()


class SharedEngine(FairThreadPool):
    """An engine that many games share. It chooses one move at a time, and gets all moves of the game each time."""

    def __init__(self, name: str, player: WrittenPlayer, *, seconds: float, waiting_of_one: int) -> None:
        super().__init__(1, waiting_of_one=waiting_of_one, name=name)
        self.name = name
        self._player = player
        self._seconds = seconds  # time limit of a move
        self._user: SharedEnginePlayer | None = None  # the player that the engine is choosing a move for
        self._lock = threading.Lock()  # protects `_user`
        self.failures = 0  # so far
        self._ready_at = 0.0  # the time of `time.monotonic` from which on the engine may be started
        self._refused: dict[str, str] = {}  # the variants that the engine refused, with the reason
        self._possible = [
            rules.name
            for family in families()
            for rules in family.variants.values()
            if self.can_play(family.start(rules))
        ]

    @property
    def variants(self) -> list[str]:
        """The variants that the engine plays, as far as known: some engines refuse only when a game begins."""
        return [name for name in self._possible if name not in self._refused]

    def can_play(self, position: Any) -> bool:
        """Return whether the engine plays games from this position, as far as known."""
        if position.variant.name in self._refused:
            return False
        try:
            self._player.check(position)
        except TablemenError:
            return False
        return True

    def check(self, position: Any) -> None:
        """Raise `TablemenError` if the engine cannot play games from this position."""
        if not self.can_play(position):
            raise TablemenError(f"{self.name} does not play this game")

    def choose(self, user: SharedEnginePlayer, game: Game[Any, Any]) -> Any:
        """Return the move that the engine chooses for a player."""
        variant = game.position.variant.name
        if variant in self._refused:  # the engine would refuse again
            raise RefusedGameError(self.name, self._refused[variant])
        time.sleep(max(0.0, self._ready_at - time.monotonic()))
        with self._lock:
            self._user = user
        is_late = threading.Event()

        def give_up() -> None:
            is_late.set()
            late, self._player = self._player, replace(self._player)  # a closed player cannot be used any more
            late.close()

        stop = partial(self.stop, user)
        try:
            self._player.clock = user.clock
            with call_after(stop, after=self._seconds), call_after(give_up, after=self._seconds + STOP_TIMEOUT):
                return self._player.choose(game)
        except Exception as error:
            self._ready_at = time.monotonic() + RETRY_INTERVAL
            if type(error) is TablemenError:  # no failure: the engine does not support the variant or an option
                self._refused[variant] = str(error)
                raise RefusedGameError(self.name, str(error)) from error
            self.failures += 1
            if is_late.is_set() and isinstance(error, PeerError):
                raise PeerTimeoutError(self.name, "did not move", self._seconds + STOP_TIMEOUT) from error
            raise
        finally:
            with self._lock:
                self._user = None

    def _start(self, work: Callable[[], T]) -> asyncio.Future[T]:
        return run_in_daemon_thread(work)  # an engine that is slow to start must not delay the end of the server

    def stop(self, user: SharedEnginePlayer) -> None:
        """Stop the search of the engine if it is for this player."""
        with self._lock:
            if self._user is user:
                self._player.stop()

    async def close(self) -> None:
        """Cancel the queued jobs, and close the engine, which ends the running one."""
        self.cancel_queued()
        await asyncio.to_thread(self._player.close)
        await super().close()


class SharedEnginePlayer(Player):
    """An engine as a player of one game. It fails if the server no longer has the engine."""

    def __init__(self, name: str, engine: SharedEngine | None) -> None:
        self._name = name
        self._engine = engine

    @property
    def name(self) -> str:
        """The name that the operator gave to the engine."""
        return self._name

    def choose(self, game: Game[Any, Any]) -> Any:
        """Return the engine's move; raises `TablemenError` if the engine is missing or fails."""
        if self._engine is None:
            raise MissingEngineError(f"this server no longer has {self._name}")
        if self._engine.is_closed:
            raise PeerGoneError(self._name, "is closed")
        try:
            return self._engine.choose(self, game)
        except (PeerError, RefusedGameError):
            raise
        except Exception as error:  # also `GameError`, which would mean that the game has changed
            raise TablemenError(f"{type(error).__name__}: {error}") from error

    def stop(self) -> None:
        """Stop the search of the engine if it is for this game."""
        if self._engine is not None:
            self._engine.stop(self)


class Engines:
    """The engines of the server by their names."""

    def __init__(self, written: Mapping[str, str], *, seconds: float, waiting_of_one: int) -> None:
        """Parse the engines with `parse_player`; raises `TablemenError` if one is invalid."""
        self._by_name = {
            name: SharedEngine(name, parse_engine(name, text), seconds=seconds, waiting_of_one=waiting_of_one)
            for name, text in written.items()
        }

    def __iter__(self) -> Iterator[SharedEngine]:
        return iter(self._by_name.values())

    def get(self, name: str | None) -> SharedEngine | None:
        """Return the engine with this name, or None."""
        return None if name is None else self._by_name.get(name)

    def find(self, name: str | None) -> SharedEngine:
        """Return the engine with this name. Raises `ArgumentError`, or `TablemenError` if there are no engines."""
        if not self._by_name:
            raise TablemenError("this server has no engines")
        engine = self.get(name)
        if engine is None:
            raise ArgumentError("engine", name, f"one of {', '.join(self._by_name)}")
        return engine

    async def close(self) -> None:
        """Close all engines."""
        await asyncio.gather(*(engine.close() for engine in self))


def parse_engine(name: str, text: str) -> WrittenPlayer:
    """Parse the player of an engine; raises `TablemenError` if the name or the text is invalid."""
    if not (0 < len(name) <= MAX_NAME_LENGTH and name.isprintable() and name == name.strip()):
        raise ArgumentError("name", name, f"1 to {MAX_NAME_LENGTH} printable characters without spaces around them")
    player = parse_player(text)
    if isinstance(player, HumanPlayer):
        raise TablemenError("a human player cannot be an engine")
    return player


def describe_failure(name: str, error: Exception) -> str:
    """Describe a failure for players, without the command line of the engine."""
    if isinstance(error, MissingEngineError):
        return str(error)
    if isinstance(error, RefusedGameError):
        return f"{name} does not play this game"
    if isinstance(error, PeerTimeoutError):
        return f"{name} did not answer in time"
    if isinstance(error, ProtocolError):
        return f"{name} sent an invalid message"
    if isinstance(error, PeerGoneError):
        return f"{name} is not running"
    return f"{name} cannot continue"
