"""Transcripts as values and as text: `>` marks a line of output, `<` a line of input, `#` a comment."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from tablemen.enums import Named
from tablemen.errors import ArgumentError, NotationError

SURROGATE = re.compile("[\ud800-\udfff]")
COMMAND = re.compile(r"\s*command:(.*)")


class LineKind(Named):
    """The kind of a line, and the character that marks it."""

    OUTPUT = ">"
    INPUT = "<"
    COMMENT = "#"


KINDS = {kind.value: kind for kind in LineKind}


@dataclass(frozen=True)
class Line:
    """A line of a transcript.

    The text has no newline and does not end with a carriage return, which would be part of the line ending. It has no
    lone surrogates either, since no file can store them.
    """

    kind: LineKind
    text: str

    def __post_init__(self) -> None:
        if not isinstance(self.kind, LineKind):
            raise ArgumentError("kind", self.kind, "a LineKind")
        if not isinstance(self.text, str):
            raise ArgumentError("text", self.text, "a text")
        if SURROGATE.search(self.text):
            raise ArgumentError("text", self.text, "a text without lone surrogates")
        if "\n" in self.text or self.text.endswith("\r"):
            raise ArgumentError("text", self.text, "a text without a newline, and without a carriage return at the end")


class Step(NamedTuple):
    """A line of output or input with its line number in the file, counted from 1."""

    number: int
    kind: LineKind
    text: str


@dataclass(frozen=True)
class Transcript:
    """An expected console session. Two transcripts are equal if they have the same lines, comments included.

    The last line of output before a line of input is the prompt: the input is typed after it, and ends it. If there is
    no prompt, the line before the input is an empty line of output. The last line of all may end with a newline or with
    the end of the program.
    """

    lines: tuple[Line, ...]
    name: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        lines: object = self.lines
        if not isinstance(lines, tuple) or not all(isinstance(line, Line) for line in lines):
            raise ArgumentError("lines", lines, "a tuple of Line")

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The lines of output and input, in order."""
        numbered = enumerate(self.lines, start=1)
        return tuple(
            Step(number, line.kind, line.text) for number, line in numbered if line.kind is not LineKind.COMMENT
        )

    @cached_property
    def command(self) -> tuple[str, ...] | None:
        """The program to run, from the comment `# command: …`, or None without such a comment.

        Raises `NotationError` if the command cannot be split into words, or if there are two.
        """
        found: tuple[str, ...] | None = None
        for number, line in enumerate(self.lines, start=1):
            match = COMMAND.fullmatch(line.text) if line.kind is LineKind.COMMENT else None
            if match is None:
                continue
            if found is not None:
                raise NotationError("second command; a transcript has only one", line.text, line=number)
            try:
                found = tuple(shlex.split(match[1]))
            except ValueError as error:
                raise NotationError(f"invalid command: {str(error).lower()}", line.text, line=number) from error
            if not found:
                raise NotationError("the command is empty", line.text, line=number)
        return found


def parse_transcript(text: str, *, name: str = "") -> Transcript:
    r"""Parse the text of a transcript file.

    Lines end with `\n` or `\r\n`; the last one may have no line ending. An empty line is an error: write `>` for an
    empty line of output, and `#` for a gap.

    >>> transcript = parse_transcript("# A greeting.\n>Your name? \n<Ada\n>Hello, Ada!\n")
    >>> [step.text for step in transcript.steps]
    ['Your name? ', 'Ada', 'Hello, Ada!']

    Raises `NotationError`, with the line number, if a line begins with none of the three marks.
    """
    if not isinstance(text, str):
        raise ArgumentError("text", text, "a text")
    *lines, last = text.removeprefix("\ufeff").split("\n")
    if last:
        lines.append(last)
    return Transcript(tuple(_parse_line(line.rstrip("\r"), n) for n, line in enumerate(lines, start=1)), name)


def _parse_line(text: str, number: int) -> Line:
    if not text:
        raise NotationError("empty line; write > for an empty line of output, or # for a gap", text, line=number)
    kind = KINDS.get(text[0])
    if kind is None:
        raise NotationError("expected > for output, < for input or # for a comment", text, line=number)
    if found := SURROGATE.search(text):
        raise NotationError(f"lone surrogate {found[0]!r}", text, line=number, column=found.start() + 1)
    return Line(kind, text[1:])


def format_transcript(transcript: Transcript) -> str:
    """Format a transcript as the text of a file; `parse_transcript` is the inverse."""
    return "".join(f"{line.kind.value}{line.text}\n" for line in transcript.lines)


def read_transcript(path: str | os.PathLike[str]) -> Transcript:
    """Read a transcript file; the path becomes the name of the transcript.

    Raises `NotationError` if it is not a transcript in UTF-8, and `OSError` if it cannot be read.
    """
    data = Path(path).read_bytes()
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise NotationError(f"not UTF-8: {error.reason}", "", line=line, column=column) from error
    return parse_transcript(text, name=os.fspath(path))


def make_transcript(events: Iterable[tuple[LineKind, str]], *, comments: Sequence[str] = ()) -> Transcript:
    r"""Return the transcript of a session: output in pieces of any size, with its newlines, and lines of input.

    >>> output, typed = LineKind.OUTPUT, LineKind.INPUT
    >>> events = [(output, "Welcome.\nYour"), (output, " name?"), (typed, "Ada"), (output, "Bye\n")]
    >>> print(format_transcript(make_transcript(events)), end="")
    >Welcome.
    >Your name?
    <Ada
    >Bye
    """
    lines = [Line(LineKind.COMMENT, comment) for comment in comments]
    output = ""
    for kind, text in events:
        if kind is LineKind.OUTPUT:
            output += text
        else:
            lines += _output_lines(output) if output else []
            lines.append(Line(kind, text))
            output = ""
    return Transcript((*lines, *(_output_lines(output.removesuffix("\n")) if output else [])))


def _output_lines(output: str) -> list[Line]:
    return [Line(LineKind.OUTPUT, line.rstrip("\r")) for line in output.split("\n")]
