"""Input and output of console programs.

A program that takes an `IO` can be used by a person, or checked against a specification by `tablemen.transcript`.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from typing import Protocol, TextIO

from tablemen.errors import ArgumentError, TablemenError

__all__ = ["IO", "StandardIO"]

INTEGER = re.compile(r"[+-]?\d+")  # \d is any decimal digit of Unicode
MAX_INTEGER = 2**31 - 1


class IO(Protocol):
    """A keyboard and a screen. Subclasses inherit `read_integer`, which uses the other three methods."""

    def print(self, text: str) -> None:
        """Write to the current line. Raises `ArgumentError` if the text contains a newline."""
        ...

    def println(self, text: str = "") -> None:
        """Write and end the line. Raises `ArgumentError` if the text contains a newline."""
        ...

    def read_from_keyboard(self, prompt: str) -> str:
        """Print the prompt and return the next line of the input without its newline. Raises `EOFError` at the end."""
        ...

    def read_integer(self, prompt: str, lower: int, upper: int, cancel_result: int, cancel_text: str) -> int:
        """Return the first number from `lower` to `upper` that is typed, or `cancel_result` after `cancel_text`.

        Print a message and repeat the prompt after any other answer. A number is an integer of 32 bits in decimal
        digits of any script, with an optional sign, and without blanks. The end of the input counts as the cancel text.
        """
        while True:
            try:
                answer = self.read_from_keyboard(prompt)
            except EOFError:
                return cancel_result
            if answer == cancel_text:
                return cancel_result
            number = _parse_integer(answer)
            if number is None:
                self.println(f"%%Message: `{answer}' is not a valid response.")
                self.println(f"Input must be an integer between '{lower}' and '{upper}'")
            elif lower <= number <= upper:
                return number
            else:
                self.println(f"%%Message: `{answer}' must be between {lower} and {upper}, or '{cancel_text}' to cancel")


class StandardIO(IO):
    r"""Standard input and output, or a given pair of streams.

    Input is not echoed: if it comes from a file or a pipe, the output after a prompt continues the line of the prompt.

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
        """Write to the current line and flush."""
        self._write(_check_line(text))

    def println(self, text: str = "") -> None:
        """Write, end the line and flush."""
        self._write(_check_line(text) + "\n")

    def read_from_keyboard(self, prompt: str) -> str:
        """Print the prompt and return the next line of the input. Raises `EOFError` at its end."""
        self.print(prompt)
        source = sys.stdin if self._source is None else self._source
        if source is None:  # the process has no standard input
            raise EOFError("no standard input")
        try:
            line = source.readline()
        except UnicodeDecodeError as error:
            raise TablemenError(f"the input is not valid text: {error}") from error
        if not line:
            if source.isatty():
                self.println()  # end the line of the prompt, since no newline was typed
            raise EOFError("end of input")
        return line.removesuffix("\n")

    def _write(self, text: str) -> None:
        target = sys.stdout if self._target is None else self._target
        if target is not None:  # None if the process has no standard output
            target.write(text)
            target.flush()


def escape_controls(text: str) -> str:
    """Escape newlines and other control characters, so that a terminal does not interpret them."""
    return "".join(each if _is_shown(each) else each.encode("unicode_escape").decode() for each in text)


def format_error(error: Exception) -> str:
    """Return the message of an error, with the name of its type unless it is a `TablemenError`."""
    return str(error) if isinstance(error, TablemenError) else f"{type(error).__name__}: {error}"


def _is_shown(character: str) -> bool:
    return character.isprintable() or unicodedata.category(character) == "Zs"  # spaces


def _check_line(text: object) -> str:
    """Return the text unchanged. Raises `ArgumentError` if it is not a text without newlines."""
    if not isinstance(text, str) or "\n" in text:
        raise ArgumentError("text", text, "a text without a newline")
    return text


def _parse_integer(answer: str) -> int | None:
    """Parse a decimal integer of 32 bits; return None if the text is not one."""
    try:
        number = int(answer) if INTEGER.fullmatch(answer) else None
    except ValueError:  # too many digits: see sys.set_int_max_str_digits
        return None
    return number if number is not None and -MAX_INTEGER - 1 <= number <= MAX_INTEGER else None
