"""Players with options, written after their name: `searcher:depth=6,threads=2`.

Each player is a dataclass, and each field made by `option` is an option, usually of that name. A player may have a
subject, which is written first and without a name: `hub:"scan hub",time=1`. A text with a comma, a space or a quote is
quoted; inside quotes, a backslash escapes a quote or another backslash.
"""

from __future__ import annotations

import dataclasses
import difflib
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from tablemen.errors import ArgumentError, TablemenError
from tablemen.players.player import Player
from tablemen.validation import is_int, is_number

_KIND, _WRITTEN = "tablemen kind", "tablemen name"


@dataclass(frozen=True)
class OptionKind:
    """The type of an option: how to parse a value, which values are valid, and their description."""

    read: Callable[[str], Any]
    accepts: Callable[[Any], bool]
    expected: str


def whole(minimum: int, maximum: int | None = None) -> OptionKind:
    """Return the type of whole numbers from `minimum` to `maximum`."""
    span = f"of at least {minimum}" if maximum is None else f"from {minimum} to {maximum}"
    return OptionKind(int, partial(is_int, minimum=minimum, maximum=maximum), f"a whole number {span}")


def number(minimum: float, maximum: float) -> OptionKind:
    """Return the type of numbers from `minimum` to `maximum`."""
    return OptionKind(
        float, partial(is_number, minimum=minimum, maximum=maximum), f"a number from {minimum:g} to {maximum:g}"
    )


def one_of(*values: str) -> OptionKind:
    """Return the type of options with these values."""
    return OptionKind(str, values.__contains__, " or ".join(values))


def _is_time(value: Any) -> bool:
    return is_number(value) and value > 0


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_name(value: Any) -> bool:
    return _is_text(value) and value.isprintable()


TEXT = OptionKind(str, _is_text, "a text that is not blank")
NAME = OptionKind(str, _is_name, "a text of printable characters that is not blank")
SEED = whole(0, 2**63 - 1)
SECONDS = OptionKind(float, _is_time, "a number of seconds greater than 0")


def option(kind: OptionKind, default: Any = None, *, written: str | None = None) -> Any:
    """Return a dataclass field that is an option. It is written only if it differs from its default.

    None is valid only as the default. `written` is the name of the option in the text, if it is not that of the field.
    """
    return dataclasses.field(default=default, metadata={_KIND: kind, _WRITTEN: written})


@dataclass(kw_only=True)
class WrittenPlayer(Player):
    """A player that can be written as text: its `kind`, and the options that differ from their defaults."""

    kind: ClassVar[str]
    about: ClassVar[str]  # a short description
    subject: ClassVar[str | None] = None  # the required option that is written first, without its name
    lasts: ClassVar[bool] = False  # whether a player is reused for several games, because it starts slowly

    def __post_init__(self) -> None:
        for name, (kind, default) in self.settings().items():
            value = getattr(self, self._field_names()[name])
            if not (kind.accepts(value) or (value is None and default is None)):
                raise ArgumentError(name, value, kind.expected)

    @classmethod
    def settings(cls) -> dict[str, tuple[OptionKind, Any]]:
        """Return the type and the default of each option by its name."""
        fields = {field.name: field for field in dataclasses.fields(cls)}
        options = {name: fields[field_name] for name, field_name in cls._field_names().items()}
        return {name: (field.metadata[_KIND], field.default) for name, field in options.items()}

    @classmethod
    def _field_names(cls) -> dict[str, str]:
        """Return the name of the field of each option."""
        fields = (field for field in dataclasses.fields(cls) if _KIND in field.metadata)
        return {field.metadata[_WRITTEN] or field.name: field.name for field in fields}

    @classmethod
    def read(cls, settings: str) -> WrittenPlayer:
        """Parse the options of a player, the text after the colon."""
        found: dict[str, Any] = {}
        words = split_settings(settings)
        if cls.subject is not None and words:
            found[cls.subject] = unquote(words.pop(0))
        for word in words:
            name, equals, text = (part.strip() for part in word.partition("="))
            kind, _ = cls._find(name)
            if not equals:
                raise TablemenError(f"the option {name} of {cls.kind} has no value: write {name}=…")
            if name in found:
                raise TablemenError(f"the option {name} of {cls.kind} is given twice")
            try:
                found[name] = kind.read(unquote(text))
            except ValueError as error:
                raise ArgumentError(name, text, kind.expected) from error
        names = cls._field_names()
        return cls(**{names[name]: value for name, value in found.items()})

    @classmethod
    def _find(cls, name: str) -> tuple[OptionKind, Any]:
        known = cls.settings()
        if name in known:
            return known[name]
        if not known:
            raise TablemenError(f"{cls.kind} takes no options, got {name!r}")
        near = difflib.get_close_matches(name, known, n=2)
        hint = f"did you mean {' or '.join(near)}?" if near else f"its options are {', '.join(known)}"
        raise TablemenError(f"{cls.kind} has no option {name!r}; {hint}")

    def check(self, position: Any) -> None:
        """Raise `TablemenError` if the player cannot play games from such a position."""

    @property
    def is_single(self) -> bool:
        """Whether only one such player can exist, so that it cannot play several games at once."""
        return False

    @property
    def name(self) -> str:
        """The text that `parse_player` parses."""
        return str(self)

    def __str__(self) -> str:
        words = [] if self.subject is None else [quote(getattr(self, self.subject))]
        for name, (_, default) in self.settings().items():
            value = getattr(self, self._field_names()[name])
            if name != self.subject and value != default:
                words.append(f"{name}={_format_value(value)}")
        return f"{self.kind}:{','.join(words)}" if words else self.kind


def _format_value(value: float | str) -> str:
    """Return the text of a value: quoted if necessary, and a whole number as 2 instead of 2.0."""
    if isinstance(value, str):
        return quote(value)
    return str(int(value)) if value == int(value) else str(value)


_QUOTED = r'"(?:[^"\\]|\\.)*"'
_WORD = re.compile(rf'\s*((?:{_QUOTED}|[^",])*)(,|\Z)', re.DOTALL)
_PLAIN = re.compile(r'[^\s,"=]+')


def split_settings(text: str) -> list[str]:
    """Split the options of a text at the commas outside quotes.

    >>> split_settings('"scan hub",time=1')
    ['"scan hub"', 'time=1']

    Raises `TablemenError` if a quote is not closed.
    """
    words, at = [], 0
    while text and at <= len(text):
        found = _WORD.match(text, at)
        if found is None:
            raise TablemenError(f"unclosed quote in {text[at:]!r}")
        words.append(found[1].strip())
        at = found.end() + (0 if found[2] else 1)
    return words


def quote(text: str) -> str:
    r"""Return the text as the value of an option, quoted if necessary.

    >>> print(quote("localhost:27531"), quote('sh -c "scan hub"'))
    localhost:27531 "sh -c \"scan hub\""
    """
    if _PLAIN.fullmatch(text):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def unquote(word: str) -> str:
    """Return the text of a value, the inverse of `quote`."""
    if not re.fullmatch(_QUOTED, word, re.DOTALL):
        return word
    return re.sub(r'\\(["\\])', r"\1", word[1:-1])
