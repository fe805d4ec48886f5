"""Enums whose members can be pasted back."""

from __future__ import annotations

import enum


class Named(enum.Enum):
    """An enum whose members are shown as they are written.

    >>> class Colour(Named):
    ...     RED = "red"
    >>> Colour.RED
    Colour.RED
    """

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"


class NamedFlag(enum.Flag):
    """The same for members that can be combined.

    >>> class Colour(NamedFlag):
    ...     RED = 1
    ...     BLUE = 2
    >>> Colour.RED | Colour.BLUE, Colour(0)
    (Colour.RED | Colour.BLUE, Colour(0))
    """

    def __repr__(self) -> str:
        name = type(self).__name__
        return " | ".join(f"{name}.{flag.name}" for flag in self) or f"{name}(0)"
