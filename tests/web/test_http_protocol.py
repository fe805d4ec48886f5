"""The connection limit per client, and the timeout of incomplete requests."""

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
from tablemen.web.routes.games import UNKNOWN_GAME
from tests.timeouts import TIMEOUT
from tests.web.in_process_server import running


@contextlib.contextmanager
def served(folder: Path, **settings: Any) -> Iterator[tuple[str, int]]:
    """Run a server that allows two connections per address."""
    with running(folder, connections_of_one=1, **settings) as server:
        yield "127.0.0.1", server.port


def connect_socket(address: tuple[str, int]) -> socket.socket:
    return socket.create_connection(address, TIMEOUT)


def wait_for_end(client: socket.socket) -> None:
    """Wait until the server ends the connection."""
    with contextlib.suppress(ConnectionResetError):
        while client.recv(1000):
            pass


@pytest.fixture(autouse=True)
def low_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "EXTRA_CONNECTIONS_OF_ONE", 1)


def test_connections_of_a_client_are_limited(tmp_path: Path) -> None:
    with served(tmp_path) as address:
        first, second = connect_socket(address), connect_socket(address)
        with first, second:
            for each in (first, second):
                each.sendall(b"GET /api/variants HTTP/1.1\r\nHost: localhost\r\n\r\n")
                assert each.recv(12) == b"HTTP/1.1 200"
            with connect_socket(address) as third:
                wait_for_end(third)
        url = f"http://{address[0]}:{address[1]}/api/variants"
        with httpx.Client(transport=httpx.HTTPTransport(retries=20), timeout=TIMEOUT) as client:
            assert client.get(url).status_code == 200  # the limit is no longer reached


@pytest.mark.slow
def test_connections_of_a_trusted_proxy_are_not_limited(tmp_path: Path) -> None:
    with served(tmp_path, trusted_proxies=("127.0.0.1",)) as address, contextlib.ExitStack() as stack:
        for _ in range(3):
            client = stack.enter_context(connect_socket(address))
            client.sendall(b"GET /api/variants HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert client.recv(12) == b"HTTP/1.1 200"


INCOMPLETE_REQUESTS = {
    "nothing": b"",
    "headers": b"GET / HTTP/1.1\r\nHost: ",
    "body": b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{",
}


@pytest.mark.parametrize("data", INCOMPLETE_REQUESTS.values(), ids=INCOMPLETE_REQUESTS)
def test_an_incomplete_request_times_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(serve, "REQUEST_TIMEOUT", 0.05)
    with served(tmp_path) as address, connect_socket(address) as slow:
        slow.sendall(data)
        wait_for_end(slow)


def test_an_incomplete_second_request_times_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with served(tmp_path) as address, connect_socket(address) as slow:
        slow.sendall(b"GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert slow.recv(1000)
        monkeypatch.setattr(serve, "REQUEST_TIMEOUT", 0.05)
        slow.sendall(b"GET / HTTP")
        wait_for_end(slow)


def test_a_websocket_has_no_request_timeout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    protocols: list[Any] = []
    connection_made = H11Protocol.connection_made

    def record(protocol: H11Protocol, transport: Any) -> None:
        protocols.append(protocol)
        connection_made(protocol, transport)

    monkeypatch.setattr(H11Protocol, "connection_made", record)
    with served(tmp_path) as (host, port), connect(f"ws://{host}:{port}/api/games/none/socket") as page:
        assert [each.request_timer for each in protocols] == [None]
        page.send("{}")
        with pytest.raises(ConnectionClosed, match=UNKNOWN_GAME):
            page.recv(TIMEOUT)
