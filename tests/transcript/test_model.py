"""Transcripts as text: parsing, errors, and round trips."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from tablemen.errors import ArgumentError, NotationError
from tablemen.transcript import Line, LineKind, Step, Transcript, format_transcript, parse_transcript, read_transcript
from tablemen.transcript.model import make_transcript
from tests.transcript.fixtures import transcripts, written

GREETING = "# A greeting.\n>Your name? \n<Ada\n#\n>\n>Hello, Ada!\n"


def test_steps_are_numbered_lines_without_comments() -> None:
    transcript = parse_transcript(GREETING, name="greeting.txt")
    assert transcript.steps == (
        Step(2, LineKind.OUTPUT, "Your name? "),
        Step(3, LineKind.INPUT, "Ada"),
        Step(5, LineKind.OUTPUT, ""),
        Step(6, LineKind.OUTPUT, "Hello, Ada!"),
    )
    assert transcript.lines[0] == Line(LineKind.COMMENT, " A greeting.")
    assert transcript.name == "greeting.txt"


@pytest.mark.parametrize(
    "text",
    [
        GREETING.removesuffix("\n"),
        GREETING.replace("\n", "\r\n"),
        GREETING.replace("\n", "\r\n").removesuffix("\n"),
        GREETING.replace("\n", "\r\r\n"),
        "\ufeff" + GREETING,
    ],
)
def test_line_endings_do_not_matter(text: str) -> None:
    assert parse_transcript(text) == parse_transcript(GREETING)
    assert format_transcript(parse_transcript(text)) == GREETING


def test_an_empty_transcript_has_no_steps() -> None:
    assert parse_transcript("") == Transcript(())
    assert format_transcript(Transcript(())) == ""


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("\n", 1, "an empty line"),
        (">a\n\n>b\n", 2, "an empty line"),
        (">a\n\r\n>b\n", 2, "an empty line"),
        (">a\n>b\n\n", 3, "an empty line"),
        (">a\nb\n", 2, "a line begins with > for output, < for input or # for a comment"),
        (" >a\n", 1, "a line begins with > for output, < for input or # for a comment"),
        (">a\n\ufeff>b", 2, "a line begins with > for output, < for input or # for a comment"),
    ],
)
def test_errors_have_a_line_number(text: str, line: int, problem: str) -> None:
    with pytest.raises(NotationError, match=problem) as caught:
        parse_transcript(text)
    assert (caught.value.line, caught.value.column) == (line, 1)


@pytest.mark.parametrize("text", ["a\nb", "a\r", "\r"])
def test_a_line_is_one_line(text: str) -> None:
    with pytest.raises(ArgumentError, match="a text without a newline"):
        Line(LineKind.OUTPUT, text)


@pytest.mark.parametrize(
    ("kind", "text", "problem"),
    [
        (">", "a", "kind is '>': a LineKind is expected"),
        (LineKind.OUTPUT, None, "text is None: a text is expected"),
        (LineKind.OUTPUT, b"a", "text is b'a': a text is expected"),
        (LineKind.INPUT, "a\udcff", r"text is 'a\\udcff': a text without lone surrogates is expected"),
    ],
)
def test_a_line_is_a_kind_and_a_text(kind: Any, text: Any, problem: str) -> None:
    with pytest.raises(ArgumentError, match=problem):
        Line(kind, text)


@pytest.mark.parametrize("lines", [None, ">a", [Line(LineKind.OUTPUT, "a")], (">a",)])
def test_a_transcript_is_made_of_lines(lines: Any) -> None:
    with pytest.raises(ArgumentError, match="a tuple of Line is expected"):
        Transcript(lines)


def test_only_text_is_parsed() -> None:
    for text in (b">a\n", None):
        with pytest.raises(ArgumentError, match="a text is expected"):
            parse_transcript(text)  # type: ignore[arg-type]
    with pytest.raises(NotationError, match="a lone surrogate") as caught:
        parse_transcript(">a\n<b\ud800\n")
    assert (caught.value.line, caught.value.column) == (2, 3)


def test_a_file_is_read_as_utf_8(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes("\ufeff>é\r\n".encode())
    transcript = read_transcript(file)
    assert (transcript.steps, transcript.name) == ((Step(1, LineKind.OUTPUT, "é"),), str(file))
    file.write_bytes(b">a\n>b\xff\n")
    with pytest.raises(NotationError, match="not UTF-8") as caught:
        read_transcript(file)
    assert (caught.value.line, caught.value.column) == (2, 3)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("", None),
        (">command: a\n", None),
        ("# the command: a\n", None),
        ("# command: a\n", ("a",)),
        ("#command:a 'b c'\n>x\n", ("a", "b c")),
        (">x\n#  command:  a \n", ("a",)),
    ],
)
def test_the_command_of_a_file(text: str, command: tuple[str, ...] | None) -> None:
    assert parse_transcript(text).command == command


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        (">x\n# command: 'a\n", 2, "not a command: no closing quotation"),
        ("# command: \n", 1, "a command without words"),
        ("# command: a\n# command: a\n", 2, "a second command"),
    ],
)
def test_bad_commands_are_errors(text: str, line: int, problem: str) -> None:
    with pytest.raises(NotationError, match=problem) as caught:
        print(parse_transcript(text).command)
    assert caught.value.line == line


@given(transcripts)
def test_formatting_and_parsing_are_inverse(transcript: Transcript) -> None:
    assert parse_transcript(format_transcript(transcript)) == transcript


@given(transcripts)
def test_events_become_a_transcript(transcript: Transcript) -> None:
    again = make_transcript(written(transcript))
    # A line of nothing before input says nothing: whether it is there cannot be seen.
    happened = [event for event in written(transcript) if event != (LineKind.OUTPUT, "")]
    assert [event for event in written(again) if event != (LineKind.OUTPUT, "")] == happened
