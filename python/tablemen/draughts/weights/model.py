"""Weights as values. They are whole thousandths of a man, each a pair: for the opening and for the ending."""

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
LARGEST_WEIGHT = 32_767
LARGEST_PATTERN = 10  # squares: three to that power weights


@dataclass(frozen=True)
class Pattern:
    """Some squares as White sees them, and a weight for every way that men can stand on them.

    The number of a way is the sum, over the squares, of 3 to the power of the square's place in the list: once where a
    man of one's own stands, twice where an enemy man does. `table` has the pairs in this order, each number in two
    bytes, the lower one first. Black sees the same squares on the board turned around.
    """

    squares: tuple[int, ...]
    table: bytes

    def __post_init__(self) -> None:
        if not 1 <= len(self.squares) <= LARGEST_PATTERN:
            raise ArgumentError("squares", self.squares, f"1 to {LARGEST_PATTERN} squares")
        if len(self.table) != 4 * self.entries:
            raise ArgumentError("table", self.table, f"{4 * self.entries} bytes for {len(self.squares)} squares")

    @property
    def entries(self) -> int:
        """How many ways there are."""
        return int(3 ** len(self.squares))


@dataclass(frozen=True, kw_only=True)
class Weights:
    """The weights of an evaluation; what `counts` does not name weighs nothing.

    `men` and `kings` have a pair for every square that a side sees, row by row from the far left of the board as that
    side looks at it. These are the squares of the board; but a board of one colour that has an odd number of rows and
    columns together has other squares when it is turned around, and there all squares of both colours are counted.
    """

    full: int  # the number of pieces from which on the opening counts alone
    counts: Mapping[str, Pair]
    men: tuple[Pair, ...]
    kings: tuple[Pair, ...]
    patterns: tuple[Pattern, ...] = ()
    origin: Mapping[str, str] = field(default_factory=dict)  # how they were made, for the reader of a file

    def __post_init__(self) -> None:
        if not is_whole(self.full, least=1, most=LARGEST_WEIGHT):
            raise ArgumentError("full", self.full, "a number of pieces")
        unknown = [name for name in self.counts if name not in FEATURES]
        if unknown:
            raise ArgumentError("counts", unknown[0], f"one of {' '.join(FEATURES)}")
        for name, pair in self.all_pairs():
            if not _is_pair(pair):
                expected = f"a pair of whole numbers from -{LARGEST_WEIGHT} to {LARGEST_WEIGHT}"
                raise ArgumentError(name, pair, expected)

    def all_pairs(self) -> Iterator[tuple[str, Pair]]:
        """Every weight that stands by itself, with what it is called."""
        yield from self.counts.items()
        for name, pairs in (("men", self.men), ("kings", self.kings)):
            yield from ((f"{name}[{index}]", pair) for index, pair in enumerate(pairs))

    def counted(self) -> tuple[Pair, ...]:
        """The weights of `FEATURES`, in that order."""
        return tuple(self.counts.get(name, (0, 0)) for name in FEATURES)


def view(rules: DraughtsRules) -> list[tuple[int, int]]:
    """Row and column of the squares that a side sees, from the far left: what `Weights.men` is about."""
    if rules.playable is Playable.ONE_COLOUR and (rules.rows + rules.columns) % 2:
        return [(row, column) for row in range(rules.rows) for column in range(rules.columns)]
    return list(places(rules))


def pairs(opening: Iterable[int], ending: Iterable[int]) -> tuple[Pair, ...]:
    """Weights for the opening and those for the ending, together."""
    return tuple(zip(opening, ending, strict=True))


def _is_pair(value: object) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and all(_is_weight(number) for number in value)


def _is_weight(number: object) -> bool:
    return is_whole(number, least=-LARGEST_WEIGHT, most=LARGEST_WEIGHT)
