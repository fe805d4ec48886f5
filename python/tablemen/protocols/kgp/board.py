"""Boards as the Kalah Game Protocol writes them: whoever is asked is South."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from tablemen.errors import NotationError
from tablemen.mancala import NORTH, SOUTH, VARIANTS, KalahRules, Position
from tablemen.mancala.rules import MAX_HOUSES, MAX_SEEDS

_DIGITS = len(str(MAX_SEEDS))
_NUMBER = re.compile(r"[ \t]*(0*)([0-9]+)[ \t]*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Board:
    """The seeds of both sides, the houses of each in the order in which its owner sows.

    >>> print(Board(10, 2, (1, 2, 3), (4, 2, 0)))
    <3,10,2,1,2,3,4,2,0>
    """

    south_store: int
    north_store: int
    south: tuple[int, ...]
    north: tuple[int, ...]

    @staticmethod
    def of(position: Position) -> Board:
        """The board of a position, turned so that the side to move is South."""
        mover, other = position.turn, position.turn.opponent
        stores = position.stores
        return Board(stores[mover], stores[other], position.houses(mover), position.houses(other))

    @property
    def houses(self) -> int:
        """How many houses a side has."""
        return len(self.south)

    @property
    def seeds(self) -> int:
        """All seeds, stores included."""
        return self.south_store + self.north_store + sum(self.south) + sum(self.north)

    def position(self, rules: KalahRules) -> Position:
        """The position with South to move, by these rules on a board of this size.

        Raises `InvalidPositionError` where the rules allow no such board.
        """
        sized = rules if rules.houses == self.houses else replace(rules, houses=self.houses)
        stores = {SOUTH: self.south_store, NORTH: self.north_store}
        return Position(sized, SOUTH, houses={SOUTH: self.south, NORTH: self.north}, stores=stores)

    def playable(self) -> Position | None:
        """The position with South to move, where South can move; None where it cannot by any rules.

        It is one of the rules `kgp`; a board that these take as the end of a game is played on as other rules would.
        """
        for name in ("kgp", "open_spiel", "kalah"):
            rules = VARIANTS[name]
            assert isinstance(rules, KalahRules)
            position = self.position(rules)
            if position.outcome() is None:
                return position
        return None

    def swept(self) -> Board:
        """The board with all seeds in the stores of those who own them."""
        none = (0,) * self.houses
        return Board(self.south_store + sum(self.south), self.north_store + sum(self.north), none, none)

    def __str__(self) -> str:
        numbers = (self.houses, self.south_store, self.north_store, *self.south, *self.north)
        return f"<{','.join(map(str, numbers))}>"


def parse_board(text: str, start: int = 0) -> tuple[Board, int]:
    """The board that begins at a place of a text, and the place behind it.

    >>> parse_board("state <1,0,0,2,2> ", 6)
    (Board(south_store=0, north_store=0, south=(2,), north=(2,)), 17)

    Raises `NotationError`.
    """
    end = text.find(">", start)
    if not text.startswith("<", start) or end < 0:
        raise NotationError("a board is written <houses,store,store,seeds,…>", text, column=start + 1)
    numbers, at = [], start + 1
    for part in text[at:end].split(","):
        found = _NUMBER.fullmatch(part)
        if found is None or len(found[2]) > _DIGITS:
            raise NotationError("a number of seeds is expected", text, column=at + 1)
        numbers.append(int(found[2]))
        at += len(part) + 1
        if len(numbers) > 3 + 2 * MAX_HOUSES:
            break
    houses, pits = numbers[0], numbers[1:]
    if not 1 <= houses <= MAX_HOUSES:
        raise NotationError(f"a board has 1 to {MAX_HOUSES} houses a side", text, column=start + 2)
    if len(pits) != 2 + 2 * houses:
        raise NotationError(f"a board of {houses} has {2 + 2 * houses} pits", text, column=start + 2)
    if sum(pits) > MAX_SEEDS:
        raise NotationError(f"a board has at most {MAX_SEEDS} seeds", text, column=start + 2)
    return Board(pits[0], pits[1], tuple(pits[2 : 2 + houses]), tuple(pits[2 + houses :])), end + 1


def find_obstacle(position: Any) -> str | None:
    """Why the protocol cannot ask for a move in a position of any family, in words; None where it can."""
    if not isinstance(position, Position) or not isinstance(position.variant, KalahRules):
        return "the Kalah Game Protocol is for games of the Kalah family"
    if position.swap_open or position.variant.features.pie:
        return "the Kalah Game Protocol has no word for a swap of sides"
    return None
