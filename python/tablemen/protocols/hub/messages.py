"""Messages of Hub: parse and format lines, options, limits and search results."""

from __future__ import annotations

import enum
import math
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tablemen._core import Move, Position
from tablemen.draughts.notation import format_hub_move, parse_hub_move
from tablemen.draughts.rules import DraughtsRules
from tablemen.draughts.variants import VARIANTS
from tablemen.errors import ArgumentError, NotationError, TablemenError
from tablemen.family import get_family
from tablemen.protocols.transport import Framing
from tablemen.search import Clock, Info, Limit, Score
from tablemen.validation import is_number

FRAMING = Framing(b"\n", 1 << 16)  # a game of a thousand moves needs about ten thousand bytes

MAX_DEPTH = 1000  # more than any search reaches
MAX_NODES = 10**18
MAX_SECONDS = 1e9
MIN_SECONDS = 0.001
MAX_LINE_MOVES = 60  # moves of a principal variation that are parsed; checking more takes too long
WIN_MEN = 100.0  # the score of an immediate win
PLY_MEN = 0.01  # subtracted for each ply until the win
MIN_WIN_MEN = 99.0

VARIANT = "variant"  # the name of the option for the variant
NORMAL = "normal"
_VARIANT_NAMES = {
    NORMAL: "international",
    "killer": "killer",
    "bt": "breakthrough",
    "frisian": "frisian",
    "losing": "antidraughts",
}

HUB_VARIANTS: dict[str, DraughtsRules] = {hub: VARIANTS[name] for hub, name in _VARIANT_NAMES.items()} | {
    name: rules for name, rules in VARIANTS.items() if name not in _VARIANT_NAMES.values()
}  # the five variants of Hub by its names; as an extension, our other variants by our names

