"""Positions as NumPy arrays and back, and functions of many positions, for draughts and mancala.

This module needs NumPy: `pip install 'tablemen[arrays]'`.

An array has one row for each position, in one of three formats, which contain the whole position:

- `planes`, for networks: from the point of view of the side to move, without the side to move itself;
- `packed`, for files: bitboards in draughts, a byte for each pit in mancala;
- `pieces`, for programs: a number for each square, or for each house and store, as players number them.

The page "Positions as arrays" of the documentation has the type, the shape and the meaning of every element. The side
to move is 0 for White or South, and 1 for Black or North. Arrays that are returned are C-contiguous and can be changed.

Functions of positions take positions of one variant, or an array with its `variant`, its `format` and, for `planes`,
`turn`. They release the interpreter's lock, and use the given number of `threads`. They read C-contiguous arrays in
blocks, without a copy of the whole array. Objects with the method `__dlpack__`, such as tensors, are arrays too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

from tablemen.actions import ActionEncoding
from tablemen.errors import ArgumentError, InvalidArrayError, TablemenError
from tablemen.family import find_variant, get_family
from tablemen.outcome import Side

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "FORMATS",
    "NOT_OVER",
    "evaluate",
    "from_array",
    "hash_keys",
    "legal_masks",
    "mirror",
    "outcomes",
    "to_array",
    "turns",
]

FORMATS = ("planes", "packed", "pieces")
NOT_OVER = 2  # the outcome of a position whose game is not over


class SupportsDlpack(Protocol):
    """An array, of NumPy or of another library that exchanges arrays by DLPack."""

    def __dlpack__(self, *args: Any, **kwargs: Any) -> Any: ...


Positions: TypeAlias = Iterable[Any] | SupportsDlpack
Turn: TypeAlias = Side | Sequence[Side | int] | SupportsDlpack | None

_SIDES = {Side.WHITE: 0, Side.BLACK: 1}


def to_array(
    positions: Iterable[Any], format: str = "planes", *, variant: Any = None, threads: int = 1
) -> NDArray[Any]:
    """Return an array with a row for each position.

    >>> from tablemen.mancala import Position
    >>> start = Position.start("kalah")
    >>> to_array([start, start.play(start.parse_move("1"))])
    array([[[4, 4, 4, 4, 4, 4, 0],
            [4, 4, 4, 4, 4, 4, 0]],
    <BLANKLINE>
           [[4, 4, 4, 4, 4, 4, 0],
            [0, 5, 5, 5, 5, 4, 0]]], dtype=uint8)

    `variant` is needed only if there are no positions. Raises `ArgumentError` if the positions have different rules,
    and `InvalidArrayError` if one does not fit in the format: it has more seeds than a byte can count, or a king made
    more than 125 quiet moves in a row, in the format `pieces`.
    """
    if _is_array(positions):
        raise ArgumentError("positions", positions, "positions, not an array")
    batch = _batch(positions, variant, format, None)
    return _create(batch.codec.write(batch.positions, threads=threads), batch.codec.dtype, batch, *batch.codec.shape)


def from_array(array: Any, variant: Any, format: str = "planes", *, turn: Turn = None) -> list[Any]:
    """Return the positions of an array, the reverse of `to_array`.

    `turn` is the side to move, or a sequence or array with that of each position, as `turns` returns it. It is needed
    for `planes`; the other formats contain it.

    >>> from tablemen.draughts import Position
    >>> position = Position.start("english")
    >>> from_array(to_array([position]), "english", turn=[position.turn]) == [position]
    True

    Raises `InvalidArrayError`, with the index of the position and the square, if a row is not a position.
    """
    if not _is_array(array):
        raise ArgumentError("array", array, "a NumPy array, or an array with the method __dlpack__")
    batch = _batch(array, variant, format, turn)
    positions: list[Any] = batch.codec.read(batch.positions, batch.turns)
    return positions


def turns(positions: Positions, *, variant: Any = None, format: str = "packed") -> NDArray[np.int8]:
    """Return the side to move of each position, 0 for White or South and 1 for Black or North, as `int8`."""
    batch = _batch(positions, variant, format, None)
    return _create(batch.codec.turns(batch.positions), "int8", batch)


def legal_masks(
    positions: Positions, encoding: ActionEncoding, *, format: str = "planes", turn: Turn = None, threads: int = 1
) -> NDArray[np.bool_]:
    """Return the legal-move masks: an array of `bool` with the shape `(n, encoding.size)`, True for a legal action.

    In the encoding `step` the actions are the first steps of the legal moves. An array must have positions of the
    encoding's variant.

    >>> from tablemen.mancala import Position
    >>> position = Position.from_text("<6,0,0,4,0,4,0,4,0,4,4,4,4,4,4> south", "kalah")
    >>> legal_masks([position], ActionEncoding("kalah", "house"))
    array([[ True, False,  True, False,  True, False]])

    Raises `ActionSpaceError` if a position has more legal moves than the encoding has numbers for.
    """
    if not isinstance(encoding, ActionEncoding):
        raise ArgumentError("encoding", encoding, "an ActionEncoding")
    batch = _batch(positions, encoding.variant, format, turn)
    masks = batch.codec.legal_masks(batch.positions, encoding.core, batch.turns, threads=threads)
    return _create(masks, "bool", batch, encoding.size)


def evaluate(  # noqa: PLR0913 - all but the positions are options
    positions: Positions,
    evaluation: Any = None,
    *,
    variant: Any = None,
    format: str = "planes",
    turn: Turn = None,
    threads: int = 1,
) -> NDArray[np.float64]:
    """Return the static evaluation of each position for the side to move, in men or in seeds, as `float64`.

    The numbers are those of `Evaluation.evaluate` and, in mancala, of `Position.evaluate`. `evaluation` is a
    `tablemen.draughts.evaluation.Evaluation`; without it, `get_evaluation` of the variant is used.
    """
    batch = _batch(positions, variant, format, turn)
    if evaluation is not None and not hasattr(evaluation, "compiled"):
        raise ArgumentError("evaluation", evaluation, "an Evaluation of the variant")
    compiled = get_family(batch.rules).search_evaluation(batch.rules, evaluation)
    if compiled is None:  # the family has one evaluation, in the core
        compiled = evaluation
    values = batch.codec.evaluate(batch.positions, compiled, batch.turns, threads=threads)
    return _create(values, "float64", batch)


def outcomes(
    positions: Positions, *, variant: Any = None, format: str = "planes", turn: Turn = None, threads: int = 1
) -> NDArray[np.int8]:
    """Return the outcome of each position for the side to move: 1 won, 0 drawn, -1 lost, 2 (`NOT_OVER`) not over.

    Like `position.outcome()`, this considers the position alone: draws that depend on the history are not detected.

    >>> from tablemen.draughts import Position
    >>> outcomes([Position.start("english"), Position.from_fen("B:W1:B", "english")])
    array([ 2, -1], dtype=int8)
    """
    batch = _batch(positions, variant, format, turn)
    return _create(batch.codec.outcomes(batch.positions, batch.turns, threads=threads), "int8", batch)


def hash_keys(
    positions: Positions, *, variant: Any = None, format: str = "planes", turn: Turn = None, threads: int = 1
) -> NDArray[np.uint64]:
    """Return the hash key of each position, as `position.hash_key`, as `uint64`."""
    batch = _batch(positions, variant, format, turn)
    return _create(batch.codec.hash_keys(batch.positions, batch.turns, threads=threads), "uint64", batch)


def mirror(
    positions: Positions, *, variant: Any = None, format: str = "planes", turn: Turn = None, threads: int = 1
) -> Any:
    """Return the mirror images: a list for positions, an array of the same format for an array.

    The board is turned by half a turn, and the sides are exchanged, as by `position.mirror()`. The other side is to
    move: the planes of a mirror image are the same, and its `turn` is `1 - turn`.

    Raises `TablemenError` if the board has no mirror image, and `ArgumentError` or `InvalidArrayError` for a position
    in which sides can still be swapped.
    """
    batch = _batch(positions, variant, format, turn)
    if not _is_array(positions):
        return [_mirror(index, position) for index, position in enumerate(batch.codec.read(batch.positions))]
    rows = batch.codec.mirror(batch.positions, batch.turns, threads=threads)
    return _create(rows, batch.codec.dtype, batch, *batch.codec.shape)


def _mirror(index: int, position: Any) -> Any:
    try:
        return position.mirror()
    except TablemenError as error:
        raise ArgumentError(f"positions[{index}]", position, f"a position with a mirror image ({error})") from None


class _Batch(NamedTuple):
    """Positions of one variant in the form that the core reads."""

    rules: Any
    codec: Any
    positions: Any  # a list, or the bytes of an array
    turns: Any  # the sides to move as bytes, if an array does not have them
    size: int


def _batch(positions: Any, variant: Any, format: str, turn: Turn) -> _Batch:
    """Check the arguments of a function of positions, except for what the core checks."""
    if _is_array(positions):
        if variant is None:
            raise ArgumentError("variant", variant, "the variant of the positions in the array")
        rules, codec = _find_codec(variant, format)
        rows = _read_array(positions, rules, codec, format)
        return _Batch(rules, codec, rows, _read_turn(turn, len(positions), codec, format), len(positions))
    if not isinstance(positions, Iterable):
        raise ArgumentError("positions", positions, "several positions, or an array")
    if turn is not None:
        raise ArgumentError("turn", turn, "None, because positions have the side to move")
    found = list(positions)
    if variant is None:
        if not found:
            raise ArgumentError("positions", found, "one position or more, or their variant")
        variant = getattr(found[0], "variant", None)
        if variant is None:
            raise ArgumentError("positions[0]", found[0], "a position")
    rules, codec = _find_codec(variant, format)
    return _Batch(rules, codec, found, None, len(found))


def _find_codec(variant: Any, format: str) -> tuple[Any, Any]:
    rules = find_variant(variant)
    return rules, get_family(rules).array_codec(rules, format)


def _is_array(positions: object) -> bool:
    """Return whether this is an array of numbers, of NumPy or of another library."""
    return hasattr(positions, "__dlpack__") and str(getattr(positions, "dtype", "")) != "object"


def _read_array(array: Any, rules: Any, codec: Any, format: str) -> Any:
    """Return the bytes of an array; they are copied only if the array is not C-contiguous."""
    np = _import_numpy()
    if not isinstance(array, np.ndarray):
        try:
            array = np.from_dlpack(array)
        except (AttributeError, BufferError, RuntimeError, TypeError, ValueError) as error:
            raise InvalidArrayError(f"expected an array that NumPy can read: {error}") from error
    if array.dtype != codec.dtype or array.ndim == 0 or array.shape[1:] != codec.shape:
        expected = f"{codec.dtype} and the shape ({', '.join(['n', *map(str, codec.shape)])})"
        got = f"{array.dtype} and the shape {array.shape}"
        raise InvalidArrayError(f"expected {expected} for the format {format} of {rules}, got {got}")
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def _read_turn(turn: Any, count: int, codec: Any, format: str) -> Any:
    """Return the sides to move as bytes, or None if the format has them."""
    np = _import_numpy()
    if codec.has_turn:
        if turn is not None:
            raise ArgumentError("turn", turn, f"None, because the format {format} has the side to move")
        return None
    expected = f"a side, or a sequence of {count} sides or numbers 0 and 1"
    if turn is None:
        raise ArgumentError("turn", turn, f"{expected}, because the format {format} does not have the side to move")
    if isinstance(turn, Side):
        return bytes([_SIDES[turn]]) * count
    try:
        sides = turn if _is_array(turn) else [_SIDES[side] if isinstance(side, Side) else side for side in turn]
        numbers = np.asarray(sides)
    except (TypeError, ValueError):
        raise ArgumentError("turn", turn, expected) from None
    if numbers.shape != (count,) or (count and numbers.dtype.kind not in {"b", "i", "u"}):
        raise ArgumentError("turn", turn, expected)
    wrong = np.flatnonzero((numbers != 0) & (numbers != 1))
    if len(wrong):
        raise ArgumentError(f"turn[{wrong[0]}]", numbers[wrong[0]].item(), "0 or 1")
    return np.ascontiguousarray(numbers.astype(np.uint8))


def _create(content: bytearray, dtype: str, batch: _Batch, *shape: int) -> NDArray[Any]:
    """Return an array with this content, which is not copied."""
    array: NDArray[Any] = _import_numpy().ndarray((batch.size, *shape), dtype, content)
    return array


def _import_numpy() -> Any:
    try:
        import numpy as np
    except ImportError:
        raise TablemenError("arrays need NumPy: pip install 'tablemen[arrays]'") from None
    return np
