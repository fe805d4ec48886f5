"""Networks that evaluate positions: values, files, and errors in files."""

from __future__ import annotations

import struct
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablemen import Side, TablemenError
from tablemen.draughts import ENGLISH, INTERNATIONAL, VARIANTS, DraughtsRules, Kind, Position, find_variant
from tablemen.draughts import evaluation as evaluation_module
from tablemen.draughts.evaluation import Evaluation, get_evaluation
from tablemen.draughts.network import Network, read_network, write_network
from tablemen.draughts.weights import full_board, relative_squares
from tablemen.players import parse_player


def pack_numbers(numbers: list[int], kind: str = "h") -> bytes:
    return struct.pack(f"<{len(numbers)}{kind}", *numbers)


def unpack_numbers(data: bytes, kind: str = "h") -> tuple[int, ...]:
    return struct.unpack(f"<{len(data) // struct.calcsize(kind)}{kind}", data)


def random_network(rules: DraughtsRules, seed: int, buckets: int = 3) -> Network:
    """Return a network with random weights."""
    chance, hidden = Random(seed), 128

    def numbers(count: int, limit: int) -> list[int]:
        return [chance.randint(-limit, limit) for _ in range(count)]

    return Network(
        full=full_board(rules),
        hidden=hidden,
        input=pack_numbers(numbers(4 * len(relative_squares(rules)) * hidden, 150)),
        input_bias=pack_numbers(numbers(hidden, 200)),
        output=pack_numbers(numbers(2 * buckets * hidden, 128)),
        output_bias=pack_numbers(numbers(buckets, 100_000), "i"),
        scale=100_000,
        origin={"from": "7 games", "seed": "1"},
    )


