"""One's own input and output, for a program that another one has started."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable

from tablemen.errors import PeerGoneError, PeerTimeoutError, ProtocolError
from tablemen.protocols.transport.framing import Framing
from tablemen.threads import run_in_daemon_thread

AHEAD = 64  # messages that are read before anybody asks for them
PIECE = 1 << 16
SENDING = 60.0  # seconds to take what is written: a board may have more to do than to read


class StandardTransport:
    """Two file descriptors, whatever they are: pipes, files or a terminal.

    Threads read and write, since files and consoles cannot be waited for; they end with the process. They do so without
    any of Python's buffers: a thread that holds one at the end of the program makes that fail.
    """

    peer = "whoever started this program"

    def __init__(self, framing: Framing, read: Callable[[int], bytes], write: Callable[[bytes], int]) -> None:
        self._framing = framing
        self._read = read
        self._write = write
        self._loop = asyncio.get_running_loop()
        self._messages: asyncio.Queue[bytes | ProtocolError | None] = asyncio.Queue()
        self._room = threading.Semaphore(AHEAD)
        self._writing: asyncio.Future[None] | None = None
        threading.Thread(target=self._read_all, name="input", daemon=True).start()

    def _read_all(self) -> None:
        held = b""
        while True:
            *messages, held = held.split(self._framing.separator)
            for message in messages:
                if self._is_too_long(message):
                    return
                self._tell(message.removesuffix(b"\r"))
            if self._is_too_long(held):
                return
            try:
                more = self._read(PIECE)
            except OSError:
                more = b""
            if not more:
                self._tell(None)
                return
            held += more

    def _is_too_long(self, message: bytes) -> bool:
        """Whether it is, which is told then."""
        most = self._framing.most
        if len(message) <= most + 1:  # the end of a line may still be there
            return False
        said = message[:100].decode(errors="replace")
        self._tell(ProtocolError(self.peer, f"sent a message of more than {most:,} bytes", said))
        return True

    def _tell(self, message: bytes | ProtocolError | None) -> None:
        self._room.acquire()
        try:
            self._loop.call_soon_threadsafe(self._messages.put_nowait, message)
        except RuntimeError:  # nobody listens any more
            return

    async def send(self, message: bytes) -> None:
        """Write a message whole, after the one before."""
        framed = self._framing.frame(message)
        try:
            async with asyncio.timeout(SENDING):
                while self._writing is not None and not self._writing.done():
                    await asyncio.wait({self._writing})
                writing = self._writing = run_in_daemon_thread(lambda: self._write_all(framed))
                writing.add_done_callback(asyncio.Future.exception)  # also where nobody waits any more
                await asyncio.wait({writing})
        except TimeoutError as error:
            raise PeerTimeoutError(self.peer, "did not take what was sent", SENDING) from error
        try:
            writing.result()
        except OSError as error:
            raise PeerGoneError(self.peer, "reads no more") from error

    def _write_all(self, framed: bytes) -> None:
        while framed:
            framed = framed[self._write(framed) :]

    async def receive(self) -> bytes | None:
        """The next message, without its end."""
        message = await self._messages.get()
        self._room.release()
        if isinstance(message, ProtocolError):
            raise message
        return message

    async def close(self) -> None:
        """Nothing: the streams are those of the process."""


def open_standard_streams(framing: Framing) -> StandardTransport:
    """Standard input and output as a wire."""
    given, taken = sys.stdin.fileno(), sys.stdout.fileno()
    return StandardTransport(framing, lambda most: os.read(given, most), lambda data: os.write(taken, data))
