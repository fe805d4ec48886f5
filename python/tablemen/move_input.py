"""Input of a move place by place, with a mouse, a finger or a cursor on a board."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from tablemen.family import InputPath, get_family
from tablemen.game import Game

__all__ = ["MoveInput"]


@dataclass(frozen=True)
class MoveInput:
    """The places touched so far: squares in draughts, a house in mancala.

    `touch` returns the input after another place. A capture of several pieces can be entered jump by jump, or by its
    first and last square. `move` is set as soon as the places make a complete move.

    >>> from tablemen.draughts import Position
    >>> move_input = MoveInput.for_game(Game(Position.from_fen("W:W32:B28,19,18", "international")))
    >>> sorted(move_input.starts)
    ['32']
    >>> move_input = move_input.touch("32")
    >>> sorted(move_input.targets), sorted(move_input.ends)
    (['23'], ['12', '14'])
    >>> print(move_input.touch("23").touch("14").move, move_input.touch("12").move)
    32x14 32x12
    """

    paths: tuple[InputPath, ...]  # the places of each legal move in order, and the move
    touched: tuple[str, ...] = ()
    move: Any = None
    is_ambiguous: bool = False  # the last touch is the end of several different moves

    @classmethod
    def for_game(cls, game: Game[Any, Any]) -> Self:
        """Return an empty input for a game; if the game is over, no place can be touched."""
        return cls(() if game.outcome() else get_family(game.position).input_paths(game.position))

    @cached_property
    def starts(self) -> frozenset[str]:
        """The first places of all moves."""
        return frozenset(places[0] for places, _ in self.paths)

    @cached_property
    def targets(self) -> frozenset[str]:
        """The places that can be touched next; empty before the first touch."""
        depth = len(self.touched)
        return frozenset(places[depth] for places, _ in self._matching if depth and len(places) > depth)

    @cached_property
    def ends(self) -> frozenset[str]:
        """The last places of the moves that begin with the touched places; empty before the first touch."""
        return frozenset(places[-1] for places, _ in self._matching if self.touched)

    @cached_property
    def _matching(self) -> tuple[InputPath, ...]:
        """The paths that begin with the touched places."""
        return tuple(path for path in self.paths if path[0][: len(self.touched)] == self.touched)

    def touch(self, place: str) -> MoveInput:
        """Return the input after a touch.

        A place that does not continue the move starts another one. The input becomes empty if no move starts there, or
        if it is the first or the last place touched.
        """
        if place in self.targets:
            return self._with_touched(*self.touched, place)
        if place in self.touched[:1] + self.touched[-1:]:
            return self._with_touched()
        if place in self.ends:
            return self._with_end(place)
        return self._with_touched(place) if place in self.starts else self._with_touched()

    def _with_touched(self, *touched: str) -> MoveInput:
        """Return the input with these places, and with their move if they make a complete one."""
        moves = [move for places, move in self.paths if places == touched]
        return MoveInput(self.paths, touched, moves[0] if moves else None)

    def _with_end(self, place: str) -> MoveInput:
        """Return the input with the move that ends here, if there is only one; paths of equal moves count once."""
        moves = list(dict.fromkeys(move for places, move in self._matching if places[-1] == place))
        if len(moves) > 1:
            return MoveInput(self.paths, self.touched, is_ambiguous=True)
        return MoveInput(self.paths, (*self.touched, place), moves[0])
