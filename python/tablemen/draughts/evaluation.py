"""Static evaluation of positions, in men, for the side to move: by a neural network, or tapered and linear.

Networks are described in `tablemen.draughts.network`. The value of a linear evaluation is the sum of features times
weights: material, piece-square tables, structure, mobility and pattern tables. The game phase, which is the number of
pieces, interpolates between the weights for the opening and for the ending. A board turned around with the colours
exchanged has the same value.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple, Self

from tablemen import _core
from tablemen.draughts.network import Network, read_network
from tablemen.draughts.rules import DraughtsRules
from tablemen.draughts.variants import VARIANTS, find_variant
from tablemen.draughts.weights import Weights, default_weights, material_weights, read_weights
from tablemen.errors import ArgumentError
from tablemen.outcome import Side

__all__ = ["Evaluation", "Features", "get_evaluation", "pack_position", "unpack_position"]

FOLDER = Path(__file__).parent / "weights"
NETWORK_SUFFIX = ".network"
# Fields that do not change the legal moves: names, notation, draw rules and sources.
FIELDS_WITHOUT_EFFECT = {
    *("name", "title", "aliases", "game_type", "notation", "first_square", "capture_separator"),
    *("first", "draws", "provisional", "note", "sources"),
}
_WHITE = str.maketrans("wWbB.", "11000")
_BLACK = str.maketrans("wWbB.", "00110")
_KINGS = str.maketrans("wWbB.", "01010")


class Features(NamedTuple):
    """The features of many positions as bytes, with a row for each position, for tuning weights.

    `counts`: the features of `FEATURES`, then men and kings on each relative square, those of the side to move minus
    those of the opponent, as little-endian 16-bit numbers. `phases`: the game phase, which is the share of the opening
    weights in 256ths, in the same form. `pattern_indices`: for every pattern two indices into the concatenated tables,
    as 32-bit numbers: the weight at the first is added, the weight at the second subtracted.
    """

    counts: bytes
    phases: bytes
    pattern_indices: bytes


@dataclass(frozen=True)
class Evaluation:
    """An evaluation of the positions of a rule set. Evaluations are equal if rules and weights are.

    >>> from tablemen.draughts import ENGLISH, Position
    >>> position = Position.from_fen("B:W21,22:B1,2,K3", ENGLISH)
    >>> Evaluation.material(ENGLISH).evaluate(position)
    1.4
    """

    rules: DraughtsRules
    weights: Weights | Network

    @classmethod
    def material(cls, variant: DraughtsRules | str | int) -> Self:
        """Return an evaluation of material only."""
        rules = find_variant(variant)
        return cls(rules, material_weights(rules))

    @classmethod
    def default(cls, variant: DraughtsRules | str | int) -> Self:
        """Return an evaluation with the default weights, for any rules."""
        rules = find_variant(variant)
        return cls(rules, default_weights(rules))

    @classmethod
    def read(cls, path: str | Path, variant: DraughtsRules | str | int) -> Self:
        """Return an evaluation with the weights of a file.

        Files with the suffix `.network` are networks, see `tablemen.draughts.network`; all others have the weights of a
        linear evaluation, see `tablemen.draughts.weights`.
        """
        rules, path = find_variant(variant), Path(path)
        if path.suffix == NETWORK_SUFFIX:
            return cls(rules, read_network(path, rules))
        return cls(rules, read_weights(path, rules))

    @cached_property
    def compiled(self) -> _core.Evaluation:
        """The compiled form for searches, created on first use."""
        weights = self.weights
        if isinstance(weights, Network):
            return weights.compile(self.rules)
        patterns = [(pattern.squares, pattern.table) for pattern in weights.patterns]
        return _core.Evaluation(self.rules, weights.full, weights.counted(), weights.men, weights.kings, patterns)

    def evaluate(self, position: _core.Position) -> float:
        """Return the value of the position for the side to move, in men, from -200 to 200."""
        return self.compiled.evaluate(position)

    def features(self, packed: Iterable[bytes]) -> Features:
        """Return the features of positions packed by `pack_position`.

        Raises `TablemenError` if this evaluation is a network, which has no features.
        """
        return Features(*self.compiled.rows(b"".join(packed)))

    def __getstate__(self) -> dict[str, object]:
        # Omit the compiled form: the copy creates its own.
        return {field.name: getattr(self, field.name) for field in fields(self)}


def pack_position(position: _core.Position) -> bytes:
    """Pack a position into bytes: the side to move, then bitboards of White's pieces, Black's pieces and the kings.

    The kings' quiet moves in a row are not packed.

    >>> from tablemen.draughts import ENGLISH, Position
    >>> pack_position(Position.from_fen("B:W32:BK1,2", ENGLISH)).hex(" ", 4)
    '01 00000080 03000000 01000000'
    """
    letters = position.letters()[::-1]
    size = (len(letters) + 7) // 8
    sets = (int(letters.translate(table), 2).to_bytes(size, "little") for table in (_WHITE, _BLACK, _KINGS))
    return bytes([position.turn is Side.BLACK]) + b"".join(sets)


def unpack_position(packed: bytes, variant: DraughtsRules | str | int) -> _core.Position:
    """Unpack a position. Raises `ArgumentError` if the bytes are not a position of the variant.

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
        raise ArgumentError("packed", packed, f"a packed position of {rules}")
    letters = "".join(
        ".wb"[white >> square & 1 | (black >> square & 1) << 1]
        if not kings >> square & 1
        else "BW"[white >> square & 1]
        for square in range(count)
    )
    return _core.Position.from_letters(letters, rules, Side.BLACK if packed[0] else Side.WHITE)


@lru_cache(maxsize=64)
def get_evaluation(variant: DraughtsRules | str | int) -> Evaluation:
    """Return the best evaluation for a variant: a network or tuned weights if it has any, else the default weights.

    Custom rules use the weights of a known variant if they differ from it only in names, notation, draw rules and the
    side that begins.

    >>> get_evaluation("english").rules.name
    'english'
    """
    rules = find_variant(variant)
    candidates = (known for known in VARIANTS.values() if _has_same_play(rules, known))
    for known in sorted(candidates, key=lambda known: known.name != rules.name):
        network, weights = (FOLDER / f"{known.name}{suffix}" for suffix in (NETWORK_SUFFIX, ".weights"))
        if network.exists():
            return Evaluation(rules, read_network(network, known))
        if weights.exists():
            return Evaluation(rules, _renumber(read_weights(weights, known), known, rules))
    return Evaluation.default(rules)


def _has_same_play(rules: DraughtsRules, known: DraughtsRules) -> bool:
    """Return whether the same moves are legal under both rules."""
    names = (field.name for field in fields(rules) if field.name not in FIELDS_WITHOUT_EFFECT)
    return all(getattr(rules, name) == getattr(known, name) for name in names)


def _renumber(weights: Weights, known: DraughtsRules, rules: DraughtsRules) -> Weights:
    """Return the weights with the squares of patterns numbered as in other rules on the same board."""
    numbers = {int(old): int(new) for old, new in zip(known.mover.squares, rules.mover.squares, strict=True)}
    patterns = (replace(each, squares=tuple(numbers[square] for square in each.squares)) for each in weights.patterns)
    return replace(weights, patterns=tuple(patterns))
