"""The messages of the Kalah Game Protocol as text: a command with its arguments, numbered and referring to others."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from tablemen.errors import ArgumentError, NotationError
from tablemen.protocols.kgp.board import Board, parse_board

LONGEST = 16_384  # characters of a message, by the specification
MOST_ARGUMENTS = 16  # three are the most that any command has
_DIGITS = 18  # of a whole number
_REAL_DIGITS = 400  # of a real number: those of any float, written without an exponent

_HEAD = re.compile(
    r"[ \t]*(?:(?P<id>[0-9]*)(?:@(?P<ref>[0-9]+))?[ \t]+)?(?P<command>[0-9]*[A-Za-z][0-9A-Za-z]*)(?=[ \t]|\Z)", re.ASCII
)
_INTEGER = re.compile(r"[+-]?[0-9]+", re.ASCII)
_REAL = re.compile(r"[+-]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][+-]?[0-9]{1,3})?", re.ASCII)
_WORD = re.compile(r"[0-9A-Za-z:_./+@-]+", re.ASCII)  # the specification has - and : alone
_BARE = re.compile(r"[^ \t]+")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_BLANKS = re.compile(r"[ \t]*")

_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}  # known servers read them so; anything else means itself
_ESCAPED = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}


@dataclass(frozen=True, slots=True)
class Word:
    """A text that stands without quotes: the name of a mode or of an option."""

    text: str

    def __str__(self) -> str:
        return self.text


Argument: TypeAlias = "int | float | str | Word | Board"


@dataclass(frozen=True, slots=True)
class Message:
    """A command; `id` numbers it, and `ref` is the number of the one that it answers.

    >>> print(Message("move", (3,), ref=4))
    @4 move 3
    >>> print(Message("set", (Word("info:name"), "Ann")))
    set info:name "Ann"
    """

    command: str
    arguments: tuple[Argument, ...] = ()
    id: int | None = None
    ref: int | None = None

    @property
    def verb(self) -> str:
        """The command, however it is spelt."""
        return self.command.lower()

    def text(self, at: int) -> str | None:
        """The argument there as a text, whether it stood in quotes or not; None where there is none."""
        given = self.arguments[at] if at < len(self.arguments) else None
        return given if isinstance(given, str) else given.text if isinstance(given, Word) else None

    def whole(self, at: int) -> int | None:
        """The argument there, if it is a whole number."""
        given = self.arguments[at] if at < len(self.arguments) else None
        return given if isinstance(given, int) else None

    def board(self, at: int) -> Board | None:
        """The argument there, if it is a board."""
        given = self.arguments[at] if at < len(self.arguments) else None
        return given if isinstance(given, Board) else None

    def __str__(self) -> str:
        return format_message(self)


def parse_message(text: str) -> Message:
    r"""The message that a line is, without what ends it.

    >>> parse_message("6@4 stop")
    Message(command='stop', arguments=(), id=6, ref=4)
    >>> parse_message('set info:name "A \\"B\\" C"').arguments
    (Word(text='info:name'), 'A "B" C')

    Blanks may stand around everything. Raises `NotationError`.
    """
    if len(text) > LONGEST:
        raise NotationError(f"a message has at most {LONGEST:,} characters", text, column=LONGEST + 1)
    if (end := text.find("\n")) >= 0:
        raise NotationError("a message is one line", text, column=end + 1)
    head = _HEAD.match(text)
    if head is None:
        raise NotationError("a message is [id][@ref] command arguments…", text)
    for name in ("id", "ref"):
        if len(head[name] or "") > _DIGITS:
            raise NotationError("the number of a message is too long", text, column=head.start(name) + 1)
    arguments: list[Argument] = []
    at = _skip(text, head.end())
    while at < len(text):
        if len(arguments) == MOST_ARGUMENTS:
            raise NotationError(f"a message has at most {MOST_ARGUMENTS} arguments", text, column=at + 1)
        argument, end = _read(text, at)
        arguments.append(argument)
        at = _skip(text, end)
        if at == end < len(text):
            raise NotationError("a blank is expected between arguments", text, column=at + 1)
    number, reference = head["id"], head["ref"]
    return Message(
        head["command"],
        tuple(arguments),
        id=int(number) if number else None,
        ref=int(reference) if reference else None,
    )


def _skip(text: str, at: int) -> int:
    found = _BLANKS.match(text, at)
    assert found is not None
    return found.end()


def _read(text: str, at: int) -> tuple[Argument, int]:
    """The argument that begins there, and the place behind it."""
    if text[at] == "<":
        return parse_board(text, at)
    if text[at] == '"':
        found = _STRING.match(text, at)
        if found is None:
            raise NotationError("a quote is open", text, column=at + 1)
        return re.sub(r"\\(.)", lambda each: _ESCAPES.get(each[1], each[1]), found[1], flags=re.DOTALL), found.end()
    bare = _BARE.match(text, at)
    assert bare is not None
    if _INTEGER.fullmatch(bare[0]):
        if len(bare[0]) > _DIGITS:
            raise NotationError("the number has too many digits", text, column=at + 1)
        return int(bare[0]), bare.end()
    if _REAL.fullmatch(bare[0]):
        value = float(bare[0]) if len(bare[0]) <= _REAL_DIGITS else math.inf
        if math.isinf(value):
            raise NotationError("the number is too large, or has too many digits", text, column=at + 1)
        return value, bare.end()
    if _WORD.fullmatch(bare[0]):
        return Word(bare[0]), bare.end()
    raise NotationError("this is neither a number, a word, a string nor a board", text, column=at + 1)


def read_message(data: bytes, on_problem: Callable[[str], object]) -> Message | None:
    """The message of a line as it came; None where it is empty, or `on_problem` was told why it cannot be read."""
    text = data.decode(errors="replace").strip()
    if not text:
        return None
    try:
        return parse_message(text)
    except NotationError as error:
        on_problem(error.problem)
        return None


def format_message(message: Message) -> str:
    """The line that says a message, its twin.

    >>> format_message(Message("eval", (0.5,), id=7, ref=4))
    '7@4 eval 0.5'

    Raises `ArgumentError` where no line can say it.
    """
    if not re.fullmatch(r"[0-9]*[A-Za-z][0-9A-Za-z]*", message.command, re.ASCII):
        raise ArgumentError("command", message.command, "letters and digits, and not digits alone,")
    number = "" if message.id is None else _format_number("id", message.id)
    reference = "" if message.ref is None else f"@{_format_number('ref', message.ref)}"
    head = f"{number}{reference} " if number or reference else ""
    line = head + " ".join([message.command, *map(_format, message.arguments)])
    if len(message.arguments) > MOST_ARGUMENTS or len(line.encode(errors="replace")) > LONGEST:
        raise ArgumentError("message", line, f"one of at most {MOST_ARGUMENTS} arguments and {LONGEST:,} bytes")
    return line


def _format_number(name: str, number: int) -> str:
    if not 0 <= number < 10**_DIGITS:
        raise ArgumentError(name, number, f"a number from 0 up, of at most {_DIGITS} digits,")
    return str(number)


def _format(argument: Argument) -> str:
    match argument:
        case Board():
            return str(argument)
        case Word(text):
            if not _WORD.fullmatch(text) or _INTEGER.fullmatch(text) or _REAL.fullmatch(text):
                raise ArgumentError("word", text, "letters, digits, - and :, and no number,")
            return text
        case str():
            return _format_string(argument)
        case float():
            return _format_real(argument)
        case int():
            if abs(argument) >= 10 ** (_DIGITS - 1):
                raise ArgumentError("argument", argument, f"a number of fewer than {_DIGITS} digits")
            return str(int(argument))


def _format_string(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ArgumentError("argument", text, "a text of real characters") from error
    return '"' + "".join(_ESCAPED.get(each, each) for each in text) + '"'


def _format_real(number: float) -> str:
    if not math.isfinite(number):
        raise ArgumentError("argument", number, "a finite number")
    digits = f"{Decimal(repr(number)):f}"  # without an exponent, and to the last digit
    return digits if "." in digits else f"{digits}.0"
