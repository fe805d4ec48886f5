"""A live session of a program, written down as a transcript."""

from __future__ import annotations

import os
import select
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic

from tablemen.errors import ArgumentError
from tablemen.transcript.channel import Terminal
from tablemen.transcript.model import HALF, Line, LineKind, Transcript
from tablemen.transcript.process import ConsoleProcess, read_command
from tablemen.transcript.text import write_session

TICK = 0.02  # seconds between two looks at the keyboard
QUIET = 0.2  # seconds without output before a line that was typed ahead is handed over
PATIENCE = 1.0  # the same where the program has written nothing since the last line
AFTER_THE_END = 2.0  # seconds without output after the end of the input, in which the program may end by itself
STOPPED = " The recording was stopped here: the program had not ended."


@dataclass(frozen=True)
class Recording:
    """A session that has been written down.

    `status` is that of the program, or none where it was stopped: by an `interruption` such as Ctrl-C, by a `problem`
    that let the session go no further, else by the end of the input. `midway` says that the last line on the screen was
    not ended.
    """

    transcript: Transcript
    status: int | None
    interruption: KeyboardInterrupt | None
    problem: str
    midway: bool


def record_command(command: Sequence[str], *, keyboard: int, show: Callable[[str], object]) -> Recording:
    """Runs a command at a terminal, and writes down what it writes and what is typed.

    `keyboard` is a file descriptor that lines are read from; `show` gets what is to be seen. Ctrl-C ends the session,
    and so does the end of the input, unless the program ends by itself soon after it. Where a line is too long for a
    terminal, or nothing more can be shown, it ends there too: what has happened is kept, and the recording says why.

    Raises `ArgumentError` where the command cannot be started, or where the system has no pseudo-terminals.
    """
    command = read_command(command)
    if not hasattr(os, "openpty"):
        raise ArgumentError("command", list(command), "a system with pseudo-terminals")
    with ConsoleProcess(command, Terminal(), folder=None) as process:
        recorder = Recorder(process, keyboard=keyboard, show=show)
        status, interruption, problem = None, None, ""
        try:
            status = recorder.listen()
        except KeyboardInterrupt as error:
            interruption = error
        except (ArgumentError, OSError) as error:
            problem = str(error)
    transcript = write_session(recorder.events, comments=[_command_comment(command)])
    if status is None:
        transcript = Transcript((*transcript.lines, Line(LineKind.COMMENT, STOPPED)))
    midway = bool(recorder.events) and recorder.events[-1][0] is LineKind.OUTPUT and recorder.events[-1][1][-1] != "\n"
    return Recording(transcript, status, interruption, problem, midway)


class Recorder:
    """A program and a keyboard, and everything that happens between them."""

    def __init__(self, process: ConsoleProcess, *, keyboard: int, show: Callable[[str], object]) -> None:
        self.events: list[tuple[LineKind, str]] = []
        self._process = process
        self._keyboard = keyboard
        self._show = show
        self._typed = b""  # but not handed over yet
        self._over = False  # whether more can be typed
        self._answered = False  # whether the program has written since the last line
        self._last = monotonic()  # when something happened

    def listen(self) -> int | None:
        """The status of the program at its end; none where the input ended, and the program does not go on without."""
        while (status := self._process.status()) is None:
            if text := self._process.read(TICK):
                self._hear(text)
                continue
            self._take_typed()
            if self._typed:
                self._hand_over()
            elif self._over and monotonic() - self._last > AFTER_THE_END:
                return None
        self._process.end()
        while text := self._process.read(TICK):  # what it wrote at last
            self._hear(text)
        return status

    def _hear(self, text: str) -> None:
        self.events.append((LineKind.OUTPUT, text))
        self._show(text)
        self._answered = True
        self._last = monotonic()

    def _take_typed(self) -> None:
        """Takes what lies at the keyboard, without waiting for more."""
        if self._over or not select.select([self._keyboard], [], [], 0)[0]:
            return
        try:
            data = os.read(self._keyboard, 1 << 16)
        except OSError:  # a terminal that has hung up
            data = b""
        self._typed += data
        if not data:
            self._over = True
            self._last = monotonic()
            if self._typed and not self._typed.endswith(b"\n"):
                self._typed += b"\n"

    def _hand_over(self) -> None:
        """Gives the program the next line, if there is a whole one and the program seems to wait for it."""
        silence = monotonic() - self._last
        if b"\n" not in self._typed or self._process.unread() or silence < (QUIET if self._answered else PATIENCE):
            return
        line, _, self._typed = self._typed.partition(b"\n")
        text = line.decode(errors="backslashreplace").rstrip("\r")
        self._process.write_line(text)
        self.events.append((LineKind.INPUT, text))
        if not os.isatty(self._keyboard):
            self._show(f"{text}\n")  # a terminal has shown it already
        self._answered = False
        self._last = monotonic()


def _command_comment(command: Sequence[str]) -> str:
    """The comment that lets the file be run by itself."""
    joined = shlex.join(command)
    if "\n" in joined:
        return " The command has several lines, and does not fit into one comment."
    if HALF.search(joined):
        return " The command is not text, and does not fit into a comment."
    return f" command: {joined}"
