"""A game of a match."""

from __future__ import annotations

from typing import NamedTuple

from tablemen.match.referee import PlayedGame
from tablemen.outcome import Side


class Round(NamedTuple):
    """A game of a match: its number, counted from 1, the colour of the first player, and how it went."""

    number: int
    first: Side
    played: PlayedGame

    @property
    def points(self) -> float:
        """What the first player got for it."""
        return self.played.points(self.first)

    @property
    def pair(self) -> int:
        """The number of its pair, counted from 1: two games with the same opening, one from either side."""
        return (self.number + 1) // 2

    def _repr_svg_(self) -> str | None:
        return self.played._repr_svg_()
