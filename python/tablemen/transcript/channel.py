"""The two ways to a program and back: a pseudo-terminal, or pipes."""

from __future__ import annotations

import contextlib
import os
import queue
import select
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol, TypeAlias

if sys.platform != "win32":
    import fcntl
    import termios

Process: TypeAlias = "subprocess.Popen[bytes]"
Folder: TypeAlias = "str | os.PathLike[str] | None"

LEADER = str(Path(__file__).with_name("leader.py"))
SIZE = (24, 80)
GRACE = 1.0  # seconds for a pipe to end


class Channel(Protocol):
    """The way to a program and back."""

    def start(self, command: Sequence[str], *, folder: Folder, environment: Mapping[str, str]) -> Process:
        """Starts a program on the other side, in a session of its own; raises what `subprocess.Popen` raises."""
        ...

    def read(self, seconds: float) -> bytes | None:
        """What the program writes within so many seconds: none where nothing came, empty where nothing will."""
        ...

    def write(self, data: bytes) -> None:
        """Types a line."""
        ...

    def unread(self) -> int:
        """How many bytes of the input the program has not taken yet, as far as one can know."""
        ...

    def end(self) -> None:
        """Called when the program has ended: what it wrote can still be read."""
        ...

    def close(self) -> None:
        """Gives everything back."""
        ...


class Terminal:
    """A pseudo-terminal of 80 columns and 24 lines. It hands over whole lines, as they are, and echoes nothing."""

    def __init__(self) -> None:
        self._ours, self._theirs = os.openpty()
        mode = termios.tcgetattr(self._theirs)
        mode[0] &= ~(termios.ICRNL | termios.INLCR | termios.IGNCR | termios.IXON | termios.ISTRIP)
        mode[1] &= ~termios.OPOST
        mode[3] &= ~(termios.ECHO | termios.ECHONL | termios.ISIG | termios.IEXTEN)
        mode[3] |= termios.ICANON
        # No character means anything but itself: neither Ctrl-D nor backspace does.
        mode[6] = [b"\0"] * len(mode[6])
        termios.tcsetattr(self._theirs, termios.TCSANOW, mode)
        termios.tcsetwinsize(self._theirs, SIZE)

    def start(self, command: Sequence[str], *, folder: Folder, environment: Mapping[str, str]) -> Process:
        """Starts a program that has the terminal for everything: a prompt may well come on standard error.

        It is also the terminal of the program's session, so that the system hangs the program up when we are gone.
        Their side stays open here too, so that it can be asked what was not read.
        """
        told, tell = os.pipe()
        with os.fdopen(told, "rb") as answer:
            try:
                process = subprocess.Popen(
                    [sys.executable, "-I", "-S", LEADER, str(tell), *command],
                    stdin=self._theirs,
                    stdout=self._theirs,
                    stderr=self._theirs,
                    cwd=folder,
                    env=environment,
                    pass_fds=[tell],
                    start_new_session=True,
                )
            finally:
                os.close(tell)
            try:
                number = answer.read()  # nothing where the program was started: that closes the pipe
            except BaseException:
                process.kill()
                process.wait()
                raise
        if number:
            process.wait()
            raise OSError(int(number), os.strerror(int(number)), command[0])
        return process

    def read(self, seconds: float) -> bytes | None:
        """What the program writes within so many seconds."""
        if not select.select([self._ours], [], [], seconds)[0]:
            return None
        try:
            return os.read(self._ours, 1 << 16)
        except OSError:  # Linux says so that nobody has the other side any more
            return b""

    def write(self, data: bytes) -> None:
        """Types a line."""
        os.write(self._ours, data)

    def unread(self) -> int:
        """How many bytes of the input the program has not taken yet."""
        try:
            return int.from_bytes(fcntl.ioctl(self._theirs, termios.FIONREAD, bytes(4)), sys.byteorder)
        except OSError:  # some systems take the terminal away when its program has ended
            return 0

    def end(self) -> None:
        """Closes their side, so that ours has an end."""
        if self._theirs >= 0:
            os.close(self._theirs)
            self._theirs = -1

    def close(self) -> None:
        """Closes both sides."""
        self.end()
        os.close(self._ours)


class Pipes:
    """Two pipes, where there are no pseudo-terminals. Whether a program has read its input cannot be known."""

    def __init__(self) -> None:
        self._chunks: queue.Queue[bytes] = queue.Queue()
        self._reader: threading.Thread | None = None
        self._process: Process | None = None

    def start(self, command: Sequence[str], *, folder: Folder, environment: Mapping[str, str]) -> Process:
        """Starts a program with a pipe in, and one out for both kinds of output; begins to read."""
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read_all, daemon=True)
        self._reader.start()
        return self._process

    def _read_all(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        with self._process.stdout as stream:
            while chunk := os.read(stream.fileno(), 1 << 16):
                self._chunks.put(chunk)
        self._chunks.put(b"")

    def read(self, seconds: float) -> bytes | None:
        """What the program writes within so many seconds."""
        try:
            return self._chunks.get(timeout=seconds)
        except queue.Empty:
            return None

    def write(self, data: bytes) -> None:
        """Types a line; nobody hears it where the program has closed its input."""
        assert self._process is not None
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(data)
            self._process.stdin.flush()

    def unread(self) -> int:
        """Nothing that one could know of."""
        return 0

    def end(self) -> None:
        """Nothing is to be done: the pipe has an end of its own."""

    def close(self) -> None:
        """Closes the input and waits for the reader, though not for ever: a child that got away may hold the pipe."""
        if self._process is not None and self._process.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.close()
        if self._reader is not None:
            self._reader.join(GRACE)


def open_channel() -> Channel:
    """A terminal where the system has pseudo-terminals, else pipes."""
    return Terminal() if hasattr(os, "openpty") else Pipes()
