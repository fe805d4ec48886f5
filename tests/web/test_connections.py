"""WebSocket connections: backlog and rate."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, cast

import pytest
from starlette.websockets import WebSocket

from tablemen.web.connections import BadMessageError, Connection
from tablemen.web.settings import Settings
from tests.fake_clock import Time
from tests.timeouts import TIMEOUT, run_in_time


class Peer:
    """The other end of a socket, which reads when it likes."""

    def __init__(self, *said: dict[str, Any]) -> None:
        self.said = list(said)
        self.read: list[str] = []
        self.closed: tuple[int, str] | None = None
        self.reads = asyncio.Event()

    async def send_text(self, text: str) -> None:
        await self.reads.wait()
        self.read.append(text)

    async def close(self, code: int, reason: str) -> None:
        self.closed = code, reason

    async def receive(self) -> dict[str, Any]:
        if not self.said:
            await asyncio.Event().wait()
        return self.said.pop(0)


def connection(peer: Peer, *, unread: int = 3, unread_bytes: int = 1000, messages_a_second: int = 1000) -> Connection:
    settings = Settings(
        database=Path("unused"), unread=unread, unread_bytes=unread_bytes, messages_a_second=messages_a_second
    )
    return Connection(cast("WebSocket", peer), settings)


def test_messages_are_written_in_order() -> None:
    async def scene() -> None:
        peer = Peer({"type": "websocket.receive", "text": "hello"}, {"type": "websocket.disconnect"})
        peer.reads.set()
        one = connection(peer)

        async def read() -> None:
            assert await one.receive() == "hello"
            one.send("a")
            one.send("b")
            while len(peer.read) < 2:
                await asyncio.sleep(0)
            assert await one.receive() is None

        await one.serve(asyncio.create_task(read()))
        assert (peer.read, peer.closed) == (["a", "b"], None)

    run_in_time(scene())


def test_too_many_unread_messages_close_the_connection() -> None:
    async def scene() -> None:
        peer = Peer()
        one = connection(peer)
        serving = asyncio.create_task(one.serve(asyncio.create_task(asyncio.sleep(3600))))
        await asyncio.sleep(0)
        for number in range(10):
            one.send(str(number))  # which waits for nobody
        await asyncio.wait_for(serving, TIMEOUT)
        assert (peer.read, peer.closed) == ([], (1008, "too much was left unread"))

    run_in_time(scene())


def test_too_many_unread_bytes_close_the_connection() -> None:
    async def scene() -> None:
        peer = Peer()
        one = connection(peer, unread=100, unread_bytes=1000)
        serving = asyncio.create_task(one.serve(asyncio.create_task(asyncio.sleep(3600))))
        await asyncio.sleep(0)
        one.send("a" * 5000)  # one alone may be as large as it is
        await asyncio.sleep(0)
        peer.reads.set()
        while not peer.read:
            await asyncio.sleep(0)
        peer.reads.clear()
        for text in ("b" * 600, "c" * 400):
            one.send(text)
        assert not serving.done()
        one.send("d")
        await asyncio.wait_for(serving, TIMEOUT)
        assert (len(peer.read), peer.closed) == (1, (1008, "too much was left unread"))

    run_in_time(scene())


def test_the_close_reason_is_shortened() -> None:
    async def scene() -> None:
        peer = Peer()
        await connection(peer).close(1008, "ä" * 100)
        assert peer.closed == (1008, "ä" * 61)

    run_in_time(scene())


def test_a_binary_message_is_an_error() -> None:
    async def scene() -> None:
        with pytest.raises(BadMessageError, match="a message is a text"):
            await connection(Peer({"type": "websocket.receive", "bytes": b""})).receive()

    run_in_time(scene())


def test_messages_are_read_at_a_limited_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    time = Time()

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        time.now += seconds

    async def scene() -> None:
        monkeypatch.setattr("tablemen.web.connections.time.monotonic", time)
        monkeypatch.setattr("tablemen.web.connections.asyncio.sleep", sleep)
        one = connection(Peer(*({"type": "websocket.receive", "text": "a"} for _ in range(30))), messages_a_second=10)
        for _ in range(30):
            assert await one.receive() == "a"

    run_in_time(scene())
    assert waits == pytest.approx([0.1] * 20)
