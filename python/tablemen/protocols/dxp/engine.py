"""DXP engines: programs that choose moves for us, over TCP."""

from __future__ import annotations

import asyncio
import contextlib
import math
import socket
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from tablemen.console import escape_controls
from tablemen.draughts import INTERNATIONAL, DraughtsRules, Move, Position, find_variant
from tablemen.errors import (
    AmbiguousMoveError,
    NotationError,
    PeerError,
    PeerGoneError,
    PeerTimeoutError,
    ProtocolError,
    TablemenError,
)
from tablemen.game import Game
from tablemen.outcome import Outcome, Side
from tablemen.protocols.dxp.messages import (
    DEFAULT_NAME,
    FRAMING,
    MAX_MINUTES,
    AcceptCode,
    DxpMessage,
    EndReason,
    GameSettings,
    TakebackCode,
    check_rules,
    format_message,
    parse_message,
)
from tablemen.protocols.dxp.protocol import (
    ChatReceived,
    DxpEvent,
    DxpProtocol,
    EndReceived,
    OpponentMoved,
    Phase,
    RequestAnswered,
    TakebackRequested,
)
from tablemen.protocols.engine import NO_LIMIT, Answer, AsyncEngine, Engine, Timeouts, blocking, opener
from tablemen.protocols.transport import Listener, Transport, connect, listen
from tablemen.protocols.transport.process import StartedProgram, is_command
from tablemen.protocols.transport.stream import time_limit
from tablemen.protocols.transport.tcp import LOOPBACK, Address, parse_address
from tablemen.search import Clock, Limit

DEFAULT_PORT = 27531
DEFAULT_MINUTES = 5  # for a game without a clock
MAX_CHATS = 16  # last texts that an engine keeps
RETRY_INTERVAL = 0.1  # seconds between attempts to connect to a program that does not listen yet

REFUSALS = {
    AcceptCode.WRONG_VERSION: "uses another version of DXP",
    AcceptCode.NOT_THIS_GAME: "declined this game",
    AcceptCode.NO_GAMES: "declined all games",
}
END_CLAIMS = {
    EndReason.UNKNOWN: "ended the game without a reason",
    EndReason.DRAWN: "ended the game as a draw",
    EndReason.WON: "ended the game and claimed a win",
}


@dataclass(frozen=True, kw_only=True)
class DxpTimeouts(Timeouts):
    """Timeouts of a program in seconds. Without `move`, a move may take the time left on its clock plus `grace`."""

    connect: float = 30.0  # a program may load databases before it listens
    accept: float = 60.0  # a user may have to accept the game
    request: float = 60.0  # to request the first game after it has connected to us: a user may have to start it
    move: float | None = None
    grace: float = 30.0  # clocks differ, and networks are slow
    end: float = 5.0


