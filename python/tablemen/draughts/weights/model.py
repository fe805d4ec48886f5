"""Evaluation weights and their defaults: tapered pairs, for opening and ending, in thousandths of a man."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from tablemen import _core
from tablemen.draughts.board import Playable, places
from tablemen.draughts.rules import DraughtsRules
from tablemen.errors import ArgumentError
from tablemen.validation import is_whole

Pair: TypeAlias = tuple[int, int]  # for the opening and for the ending

FEATURES: tuple[str, ...] = _core.Evaluation.features
MAX_WEIGHT = 32_767
MAX_PATTERN_SQUARES = 10  # the table has three to that power weights

# Default weights
MAN = 1000
FLYING_KING, SHORT_KING = 3000, 1400
FURTHER_FLYING_KING = 2000  # with flying kings, further kings add less than the first


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


def relative_squares(rules: DraughtsRules) -> list[tuple[int, int]]:
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


def material_weights(rules: DraughtsRules) -> Weights:
    """Return weights for material only. They are negative if the side without a move wins.

    >>> from tablemen.draughts import VARIANTS
    >>> [material_weights(VARIANTS[name]).counts["man"] for name in ("russian", "poddavki")]
    [(1000, 1000), (-1000, -1000)]
    """
    nothing = ((0, 0),) * len(relative_squares(rules))
    return Weights(full=full_board(rules), counts=_material(rules), men=nothing, kings=nothing)


def default_weights(rules: DraughtsRules) -> Weights:
    """Return default weights: material, advanced and supported men, mobility of men and kings.

    >>> from tablemen.draughts import INTERNATIONAL
    >>> default_weights(INTERNATIONAL).counts["man"]
    (1000, 1000)
    """
    men, kings = _men(rules), _kings(rules)
    counts = _material(rules) | _standing(rules)
    if rules.losing:
        # No piece-square tables are known for losing variants.
        men = kings = ((0, 0),) * len(men)
        counts = _material(rules) | {"step": (20, 40), "turn": (30, 30)}
    return Weights(full=full_board(rules), counts=counts, men=men, kings=kings)


def full_board(rules: DraughtsRules) -> int:
    """Return the number of pieces at the start, or that of a half full board if it is greater."""
    squares = rules.rows * rules.columns // (1 if rules.playable is Playable.ALL else 2)
    start = 2 * rules.start_rows * squares // rules.rows
    return max(start, squares // 2)


def _material(rules: DraughtsRules) -> dict[str, Pair]:
    king = FLYING_KING if rules.flying_kings else SHORT_KING
    further = FURTHER_FLYING_KING if rules.flying_kings else SHORT_KING
    sign = -1 if rules.losing else 1
    if rules.losing:
        king = further = MAN
    return {
        "man": (sign * MAN, sign * MAN),
        "king": (sign * king, sign * king),
        "further_king": (sign * further, sign * further),
    }


def _standing(rules: DraughtsRules) -> dict[str, Pair]:
    """Return the weights for structure and mobility."""
    runner = (500, 1500) if rules.breakthrough else (150, 300)
    lone_kings = {"further_king_against_king": (-800, -1500)} if rules.flying_kings else {}
    return lone_kings | {
        "turn": (30, 30),
        "support": (12, 6),
        "loose": (-8, -4),
        "hanging": (-150, -150),
        "step": (6, 12),
        "stuck": (-6, -20),
        "runner": runner,
        "imbalance": (-10, -5),
        "king_reach": (8, 8),
        "king_denied": (-2, -2),
        "king_trapped": (-300, -300) if rules.flying_kings else (-100, -100),
    }


def _men(rules: DraughtsRules) -> tuple[Pair, ...]:
    """Return the piece-square table of men: better when advanced, on the own first row and in the centre."""
    last = rules.rows - 1
    goal = 1200 if rules.breakthrough else 250

    def opening(row: int, column: int) -> float:
        way = (last - row) / last
        home = 0.08 if row == last and not rules.breakthrough else 0
        return MAN * (home + 0.04 * way + 0.03 * _centre(column, rules.columns)) + 0.4 * goal * way**3

    def ending(row: int, _column: int) -> float:
        way = (last - row) / last
        return 0.06 * MAN * way + goal * way**3

    return _piece_square_table(rules, opening, ending)


def _kings(rules: DraughtsRules) -> tuple[Pair, ...]:
    """Return the piece-square table of kings: better in the centre than on the edges."""

    def value(row: int, column: int) -> float:
        return 0.1 * MAN * (_centre(column, rules.columns) + _centre(row, rules.rows) - 1)

    return _piece_square_table(rules, value, value)


def _centre(place: int, size: int) -> float:
    """Return 1 in the middle of a row or column, 0 at its ends."""
    return 1 - abs(2 * place - (size - 1)) / (size - 1)


def _piece_square_table(
    rules: DraughtsRules, opening: Callable[[int, int], float], ending: Callable[[int, int], float]
) -> tuple[Pair, ...]:
    squares = relative_squares(rules)
    return pairs((round(opening(*square)) for square in squares), (round(ending(*square)) for square in squares))
