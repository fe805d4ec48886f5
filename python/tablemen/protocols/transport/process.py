"""Transports to programs: child processes, and our own standard input and output."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import os
import re
import shlex
import signal
import sys
import textwrap
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from tablemen.console import escape_controls
from tablemen.errors import ArgumentError, PeerGoneError, ProtocolError
from tablemen.protocols.transport.stream import Framing, StreamTransport, time_limit
from tablemen.protocols.transport.tcp import Address, parse_address
from tablemen.threads import run_in_daemon_thread

MAX_ERROR_OUTPUT = 2000  # last bytes of standard error that are kept
MAX_ERROR_LINE = 200  # characters of the last line of standard error that are reported
MAX_COMMAND = 60  # characters of the command in errors
ESCAPE = "" if os.name == "nt" else "\\"  # the escape character of commands; on Windows it separates paths
POLL_INTERVAL = 0.01  # seconds between checks whether a process has ended
END_TIMEOUT = 2.0  # seconds for a process to end after its input is closed, and again after SIGTERM
KILL_TIMEOUT = 20.0  # seconds for a process to end after SIGKILL: the machine may be busy

_PLACEHOLDER = re.compile(r"\{(?:address|port)\}")
_KILL: int = getattr(signal, "SIGKILL", signal.SIGTERM)
_RUNNING: set[asyncio.subprocess.Process] = set()  # processes whose transports are not closed
READ_AHEAD = 64  # messages that are buffered for `receive`
READ_SIZE = 1 << 16  # bytes
SEND_TIMEOUT = 60.0  # seconds for our parent process to read a message: a GUI may be busy


class ProcessTransport(StreamTransport):
    """The standard streams of a process; `close` ends it and its children."""

    def __init__(self, process: asyncio.subprocess.Process, framing: Framing, peer: str) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        super().__init__(process.stdout, process.stdin, framing, peer)
        self.process = process
        self._error_output = b""
        self._reading_errors = asyncio.create_task(self._read_errors(process.stderr))
        _RUNNING.add(process)

    async def _read_errors(self, errors: asyncio.StreamReader) -> None:
        """Read standard error, so that the process never blocks on a full pipe."""
        while read := await errors.read(4096):
            self._error_output = (self._error_output + read)[-MAX_ERROR_OUTPUT:]

    async def _gone(self) -> PeerGoneError:
        return PeerGoneError(self.peer, await self.describe_end())

    async def describe_end(self) -> str:
        """Wait up to `END_TIMEOUT` for the end of the process, and describe it with the last line of standard error."""
        if await self._wait_for_end(END_TIMEOUT):
            await asyncio.wait([self._reading_errors], timeout=END_TIMEOUT)
        status = self.process.returncode
        if status is None:
            description = "closed its output"
        elif status < 0:
            description = f"was ended by {_name_signal(-status)}"
        else:
            description = f"ended with status {status}"
        lines = self._error_output.decode(errors="replace").strip().splitlines()
        return f"{description}: {escape_controls(lines[-1])[:MAX_ERROR_LINE]}" if lines else description

    async def close(self) -> None:
        """Close the input of the process; if it does not end in time, terminate it, and finally kill it."""
        try:
            await super().close()
            if not await self._wait_for_end(END_TIMEOUT):
                self.terminate()
                await self._wait_for_end(END_TIMEOUT)
        finally:
            self._signal(_KILL)  # also kills the children
            await self._wait_for_end(KILL_TIMEOUT)
            self._reading_errors.cancel()
            _RUNNING.discard(self.process)
            # Close the pipes explicitly: asyncio keeps unread pipes open while another process holds their other ends.
            self.process._transport.close()  # type: ignore[attr-defined]  # noqa: SLF001

    @property
    def has_ended(self) -> bool:
        """Whether the process has ended, even if another one holds its pipes open."""
        return self.process.returncode is not None

    async def _wait_for_end(self, seconds: float) -> bool:
        """Return whether the process ends in time; `Process.wait` would also wait until its pipes are closed."""
        waited = 0.0
        while not self.has_ended and waited < seconds:
            await asyncio.sleep(POLL_INTERVAL)
            waited += POLL_INTERVAL
        return self.has_ended

    def terminate(self) -> None:
        """Send SIGTERM, so that `close` does not wait for a process that ignores the end of its input."""
        self._signal(signal.SIGTERM)

    def _signal(self, number: int) -> None:
        """Signal the process and its children, unless it is closed: its process ID may have been reused."""
        if self.process not in _RUNNING:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self.process.pid, number)  # the process leads its own group
            elif not self.has_ended:
                self.process.send_signal(number)


@atexit.register
def kill_all() -> None:
    """Kill the remaining processes, if the program ends while another thread still waits for them.

    `os._exit` does not run this handler: call it first.
    """
    for process in tuple(_RUNNING):
        if process.returncode is None:  # otherwise its process ID may have been reused
            with contextlib.suppress(OSError):
                (os.killpg if hasattr(os, "killpg") else os.kill)(process.pid, _KILL)


def _name_signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


async def open_process(
    command: str | Sequence[str], framing: Framing, *, folder: str | os.PathLike[str] | None = None
) -> ProcessTransport:
    """Start a program, in a folder if one is given. Raises `PeerGoneError` if it cannot be started."""
    process, peer = await _start(split_command(command), framing.read_limit, folder)
    return ProcessTransport(process, framing, peer)


async def _start(
    words: list[str], read_limit: int, folder: str | os.PathLike[str] | None = None
) -> tuple[asyncio.subprocess.Process, str]:
    peer = textwrap.shorten(shlex.join(words), MAX_COMMAND, placeholder=" …")
    pipe = asyncio.subprocess.PIPE
    path = None if folder is None else Path(folder).expanduser()
    if path is not None and not path.is_dir():
        raise PeerGoneError(peer, f"cannot be started: {path} is not a folder")
    try:
        process = await asyncio.create_subprocess_exec(
            *words, stdin=pipe, stdout=pipe, stderr=pipe, limit=read_limit, start_new_session=True, cwd=path
        )
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise PeerGoneError(peer, f"cannot be started: {reason}") from error
    return process, peer


def split_command(command: str | Sequence[str]) -> list[str]:
    """Split a command into words. Raises `ArgumentError` if it is empty, or if a quote is not closed."""
    if isinstance(command, str):
        lexer = shlex.shlex(command, posix=True)
        lexer.whitespace_split, lexer.commenters, lexer.escape = True, "", ESCAPE
        try:
            words = list(lexer)
        except ValueError as error:
            raise ArgumentError("command", command, "a command line without an open quote or escape") from error
    else:
        words = [str(word) for word in command]
    if not words or not words[0]:
        raise ArgumentError("command", command, "the name of a program")
    return words


class StartedProgram(ProcessTransport):
    """A program that communicates over TCP; its output is discarded, so that it never blocks on a full pipe."""

    def __init__(self, process: asyncio.subprocess.Process, peer: str) -> None:
        super().__init__(process, Framing(b"\n", 4096), peer)
        self._draining = asyncio.create_task(self._drain())

    @classmethod
    async def start(cls, command: str, address: Address) -> StartedProgram:
        """Start a command with the address. Raises `PeerGoneError` if that fails, `ArgumentError` for a bad command."""
        return cls(*await _start(insert_address(command, address), 4096))

    async def _drain(self) -> None:
        while await self._reader.read(4096):
            pass

    async def wait(self) -> None:
        """Wait until the program has ended."""
        while not self.has_ended:
            await asyncio.sleep(POLL_INTERVAL)

    async def close(self, *, at_once: bool = True) -> None:
        """End the program and its children; unless `at_once`, wait first for it to end after its input is closed."""
        if at_once:
            self.terminate()
        await super().close()
        self._draining.cancel()
        await asyncio.gather(self._draining, return_exceptions=True)


def is_command(text: str) -> bool:
    """Return whether a text is a command that starts a program, and not an address.

    >>> is_command("tablemen engine dxp --listen {address}"), is_command("localhost:27531")
    (True, False)
    """
    return _PLACEHOLDER.search(text) is not None


def check_endpoint(text: str) -> None:
    """Raise `ArgumentError` if a text is neither an address nor a command that starts a program."""
    if is_command(text):
        split_command(text)
        return
    try:
        parse_address(text)
    except ArgumentError as error:
        raise ArgumentError("address", text, "host:port, or a command with {port} or {address} in it") from error


def insert_address(command: str, address: Address) -> list[str]:
    """Return the words of a command with the address in place of its placeholders.

    >>> insert_address("agent --at {address} -p{port}", Address("127.0.0.1", 2671))
    ['agent', '--at', '127.0.0.1:2671', '-p2671']
    """
    return [
        _PLACEHOLDER.sub(lambda found: str(address) if found[0] == "{address}" else str(address.port), word)
        for word in split_command(command)
    ]


class StdioTransport:
    """Two file descriptors of any kind: pipes, files or a terminal.

    Daemon threads read and write, since asyncio cannot wait for files and consoles. They use unbuffered calls: Python
    fails at exit if a daemon thread holds the lock of a buffered stream.
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
        async with time_limit(SEND_TIMEOUT, self.peer, "did not read our message"):
            while self._writing is not None and not self._writing.done():
                await asyncio.wait({self._writing})
            writing = self._writing = run_in_daemon_thread(lambda: self._write_all(framed))
            writing.add_done_callback(asyncio.Future.exception)  # mark the error as retrieved, also after a timeout
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
