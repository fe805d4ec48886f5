"""Compare a running session with its transcript, and report the first difference."""

from __future__ import annotations

from dataclasses import dataclass

from tablemen.enums import Named
from tablemen.transcript.model import LineKind, Step, Transcript

MAX_HEAD_LINES, MAX_TAIL_LINES = 4, 8  # of the output after a failure; a traceback has the reason in its last lines
MAX_SHOWN_LENGTH = 200  # characters of a line


class Problem(Named):
    """A kind of failure of a program."""

    OUTPUT_DIFFERS = "the output differs"
    LINE_TOO_SHORT = "the line is shorter than expected"
    LINE_TOO_LONG = "the line is longer than expected"
    OUTPUT_NOT_INPUT = "the program wrote output when input was expected"
    INPUT_NOT_OUTPUT = "the program read input when output was expected"
    ENDED_EARLY = "the program ended too early"
    DID_NOT_END = "the program continued after the last line"
    NEWLINE_IN_TEXT = "a text contains a newline"
    SILENT = "the program hangs"
    RAISED = "the program raised an exception"
    STATUS = "the program ended with an error"
    STOPPED = "the check was stopped"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, kw_only=True)
class Failure:
    """Where and how a program deviated from its transcript.

    `line` and `column` are the line of the transcript and the character in it, both counted from 1. `expected` is the
    expected line, and `actual` the line that the program wrote up to the failure. `note` has details, and `rest` is the
    output after that line.
    """

    problem: Problem
    line: int
    column: int | None = None
    expected: str | None = None
    actual: str | None = None
    note: str = ""
    rest: str = ""

    def __str__(self) -> str:
        place = f"line {self.line}" if self.column is None else f"line {self.line}, character {self.column}"
        lines = [f"{place}: {self.problem}{f': {self.note}' if self.note else ''}"]
        if self.expected is not None:
            lines.append(f'  expected: "{_escape(self.expected, self.column)}"')
        if self.actual is not None:
            lines.append(f'  actual:   "{_escape(self.actual, self.column)}"')
            if self.column is not None:
                lines.append(" " * (13 + len(_escape(self.actual[: self.column - 1], self.column))) + "^")
        rest = [f"  | {_escape(line)}" for line in self.rest.removesuffix("\n").split("\n")] if self.rest else []
        if len(rest) > MAX_HEAD_LINES + MAX_TAIL_LINES:
            rest[MAX_HEAD_LINES:-MAX_TAIL_LINES] = ["  | …"]
        return "\n".join([*lines, *rest])


