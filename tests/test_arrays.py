"""Positions as arrays: every format and every function of positions, against the methods of the positions."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tablemen import ArgumentError, Side, TablemenError, UnknownVariantError, WorkLimitError, arrays, work_limit
from tablemen import draughts as dr
from tablemen import mancala as ma
from tablemen.actions import ActionEncoding
from tablemen.draughts.evaluation import Evaluation, get_evaluation, pack_position
from tablemen.errors import ActionSpaceError, InvalidArrayError
from tests import strategies
from tests.mancala import strategies as mancala_strategies

SIDES = (Side.WHITE, Side.BLACK)  # in mancala South and North
CROWDED = "W:WK46:B37,28,19,38,29"  # a capture that can end on six squares
MAX_LIMIT = 1024  # the maximum of the numbers of moves that an encoding can have
BLOCK = 1 << 16  # the number of rows that the core copies at a time

Expected = Callable[[Any, str], NDArray[Any]]


def draughts_row(position: dr.Position, name: str) -> NDArray[Any]:
    """Return the row of a position, as the documentation defines it."""
    rules, turn = position.variant, position.turn
    runs, has_runs = position.king_runs, rules.king_move_limit > 0
    pieces = position.piece_map()
    if name == "planes":
        planes = np.zeros((6 if has_runs else 4, rules.rows, rules.columns), np.uint8)
        for square, piece in pieces.items():
            planes[2 * (piece.side is not turn) + (piece.kind is dr.Kind.KING), square.row, square.column] = 1
        for side, (square, moves) in runs.items():
            planes[4 + (side is not turn), square.row, square.column] = moves
        return planes if turn is Side.WHITE else planes[:, ::-1, ::-1]
    if name == "packed":
        row, squares = pack_position(position), rules.mover.squares
        for side in SIDES if has_runs else ():
            square, moves = runs.get(side, (squares[0], 0))
            row += squares.index(square).to_bytes(2, "little") + bytes([moves])
        return np.frombuffer(row, np.uint8)
    numbers = np.zeros(1 + len(rules.mover.squares), np.int8)
    numbers[0] = SIDES.index(turn)
    for square, piece in pieces.items():
        numbers[square] = (1 + (piece.kind is dr.Kind.KING)) * (1 if piece.side is Side.WHITE else -1)
    for side, (square, moves) in runs.items():
        numbers[square] += moves if side is Side.WHITE else -moves
    return numbers


def mancala_row(position: ma.Position, name: str) -> NDArray[Any]:
    """Return the row of a position, as the documentation defines it."""
    south, north = ([*position.houses(side), position.stores[side]] for side in SIDES)
    turn, swap_open = SIDES.index(position.turn), int(position.swap_open)
    if name == "planes":
        rows = [north, south] if turn else [south, north]
        has_swap = position.variant.features.pie
        return np.array([*rows, *([[swap_open] * len(south)] if has_swap else [])], np.uint8)
    if name == "packed":
        return np.array([turn + 2 * swap_open, *south, *north], np.uint8)
    return np.array([turn, swap_open, *south, *north], np.uint16)


def fits(position: Any, name: str) -> bool:
    """Return whether the seeds of a position fit in the bytes of a format."""
    if isinstance(position, dr.Position) or name == "pieces":
        return True
    pits = [seeds for side in SIDES for seeds in (*position.houses(side), position.stores[side])]
    most: int = sum(pits) if name == "planes" else max(pits)
    return most <= 255


def mask(position: Any, encoding: ActionEncoding) -> NDArray[np.bool_]:
    legal = np.zeros(encoding.size, bool)
    legal[[encoding.encode_steps(position, move)[0] for move in position.legal_moves()]] = True
    return legal


def outcome_code(position: Any) -> int:
    outcome = position.outcome()
    if outcome is None:
        return arrays.NOT_OVER
    return 0 if outcome.winner is None else 1 if outcome.winner is position.turn else -1


def has_mirror(position: Any) -> bool:
    try:
        position.mirror()
    except TablemenError:
        return False
    return True


def check(
    positions: Sequence[Any], expected: Expected, encodings: Sequence[ActionEncoding], values: list[float], threads: int
) -> None:
    """Check all formats and functions for positions of one variant."""
    rules = positions[0].variant
    sides = [position.turn for position in positions]
    results: list[tuple[Callable[..., NDArray[Any]], list[Any], type[np.generic]]] = [
        (arrays.outcomes, [outcome_code(position) for position in positions], np.int8),
        (arrays.hash_keys, [position.hash_key for position in positions], np.uint64),
        (arrays.evaluate, values, np.float64),
    ]
    for encoding in encodings:
        masks = [mask(position, encoding) for position in positions]

        def legal_masks(given: Any, encoding: ActionEncoding = encoding, **options: Any) -> NDArray[np.bool_]:
            options.pop("variant", None)  # the encoding has it
            return arrays.legal_masks(given, encoding, **options)

        results.append((legal_masks, masks, np.bool_))
    subjects: list[tuple[Any, dict[str, Any]]] = [(positions, {})]
    for name in arrays.FORMATS:
        if not all(fits(position, name) for position in positions):
            continue
        array = arrays.to_array(positions, name, threads=threads)
        rows = np.stack([expected(position, name) for position in positions])
        assert (array.dtype, array.shape) == (rows.dtype, rows.shape)
        assert array.flags.c_contiguous
        assert array.flags.writeable
        assert (array == rows).all()
        turn = arrays.turns(positions) if name == "planes" else None
        assert arrays.from_array(array, rules, name, turn=turn) == positions
        assert name == "planes" or (arrays.turns(array, variant=rules, format=name) == arrays.turns(positions)).all()
        subjects.append((array, {"variant": rules, "format": name, "turn": turn}))
        if all(map(has_mirror, positions)):
            mirrored = arrays.mirror(array, variant=rules, format=name, turn=turn, threads=threads)
            turned = None if turn is None else 1 - turn
            found = arrays.from_array(mirrored, rules, name, turn=turned)
            assert found == arrays.mirror(positions) == [position.mirror() for position in positions]
    for function, wanted, dtype in results:
        for subject, options in subjects:
            result = function(subject, threads=threads, **options)
            assert result.dtype == dtype
            assert (result == np.array(wanted, dtype)).all()
    found_sides = arrays.turns(positions)
    assert found_sides.dtype == np.int8
    assert [SIDES[number] for number in found_sides] == sides


def check_draughts(positions: list[dr.Position], threads: int = 1) -> None:
    rules = positions[0].variant
    encodings = [ActionEncoding(rules, "slot", limit=MAX_LIMIT)]
    if len(rules.mover.squares) <= 100:
        encodings += [ActionEncoding(rules, "step")]
    evaluation = get_evaluation(rules)
    check(positions, draughts_row, encodings, [evaluation.evaluate(each) for each in positions], threads)


THREADS = st.integers(1, 3)


@pytest.mark.parametrize("name", dr.VARIANTS)
@settings(max_examples=3)
@given(st.data())
def test_variants_of_draughts(name: str, data: st.DataObject) -> None:
    positions = strategies.positions(st.just(dr.VARIANTS[name]))
    check_draughts(data.draw(st.lists(positions, min_size=1, max_size=4)), data.draw(THREADS))


@settings(max_examples=40)
@given(st.data())
def test_custom_rules_of_draughts(data: st.DataObject) -> None:
    positions = strategies.positions(st.just(data.draw(strategies.custom_rules())))
    found = data.draw(st.lists(positions, min_size=1, max_size=3))
    if all(len(each.legal_moves()) <= MAX_LIMIT for each in found):
        check_draughts(found, data.draw(THREADS))


@settings(max_examples=40)
@given(st.data())
def test_mancala(data: st.DataObject) -> None:
    rules = data.draw(mancala_strategies.rule_sets())
    positions = data.draw(st.lists(mancala_strategies.positions(st.just(rules)), min_size=1, max_size=4))
    encodings = [ActionEncoding(rules, name) for name in ("slot", "house")]
    check(positions, mancala_row, encodings, [each.evaluate() for each in positions], data.draw(THREADS))


def read(array: NDArray[Any], rules: Any, **options: Any) -> list[Any] | InvalidArrayError:
    """Return the positions of an array, or the error."""
    try:
        return arrays.from_array(array, rules, **options)
    except InvalidArrayError as error:
        return error


RULES_WITH_ARRAYS = st.one_of(
    strategies.variants(), mancala_strategies.rule_sets().filter(lambda rules: rules.houses < 10)
)


@settings(max_examples=100)
@given(RULES_WITH_ARRAYS, st.sampled_from(arrays.FORMATS), strategies.SEEDS)
def test_any_array_is_a_position_or_an_error(rules: Any, name: str, seed: int) -> None:
    random = Random(seed)
    start = (dr if isinstance(rules, dr.DraughtsRules) else ma).Position.start(rules)
    array = arrays.to_array([start] * 3, name)
    for _ in range(random.choice((1, 2, 20))):
        changed = array[random.randrange(3)].reshape(-1)
        values = (0, 1, 2, 3, 255, random.randrange(256))
        changed[random.randrange(len(changed))] = np.uint8(random.choice(values)).astype(array.dtype)
    turn = np.array([random.randrange(2) for _ in range(3)]) if name == "planes" else None
    options: dict[str, Any] = {"turn": turn, "format": name}
    positions = read(array, rules, **options)
    if isinstance(positions, InvalidArrayError):
        assert positions.index in range(3)
        with pytest.raises(InvalidArrayError) as raised:
            arrays.hash_keys(array, variant=rules, threads=2, **options)
        assert raised.value.args == positions.args
        return
    assert list(arrays.hash_keys(array, variant=rules, **options)) == [each.hash_key for each in positions]
    # Runs of kings that do not change the legal moves are dropped.
    if getattr(rules, "king_move_limit", 0) == 0 and all(fits(each, name) for each in positions):
        assert (arrays.to_array(positions, name) == array).all()


@pytest.mark.parametrize(
    ("rules", "name", "element", "value", "square"),
    [
        ("english", "planes", (0, 7, 0), 2, 4),  # Black is to move
        ("english", "planes", (2, 7, 0), 1, 4),  # a second piece
        ("english", "planes", (0, 0, 0), 1, None),  # not playable
        ("frisian", "planes", (4, 9, 0), 1, 46),  # a run of a man
        ("english", "packed", (0,), 2, None),
        ("english", "packed", (8,), 0x10, 29),  # a man of both sides
        ("english", "packed", (10,), 0x10, 13),  # a king on an empty square
        ("international", "packed", (7,), 0x80, None),  # a bit after the last square
        ("frisian", "packed", (22,), 50, None),  # the square of a run without moves
        ("frisian", "packed", (24,), 1, 1),  # a run of White on a square of Black
        ("english", "pieces", (0,), 2, None),
        ("english", "pieces", (20,), 3, 20),
        ("russian", "pieces", (20,), -128, "h4"),
        ("frisian", "pieces", (20,), 6, 20),
        ("kalah", "packed", (0,), 2, None),
        ("kalah", "pieces", (0,), 2, None),
        ("kalah", "pieces", (1,), 1, None),
    ],
)
def test_wrong_elements(rules: str, name: str, element: tuple[int, ...], value: int, square: int | str | None) -> None:
    start = (ma if rules == "kalah" else dr).Position.start(rules)
    array = arrays.to_array([start] * 2, name)
    array[(1, *element)] = value
    with pytest.raises(InvalidArrayError) as raised:
        arrays.from_array(array, rules, name, turn=start.turn if name == "planes" else None)
    error = raised.value
    found = error.square if isinstance(square, int) or error.square is None else error.square.name
    assert (error.index, error.element, found) == (1, (1, *element), square)
    assert str(error).startswith(f"array[1, {element[0]}")


def test_runs_of_kings() -> None:
    frisian = dr.VARIANTS["frisian"]
    position = dr.Position.from_fen("W:W31,K46:B1,K5", frisian).replace(
        king_runs={Side.WHITE: (46, 2), Side.BLACK: (5, 1)}
    )
    array = arrays.to_array([position], "pieces")
    assert (array[0, 46], array[0, 5]) == (4, -3)
    array[0, 5] = -7
    with pytest.raises(InvalidArrayError):
        arrays.from_array(array, frisian, "pieces")
    long = replace(frisian, name="long", king_move_limit=255)
    position = dr.Position.from_fen("W:W31,K46:B1,K5", long).replace(king_runs={Side.WHITE: (46, 126)})
    with pytest.raises(InvalidArrayError) as raised:
        arrays.to_array([position.mirror(), position], "pieces")
    assert (raised.value.index, raised.value.square) == (0, 5)
    for name in ("planes", "packed"):
        turn = Side.WHITE if name == "planes" else None
        assert arrays.from_array(arrays.to_array([position], name), long, name, turn=turn) == [position]


def test_seeds_that_do_not_fit() -> None:
    many = ma.Position("kalah", ma.SOUTH, houses={side: [40] * 6 for side in SIDES})
    more = many.replace(houses={Side.WHITE: [300, 0, 0, 0, 0, 0]})
    for name, positions in (("planes", [many]), ("packed", [many, more])):
        with pytest.raises(InvalidArrayError) as raised:
            arrays.to_array(positions, name)
        assert raised.value.index == len(positions) - 1
    array = arrays.to_array([more], "pieces")
    assert arrays.from_array(array, "kalah", "pieces") == [more]
    array[0, 3] = 65535
    with pytest.raises(InvalidArrayError) as raised:
        arrays.from_array(array, "kalah", "pieces")
    assert (raised.value.index, raised.value.element) == (0, None)


@pytest.mark.parametrize(
    "array",
    [
        np.zeros((2, 4, 8, 8), np.int8),
        np.zeros((2, 4, 8, 8), np.float64),
        np.zeros((2, 4, 8, 8), bool),
        np.zeros((2, 6, 8, 8), np.uint8),
        np.zeros((4, 8, 8), np.uint8),
        np.zeros((2, 4, 64), np.uint8),
        np.array(0, np.uint8),
    ],
    ids=lambda array: f"{array.dtype}{array.shape}",
)
def test_wrong_types_and_shapes(array: NDArray[Any]) -> None:
    for call in (arrays.from_array, lambda *args, **options: arrays.outcomes(args[0], variant=args[1], **options)):
        with pytest.raises(InvalidArrayError) as raised:
            call(array, "english", turn=Side.WHITE)
        assert (raised.value.index, raised.value.element) == (None, None)
        assert "(n, 4, 8, 8)" in raised.value.problem


def test_byte_order_is_part_of_the_type() -> None:
    array = arrays.to_array([ma.Position.start("kalah")], "pieces")
    swapped = array.astype(array.dtype.newbyteorder())
    assert (swapped == array).all()
    with pytest.raises(InvalidArrayError):
        arrays.from_array(swapped, "kalah", "pieces")


START: Any = dr.Position.start("english")
KALAH_START = ma.Position.start("kalah")
TEXT: Any = "white"  # of a wrong type
PLANES = arrays.to_array([START] * 2)
PACKED = arrays.to_array([START] * 2, "packed")


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: arrays.to_array([START, dr.Position.start("russian")]), "positions[1]"),
        (lambda: arrays.to_array([START, KALAH_START]), "positions[1]"),
        (lambda: arrays.hash_keys([START, None]), "positions[1]"),
        (lambda: arrays.hash_keys([1]), "positions[0]"),
        (lambda: arrays.outcomes([START], variant="russian"), "positions[0]"),
        (lambda: arrays.outcomes(START), "positions"),
        (lambda: arrays.outcomes([]), "positions"),
        (lambda: arrays.to_array(PLANES), "positions"),
        (lambda: arrays.from_array([START], "english"), "array"),
        (lambda: arrays.to_array([START], "pictures"), "format"),
        (lambda: arrays.to_array([KALAH_START], "pictures"), "format"),
        (lambda: arrays.outcomes(PLANES, turn=Side.WHITE), "variant"),
        (lambda: arrays.outcomes(PLANES, variant="english"), "turn"),
        (lambda: arrays.outcomes([START], turn=Side.WHITE), "turn"),
        (lambda: arrays.from_array(PACKED, "english", "packed", turn=Side.WHITE), "turn"),
        (lambda: arrays.from_array(PLANES, "english", turn=[Side.WHITE]), "turn"),
        (lambda: arrays.from_array(PLANES, "english", turn=np.zeros(2)), "turn"),
        (lambda: arrays.from_array(PLANES, "english", turn=[TEXT, TEXT]), "turn"),
        (lambda: arrays.from_array(PLANES, "english", turn=TEXT), "turn"),
        (lambda: arrays.from_array(PLANES, "english", turn=[0, 2]), "turn[1]"),
        (lambda: arrays.outcomes([START], threads=0), "threads"),
        (lambda: arrays.legal_masks([START], TEXT), "encoding"),
        (lambda: arrays.legal_masks([START], ActionEncoding("russian")), "positions[0]"),
        (lambda: arrays.evaluate([START], "best"), "evaluation"),
        (lambda: arrays.evaluate([KALAH_START], Evaluation.material("english")), "evaluation"),
        (lambda: arrays.mirror([START, dr.Position.start("russian")]), "positions[1]"),
    ],
)
def test_wrong_arguments(call: Callable[[], object], name: str) -> None:
    with pytest.raises(ArgumentError) as raised:
        call()
    assert raised.value.name == name


def test_evaluations() -> None:
    material = Evaluation.material("english")
    position = dr.Position.from_fen("B:W21,22:B1,2,K3", "english")
    assert list(arrays.evaluate([position] * 2, material)) == [material.evaluate(position)] * 2
    with pytest.raises(TablemenError):
        arrays.evaluate([position], Evaluation.material("russian"))


def test_too_many_moves() -> None:
    position = dr.Position.from_fen(CROWDED, "international")
    encoding = ActionEncoding("international", "slot", limit=5)
    array = arrays.to_array([dr.Position.from_fen("W:W31:B1", "international"), position], "pieces")
    for subject in ([position], array):
        with pytest.raises(ActionSpaceError) as raised:
            arrays.legal_masks(subject, encoding, format="pieces")
        assert (raised.value.position, raised.value.moves, raised.value.limit) == (position, 6, 5)


def test_no_mirror_image() -> None:
    odd = replace(dr.ENGLISH, name="odd", columns=7)
    with pytest.raises(TablemenError):
        arrays.mirror(arrays.to_array([dr.Position.start(odd)]), variant=odd, turn=Side.BLACK)
    with pytest.raises(ArgumentError) as raised:
        arrays.mirror([dr.Position.start(odd)])
    assert raised.value.name == "positions[0]"
    swap = replace(ma.KALAH, name="swap", swap=ma.Swap.PIE)
    start = ma.Position.start(swap)
    array = arrays.to_array([start.replace(swap_open=False), start], "packed")
    with pytest.raises(InvalidArrayError) as invalid:
        arrays.mirror(array, variant=swap, format="packed")
    assert invalid.value.index == 1


def test_no_positions() -> None:
    for name in arrays.FORMATS:
        array = arrays.to_array([], name, variant="frisian")
        assert len(array) == 0
        turn: list[Side] | None = [] if name == "planes" else None
        assert arrays.from_array(array, "frisian", name, turn=turn) == []
        assert arrays.outcomes(array, variant="frisian", format=name, turn=turn).shape == (0,)
    assert arrays.legal_masks([], ActionEncoding("kalah", "house")).shape == (0, 6)


def test_turns() -> None:
    positions = [START, START.play(START.legal_moves()[0])]
    array = arrays.to_array(positions)
    sides = [position.turn for position in positions]
    for turn in (sides, tuple(sides), [1, 0], np.array([True, False]), np.array([1, 0], np.int64)):
        assert arrays.from_array(array, "english", turn=turn) == positions
    assert arrays.from_array(array[:1], "english", turn=Side.BLACK) == positions[:1]


class Tensor:
    """An array of another library, which exchanges arrays by DLPack."""

    def __init__(self, array: NDArray[Any], *, on_card: bool = False) -> None:
        self.array, self.on_card = array, on_card

    def __len__(self) -> int:
        return len(self.array)

    def __dlpack__(self, **options: Any) -> Any:
        if self.on_card:
            raise BufferError("the tensor is in the memory of a graphics card")
        return self.array.__dlpack__()

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.array.__dlpack_device__()


def test_arrays_of_other_libraries() -> None:
    assert arrays.from_array(Tensor(PACKED), "english", "packed") == [START] * 2
    assert list(arrays.hash_keys(Tensor(PACKED), variant="english", format="packed")) == [START.hash_key] * 2
    with pytest.raises(InvalidArrayError):
        arrays.from_array(Tensor(PACKED, on_card=True), "english", "packed")


def test_arrays_need_not_be_contiguous() -> None:
    positions = [START, START.play(START.legal_moves()[0])] * 3
    array = arrays.to_array(positions, "packed")
    for view in (array[::2], array[::-1], np.asfortranarray(array)):
        found = arrays.from_array(view, "english", "packed")
        assert (arrays.to_array(found, "packed") == view).all()
    array.flags.writeable = False
    assert arrays.from_array(array, "english", "packed") == positions


def test_arrays_of_many_blocks() -> None:
    array = np.repeat(arrays.to_array([KALAH_START], "packed"), BLOCK + 10, axis=0)
    array[:, 1] = np.arange(len(array)) % 200
    keys = arrays.hash_keys(array, variant="kalah", format="packed", threads=2)
    positions = arrays.from_array(array, "kalah", "packed")
    assert list(keys) == [position.hash_key for position in positions]
    assert (arrays.to_array(positions, "packed", threads=2) == array).all()
    array[[-3, -1], 0] = 9
    for call in (arrays.from_array, lambda *args: arrays.outcomes(args[0], variant=args[1], format=args[2])):
        with pytest.raises(InvalidArrayError) as raised:
            call(array, "kalah", "packed")
        assert raised.value.element == (len(array) - 3, 0)


def test_work_is_limited() -> None:
    with work_limit(10), pytest.raises(WorkLimitError):
        arrays.outcomes([START] * 11)
    with work_limit(11):
        arrays.outcomes([START] * 11)


def test_unknown_variants() -> None:
    with pytest.raises(UnknownVariantError):
        arrays.outcomes(PACKED, variant="owari", format="packed")


def test_numpy_is_imported_on_use(monkeypatch: pytest.MonkeyPatch) -> None:
    program = "import sys, tablemen.arrays; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(TablemenError, match="pip install"):
        arrays.to_array([START])
