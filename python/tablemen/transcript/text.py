"""Specification files as text: `>` and output, `<` and input, `#` and a comment."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from tablemen.errors import ArgumentError, NotationError
from tablemen.transcript.model import HALF, Line, LineKind, Transcript

KINDS = {kind.value: kind for kind in LineKind}


def parse_transcript(text: str, *, name: str = "") -> Transcript:
    r"""The session that a specification file describes.

    Lines may end with `\n` or `\r\n`, the last one with neither. An empty line is an error: `>` is an empty line of
    output, and `#` a gap.

    >>> transcript = parse_transcript("# A greeting.\n>Your name? \n<Ada\n>Hello, Ada!\n")
    >>> [step.text for step in transcript.steps]
    ['Your name? ', 'Ada', 'Hello, Ada!']

    Raises `NotationError`, with the line, where one begins with none of the three marks.
    """
    if not isinstance(text, str):
        raise ArgumentError("text", text, "a text")
    *lines, last = text.removeprefix("\ufeff").split("\n")
    if last:
        lines.append(last)
    return Transcript(tuple(_parse_line(line.rstrip("\r"), n) for n, line in enumerate(lines, start=1)), name)


def _parse_line(text: str, number: int) -> Line:
    if not text:
        raise NotationError("an empty line: > is an empty line of output, # a gap", text, line=number)
    kind = KINDS.get(text[0])
    if kind is None:
        raise NotationError("a line begins with > for output, < for input or # for a comment", text, line=number)
    if half := HALF.search(text):
        raise NotationError(f"half a character: {half[0]!r}", text, line=number, column=half.start() + 1)
    return Line(kind, text[1:])


def format_transcript(transcript: Transcript) -> str:
    """The specification file of a session; `parse_transcript` reads it back."""
    return "".join(f"{line.kind.value}{line.text}\n" for line in transcript.lines)


def read_transcript(path: str | os.PathLike[str]) -> Transcript:
    """The session that a file describes; the transcript has the path as its name.

    Raises `NotationError` where it is not a specification file in UTF-8, and `OSError` where it cannot be read.
    """
    data = Path(path).read_bytes()
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise NotationError(f"not UTF-8: {error.reason}", "", line=line, column=column) from error
    return parse_transcript(text, name=os.fspath(path))


def write_session(events: Iterable[tuple[LineKind, str]], *, comments: Sequence[str] = ()) -> Transcript:
    r"""The transcript of what happened: output as it was written, newlines and all, and whole lines of input.

    >>> output, typed = LineKind.OUTPUT, LineKind.INPUT
    >>> events = [(output, "Welcome.\nYour"), (output, " name?"), (typed, "Ada"), (output, "Bye\n")]
    >>> print(format_transcript(write_session(events)), end="")
    >Welcome.
    >Your name?
    <Ada
    >Bye
    """
    lines = [Line(LineKind.COMMENT, comment) for comment in comments]
    written = ""
    for kind, text in events:
        if kind is LineKind.OUTPUT:
            written += text
        else:
            lines += _output_lines(written)
            lines.append(Line(kind, text))
            written = ""
    return Transcript((*lines, *_output_lines(written.removesuffix("\n"), ended=written.endswith("\n"))))


def _output_lines(written: str, *, ended: bool = False) -> list[Line]:
    """The lines of a stretch of output; none for none."""
    if not written and not ended:
        return []
    return [Line(LineKind.OUTPUT, line.rstrip("\r")) for line in written.split("\n")]
