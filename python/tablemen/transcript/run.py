"""Run programs against transcripts: functions in this process, and commands in their own processes."""

from __future__ import annotations

import ctypes
import os
import signal
import traceback
from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import TIMEOUT_MAX, Event, Thread
from time import monotonic

from tablemen.console import IO
from tablemen.errors import ArgumentError
from tablemen.transcript.matcher import Failure, Matcher, Mismatch, Problem, Report
from tablemen.transcript.model import LineKind, Step, Transcript
from tablemen.transcript.process import MAX_LINE_LENGTH, ConsoleProcess, check_command, start_process
from tablemen.validation import is_number

DEFAULT_TIMEOUT = 10.0  # seconds
MAX_EMPTY_WRITES = 100_000  # empty texts that a program may write in a row
MAX_CALLS_AFTER_FAILURE = 1000  # calls of a program that catches every exception and continues
STOP_TIMEOUT = 1.0  # seconds for a thread that is being stopped
POLL_INTERVAL = 0.02  # seconds between two checks whether the program has ended
SETTLE_TIME = 0.005  # seconds of silence after which a prompt is complete
REST_TIMEOUT = 0.5  # seconds to collect the output after a failure
MAX_REST_LENGTH = 4000  # characters of the output after a failure


def check_timeout(timeout: object) -> float:
    """Return the timeout in seconds; raise `ArgumentError` if it is not positive and finite."""
    if is_number(timeout, maximum=TIMEOUT_MAX) and timeout > 0:
        return timeout
    raise ArgumentError("timeout", timeout, "a finite number of seconds greater than 0")


def _check_transcript(transcript: object) -> None:
    if not isinstance(transcript, Transcript):
        raise ArgumentError("transcript", transcript, "a Transcript")


class TranscriptIO(IO):
    """A console that supplies the input of a transcript, and compares the output with it.

    If the program deviates, the call raises a `BaseException` that is not an `Exception`, and so does every later call.
    `over` is set when the result is final.
    """

    def __init__(self, transcript: Transcript) -> None:
        self.failure: Failure | None = None
        self.over = Event()
        self._matcher = Matcher(transcript)
        self._empty_writes = 0
        self._calls_after_failure = 0

    def print(self, text: str) -> None:
        """Compare the text with the transcript."""
        self._write(text, "")

    def println(self, text: str = "") -> None:
        """Compare the text and the end of the line with the transcript."""
        self._write(text, "\n")

    def read_from_keyboard(self, prompt: str) -> str:
        """Return the next line of input of the transcript."""
        self._write(prompt, "")
        try:
            self._empty_writes = 0
            return self._matcher.read().text
        except Mismatch as mismatch:
            raise self._fail(mismatch.failure) from None

    def finish(self) -> None:
        """Compare the end of the program with the transcript."""
        try:
            self._matcher.finish()
        except Mismatch as mismatch:
            self._fail(mismatch.failure)

    def fail(self, problem: Problem, *, note: str = "", rest: str = "") -> Mismatch:
        """Record a failure at the current line, unless there is an earlier one; return the exception to raise."""
        return self._fail(Failure(problem=problem, line=self._matcher.line, note=note, rest=rest))

    def _fail(self, failure: Failure) -> Mismatch:
        if self.failure is None:
            self.failure = failure
        return Mismatch(self.failure)

    def _write(self, text: str, end: str) -> None:
        if self.failure is not None:
            self._calls_after_failure += 1
            if self._calls_after_failure > MAX_CALLS_AFTER_FAILURE:
                self.over.set()
                Event().wait()  # forever: the program catches everything that is raised
            raise Mismatch(self.failure)
        if not isinstance(text, str):
            raise self.fail(Problem.RAISED, note=f"{text!r} is not a text")
        if "\n" in text:
            raise self.fail(Problem.NEWLINE_IN_TEXT, note=repr(text))
        self._empty_writes = 0 if text or end else self._empty_writes + 1
        if self._empty_writes > MAX_EMPTY_WRITES:
            raise self.fail(Problem.SILENT, note=f"it wrote an empty text {MAX_EMPTY_WRITES} times in a row")
        try:
            self._matcher.write(text + end)
        except Mismatch as mismatch:
            raise self._fail(mismatch.failure) from None


class _StopThread(BaseException):
    """Raised in the thread of a program that does not end."""


def run_transcript(
    transcript: Transcript, program: Callable[[IO], object], *, timeout: float = DEFAULT_TIMEOUT
) -> Report:
    """Run a function that uses an `IO` against a transcript.

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

    The program runs in a thread, and is stopped if it has not ended after `timeout` seconds. An exception of the
    program becomes part of the report. Raises `ArgumentError` if `timeout` is not positive and finite.
    """
    check_timeout(timeout)
    _check_transcript(transcript)
    io = TranscriptIO(transcript)
    thread = Thread(target=_run_program, args=(program, io), daemon=True)
    thread.start()
    try:
        if not io.over.wait(timeout):
            io.fail(Problem.SILENT, note=f"it did not end within {timeout:g} s")
    finally:
        if not io.over.is_set() and thread.ident is not None:
            # A program that waits outside Python never receives the exception, and is left running.
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(_StopThread))
            thread.join(STOP_TIMEOUT)
    return Report(transcript.name, io.failure)


def _run_program(program: Callable[[IO], object], io: TranscriptIO) -> None:
    try:
        program(io)
        io.finish()
    except (Mismatch, _StopThread):
        pass
    except SystemExit as error:
        if error.code in {None, 0}:
            io.finish()
        else:
            io.fail(Problem.RAISED, note=repr(error))
    except BaseException as error:  # noqa: BLE001 - any exception goes into the report
        lines = traceback.format_exception(error.with_traceback(error.__traceback__ and error.__traceback__.tb_next))
        io.fail(Problem.RAISED, note=repr(error), rest="".join(lines))
    finally:
        io.over.set()


