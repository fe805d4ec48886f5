"""The rules of mancala games as values: a field a rule.

`tablemen.mancala.variants` holds the known ones, and a rule set of one's own is `dataclasses.replace(KALAH, …)`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from typing import NamedTuple

from tablemen import _core
from tablemen.draws import DrawRule
from tablemen.errors import InvalidRulesError
from tablemen.mancala.draws import Cycle
from tablemen.named import Named
from tablemen.rule_sets import draw_problems, field_problems

MOST_HOUSES = 24
MOST_SEEDS = 65_535  # on a whole board: a store that holds all of them does not overflow


class Capture(Named):
    """What a last seed in an own house that was empty captures; looked at after sowing."""

    OPPOSITE_NOT_EMPTY = "opposite not empty"  # itself and the seeds opposite, where there are any
    EVEN_IF_OPPOSITE_EMPTY = "even if opposite empty"  # the same, and itself alone where there are none


class End(Named):
    """When a game of Kalah is over."""

    MOVER_EMPTY = "mover empty"  # the player to move has no seeds in the houses
    EITHER_EMPTY = "either empty"  # one of the players has none, whoever is to move
    EITHER_EMPTY_OR_MAJORITY = "either empty or majority"  # the same, or a store holds more than half of all seeds


class Rest(Named):
    """Whose the seeds are that are left in the houses at the end."""

    OWNER = "owner"  # of the player whose houses they lie in
    NOT_COUNTED = "not counted"


class Swap(Named):
    """Whether the second player may take over the first player's side."""

    NONE = "none"
    PIE = "pie"  # in place of its first move


class GrandSlam(Named):
    """What becomes of a capture that would take all seeds of the opponent."""

    NO_CAPTURE = "no capture"  # the move stands, and nothing is captured
    CAPTURES = "captures"  # they are captured
    FORBIDDEN = "forbidden"  # the move is not legal
    REST_TO_OPPONENT = "rest to opponent"  # they are captured, and the opponent gets all seeds that are left


class Features(NamedTuple):
    """What the compiled mover is told of a rule set."""

    houses: int
    seeds: int
    sows_store: bool  # the own store is sown too, and a last seed there gives another turn
    sows_origin: bool  # a lap sows the emptied house too
    capture: Capture | GrandSlam  # opposite houses, or twos and threes with what becomes of a grand slam
    must_feed: bool = False
    either_empty_ends: bool = False
    majority_ends: bool = False
    counts_rest: bool = True
    pie: bool = False


@dataclass(frozen=True, kw_only=True)
class MancalaRules(ABC):
    """What all rule sets have. Equality compares every field."""

    # What it is called
    name: str
    title: str = ""
    aliases: tuple[str, ...] = ()

    # The board at the start
    houses: int = 6  # a side
    seeds: int = 4  # a house

    # Endings that a game shows
    draws: tuple[DrawRule, ...] = ()

    # What is known about it
    note: str = ""
    sources: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        # What the fields say is looked at only once they are what they should be.
        problems = list(field_problems(self)) or list(_problems(self))
        if problems:
            raise InvalidRulesError(self.name, problems)

    @property
    @abstractmethod
    def features(self) -> Features:
        """What the rules come to for the compiled mover."""

    @cached_property
    def mover(self) -> _core.MancalaMover:
        """The compiled form of these rules, made when first used."""
        return _core.MancalaMover(self)

    def __getstate__(self) -> dict[str, object]:
        # Without the compiled mover, which is made again where the copy is used.
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __str__(self) -> str:
        return self.title or self.name


@dataclass(frozen=True, kw_only=True)
class KalahRules(MancalaRules):
    """The rules of a game of the Kalah family: seeds go into the own store too, and a last seed there moves again.

    >>> from dataclasses import replace
    >>> from tablemen.mancala import KALAH, Position
    >>> print(Position.start(replace(KALAH, name="small", houses=3, seeds=2)))
        3 2 1
        2 2 2
    0           0
        2 2 2
        1 2 3
    South to move
    """

    capture: Capture = Capture.OPPOSITE_NOT_EMPTY
    end: End = End.MOVER_EMPTY
    rest: Rest = Rest.OWNER
    swap: Swap = Swap.NONE

    @property
    def features(self) -> Features:
        """What the rules come to for the compiled mover."""
        return Features(
            self.houses,
            self.seeds,
            sows_store=True,
            sows_origin=True,
            capture=self.capture,
            either_empty_ends=self.end is not End.MOVER_EMPTY,
            majority_ends=self.end is End.EITHER_EMPTY_OR_MAJORITY,
            counts_rest=self.rest is Rest.OWNER,
            pie=self.swap is Swap.PIE,
        )


@dataclass(frozen=True, kw_only=True)
class OwareRules(MancalaRules):
    """The rules of a game of the Oware family: stores and the emptied house are not sown, twos and threes captured."""

    grand_slam: GrandSlam = GrandSlam.NO_CAPTURE
    must_feed: bool = True  # an opponent without seeds must be given some, where that can be done
    majority_ends: bool = True  # a store with more than half of the seeds ends the game
    draws: tuple[DrawRule, ...] = (Cycle(3),)

    @property
    def features(self) -> Features:
        """What the rules come to for the compiled mover."""
        return Features(
            self.houses,
            self.seeds,
            sows_store=False,
            sows_origin=False,
            capture=self.grand_slam,
            must_feed=self.must_feed,
            majority_ends=self.majority_ends,
        )


def _problems(rules: MancalaRules) -> Iterator[str]:
    """What makes the rules unplayable, in words."""
    if not rules.name.strip():
        yield "name is empty"
    if not 1 <= rules.houses <= MOST_HOUSES:
        yield f"houses is {rules.houses}, not 1 to {MOST_HOUSES}"
    if rules.seeds < 1:
        yield f"seeds is {rules.seeds}, not a number from 1 up"
    elif 2 * rules.houses * rules.seeds > MOST_SEEDS:
        yield f"{rules.seeds} seeds a house are more than {MOST_SEEDS} on the board"
    yield from draw_problems(rules.draws)
