"""What a position is worth to the side to move, in men, where nothing is decided yet.

The value is a sum: counts of what both sides have, each times its weight, blended between the opening and the ending by
the number of pieces. It is the same for a board turned around with the colours exchanged.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple, Self

from tablemen import _core
from tablemen.draughts.rules import DraughtsRules
from tablemen.draughts.variants import VARIANTS, find_variant
from tablemen.draughts.weights import Weights, default_weights, material_weights, read_weights
from tablemen.errors import ArgumentError
from tablemen.outcome import Side

__all__ = ["Evaluation", "Features", "evaluation_of", "pack_position", "unpack_position"]

FOLDER = Path(__file__).parent / "weights"
# Fields that say how a variant is called and written, when its games are drawn, and what is known of it.
NOT_PLAY = {
    *("name", "title", "aliases", "game_type", "notation", "first_square", "capture_separator"),
    *("first", "draws", "provisional", "note", "sources"),
}
_WHITE = str.maketrans("wWbB.", "11000")
_BLACK = str.maketrans("wWbB.", "00110")
_KINGS = str.maketrans("wWbB.", "01010")


class Features(NamedTuple):
    """The features of many positions as bytes, a row for each, for fitting weights to them.

    `counts`: the features of `FEATURES`, then men and kings on each square that a side sees, the mover's less the
    other's, as 16-bit numbers, the lower byte first. `shares`: how much the opening counts, of 256, in the same form.
    `looks`: for every pattern two places in the tables put one after the other, as 32-bit numbers: the weight at the
    first is added, that at the second taken off.
    """

    counts: bytes
    shares: bytes
    looks: bytes


@dataclass(frozen=True)
class Evaluation:
    """Weights for the positions of a rule set. Evaluations are equal when rules and weights are.

    >>> from tablemen.draughts import ENGLISH, Position
    >>> position = Position.from_fen("B:W21,22:B1,2,K3", ENGLISH)
    >>> Evaluation.material(ENGLISH).evaluate(position)
    1.4
    """

    rules: DraughtsRules
    weights: Weights

    @classmethod
    def material(cls, variant: DraughtsRules | str | int) -> Self:
        """Men and kings, and nothing else."""
        rules = find_variant(variant)
        return cls(rules, material_weights(rules))

    @classmethod
    def default(cls, variant: DraughtsRules | str | int) -> Self:
        """Weights by rule of thumb, for any rules."""
        rules = find_variant(variant)
        return cls(rules, default_weights(rules))

    @classmethod
    def read(cls, path: str | Path, variant: DraughtsRules | str | int) -> Self:
        """The evaluation with the weights of a file: see `tablemen.draughts.weights`."""
        rules = find_variant(variant)
        return cls(rules, read_weights(Path(path), rules))

    @cached_property
    def compiled(self) -> _core.Evaluation:
        """The form that searches read, made when first used."""
        weights = self.weights
        patterns = [(pattern.squares, pattern.table) for pattern in weights.patterns]
        return _core.Evaluation(self.rules, weights.full, weights.counted(), weights.men, weights.kings, patterns)

    def evaluate(self, position: _core.Position) -> float:
        """What the position is worth to the side to move, in men; never beyond 200."""
        return self.compiled.evaluate(position)

    def features(self, packed: Iterable[bytes]) -> Features:
        """The features of positions that `pack_position` has packed."""
        return Features(*self.compiled.rows(b"".join(packed)))

    def __getstate__(self) -> dict[str, object]:
        # Without the compiled form, which is made again where the copy is used.
        return {field.name: getattr(self, field.name) for field in fields(self)}


def pack_position(position: _core.Position) -> bytes:
    """A position in few bytes: the side to move, then sets of squares: White's pieces, Black's, and the kings.

    What a king has done before is not in it.

    >>> from tablemen.draughts import ENGLISH, Position
    >>> pack_position(Position.from_fen("B:W32:BK1,2", ENGLISH)).hex(" ", 4)
    '01 00000080 03000000 01000000'
    """
    letters = position.letters()[::-1]
    size = (len(letters) + 7) // 8
    sets = (int(letters.translate(table), 2).to_bytes(size, "little") for table in (_WHITE, _BLACK, _KINGS))
    return bytes([position.turn is Side.BLACK]) + b"".join(sets)


def unpack_position(packed: bytes, variant: DraughtsRules | str | int) -> _core.Position:
    """The position that was packed.

    >>> from tablemen.draughts import ENGLISH, Position
    >>> unpack_position(pack_position(Position.start(ENGLISH)), ENGLISH) == Position.start(ENGLISH)
    True
    """
    rules = find_variant(variant)
    count = len(rules.mover.squares)
    size = (count + 7) // 8
    if len(packed) != 1 + 3 * size:
        raise ArgumentError("packed", packed, f"{1 + 3 * size} bytes")
    white, black, kings = (int.from_bytes(packed[1 + size * at :][:size], "little") for at in range(3))
    if packed[0] > 1 or white & black or kings & ~(white | black) or (white | black) >> count:
        raise ArgumentError("packed", packed, f"a position of {rules}")
    letters = "".join(
        ".wb"[white >> square & 1 | (black >> square & 1) << 1]
        if not kings >> square & 1
        else "BW"[white >> square & 1]
        for square in range(count)
    )
    return _core.Position.from_letters(letters, rules, Side.BLACK if packed[0] else Side.WHITE)


@lru_cache(maxsize=64)
def evaluation_of(variant: DraughtsRules | str | int) -> Evaluation:
    """The best evaluation that there is for a variant: with trained weights where there are some, else the default.

    Rules of one's own have the weights of a known variant where they differ from it in names, draws and the side that
    begins only.

    >>> evaluation_of("english").rules.name
    'english'
    """
    rules = find_variant(variant)
    alike = (known for known in VARIANTS.values() if _plays_like(rules, known))
    for known in sorted(alike, key=lambda known: known.name != rules.name):
        path = FOLDER / f"{known.name}.weights"
        if path.exists():
            return Evaluation(rules, _renumbered(read_weights(path, known), known, rules))
    return Evaluation.default(rules)


def _plays_like(rules: DraughtsRules, known: DraughtsRules) -> bool:
    played = (field.name for field in fields(rules) if field.name not in NOT_PLAY)
    return all(getattr(rules, name) == getattr(known, name) for name in played)


def _renumbered(weights: Weights, known: DraughtsRules, rules: DraughtsRules) -> Weights:
    """The weights with the squares of patterns as other rules number them on the same board."""
    numbers = {int(old): int(new) for old, new in zip(known.mover.squares, rules.mover.squares, strict=True)}
    patterns = (replace(each, squares=tuple(numbers[square] for square in each.squares)) for each in weights.patterns)
    return replace(weights, patterns=tuple(patterns))
