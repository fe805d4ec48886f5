"""A server in a thread of the test process, with HTTP and WebSocket clients."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Container, Iterable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tablemen.web.serve import WebServer, listen, make_server
from tablemen.web.settings import Settings
from tests.timeouts import TIMEOUT

QUICK = frozenset({"international", "kalah"})
SLOW = frozenset({"canadian", "english", "frisian", "italian", "oware", "russian", "turkish"})  # one for each board


def quick_first(names: Iterable[str], slow: Container[str] = SLOW) -> list[Any]:
    """Return test parameters for variants: two quick ones, a slow one for each other board, and the rest deep."""
    names = list(names)
    marks = {name: pytest.mark.slow if name in slow else pytest.mark.deep for name in names if name not in QUICK}
    return [pytest.param(name, marks=marks.get(name, ())) for name in names]


class Running:
    """A running server, with an HTTP client."""

    def __init__(self, server: WebServer, port: int) -> None:
        self.server = server
        self.port = port
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=TIMEOUT)

    @property
    def app(self) -> Any:
        return self.server.config.app

    def get(self, path: str, **parameters: Any) -> httpx.Response:
        return self.client.get(path, params=parameters)

    def post(self, path: str, body: object) -> httpx.Response:
        return self.client.post(path, json=body)

    def post_lines(self, path: str, body: object) -> list[Any]:
        """Post a request and return the messages of the streamed response."""
        answer = self.post(path, body)
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"] == "application/x-ndjson"
        return [json.loads(line) for line in answer.text.splitlines()]

    @contextlib.contextmanager
    def open(self, path: str, **options: Any) -> Iterator[Socket]:
        with connect(f"ws://127.0.0.1:{self.port}{path}", open_timeout=TIMEOUT, **options) as connection:
            yield Socket(connection)


class Socket:
    """A WebSocket client for JSON messages."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    def send(self, message: object) -> None:
        self.connection.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def receive(self) -> Any:
        return json.loads(self.connection.recv(TIMEOUT))

    def receive_until(self, kind: str, number: int | None = None) -> list[Any]:
        """Receive messages up to the first of this type, and with this id if one is given."""
        messages = [self.receive()]
        while messages[-1]["type"] != kind or number not in (None, messages[-1]["id"]):
            messages.append(self.receive())
        return messages


def wait_for_close(socket: Socket) -> tuple[int, str]:
    """Receive messages until the server closes the connection; return the code and the reason."""
    with pytest.raises(ConnectionClosed) as caught:
        receive_until_closed(socket)
    assert caught.value.rcvd is not None
    return caught.value.rcvd.code, caught.value.rcvd.reason


def receive_until_closed(socket: Socket) -> None:
    while True:
        socket.receive()


@contextlib.contextmanager
def running(folder: Path, **limits: Any) -> Iterator[Running]:
    """Run a server with these limits and a database in the folder."""
    settings = Settings(database=folder / "games.sqlite", **limits)
    with listen("127.0.0.1", 0) as listening:  # the system queues clients that connect before the server is ready
        server = make_server(settings, lambda: None)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        try:
            one = Running(server, listening.getsockname()[1])
            with one.client:
                yield one
        finally:
            server.should_exit = True
            thread.join(TIMEOUT)
            assert not thread.is_alive()
