"""Standard input and output, for a program that another one has started."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable

from tablemen.errors import PeerGoneError, ProtocolError
from tablemen.protocols.transport.stream import Framing, time_limit
from tablemen.threads import run_in_daemon_thread

READ_AHEAD = 64  # messages that are read before `receive` asks for them
READ_SIZE = 1 << 16  # bytes
SEND_TIMEOUT = 60.0  # seconds to read what is written: a GUI may be busy


class StdioTransport:
    """Two file descriptors of any kind: pipes, files or a terminal.

    Threads read and write, since asyncio cannot wait for files and consoles; they end with the process. They use no
    buffers of Python: a thread that holds one at the end of the program makes that fail.
    """

    peer = "the program that started this one"

    def __init__(self, framing: Framing, read: Callable[[int], bytes], write: Callable[[bytes], int]) -> None:
        self._framing = framing
        self._read = read
        self._write = write
        self._loop = asyncio.get_running_loop()
        self._messages: asyncio.Queue[bytes | ProtocolError | None] = asyncio.Queue()
        self._room = threading.Semaphore(READ_AHEAD)
        self._writing: asyncio.Future[None] | None = None
        threading.Thread(target=self._read_all, name="input", daemon=True).start()

    def _read_all(self) -> None:
        held = b""
        try:
            while True:
                *messages, held = held.split(self._framing.separator)
                for message in messages:
                    self._put(self._framing.unframe(message, self.peer))
                if len(held) >= self._framing.read_limit:
                    raise self._framing.too_long(self.peer, held)
                more = self._read(READ_SIZE)
                if not more:
                    break
                held += more
        except ProtocolError as error:
            self._put(error)
            return
        except OSError:
            pass
        self._put(None)

    def _put(self, message: bytes | ProtocolError | None) -> None:
        self._room.acquire()
        try:
            self._loop.call_soon_threadsafe(self._messages.put_nowait, message)
        except RuntimeError:  # the loop is closed
            return

    async def send(self, message: bytes) -> None:
        """Write a message as a whole, after the previous one."""
        framed = self._framing.frame(message)
        async with time_limit(SEND_TIMEOUT, self.peer, "did not read what was sent"):
            while self._writing is not None and not self._writing.done():
                await asyncio.wait({self._writing})
            writing = self._writing = run_in_daemon_thread(lambda: self._write_all(framed))
            writing.add_done_callback(asyncio.Future.exception)  # retrieves it if the time is over
            await asyncio.wait({writing})
        try:
            writing.result()
        except OSError as error:
            raise PeerGoneError(self.peer, "has closed its input") from error

    def _write_all(self, framed: bytes) -> None:
        while framed:
            framed = framed[self._write(framed) :]

    async def receive(self) -> bytes | None:
        """Return the next message without its end."""
        message = await self._messages.get()
        self._room.release()
        if isinstance(message, ProtocolError):
            raise message
        return message

    async def close(self) -> None:
        """Do nothing: the streams belong to the process."""


def open_standard_streams(framing: Framing) -> StdioTransport:
    """Return standard input and output as a transport."""
    source, target = sys.stdin.fileno(), sys.stdout.fileno()
    return StdioTransport(framing, lambda size: os.read(source, size), lambda data: os.write(target, data))
