"""Run a console program as a child process: at a pseudo-terminal, or over pipes if the system has none."""

from __future__ import annotations

import contextlib
import os
import queue
import re
import select
import signal
import subprocess
import sys
import threading
from abc import ABC, abstractmethod
from codecs import getincrementaldecoder
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self, TypeAlias

from tablemen.errors import ArgumentError

if sys.platform != "win32":
    import fcntl
    import termios

Folder: TypeAlias = "str | os.PathLike[str] | None"

LAUNCHER = str(Path(__file__).with_name("pty_launcher.py"))
TERMINAL_SIZE = (24, 80)
MAX_LINE_LENGTH = 4095  # bytes with the newline: the line buffer of a terminal
READ_SIZE = 1 << 16
STOP_TIMEOUT = 1.0  # seconds between SIGTERM and SIGKILL
READER_TIMEOUT = 1.0  # seconds to wait for the end of a pipe


class ConsoleProcess(ABC):
    """A running console program in its own process group. Leaving the `with` block ends the whole group.

    Raises `ArgumentError` if the command cannot be started.
    """

    def __init__(self, command: Sequence[str], *, folder: Folder) -> None:
        self._decoder = getincrementaldecoder("utf-8")("backslashreplace")
        self._held = ""  # carriage returns that may belong to a line ending
        self._is_over = False
        self._typed = 0  # bytes of the last line of input
        try:
            self._process = self._start(command, folder)
        except (OSError, ValueError) as error:
            self._close()
            reason = f"{error.strerror}: {error.filename}" if isinstance(error, OSError) else str(error)
            raise ArgumentError("command", list(command), f"a program that can be started ({reason})") from error
        except BaseException:
            self._close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            self._send_signal("SIGTERM")
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(STOP_TIMEOUT)
        self._send_signal("SIGKILL")
        self._process.wait()
        self._close()

    @abstractmethod
    def _start(self, command: Sequence[str], folder: Folder) -> subprocess.Popen[bytes]:
        """Start the program in its own session."""

    @abstractmethod
    def _read_bytes(self, seconds: float) -> bytes | None:
        """Return the output within a timeout: None if there is none, empty at the end."""

    @abstractmethod
    def _write_bytes(self, data: bytes) -> None:
        """Write input."""

    @abstractmethod
    def unread(self) -> int:
        """Return how many bytes of the input the program has not read, or 0 if that is unknown."""

    @abstractmethod
    def _close(self) -> None:
        """Close the files."""

    def read(self, seconds: float) -> str | None:
        r"""Return the output within a timeout: None if there is none, empty at the end.

        Carriage returns before a newline are left out; bytes that are not UTF-8 become `\xff`.
        """
        if self._is_over:
            return ""
        data = self._read_bytes(seconds)
        if data is None:
            return None
        self._is_over = not data
        text = self._held + self._decoder.decode(data, final=self._is_over)
        whole = text if self._is_over else text.rstrip("\r")
        self._held = text[len(whole) :]
        return re.sub(r"\r+\n", "\n", whole) or (None if data else "")

    def write_line(self, text: str) -> None:
        """Type a line, and drop a carriage return at the end of the prompt before it.

        Raises `ArgumentError` if the line is too long for a terminal.
        """
        data = f"{text}\n".encode()
        if len(data) > MAX_LINE_LENGTH:
            raise ArgumentError("input", text, f"a line of less than {MAX_LINE_LENGTH} bytes")
        self._held = ""
        self._typed = len(data)
        self._write_bytes(data)

    def ignores_input(self) -> bool:
        """Return whether no byte of the last line was read; a program that reads single bytes may leave the newline."""
        return 0 < self._typed <= self.unread()

    def status(self) -> int | None:
        """Return the exit status, or minus the number of the signal, or None while the program runs."""
        return self._process.poll()

    def finish(self) -> None:
        """Kill the processes that an ended program has left running; the output can still be read."""
        self._send_signal("SIGKILL")

    def _send_signal(self, name: str) -> None:
        """Send a signal to the process group."""
        if os.name == "posix":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, getattr(signal, name))
        elif self._process.poll() is None:
            self._process.terminate()


