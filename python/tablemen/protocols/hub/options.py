"""The options of a program: what it lets a board change, and what each may be."""

from __future__ import annotations

import enum
import sys
from dataclasses import dataclass, replace
from typing import Any

from tablemen.errors import ArgumentError, NotationError
from tablemen.protocols.hub.message import Message
from tablemen.protocols.hub.numbers import is_beyond, read_real, read_whole
from tablemen.validation import is_number

TRUTHS = {"true": True, "false": False}


class OptionType(enum.StrEnum):
    """What the values of an option are."""

    BOOL = "bool"
    INT = "int"
    REAL = "real"
    STRING = "string"
    ENUM = "enum"


@dataclass(frozen=True, slots=True)
class Option:
    """An option with its value: a bool, a number from `least` to `most`, a text, or one of some `values`.

    >>> threads = Option("threads", OptionType.INT, 1, least=1, most=16)
    >>> print(format_option(threads))
    param name=threads value=1 type=int min=1 max=16
    >>> threads.read("64")
    Traceback (most recent call last):
    tablemen.errors.ArgumentError: threads is '64': a whole number from 1 to 16 is expected
    """

    name: str
    type: OptionType
    value: Any
    least: float | None = None
    most: float | None = None
    values: tuple[str, ...] = ()

    @property
    def expected(self) -> str:
        """What its values are, in words."""
        if self.type is OptionType.BOOL:
            return "true or false"
        if self.type is OptionType.ENUM:
            return f"one of {', '.join(self.values)}"
        if self.type is OptionType.STRING:
            return "a text"
        kind = "a whole number" if self.type is OptionType.INT else "a number"
        bounds = (("from", self.least), ("to", self.most))
        return " ".join([kind, *(f"{word} {_written(bound)}" for word, bound in bounds if bound is not None)])

    def read(self, text: str) -> Any:
        """The value that a text gives. Raises `ArgumentError` where the option cannot have it."""
        value = _read(self.type, text)
        if value is None or not self._is_within(value):
            raise ArgumentError(self.name, text, self.expected)
        return value

    def _is_kind(self, value: Any) -> bool:
        if self.type is OptionType.BOOL:
            return isinstance(value, bool)
        if self.type in {OptionType.INT, OptionType.REAL}:
            is_whole = isinstance(value, int)
            return is_number(value, least=-sys.float_info.max) and (is_whole or self.type is OptionType.REAL)
        return False

    def _is_within(self, value: Any) -> bool:
        if self.type is OptionType.ENUM:
            return value in self.values
        if self.type in {OptionType.INT, OptionType.REAL}:
            return (self.least is None or self.least <= value) and (self.most is None or value <= self.most)
        return True

    def write(self, value: Any) -> str:
        """The text for a value, which may be given as text. Raises `ArgumentError` where the option cannot have it."""
        if isinstance(value, str):
            return _written(self.read(value))
        if not self._is_kind(value) or not self._is_within(value):
            raise ArgumentError(self.name, value, self.expected)
        return _written(value)

    def having(self, value: Any) -> Option:
        """The option with another value, given as it is or as text."""
        return replace(self, value=_read(self.type, self.write(value)))


def parse_option(message: Message) -> Option:
    """The option that a program declares with `param`.

    One of a type that nobody knows is a text, and so is a number beyond all that is read; such a bound is none. What it
    declares for its value stands, also where it is out of its own bounds. Raises `NotationError` where it has no name,
    or a number is none.
    """
    text = str(message)
    name = message.get("name")
    if not name:
        raise NotationError("an option without a name is declared", text)
    told = message.get("type") or ""
    kind = OptionType(told) if told in set(OptionType) else OptionType.STRING
    values = tuple((message.get("values") or "").split())
    bounds = [_read_bound(message, bound) for bound in ("min", "max")] if kind in _NUMBERS else [None, None]
    option = Option(name, kind, None, least=bounds[0], most=bounds[1], values=values)
    written = message.get("value") or ""
    value = _read(kind, written)
    if value is None and kind in _NUMBERS and is_beyond(written):
        return Option(name, OptionType.STRING, written)
    if value is None:
        raise NotationError(f"the value of {name} is not {option.expected}", text)
    return replace(option, value=value)


_NUMBERS = frozenset({OptionType.INT, OptionType.REAL})


def _read(kind: OptionType, text: str) -> Any:
    """The value of this kind that a text gives, or None."""
    if kind is OptionType.BOOL:
        return TRUTHS.get(text.strip().casefold())
    if kind is OptionType.INT:
        return read_whole(text.strip())
    if kind is OptionType.REAL:
        return read_real(text.strip())
    return text


def _written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _read_bound(message: Message, name: str) -> float | None:
    text = message.get(name)
    if text is None or is_beyond(text):
        return None
    bound = read_whole(text)
    number = read_real(text) if bound is None else bound
    if number is None:
        raise NotationError(f"{name} is no number", str(message))
    return number


def format_option(option: Option) -> Message:
    """The `param` that declares the option, its twin."""
    arguments = [("name", option.name), ("value", _written(option.value)), ("type", option.type.value)]
    for name, bound in (("min", option.least), ("max", option.most)):
        if bound is not None:
            arguments.append((name, _written(bound)))
    if option.type is OptionType.ENUM:
        arguments.append(("values", " ".join(option.values)))
    return Message("param", tuple(arguments))