def reference_value(network: Network, position: Position) -> float:
    """Return the value of a position in men, computed from the definition."""
    squares = [int(square) for square in position.variant.mover.squares]
    weights, output = unpack_numbers(network.input), unpack_numbers(network.output)
    pieces = position.piece_map()
    bucket = min(len(pieces) * network.buckets // (network.full + 1), network.buckets - 1)
    total = unpack_numbers(network.output_bias, "i")[bucket]
    for half, viewer in enumerate((position.turn, position.turn.opponent)):
        sums = list(unpack_numbers(network.input_bias))
        for square, piece in pieces.items():
            index = squares.index(int(square))
            place = index if viewer is Side.WHITE else len(squares) - 1 - index
            plane = 2 * (piece.side is not viewer) + (piece.kind is Kind.KING)
            for unit in range(network.hidden):
                sums[unit] += weights[(plane * len(squares) + place) * network.hidden + unit]
        for unit, value in enumerate(sums):
            weight = output[(2 * bucket + half) * network.hidden + unit]
            total += weight * min(max(value, 0), 255) ** 2
    return total * network.scale / 2**32 / 100


@pytest.mark.parametrize("name", ["international", "english", "turkish", "canadian", "frisian", "portuguese"])
def test_value_equals_the_definition(name: str) -> None:
    rules = VARIANTS[name]
    network = random_network(rules, 1)
    evaluation, chance = Evaluation(rules, network), Random(2)
    position = Position.start(rules)
    values: set[float] = set()
    while len(values) < 20:
        moves = position.legal_moves()
        position = position.play(chance.choice(moves)) if moves else Position.start(rules)
        value = evaluation.evaluate(position)
        assert value == pytest.approx(reference_value(network, position), abs=0.0051)
        values.add(value)


def float_values(network: Network, positions: list[Position]) -> np.ndarray[Any, Any]:
    """Return the values of positions in men, computed with floating-point numbers."""
    squares = [int(square) for square in positions[0].variant.mover.squares]
    count, hidden = len(squares), network.hidden
    inputs = np.zeros((2, len(positions), 4 * count))
    for row, position in enumerate(positions):
        for square, piece in position.piece_map().items():
            for half, viewer in enumerate((position.turn, position.turn.opponent)):
                index = squares.index(int(square))
                place = index if viewer is Side.WHITE else count - 1 - index
                plane = 2 * (piece.side is not viewer) + (piece.kind is Kind.KING)
                inputs[half, row, plane * count + place] = 1
    pieces = inputs[0].sum(axis=1).astype(int)
    buckets = np.minimum(pieces * network.buckets // (network.full + 1), network.buckets - 1)
    weights = np.frombuffer(network.input, "<i2").reshape(4 * count, hidden) / 255
    units = np.clip(inputs @ weights + np.frombuffer(network.input_bias, "<i2") / 255, 0, 1) ** 2
    output = np.frombuffer(network.output, "<i2").reshape(-1, 2, hidden)[buckets]
    bias = np.frombuffer(network.output_bias, "<i4")[buckets] / 255**2
    totals = np.einsum("hnu,nhu->n", units, output) + bias
    values: np.ndarray[Any, Any] = totals * 255**2 * network.scale / 2**32 / 100
    return values


@pytest.mark.parametrize("name", ["international", "english", "russian", "brazilian"])
def test_integers_agree_with_floating_point_numbers(name: str) -> None:
    evaluation, chance = get_evaluation(name), Random(7)
    assert isinstance(evaluation.weights, Network)
    position = Position.start(name)
    positions: list[Position] = []
    while len(positions) < 2_500:
        moves = position.legal_moves()
        position = position.play(chance.choice(moves)) if moves else Position.start(name)
        positions.append(position)
    values = [evaluation.evaluate(position) for position in positions]
    assert np.abs(float_values(evaluation.weights, positions) - values).max() < 0.01


@pytest.mark.parametrize("name", VARIANTS)
def test_round_trip_of_files(name: str, tmp_path: Path) -> None:
    network = random_network(VARIANTS[name], 3)
    path = tmp_path / f"{name}.network"
    write_network(network, VARIANTS[name], path)
    assert read_network(path, VARIANTS[name]) == network
    assert Evaluation.read(path, name) == Evaluation(VARIANTS[name], network)


@pytest.fixture(scope="module")
def whole_file(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("network") / "english.network"
    write_network(random_network(ENGLISH, 4), ENGLISH, path)
    return path.read_bytes()


@settings(max_examples=200)
@given(data=st.data())
def test_damaged_files_are_refused(
    data: st.DataObject, whole_file: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    at = data.draw(st.one_of(st.integers(0, 150), st.integers(0, len(whole_file) - 1)))
    other = data.draw(st.binary(min_size=1, max_size=3))
    damaged = data.draw(st.sampled_from([whole_file[:at], whole_file[:at] + other + whole_file[at + len(other) :]]))
    path = tmp_path_factory.mktemp("damaged") / "english.network"
    path.write_bytes(damaged)
    problem = weights = None
    try:
        weights = read_network(path, ENGLISH).input
    except TablemenError as error:
        problem = str(error)
    # A change of the lines that document the network, or of a number to another valid one, is no damage.
    assert problem.startswith("english.network: ") if problem else weights == random_network(ENGLISH, 4).input


def test_network_of_other_rules_is_refused(whole_file: bytes, tmp_path: Path) -> None:
    path = tmp_path / "mine.network"
    path.write_bytes(whole_file)
    with pytest.raises(TablemenError, match=r"^mine\.network: .* russian.* english"):
        read_network(path, find_variant("russian"))
    network = random_network(ENGLISH, 1)
    with pytest.raises(TablemenError, match="expected 25600 input weights, got 16384"):
        _ = Evaluation(INTERNATIONAL, network).compiled
    with pytest.raises(TablemenError, match="network"):
        Evaluation(ENGLISH, network).features([])


def test_network_of_the_package_precedes_its_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluation_module, "FOLDER", tmp_path)
    rules = replace(ENGLISH, name="mine")
    network = random_network(ENGLISH, 5)
    write_network(network, ENGLISH, tmp_path / "english.network")
    get_evaluation.cache_clear()
    try:
        assert get_evaluation(rules) == Evaluation(rules, network)
        assert get_evaluation("russian") == Evaluation.default("russian")
    finally:
        get_evaluation.cache_clear()


def test_searcher_player_reads_its_evaluation(tmp_path: Path) -> None:
    path = tmp_path / "english.network"
    write_network(random_network(ENGLISH, 6), ENGLISH, path)
    start = Position.start(ENGLISH)
    player = parse_player(f"searcher:depth=1,evaluation={path}")
    player.check(start)
    assert parse_player(str(player)) == player
    with pytest.raises(TablemenError, match=r"english\.network"):
        player.check(Position.start("russian"))
    with pytest.raises(TablemenError, match="missing"):
        parse_player("searcher:evaluation=missing.network").check(start)