def _escape(text: str, column: int | None = None) -> str:
    """Escape backslashes and unprintable characters, and cut a long text somewhere after the column."""
    length = max(MAX_SHOWN_LENGTH, (column or 0) + MAX_SHOWN_LENGTH // 4)
    shown = text if len(text) <= length else f"{text[:length]}…"
    return "".join(
        each if each.isprintable() and each != "\\" else each.encode("unicode_escape").decode() for each in shown
    )


@dataclass(frozen=True)
class Report:
    """The result of a run. `status` is the exit status, or minus the number of a signal, or None."""

    name: str
    failure: Failure | None
    status: int | None = None

    @property
    def passed(self) -> bool:
        """Whether the program passed."""
        return self.failure is None

    def __str__(self) -> str:
        result = "passed" if self.failure is None else str(self.failure)
        return f"{self.name}: {result}" if self.name else result


class Mismatch(BaseException):
    """A program has deviated from its transcript. Not an `Exception`, so that the program does not catch it."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure)
        self.failure = failure


class Matcher:
    """A position in a transcript. It advances with the program, and raises `Mismatch` at the first difference."""

    def __init__(self, transcript: Transcript) -> None:
        self._steps = transcript.steps
        self._last = max(len(transcript.lines), 1)
        self._index = 0
        self._column = 0  # characters of the current line of output that have been matched
        self.accepted = 0  # characters of output that have been matched in all

    @property
    def current(self) -> Step | None:
        """The step that is expected next or partly matched; None after the last."""
        return self._steps[self._index] if self._index < len(self._steps) else None

    @property
    def _following(self) -> Step | None:
        return self._steps[self._index + 1] if self._index + 1 < len(self._steps) else None

    @property
    def matched(self) -> str:
        """The part of the current line of output that has been matched."""
        step = self.current
        return "" if step is None else step.text[: self._column]

    @property
    def input_due(self) -> Step | None:
        """The next step if it is input and all output before it has been matched, else None."""
        step = self.current
        if step is not None and step.kind is LineKind.OUTPUT and self._column == len(step.text):
            step = self._following
        return step if step is not None and step.kind is LineKind.INPUT else None

    @property
    def due(self) -> Step | None:
        """The next step: the current one, or its successor if all of the current one has been matched."""
        step = self.current
        is_whole = step is not None and step.kind is LineKind.OUTPUT and step.text and self._column == len(step.text)
        return self._following if is_whole else step

    @property
    def line(self) -> int:
        """The number of the next line, or of the last line at the end."""
        return self._last if self.due is None else self.due.number

    def write(self, text: str) -> None:
        """Match output of the program."""
        while text:
            line, newline, text = text.partition("\n")
            if line:
                self._write_part(line)
                self.accepted += len(line)
            if newline:
                self._end_line()
                self.accepted += 1

    def _output_step(self, *, actual: str | None = None, note: str = "") -> Step:
        """Return the current line of output; raise a mismatch if no output is expected."""
        step = self.current
        if step is None:
            raise Mismatch(Failure(problem=Problem.DID_NOT_END, line=self._last, actual=actual, note=note))
        if step.kind is LineKind.INPUT:
            raise Mismatch(Failure(problem=Problem.OUTPUT_NOT_INPUT, line=step.number, actual=actual, note=note))
        return step

    def _write_part(self, text: str) -> None:
        step = self._output_step(actual=text)
        expected = step.text[self._column :]
        if not expected.startswith(text):
            same = next((i for i, (a, b) in enumerate(zip(expected, text, strict=False)) if a != b), len(expected))
            problem = Problem.OUTPUT_DIFFERS if same < len(expected) else Problem.LINE_TOO_LONG
            raise self._differs(problem, step, self._column + same + 1, self.matched + text)
        self._column += len(text)

    def _end_line(self) -> None:
        following = self._following
        step = self._output_step(note="it ended a line" if self.current else "it ended one more line")
        if self._column < len(step.text):
            raise self._differs(Problem.LINE_TOO_SHORT, step, self._column + 1, self.matched)
        if following is not None and following.kind is LineKind.INPUT:
            note = f"it ended the line of the prompt, line {step.number}"
            raise Mismatch(Failure(problem=Problem.OUTPUT_NOT_INPUT, line=following.number, note=note))
        self._index += 1
        self._column = 0

    def read(self) -> Step:
        """Return the next line of input, which the program reads."""
        step = self.input_due
        if step is None:
            if self.due is None:
                raise Mismatch(Failure(problem=Problem.DID_NOT_END, line=self._last, note="it read input"))
            raise self._missing(Problem.INPUT_NOT_OUTPUT, self.due)
        self._index += 1 if self.current is step else 2
        self._column = 0
        return step

    def finish(self, note: str = "") -> None:
        """Match the end of the program; `note` describes how it ended."""
        due = self.due
        if due is not None:
            left = len(self._steps) - self._steps.index(due)
            missing = f"{left} more {'line was' if left == 1 else 'lines were'} expected"
            raise self._missing(Problem.ENDED_EARLY, due, "; ".join(filter(None, [note, missing])))

    def _missing(self, problem: Problem, due: Step, note: str = "") -> Mismatch:
        """Return the mismatch for a step that did not happen."""
        expected = None if due.kind is LineKind.INPUT else due.text
        matched = self.matched if due is self.current and self._column else None
        return Mismatch(Failure(problem=problem, line=due.number, expected=expected, actual=matched, note=note))

    @staticmethod
    def _differs(problem: Problem, step: Step, column: int, actual: str) -> Mismatch:
        """Return the mismatch for a line of output that differs from the column on."""
        return Mismatch(Failure(problem=problem, line=step.number, column=column, expected=step.text, actual=actual))
