"""Record a live session of a program as a transcript."""

from __future__ import annotations

import os
import select
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic

from tablemen.errors import ArgumentError
from tablemen.transcript.model import SURROGATE, Line, LineKind, Transcript, make_transcript
from tablemen.transcript.process import READ_SIZE, ConsoleProcess, TerminalProcess, check_command

POLL_INTERVAL = 0.02  # seconds between two reads of the keyboard
PROMPT_DELAY = 0.2  # seconds of silence before the program gets a line that was typed ahead
NO_PROMPT_DELAY = 1.0  # the same delay if the program has written nothing since the last line
END_TIMEOUT = 2.0  # seconds of silence for the program to end after the end of the input
STOPPED = " The recording was stopped here: the program had not ended."


@dataclass(frozen=True)
class Recording:
    """A recorded session.

    `status` is the exit status, or None if the program was stopped: by an `interruption` such as Ctrl-C, by a
    `problem`, or by the end of the input. `midway` is whether the last line of output has no newline.
    """

    transcript: Transcript
    status: int | None
    interruption: KeyboardInterrupt | None
    problem: str
    midway: bool


def record_command(command: Sequence[str], *, keyboard: int, show: Callable[[str], object]) -> Recording:
    """Run a command at a terminal, and record its output and input.

    `keyboard` is the file descriptor to read lines from; `show` is called with the text to display. The session
    ends with the program, with Ctrl-C, soon after the end of the input, with a line that is too long for a terminal,
    and when `show` fails with an `OSError`. The recording contains everything until then, and the reason.

    Raises `ArgumentError` if the command cannot be started, or if the system has no pseudo-terminals.
    """
    command = check_command(command)
    if not hasattr(os, "openpty"):
        raise ArgumentError("command", list(command), "a system with pseudo-terminals")
    with TerminalProcess(command, folder=None) as process:
        recorder = Recorder(process, keyboard=keyboard, show=show)
        status, interruption, problem = None, None, ""
        try:
            status = recorder.run()
        except KeyboardInterrupt as error:
            interruption = error
        except (ArgumentError, OSError) as error:
            problem = str(error)
    transcript = make_transcript(recorder.events, comments=[_format_command(command)])
    if status is None:
        transcript = Transcript((*transcript.lines, Line(LineKind.COMMENT, STOPPED)))
    midway = bool(recorder.events) and recorder.events[-1][0] is LineKind.OUTPUT and recorder.events[-1][1][-1] != "\n"
    return Recording(transcript, status, interruption, problem, midway)


class Recorder:
    """A connection of a program with a keyboard and a screen, which collects the events of the session."""

    def __init__(self, process: ConsoleProcess, *, keyboard: int, show: Callable[[str], object]) -> None:
        self.events: list[tuple[LineKind, str]] = []
        self._process = process
        self._keyboard = keyboard
        self._show = show
        self._typed = b""  # input that has not been passed to the program
        self._is_input_over = False
        self._has_answered = False  # whether the program has written output since the last line of input
        self._last_event = monotonic()

    def run(self) -> int | None:
        """Return the exit status, or None if the program does not end after the end of the input."""
        while (status := self._process.status()) is None:
            if text := self._process.read(POLL_INTERVAL):
                self._add_output(text)
                continue
            self._read_keyboard()
            if self._typed:
                self._send_line()
            elif self._is_input_over and monotonic() - self._last_event > END_TIMEOUT:
                return None
        self._process.finish()
        while text := self._process.read(POLL_INTERVAL):
            self._add_output(text)
        return status

    def _add_output(self, text: str) -> None:
        self.events.append((LineKind.OUTPUT, text))
        self._show(text)
        self._has_answered = True
        self._last_event = monotonic()

    def _read_keyboard(self) -> None:
        """Read the input typed so far, without blocking."""
        if self._is_input_over or not select.select([self._keyboard], [], [], 0)[0]:
            return
        try:
            data = os.read(self._keyboard, READ_SIZE)
        except OSError:  # a terminal that has hung up
            data = b""
        self._typed += data
        if not data:
            self._is_input_over = True
            self._last_event = monotonic()
            if self._typed and not self._typed.endswith(b"\n"):
                self._typed += b"\n"

    def _send_line(self) -> None:
        """Pass the next whole line to the program, if the program seems to wait for input."""
        silence = monotonic() - self._last_event
        delay = PROMPT_DELAY if self._has_answered else NO_PROMPT_DELAY
        if b"\n" not in self._typed or self._process.unread() or silence < delay:
            return
        line, _, self._typed = self._typed.partition(b"\n")
        text = line.decode(errors="backslashreplace").rstrip("\r")
        self._process.write_line(text)
        self.events.append((LineKind.INPUT, text))
        if not os.isatty(self._keyboard):  # a terminal has echoed it already
            self._show(f"{text}\n")
        self._has_answered = False
        self._last_event = monotonic()


def _format_command(command: Sequence[str]) -> str:
    """Return the comment with the command, so that the file can be run."""
    joined = shlex.join(command)
    if "\n" in joined:
        return " The command has several lines, and does not fit into one comment."
    if SURROGATE.search(joined):
        return " The command is not text, and does not fit into a comment."
    return f" command: {joined}"
