"""Action encodings: each is a bijection from the legal moves to numbers below its size."""

from __future__ import annotations

import pickle
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablemen import ArgumentError, IllegalMoveError, Side, TablemenError
from tablemen import draughts as dr
from tablemen import mancala as ma
from tablemen.actions import ActionEncoding
from tablemen.errors import ActionSpaceError
from tests import strategies
from tests.mancala import strategies as mancala_strategies

NO_LIMIT = 1024  # the maximum
DRAUGHTS_NAMES = ("slot", "from-to", "step")
CROWDED = "W:WK46:B37,28,19,38,29"  # a capture that can end on six squares


def relative_square(position: dr.Position, square: dr.Square) -> int:
    """Return the square from the view of the side to move, as the documentation defines it."""
    rules = position.variant
    squares = sorted((each.row, each.column) for each in rules.mover.squares)
    turned = {(rules.rows - 1 - row, rules.columns - 1 - column) for row, column in squares}
    place = (square.row, square.column)
    if position.turn is Side.BLACK:
        place = (rules.rows - 1 - square.row, rules.columns - 1 - square.column)
    if turned != set(squares):  # the turned board has other squares, so all cells are counted
        return place[0] * rules.columns + place[1]
    return squares.index(place)


def count_squares(rules: dr.DraughtsRules) -> int:
    is_symmetric = len(rules.mover.squares) == rules.rows * rules.columns or (rules.rows + rules.columns) % 2 == 0
    return len(rules.mover.squares) if is_symmetric else rules.rows * rules.columns


def check_bijection(encoding: ActionEncoding, position: Any) -> list[tuple[int, ...]]:
    """Check that moves and actions determine each other, and return the actions of each legal move."""
    legal = position.legal_moves()
    numbers = [encoding.encode_steps(position, move) for move in legal]
    assert len(set(numbers)) == len(legal)
    for move, actions in zip(legal, numbers, strict=True):
        assert all(0 <= action < encoding.size for action in actions)
        assert encoding.decode_steps(position, actions) == move
        # No move is the beginning of another.
        assert not any(other != actions and other[: len(actions)] == actions for other in numbers)
    return numbers


def check_draughts(position: dr.Position) -> None:
    rules, legal, squares = position.variant, position.legal_moves(), count_squares(position.variant)
    if len(legal) <= NO_LIMIT:
        slot = ActionEncoding(rules, "slot", limit=NO_LIMIT)
        assert check_bijection(slot, position) == [(index,) for index in range(len(legal))]

    pairs = [(relative_square(position, move.start), relative_square(position, move.end)) for move in legal]
    ties = max(Counter(pairs).values(), default=1)
    from_to = ActionEncoding(rules, "from-to", limit=ties)
    assert from_to.size == squares**2 * ties
    earlier = [pairs[:index].count(pair) for index, pair in enumerate(pairs)]
    expected = [((a * squares + b) * ties + index,) for (a, b), index in zip(pairs, earlier, strict=True)]
    assert check_bijection(from_to, position) == expected
    if ties > 1:
        with pytest.raises(ActionSpaceError) as raised:
            ActionEncoding(rules, "from-to", limit=ties - 1).encode(position, legal[0])
        assert (raised.value.moves, raised.value.limit, raised.value.position) == (ties, ties - 1, position)

    step = ActionEncoding(rules, "step")
    assert step.size == squares**2
    for move, actions in zip(legal, check_bijection(step, position), strict=True):
        path = [relative_square(position, square) for square in move.path]
        steps = [a * squares + b for a, b in pairwise(path)]
        stop = path[-1] * squares + path[-1]
        # The actions are the first step and the later ones at which moves with the same beginning differ.
        assert actions[0] == steps[0]
        assert [action for action in [*steps, stop] if action in actions] == list(actions)


@pytest.mark.parametrize("name", dr.VARIANTS)
@settings(max_examples=6)
@given(st.data())
def test_variants_of_draughts(name: str, data: st.DataObject) -> None:
    check_draughts(data.draw(strategies.positions(st.just(dr.VARIANTS[name]))))


