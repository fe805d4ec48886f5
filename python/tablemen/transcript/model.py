"""What a specification file says: a console session from its first line to its last."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from tablemen.enums import Named
from tablemen.errors import ArgumentError, NotationError

HALF = re.compile("[\ud800-\udfff]")
COMMAND = re.compile(r"\s*command:(.*)")


class LineKind(Named):
    """The first character of a line: what the rest of it is."""

    OUTPUT = ">"
    INPUT = "<"
    COMMENT = "#"


@dataclass(frozen=True)
class Line:
    """A line of a specification file.

    The text has no newline, and does not end with a carriage return: that would be part of the line's end. It has no
    halves of characters either (lone surrogates), which no file can hold.
    """

    kind: LineKind
    text: str

    def __post_init__(self) -> None:
        if not isinstance(self.kind, LineKind):
            raise ArgumentError("kind", self.kind, "a LineKind")
        if not isinstance(self.text, str):
            raise ArgumentError("text", self.text, "a text")
        if HALF.search(self.text):
            raise ArgumentError("text", self.text, "a text without halves of characters")
        if "\n" in self.text or self.text.endswith("\r"):
            raise ArgumentError("text", self.text, "a text without a newline, and without a carriage return at its end")


class Step(NamedTuple):
    """A line of output or input, with its number in the file, from 1."""

    number: int
    kind: LineKind
    text: str


@dataclass(frozen=True)
class Transcript:
    """A console session as it should go; two are equal when they have the same lines, comments included.

    Lines of output stand below each other on the screen. The last one before a line of input is the prompt: what is
    typed stands behind it, and ends it. After a whole line, an empty line of output says that there is no prompt. The
    last line of all may be ended by a newline or by the end of the program.
    """

    lines: tuple[Line, ...]
    name: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        lines: object = self.lines
        if not isinstance(lines, tuple) or not all(isinstance(line, Line) for line in lines):
            raise ArgumentError("lines", lines, "a tuple of Line")

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """What happens, in order: the lines but for the comments."""
        numbered = enumerate(self.lines, start=1)
        return tuple(
            Step(number, line.kind, line.text) for number, line in numbered if line.kind is not LineKind.COMMENT
        )

    @cached_property
    def command(self) -> tuple[str, ...] | None:
        """The program that the file is about, from its comment `# command: …`; nothing where it has none.

        Raises `NotationError` where the command cannot be split into words, or where there are two.
        """
        found: tuple[str, ...] | None = None
        for number, line in enumerate(self.lines, start=1):
            match = COMMAND.fullmatch(line.text) if line.kind is LineKind.COMMENT else None
            if match is None:
                continue
            if found is not None:
                raise NotationError("a second command", line.text, line=number)
            found = _split(match[1], line.text, number)
        return found


def _split(command: str, text: str, number: int) -> tuple[str, ...]:
    """The words of a command, as a shell splits them."""
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise NotationError(f"not a command: {str(error).lower()}", text, line=number) from error
    if not words:
        raise NotationError("a command without words", text, line=number)
    return words
