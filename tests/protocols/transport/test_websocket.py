"""WebSockets as transports."""

from __future__ import annotations

import asyncio
import builtins
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from websockets.asyncio.client import connect as connect_plainly
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


def meet(visit: Callable[[WebSocketListener, str], Awaitable[None]]) -> None:
    """Run a test with a listener and its URL."""

    async def run() -> None:
        listener = await listen_websocket(FREE, LINES)
        try:
            await visit(listener, f"ws://{listener.address}/")
        finally:
            await listener.close()

    run_in_time(run())


async def pair(listener: WebSocketListener, url: str) -> tuple[WebSocketTransport, WebSocketTransport]:
    client = await connect_websocket(url, LINES)
    return client, await listener.accept()


def test_messages_go_both_ways() -> None:
    async def visit(listener: WebSocketListener, url: str) -> None:
        client, server = await pair(listener, url)
        assert client.peer == url
        assert server.peer.startswith("127.0.0.1:")
        await client.send(b"hello")
        await server.send("ä".encode())
        assert await server.receive() == b"hello"
        assert await client.receive() == "ä".encode()
        await client.close()
        assert await server.receive() is None
        with pytest.raises(PeerGoneError, match="has closed the connection"):
            await server.send(b"anybody?")
        await server.close()
        await server.close()

    meet(visit)


def test_a_websocket_message_may_contain_several_lines() -> None:
    async def visit(listener: WebSocketListener, url: str) -> None:
        async with connect_plainly(url) as plain:
            server = await listener.accept()
            await server.send(b"hello")
            assert await plain.recv() == "hello\r\n"
            await plain.send("one\r\ntwo\nthree")
            await plain.send(b"four\n")
            await plain.send("")
            assert [await server.receive() for _ in range(5)] == [b"one", b"two", b"three", b"four", b""]

    meet(visit)


@pytest.mark.parametrize("size", [23, 100_000])
def test_a_websocket_message_that_is_too_long_is_refused(size: int) -> None:
    async def visit(listener: WebSocketListener, url: str) -> None:
        async with connect_plainly(url) as plain:
            server = await listener.accept()
            await plain.send("x" * size)
            with pytest.raises(ProtocolError, match="more than 20 bytes"):
                await server.receive()

    meet(visit)


def test_a_line_that_is_a_little_too_long() -> None:
    async def visit(listener: WebSocketListener, url: str) -> None:
        client, server = await pair(listener, url)
        with pytest.raises(ArgumentError):
            await client.send(b"x" * 21)
        async with connect_plainly(url) as plain:
            server = await listener.accept()
            await plain.send("x" * 21)
            with pytest.raises(ProtocolError, match="more than 20 bytes"):
                await server.receive()
        await client.close()

    meet(visit)


def test_pages_in_browsers_are_refused() -> None:
    async def visit(_listener: WebSocketListener, url: str) -> None:
        with pytest.raises(InvalidStatus):
            await connect_plainly(url, origin="https://example.org")  # type: ignore[arg-type]

    meet(visit)


def test_connections_beyond_the_queue_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tcp, "MAX_PENDING", 1)

    async def visit(listener: WebSocketListener, url: str) -> None:
        first = await connect_websocket(url, LINES)
        second = await connect_websocket(url, LINES)
        assert await second.receive() is None
        server = await listener.accept()
        await server.send(b"welcome")
        assert await first.receive() == b"welcome"

    meet(visit)


def test_unreachable_urls_are_errors() -> None:
    async def run() -> None:
        listener = await listen_websocket(FREE, LINES)
        url = f"ws://{listener.address}/"
        await listener.close()
        with pytest.raises(PeerGoneError, match="cannot be reached"):
            await connect_websocket(url, LINES)
        for nowhere in ("ws://", "ws://localhost:soon", "ws://localhost:99999", "ws://[::1"):
            with pytest.raises(PeerGoneError, match="cannot be reached"):
                await connect_websocket(nowhere, LINES)
        with pytest.raises(PeerGoneError, match="cannot be reached: not a valid host name"):
            await connect_websocket("ws://ä..ö:1", LINES)
        with pytest.raises(OSError, match="not a valid host name"):
            await listen_websocket(Address("..", 0), LINES)

    run_in_time(run())


def test_a_server_without_websockets_is_an_error() -> None:
    async def run() -> None:
        listener = await listen(FREE, LINES)
        url = f"ws://{listener.address}/"
        with pytest.raises(PeerTimeoutError, match="did not answer"):
            await connect_websocket(url, LINES, seconds=0.1)
        await (await listener.accept()).close()
        trying = asyncio.create_task(connect_websocket(url, LINES))
        await (await listener.accept()).close()
        with pytest.raises(PeerGoneError, match="cannot be reached"):
            await trying
        await listener.close()

    run_in_time(run())


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def missing(name: str, *arguments: Any, **settings: Any) -> Any:
        if name.startswith("websockets"):
            raise ModuleNotFoundError(name, name="websockets")
        return real(name, *arguments, **settings)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(TablemenError, match=r"pip install 'tablemen\[web\]'"):
        run_in_time(connect_websocket("ws://localhost", LINES))
