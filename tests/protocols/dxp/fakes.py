"""Fakes for tests of DXP: peers that run scripts, and a host that records its games."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from tablemen import Game, Side
from tablemen.draughts import DraughtsRules, find_variant
from tablemen.family import ScoreSheet
from tablemen.players import RESIGN, Player
from tablemen.protocols.dxp import DxpHost, DxpTimeouts, GameSettings
from tablemen.protocols.dxp.messages import FRAMING
from tablemen.protocols.transport import Transport, connect, listen
from tablemen.protocols.transport.tcp import Address
from tests.fake_players import First
from tests.timeouts import TIMEOUT, run_in_time

ACCEPTS = b"Athe other" + b" " * 23 + b"0"  # the peer accepts the game of our engine

INTERNATIONAL = find_variant("international")
ANYWHERE = Address("127.0.0.1", 0)
NAME = b"them".ljust(32)
WHITE_FOR_US = b"R01" + NAME + b"W005000A"  # the peer requests a game
BLACK_FOR_US = b"R01" + NAME + b"Z005000A"
HOST_ACCEPTS = b"Aus" + b" " * 30 + b"0"
FIRST = b"M0000312700"  # the first move of our host's player


def without_time(message: bytes | None) -> bytes | None:
    """Replace the seconds of a move, which depend on the machine, by 0."""
    return b"M0000" + message[5:] if message is not None and message[:1] == b"M" else message


class Wire:
    """A blocking socket that sends and receives messages."""

    def __init__(self, connected: socket.socket) -> None:
        self.socket = connected
        self.socket.settimeout(TIMEOUT)
        self._buffer = b""

    def send(self, *messages: bytes) -> None:
        self.socket.sendall(b"".join(message + b"\0" for message in messages))

    def receive(self) -> bytes | None:
        """Return the next message, or None if the connection is closed."""
        while b"\0" not in self._buffer:
            more = self.socket.recv(4096)
            if not more:
                return None
            self._buffer += more
        message, self._buffer = self._buffer.split(b"\0", 1)
        return message

    def expect(self, *messages: bytes) -> None:
        """Check that the next messages are these."""
        for message in messages:
            received = without_time(self.receive())
            assert received == message, f"received {received!r} instead of {message!r}"


Script = Callable[[Wire], object]


def script(*lines: bytes) -> Script:
    """Return a script that sends lines after `>` and expects lines after `<`; `<` alone expects the end."""

    def run(wire: Wire) -> None:
        for line in lines:
            if line[:1] == b">":
                wire.send(line[1:])
            elif line == b"<":
                assert wire.receive() is None
            else:
                wire.expect(line[1:])

    return run


def flood(data: bytes) -> Script:
    """Return a script that accepts a game and sends data repeatedly until the connection is closed."""

    def run(wire: Wire) -> None:
        wire.receive()
        with contextlib.suppress(OSError):
            wire.send(ACCEPTS)
            while True:
                wire.socket.sendall(data * 50)

    return run


def reply(*messages: bytes) -> Script:
    """Return a script that answers a request with messages, and waits for the end of the connection."""

    def run(wire: Wire) -> None:
        wire.receive()
        wire.send(*messages)
        with contextlib.suppress(OSError):
            while wire.receive() is not None:
                pass

    return run


def leave(data: bytes = b"") -> Script:
    """Return a script that answers a request with data, and closes the connection."""

    def run(wire: Wire) -> None:
        wire.receive()
        wire.socket.sendall(data)

    return run


class Peer:
    """A server in a thread, which runs a script for each connection, one after the other."""

    def __init__(self, *scripts: Script) -> None:
        self._scripts = scripts
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._listening.settimeout(TIMEOUT)
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def address(self) -> tuple[str, int]:
        """The address of the server."""
        host, port = self._listening.getsockname()
        return host, port

    def _run(self) -> None:
        try:
            for run in self._scripts:
                connected, _ = self._listening.accept()
                with connected:
                    run(Wire(connected))
        except BaseException as error:  # noqa: BLE001 - `finish` raises it
            self._failure = error

    def finish(self) -> None:
        """Wait for the end of all scripts, and raise the error of one that failed."""
        self._thread.join(2 * TIMEOUT)
        self._listening.close()
        if self._failure is not None:
            raise self._failure
        assert not self._thread.is_alive(), "a script has not finished"


@contextlib.contextmanager
def peer(*scripts: Script) -> Iterator[tuple[str, int]]:
    """Run a `Peer` and yield its address; all scripts must finish."""
    server = Peer(*scripts)
    yield server.address
    server.finish()


AsyncScript = Callable[[Transport], Awaitable[object]]


def async_script(*lines: bytes) -> AsyncScript:
    """Return a script for a transport, with lines as in `script`."""

    async def run(transport: Transport) -> None:
        for line in lines:
            if line[:1] == b">":
                await transport.send(line[1:])
            else:
                received = without_time(await transport.receive())
                assert received == (None if line == b"<" else line[1:])

    return run


def accepted(request: bytes) -> tuple[bytes, bytes]:
    """Return script lines in which the peer requests a game and our host accepts it."""
    return b">" + request, b"<" + HOST_ACCEPTS


def from_position(follower: str, position: str, *, moves: int = 0) -> bytes:
    """Return a request for a game from a position."""
    return b"R01" + NAME + f"{follower}005{moves:03}B{position}".encode()


class Hosted:
    """A host with the lines that it reports and the games that it plays."""

    def __init__(self, player: Player | None = None, *, rules: DraughtsRules = INTERNATIONAL, **settings: Any) -> None:
        self.reports: list[str] = []
        self.sheets: list[ScoreSheet] = []
        defaults: dict[str, Any] = {
            "settings": GameSettings("us", 5),
            "timeouts": DxpTimeouts(end=30),
            "resignation": RESIGN,
        }
        self.host = DxpHost(
            player=player or First(),
            rules=rules,
            report=self.reports.append,
            on_game=self.sheets.append,
            **(defaults | settings),
        )

    @property
    def sheet(self) -> ScoreSheet:
        """The game, if there is exactly one."""
        (sheet,) = self.sheets
        return sheet

    def follow(self, run_peer: AsyncScript, *, games: int | None = None) -> int:
        """Let the host play the games that a peer requests, over a socket."""
        return run_in_time(self._connect(lambda transport: self.host.follow(transport, games=games), run_peer))

    def lead(self, run_peer: AsyncScript, *, games: int = 1, first: Side = Side.WHITE) -> int:
        """Let the host request games from a peer, over a socket."""
        return run_in_time(
            self._connect(lambda transport: self.host.lead(transport, games=games, first=first), run_peer)
        )

    @staticmethod
    async def _connect(run_host: Callable[[Transport], Awaitable[int]], run_peer: AsyncScript) -> int:
        listener = await listen(ANYWHERE, FRAMING)
        there = await connect(listener.address, FRAMING)
        here = await listener.accept()

        async def run_and_close() -> None:
            try:
                await run_peer(there)
            finally:
                await there.close()

        try:
            played, done = await asyncio.gather(run_host(here), run_and_close(), return_exceptions=True)
        finally:
            await listener.close()
        if isinstance(done, BaseException):
            raise done
        if isinstance(played, BaseException):
            raise played
        return played


class Waiting(First):
    """A player that plays `fast_moves` moves at once, and then thinks until it is stopped.

    `is_thinking` is set while it thinks; `plies` has the length of the game at each call.
    """

    name = "waiting"

    def __init__(self, fast_moves: int = 0) -> None:
        self.fast_moves = fast_moves
        self.is_thinking = threading.Event()
        self.stopped = threading.Event()
        self.plies: list[int] = []

    def choose(self, game: Game[Any, Any]) -> Any:
        self.plies.append(len(game.moves))
        if len(self.plies) > self.fast_moves:
            self.stopped.clear()
            self.is_thinking.set()
            self.stopped.wait(TIMEOUT)
            self.is_thinking.clear()
        return super().choose(game)

    def stop(self) -> None:
        self.stopped.set()
