"""Console programs: what they ask of a keyboard and a screen, and the real ones.

A program that is given an `IO` can be played by a person, or checked against a specification by `tablemen.transcript`.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from typing import Protocol, TextIO

from tablemen.errors import ArgumentError, TablemenError

__all__ = ["IO", "StandardIO"]

INTEGER = re.compile(r"[+-]?[0-9]+")


class IO(Protocol):
    """A keyboard and a screen. Whoever subclasses it gets `read_integer`, made of the other three."""

    def print(self, text: str) -> None:
        """Writes to the line that has begun; raises `ArgumentError` where the text has a newline in it."""
        ...

    def println(self, text: str = "") -> None:
        """Writes, and ends the line; raises `ArgumentError` where the text has a newline in it."""
        ...

    def read_from_keyboard(self, prompt: str) -> str:
        """The line that is typed after the prompt, without its end; raises `EOFError` where no more will come."""
        ...

    def read_integer(self, prompt: str, lower: int, upper: int, cancel_result: int, cancel_text: str) -> int:
        """The first number from `lower` to `upper` that is typed, or `cancel_result` after `cancel_text`.

        Anything else gets a message, and the prompt again. Blanks around an answer do not count. The end of the input
        counts as the cancel text.
        """
        while True:
            try:
                answer = self.read_from_keyboard(prompt).strip()
            except EOFError:
                return cancel_result
            if answer == cancel_text:
                return cancel_result
            number = _read_number(answer)
            if number is None:
                self.println(f"%%Message: `{answer}' is not a valid response.")
                self.println(f"Input must be an integer between '{lower}' and '{upper}'")
            elif lower <= number <= upper:
                return number
            else:
                self.println(f"%%Message: `{answer}' must be between {lower} and {upper}, or '{cancel_text}' to cancel")


class StandardIO(IO):
    r"""The keyboard and screen of the process: standard input and output, or a pair of streams of one's own.

    Nothing is echoed: where the input comes from a file or a pipe, the output after a prompt follows on its line.

    >>> import io
    >>> console = StandardIO(io.StringIO("seven\n7\n3\n"), sys.stdout)
    >>> console.read_integer("House: ", 1, 6, -1, "q")
    House: %%Message: `seven' is not a valid response.
    Input must be an integer between '1' and '6'
    House: %%Message: `7' must be between 1 and 6, or 'q' to cancel
    House: 3
    """

    def __init__(self, source: TextIO | None = None, target: TextIO | None = None) -> None:
        self._source = source
        self._target = target

    def print(self, text: str) -> None:
        """Writes to the line that has begun, so that it is seen at once."""
        self._write(check_line(text))

    def println(self, text: str = "") -> None:
        """Writes, and ends the line."""
        self._write(check_line(text) + "\n")

    def read_from_keyboard(self, prompt: str) -> str:
        """The line that is typed after the prompt; raises `EOFError` at the end of the input."""
        self.print(prompt)
        source = sys.stdin if self._source is None else self._source
        if source is None:  # the process was started without
            raise EOFError("there is no input")
        try:
            line = source.readline()
        except UnicodeDecodeError as error:
            raise TablemenError(f"the input is not a text: {error}") from error
        if not line:
            if source.isatty():
                self.println()  # nobody pressed Enter, but the line with the prompt is over
            raise EOFError("the input has ended")
        return line.removesuffix("\n")

    def _write(self, text: str) -> None:
        target = sys.stdout if self._target is None else self._target
        if target is not None:  # else the process was started without, and nobody looks
            target.write(text)
            target.flush()


def visible(text: str) -> str:
    """The text on one line, with escapes for what a terminal would obey instead of showing it."""
    return "".join(each if _is_shown(each) else each.encode("unicode_escape").decode() for each in text)


def explain(error: Exception) -> str:
    """What went wrong: our own errors in their words, others, whose words may say little, with what they are called."""
    return str(error) if isinstance(error, TablemenError) else f"{type(error).__name__}: {error}"


def _is_shown(character: str) -> bool:
    return character.isprintable() or unicodedata.category(character) == "Zs"  # blanks of any width


def check_line(text: object) -> str:
    """The text; raises `ArgumentError` where it is not part of one line."""
    if not isinstance(text, str) or "\n" in text:
        raise ArgumentError("text", text, "a text without a newline")
    return text


def _read_number(answer: str) -> int | None:
    """The number that is written so, or nothing."""
    try:
        return int(answer) if INTEGER.fullmatch(answer) else None
    except ValueError:  # more digits than Python is ready to convert
        return None
