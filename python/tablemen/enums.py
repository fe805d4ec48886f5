"""Enums whose members have a `repr` that is an expression."""

from __future__ import annotations

import enum


class Named(enum.Enum):
    """An enum whose members have a `repr` that is an expression.

    >>> class Colour(Named):
    ...     RED = "red"
    >>> Colour.RED
    Colour.RED
    """

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"


class NamedFlag(enum.Flag):
    """A flag whose members have a `repr` that is an expression.

    >>> class Colour(NamedFlag):
    ...     RED = 1
    ...     BLUE = 2
    >>> Colour.RED | Colour.BLUE, Colour(0)
    (Colour.RED | Colour.BLUE, Colour(0))
    """

    def __repr__(self) -> str:
        name = type(self).__name__
        return " | ".join(f"{name}.{flag.name}" for flag in self) or f"{name}(0)"
