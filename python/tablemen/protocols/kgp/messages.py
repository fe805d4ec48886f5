"""Messages of the Kalah Game Protocol: parse and format lines and boards, and solve the problems of mode `verify`."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from random import Random
from typing import Any, TypeAlias

from tablemen.errors import ArgumentError, NotationError
from tablemen.family import get_family
from tablemen.mancala import KALAH, NORTH, SOUTH, VARIANTS, MancalaRules, Position
from tablemen.mancala.rules import MAX_HOUSES, MAX_SEEDS
from tablemen.protocols.transport import Framing

MAX_LENGTH = 16_384  # characters of a line, by the specification
FRAMING = Framing(b"\n", MAX_LENGTH, end=b"\r\n")
MAX_ARGUMENTS = 16  # known commands have at most three
_MAX_DIGITS = 18  # digits of an integer
_MAX_REAL_DIGITS = 400  # enough for any float without an exponent
_MAX_SEED_DIGITS = len(str(MAX_SEEDS))

_HEAD = re.compile(
    r"[ \t]*(?:(?P<id>[0-9]*)(?:@(?P<ref>[0-9]+))?[ \t]+)?(?P<command>[0-9]*[A-Za-z][0-9A-Za-z]*)(?=[ \t]|\Z)", re.ASCII
)
_INTEGER = re.compile(r"[+-]?[0-9]+", re.ASCII)
_REAL = re.compile(r"[+-]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][+-]?[0-9]{1,3})?", re.ASCII)
_WORD = re.compile(r"[0-9A-Za-z:_./+@-]+", re.ASCII)  # the specification allows only - and : besides letters and digits
_BARE = re.compile(r"[^ \t]+")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_BLANKS = re.compile(r"[ \t]*")
_SEEDS = re.compile(r"[ \t]*(0*)([0-9]+)[ \t]*", re.ASCII)

_ESCAPES = {
    "n": "\n",
    "r": "\r",
    "t": "\t",
}  # as known servers parse them; any other escaped character stands for itself
_ESCAPED = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}
_FLAGS = {"true": True, "t": True, "yes": True, "false": False, "f": False, "no": False}


@dataclass(frozen=True, slots=True)
class KgpBoard:
    """The seeds of both sides, with the houses of each side in sowing order. South is always to move.

    >>> print(KgpBoard(10, 2, (1, 2, 3), (4, 2, 0)))
    <3,10,2,1,2,3,4,2,0>
    """

    south_store: int
    north_store: int
    south: tuple[int, ...]
    north: tuple[int, ...]

    @staticmethod
    def from_position(position: Position) -> KgpBoard:
        """Return the board of a position, rotated so that the side to move is South."""
        mover, other = position.turn, position.turn.opponent
        stores = position.stores
        return KgpBoard(stores[mover], stores[other], position.houses(mover), position.houses(other))

    @property
    def houses(self) -> int:
        """The number of houses of a side."""
        return len(self.south)

    @property
    def seeds(self) -> int:
        """The number of all seeds, including the stores."""
        return self.south_store + self.north_store + sum(self.south) + sum(self.north)

    def position(self, rules: MancalaRules) -> Position:
        """Return the position with South to move, under the rules with the number of houses of this board.

        Raises `InvalidPositionError` if the rules do not allow the board.
        """
        sized = rules if rules.houses == self.houses else replace(rules, houses=self.houses)
        stores = {SOUTH: self.south_store, NORTH: self.north_store}
        return Position(sized, SOUTH, houses={SOUTH: self.south, NORTH: self.north}, stores=stores)

    def playable_position(self) -> Position | None:
        """Return the position with South to move, or None if South cannot move under any rules.

        The rules are those of `kgp`, or of another variant if the game is over under the rules of `kgp`.
        """
        for name in ("kgp", "open_spiel", "kalah"):
            position = self.position(VARIANTS[name])
            if position.outcome() is None:
                return position
        return None

    def swept(self) -> KgpBoard:
        """Return the board with all seeds moved into their owners' stores."""
        empty = (0,) * self.houses
        return KgpBoard(self.south_store + sum(self.south), self.north_store + sum(self.north), empty, empty)

    def __str__(self) -> str:
        numbers = (self.houses, self.south_store, self.north_store, *self.south, *self.north)
        return f"<{','.join(map(str, numbers))}>"


