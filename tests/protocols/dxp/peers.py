"""Programs that speak DamExchange byte by byte, and not always well: what our ends must get over."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator

from tests.patience import LONG

ACCEPTS = b"Athe other" + b" " * 23 + b"0"


def untimed(message: bytes | None) -> bytes | None:
    """The message, with no seconds where it is a move: machines may be slow."""
    return b"M0000" + message[5:] if message is not None and message[:1] == b"M" else message


class Wire:
    """A socket with messages, for a thread that waits for each of them."""

    def __init__(self, connected: socket.socket) -> None:
        self.socket = connected
        self.socket.settimeout(LONG)
        self._held = b""

    def send(self, *messages: bytes) -> None:
        """Send whole messages."""
        self.socket.sendall(b"".join(message + b"\0" for message in messages))

    def receive(self) -> bytes | None:
        """The next message; None behind the last."""
        while b"\0" not in self._held:
            more = self.socket.recv(4096)
            if not more:
                return None
            self._held += more
        message, self._held = self._held.split(b"\0", 1)
        return message

    def expect(self, *messages: bytes) -> None:
        """These come next."""
        for message in messages:
            heard = untimed(self.receive())
            assert heard == message, f"{heard!r} came, and not {message!r}"


Script = Callable[[Wire], object]


def script(*lines: bytes) -> Script:
    """Sends what begins with >, and expects what begins with <; < alone is the end that the other side makes."""

    def talk(wire: Wire) -> None:
        for line in lines:
            if line[:1] == b">":
                wire.send(line[1:])
            elif line == b"<":
                assert wire.receive() is None
            else:
                wire.expect(line[1:])

    return talk


def flood(message: bytes) -> Script:
    """Sends without end, until nobody listens."""

    def talk(wire: Wire) -> None:
        wire.receive()
        with contextlib.suppress(OSError):
            wire.send(ACCEPTS)
            while True:
                wire.socket.sendall(message * 50)

    return talk


def say(*messages: bytes) -> Script:
    """Says this to a request, and waits."""

    def talk(wire: Wire) -> None:
        wire.receive()
        wire.send(*messages)
        with contextlib.suppress(OSError):
            while wire.receive() is not None:
                pass

    return talk


def leave(said: bytes = b"") -> Script:
    """Says this to a request, message or not, and goes."""

    def talk(wire: Wire) -> None:
        wire.receive()
        wire.socket.sendall(said)

    return talk


class Peer:
    """Listens in a thread, and speaks to those who connect by a script for each, one after the other."""

    def __init__(self, *scripts: Script) -> None:
        self._scripts = scripts
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._listening.settimeout(LONG)
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def address(self) -> tuple[str, int]:
        """Where it listens."""
        host, port = self._listening.getsockname()
        return host, port

    def _run(self) -> None:
        try:
            for script in self._scripts:
                connected, _ = self._listening.accept()
                with connected:
                    script(Wire(connected))
        except BaseException as error:  # noqa: BLE001 - it is raised where the test waits
            self._failure = error

    def finish(self) -> None:
        """Waits until every script is through, and raises what went wrong there."""
        self._thread.join(2 * LONG)
        self._listening.close()
        if self._failure is not None:
            raise self._failure
        assert not self._thread.is_alive(), "not everything that was expected was said"


@contextlib.contextmanager
def peer(*scripts: Script) -> Iterator[tuple[str, int]]:
    """The address of a `Peer` that must come to its end."""
    there = Peer(*scripts)
    yield there.address
    there.finish()
