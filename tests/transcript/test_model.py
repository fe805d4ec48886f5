"""Parsing and formatting of transcripts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from tablemen.errors import ArgumentError, NotationError
from tablemen.transcript import Line, LineKind, Step, Transcript, format_transcript, parse_transcript, read_transcript
from tablemen.transcript.model import make_transcript
from tests.transcript.fixtures import get_events, transcripts

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
    ("text", "line"),
    [
        ("\n", 1),
        (">a\n\n>b\n", 2),
        (">a\n\r\n>b\n", 2),
        (">a\n>b\n\n", 3),
        (">a\nb\n", 2),
        (" >a\n", 1),
        (">a\n\ufeff>b", 2),
    ],
)
def test_lines_without_a_mark_are_located(text: str, line: int) -> None:
    with pytest.raises(NotationError) as caught:
        parse_transcript(text)
    assert (caught.value.line, caught.value.column) == (line, 1)


@pytest.mark.parametrize("text", ["a\nb", "a\r", "\r"])
def test_a_line_must_not_contain_a_line_ending(text: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        Line(LineKind.OUTPUT, text)
    assert (caught.value.name, caught.value.value) == ("text", text)


@pytest.mark.parametrize(
    ("kind", "text", "name"),
    [
        (">", "a", "kind"),
        (LineKind.OUTPUT, None, "text"),
        (LineKind.OUTPUT, b"a", "text"),
        (LineKind.INPUT, "a\udcff", "text"),
    ],
)
def test_a_line_has_a_kind_and_a_text(kind: Any, text: Any, name: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        Line(kind, text)
    assert caught.value.name == name


@pytest.mark.parametrize("lines", [None, ">a", [Line(LineKind.OUTPUT, "a")], (">a",)])
def test_a_transcript_must_be_a_tuple_of_lines(lines: Any) -> None:
    with pytest.raises(ArgumentError) as caught:
        Transcript(lines)
    assert (caught.value.name, caught.value.value) == ("lines", lines)


def test_only_text_is_parsed() -> None:
    for text in (b">a\n", None):
        with pytest.raises(ArgumentError) as caught:
            parse_transcript(text)  # type: ignore[arg-type]
        assert (caught.value.name, caught.value.value) == ("text", text)


def test_lone_surrogates_are_located() -> None:
    with pytest.raises(NotationError) as caught:
        parse_transcript(">a\n<b\ud800\n")
    assert (caught.value.line, caught.value.column) == (2, 3)


def test_a_file_is_read_as_utf_8(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes("\ufeff>é\r\n".encode())
    transcript = read_transcript(file)
    assert (transcript.steps, transcript.name) == ((Step(1, LineKind.OUTPUT, "é"),), str(file))
    file.write_bytes(b">a\n>b\xff\n")
    with pytest.raises(NotationError, match="UTF-8") as caught:
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
    ("text", "line"),
    [(">x\n# command: 'a\n", 2), ("# command: \n", 1), ("# command: a\n# command: a\n", 2)],
)
def test_invalid_commands_are_located(text: str, line: int) -> None:
    with pytest.raises(NotationError) as caught:
        print(parse_transcript(text).command)
    assert caught.value.line == line


@given(transcripts)
def test_transcripts_round_trip(transcript: Transcript) -> None:
    assert parse_transcript(format_transcript(transcript)) == transcript


@given(transcripts)
def test_events_become_a_transcript(transcript: Transcript) -> None:
    result = make_transcript(get_events(transcript))
    # An empty prompt cannot be seen in a session.
    expected = [event for event in get_events(transcript) if event != (LineKind.OUTPUT, "")]
    assert [event for event in get_events(result) if event != (LineKind.OUTPUT, "")] == expected
