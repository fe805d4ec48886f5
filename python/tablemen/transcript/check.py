"""A program in this process, run against a transcript."""

from __future__ import annotations

import ctypes
import traceback
from collections.abc import Callable
from threading import TIMEOUT_MAX, Event, Thread

from tablemen.console import IO
from tablemen.errors import ArgumentError
from tablemen.transcript.expectation import Departure, Expectation
from tablemen.transcript.model import Transcript
from tablemen.transcript.report import Failure, Problem, Report
from tablemen.validation import is_number

TIMEOUT = 10.0  # seconds
MANY = 100_000  # times that a program may write nothing at all in a row
DEAF = 1000  # calls after the first failure: this program catches everything, and goes on
GRACE = 1.0  # seconds for a program that is being stopped


def check_transcript(transcript: object) -> None:
    """Raises `ArgumentError` where it is none, say the text of one."""
    if not isinstance(transcript, Transcript):
        raise ArgumentError("transcript", transcript, "a Transcript, as parse_transcript gives it,")


class TranscriptIO(IO):
    """A keyboard that types what a transcript says, and a screen that knows what should come.

    Where the program does something else, the call raises a `BaseException` that is no `Exception`, and so does every
    call after it. `over` is set when nothing more is to be learned of the program.
    """

    def __init__(self, transcript: Transcript) -> None:
        self.failure: Failure | None = None
        self._expectation = Expectation(transcript)
        self.over = Event()
        self._nothings = 0
        self._refused = 0

    def print(self, text: str) -> None:
        """Compares the text with what should come."""
        self._write(text, "")

    def println(self, text: str = "") -> None:
        """Compares the text with what should come, and the end of the line."""
        self._write(text, "\n")

    def read_from_keyboard(self, prompt: str) -> str:
        """What the transcript says is typed."""
        self._write(prompt, "")
        try:
            self._nothings = 0
            return self._expectation.read().text
        except Departure as departure:
            raise self._leave(departure.failure) from None

    def finish(self) -> None:
        """Takes the end of the program."""
        try:
            self._expectation.finish()
        except Departure as departure:
            self._leave(departure.failure)

    def fail(self, problem: Problem, *, note: str = "", rest: str = "") -> Departure:
        """Notes that something is wrong here, unless something was before."""
        return self._leave(Failure(problem=problem, line=self._expectation.line, note=note, rest=rest))

    def _write(self, text: str, end: str) -> None:
        if self.failure is not None:
            raise self._refuse(self.failure)
        if not isinstance(text, str):
            raise self.fail(Problem.RAISED, note=f"{text!r} is not a text")
        if "\n" in text:
            raise self.fail(Problem.NEWLINE_IN_TEXT, note=repr(text))
        self._nothings = 0 if text or end else self._nothings + 1
        if self._nothings > MANY:
            raise self.fail(Problem.SILENT, note=f"it wrote nothing {MANY} times in a row")
        try:
            self._expectation.write(text + end)
        except Departure as departure:
            raise self._leave(departure.failure) from None

    def _refuse(self, failure: Failure) -> Departure:
        """What to raise after a failure; a program that will not hear is made to wait for ever."""
        self._refused += 1
        if self._refused > DEAF:
            self.over.set()
            Event().wait()
        return Departure(failure)

    def _leave(self, failure: Failure) -> Departure:
        """Keeps the first failure; what to raise."""
        if self.failure is None:
            self.failure = failure
        return Departure(self.failure)


def check_timeout(timeout: object) -> float:
    """The time in seconds; raises `ArgumentError` where it is none that one can wait."""
    if is_number(timeout, most=TIMEOUT_MAX) and timeout > 0:
        return timeout
    raise ArgumentError("timeout", timeout, "a number of seconds, more than 0 and not without end,")


class Stop(BaseException):
    """Thrown into a program that does not end."""


def run_transcript(transcript: Transcript, program: Callable[[IO], object], *, timeout: float = TIMEOUT) -> Report:
    """How a program does that talks through an `IO`.

    >>> from tablemen.transcript import parse_transcript
    >>> transcript = parse_transcript('''>Your name?
    ... <Ada
    ... >Hello, Ada!
    ... ''')
    >>> def greet(io):
    ...     io.println(f"Hello, {io.read_from_keyboard('Your name?')}.")
    >>> print(run_transcript(transcript, greet))
    line 3, character 11: the output differs
      expected: "Hello, Ada!"
      actual:   "Hello, Ada."
                           ^

    The program runs in a thread of its own, and is stopped where it has not ended after `timeout` seconds. What it
    raises becomes part of the report. Raises `ArgumentError` where `timeout` is no such time.
    """
    check_timeout(timeout)
    check_transcript(transcript)
    io = TranscriptIO(transcript)
    thread = Thread(target=_play, args=(program, io), daemon=True)
    thread.start()
    try:
        if not io.over.wait(timeout):
            io.fail(Problem.SILENT, note=f"it has not ended after {timeout:g} seconds")
    finally:
        if not io.over.is_set():
            _stop(thread)
    return Report(transcript.name, io.failure)


def _play(program: Callable[[IO], object], io: TranscriptIO) -> None:
    """Runs the program to its end, however it comes."""
    try:
        program(io)
        io.finish()
    except (Departure, Stop):
        pass
    except SystemExit as error:
        if error.code in {None, 0}:
            io.finish()
        else:
            io.fail(Problem.RAISED, note=repr(error))
    except BaseException as error:  # noqa: BLE001 - whatever it is, the report says it
        told = traceback.format_exception(error.with_traceback(error.__traceback__ and error.__traceback__.tb_next))
        io.fail(Problem.RAISED, note=repr(error), rest="".join(told))
    finally:
        io.over.set()


def _stop(thread: Thread) -> None:
    """Throws `Stop` into a program that is still running; one that waits outside Python is left to itself."""
    if thread.ident is not None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(Stop))
        thread.join(GRACE)