def run_command(
    transcript: Transcript,
    command: Sequence[str],
    *,
    timeout: float = DEFAULT_TIMEOUT,
    folder: str | os.PathLike[str] | None = None,
    cancel: Event | None = None,
) -> Report:
    r"""Run a command at a terminal, in its own process, against a transcript.

    >>> from tablemen.transcript import parse_transcript
    >>> transcript = parse_transcript(">Your name? \n<Ada\n>Hello, Ada!\n")
    >>> print(run_command(transcript, ["sh", "-c", "printf 'Your name? '; read name; echo Hello, $name!"]))
    passed

    Input is typed after all output before it has been read. The program fails if it is silent for `timeout` seconds
    while output is expected, or if its exit status is not 0. At the end its whole process group is killed. Set the
    event `cancel` in another thread to stop early.

    Raises `ArgumentError` if the command cannot be started, if a line of input is too long for a terminal, or if
    `timeout` is not positive and finite.
    """
    check_timeout(timeout)
    _check_transcript(transcript)
    for step in transcript.steps:
        if step.kind is LineKind.INPUT and len(step.text.encode()) >= MAX_LINE_LENGTH:
            raise ArgumentError(f"line {step.number}", step.text, f"a line of less than {MAX_LINE_LENGTH} bytes")
    with start_process(check_command(command), folder=folder) as process:
        failure = _CommandRun(transcript, process, timeout=timeout, cancel=cancel or Event()).run()
        return Report(transcript.name, failure, process.status())


class _CommandRun:
    """A process that is driven through a transcript."""

    def __init__(self, transcript: Transcript, process: ConsoleProcess, *, timeout: float, cancel: Event) -> None:
        self._matcher = Matcher(transcript)
        self._process = process
        self._timeout = timeout
        self._cancel = cancel
        self._typed: Step | None = None  # the last line of input
        self._output = ""

    def run(self) -> Failure | None:
        """Run the program to its end, or to the first mismatch."""
        try:
            self._interact()
            self._check_end()
        except Mismatch as mismatch:
            return self._add_rest(mismatch.failure)
        return None

    def _interact(self) -> None:
        """Read output and type input until the program has ended; some output may still be unread."""
        deadline = monotonic() + self._timeout
        while self._process.status() is None:
            if self._cancel.is_set():
                raise self._mismatch(Problem.STOPPED)
            text = self._process.read(POLL_INTERVAL if self._matcher.input_due is None else SETTLE_TIME)
            if text:
                self._match(text)
            elif not self._type():
                if monotonic() > deadline:
                    raise self._timed_out()
                continue
            deadline = monotonic() + self._timeout

    def _match(self, text: str) -> None:
        """Compare output with the transcript. Raises `Mismatch` if the program has not read the last input."""
        self._output += text
        if self._typed is not None and self._process.ignores_input():
            raise Mismatch(Failure(problem=Problem.OUTPUT_NOT_INPUT, line=self._typed.number, actual=text))
        self._matcher.write(text)

    def _type(self) -> bool:
        """Type the next line of input if it is due and the program has read the last one."""
        if self._matcher.input_due is None or self._process.unread():
            return False
        self._typed = self._matcher.read()
        self._process.write_line(self._typed.text)
        return True

    def _check_end(self) -> None:
        """Compare the last output and the exit status."""
        ignored = self._process.ignores_input()
        self._process.finish()
        while text := self._process.read(REST_TIMEOUT):
            self._output += text
            self._matcher.write(text)
        status = _describe_status(self._process.status())
        if ignored and self._typed is not None:
            note = "; ".join(filter(None, [status, f"it did not read {self._typed.text!r}"]))
            raise self._mismatch(Problem.ENDED_EARLY, line=self._typed.number, note=note)
        self._matcher.finish(status)
        if status:
            raise self._mismatch(Problem.STATUS, note=status)

    def _timed_out(self) -> Mismatch:
        due = self._matcher.due
        waited = f"{self._timeout:g} s"
        if self._typed is not None and self._process.unread():
            part = "" if self._process.ignores_input() else "all of "
            note = f"it did not read {part}{self._typed.text!r} within {waited}"
            return self._mismatch(Problem.SILENT, line=self._typed.number, note=note)
        if due is None:
            return self._mismatch(Problem.DID_NOT_END, note=f"it did not end within {waited}")
        note = f"no output for {waited}; it may be waiting for input"
        return Mismatch(Failure(problem=Problem.SILENT, line=due.number, note=note, expected=due.text))

    def _mismatch(self, problem: Problem, *, line: int | None = None, note: str = "") -> Mismatch:
        return Mismatch(Failure(problem=problem, line=self._matcher.line if line is None else line, note=note))

    def _add_rest(self, failure: Failure) -> Failure:
        """Add the output after the failure, such as the rest of the line or a traceback."""
        accepted = self._matcher.accepted
        if accepted == len(self._output):
            return failure
        deadline = monotonic() + REST_TIMEOUT
        while monotonic() < deadline and len(self._output) - accepted < MAX_REST_LENGTH:
            text = self._process.read(POLL_INTERVAL)
            if text == "":
                break
            self._output += text or ""
        line, _, rest = self._output[accepted:][:MAX_REST_LENGTH].partition("\n")
        actual = None if failure.actual is None else self._matcher.matched + line
        return replace(failure, actual=actual, rest=rest)


def _describe_status(status: int | None) -> str:
    """Describe an exit status other than 0."""
    if not status:
        return ""
    if status > 0:
        return f"exit status {status}"
    try:
        return f"killed by {signal.Signals(-status).name}"
    except ValueError:
        return f"killed by signal {-status}"
