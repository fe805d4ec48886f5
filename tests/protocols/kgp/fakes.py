"""Fakes for tests of the Kalah Game Protocol: transports, clients and servers."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from types import TracebackType
from typing import Any, Self

from tablemen import Game, Side
from tablemen.errors import PeerGoneError
from tablemen.mancala import VARIANTS, Position
from tablemen.protocols.kgp.messages import KgpMessage, parse_message
from tablemen.protocols.kgp.protocol import KgpClientProtocol, KgpServerProtocol
from tablemen.protocols.kgp.server import GameEnded, KgpServer, KgpServerSettings, TournamentEvent
from tablemen.protocols.transport.tcp import Address
from tests.timeouts import TIMEOUT

THREES = "<3,0,0,3,3,3,3,3,3>"
KGP = VARIANTS["kgp"]
SMALL = replace(KGP, houses=2, seeds=2)
ONCE = KgpServerSettings(boards=(SMALL,), rounds=1, seconds=30, pause=0)
LARGER = replace(ONCE, boards=(KGP,))  # too large for a win before the opponent has moved


def receive(protocol: KgpClientProtocol | KgpServerProtocol, line: str) -> list[object]:
    return list(protocol.receive(parse_message(line)))


def sent(protocol: KgpClientProtocol | KgpServerProtocol) -> list[str]:
    return [str(message) for message in protocol.take_outgoing()]


class MemoryTransport:
    """One end of a connection in memory."""

    peer = "the other end"

    def __init__(self) -> None:
        self.other: MemoryTransport = self
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.is_closed = False

    async def send(self, message: bytes) -> None:
        if self.other.is_closed or self.is_closed:
            raise PeerGoneError(self.peer, "has closed the connection")
        self.other._lines.put_nowait(message)

    async def receive(self) -> bytes | None:
        return None if self.is_closed else await self._lines.get()

    async def close(self) -> None:
        if not self.is_closed:
            self.is_closed = True
            self.other._lines.put_nowait(None)

    # The methods below are for tests.

    async def send_lines(self, *lines: str) -> None:
        for line in lines:
            await self.send(line.encode())

    async def receive_message(self) -> KgpMessage:
        line = await self.receive()
        assert line is not None, "the other end has closed the connection"
        return parse_message(line.decode())

    async def receive_until(self, verb: str) -> KgpMessage:
        while (message := await self.receive_message()).verb != verb:
            pass
        return message


def make_transports() -> tuple[MemoryTransport, MemoryTransport]:
    """Return both ends of a connection."""
    one, other = MemoryTransport(), MemoryTransport()
    one.other, other.other = other, one
    return one, other


class ScriptedClient:
    """A client over TCP, whose messages a test sends and receives."""

    def __init__(self, address: Address) -> None:
        self.address = address

    async def __aenter__(self) -> Self:
        self.reader, self.writer = await asyncio.open_connection(*self.address)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.disconnect()
        with contextlib.suppress(OSError):
            await self.writer.wait_closed()

    def disconnect(self) -> None:
        """Close the connection without a message."""
        self.writer.close()

    async def send_lines(self, *lines: str, end: str = "\n") -> None:
        self.writer.write("".join(line + end for line in lines).encode())
        with contextlib.suppress(OSError):
            await self.writer.drain()

    async def receive_message(self) -> KgpMessage | None:
        """Return the next message, or None if the server has closed the connection."""
        try:
            line = await self.reader.readline()
        except OSError:
            return None
        if not line.endswith(b"\n"):
            return None
        assert line.endswith(b"\r\n")
        return parse_message(line.decode().rstrip("\r\n"))

    async def receive_until(self, verb: str) -> KgpMessage:
        while (message := await self.receive_message()) is not None:
            if message.verb == verb:
                return message
        raise AssertionError(f"the server closed the connection before it sent {verb}")

    async def receive_all(self) -> list[KgpMessage]:
        """Return all messages until the server closes the connection."""
        messages = []
        while (message := await self.receive_message()) is not None:
            messages.append(message)
        return messages

    async def play(self, name: str, house: int | None = None, *, games: int | None = None) -> None:
        """Play the first possible house, or always `house`, until goodbye or until `games` games are over."""
        await self.send_lines(f'set info:name "{name}"', "mode freeplay")
        begun = 0
        while (message := await self.receive_message()) is not None and message.verb != "goodbye":
            begun += message.text(0) == "game:id"
            if message.verb == "state":
                if games is not None and begun > games:
                    return
                board = message.board(0)
                assert board is not None
                chosen = house or next(number for number, seeds in enumerate(board.south, 1) if seeds)
                await self.send_lines(f"@{message.id} move {chosen}", f"@{message.id} yield")
            elif message.verb == "ping":
                await self.send_lines(f"@{message.id} pong")


@contextlib.asynccontextmanager
async def running(server: KgpServer, *, websocket: bool = False) -> AsyncIterator[list[TournamentEvent]]:
    """Run a server at a free port, yield its events, and wait for its end unless the block raises."""
    events: list[TournamentEvent] = []
    server.on_event = events.append
    free = Address("127.0.0.1", 0)
    await server.listen(free, websocket=free if websocket else None)
    task = asyncio.create_task(server.run())
    try:
        yield events
        await task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def list_games(events: list[TournamentEvent]) -> list[GameEnded]:
    return [event for event in events if isinstance(event, GameEnded)]


def check_games(games: list[GameEnded]) -> None:
    """Check that every game is complete and its winner has the most seeds."""
    for each in games:
        assert each.game.outcome() == each.outcome
        assert each.note == ""
        score = each.game.position.score()
        most = [side for side in Side if score[side] == max(score.values())]
        assert each.outcome.winner == (most[0] if len(most) == 1 else None)


class ThreadedClient:
    """A client over TCP for a thread; it connects as soon as a server listens."""

    def __init__(self, port: int) -> None:
        deadline = time.monotonic() + TIMEOUT
        while True:
            try:
                self.socket = socket.create_connection(("127.0.0.1", port), TIMEOUT)
                break
            except OSError:
                assert time.monotonic() < deadline, "no server listens"
                time.sleep(0.005)
        self.lines = self.socket.makefile("rb")

    def send_lines(self, *lines: str) -> None:
        self.socket.sendall("".join(line + "\r\n" for line in lines).encode())

    def receive_until(self, verb: str) -> KgpMessage | None:
        for line in self.lines:
            message = parse_message(line.decode().rstrip())
            if message.verb == verb:
                return message
        return None

    def close(self) -> None:
        self.lines.close()
        self.socket.close()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextlib.contextmanager
def connecting(script: Callable[[ThreadedClient], None]) -> Iterator[int]:
    """Yield a port; a client connects to it as soon as a server listens there, and runs a script."""
    port, failures = free_port(), []

    def run() -> None:
        client = None
        try:
            client = ThreadedClient(port)
            script(client)
        except BaseException as error:  # noqa: BLE001 - raised again in the thread of the test
            failures.append(error)
        finally:
            if client is not None:
                client.close()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield port
    finally:
        thread.join(2 * TIMEOUT)
    assert not thread.is_alive(), "the client still runs"
    if failures:
        raise failures[0]


def answering(*answers: str, leave: bool = False) -> Callable[[ThreadedClient], None]:
    """Return the script of a client that answers the first state with lines, and then waits unless `leave` is set.

    `#` in a line stands for the number of the state.
    """

    def script(client: ThreadedClient) -> None:
        client.send_lines("mode freeplay")
        state = client.receive_until("state")
        assert state is not None
        client.send_lines(*(answer.replace("#", str(state.id)) for answer in answers))
        if not leave:
            client.receive_until("goodbye")

    return script


def started(rules: Any = "kgp", *moves: str) -> Game[Any, Any]:
    return Game(Position.start(rules), moves)