class Endpoint:
    """The address of a program, for one connection after the other.

    Either we connect to the program, or the program connects to us. We may have started it by a command.
    """

    def __init__(self, address: Address) -> None:
        self.address = address
        self._listener: Listener | None = None
        self._program: StartedProgram | None = None

    @classmethod
    async def open(cls, address: str | tuple[str, int], *, listening: bool = False) -> Endpoint:
        """Open the endpoint at an address, or start a program by a command that contains `{address}` or `{port}`.

        With `listening`, the program connects to us. Raises `PeerGoneError`, `ArgumentError`.
        """
        if not isinstance(address, str):
            endpoint, command = cls(Address(*address)), None
        elif is_command(address):
            endpoint, command = cls(Address(LOOPBACK, 0 if listening else _find_free_port())), address
        else:
            endpoint, command = cls(parse_address(address, port=DEFAULT_PORT)), None
        try:
            if listening:
                await endpoint._listen()
            if command is not None:
                endpoint._program = await StartedProgram.start(command, endpoint.address)
        except BaseException:
            await endpoint.close()
            raise
        return endpoint

    async def _listen(self) -> None:
        try:
            self._listener = await listen(self.address, FRAMING)
        except OSError as error:
            raise PeerGoneError(
                str(self.address), f"cannot be used for listening: {error.strerror or error}"
            ) from error
        self.address = self._listener.address

    @property
    def peer(self) -> str:
        """The name of the program in errors: its command, or its address."""
        return str(self.address) if self._program is None else self._program.peer

    async def connect(self, timeout: float) -> Transport:
        """Open a new connection to the program. Raises `PeerGoneError`, `PeerTimeoutError`."""
        if self._program is None and self._listener is None:
            return await connect(self.address, FRAMING, seconds=timeout)
        if self._listener is None:
            problem = f"did not listen at {self.address}"
        else:
            problem = "received no connection" if self._program is None else "did not connect"
        async with time_limit(timeout, self.peer, problem):
            transport = await (self._dial(timeout) if self._listener is None else self._accept(self._listener))
        if self._program is not None:
            transport.peer = self._program.peer
        return transport

    async def _accept(self, listener: Listener) -> Transport:
        """Wait for the program to connect. Raises `PeerGoneError` if it ends."""
        accepting = asyncio.create_task(listener.accept())
        try:
            while not accepting.done():
                await asyncio.wait({accepting}, timeout=RETRY_INTERVAL)
                if not accepting.done():
                    await self._check_running()
            return accepting.result()
        finally:
            accepting.cancel()

    async def _dial(self, timeout: float) -> Transport:
        """Connect to a program that we have started, as soon as it listens. Raises `PeerGoneError` if it ends."""
        while True:
            await self._check_running()
            with contextlib.suppress(PeerGoneError):
                return await connect(self.address, FRAMING, seconds=timeout)
            await asyncio.sleep(RETRY_INTERVAL)

    async def _check_running(self) -> None:
        if self._program is not None and self._program.has_ended:
            raise PeerGoneError(self.peer, await self._program.describe_end())

    async def describe_end(self) -> str:
        """Return how the program ended; return an empty text if it still runs, or if we have not started it."""
        if self._program is None:
            return ""
        description = await self._program.describe_end()
        return description if self._program.has_ended else ""

    async def close(self) -> None:
        """Stop listening, and end the program if we have started it. May be called again."""
        if self._listener is not None:
            await self._listener.close()
        if self._program is not None:
            await self._program.close()  # terminates it at once, since DXP has no message that ends a program


def _find_free_port() -> int:
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port


class DxpConnection:
    """A `DxpProtocol` over a transport, used by one task at a time. After an error it can only be closed."""

    def __init__(
        self, transport: Transport, rules: DraughtsRules, *, name: str, timeouts: DxpTimeouts | None = None
    ) -> None:
        self.transport = transport
        self.timeouts = timeouts or DxpTimeouts()
        self.peer = transport.peer
        self.protocol = DxpProtocol(rules, name=name, peer=transport.peer)

    async def send(self, message: DxpMessage) -> None:
        """Send a message that a method of `protocol` has returned. Raises `PeerError`."""
        await self.transport.send(format_message(message))

    async def receive(self) -> DxpEvent:
        """Wait for the next message and return its event. May be cancelled without losing a message.

        Raises `PeerGoneError` if the connection is closed, `ProtocolError` for an invalid message.
        """
        data = await self.transport.receive()
        if data is None:
            raise PeerGoneError(self.peer, "has closed the connection")
        try:
            message = parse_message(data)
        except NotationError as error:
            text = data.decode("ascii", "backslashreplace")
            raise ProtocolError(self.peer, f"sent an invalid DXP message ({error.problem})", text) from error
        return self.protocol.receive(message)

    async def request_game(self, position: Position, follower: Side, *, minutes: int, moves: int = 0) -> None:
        """Request a game, and wait until it is accepted. Raises `PeerError` if it is declined."""
        await self.send(self.protocol.request_game(position, follower, minutes=minutes, moves=moves))
        async with time_limit(self.timeouts.accept, self.peer, "did not accept the game"):
            while not isinstance(event := await self.receive(), RequestAnswered):
                pass
        if event.code is not AcceptCode.ACCEPTED:
            raise PeerError(self.peer, REFUSALS[event.code])

    async def finish(self, reason: EndReason, *, is_last: bool = False) -> None:
        """End the current game, or confirm that the peer has ended it, and wait until both ends agree.

        On the peer's turn, wait first for its move or its end of the game. Raises `PeerTimeoutError` if the peer sends
        neither, or does not confirm the end; the connection cannot be used any more.
        """
        protocol = self.protocol
        try:
            async with time_limit(self.timeouts.end, self.peer, "did not confirm the end of the game"):
                while protocol.phase is not Phase.IDLE:
                    if protocol.phase is Phase.ENDED:
                        await self.send(protocol.confirm(is_last=is_last))
                    elif protocol.is_our_turn and not protocol.awaits_takeback:
                        await self.send(protocol.end(reason, is_last=is_last))
                    elif isinstance(await self.receive(), TakebackRequested):
                        await self.send(protocol.answer_takeback(TakebackCode.REFUSED))
        except PeerTimeoutError:
            if protocol.phase is not Phase.PLAYING or not protocol.game.outcome():
                raise
            # The peer should have ended the game, but it may wait for us to do so.
            await self.send(protocol.end(reason, is_last=is_last, overdue=True))
            await self.finish(reason, is_last=is_last)

    async def close(self) -> None:
        """Close the connection. May be called again."""
        await self.transport.close()


