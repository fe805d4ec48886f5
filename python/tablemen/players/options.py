"""Players whose settings are written behind their name: `searcher:depth=6,threads=2`.

Each is a dataclass, and each of its fields made by `option` is a setting of that name.
"""

from __future__ import annotations

import dataclasses
import difflib
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from tablemen.errors import ArgumentError, TablemenError
from tablemen.players.player import Player

_KIND = "tablemen kind"


@dataclass(frozen=True)
class Kind:
    """What a setting can be: how it is read, what is accepted, and how that is said."""

    read: Callable[[str], Any]
    accepts: Callable[[Any], bool]
    expected: str


def whole(least: int, most: int | None = None) -> Kind:
    """Whole numbers from the least to the most."""

    def accepts(value: Any) -> bool:
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        return is_whole and least <= value and (most is None or value <= most)

    return Kind(int, accepts, f"a whole number from {least} {'up' if most is None else f'to {most}'}")


def _is_time(value: Any) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and value > 0 and math.isfinite(value)


SEED = whole(0, 2**63 - 1)
SECONDS = Kind(float, _is_time, "a number of seconds above 0")


def option(kind: Kind, default: Any = None) -> Any:
    """A field that is a setting; it is not written where it has its default, and may be None only there."""
    return dataclasses.field(default=default, metadata={_KIND: kind})


@dataclass(kw_only=True)
class WrittenPlayer(Player):
    """A player that can be written as text: `kind`, and the settings that are not the usual ones."""

    kind: ClassVar[str]
    about: ClassVar[str]  # what it does, in a few words

    def __post_init__(self) -> None:
        for name, (kind, default) in self.settings().items():
            value = getattr(self, name)
            if not (kind.accepts(value) or (value is None and default is None)):
                raise ArgumentError(name, value, kind.expected)

    @classmethod
    def settings(cls) -> dict[str, tuple[Kind, Any]]:
        """The kind and the default of each setting by its name."""
        fields = (field for field in dataclasses.fields(cls) if _KIND in field.metadata)
        return {field.name: (field.metadata[_KIND], field.default) for field in fields}

    @classmethod
    def read(cls, settings: str) -> WrittenPlayer:
        """The player with these settings, as they stand behind the colon."""
        found: dict[str, Any] = {}
        for word in settings.split(",") if settings else ():
            name, equals, text = (part.strip() for part in word.partition("="))
            kind, _ = cls._find(name)
            if not equals:
                raise TablemenError(f"the option {name} of {cls.kind} has no value: write {name}=…")
            if name in found:
                raise TablemenError(f"the option {name} of {cls.kind} is given twice")
            try:
                found[name] = kind.read(text)
            except ValueError as error:
                raise ArgumentError(name, text, kind.expected) from error
        return cls(**found)

    @classmethod
    def _find(cls, name: str) -> tuple[Kind, Any]:
        known = cls.settings()
        if name in known:
            return known[name]
        if not known:
            raise TablemenError(f"{cls.kind} takes no options, and {name!r} is given")
        near = difflib.get_close_matches(name, known, n=2)
        hint = f"did you mean {' or '.join(near)}?" if near else f"it has {', '.join(known)}"
        raise TablemenError(f"{cls.kind} has no option {name!r}; {hint}")

    def check(self, position: Any) -> None:
        """Raises `TablemenError` where the player cannot play games from such a position."""

    @property
    def name(self) -> str:
        """The text that `parse_player` reads."""
        return str(self)

    def __str__(self) -> str:
        given = {name: getattr(self, name) for name, (_, default) in self.settings().items()}
        usual = {name: default for name, (_, default) in self.settings().items()}
        told = ",".join(f"{name}={_number(value)}" for name, value in given.items() if value != usual[name])
        return f"{self.kind}:{told}" if told else self.kind


def _number(value: float) -> str:
    """The number as people write it: 2 and not 2.0."""
    return str(int(value)) if value == int(value) else str(value)