def parse_board(text: str, start: int = 0) -> tuple[KgpBoard, int]:
    """Parse the board at an index of a text. Return the board and the index after it.

    >>> parse_board("state <1,0,0,2,2> ", 6)
    (KgpBoard(south_store=0, north_store=0, south=(2,), north=(2,)), 17)

    Raises `NotationError`.
    """
    end = text.find(">", start)
    if not text.startswith("<", start) or end < 0:
        raise NotationError("expected a board, <houses,store,store,seeds,…>", text, column=start + 1)
    numbers, at = [], start + 1
    for part in text[at:end].split(","):
        found = _SEEDS.fullmatch(part)
        if found is None or len(found[2]) > _MAX_SEED_DIGITS:
            raise NotationError("expected a number of seeds", text, column=at + 1)
        numbers.append(int(found[2]))
        at += len(part) + 1
        if len(numbers) > 3 + 2 * MAX_HOUSES:
            break
    houses, pits = numbers[0], numbers[1:]
    if not 1 <= houses <= MAX_HOUSES:
        raise NotationError(f"expected 1 to {MAX_HOUSES} houses a side, got {houses}", text, column=start + 2)
    if len(pits) != 2 + 2 * houses:
        raise NotationError(f"expected {2 + 2 * houses} pits after the number of houses", text, column=start + 2)
    if sum(pits) > MAX_SEEDS:
        raise NotationError(f"expected at most {MAX_SEEDS} seeds, got {sum(pits)}", text, column=start + 2)
    return KgpBoard(pits[0], pits[1], tuple(pits[2 : 2 + houses]), tuple(pits[2 + houses :])), end + 1


def explain_unsupported(position: Any) -> str | None:
    """Return why the protocol does not support a position, or None if it does."""
    rules = position.variant
    if not get_family(KALAH).owns(rules) or not rules.features.sows_store:  # the stores of Oware are not sown
        return "the Kalah Game Protocol supports only games of the Kalah family"
    if position.swap_open or rules.features.pie:
        return "the Kalah Game Protocol does not support swapping sides"
    return None


@dataclass(frozen=True, slots=True)
class Word:
    """A text without quotes, such as the name of a mode or an option."""

    text: str

    def __str__(self) -> str:
        return self.text


Argument: TypeAlias = "int | float | str | Word | KgpBoard"


@dataclass(frozen=True, slots=True)
class KgpMessage:
    """A command with its arguments; `id` is the number of the message, `ref` the number of the message that it answers.

    >>> print(KgpMessage("move", (3,), ref=4))
    @4 move 3
    >>> print(KgpMessage("set", (Word("info:name"), "Ann")))
    set info:name "Ann"
    """

    command: str
    arguments: tuple[Argument, ...] = ()
    id: int | None = None
    ref: int | None = None

    @property
    def verb(self) -> str:
        """The command in lower case."""
        return self.command.lower()

    def argument(self, index: int) -> Argument | None:
        """Return an argument, or None if it is missing."""
        return self.arguments[index] if index < len(self.arguments) else None

    def text(self, index: int) -> str | None:
        """Return an argument if it is a string or a word."""
        argument = self.argument(index)
        return str(argument) if isinstance(argument, str | Word) else None

    def integer(self, index: int) -> int | None:
        """Return an argument if it is an integer."""
        argument = self.argument(index)
        return argument if isinstance(argument, int) else None

    def board(self, index: int) -> KgpBoard | None:
        """Return an argument if it is a board."""
        argument = self.argument(index)
        return argument if isinstance(argument, KgpBoard) else None

    def __str__(self) -> str:
        return format_message(self)


