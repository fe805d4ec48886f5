"""Input and output of console programs."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys

import pytest

from tablemen.console import IO, StandardIO, format_error
from tablemen.errors import ArgumentError, PeerGoneError, TablemenError
from tests.timeouts import TIMEOUT

PROMPT = "House: "
RANGE = "%%Message: `{}' must be between 1 and 6, or 'q' to cancel\n"
INVALID = "%%Message: `{}' is not a valid response.\nInput must be an integer between '1' and '6'\n"


def create_console(typed: str) -> tuple[StandardIO, io.StringIO]:
    screen = io.StringIO()
    return StandardIO(io.StringIO(typed), screen), screen


def test_only_println_ends_the_line() -> None:
    console, screen = create_console("")
    console.print("a")
    console.print("")
    console.println("b ")
    console.println()
    assert screen.getvalue() == "ab \n\n"


@pytest.mark.parametrize("text", ["\n", "a\n", "a\nb", "\r\n", None, 3])
def test_a_text_must_not_contain_a_newline(text: str) -> None:
    console, screen = create_console("1\n")
    for write in (console.print, console.println, console.read_from_keyboard):
        with pytest.raises(ArgumentError) as caught:
            write(text)
        assert (caught.value.name, caught.value.value) == ("text", text)
    assert screen.getvalue() == ""


@pytest.mark.parametrize(("typed", "line"), [("3\n", "3"), ("\n", ""), (" a b \n", " a b "), ("3", "3")])
def test_a_line_is_returned_unchanged(typed: str, line: str) -> None:
    console, screen = create_console(typed)
    assert console.read_from_keyboard(PROMPT) == line
    assert screen.getvalue() == PROMPT
    with pytest.raises(EOFError):
        console.read_from_keyboard(PROMPT)


@pytest.mark.parametrize(
    ("typed", "number", "shown"),
    [
        ("1\n", 1, ""),
        ("6\n", 6, ""),
        ("+3\n", 3, ""),
        ("03\n", 3, ""),
        ("q\n", -1, ""),
        ("", -1, ""),
        ("7\n2\n", 2, RANGE.format("7") + PROMPT),
        ("0\n2\n", 2, RANGE.format("0") + PROMPT),
        ("-1\n2\n", 2, RANGE.format("-1") + PROMPT),
        ("abc\n2\n", 2, INVALID.format("abc") + PROMPT),
        ("\n2\n", 2, INVALID.format("") + PROMPT),
        ("1.5\n2\n", 2, INVALID.format("1.5") + PROMPT),
        ("1_0\n2\n", 2, INVALID.format("1_0") + PROMPT),
        ("٣\n", 3, ""),
        ("\uff10\uff16\n", 6, ""),
        ("𝟟\n2\n", 2, RANGE.format("𝟟") + PROMPT),
        ("³\n2\n", 2, INVALID.format("³") + PROMPT),
        (" 3\n2\n", 2, INVALID.format(" 3") + PROMPT),
        ("3 \n2\n", 2, INVALID.format("3 ") + PROMPT),
        ("q \n2\n", 2, INVALID.format("q ") + PROMPT),
        ("\tq\nq\n", -1, INVALID.format("\tq") + PROMPT),
        ("+\n2\n", 2, INVALID.format("+") + PROMPT),
        ("--1\n2\n", 2, INVALID.format("--1") + PROMPT),
        ("2147483647\n2\n", 2, RANGE.format("2147483647") + PROMPT),
        ("2147483648\n2\n", 2, INVALID.format("2147483648") + PROMPT),
        ("-2147483648\n2\n", 2, RANGE.format("-2147483648") + PROMPT),
        ("-2147483649\n2\n", 2, INVALID.format("-2147483649") + PROMPT),
        ("00000000003\n", 3, ""),
        ("Q\n2\n", 2, INVALID.format("Q") + PROMPT),
        ("9" * 5000 + "\n2\n", 2, INVALID.format("9" * 5000) + PROMPT),
        ("7\nx\nq\n", -1, RANGE.format("7") + PROMPT + INVALID.format("x") + PROMPT),
        ("7\n", -1, RANGE.format("7") + PROMPT),
    ],
)
def test_read_integer_repeats_the_prompt_until_a_number_is_valid(typed: str, number: int, shown: str) -> None:
    console, screen = create_console(typed)
    assert console.read_integer(PROMPT, 1, 6, -1, "q") == number
    assert screen.getvalue() == PROMPT + shown


def test_subclasses_inherit_read_integer() -> None:
    class FakeIO(IO):
        output = ""

        def print(self, text: str) -> None:
            self.output += text

        def println(self, text: str = "") -> None:
            self.output += f"{text};"

        def read_from_keyboard(self, prompt: str) -> str:
            self.print(prompt)
            return "5" if self.output.count("?") > 1 else "9"

    console = FakeIO()
    assert console.read_integer("?", 1, 6, 0, "q") == 5
    assert console.output == "?%%Message: `9' must be between 1 and 6, or 'q' to cancel;?"


def test_standard_streams_are_resolved_on_use(monkeypatch: pytest.MonkeyPatch) -> None:
    console = StandardIO()
    screen = io.StringIO()
    monkeypatch.setattr(sys, "stdin", io.StringIO("4\n"))
    monkeypatch.setattr(sys, "stdout", screen)
    assert console.read_from_keyboard(PROMPT) == "4"
    assert screen.getvalue() == PROMPT


def test_undecodable_input_is_a_tablemen_error() -> None:
    console = StandardIO(io.TextIOWrapper(io.BytesIO(b"\xff\n"), encoding="utf-8"), io.StringIO())
    with pytest.raises(TablemenError) as caught:
        console.read_from_keyboard(PROMPT)
    assert isinstance(caught.value.__cause__, UnicodeDecodeError)


SCRIPT = "from tablemen.console import StandardIO as S; io = S(); print(io.read_integer('? ', 1, 6, -1, 'q'))"


def test_input_from_a_pipe_is_not_echoed() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], input="8\n3\n", capture_output=True, text=True, timeout=TIMEOUT, check=True
    )
    assert done.stdout == "? %%Message: `8' must be between 1 and 6, or 'q' to cancel\n? 3\n"


def test_the_end_of_input_at_a_terminal_ends_the_line() -> None:
    keyboard, end = pty.openpty()
    try:
        os.write(keyboard, b"\x04")
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT], stdin=end, capture_output=True, text=True, timeout=TIMEOUT, check=True
        )
    finally:
        os.close(keyboard)
        os.close(end)
    assert done.stdout == "? \n-1\n"


def test_errors_of_other_packages_are_formatted_with_their_type() -> None:
    assert format_error(PeerGoneError("scan hub", "has ended")) == "scan hub has ended"
    assert format_error(KeyError(3)) == "KeyError: 3"
