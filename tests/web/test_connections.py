"""WebSocket connections: limits on unread messages and on the rate of received ones."""

from __future__ import annotations

import asyncio
import logging
from logging.handlers import QueueHandler
from pathlib import Path
from queue import SimpleQueue
from typing import Any, cast

import pytest
from starlette.websockets import WebSocket

from tablemen.web.connections import TOO_LARGE, BadMessageError, Connection
from tablemen.web.settings import Settings
from tests.fake_clock import Time
from tests.timeouts import TIMEOUT, run_in_time
from tests.web.in_process_server import Running, wait_for_close


class FakeSocket:
    """A fake WebSocket with given messages to receive; `may_send` controls when sent messages are accepted."""

    def __init__(self, *incoming: dict[str, Any]) -> None:
        self.incoming = list(incoming)
        self.sent: list[str] = []
        self.closed: tuple[int, str] | None = None
        self.may_send = asyncio.Event()

    async def send_text(self, text: str) -> None:
        await self.may_send.wait()
        self.sent.append(text)

    async def close(self, code: int, reason: str) -> None:
        self.closed = code, reason

    async def receive(self) -> dict[str, Any]:
        if not self.incoming:
            await asyncio.Event().wait()
        return self.incoming.pop(0)


def connection(
    socket: FakeSocket, *, unread: int = 3, unread_bytes: int = 1000, messages_a_second: int = 1000
) -> Connection:
    settings = Settings(
        database=Path("unused"), unread=unread, unread_bytes=unread_bytes, messages_a_second=messages_a_second
    )
    return Connection(cast("WebSocket", socket), settings)


def test_messages_are_written_in_order() -> None:
    async def run() -> None:
        socket = FakeSocket({"type": "websocket.receive", "text": "hello"}, {"type": "websocket.disconnect"})
        socket.may_send.set()
        one = connection(socket)

        async def read() -> None:
            assert await one.receive() == "hello"
            one.send("a")
            one.send("b")
            while len(socket.sent) < 2:
                await asyncio.sleep(0)
            assert await one.receive() is None

        await one.serve(asyncio.create_task(read()))
        assert (socket.sent, socket.closed) == (["a", "b"], None)

    run_in_time(run())


async def leave_messages_unread() -> tuple[int, str]:
    """Send messages to a peer that does not read; return the code and the reason of the close."""
    socket = FakeSocket()
    one = connection(socket)
    serving = asyncio.create_task(one.serve(asyncio.create_task(asyncio.sleep(3600))))
    await asyncio.sleep(0)
    for number in range(10):
        one.send(str(number))  # never waits
    await asyncio.wait_for(serving, TIMEOUT)
    assert socket.sent == []
    assert socket.closed is not None
    return socket.closed


def test_too_many_unread_messages_close_the_connection() -> None:
    code, _ = run_in_time(leave_messages_unread())
    assert code == 1008


def test_too_many_unread_bytes_close_the_connection() -> None:
    async def run() -> None:
        socket = FakeSocket()
        one = connection(socket, unread=100, unread_bytes=1000)
        serving = asyncio.create_task(one.serve(asyncio.create_task(asyncio.sleep(3600))))
        await asyncio.sleep(0)
        one.send("a" * 5000)  # a single message may exceed the limit
        await asyncio.sleep(0)
        socket.may_send.set()
        while not socket.sent:
            await asyncio.sleep(0)
        socket.may_send.clear()
        for text in ("b" * 600, "c" * 400):
            one.send(text)
        assert not serving.done()
        one.send("d")
        await asyncio.wait_for(serving, TIMEOUT)
        assert len(socket.sent) == 1
        assert socket.closed is not None
        assert socket.closed[0] == 1008

    run_in_time(run())


def test_a_long_close_reason_is_truncated() -> None:
    async def run() -> None:
        socket = FakeSocket()
        await connection(socket).close(1008, "ä" * 100)
        assert socket.closed == (1008, "ä" * 61)

    run_in_time(run())


def test_a_connection_can_be_dropped_before_and_while_it_is_served() -> None:
    async def run(*, early: bool) -> None:
        socket = FakeSocket()
        one = connection(socket)
        if early:
            one.drop("replaced")
        serving = asyncio.create_task(one.serve(asyncio.create_task(asyncio.sleep(3600))))
        await asyncio.sleep(0)
        if not early:
            one.drop("replaced")
        await asyncio.wait_for(serving, TIMEOUT)
        assert socket.closed == (1008, "replaced")

    run_in_time(run(early=True))
    run_in_time(run(early=False))


def test_heartbeats_are_answered_and_not_returned() -> None:
    texts = ['{"type":"heartbeat"}', '{ "type": "heartbeat" }', '{"type": "heartbeat", "id": 1}', '"heartbeat"']

    async def run() -> None:
        socket = FakeSocket(
            *({"type": "websocket.receive", "text": text} for text in texts), {"type": "websocket.disconnect"}
        )
        socket.may_send.set()
        one = connection(socket)
        assert [await one.receive() for _ in range(3)] == [*texts[2:], None]
        assert socket.sent == ['{"type":"heartbeat"}'] * 2

    run_in_time(run())


def test_a_binary_message_is_an_error() -> None:
    async def run() -> None:
        with pytest.raises(BadMessageError):
            await connection(FakeSocket({"type": "websocket.receive", "bytes": b""})).receive()

    run_in_time(run())


def test_received_messages_are_rate_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    time = Time()

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        time.now += seconds

    async def run() -> None:
        monkeypatch.setattr("tablemen.web.connections.time.monotonic", time)
        monkeypatch.setattr("tablemen.web.connections.asyncio.sleep", sleep)
        messages = [{"type": "websocket.receive", "text": "a"}] * 30
        one = connection(FakeSocket(*messages), messages_a_second=10)
        for _ in range(30):
            assert await one.receive() == "a"

    run_in_time(run())
    assert waits == pytest.approx([0.1] * 20)


def test_a_message_that_is_too_long_is_rejected() -> None:
    async def run() -> None:
        socket = FakeSocket({"type": "websocket.receive", "text": "12345"})
        settings = Settings(database=Path("unused"))
        with pytest.raises(BadMessageError, match="4 characters") as caught:
            await Connection(cast("WebSocket", socket), settings, max_length=4).receive()
        assert caught.value.code == TOO_LARGE

    run_in_time(run())


@pytest.mark.parametrize("path", ["/api/games/none/socket", "/api/analyse/socket"])
def test_a_message_that_is_not_utf_8_is_logged_in_one_line(server: Running, path: str) -> None:
    records: SimpleQueue[logging.LogRecord] = SimpleQueue()
    handler = QueueHandler(records)
    log = logging.getLogger("uvicorn.error")
    log.addHandler(handler)
    try:
        with server.open(path) as socket:
            socket.connection.send(b"\xff", text=True)
            assert wait_for_close(socket)[0] == 1007
    finally:
        log.removeHandler(handler)
    record = records.get(timeout=TIMEOUT)
    assert records.empty()
    assert "UTF-8" in record.getMessage()
    assert (record.levelname, record.exc_info) == ("WARNING", None)
