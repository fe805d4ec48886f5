"""The evaluation: features, symmetry, packed positions and the choice of weights."""

from __future__ import annotations

import pickle
import struct
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablemen import ArgumentError, Side, TablemenError
from tablemen.draughts import ENGLISH, INTERNATIONAL, VARIANTS, Kind, Position
from tablemen.draughts import evaluation as module
from tablemen.draughts.board import Corner, Notation
from tablemen.draughts.evaluation import Evaluation, get_evaluation, pack_position, unpack_position
from tablemen.draughts.weights import FEATURES, default_weights, material_weights, write_weights
from tests import reference, strategies
from tests.draughts.test_symmetry import MIRROR, TURN, Symmetry
from tests.random_weights import random_weights
from tests.reference.features import features


def row(evaluation: Evaluation, position: Position) -> tuple[tuple[int, ...], int, tuple[int, ...]]:
    """Return the features of a position: counts, game phase and indices into pattern tables."""
    found = evaluation.features([pack_position(position)])
    (share,) = struct.unpack("<H", found.phases)
    counts = struct.unpack(f"<{len(found.counts) // 2}h", found.counts)
    return counts, share, struct.unpack(f"<{len(found.pattern_indices) // 4}I", found.pattern_indices)


@settings(max_examples=60)
@given(strategies.positions())
def test_features_agree_with_the_reference(position: Position) -> None:
    check_features(position)


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
@settings(max_examples=20)
@given(st.data())
def test_features_of_a_variant_agree_with_the_reference(name: str, data: st.DataObject) -> None:
    check_features(data.draw(strategies.positions(st.just(VARIANTS[name]))))


def check_features(position: Position) -> None:
    counts, share, _ = row(Evaluation.default(position.variant), position)
    expected = features(reference.from_core(position))
    assert dict(zip(FEATURES, counts, strict=False)) == {name: expected[name] for name in FEATURES}
    full = default_weights(position.variant).full
    pieces = sum(len(position.squares(side, kind)) for side in Side for kind in Kind)
    assert share == min(pieces, full) * 256 // full


@settings(max_examples=100)
@given(strategies.positions(), st.integers(0, 99))
def test_value_is_the_sum_of_features_times_weights(position: Position, seed: int) -> None:
    weights = random_weights(position.variant, seed)
    evaluation = Evaluation(position.variant, weights)
    counts, share, indices = row(evaluation, position)
    plain = [*weights.counted(), *weights.men, *weights.kings]
    tables = [pair for pattern in weights.patterns for pair in struct.iter_unpack("<hh", pattern.table)]
    sums = [
        sum(count * pair[phase] for count, pair in zip(counts, plain, strict=True))
        + sum((-1) ** number * tables[index][phase] for number, index in enumerate(indices))
        for phase in (0, 1)
    ]
    blended = (sums[0] * share + sums[1] * (256 - share)) / 2560
    assert round(100 * evaluation.evaluate(position)) == max(-20000, min(20000, int(blended)))


@settings(max_examples=100)
@given(strategies.positions(), st.integers(0, 99))
def test_board_turned_around_has_the_same_value(position: Position, seed: int) -> None:
    image = TURN.position(position)
    weights = random_weights(position.variant, seed)
    if image.variant != position.variant:  # patterns have other squares on another board
        weights = replace(weights, patterns=())
    value = Evaluation(position.variant, weights).evaluate(position)
    assert Evaluation(image.variant, weights).evaluate(image) == value


@pytest.mark.parametrize("symmetry", [MIRROR, TURN], ids=str)
@settings(max_examples=50)
@given(strategies.positions())
def test_default_evaluation_is_symmetric(symmetry: Symmetry, position: Position) -> None:
    image = symmetry.position(position)
    assert Evaluation.default(image.variant).evaluate(image) == Evaluation.default(position.variant).evaluate(position)


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("make", [Evaluation.material, Evaluation.default, get_evaluation])
def test_an_extra_man_is_better_except_in_losing_games(name: str, make: object) -> None:
    assert callable(make)
    rules = VARIANTS[name]
    evaluation = make(rules)
    start = Position.start(rules)
    letters = start.letters()
    own, other = ("w", "b") if start.turn is Side.WHITE else ("b", "w")
    even = evaluation.evaluate(start)
    fewer = evaluation.evaluate(Position.from_letters(letters.replace(own, ".", 1), rules, start.turn))
    more = evaluation.evaluate(Position.from_letters(letters.replace(other, ".", 1), rules, start.turn))
    assert (fewer > even > more) if rules.losing else (fewer < even < more)


