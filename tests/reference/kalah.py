"""A reference implementation of Kalah in plain Python, to test the compiled one.

A board maps pits to numbers of seeds; the houses of a side are numbered in the order in which it sows. The code is not
fast. Every disputed rule is a separate method, so that tests can replace it by a wrong one.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from itertools import cycle, islice
from typing import Literal, NamedTuple, TypeAlias

from tablemen import Side

SOUTH, NORTH = Side.WHITE, Side.BLACK  # the first player and the second

End: TypeAlias = Literal["mover empty", "either empty", "either empty or majority"]


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The options of the rules."""

    houses: int = 6
    seeds: int = 4
    capture_if_opposite_empty: bool = False  # the last seed is captured even if the opposite house is empty
    end: End = "mover empty"
    rest_counts: bool = True  # seeds that are left in the houses belong to their owners
    swap: bool = False  # the second player may swap sides in the first turn


class Move(NamedTuple):
    """A house, counted from 1 in the order of sowing, and the effect of sowing it; the swap is house 0."""

    house: int
    sown: int
    captured: int
    extra_turn: bool

    @property
    def is_swap(self) -> bool:
        return self.house == 0


class Pit(NamedTuple):
    """House 1, 2, … of a side, or its store, which is 0."""

    side: Side
    number: int


Board: TypeAlias = dict[Pit, int]


@dataclass(frozen=True)
class KalahPosition:
    """Seeds in pits, and the side to move; `swap_ahead` if a swap is allowed and the second player has not moved."""

    rules: Rules
    turn: Side
    board: Board
    swap_ahead: bool = field(default=False, kw_only=True)

    @classmethod
    def start(cls, rules: Rules) -> KalahPosition:
        row = [rules.seeds] * rules.houses
        return cls(rules, SOUTH, lay(row, row), swap_ahead=rules.swap)

    # The board

    def houses(self, side: Side) -> tuple[int, ...]:
        return tuple(self.board[pit] for pit in self.own_houses(side))

    @property
    def stores(self) -> dict[Side, int]:
        return {side: self.board[Pit(side, 0)] for side in Side}

    def own_houses(self, side: Side) -> list[Pit]:
        return [Pit(side, number) for number in range(1, self.rules.houses + 1)]

    def opposite(self, pit: Pit) -> Pit:
        return Pit(pit.side.opponent, self.rules.houses + 1 - pit.number)

    def seeds_in_houses(self, side: Side) -> int:
        return sum(self.houses(side))

    # A move

    def choices(self) -> list[int]:
        """Return the houses that can be sown, and 0 if the sides can be swapped."""
        if self.is_over():
            return []
        houses = [pit.number for pit in self.own_houses(self.turn) if self.board[pit]]
        return [*houses, 0] if self.swap_ahead and self.turn is NORTH else houses

    def legal_moves(self) -> tuple[Move, ...]:
        swap = Move(0, 0, 0, extra_turn=False)
        return tuple(self.try_house(house)[0] if house else swap for house in self.choices())

    def play(self, move: Move) -> KalahPosition:
        if move.is_swap:
            assert self.swap_ahead
            assert self.turn is NORTH
            # The players swap their houses and stores, and the first player is to move.
            board = {Pit(pit.side.opponent, pit.number): count for pit, count in self.board.items()}
            return replace(self, turn=self.turn.opponent, board=board, swap_ahead=False)
        move, board = self.try_house(move.house)
        assert move.sown
        assert not self.is_over()
        turn = self.turn if move.extra_turn else self.turn.opponent
        return replace(self, turn=turn, board=board, swap_ahead=self.swap_ahead and self.turn is SOUTH)

    def try_house(self, house: int) -> tuple[Move, Board]:
        """Sow a house, and return the move and the board after it."""
        board = dict(self.board)
        begin = Pit(self.turn, house)
        sown, board[begin] = board[begin], 0
        last = begin
        for last in islice(cycle(self.way_around(begin)), sown):
            board[last] += 1
        captured = 0
        if self.is_capture(last, begin, board):
            captured = board[last] + board[self.opposite(last)]
            board[last] = board[self.opposite(last)] = 0
            board[Pit(self.turn, 0)] += captured
        return Move(house, sown, captured, self.gives_extra_turn(last)), board

    def way_around(self, begin: Pit) -> list[Pit]:
        """Return the pits in the order of sowing: without the opponent's store, and with the emptied house last."""
        mover, number = begin
        own = self.own_houses(mover)
        return [*own[number:], Pit(mover, 0), *self.own_houses(mover.opponent), *own[:number]]

    def is_capture(self, last: Pit, begin: Pit, board: Board) -> bool:
        """Return whether the last seed fell into an own empty house opposite seeds; `board` is that after sowing."""
        if last.side is not begin.side or last.number == 0 or board[last] != 1:
            return False
        return self.rules.capture_if_opposite_empty or board[self.opposite(last)] > 0

    def gives_extra_turn(self, last: Pit) -> bool:
        return last == Pit(self.turn, 0)

    # The end

    def is_over(self) -> bool:
        if self.rules.end == "mover empty":
            return self.seeds_in_houses(self.turn) == 0
        if any(self.seeds_in_houses(side) == 0 for side in Side):
            return True
        half = sum(self.board.values()) / 2
        return self.rules.end == "either empty or majority" and any(store > half for store in self.stores.values())

    def score(self) -> dict[Side, int]:
        rest = {side: self.seeds_in_houses(side) if self.rules.rest_counts else 0 for side in Side}
        return {side: self.stores[side] + rest[side] for side in Side}

    def winner(self) -> Side | None:
        """Return the side with the higher score; None for a tie."""
        score = self.score()
        return None if score[SOUTH] == score[NORTH] else max(Side, key=lambda side: score[side])


def lay(south: list[int], north: list[int], *, south_store: int = 0, north_store: int = 0) -> Board:
    """Return a board; each row is in the order of sowing of its owner."""
    rows = {SOUTH: [south_store, *south], NORTH: [north_store, *north]}
    return {Pit(side, number): count for side, row in rows.items() for number, count in enumerate(row)}


def perft(position: KalahPosition, depth: int) -> int:
    """Return the number of leaves of the game tree."""
    if depth == 0:
        return 1
    houses = position.choices()
    if depth == 1:
        return len(houses)
    # `play` computes the other fields of the move.
    return sum(perft(position.play(Move(house, 0, 0, extra_turn=False)), depth - 1) for house in houses)


def margin(position: KalahPosition) -> int:
    """Return the final margin of the first player with best play; for small boards."""

    # The remaining margin does not depend on the stores, so it is cached without them.
    @cache
    def remaining_margin(turn: Side, south: tuple[int, ...], north: tuple[int, ...]) -> int:
        here = KalahPosition(position.rules, turn, lay(list(south), list(north)))
        if here.is_over():
            return lead(here)
        after = [here.play(move) for move in here.legal_moves()]
        values = [
            stores_lead(each) + remaining_margin(each.turn, each.houses(SOUTH), each.houses(NORTH)) for each in after
        ]
        return max(values) if turn is SOUTH else min(values)

    def lead(here: KalahPosition) -> int:
        return here.score()[SOUTH] - here.score()[NORTH]

    def stores_lead(here: KalahPosition) -> int:
        return here.stores[SOUTH] - here.stores[NORTH]

    return stores_lead(position) + remaining_margin(position.turn, position.houses(SOUTH), position.houses(NORTH))
