"""The rules of mancala games as values, with one field per rule.

`tablemen.mancala.variants` has the known rule sets. `dataclasses.replace(KALAH, …)` makes custom rules.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple, TypeGuard

from tablemen import _core
from tablemen.draws import DrawRule, Repetition
from tablemen.enums import Named
from tablemen.errors import InvalidRulesError
from tablemen.outcome import Outcome, Side
from tablemen.rules import draw_problems, field_problems

if TYPE_CHECKING:
    from tablemen._core import MancalaPosition

SOUTH: Final = Side.WHITE  # at the bottom; moves first
NORTH: Final = Side.BLACK

NAMES = {SOUTH: "south", NORTH: "north"}

MAX_HOUSES = 24  # a side
MAX_SEEDS = 65_535  # on a board, so that a store with all of them fits in 16 bits


@dataclass(frozen=True)
class Cycle(Repetition):
    """Repetition: the game ends, and the side with more seeds wins.

    >>> print(Cycle(3))
    the same position for the 3rd time, and each side keeps its own seeds
    """

    def outcome(self, position: MancalaPosition) -> Outcome:
        """Return the result by the score: stores, and houses if the rules count them."""
        score = position.score()
        if score[SOUTH] == score[NORTH]:
            return Outcome(None, self.termination)
        return Outcome(max((SOUTH, NORTH), key=lambda side: score[side]), self.termination)

    def __str__(self) -> str:
        return f"{super().__str__()}, and each side keeps its own seeds"


class Capture(Named):
    """The capture by a last seed in an own house that was empty; it is decided after sowing."""

    OPPOSITE_NOT_EMPTY = "opposite not empty"  # the last seed and the seeds opposite, if there are any
    EVEN_IF_OPPOSITE_EMPTY = "even if opposite empty"  # the same, or the last seed alone if there are none


class End(Named):
    """The condition that ends a game of Kalah."""

    MOVER_EMPTY = "mover empty"  # the player to move has no seeds in the houses
    EITHER_EMPTY = "either empty"  # either player has no seeds in the houses
    EITHER_EMPTY_OR_MAJORITY = "either empty or majority"  # the same, or a store has more than half of all seeds


class Rest(Named):
    """The owner of the seeds that remain in the houses at the end."""

    OWNER = "owner"  # the player who owns the houses
    NOT_COUNTED = "not counted"


class Swap(Named):
    """Whether the second player may take over the first player's side."""

    NONE = "none"
    PIE = "pie"  # instead of the first move


class GrandSlam(Named):
    """The rule for a grand slam, a capture of all seeds of the opponent."""

    NO_CAPTURE = "no capture"  # the move is legal, and nothing is captured
    CAPTURES = "captures"  # the seeds are captured
    FORBIDDEN = "forbidden"  # the move is not legal
    REST_TO_OPPONENT = "rest to opponent"  # the seeds are captured, and the opponent gets all remaining seeds


class MoverFeatures(NamedTuple):
    """A rule set in the form that the compiled mover reads."""

    houses: int
    seeds: int
    sows_store: bool  # the own store is sown too, and a last seed there gives an extra turn
    sows_origin: bool  # a lap includes the emptied house
    capture: Capture | GrandSlam  # a Capture in rules of Kalah, a GrandSlam in rules of Oware
    must_feed: bool = False
    either_empty_ends: bool = False
    majority_ends: bool = False
    counts_rest: bool = True
    pie: bool = False


@dataclass(frozen=True, kw_only=True)
class MancalaRules(ABC):
    """Base of all rule sets. Equality compares every field."""

    # Names
    name: str
    title: str = ""
    aliases: tuple[str, ...] = ()

    # The board at the start
    houses: int = 6  # a side
    seeds: int = 4  # a house

    # Endings that depend on the moves played before
    draws: tuple[DrawRule, ...] = ()

    # Documentation
    note: str = ""
    sources: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        # Values are checked only if every field has the right type.
        problems = list(field_problems(self)) or list(_problems(self))
        if problems:
            raise InvalidRulesError(self.name, problems)

    @property
    @abstractmethod
    def features(self) -> MoverFeatures:
        """The rules in the form that the compiled mover reads."""

    @cached_property
    def mover(self) -> _core.MancalaMover:
        """The compiled form of these rules, created on first use."""
        return _core.MancalaMover(self)

    def __getstate__(self) -> dict[str, object]:
        # The compiled mover is left out; the copy creates its own.
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __str__(self) -> str:
        return self.title or self.name


@dataclass(frozen=True, kw_only=True)
class KalahRules(MancalaRules):
    """Rules of the Kalah family: the own store is sown too, and a last seed there gives an extra turn.

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
    def features(self) -> MoverFeatures:
        """The rules in the form that the compiled mover reads."""
        return MoverFeatures(
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


def is_kalah(rules: object) -> TypeGuard[KalahRules]:
    """Return whether these are rules of the Kalah family."""
    return isinstance(rules, KalahRules)


@dataclass(frozen=True, kw_only=True)
class OwareRules(MancalaRules):
    """Rules of the Oware family: stores and the emptied house are not sown, and twos and threes are captured."""

    grand_slam: GrandSlam = GrandSlam.NO_CAPTURE
    must_feed: bool = True  # an opponent without seeds must be given some, if possible
    majority_ends: bool = True  # a store with more than half of all seeds ends the game
    draws: tuple[DrawRule, ...] = (Cycle(3),)

    @property
    def features(self) -> MoverFeatures:
        """The rules in the form that the compiled mover reads."""
        return MoverFeatures(
            self.houses,
            self.seeds,
            sows_store=False,
            sows_origin=False,
            capture=self.grand_slam,
            must_feed=self.must_feed,
            majority_ends=self.majority_ends,
        )


def _problems(rules: MancalaRules) -> Iterator[str]:
    """Yield a description of each invalid field value."""
    if not rules.name.strip():
        yield "name is empty"
    if not 1 <= rules.houses <= MAX_HOUSES:
        yield f"houses must be 1 to {MAX_HOUSES}, not {rules.houses}"
    if rules.seeds < 1:
        yield f"seeds must be 1 or more, not {rules.seeds}"
    elif 2 * rules.houses * rules.seeds > MAX_SEEDS:
        yield f"{rules.seeds} seeds in each house make more than {MAX_SEEDS} on the board"
    yield from draw_problems(rules.draws)