class AsyncDxpEngine(AsyncEngine):
    """A program that plays the side to move in games that the caller manages. We are the initiator of DXP.

    If a game continues the current game of the connection, only the last move is sent. Otherwise a new game is
    requested from the current position, so that the program does not see earlier repetitions.

    DXP has minutes for a game but no limits for a move: with a time limit and no clock, the minutes of 60 such moves
    are requested. It has no message that stops a search: `stop` lets `choose` raise `PeerError` and closes the engine.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        settings: GameSettings | None = None,
        *,
        variant: DraughtsRules | None = None,
        timeouts: DxpTimeouts | None = None,
    ) -> None:
        self._endpoint = endpoint
        self._settings = settings or GameSettings()
        self._variant = variant
        self._timeouts = timeouts or DxpTimeouts()
        self._connection: DxpConnection | None = None
        self._before: tuple[Position, tuple[Move, ...]] | None = None  # start and moves before the requested game
        self._seconds = 0.0  # time of each side for the requested game
        self._used = 0.0  # seconds that the program has used
        self._moved_at = 0.0  # time of the last move of the program
        self._waiting: asyncio.Timeout | None = None
        self._connecting = asyncio.Lock()
        self._is_stopped = self._is_closed = False
        self._name = endpoint.peer  # until the program has sent its name
        self.chats: deque[str] = deque(maxlen=MAX_CHATS)

    @classmethod
    async def open(  # noqa: PLR0913 - settings of the game and the connection
        cls,
        address: str | tuple[str, int],
        *,
        listen: bool = False,
        name: str = DEFAULT_NAME,
        variant: DraughtsRules | str | None = None,
        minutes: int | None = None,
        moves: int = 0,
        timeouts: DxpTimeouts | None = None,
    ) -> Self:
        """Connect to the program at an address, or start it by a command that contains `{address}` or `{port}`.

        With `listen`, the program connects to us. `name` is our name. `variant` is the variant that the program plays,
        which DXP does not transmit; without it, games of any variant are requested. `minutes` is the time of each side
        for a game, and `moves` the maximum number of moves of each side (0: no limit). Raises `PeerError`.
        """
        settings = GameSettings(name, minutes, moves)
        rules = find_variant(variant) if isinstance(variant, str) else variant
        endpoint = await Endpoint.open(address, listening=listen)
        engine = cls(endpoint, settings, variant=rules, timeouts=timeouts)
        try:
            await engine.connect()
        except BaseException:
            await engine.close()
            raise
        return engine

    @property
    def name(self) -> str:
        """The name that the program has sent, or its command or address before that."""
        return self._name

    @property
    def id(self) -> Mapping[str, str]:
        """The name that the program has sent."""
        return {} if self._name == self._endpoint.peer else {"name": escape_controls(self._name)}

    async def connect(self) -> DxpConnection:
        """Return the connection, and open it if necessary. Raises `PeerError`."""
        if self._is_closed:
            raise PeerGoneError(self.name, "is closed")
        async with self._connecting:  # `send_chat` may connect at the same time
            if self._connection is None:
                transport = await self._endpoint.connect(self._timeouts.connect)
                rules, name = self._variant or INTERNATIONAL, self._settings.name
                self._connection = DxpConnection(transport, rules, name=name, timeouts=self._timeouts)
            return self._connection

    async def choose(
        self,
        game: Game[Any, Any],
        limit: Limit = NO_LIMIT,
        *,
        clock: Clock | None = None,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> Answer:
        """Return the program's move, or None if it resigns; the limit and the clock determine the timeout."""
        self._check_variant(game.position.variant)
        self._is_stopped = False
        try:
            async with asyncio.timeout(None) as self._waiting:
                if is_stopped():
                    self.stop()
                return await self._choose(game, limit, clock or limit.clock)
        except TimeoutError as error:
            await self.close()
            raise PeerError(self.name, "cannot be stopped over DXP, so the connection was closed") from error
        except PeerGoneError as error:
            description = await self._endpoint.describe_end()
            await self.close()
            raise PeerGoneError(error.peer, description or error.problem) from error
        except (PeerError, asyncio.CancelledError):
            await self.close()
            raise
        finally:
            self._waiting = None

    def stop(self) -> None:
        """Abort a `choose` in progress with a `PeerError`: DXP has no message that stops a search."""
        if self._waiting is not None and not self._is_stopped:
            self._is_stopped = True
            self._waiting.reschedule(asyncio.get_running_loop().time())

    async def end_game(self, game: Game[Any, Any], outcome: Outcome | None) -> None:
        """End the game on the connection; if that fails, close the connection."""
        connection = self._connection
        if connection is None or connection.protocol.phase is not Phase.PLAYING:
            return
        protocol = connection.protocol
        assert protocol.side is not None
        try:
            if self._is_continued_by(game) and game.position.outcome() and protocol.is_our_turn:
                with contextlib.suppress(TablemenError):  # an ambiguous move is not sent
                    await self._send_last_move(connection, game)
            await connection.finish(EndReason.of(outcome, protocol.side))
        except PeerError:
            await self._disconnect()
        if protocol.is_finished:
            await self._disconnect()

    async def send_chat(self, text: str) -> None:
        """Send a text to the program's user."""
        connection = await self.connect()
        await connection.send(connection.protocol.chat(text))

    async def close(self) -> None:
        """Close the connection, and end the program if we have started it. May be called again."""
        self._is_closed = True
        await self._disconnect()
        await self._endpoint.close()

    async def _choose(self, game: Game[Any, Any], limit: Limit, clock: Clock | None) -> Answer:
        if not await self._continue(game):
            await self._request_game(game, limit, clock)
        connection = await self.connect()
        timeout = self._move_timeout(limit, clock)
        started_at = _now()
        async with time_limit(timeout, self.name, "did not move"):
            answer = await self._receive_move(connection, game)
        self._moved_at = _now()
        self._used += self._moved_at - started_at
        return answer

    async def _continue(self, game: Game[Any, Any]) -> bool:
        """Send the last move if the game is that on the connection plus this move; return whether it is."""
        if not self._is_continued_by(game):
            return False
        try:
            await self._send_last_move(await self.connect(), game)
        except AmbiguousMoveError:  # a new game from the position after the move is needed
            return False
        return True

    async def _send_last_move(self, connection: DxpConnection, game: Game[Any, Any]) -> None:
        await connection.send(connection.protocol.play(game.moves[-1], _now() - self._moved_at))

    def _is_continued_by(self, game: Game[Any, Any]) -> bool:
        if self._connection is None or self._before is None or not self._connection.protocol.is_our_turn:
            return False
        current = self._connection.protocol.game
        start, moves = self._before
        is_same = game.start == start and game.moves[:-1] == moves + current.moves
        return is_same and game.moves[-1] in current.legal_moves()

    async def _request_game(self, game: Game[Any, Any], limit: Limit, clock: Clock | None) -> None:
        """Request a game from the current position; connect again if the program has closed a used connection."""
        await self.end_game(game, None)
        minutes = self._settings.minutes or _whole_minutes(limit, clock)
        while True:
            is_used = self._before is not None
            connection = await self.connect()
            try:
                await connection.request_game(
                    game.position, game.position.turn, minutes=minutes, moves=self._settings.moves
                )
                break
            except PeerGoneError:
                if not is_used:
                    raise
                await self._disconnect()
        self._name = connection.protocol.peer_name or connection.peer
        self._before = game.start, game.moves
        self._used, self._moved_at = 0.0, _now()
        self._seconds = 60.0 * minutes

    async def _receive_move(self, connection: DxpConnection, game: Game[Any, Any]) -> Answer:
        while True:
            match await connection.receive():
                case OpponentMoved(move):
                    if move not in game.legal_moves():  # legal moves may depend on moves before the requested game
                        raise ProtocolError(self.name, "played an illegal move", str(move))
                    return Answer(game.legal_moves()[game.legal_moves().index(move)])
                case EndReceived(reason):
                    await connection.send(connection.protocol.confirm())
                    if connection.protocol.is_finished:
                        await self._disconnect()
                    if reason is EndReason.LOST:
                        return Answer(None)
                    is_due = reason is EndReason.DRAWN and game.claims()
                    verdict = "only the referee may claim it" if is_due else "the game is not over"
                    raise ProtocolError(self.name, f"{END_CLAIMS[reason]}, but {verdict}")
                case TakebackRequested():
                    await connection.send(connection.protocol.answer_takeback(TakebackCode.NOT_SUPPORTED))
                case ChatReceived(text):
                    self.chats.append(text)
                case _:
                    pass

    def _move_timeout(self, limit: Limit, clock: Clock | None) -> float:
        if self._timeouts.move is not None:
            return self._timeouts.move
        left = clock.left + clock.increment if clock is not None else max(0.0, self._seconds - self._used)
        return min(left, math.inf if limit.time is None else limit.time) + self._timeouts.grace

    def _check_variant(self, variant: Any) -> None:
        check_rules(variant)
        if self._variant is not None and variant != self._variant:
            raise TablemenError(f"{self.name} plays {self._variant.name}, not {variant.name}")

    async def _disconnect(self) -> None:
        connection, self._connection, self._before = self._connection, None, None
        if connection is not None:
            await connection.close()


def _now() -> float:
    return asyncio.get_running_loop().time()


def _whole_minutes(limit: Limit, clock: Clock | None) -> int:
    """Return the minutes to request for a game with this clock, or for 60 moves with this limit."""
    if clock is not None and math.isfinite(clock.left):
        minutes = int(clock.left // 60)
    elif limit.time is not None and math.isfinite(limit.time):
        minutes = math.ceil(limit.time)  # a minute for every second per move
    else:
        return DEFAULT_MINUTES
    return min(max(1, minutes), MAX_MINUTES)


class DxpEngine(Engine):
    """The synchronous facade of an `AsyncDxpEngine`."""

    protocol = "dxp"
    _engine: AsyncDxpEngine

    open = opener(AsyncDxpEngine.open)  # type: ignore[assignment]  # without the parameter `protocol`
    send_chat = blocking(AsyncDxpEngine.send_chat)

    @property
    def chats(self) -> tuple[str, ...]:
        """The last chat texts of the program, which may contain any ASCII character."""
        return tuple(self._engine.chats)