@settings(max_examples=60)
@given(strategies.positions(strategies.custom_rules()))
def test_custom_rules_of_draughts(position: dr.Position) -> None:
    check_draughts(position)


@settings(max_examples=100)
@given(mancala_strategies.positions())
def test_mancala(position: ma.Position) -> None:
    rules, legal = position.variant, position.legal_moves()
    has_swap = rules.features.pie
    for name in ("slot", "house"):
        encoding = ActionEncoding(rules, name)
        assert encoding.size == rules.houses + has_swap
        numbers = check_bijection(encoding, position)
        houses = [(move.house - 1 if move.house else rules.houses,) for move in legal]
        assert numbers == (houses if name == "house" else [(index,) for index in range(len(legal))])


@pytest.mark.parametrize("name", dr.VARIANTS)
def test_default_sizes(name: str) -> None:
    squares = len(dr.VARIANTS[name].mover.squares)
    size = ActionEncoding(name).size
    assert 4 * squares <= size < 8 * squares
    assert size & (size - 1) == 0
    assert ActionEncoding(name, "from-to").size == count_squares(dr.VARIANTS[name]) ** 2 * 8


def test_slots_are_limited() -> None:
    position = dr.Position.from_fen(CROWDED, "international")
    with pytest.raises(ActionSpaceError) as raised:
        ActionEncoding("international", limit=5).encode(position, position.legal_moves()[0])
    assert (raised.value.moves, raised.value.limit) == (6, 5)
    ActionEncoding("international", limit=6).encode(position, position.legal_moves()[0])


def test_steps_of_a_capture() -> None:
    position = dr.Position.from_fen(CROWDED, "international")
    encoding, legal = ActionEncoding("international", "step"), position.legal_moves()
    first = {encoding.encode_steps(position, move)[0] for move in legal}
    assert len(first) == 1
    with pytest.raises(ArgumentError) as raised:
        encoding.decode_steps(position, first)
    assert raised.value.name == "actions"
    whole = encoding.encode_steps(position, legal[0])
    assert len(whole) == 2  # the second of three jumps is forced
    with pytest.raises(ArgumentError):
        encoding.decode_steps(position, (*whole, whole[-1]))
    with pytest.raises(TablemenError):
        encoding.encode(position, legal[0])


@pytest.mark.parametrize("name", DRAUGHTS_NAMES)
def test_rejects_what_is_not_legal(name: str) -> None:
    encoding, position = ActionEncoding("english", name), dr.Position.start("english")
    moved = position.legal_moves()[0]
    with pytest.raises(IllegalMoveError):
        encoding.encode_steps(position.play(moved), moved)
    with pytest.raises(IllegalMoveError):
        encoding.encode_steps(position, dr.Position.start("russian").legal_moves()[0])
    with pytest.raises(ArgumentError):
        encoding.encode_steps(dr.Position.start("russian"), moved)
    for action in (-1, encoding.size, 2**64, encoding.size - 1):
        with pytest.raises(ArgumentError):
            encoding.decode(position, action)
    with pytest.raises(TypeError):
        encoding.decode(position, 1.5)  # type: ignore[arg-type]  # on purpose


@pytest.mark.parametrize(
    ("variant", "name", "limit"),
    [
        ("english", "house", None),
        ("english", "slots", None),
        ("english", "step", 3),
        ("english", "slot", 0),
        ("english", "slot", 1025),
        ("kalah", "step", None),
        ("kalah", "house", 6),
    ],
)
def test_invalid_encodings(variant: str, name: str, limit: int | None) -> None:
    with pytest.raises(ArgumentError):
        ActionEncoding(variant, name, limit=limit)


def test_encodings_are_values() -> None:
    encoding = ActionEncoding("english", "from-to", limit=2)
    assert pickle.loads(pickle.dumps(encoding)) == encoding != ActionEncoding("english", "from-to")
    assert len({encoding, ActionEncoding("checkers", "from-to", limit=2), ActionEncoding("kalah", "house")}) == 2
    assert repr(encoding) == "ActionEncoding('english', 'from-to', limit=2)"
