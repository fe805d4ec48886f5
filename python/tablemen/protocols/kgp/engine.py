"""Clients of the Kalah Game Protocol as engines, and connections of a server to its clients."""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any, TypeAlias

from tablemen.console import escape_controls
from tablemen.errors import GameError, GameOverError, PeerError, PeerGoneError, PeerTimeoutError, ProtocolError
from tablemen.game import Game
from tablemen.mancala import Move, Position
from tablemen.protocols.engine import NO_LIMIT, Answer, AsyncEngine, Engine, Timeouts, opener
from tablemen.protocols.kgp.messages import FRAMING, KgpBoard, explain_unsupported, parse_line
from tablemen.protocols.kgp.protocol import (
    FREEPLAY,
    ClientLeft,
    KgpProtocol,
    KgpServerProtocol,
    MoveReceived,
    SolutionReceived,
    Yielded,
)
from tablemen.protocols.transport import Listener, Transport
from tablemen.protocols.transport.process import StartedProgram, is_command
from tablemen.protocols.transport.stream import time_limit
from tablemen.protocols.transport.tcp import LOOPBACK, Address, listen, parse_address
from tablemen.protocols.transport.websocket import WebSocketListener, listen_websocket
from tablemen.search import Clock, Limit

DEFAULT_MOVE_TIME = 1.0  # seconds
CLOSE_TIMEOUT = 1.0  # seconds to send the last messages
MAX_RATE = 200.0  # messages per second; a search sends only a few
MAX_BURST = 1000.0  # capacity of the token bucket, in messages
REQUEST_ALLOWANCE = 16.0  # extra messages for each of our requests, since fast clients get many requests
CHARGED_SIZE = 256  # bytes; a longer message counts as several
MAX_HANDSHAKES = 16  # simultaneous clients; the first that chooses freeplay is accepted
OCCUPIED = "another client is already playing"

_Listener: TypeAlias = "Listener | WebSocketListener"


@dataclass(frozen=True, kw_only=True)
class KgpTimeouts(Timeouts):
    """Timeouts of a peer in seconds."""

    connect: float = 60.0  # to connect: clients may be started by hand
    handshake: float = 20.0  # for a client to choose its mode, and for a server to greet
    idle: float = 30.0  # without a message, after which the peer is pinged
    pong: float = 20.0  # to send any message after a ping
    grace: float = 5.0  # beyond the time for a move: a busy machine may start late


DEFAULT_TIMEOUTS = KgpTimeouts()


class KgpLink:
    """A transport that sends the outgoing messages of a protocol, and pings an idle peer."""

    def __init__(self, transport: Transport, protocol: KgpProtocol, timeouts: KgpTimeouts) -> None:
        self.timeouts = timeouts
        self._transport = transport
        self._protocol = protocol
        self._sending = asyncio.Lock()

    async def flush(self) -> None:
        """Send the protocol's outgoing messages in order."""
        async with self._sending:
            for message in self._protocol.take_outgoing():
                await self._transport.send(str(message).encode())

    async def receive(self) -> bytes | None:
        """Return the next line, or None if the peer has disconnected. Ping the peer if it is idle.

        Raises `PeerTimeoutError` if the peer does not answer a ping.
        """
        try:
            async with asyncio.timeout(self.timeouts.idle):
                return await self._transport.receive()
        except TimeoutError:
            self._protocol.send_ping()
            await self.flush()
        return await self.receive_within(self.timeouts.pong, "did not answer a ping")

    async def receive_within(self, seconds: float, problem: str) -> bytes | None:
        """Return the next line. Raises `PeerTimeoutError` with the problem if none arrives in time."""
        async with time_limit(seconds, self._transport.peer, problem):
            return await self._transport.receive()


@dataclass(slots=True)
class _MoveRequest:
    """An open request for a move, with the last move of the client."""

    id: int
    house: int | None = None
    is_finished: bool = False