_NAME = re.compile(r'[^\s\x00-\x1f\x7f="]+')  # no blanks, control characters, = or quotes
_BLANKS = re.compile(r"\s*")
_EQUALS = re.compile(r"\s*=\s*")
_QUOTED = re.compile(r'"([^"]*)"')
_INT = re.compile(r"[+-]?[0-9]{1,20}", re.ASCII)
_REAL = re.compile(r"[+-]?(?:[0-9]{1,20}(?:\.[0-9]{0,20})?|\.[0-9]{1,20})(?:[eE][+-]?[0-9]{1,3})?", re.ASCII)
_HUGE = re.compile(r"[+-]?(?:inf|infinity|[0-9]{21,}(?:\.[0-9]*)?)", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class HubMessage:
    """A command with its arguments in order. The value of a flag, an argument without a value, is None.

    >>> message = parse_message('go think')
    >>> message
    HubMessage(command='go', arguments=(('think', None),))
    >>> print(HubMessage("done", (("move", "32-28"), ("ponder", "17-22"))))
    done move=32-28 ponder=17-22
    """

    command: str
    arguments: tuple[tuple[str, str | None], ...] = ()

    def get(self, name: str) -> str | None:
        """Return the value of an argument, the last if it is repeated; None for a flag or a missing argument."""
        return next((value for each, value in reversed(self.arguments) if each == name), None)

    def has(self, name: str) -> bool:
        """Return whether the message has this argument, with or without a value."""
        return any(each == name for each, _ in self.arguments)

    def __str__(self) -> str:
        return format_message(self)


def build_message(command: str, *flags: str, **values: object) -> HubMessage:
    """Return a message with flags and values. Values that are None are omitted; _ in a name becomes -.

    >>> print(build_message("level", move_time=0.5, depth=None))
    level move-time=0.5
    """
    given = tuple((name.replace("_", "-"), str(value)) for name, value in values.items() if value is not None)
    return HubMessage(command, (*((flag, None) for flag in flags), *given))


def parse_message(text: str) -> HubMessage:
    r"""Parse a line.

    >>> parse_message('info score = -0.01  pv="32-28 17-22"').arguments
    (('score', '-0.01'), ('pv', '32-28 17-22'))

    Raises `NotationError` if the command is missing or the syntax is invalid.
    """
    at = _skip_blanks(text, 0)
    if at == len(text):
        raise NotationError("missing command", text, column=at + 1)
    command, at = _parse_name(text, at, "a command")
    arguments: list[tuple[str, str | None]] = []
    while (at := _skip_blanks(text, at)) < len(text):
        name, at = _parse_name(text, at, "an argument name")
        value: str | None = None
        if equals := _EQUALS.match(text, at):
            value, at = _parse_value(text, equals.end())
        arguments.append((name, value))
    return HubMessage(command, tuple(arguments))


def _skip_blanks(text: str, at: int) -> int:
    found = _BLANKS.match(text, at)
    return at if found is None else found.end()


def _parse_name(text: str, at: int, expected: str) -> tuple[str, int]:
    found = _NAME.match(text, at)
    if found is None:
        shown = repr(text[at]) if at < len(text) else "the end of the line"
        raise NotationError(f"expected {expected}, got {shown}", text, column=at + 1)
    return found[0], found.end()


def _parse_value(text: str, at: int) -> tuple[str, int]:
    if not text.startswith('"', at):
        return _parse_name(text, at, "a value")
    found = _QUOTED.match(text, at)
    if found is None:
        raise NotationError("unclosed quote", text, column=at + 1)
    return found[1], found.end()


def format_message(message: HubMessage) -> str:
    """Format a message as a line.

    >>> format_message(HubMessage("error", (("message", "bad position"),)))
    'error message="bad position"'

    Raises `ArgumentError` if Hub cannot express it: a name contains a blank, or any text a quote or a line break.
    """
    words = [_check_name("command", message.command)]
    for name, value in message.arguments:
        written = _check_name("argument", name)
        words.append(written if value is None else f"{written}={_quote(name, value)}")
    return " ".join(words)


def _check_name(kind: str, name: str) -> str:
    if not _NAME.fullmatch(name) or not _is_encodable(name):
        raise ArgumentError(kind, name, "a name without blanks, control characters, = and quotes")
    return name


def _quote(name: str, value: str) -> str:
    if '"' in value or "\n" in value or not _is_encodable(value):
        raise ArgumentError(name, value, "a text of one line without quotes")
    return value if _NAME.fullmatch(value) else f'"{value}"'


def _is_encodable(text: str) -> bool:
    return not any("\ud800" <= each <= "\udfff" for each in text)  # UTF-8 cannot encode surrogates


def parse_int(text: str | None) -> int | None:
    """Parse an integer of at most 20 digits; return None for any other text.

    >>> parse_int("-3"), parse_int("3.5"), parse_int("9" * 100)
    (-3, None, None)
    """
    return int(text) if text is not None and _INT.fullmatch(text) else None


def parse_real(text: str | None) -> float | None:
    """Parse a finite number; return None for any other text.

    >>> parse_real("-0.01"), parse_real("8"), parse_real("nan"), parse_real("1e999")
    (-0.01, 8.0, None, None)
    """
    number = float(text) if text is not None and _REAL.fullmatch(text) else None
    return number if number is not None and math.isfinite(number) else None


def format_real(value: float, digits: int) -> str:
    """Format a number with at most `digits` decimal places, without trailing zeros."""
    return f"{value:.{digits}f}".rstrip("0").rstrip(".")


def format_seconds(seconds: float) -> str:
    """Format a time without an exponent, at least a millisecond.

    >>> format_seconds(291.587), format_seconds(1.0), format_seconds(0)
    ('291.587', '1', '0.001')
    """
    return format_real(min(max(seconds, MIN_SECONDS), MAX_SECONDS), 3)


def get_hub_name(rules: Any) -> str:
    """Return the name of a variant in Hub.

    >>> get_hub_name(VARIANTS["antidraughts"]), get_hub_name(VARIANTS["english"])
    ('losing', 'english')

    Raises `TablemenError` for custom rules and for other games than draughts.
    """
    for name, known in HUB_VARIANTS.items():
        if known == rules:
            return name
    if get_family(rules).owns(HUB_VARIANTS[NORMAL]):
        raise TablemenError(f"Hub has no name for custom rules such as {rules.name}")
    raise TablemenError(f"Hub is for draughts, and {rules} is another game")


class OptionType(enum.StrEnum):
    """The type of the values of an option."""

    BOOL = "bool"
    INT = "int"
    REAL = "real"
    STRING = "string"
    ENUM = "enum"


@dataclass(frozen=True, slots=True)
class Option:
    """An option of an engine with its value: a bool, a number from `minimum` to `maximum`, a text, or one of `values`.

    >>> threads = Option("threads", OptionType.INT, 1, minimum=1, maximum=16)
    >>> print(format_option(threads))
    param name=threads value=1 type=int min=1 max=16
    >>> threads.parse("64")
    Traceback (most recent call last):
    tablemen.errors.ArgumentError: threads: expected a whole number from 1 to 16, got '64'
    """

    name: str
    type: OptionType
    value: Any
    minimum: float | None = None
    maximum: float | None = None
    values: tuple[str, ...] = ()

    @property
    def is_numeric(self) -> bool:
        """Whether the values are numbers."""
        return self.type in {OptionType.INT, OptionType.REAL}

    @property
    def expected(self) -> str:
        """A description of the allowed values."""
        if self.type is OptionType.BOOL:
            return "true or false"
        if self.type is OptionType.ENUM:
            return f"one of {', '.join(self.values)}"
        if self.type is OptionType.STRING:
            return "a text"
        kind = "a whole number" if self.type is OptionType.INT else "a number"
        if self.minimum is None and self.maximum is None:
            return kind
        if self.minimum is None or self.maximum is None:
            return f"{kind} of at most {self.maximum}" if self.minimum is None else f"{kind} of at least {self.minimum}"
        return f"{kind} from {self.minimum} to {self.maximum}"

    def parse(self, text: str) -> Any:
        """Parse a value. Raises `ArgumentError` if it is not allowed."""
        value = _parse_typed(self.type, text)
        if value is None or not self._is_allowed(value):
            raise ArgumentError(self.name, text, self.expected)
        return value

    def format(self, value: Any) -> str:
        """Format a value, given with its type or as text. Raises `ArgumentError` if it is not allowed."""
        if isinstance(value, str):
            return _format_value(self.parse(value))
        if self.type is OptionType.BOOL:
            is_typed = isinstance(value, bool)
        else:
            is_real = self.is_numeric and is_number(value, minimum=-sys.float_info.max)
            is_typed = is_real and (self.type is OptionType.REAL or isinstance(value, int))
        if not is_typed or not self._is_allowed(value):
            raise ArgumentError(self.name, value, self.expected)
        return _format_value(value)

    def _is_allowed(self, value: Any) -> bool:
        if self.type is OptionType.ENUM:
            return value in self.values
        if self.is_numeric:
            return (self.minimum is None or self.minimum <= value) and (self.maximum is None or value <= self.maximum)
        return True

    def with_value(self, value: Any) -> Option:
        """Return a copy of the option with another value, given with its type or as text."""
        return replace(self, value=_parse_typed(self.type, self.format(value)))


def parse_option(message: HubMessage) -> Option:
    """Return the option that an engine declares with `param`.

    An option of an unknown type becomes a text, and so does an option whose number is too large. A bound that is too
    large is ignored. The declared value may be out of bounds. Raises `NotationError` if the name is missing or a number
    is invalid.
    """
    name = message.get("name")
    if not name:
        raise NotationError("missing option name", str(message))
    declared = message.get("type") or ""
    kind = OptionType(declared) if declared in set(OptionType) else OptionType.STRING
    option = Option(name, kind, None, values=tuple((message.get("values") or "").split()))
    if option.is_numeric:
        option = replace(option, minimum=_parse_bound(message, "min"), maximum=_parse_bound(message, "max"))
    text = message.get("value") or ""
    value = _parse_typed(kind, text)
    if value is None and option.is_numeric and _HUGE.fullmatch(text.strip()):
        return Option(name, OptionType.STRING, text)
    if value is None:
        raise NotationError(f"{name}: expected {option.expected}, got {text!r}", str(message))
    return replace(option, value=value)


def _parse_bound(message: HubMessage, name: str) -> float | None:
    text = message.get(name)
    if text is None or _HUGE.fullmatch(text.strip()):
        return None
    whole = parse_int(text)
    number = parse_real(text) if whole is None else whole
    if number is None:
        raise NotationError(f"{name}: expected a number, got {text!r}", str(message))
    return number


def _parse_typed(kind: OptionType, text: str) -> Any:
    if kind is OptionType.BOOL:
        return {"true": True, "false": False}.get(text.strip().casefold())
    if kind is OptionType.INT:
        return parse_int(text.strip())
    if kind is OptionType.REAL:
        return parse_real(text.strip())
    return text


def _format_value(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def format_option(option: Option) -> HubMessage:
    """Return the `param` message that declares an option."""
    return build_message(
        "param",
        name=option.name,
        value=_format_value(option.value),
        type=option.type.value,
        min=option.minimum,
        max=option.maximum,
        values=" ".join(option.values) if option.type is OptionType.ENUM else None,
    )


def format_level(limit: Limit) -> HubMessage:
    """Return the `level` message for a limit; the time of the clock includes the increment for this move.

    >>> print(format_level(Limit(depth=8, time=0.5)), format_level(Limit(clock=Clock(60, 1))), sep="; ")
    level depth=8 move-time=0.5; level time=60 inc=1
    >>> print(format_level(Limit()))
    level infinite
    """
    if limit == Limit():
        return build_message("level", "infinite")
    clock = limit.clock
    return build_message(
        "level",
        depth=limit.depth,
        nodes=limit.nodes,
        move_time=None if limit.time is None else format_seconds(limit.time),
        moves=None if clock is None else clock.moves,
        time=None if clock is None else format_seconds(clock.left),
        inc=None if clock is None or not clock.increment else format_seconds(clock.increment),
    )


def parse_level(level: HubMessage, before: Limit = Limit()) -> Limit:  # noqa: B008 - the default is immutable
    """Return the limit of a `level` message, combined with `before`, the limit of earlier ones; `infinite` removes it.

    >>> parse_level(parse_message("level depth=6"), Limit(depth=4, time=1))
    Limit(depth=6, nodes=None, time=1, clock=None)

    A number that is too large is reduced, and a negative time of a clock counts as 0, since a board may report a clock
    that has run out. Raises `NotationError` if a number is invalid or the time of a clock is missing.
    """

    def number(name: str, minimum: int | None = None) -> float | None:
        text = level.get(name)
        parsed = parse_int(text) if name in {"moves", "depth", "nodes"} else parse_real(text)
        if level.has(name) and (parsed is None or (minimum is not None and parsed < minimum)):
            got = "no value" if text is None else repr(text)
            expected = "a number" if minimum is None else f"a number of at least {minimum}"
            raise NotationError(f"{name}: expected {expected}, got {got}", str(level))
        return parsed

    if level.has("infinite"):
        before = Limit()
    clock = before.clock
    if any(level.has(name) for name in ("time", "inc", "moves")):
        moves, left, increment = number("moves"), number("time"), number("inc")
        if left is None:
            raise NotationError("the clock has no time", str(level))
        clock = Clock(max(0.0, left), max(0.0, increment or 0.0), int(moves) if moves and moves >= 1 else None)
    depth, nodes, time = number("depth", 1), number("nodes", 1), number("move-time", 0)
    return Limit(
        depth=before.depth if depth is None else min(int(depth), MAX_DEPTH),
        nodes=before.nodes if nodes is None else min(int(nodes), MAX_NODES),
        time=before.time if time is None else time,
        clock=clock,
    )


def format_info(info: Info[Any]) -> HubMessage:
    """Return the `info` message for a search result: the score in men for the side to move, nps in millions."""
    return build_message(
        "info",
        depth=info.depth,
        score=f"{score_in_men(info.score):.2f}".replace("-0.00", "0.00"),
        nodes=info.nodes,
        time=format_real(info.time, 3),
        nps=format_real(info.nodes_per_second / 1e6, 3),
        pv=" ".join(format_hub_move(move) for move in info.line) or None,
    )


def score_in_men(score: Score) -> float:
    """Return a score in men, always finite: a win counts about 100 men, minus 0.01 for each ply until it.

    >>> score_in_men(Score(0.35)), score_in_men(Score(-math.inf, exact=True, plies=7))
    (0.35, -99.93)
    """
    if math.isfinite(score.value):
        return score.value
    men = max(MIN_WIN_MEN, WIN_MEN - PLY_MEN * (score.plies or 0))
    return math.copysign(round(men, 2), score.value)


def parse_info(values: Mapping[str, str], position: Position) -> Info[Any] | None:
    """Return the search result that the values of `info` describe, or None if they include no score.

    Invalid numbers are ignored, and the line ends before the first illegal move.
    """
    men = parse_real(values.get("score"))
    if men is None:
        return None
    return Info(
        depth=parse_int(values.get("depth")) or 0,
        score=Score(men),
        nodes=max(0, parse_int(values.get("nodes")) or 0),
        time=max(0.0, parse_real(values.get("time")) or 0.0),
        line=parse_line(values.get("pv", ""), position),
    )


def parse_line(text: str, position: Position) -> tuple[Move, ...]:
    """Parse the moves of a principal variation, up to the first illegal one."""
    moves: list[Move] = []
    for word in text.split(maxsplit=MAX_LINE_MOVES)[:MAX_LINE_MOVES]:
        try:
            move = parse_hub_move(word, position)
        except TablemenError:
            break
        moves.append(move)
        position = position.play(move)
    return tuple(moves)
