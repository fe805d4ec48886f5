"""Evaluation weights: tapered pairs, for the opening and for the ending, in thousandths of a man."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from tablemen import _core
from tablemen.draughts.numbering import Playable, places
from tablemen.draughts.rules import DraughtsRules
from tablemen.errors import ArgumentError
from tablemen.number import is_whole

Pair: TypeAlias = tuple[int, int]  # for the opening and for the ending

FEATURES: tuple[str, ...] = _core.Evaluation.features
MAX_WEIGHT = 32_767
MAX_PATTERN_SQUARES = 10  # the table has three to that power weights


@dataclass(frozen=True)
class Pattern:
    """A pattern table: some squares from White's point of view, and a weight for every configuration of men on them.

    A configuration is a number in base 3: the digit of a square is 0 for empty, 1 for an own man, 2 for an enemy man,
    and the first square has the lowest digit. `table` has the pairs in this order, as little-endian 16-bit numbers.
    Black's point of view is the board turned around.
    """

    squares: tuple[int, ...]
    table: bytes

    def __post_init__(self) -> None:
        if not 1 <= len(self.squares) <= MAX_PATTERN_SQUARES:
            raise ArgumentError("squares", self.squares, f"1 to {MAX_PATTERN_SQUARES} squares")
        if len(self.table) != 4 * self.entries:
            raise ArgumentError("table", self.table, f"{4 * self.entries} bytes for {len(self.squares)} squares")

    @property
    def entries(self) -> int:
        """The number of configurations."""
        return int(3 ** len(self.squares))


@dataclass(frozen=True, kw_only=True)
class Weights:
    """The weights of an evaluation; features that `counts` does not name have the weight 0.

    `men` and `kings` are piece-square tables with a pair for every relative square: the squares from the owner's point
    of view, row by row from the far left. A board of one colour whose rows and columns add up to an odd number has
    other squares when it is turned around; there the squares of both colours are counted.
    """

    full: int  # the number of pieces from which on only the opening weights count
    counts: Mapping[str, Pair]
    men: tuple[Pair, ...]
    kings: tuple[Pair, ...]
    patterns: tuple[Pattern, ...] = ()
    origin: Mapping[str, str] = field(default_factory=dict)  # how they were made, for readers of the file

    def __post_init__(self) -> None:
        if not is_whole(self.full, least=1, most=MAX_WEIGHT):
            raise ArgumentError("full", self.full, "a number of pieces")
        unknown = [name for name in self.counts if name not in FEATURES]
        if unknown:
            raise ArgumentError("counts", unknown[0], f"one of {' '.join(FEATURES)}")
        for name, pair in self.all_pairs():
            if not _is_pair(pair):
                expected = f"a pair of whole numbers from -{MAX_WEIGHT} to {MAX_WEIGHT}"
                raise ArgumentError(name, pair, expected)

    def all_pairs(self) -> Iterator[tuple[str, Pair]]:
        """Yield the name and the value of every weight outside patterns."""
        yield from self.counts.items()
        for name, pairs in (("men", self.men), ("kings", self.kings)):
            yield from ((f"{name}[{index}]", pair) for index, pair in enumerate(pairs))

    def counted(self) -> tuple[Pair, ...]:
        """Return the weights of `FEATURES`, in that order."""
        return tuple(self.counts.get(name, (0, 0)) for name in FEATURES)


def view(rules: DraughtsRules) -> list[tuple[int, int]]:
    """Return row and column of the relative squares, in the order of `Weights.men`."""
    if rules.playable is Playable.ONE_COLOUR and (rules.rows + rules.columns) % 2:
        return [(row, column) for row in range(rules.rows) for column in range(rules.columns)]
    return list(places(rules))


def pairs(opening: Iterable[int], ending: Iterable[int]) -> tuple[Pair, ...]:
    """Pair the weights for the opening with those for the ending."""
    return tuple(zip(opening, ending, strict=True))


def _is_pair(value: object) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and all(_is_weight(number) for number in value)


def _is_weight(number: object) -> bool:
    return is_whole(number, least=-MAX_WEIGHT, most=MAX_WEIGHT)
