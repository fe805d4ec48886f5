"""Lines of Hub as values: a command, and its arguments in their order."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tablemen.errors import ArgumentError, NotationError

_NAME = r'[^\s\x00-\x1f\x7f="]+'  # no blanks, no controls, and neither of the two signs
_PLAIN = re.compile(_NAME)
_BLANKS = re.compile(r"\s*")
_EQUALS = re.compile(r"\s*=\s*")
_QUOTED = re.compile(r'"([^"]*)"')


@dataclass(frozen=True, slots=True)
class Message:
    """A command with its arguments. An argument without a value is a flag, and has None.

    >>> message = parse_message('go think')
    >>> message
    Message(command='go', arguments=(('think', None),))
    >>> print(Message("done", (("move", "32-28"), ("ponder", "17-22"))))
    done move=32-28 ponder=17-22
    """

    command: str
    arguments: tuple[tuple[str, str | None], ...] = ()

    def get(self, name: str) -> str | None:
        """The value of an argument, the last where it is given twice; None for a flag, and where there is none."""
        return next((value for each, value in reversed(self.arguments) if each == name), None)

    def has(self, name: str) -> bool:
        """Whether there is such an argument, be it a flag or one with a value."""
        return any(each == name for each, _ in self.arguments)

    def __str__(self) -> str:
        return format_message(self)


def message(command: str, *flags: str, **values: object) -> Message:
    """A message with flags and values; those that are None are left out, and a name has - for each _.

    >>> print(message("level", move_time=0.5, depth=None))
    level move-time=0.5
    """
    told = tuple((name.replace("_", "-"), str(value)) for name, value in values.items() if value is not None)
    return Message(command, (*((flag, None) for flag in flags), *told))


def parse_message(text: str) -> Message:
    r"""The message that a line is, whatever it says.

    >>> parse_message('info score = -0.01  pv="32-28 17-22"').arguments
    (('score', '-0.01'), ('pv', '32-28 17-22'))

    Raises `NotationError` where it has no command, or a sign stands where none can.
    """
    at = _skip(_BLANKS, text, 0)
    if at == len(text):
        raise NotationError("a command is missing", text, column=at + 1)
    command, at = _read_name(text, at, "a command")
    arguments: list[tuple[str, str | None]] = []
    while (at := _skip(_BLANKS, text, at)) < len(text):
        name, at = _read_name(text, at, "the name of an argument")
        value: str | None = None
        if equals := _EQUALS.match(text, at):
            value, at = _read_value(text, equals.end())
        arguments.append((name, value))
    return Message(command, tuple(arguments))


def _skip(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return at if found is None else found.end()


def _read_name(text: str, at: int, expected: str) -> tuple[str, int]:
    found = _PLAIN.match(text, at)
    if found is None:
        shown = repr(text[at]) if at < len(text) else "the end of the line"
        raise NotationError(f"{expected} is expected here, not {shown}", text, column=at + 1)
    return found[0], found.end()


def _read_value(text: str, at: int) -> tuple[str, int]:
    if not text.startswith('"', at):
        return _read_name(text, at, "a value")
    found = _QUOTED.match(text, at)
    if found is None:
        raise NotationError("a quote is not closed", text, column=at + 1)
    return found[1], found.end()


def format_message(message: Message) -> str:
    """The line that says the message.

    >>> format_message(Message("error", (("message", "bad position"),)))
    'error message="bad position"'

    Raises `ArgumentError` where Hub cannot write it: names have no blanks, and nothing has a quote or a new line in it.
    """
    words = [_checked_name("command", message.command)]
    for name, value in message.arguments:
        written = _checked_name("argument", name)
        words.append(written if value is None else f"{written}={_quote(name, value)}")
    return " ".join(words)


def _checked_name(kind: str, name: str) -> str:
    if not _PLAIN.fullmatch(name) or not _is_encodable(name):
        raise ArgumentError(kind, name, "a name without blanks, controls, = and quotes,")
    return name


def _quote(name: str, value: str) -> str:
    if '"' in value or "\n" in value or not _is_encodable(value):
        raise ArgumentError(name, value, "a text of one line without quotes")
    return value if _PLAIN.fullmatch(value) else f'"{value}"'


def _is_encodable(text: str) -> bool:
    """Whether it is made of characters: half of a pair is none."""
    return not any("\ud800" <= each <= "\udfff" for each in text)