def parse_message(text: str) -> KgpMessage:
    r"""Parse a line without its line end. Spaces and tabs are allowed around all parts.

    >>> parse_message("6@4 stop")
    KgpMessage(command='stop', arguments=(), id=6, ref=4)
    >>> parse_message('set info:name "A \\"B\\" C"').arguments
    (Word(text='info:name'), 'A "B" C')

    Raises `NotationError`.
    """
    if len(text) > MAX_LENGTH:
        raise NotationError(f"the message is longer than {MAX_LENGTH:,} characters", text, column=MAX_LENGTH + 1)
    if (end := text.find("\n")) >= 0:
        raise NotationError("expected a single line", text, column=end + 1)
    head = _HEAD.match(text)
    if head is None:
        raise NotationError("expected [id][@ref] command arguments…", text)
    for name in ("id", "ref"):
        if len(head[name] or "") > _MAX_DIGITS:
            raise NotationError(f"{name} has more than {_MAX_DIGITS} digits", text, column=head.start(name) + 1)
    arguments: list[Argument] = []
    at = _skip_blanks(text, head.end())
    while at < len(text):
        if len(arguments) == MAX_ARGUMENTS:
            raise NotationError(f"the message has more than {MAX_ARGUMENTS} arguments", text, column=at + 1)
        argument, end = _parse_argument(text, at)
        arguments.append(argument)
        at = _skip_blanks(text, end)
        if at == end < len(text):
            raise NotationError("expected a blank between arguments", text, column=at + 1)
    number, reference = (int(head[name]) if head[name] else None for name in ("id", "ref"))
    return KgpMessage(head["command"], tuple(arguments), id=number, ref=reference)


def _skip_blanks(text: str, at: int) -> int:
    found = _BLANKS.match(text, at)
    assert found is not None
    return found.end()


def _parse_argument(text: str, at: int) -> tuple[Argument, int]:
    """Return the argument at an index, and the index after it."""
    if text[at] == "<":
        return parse_board(text, at)
    if text[at] == '"':
        found = _STRING.match(text, at)
        if found is None:
            raise NotationError("unclosed quote", text, column=at + 1)
        return re.sub(r"\\(.)", lambda each: _ESCAPES.get(each[1], each[1]), found[1], flags=re.DOTALL), found.end()
    bare = _BARE.match(text, at)
    assert bare is not None
    if _INTEGER.fullmatch(bare[0]):
        if len(bare[0]) > _MAX_DIGITS:
            raise NotationError(f"the number has more than {_MAX_DIGITS} digits", text, column=at + 1)
        return int(bare[0]), bare.end()
    if _REAL.fullmatch(bare[0]):
        value = float(bare[0]) if len(bare[0]) <= _MAX_REAL_DIGITS else math.inf
        if math.isinf(value):
            raise NotationError("the number is too large or has too many digits", text, column=at + 1)
        return value, bare.end()
    if _WORD.fullmatch(bare[0]):
        return Word(bare[0]), bare.end()
    raise NotationError("expected a number, a word, a string or a board", text, column=at + 1)


def parse_line(data: bytes, on_error: Callable[[str], object]) -> KgpMessage | None:
    """Parse a received line. Return None for an empty line, and for a malformed one after a call of `on_error`."""
    text = data.decode(errors="replace").strip()
    if not text:
        return None
    try:
        return parse_message(text)
    except NotationError as error:
        on_error(error.problem)
        return None


def format_message(message: KgpMessage) -> str:
    """Format a message as a line: the inverse of `parse_message`.

    >>> format_message(KgpMessage("eval", (0.5,), id=7, ref=4))
    '7@4 eval 0.5'

    Raises `ArgumentError` if the protocol cannot express the message.
    """
    if not re.fullmatch(r"[0-9]*[A-Za-z][0-9A-Za-z]*", message.command, re.ASCII):
        raise ArgumentError("command", message.command, "letters and digits with at least one letter")
    number = "" if message.id is None else _format_number("id", message.id)
    reference = "" if message.ref is None else f"@{_format_number('ref', message.ref)}"
    head = f"{number}{reference} " if number or reference else ""
    line = head + " ".join([message.command, *map(_format_argument, message.arguments)])
    if len(message.arguments) > MAX_ARGUMENTS or len(line.encode(errors="replace")) > MAX_LENGTH:
        raise ArgumentError("message", line, f"at most {MAX_ARGUMENTS} arguments and {MAX_LENGTH:,} bytes")
    return line


