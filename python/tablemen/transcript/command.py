"""A program of any language, run against a transcript over a terminal."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from dataclasses import replace
from threading import Event
from time import monotonic

from tablemen.errors import ArgumentError
from tablemen.transcript.channel import open_channel
from tablemen.transcript.check import TIMEOUT, check_timeout, check_transcript
from tablemen.transcript.expectation import Departure, Expectation
from tablemen.transcript.model import LineKind, Step, Transcript
from tablemen.transcript.process import LONGEST_LINE, ConsoleProcess, read_command
from tablemen.transcript.report import Failure, Problem, Report

TICK = 0.02  # seconds between two looks whether the program has ended
SETTLE = 0.005  # seconds in which a program that should wait for input may still show that it does not
AFTER = 0.5  # seconds for what comes after a failure: the rest of a line, or the reason
ENOUGH = 4000  # characters of that


def run_command(
    transcript: Transcript,
    command: Sequence[str],
    *,
    timeout: float = TIMEOUT,
    folder: str | os.PathLike[str] | None = None,
    cancel: Event | None = None,
) -> Report:
    r"""How a command does at a terminal, in a process of its own.

    >>> from tablemen.transcript import parse_transcript
    >>> transcript = parse_transcript(">Your name? \n<Ada\n>Hello, Ada!\n")
    >>> print(run_command(transcript, ["sh", "-c", "printf 'Your name? '; read name; echo Hello, $name!"]))
    passed

    Input is typed when all output before it has come. The program fails where it is silent for `timeout` seconds while
    something is expected of it, and also where its status is not 0. At the end it is gone, with all of its process
    group, whatever it does. The event `cancel` stops it early, from another thread.

    Raises `ArgumentError` where the command cannot be started, where a line of input is too long for a terminal, or
    where `timeout` is no time that one can wait.
    """
    check_timeout(timeout)
    check_transcript(transcript)
    _check_input(transcript)
    with ConsoleProcess(read_command(command), open_channel(), folder=folder) as process:
        session = Session(transcript, process, timeout=timeout, cancel=cancel or Event())
        failure = session.hold()
        return Report(transcript.name, failure, process.status())


def _check_input(transcript: Transcript) -> None:
    """Raises `ArgumentError` where a line cannot be typed."""
    for step in transcript.steps:
        if step.kind is LineKind.INPUT and len(step.text.encode()) >= LONGEST_LINE:
            raise ArgumentError(f"line {step.number}", step.text, f"a line of less than {LONGEST_LINE} bytes")


class Session:
    """A program that is led through a transcript."""

    def __init__(self, transcript: Transcript, process: ConsoleProcess, *, timeout: float, cancel: Event) -> None:
        self._expectation = Expectation(transcript)
        self._process = process
        self._timeout = timeout
        self._cancel = cancel
        self._typed: Step | None = None
        self._seen = ""

    def hold(self) -> Failure | None:
        """Leads the program to the end, or to where it leaves the transcript."""
        try:
            self._talk()
            self._see_the_end()
        except Departure as departure:
            return self._with_the_rest(departure.failure)
        return None

    def _talk(self) -> None:
        """Reads and types until the program has ended; what is left to read is left."""
        patience = monotonic() + self._timeout
        while self._process.status() is None:
            if self._cancel.is_set():
                raise self._departure(Problem.STOPPED)
            text = self._process.read(TICK if self._expectation.input_due is None else SETTLE)
            if text:
                self._take(text)
            elif not self._type():
                if monotonic() > patience:
                    raise self._hangs()
                continue
            patience = monotonic() + self._timeout

    def _take(self, text: str) -> None:
        """Compares what came with what should; it came too early where the last input lies there unread."""
        self._seen += text
        if self._typed is not None and self._process.ignores_input():
            raise Departure(Failure(problem=Problem.OUTPUT_NOT_INPUT, line=self._typed.number, actual=text))
        self._expectation.write(text)

    def _type(self) -> bool:
        """Types the next line of input, if it is time for it: whoever waits for input has read all of the last line."""
        if self._expectation.input_due is None or self._process.unread():
            return False
        self._typed = self._expectation.read()
        self._process.write_line(self._typed.text)
        return True

    def _see_the_end(self) -> None:
        """Takes what the program wrote at last, and how it ended."""
        ignored = self._process.ignores_input()
        self._process.end()
        while text := self._process.read(AFTER):
            self._seen += text
            self._expectation.write(text)
        told = _describe(self._process.status())
        if ignored and self._typed is not None:
            note = "; ".join(filter(None, [told, f"it did not read {self._typed.text!r}"]))
            raise self._departure(Problem.ENDED_EARLY, line=self._typed.number, note=note)
        self._expectation.finish(told)
        if told:
            raise self._departure(Problem.STATUS, note=told)

    def _hangs(self) -> Departure:
        """Nothing came for too long."""
        due = self._expectation.due
        waited = f"{self._timeout:g} seconds"
        if self._typed is not None and self._process.unread():
            part = "" if self._process.ignores_input() else "all of "
            note = f"after {waited} it had not read {part}{self._typed.text!r}"
            return self._departure(Problem.SILENT, line=self._typed.number, note=note)
        if due is None:
            return self._departure(Problem.DID_NOT_END, note=f"it had not ended after {waited}")
        note = f"nothing came for {waited}; perhaps it waits for input"
        return Departure(Failure(problem=Problem.SILENT, line=due.number, note=note, expected=due.text))

    def _departure(self, problem: Problem, *, line: int | None = None, note: str = "") -> Departure:
        return Departure(Failure(problem=problem, line=self._expectation.line if line is None else line, note=note))

    def _with_the_rest(self, failure: Failure) -> Failure:
        """The failure with what the program writes next: the rest of the line, and perhaps the reason."""
        if self._expectation.accepted == len(self._seen):
            return failure
        end = monotonic() + AFTER
        while monotonic() < end and len(self._seen) - self._expectation.accepted < ENOUGH:
            text = self._process.read(TICK)
            if text == "":
                break
            self._seen += text or ""
        line, _, rest = self._seen[self._expectation.accepted :][:ENOUGH].partition("\n")
        actual = None if failure.actual is None else self._expectation.begun + line
        return replace(failure, actual=actual, rest=rest)


def _describe(status: int | None) -> str:
    """A status other than 0 in words."""
    if not status:
        return ""
    if status > 0:
        return f"its status was {status}"
    try:
        return f"it was ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"it was ended by signal {-status}"
