"""A console program as a process of its own, with a terminal that is ours."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
from codecs import getincrementaldecoder
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from tablemen.errors import ArgumentError
from tablemen.transcript.channel import Channel

GRACE = 1.0  # seconds between asking a program to end and ending it
LONGEST_LINE = 4095  # bytes with the newline: what a terminal holds of a line


class ConsoleProcess:
    """A running program that is talked to in lines, in a process group of its own; `with` makes sure that it ends."""

    def __init__(self, command: Sequence[str], channel: Channel, *, folder: str | os.PathLike[str] | None) -> None:
        self._channel = channel
        self._decoder = getincrementaldecoder("utf-8")("backslashreplace")
        self._held = ""
        self._over = False
        self._typed = 0  # bytes of the last line
        try:
            self._process = channel.start(command, folder=folder, environment=environment())
        except (OSError, ValueError) as error:
            channel.close()
            reason = f"{error.strerror}: {error.filename}" if isinstance(error, OSError) else str(error)
            raise ArgumentError("command", list(command), f"a program that can be started ({reason})") from error
        except BaseException:
            channel.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        self._channel.close()

    def read(self, seconds: float) -> str | None:
        r"""What the program writes within so many seconds: none where nothing came, empty where nothing will.

        Carriage returns before a newline are left out; bytes that are not UTF-8 are written as `\xff`.
        """
        if self._over:
            return ""
        data = self._channel.read(seconds)
        if data is None:
            return None
        self._over = not data
        text = self._held + self._decoder.decode(data, final=self._over)
        whole = text if self._over else text.rstrip("\r")
        self._held = text[len(whole) :]
        return re.sub(r"\r+\n", "\n", whole) or (None if data else "")

    def write_line(self, text: str) -> None:
        """Types a line; a carriage return at the end of the prompt before it is forgotten.

        Raises `ArgumentError` where no terminal can hold it.
        """
        data = f"{text}\n".encode()
        if len(data) > LONGEST_LINE:
            raise ArgumentError("input", text, f"a line of less than {LONGEST_LINE} bytes")
        self._held = ""
        self._typed = len(data)
        self._channel.write(data)

    def unread(self) -> int:
        """How many bytes of the input the program has not taken yet, as far as one can know."""
        return self._channel.unread()

    def ignores_input(self) -> bool:
        """Whether the last line lies there as it was typed; one who reads byte by byte may leave the end of it."""
        return 0 < self._typed <= self.unread()

    def status(self) -> int | None:
        """The status of a program that has ended: its number, or minus that of a signal; None while it runs."""
        return self._process.poll()

    def end(self) -> None:
        """Called when the program has ended: ends what it left running; what it wrote can still be read."""
        self._send_signal("SIGKILL")
        self._channel.end()

    def stop(self) -> None:
        """Ends the program and its children: asks them first."""
        if self._process.poll() is None:
            self._send_signal("SIGTERM")
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(GRACE)
        self._send_signal("SIGKILL")
        self._process.wait()

    def _send_signal(self, name: str) -> None:
        """Sends a signal to the whole group, where systems have such."""
        if os.name == "posix":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, getattr(signal, name))
        elif self._process.poll() is None:
            self._process.terminate()


def read_command(command: object) -> list[str]:
    """The words of a command; raises `ArgumentError` where they are none."""
    if isinstance(command, Sequence) and not isinstance(command, str | bytes):
        words = [os.fspath(word) if isinstance(word, os.PathLike) else word for word in command]
        if words and words[0] and all(isinstance(word, str) for word in words):
            return words
    raise ArgumentError("command", command, "a list of a program and its arguments, which are texts,")


def environment() -> dict[str, str]:
    """Ours, on a terminal without colours or a cursor, and with the programs beside our Python at hand."""
    beside = str(Path(sys.executable).parent)
    path = os.pathsep.join([beside, *filter(None, [os.environ.get("PATH")])])
    return os.environ | {"TERM": "dumb", "PATH": path}
