"""WebSockets as transports."""

from __future__ import annotations

import asyncio
import builtins
import errno
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from websockets.asyncio.client import connect as connect_directly
from websockets.exceptions import InvalidStatus

from tablemen.errors import ArgumentError, PeerGoneError, PeerTimeoutError, ProtocolError, TablemenError
from tablemen.protocols.transport import Framing, tcp
from tablemen.protocols.transport.tcp import Address, listen
from tablemen.protocols.transport.websocket import (
    WebSocketListener,
    WebSocketTransport,
    connect_websocket,
    listen_websocket,
)
from tests.timeouts import run_in_time

LINES = Framing(b"\n", 20, end=b"\r\n")
FREE = Address("127.0.0.1", 0)


def run_with_listener(run: Callable[[WebSocketListener, str], Awaitable[None]]) -> None:
    """Run a test with a listener and its URL."""

    async def listen_and_run() -> None:
        listener = await listen_websocket(FREE, LINES)
        try:
            await run(listener, f"ws://{listener.address}/")
        finally:
            await listener.close()

    run_in_time(listen_and_run())


async def connect_both(listener: WebSocketListener, url: str) -> tuple[WebSocketTransport, WebSocketTransport]:
    """Return the ends of the client and of the server."""
    client = await connect_websocket(url, LINES)
    return client, await listener.accept()


def test_messages_and_the_end_are_received() -> None:
    async def run(listener: WebSocketListener, url: str) -> None:
        client, server = await connect_both(listener, url)
        assert client.peer == url
        assert server.peer.startswith("127.0.0.1:")
        await client.send(b"hello")
        await server.send("ä".encode())
        assert await server.receive() == b"hello"
        assert await client.receive() == "ä".encode()
        await client.close()
        assert await server.receive() is None
        with pytest.raises(PeerGoneError) as caught:
            await server.send(b"hello?")
        assert caught.value.peer == server.peer
        await server.close()
        await server.close()

    run_with_listener(run)


def test_a_websocket_message_may_contain_several_lines() -> None:
    async def run(listener: WebSocketListener, url: str) -> None:
        async with connect_directly(url) as socket:
            server = await listener.accept()
            await server.send(b"hello")
            assert await socket.recv() == "hello\r\n"
            await socket.send("one\r\ntwo\nthree")
            await socket.send(b"four\n")
            await socket.send("")
            assert [await server.receive() for _ in range(5)] == [b"one", b"two", b"three", b"four", b""]

    run_with_listener(run)


@pytest.mark.parametrize("size", [23, 100_000])
def test_a_websocket_message_that_is_too_long_is_refused(size: int) -> None:
    async def run(listener: WebSocketListener, url: str) -> None:
        async with connect_directly(url) as socket:
            server = await listener.accept()
            await socket.send("x" * size)
            with pytest.raises(ProtocolError) as caught:
                await server.receive()
            assert "20 bytes" in caught.value.problem

    run_with_listener(run)


def test_a_line_of_one_byte_too_many_is_refused() -> None:
    async def run(listener: WebSocketListener, url: str) -> None:
        client, server = await connect_both(listener, url)
        with pytest.raises(ArgumentError):
            await client.send(b"x" * 21)
        async with connect_directly(url) as socket:
            server = await listener.accept()
            await socket.send("x" * 21)
            with pytest.raises(ProtocolError) as caught:
                await server.receive()
            assert "20 bytes" in caught.value.problem
        await client.close()

    run_with_listener(run)


def test_connections_of_web_pages_are_refused() -> None:
    async def run(_listener: WebSocketListener, url: str) -> None:
        with pytest.raises(InvalidStatus):
            await connect_directly(url, origin="https://example.org")  # type: ignore[arg-type]

    run_with_listener(run)


def test_connections_beyond_the_queue_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tcp, "MAX_PENDING", 1)

    async def run(listener: WebSocketListener, url: str) -> None:
        first = await connect_websocket(url, LINES)
        second = await connect_websocket(url, LINES)
        assert await second.receive() is None
        server = await listener.accept()
        await server.send(b"welcome")
        assert await first.receive() == b"welcome"

    run_with_listener(run)


def test_unreachable_urls_raise() -> None:
    async def run() -> None:
        listener = await listen_websocket(FREE, LINES)
        url = f"ws://{listener.address}/"
        await listener.close()
        with pytest.raises(PeerGoneError) as caught:
            await connect_websocket(url, LINES)
        assert isinstance(caught.value.__cause__, ConnectionRefusedError)
        for invalid in ("ws://", "ws://localhost:soon", "ws://localhost:99999", "ws://[::1", "ws://ä..ö:1"):
            with pytest.raises(PeerGoneError) as caught:
                await connect_websocket(invalid, LINES)
            assert caught.value.peer == invalid
        with pytest.raises(OSError, match=f"Errno {errno.EINVAL}"):
            await listen_websocket(Address("..", 0), LINES)

    run_in_time(run())


def test_a_server_without_websockets_raises() -> None:
    async def run() -> None:
        listener = await listen(FREE, LINES)
        url = f"ws://{listener.address}/"
        with pytest.raises(PeerTimeoutError) as timeout:
            await connect_websocket(url, LINES, seconds=0.1)
        assert (timeout.value.peer, timeout.value.seconds) == (url, 0.1)
        await (await listener.accept()).close()
        connecting = asyncio.create_task(connect_websocket(url, LINES))
        await (await listener.accept()).close()
        with pytest.raises(PeerGoneError) as gone:
            await connecting
        assert gone.value.peer == url
        await listener.close()

    run_in_time(run())


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    real_import = builtins.__import__

    def fake_import(name: str, *arguments: Any, **settings: Any) -> Any:
        if name.startswith("websockets"):
            raise ModuleNotFoundError(name, name="websockets")
        return real_import(name, *arguments, **settings)

    monkeypatch.setattr(builtins, "__import__", fake_import)
    with pytest.raises(TablemenError, match=r"pip install 'tablemen\[web\]'"):
        run_in_time(connect_websocket("ws://localhost", LINES))
