"""Specification files as text: `>` and output, `<` and input, `#` and a comment."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from tablemen.errors import NotationError
from tablemen.transcript.model import Line, Mark, Transcript

MARKS = {mark.value: mark for mark in Mark}


def parse_transcript(text: str, *, name: str = "") -> Transcript:
    r"""The session that a specification file describes.

    Lines may end with `\n` or `\r\n`, the last one with neither. An empty line is an error: `>` is an empty line of
    output, and `#` a gap.

    >>> transcript = parse_transcript("# A greeting.\n>Your name? \n<Ada\n>Hello, Ada!\n")
    >>> [step.text for step in transcript.steps]
    ['Your name? ', 'Ada', 'Hello, Ada!']

    Raises `NotationError`, with the line, where one begins with none of the three marks.
    """
    *lines, last = text.removeprefix("\ufeff").split("\n")
    if last:
        lines.append(last)
    return Transcript(tuple(_parse_line(line.rstrip("\r"), n) for n, line in enumerate(lines, start=1)), name)


def _parse_line(text: str, number: int) -> Line:
    if not text:
        raise NotationError("an empty line: > is an empty line of output, # a gap", text, line=number)
    mark = MARKS.get(text[0])
    if mark is None:
        raise NotationError("a line begins with > for output, < for input or # for a comment", text, line=number)
    return Line(mark, text[1:])


def format_transcript(transcript: Transcript) -> str:
    """The specification file of a session; `parse_transcript` reads it back."""
    return "".join(f"{line.mark.value}{line.text}\n" for line in transcript.lines)


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


def write_session(events: Iterable[tuple[Mark, str]], *, comments: Sequence[str] = ()) -> Transcript:
    r"""The transcript of what happened: output as it was written, newlines and all, and whole lines of input.

    >>> events = [(Mark.OUTPUT, "Welcome.\nYour"), (Mark.OUTPUT, " name?"), (Mark.INPUT, "Ada"), (Mark.OUTPUT, "Bye\n")]
    >>> print(format_transcript(write_session(events)), end="")
    >Welcome.
    >Your name?
    <Ada
    >Bye
    """
    lines = [Line(Mark.COMMENT, comment) for comment in comments]
    written = ""
    for mark, text in events:
        if mark is Mark.OUTPUT:
            written += text
        else:
            lines += _output_lines(written)
            lines.append(Line(mark, text))
            written = ""
    return Transcript((*lines, *_output_lines(written.removesuffix("\n"), ended=written.endswith("\n"))))


def _output_lines(written: str, *, ended: bool = False) -> list[Line]:
    """The lines of a stretch of output; none for none."""
    if not written and not ended:
        return []
    return [Line(Mark.OUTPUT, line.rstrip("\r")) for line in written.split("\n")]