def test_man_closer_to_a_breakthrough_is_worth_more() -> None:
    rules = VARIANTS["breakthrough"]
    evaluation = Evaluation.default(rules)
    values = [evaluation.evaluate(Position.from_fen(f"W:W{man}:B5", rules)) for man in (46, 36, 26, 16, 6)]
    assert values == sorted(values)
    assert values[-1] - values[0] > 0.5


def test_custom_rules_have_default_weights() -> None:
    rules = replace(INTERNATIONAL, name="mine", columns=7, rows=6, start_rows=2, flying_kings=False)
    evaluation = get_evaluation(rules)
    assert evaluation.weights == default_weights(rules)
    start = Position.start(rules)
    assert abs(evaluation.evaluate(start)) < 1
    assert evaluation.evaluate(Position(rules, Side.WHITE, white_kings=[11], black_men=[2])) > 0.3


def test_evaluations_are_values() -> None:
    evaluation = Evaluation.default("english")
    position = Position.start(ENGLISH)
    copied = pickle.loads(pickle.dumps(evaluation))
    assert copied == evaluation
    assert copied.evaluate(position) == evaluation.evaluate(position)
    assert Evaluation.material("english") != evaluation
    assert evaluation.compiled is evaluation.compiled
    assert evaluation.compiled.variant is ENGLISH


def test_position_of_other_rules_is_rejected() -> None:
    evaluation = Evaluation.default(ENGLISH)
    for name in ("russian", "international", "turkish"):
        with pytest.raises(TablemenError, match=VARIANTS[name].title):
            evaluation.evaluate(Position.start(name))


@settings(max_examples=50)
@given(strategies.positions())
def test_packed_positions_round_trip(position: Position) -> None:
    packed = pack_position(position)
    assert unpack_position(packed, position.variant).letters() == position.letters()
    assert unpack_position(packed, position.variant).turn is position.turn
    assert len(packed) == 1 + 3 * -(-len(position.letters()) // 8)


def test_invalid_packed_positions_are_rejected() -> None:
    packed = pack_position(Position.start(ENGLISH))
    evaluation = Evaluation.default(ENGLISH)
    with pytest.raises(TablemenError, match=r"\b13\b.*\b12\b"):
        evaluation.features([packed[:-1]])
    with pytest.raises(ArgumentError) as caught:
        unpack_position(packed[:-1], ENGLISH)
    assert (caught.value.name, caught.value.value) == ("packed", packed[:-1])
    both_sides = bytes([packed[0], 255]) + packed[2:]
    king_alone = packed[:-3] + bytes([0, 4, 0])
    for wrong in (b"\x02" + packed[1:], both_sides, king_alone):
        with pytest.raises(TablemenError, match="position 1 "):
            evaluation.features([packed, wrong])
        with pytest.raises(ArgumentError) as caught:
            unpack_position(wrong, ENGLISH)
        assert (caught.value.name, caught.value.value) == ("packed", wrong)


def test_tuned_weights_are_found_by_rules_and_not_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    get_evaluation.cache_clear()
    weights = random_weights(INTERNATIONAL, 1)
    write_weights(weights, INTERNATIONAL, tmp_path / "international.weights")
    # The same game with other square names, and another game with the same name.
    letters = replace(INTERNATIONAL, name="lettered", notation=Notation.ALGEBRAIC, first_square=Corner.BOTTOM_LEFT)
    upside_down = replace(INTERNATIONAL, name="upside down", first_square=Corner.BOTTOM_RIGHT)
    same_name = replace(INTERNATIONAL, flying_kings=False)
    try:
        assert get_evaluation(INTERNATIONAL).weights == weights
        assert get_evaluation(same_name).weights == default_weights(same_name)
        for rules in (letters, upside_down):
            for seed in range(5):
                chance = Random(seed)
                board = "".join(chance.choice("....wwbbWB") for _ in range(50))
                expected = get_evaluation(INTERNATIONAL).evaluate(
                    Position.from_letters(board, INTERNATIONAL, Side.WHITE)
                )
                assert get_evaluation(rules).evaluate(Position.from_letters(board, rules, Side.WHITE)) == expected
    finally:
        get_evaluation.cache_clear()


def test_every_variant_has_an_evaluation() -> None:
    for rules in VARIANTS.values():
        assert get_evaluation(rules).rules is rules
        assert get_evaluation(rules.name).rules is rules
    assert material_weights(ENGLISH).counts == {"man": (1000, 1000), "king": (1400, 1400), "further_king": (1400, 1400)}