def _format_number(name: str, number: int) -> str:
    if not 0 <= number < 10**_MAX_DIGITS:
        raise ArgumentError(name, number, f"a non-negative whole number of at most {_MAX_DIGITS} digits")
    return str(number)


def _format_argument(argument: Argument) -> str:
    match argument:
        case KgpBoard():
            return str(argument)
        case Word(text):
            if not _WORD.fullmatch(text) or _INTEGER.fullmatch(text) or _REAL.fullmatch(text):
                raise ArgumentError("word", text, "letters, digits and :_./+@- that do not form a number")
            return text
        case str():
            try:
                argument.encode()
            except UnicodeEncodeError as error:
                raise ArgumentError("argument", argument, "a text without surrogates") from error
            return '"' + "".join(_ESCAPED.get(each, each) for each in argument) + '"'
        case float():
            if not math.isfinite(argument):
                raise ArgumentError("argument", argument, "a finite number")
            digits = f"{Decimal(repr(argument)):f}"  # all digits, without an exponent
            return digits if "." in digits else f"{digits}.0"
        case int():
            if abs(argument) >= 10 ** (_MAX_DIGITS - 1):
                raise ArgumentError("argument", argument, f"a number of fewer than {_MAX_DIGITS} digits")
            return str(int(argument))


@dataclass(frozen=True, slots=True)
class ProblemSolution:
    """The board after South's move, and whether South moves again."""

    board: KgpBoard
    repeats: bool


def solve_problem(board: KgpBoard, house: int) -> ProblemSolution | None:
    """Return the result if South plays a house (counted from 1), or None if the house cannot be played.

    >>> print(solve_problem(KgpBoard(0, 0, (3, 3, 3), (3, 3, 3)), 1).board)
    <3,1,0,0,4,4,3,3,3>

    If the move ends the game, the remaining seeds are moved into the stores.
    """
    return next(iter(accepted_solutions(board, house)), None)


def accepted_solutions(board: KgpBoard, house: int) -> tuple[ProblemSolution, ...]:
    """Return all accepted answers to a problem, the preferred one first.

    If the move ends the game, the remaining seeds may also stay in the houses, and the repeat flag may be false.
    """
    if not 1 <= house <= board.houses or not board.south[house - 1]:
        return ()
    before = board.position(
        KALAH
    )  # South may play any house under these rules, even if the game is over under those of `kgp`
    move = next(each for each in before.legal_moves() if each.house == house)
    after = before.play(move)
    sown = KgpBoard(after.stores[SOUTH], after.stores[NORTH], after.houses(SOUTH), after.houses(NORTH))
    has_majority = 2 * max(sown.south_store, sown.north_store) > sown.seeds
    if any(sown.south) and any(sown.north) and not has_majority:
        return (ProblemSolution(sown, move.extra_turn),)
    flags = sorted({move.extra_turn, False}, reverse=True)
    return tuple(ProblemSolution(each, flag) for each in (sown.swept(), sown) for flag in flags)


def parse_flag(argument: Argument | None) -> bool | None:
    """Parse the repeat flag of a solution; return None if the argument is not a flag.

    The specification uses integers; a known server uses `true` and `false`.
    """
    if isinstance(argument, int):
        return bool(argument)
    return _FLAGS.get(str(argument).casefold()) if isinstance(argument, str | Word) else None


def make_problem(random: Random) -> tuple[KgpBoard, int]:
    """Return a random board and a house that South can play, as well as the next one, for clients that count from 0."""
    size = random.randint(3, 10)
    south = [random.randrange(2 * size) for _ in range(size)]
    north = [random.randrange(2 * size) for _ in range(size)]
    house = random.randrange(1, size)
    for at in (house - 1, house):
        south[at] = south[at] or 1
    stores = random.randrange(4 * size), random.randrange(4 * size)
    return KgpBoard(*stores, tuple(south), tuple(north)), house
