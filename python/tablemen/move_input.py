"""A move put together place by place, as it is picked on a board with a finger, a mouse or a cursor."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from tablemen.family import get_family
from tablemen.game import Game

__all__ = ["MoveInput"]


@dataclass(frozen=True)
class MoveInput:
    """What has been picked of a move so far: in draughts squares, in mancala a house.

    `touch` gives what is picked after another place. A capture of several pieces may be picked jump by jump, or by
    where it ends; `move` is there as soon as one is whole.

    >>> from tablemen.draughts import Position
    >>> picking = MoveInput.of(Game(Position.from_fen("W:W32:B28,19,18", "international")))
    >>> sorted(picking.starts)
    ['32']
    >>> picking = picking.touch("32")
    >>> sorted(picking.targets), sorted(picking.ends)
    (['23'], ['12', '14'])
    >>> print(picking.touch("23").touch("14").move, picking.touch("12").move)
    32x14 32x12
    """

    ways: tuple[tuple[tuple[str, ...], Any], ...]  # the places of each move in order, and the move
    picked: tuple[str, ...] = ()
    move: Any = None
    several: bool = False  # whether moves that differ end where the last touch was

    @classmethod
    def of(cls, game: Game[Any, Any]) -> Self:
        """Nothing picked yet; nothing can be where the game is over."""
        return cls(() if game.outcome() else get_family(game.position).input_paths(game.position))

    @cached_property
    def starts(self) -> frozenset[str]:
        """The places that a move can begin with."""
        return frozenset(places[0] for places, _ in self.ways)

    @cached_property
    def targets(self) -> frozenset[str]:
        """The places that can come next; none before the first is picked."""
        depth = len(self.picked)
        return frozenset(places[depth] for places, _ in self._open if depth and len(places) > depth)

    @cached_property
    def ends(self) -> frozenset[str]:
        """The places where a move that begins so can end."""
        return frozenset(places[-1] for places, _ in self._open if self.picked)

    @cached_property
    def _open(self) -> tuple[tuple[tuple[str, ...], Any], ...]:
        """The ways that begin with what is picked."""
        return tuple(way for way in self.ways if way[0][: len(self.picked)] == self.picked)

    def touch(self, place: str) -> MoveInput:
        """What is picked after this place; what it cannot go on with, it begins anew with, or nothing is picked."""
        if place in self.targets:
            return self._with(*self.picked, place)
        if place in self.picked[:1] + self.picked[-1:]:  # what is touched twice is put back
            return self._with()
        if place in self.ends:
            return self._ended(place)
        return self._with(place) if place in self.starts else self._with()

    def _with(self, *picked: str) -> MoveInput:
        """With this picked, and the move where it is a whole one."""
        whole = [move for places, move in self.ways if places == picked]
        return MoveInput(self.ways, picked, whole[0] if whole else None)

    def _ended(self, place: str) -> MoveInput:
        """With the move that ends here, where there is but one; ways that take the same are one move."""
        moves = list(dict.fromkeys(move for places, move in self._open if places[-1] == place))
        if len(moves) > 1:
            return MoveInput(self.ways, self.picked, several=True)
        return MoveInput(self.ways, (*self.picked, place), moves[0])
