"""Sockets: how many, how much, and how fast."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest
from starlette.websockets import WebSocket

from tablemen.web.connections import Admission, Allowance, BadMessageError, Connection, TooManyError
from tests.web.tables import Time


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


def connection(peer: Peer, *, unread: int = 3, messages_a_second: int = 1000) -> Connection:
    return Connection(cast("WebSocket", peer), unread=unread, messages_a_second=messages_a_second)


def test_as_many_as_may_be() -> None:
    doors = Admission(most=3, most_of_one=2)
    with doors.admitted("a"), doors.admitted("b"):
        with doors.admitted("a"), pytest.raises(TooManyError, match="this server has too many"), doors.admitted("c"):
            pass
        with doors.admitted("b"), pytest.raises(TooManyError), doors.admitted("b"):
            pass
    with doors.admitted("a"), doors.admitted("a"):
        with pytest.raises(TooManyError, match="from your address"), doors.admitted("a"):
            pass
        with doors.admitted("b"):
            pass


def test_so_many_a_minute() -> None:
    time = Time()
    allowance = Allowance(2, now=time)
    allowance.take("a")
    time.now = 59
    allowance.take("a")
    allowance.take("b")
    with pytest.raises(TooManyError) as caught:
        allowance.take("a")
    assert caught.value.seconds == 2
    time.now = 60
    allowance.take("a")


def test_what_is_said_is_written_in_order() -> None:
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

    asyncio.run(scene())


def test_who_does_not_read_is_told_no_more() -> None:
    async def scene() -> None:
        peer = Peer()
        one = connection(peer)
        serving = asyncio.create_task(one.serve(asyncio.create_task(asyncio.sleep(3600))))
        await asyncio.sleep(0)
        for number in range(10):
            one.send(str(number))  # which waits for nobody
        await asyncio.wait_for(serving, 60)
        assert (peer.read, peer.closed) == ([], (1008, "too much was left unread"))

    asyncio.run(scene())


def test_a_message_is_a_text() -> None:
    async def scene() -> None:
        with pytest.raises(BadMessageError, match="a message is a text"):
            await connection(Peer({"type": "websocket.receive", "bytes": b""})).receive()

    asyncio.run(scene())


def test_who_speaks_too_fast_waits(monkeypatch: pytest.MonkeyPatch) -> None:
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

    asyncio.run(scene())
    assert waits == pytest.approx([0.1] * 20)
