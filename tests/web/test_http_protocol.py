"""Connections that are too many, or send no complete request in time, are dropped."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from uvicorn.protocols.http.h11_impl import H11Protocol
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tablemen.web import serve
from tests.timeouts import TIMEOUT
from tests.web.in_process_server import running


@contextlib.contextmanager
def served(folder: Path) -> Iterator[tuple[str, int]]:
    """A server that allows an address two connections."""
    with running(folder, connections_of_one=1) as server:
        yield "127.0.0.1", server.port


def connected(address: tuple[str, int]) -> socket.socket:
    """A client that waits long for an answer, but not for ever."""
    return socket.create_connection(address, TIMEOUT)


def is_ended(client: socket.socket) -> bool:
    """Waits until the server ends a connection."""
    with contextlib.suppress(ConnectionResetError):
        while client.recv(1000):
            pass
    return True


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "EXTRA_CONNECTIONS_OF_ONE", 1)


def test_connections_of_a_client_are_limited(tmp_path: Path) -> None:
    with served(tmp_path) as address:
        first, second = connected(address), connected(address)
        with first, second:
            for each in (first, second):
                each.sendall(b"GET /api/variants HTTP/1.1\r\nHost: localhost\r\n\r\n")
                assert each.recv(12) == b"HTTP/1.1 200"
            with connected(address) as third:
                assert is_ended(third)
        url = f"http://{address[0]}:{address[1]}/api/variants"
        with httpx.Client(transport=httpx.HTTPTransport(retries=20), timeout=TIMEOUT) as client:
            assert client.get(url).status_code == 200  # there is a place again


HALVES = {
    "nothing": b"",
    "half a head": b"GET / HTTP/1.1\r\nHost: ",
    "half a body": b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{",
}


@pytest.mark.parametrize("said", HALVES.values(), ids=HALVES)
def test_an_incomplete_request_times_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: bytes) -> None:
    monkeypatch.setattr(serve, "REQUEST_TIMEOUT", 0.05)
    with served(tmp_path) as address, connected(address) as slow:
        slow.sendall(said)
        assert is_ended(slow)


def test_an_incomplete_second_request_times_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with served(tmp_path) as address, connected(address) as slow:
        slow.sendall(b"GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert slow.recv(1000)
        monkeypatch.setattr(serve, "REQUEST_TIMEOUT", 0.05)
        slow.sendall(b"GET / HTTP")
        assert is_ended(slow)


def test_a_websocket_has_no_request_timeout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    begin = H11Protocol.connection_made

    def note(protocol: H11Protocol, transport: Any) -> None:
        made.append(protocol)
        begin(protocol, transport)

    monkeypatch.setattr(H11Protocol, "connection_made", note)
    with served(tmp_path) as (host, port), connect(f"ws://{host}:{port}/api/games/none/socket") as page:
        assert [each.request_timer for each in made] == [None]
        page.send("{}")
        with pytest.raises(ConnectionClosed, match="there is no such game"):
            page.recv(TIMEOUT)
