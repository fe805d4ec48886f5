"""Clients of the Kalah Game Protocol over TCP, in threads: they do with their lines what a test says."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from tablemen import Game
from tablemen.mancala import Position
from tablemen.protocols.kgp.message import Message, parse_message
from tests.patience import LONG


class Client:
    """A client that connects as soon as somebody listens."""

    def __init__(self, port: int) -> None:
        ends = time.monotonic() + LONG
        while True:
            try:
                self.socket = socket.create_connection(("127.0.0.1", port), LONG)
                break
            except OSError:
                assert time.monotonic() < ends, "nobody listens"
                time.sleep(0.005)
        self.lines = self.socket.makefile("rb")

    def say(self, *lines: str) -> None:
        self.socket.sendall("".join(line + "\r\n" for line in lines).encode())

    def hear_until(self, verb: str) -> Message | None:
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
def played_by(visit: Callable[[Client], None]) -> Iterator[int]:
    """A port that a client connects to as soon as somebody listens there."""
    port, failures = free_port(), []

    def run() -> None:
        client = None
        try:
            client = Client(port)
            visit(client)
        except BaseException as error:  # noqa: BLE001 - raised in the thread of the test
            failures.append(error)
        finally:
            if client is not None:
                client.close()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield port
    finally:
        thread.join(2 * LONG)
    assert not thread.is_alive(), "the client goes on"
    if failures:
        raise failures[0]


def answering(*answers: str, leave: bool = False) -> Callable[[Client], None]:
    """A client that says something to the first state, and waits then."""

    def visit(client: Client) -> None:
        client.say("mode freeplay")
        state = client.hear_until("state")
        assert state is not None
        client.say(*(answer.replace("#", str(state.id)) for answer in answers))
        if not leave:
            client.hear_until("goodbye")

    return visit


def started(rules: Any = "kgp", *moves: str) -> Game[Any, Any]:
    return Game(Position.start(rules), moves)
