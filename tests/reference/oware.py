"""A reference implementation of Oware in plain Python, to test the compiled one.

A board maps houses to numbers of seeds; the houses of a side are numbered in the order in which it sows. The code is
not fast.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Literal, NamedTuple, TypeAlias

from tablemen import Side

SOUTH, NORTH = Side.WHITE, Side.BLACK

GrandSlam: TypeAlias = Literal["no capture", "captures", "forbidden", "rest to opponent"]
House: TypeAlias = tuple[Side, int]  # the owner, and the number from 1 in the order of sowing


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The options of the rules."""

    houses: int = 6
    seeds: int = 4
    grand_slam: GrandSlam = "no capture"
    must_feed: bool = True
    majority_ends: bool = True


class Move(NamedTuple):
    """A house and the effect of sowing it."""

    house: int
    sown: int
    captured: int


@dataclass(frozen=True)
class OwarePosition:
    """Seeds in houses, captured seeds, and the side to move."""

    rules: Rules
    turn: Side
    seeds: dict[House, int]
    stores: dict[Side, int]

    @classmethod
    def start(cls, rules: Rules) -> OwarePosition:
        numbers = range(1, rules.houses + 1)
        return cls(rules, SOUTH, {(side, n): rules.seeds for side in Side for n in numbers}, dict.fromkeys(Side, 0))

    def houses(self, side: Side) -> tuple[int, ...]:
        return tuple(self.seeds[side, number] for number in range(1, self.rules.houses + 1))

    def way_around(self, begin: House) -> list[House]:
        """Return all houses but the emptied one in the order of sowing."""
        ring = [(side, n) for side in (SOUTH, NORTH) for n in range(1, self.rules.houses + 1)]
        at = ring.index(begin)
        return ring[at + 1 :] + ring[:at]

    # A move

    def sow(self, house: int) -> tuple[dict[House, int], House]:
        """Return the houses after sowing, and the house of the last seed."""
        begin, after = (self.turn, house), dict(self.seeds)
        hand, after[begin] = after[begin], 0
        last = begin
        while hand:
            for last in self.way_around(begin)[:hand]:
                after[last] += 1
                hand -= 1
        return after, last

    def find_captured(self, after: dict[House, int], last: House) -> list[House]:
        """Return the opponent's houses with two or three seeds, backwards from the last seed without a gap."""
        side, number = last
        if side is self.turn:
            return []
        backwards = [(side, each) for each in range(number, 0, -1)]
        return list(takewhile(lambda house: after[house] in (2, 3), backwards))

    def is_slam(self, after: dict[House, int], captured: list[House]) -> bool:
        theirs = [house for house, count in after.items() if house[0] is not self.turn and count]
        return bool(captured) and set(theirs) == set(captured)

    def try_house(self, house: int) -> tuple[Move, OwarePosition]:
        after, last = self.sow(house)
        captured = self.find_captured(after, last)
        is_slam = self.is_slam(after, captured)
        if is_slam and self.rules.grand_slam == "no capture":
            captured = []
        stores, taken = dict(self.stores), sum(after[each] for each in captured)
        stores[self.turn] += taken
        after.update(dict.fromkeys(captured, 0))
        if is_slam and self.rules.grand_slam == "rest to opponent":
            stores[self.turn.opponent] += sum(after.values())
            after = dict.fromkeys(after, 0)
        move = Move(house, self.seeds[self.turn, house], taken)
        return move, replace(self, turn=self.turn.opponent, seeds=after, stores=stores)

    def is_allowed(self, house: int) -> bool:
        if not self.seeds[self.turn, house]:
            return False
        after, last = self.sow(house)
        if self.rules.grand_slam == "forbidden" and self.is_slam(after, self.find_captured(after, last)):
            return False
        hungry = not any(self.houses(self.turn.opponent))
        fed = any(count for (side, _), count in after.items() if side is not self.turn)
        return fed or not (self.rules.must_feed and hungry)

    def legal_moves(self) -> tuple[Move, ...]:
        if self.has_majority():
            return ()
        houses = range(1, self.rules.houses + 1)
        return tuple(self.try_house(house)[0] for house in houses if self.is_allowed(house))

    def play(self, move: Move) -> OwarePosition:
        assert self.is_allowed(move.house)
        return self.try_house(move.house)[1]

    # The end

    def has_majority(self) -> bool:
        total = sum(self.seeds.values()) + sum(self.stores.values())
        return self.rules.majority_ends and any(2 * store > total for store in self.stores.values())

    def score(self) -> dict[Side, int]:
        return {side: self.stores[side] + sum(self.houses(side)) for side in Side}


def perft(position: OwarePosition, depth: int) -> int:
    """Return the number of leaves of the game tree."""
    if depth == 0:
        return 1
    moves = position.legal_moves()
    return len(moves) if depth == 1 else sum(perft(position.play(move), depth - 1) for move in moves)