class TerminalProcess(ConsoleProcess):
    """A program at a pseudo-terminal, which passes whole lines unchanged and without echo."""

    def __init__(self, command: Sequence[str], *, folder: Folder) -> None:
        # The program's side stays open here too: only that side reports unread input.
        self._ours, self._theirs = os.openpty()
        mode = termios.tcgetattr(self._theirs)
        mode[0] &= ~(termios.ICRNL | termios.INLCR | termios.IGNCR | termios.IXON | termios.ISTRIP)
        mode[1] &= ~termios.OPOST
        mode[3] &= ~(termios.ECHO | termios.ECHONL | termios.ISIG | termios.IEXTEN)
        mode[3] |= termios.ICANON
        mode[6] = [b"\0"] * len(mode[6])  # no control characters, such as Ctrl-D or backspace
        termios.tcsetattr(self._theirs, termios.TCSANOW, mode)
        termios.tcsetwinsize(self._theirs, TERMINAL_SIZE)
        super().__init__(command, folder=folder)

    def _start(self, command: Sequence[str], folder: Folder) -> subprocess.Popen[bytes]:
        """Start the program with the terminal for all three streams, since prompts may go to standard error."""
        read_end, write_end = os.pipe()
        with os.fdopen(read_end, "rb") as errors:
            try:
                process = subprocess.Popen(
                    [sys.executable, "-I", "-S", LAUNCHER, str(write_end), *command],
                    stdin=self._theirs,
                    stdout=self._theirs,
                    stderr=self._theirs,
                    cwd=folder,
                    env=environment(),
                    pass_fds=[write_end],
                    start_new_session=True,
                )
            finally:
                os.close(write_end)
            try:
                number = errors.read()  # empty if exec succeeded, which closes the pipe
            except BaseException:
                process.kill()
                process.wait()
                raise
        if number:
            process.wait()
            raise OSError(int(number), os.strerror(int(number)), command[0])
        return process

    def _read_bytes(self, seconds: float) -> bytes | None:
        if not select.select([self._ours], [], [], seconds)[0]:
            return None
        try:
            return os.read(self._ours, READ_SIZE)
        except OSError:  # on Linux, if no process has the other side open
            return b""

    def _write_bytes(self, data: bytes) -> None:
        os.write(self._ours, data)

    def unread(self) -> int:
        """Return how many bytes of the input the program has not read."""
        try:
            return int.from_bytes(fcntl.ioctl(self._theirs, termios.FIONREAD, bytes(4)), sys.byteorder)
        except OSError:  # some systems revoke the terminal when its program has ended
            return 0

    def finish(self) -> None:
        """Kill the remaining processes and close the program's side, so that the output has an end."""
        super().finish()
        if self._theirs >= 0:
            os.close(self._theirs)
            self._theirs = -1

    def _close(self) -> None:
        if self._theirs >= 0:
            os.close(self._theirs)
        os.close(self._ours)


class PipeProcess(ConsoleProcess):
    """A program with pipes for input and output, which do not report unread input."""

    def _start(self, command: Sequence[str], folder: Folder) -> subprocess.Popen[bytes]:
        self._reader: threading.Thread | None = None
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env=environment(),
            start_new_session=True,
        )
        self._chunks: queue.Queue[bytes] = queue.Queue()
        reader = threading.Thread(target=self._read_all, args=[process], daemon=True)
        reader.start()
        self._reader = reader
        return process

    def _read_all(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        with process.stdout as stream:
            while chunk := os.read(stream.fileno(), READ_SIZE):
                self._chunks.put(chunk)
        self._chunks.put(b"")

    def _read_bytes(self, seconds: float) -> bytes | None:
        try:
            return self._chunks.get(timeout=seconds)
        except queue.Empty:
            return None

    def _write_bytes(self, data: bytes) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # the program has closed its input
            self._process.stdin.write(data)
            self._process.stdin.flush()

    def unread(self) -> int:
        """Return 0, since pipes do not report unread input."""
        return 0

    def _close(self) -> None:
        if self._reader is not None:
            assert self._process.stdin is not None
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.close()
            self._reader.join(READER_TIMEOUT)  # with a timeout: a child in another group may keep the pipe open


def start_process(command: Sequence[str], *, folder: Folder) -> ConsoleProcess:
    """Start a program at a terminal if the system has pseudo-terminals, else over pipes."""
    kind = TerminalProcess if hasattr(os, "openpty") else PipeProcess
    return kind(command, folder=folder)


def check_command(command: object) -> list[str]:
    """Return the words of a command; raise `ArgumentError` if it is not a sequence of words."""
    if isinstance(command, Sequence) and not isinstance(command, str | bytes):
        words = [os.fspath(word) if isinstance(word, os.PathLike) else word for word in command]
        if words and words[0] and all(isinstance(word, str) for word in words):
            return words
    raise ArgumentError("command", command, "a list of texts: a program and its arguments")


def environment() -> dict[str, str]:
    """Return the environment with a dumb terminal, and with the folder of this Python first in the path."""
    path = os.pathsep.join([str(Path(sys.executable).parent), *filter(None, [os.environ.get("PATH")])])
    return os.environ | {"TERM": "dumb", "PATH": path}
