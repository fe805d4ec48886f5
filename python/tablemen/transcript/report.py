"""How a program did: that it went as the transcript says, or where and how it went another way."""

from __future__ import annotations

from dataclasses import dataclass

from tablemen.enums import Named

FIRST_LINES, LAST_LINES = 4, 8  # of what came after: the end of a traceback says why
SHOWN_CHARACTERS = 200  # of a line


class Problem(Named):
    """How a program can leave its transcript."""

    OUTPUT_DIFFERS = "the output differs"
    LINE_TOO_SHORT = "the line ended too early"
    LINE_TOO_LONG = "the line goes on where it should end"
    OUTPUT_NOT_INPUT = "output where input was expected"
    INPUT_NOT_OUTPUT = "input asked for where output was expected"
    ENDED_EARLY = "the program ended too early"
    DID_NOT_END = "the program went on after the last line"
    NEWLINE_IN_TEXT = "a newline inside a text"
    SILENT = "the program hangs"
    RAISED = "the program raised an exception"
    STATUS = "the program ended with an error"
    STOPPED = "the check was stopped"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, kw_only=True)
class Failure:
    """Where a program left its transcript, and how.

    `line` is that of the specification, and `column` the character of it, both from 1. `expected` is the line that
    should have come, and `actual` the one that came, as far as it did; `note` says more in words, and `rest` is what
    the program wrote after that.
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
            lines.append(f'  expected: "{_show(self.expected, self.column)}"')
        if self.actual is not None:
            lines.append(f'  actual:   "{_show(self.actual, self.column)}"')
            if self.column is not None:
                lines.append(" " * (13 + len(_show(self.actual[: self.column - 1], self.column))) + "^")
        return "\n".join([*lines, *self._rest_lines()])

    def _rest_lines(self) -> list[str]:
        """What came after, as far as it is shown."""
        lines = [f"  | {_show(line)}" for line in self.rest.removesuffix("\n").split("\n")] if self.rest else []
        if len(lines) <= FIRST_LINES + LAST_LINES:
            return lines
        return [*lines[:FIRST_LINES], "  | …", *lines[-LAST_LINES:]]


@dataclass(frozen=True)
class Report:
    """How a program did. `status` is that of its process: 0, another number, minus a signal, or none."""

    name: str
    failure: Failure | None
    status: int | None = None

    @property
    def passed(self) -> bool:
        """Whether everything went as the transcript says."""
        return self.failure is None

    def __str__(self) -> str:
        told = "passed" if self.failure is None else str(self.failure)
        return f"{self.name}: {told}" if self.name else told


def _show(text: str, column: int | None = None) -> str:
    """The text with everything seen: what is not printed and the backslash escaped; a long one as far as it matters."""
    enough = max(SHOWN_CHARACTERS, (column or 0) + SHOWN_CHARACTERS // 4)
    told = text if len(text) <= enough else f"{text[:enough]}…"
    return "".join(
        each if each.isprintable() and each != "\\" else each.encode("unicode_escape").decode() for each in told
    )