class KgpConnection:
    """A connection to a client. `start` creates a task that receives messages until the client disconnects, or `close`.

    Only one request may be open at a time.
    """

    def __init__(self, transport: Transport, *, timeouts: KgpTimeouts = DEFAULT_TIMEOUTS) -> None:
        self.protocol = KgpServerProtocol(transport.peer)
        self.peer = transport.peer
        self.has_yielded = False  # whether the client ended the last request itself
        self.timeouts = timeouts
        self._transport = transport
        self._link = KgpLink(transport, self.protocol, timeouts)
        self._changed = asyncio.Event()  # set and replaced at every change
        self._request: _MoveRequest | None = None
        self._solution: SolutionReceived | None = None
        self._failure: PeerError | None = None
        self._receiving: asyncio.Task[None] | None = None
        self._tokens, self._refilled_at = MAX_BURST, monotonic()

    @property
    def name(self) -> str:
        """The name that the client has sent."""
        return self.protocol.info.name

    @property
    def is_closed(self) -> bool:
        """Whether the client can receive no more requests."""
        return self._failure is not None

    async def start(self, *, seconds: float | None = None) -> str:
        """Greet the client, announce the time for a move, and return the client's mode. Raises `PeerError`."""
        self.protocol.greet(seconds)
        await self._link.flush()
        self._receiving = asyncio.create_task(self._receive_all())
        if not await self._wait_until(lambda: self.protocol.mode, self.timeouts.handshake):
            raise PeerTimeoutError(self.peer, "did not choose a mode", self.timeouts.handshake)
        assert self.protocol.mode is not None
        return self.protocol.mode

    async def announce_game(self, game: str, opponent: str) -> None:
        """Announce a new game. Raises `PeerError`."""
        self._check()
        self.protocol.announce_game(game, opponent)
        await self._link.flush()

    async def choose(
        self, position: Position, seconds: float, *, grace: float = 0.0, stopped: asyncio.Event | None = None
    ) -> int | None:
        """Return the last house that the client sends within the time, legal or not, or None.

        If it sends none, wait for its first answer for the `grace` time. `stopped` ends the time at once. Raises
        `PeerError` if the client disconnects.
        """
        self._check()
        self._add_tokens(REQUEST_ALLOWANCE)
        request = self._request = _MoveRequest(self.protocol.request_move(position))
        try:
            await self._link.flush()
            await self._wait_until(lambda: request.is_finished, seconds, stopped)
            if request.house is None:
                await self._wait_until(lambda: request.is_finished or request.house is not None, grace)
        finally:
            self._request = None
            self.has_yielded = request.is_finished
            self.protocol.stop(request.id)
        await self._link.flush()
        return request.house

    async def solve(self, board: KgpBoard, house: int, seconds: float) -> SolutionReceived:
        """Return the client's answer to a problem. Raises `PeerError`."""
        self._check()
        self._solution = None
        self._add_tokens(REQUEST_ALLOWANCE)
        self.protocol.send_problem(board, house)
        await self._link.flush()
        if not await self._wait_until(lambda: self._solution, seconds):
            raise PeerTimeoutError(self.peer, "did not solve a problem", seconds)
        solution: SolutionReceived | None = self._solution
        assert solution is not None
        return solution

    async def send_verdict(self, answer_id: int | None, error: str | None) -> None:
        """Accept a solution, or report what is wrong with it."""
        self.protocol.send_verdict(answer_id, error)
        await self._link.flush()

    async def wait_closed(self) -> PeerError:
        """Wait until the client is disconnected, and return the reason."""
        while self._failure is None:
            await self._changed.wait()
        return self._failure

    async def close(self, problem: str = "") -> None:
        """Say goodbye and disconnect the client. May be called again."""
        self.protocol.leave(problem)
        if self._receiving is not None:
            self._receiving.cancel()
            await asyncio.gather(self._receiving, return_exceptions=True)
        await self._flush_last()
        self._fail(PeerGoneError(self.peer, "was disconnected"))
        await self._transport.close()

    def _check(self) -> None:
        if self._failure is not None:
            raise self._failure

    async def _flush_last(self) -> None:
        with contextlib.suppress(PeerError, TimeoutError):
            async with asyncio.timeout(CLOSE_TIMEOUT):
                await self._link.flush()

    async def _wait_until(
        self, condition: Callable[[], object], seconds: float, stopped: asyncio.Event | None = None
    ) -> bool:
        """Wait for a condition. Return False if the time is over or `stopped` is set before.

        Raises `PeerError` if the client disconnects.
        """
        deadline = monotonic() + seconds
        while not condition():
            self._check()
            left = deadline - monotonic()
            if left <= 0 or (stopped is not None and stopped.is_set()):
                return False
            waits = [asyncio.ensure_future(event.wait()) for event in (self._changed, stopped) if event is not None]
            try:
                await asyncio.wait(waits, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for wait in waits:
                    wait.cancel()
        return True

    def _notify(self) -> None:
        """Wake all waiters, which then check their conditions again."""
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    def _fail(self, error: PeerError) -> None:
        if self._failure is None:
            self._failure = error
        self._notify()

    async def _receive_all(self) -> None:
        """Handle the client's messages until it disconnects."""
        try:
            while (line := await self._link.receive()) is not None:
                self._check_rate(line)
                self._handle(line)
                await self._link.flush()
            self._fail(PeerGoneError(self.peer, "has closed the connection"))
        except PeerError as error:
            self.protocol.leave("" if isinstance(error, PeerGoneError) else error.problem)
            self._fail(error)
            await self._flush_last()
            await self._transport.close()
        finally:
            self._fail(PeerGoneError(self.peer, "was disconnected"))  # unless it has failed before

    def _add_tokens(self, tokens: float) -> None:
        self._tokens = min(MAX_BURST, self._tokens + tokens)

    def _check_rate(self, line: bytes) -> None:
        """Limit the rate of messages with a token bucket. Raises `ProtocolError` if it is empty."""
        now = monotonic()
        self._add_tokens((now - self._refilled_at) * MAX_RATE)
        self._refilled_at = now
        self._tokens -= max(1, math.ceil(len(line) / CHARGED_SIZE))
        if self._tokens < 0:
            raise ProtocolError(self.peer, f"exceeded the rate limit of {MAX_RATE:g} messages a second")

    def _handle(self, line: bytes) -> None:
        message = parse_line(line, self.protocol.report_error)
        if message is None:
            return
        for event in self.protocol.receive(message):
            match event:
                case MoveReceived(number, house) if self._request is not None and number == self._request.id:
                    self._request.house = house
                case Yielded(number) if self._request is not None and number == self._request.id:
                    self._request.is_finished = True
                case SolutionReceived():
                    self._solution = event
                case ClientLeft():
                    raise PeerGoneError(self.peer, "said goodbye")
            self._notify()


class AsyncKgpEngine(AsyncEngine):
    """A client that chooses moves; it has connected to us, or was started by us.

    All Kalah rules without swapping sides are allowed, but clients assume the rules of the protocol.
    """

    def __init__(self, connection: KgpConnection, listener: _Listener, process: StartedProgram | None) -> None:
        self._connection = connection
        self._listener = listener
        self._process = process
        self._stopped = asyncio.Event()  # replaced by each `choose`

    @classmethod
    async def open(
        cls, address: str, *, timeouts: KgpTimeouts = DEFAULT_TIMEOUTS, time: float | None = None
    ) -> AsyncKgpEngine:
        """Listen at `host:port` or `ws://host:port` until a client chooses freeplay; `time` is the announced move time.

        An address that contains `{address}` or `{port}` is a command, which is started with a free local port in that
        place. Raises `PeerError` if no client connects in time, and `ArgumentError` if the address is invalid.
        """
        starts = is_command(address)
        at = Address(LOOPBACK, 0) if starts else parse_address(address.removeprefix("ws://").rstrip("/"))
        start_listener = listen_websocket if address.startswith("ws://") and not starts else listen
        try:
            listener: _Listener = await start_listener(at, FRAMING)
        except OSError as error:
            raise PeerGoneError(str(at), f"cannot be used for listening: {error.strerror or error}") from error
        process = None
        try:
            if starts:
                process = await StartedProgram.start(address, listener.address)
            connection = await _accept_client(listener, process, timeouts, time)
        except BaseException:
            await listener.close()
            if process is not None:
                await process.close(at_once=True)
            raise
        return cls(connection, listener, process)

    @property
    def name(self) -> str:
        """The name that the client has sent."""
        return escape_controls(self._connection.name) or "kgp"

    @property
    def id(self) -> Mapping[str, str]:
        """The name and the authors that the client has sent."""
        info = self._connection.protocol.info
        values = {"name": info.name, "author": info.authors}
        return {key: escape_controls(value) for key, value in values.items() if value}

    async def choose(
        self,
        game: Game[Any, Any],
        limit: Limit = NO_LIMIT,
        *,
        clock: Clock | None = None,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> Answer:
        """Return the last move that the client sends within the time, which is one second by default.

        Raises `GameError` if the protocol does not support the game.
        """
        if outcome := game.outcome():
            raise GameOverError(outcome)
        if problem := explain_unsupported(game.position):
            raise GameError(f"{game.position.variant} cannot be played: {problem}")
        self._stopped = asyncio.Event()
        if is_stopped():
            self._stopped.set()
        try:
            return Answer(await self._choose(game.position, move_time(limit, clock)))
        except PeerError as error:
            reason = error
            if self._process is not None and isinstance(error, PeerGoneError):
                reason = PeerGoneError(self._process.peer, await self._process.describe_end())
            await self.close(at_once=True)
            raise reason from error

    async def _choose(self, position: Position, seconds: float) -> Move:
        peer, grace = self._connection.peer, self._connection.timeouts.grace
        house = await self._connection.choose(position, seconds, grace=grace, stopped=self._stopped)
        if house is None and self._connection.has_yielded:
            raise ProtocolError(peer, "yielded without a move")
        if house is None:
            raise PeerTimeoutError(peer, "made no move", seconds + grace)
        for move in position.legal_moves():
            if move.house == house:
                return move
        raise ProtocolError(peer, f"chose house {house}, which cannot be played in {position.text()}")

    def stop(self) -> None:
        """End the current `choose` with the last move of the client, or with its first if it has not sent one yet."""
        self._stopped.set()

    async def close(self, *, at_once: bool = False) -> None:
        """Say goodbye and disconnect the client. May be called again.

        A program that we have started gets some time to end by itself, unless `at_once` is set.
        """
        await self._connection.close()
        await self._listener.close()
        if self._process is not None:
            await self._process.close(at_once=at_once)


async def _accept_client(
    listener: _Listener, process: StartedProgram | None, timeouts: KgpTimeouts, seconds: float | None
) -> KgpConnection:
    """Return the first client that chooses freeplay, and disconnect all others.

    Handshakes run in parallel, so that silent clients do not block others.
    """
    peer = str(listener.address) if process is None else process.peer
    problem = "received no connection from a client in freeplay mode"
    if process is not None:
        problem = "did not connect in freeplay mode"
    ended = None if process is None else asyncio.ensure_future(process.wait())
    accepting: asyncio.Future[Transport] = asyncio.ensure_future(listener.accept())
    handshakes: set[asyncio.Task[KgpConnection | None]] = set()
    try:
        async with time_limit(timeouts.connect, peer, problem):
            while True:
                waits: set[asyncio.Future[Any]] = {*handshakes, *(() if ended is None else (ended,))}
                waits |= {accepting} if len(handshakes) < MAX_HANDSHAKES else set()
                await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
                for handshake in [each for each in handshakes if each.done()]:
                    handshakes.discard(handshake)
                    if (connection := handshake.result()) is not None:
                        return connection
                if accepting.done() and len(handshakes) < MAX_HANDSHAKES:
                    handshakes.add(asyncio.create_task(_start_play(accepting.result(), timeouts, seconds)))
                    accepting = asyncio.ensure_future(listener.accept())
                elif process is not None and ended is not None and ended.done():
                    raise PeerGoneError(peer, await process.describe_end())
    finally:
        if accepting.done() and not accepting.exception():
            await accepting.result().close()
        accepting.cancel()
        if ended is not None:
            ended.cancel()
        await _cancel_handshakes(handshakes)


async def _cancel_handshakes(handshakes: set[asyncio.Task[KgpConnection | None]]) -> None:
    for handshake in handshakes:
        handshake.cancel()
    for connection in await asyncio.gather(*handshakes, return_exceptions=True):
        if isinstance(connection, KgpConnection):
            await connection.close(OCCUPIED)


async def _start_play(transport: Transport, timeouts: KgpTimeouts, seconds: float | None) -> KgpConnection | None:
    """Return the connection to a client if it chooses freeplay; otherwise disconnect the client."""
    connection = KgpConnection(transport, timeouts=timeouts)
    problem = OCCUPIED
    try:
        if await connection.start(seconds=seconds) == FREEPLAY:
            problem = ""
            return connection
        problem = "only mode freeplay is supported"
    except PeerError as error:
        problem = error.problem
    finally:
        if problem:
            await connection.close(problem)
    return None


class KgpEngine(Engine):
    """The synchronous facade of an `AsyncKgpEngine`."""

    protocol = "kgp"
    open = opener(AsyncKgpEngine.open)  # type: ignore[assignment]  # without the parameter `protocol`


def move_time(limit: Limit, clock: Clock | None) -> float:
    """Return the seconds for a move: the smallest of the limit's time and the shares of the clocks.

    >>> move_time(Limit(), None), move_time(Limit(time=3), Clock(60))
    (1.0, 2.0)
    """
    shares = [each.share() for each in (clock, limit.clock) if each is not None]
    times = shares if limit.time is None else [limit.time, *shares]
    return min(times, default=DEFAULT_MOVE_TIME)
