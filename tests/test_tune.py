"""Test the tuning of the evaluation: records, fits and recipes."""

from __future__ import annotations

import math
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from tablemen import Side, TablemenError
from tablemen.draughts import ENGLISH, INTERNATIONAL, VARIANTS, DraughtsRules, Position
from tablemen.draughts.evaluation import Evaluation, pack_position, unpack_position
from tablemen.draughts.network import read_network
from tablemen.draughts.weights import Weights, default_weights, material_weights, read_weights
from tools.tune import records
from tools.tune.__main__ import main
from tools.tune.selfplay import GAMES_PER_FILE, SelfPlay, list_games, play_games

REASON = "fitting weights requires numpy: pip install -r requirements/tune.txt"


def random_game(rules: DraughtsRules, rng: Random, plies: int = 60) -> list[Position]:
    """Return the positions of a random game, without the first moves."""
    positions = [Position.start(rules)]
    while len(positions) <= plies and (moves := positions[-1].legal_moves()):
        positions.append(positions[-1].play(rng.choice(moves)))
    return positions[6:]


def record(position: Position, winner: Side | None, score: float, *, is_first: bool = True) -> bytes:
    """Return the record of a position; the core writes those of self-play."""
    packed = pack_position(position)
    result = 1 if winner is None else 2 * (winner is position.turn)
    first = packed[0] | result << records.RESULT | is_first << records.FIRST_OF_GAME
    return bytes([first]) + packed[1:] + round(100 * score).to_bytes(records.SCORE_BYTES, "little", signed=True)


def split_records(data: bytes, rules: DraughtsRules) -> list[bytes]:
    """Return the single records."""
    size = records.record_size(rules)
    assert len(data) % size == 0
    return [data[at : at + size] for at in range(0, len(data), size)]


def write_games(path: Path, rules: DraughtsRules, weights: Weights, games: int) -> None:
    """Write random positions whose results are drawn with the win probability of an evaluation."""
    rng, evaluation, rows = Random(1), Evaluation(rules, weights), []
    for _ in range(games):
        for position in random_game(rules, rng)[::4]:
            value = evaluation.evaluate(position)
            side = position.turn if rng.random() < 1 / (1 + math.exp(-value)) else position.turn.opponent
            rows.append(record(position, side, value))
    path.write_bytes(records.format_file(rules, {"seed": 1, "nodes": 0}, b"".join(rows)))


def test_file_with_invalid_header_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.positions"
    for head in (b"", b"what?\n", b"[1]\n", b'{"form": "tablemen positions 1", "records": 0}\n'):
        path.write_bytes(head)
        with pytest.raises(TablemenError, match=r"games\.positions: .*header"):
            records.read_file(path, ENGLISH)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 100])
def test_records_are_read_as_they_were_written(count: int, tmp_path: Path) -> None:
    path, data = tmp_path / "games.positions", Random(count).randbytes(count * records.record_size(ENGLISH))
    path.write_bytes(records.format_file(ENGLISH, {"seed": 1}, data))
    assert records.read_settings(path) == {"variant": "english", "records": count, "seed": 1}
    assert records.read_file(path, ENGLISH) == ({"variant": "english", "seed": 1}, data)


@pytest.mark.parametrize("variant", ["english", "russian", "frisian", "turkish", "antidraughts"])
def test_self_play_records_quiet_positions_of_whole_games(variant: str) -> None:
    rules, settings = VARIANTS[variant], SelfPlay(variant=variant, nodes=100, seed=3, tablebase=2)
    data = settings.play(0, 6)
    assert data == b"".join(settings.play(number, number + 1) for number in range(6))
    assert data != replace(settings, seed=4).play(0, 6)
    games: list[list[bytes]] = []
    for row in split_records(data, rules):
        if row[0] >> records.FIRST_OF_GAME & 1:
            games.append([])
        games[-1].append(row)
    assert len(games) == 6
    assert sum(map(len, games)) > 50
    size = records.position_size(rules)
    for rows in games:
        assert len({bytes([row[0] & 1]) + row[1:size] for row in rows}) == len(rows)
        results = {(row[0] >> records.RESULT & 3) if row[0] & 1 else 2 - (row[0] >> records.RESULT & 3) for row in rows}
        assert len(results) == 1
        for row in rows:
            position = unpack_position(bytes([row[0] & 1]) + row[1:size], rules)
            other = Position.from_letters(position.letters(), rules, position.turn.opponent)
            assert not any(move.is_capture for side in (position, other) for move in side.legal_moves())
            assert len(position.piece_map()) > (0 if variant == "frisian" else 2)


def test_scores_are_those_of_the_search() -> None:
    """Nearly all games that one side leads by far are won by it."""
    settings = SelfPlay(variant="english", nodes=200, seed=1)
    agreements = []
    for row in split_records(settings.play(0, 40), ENGLISH):
        score = int.from_bytes(row[-records.SCORE_BYTES :], "little", signed=True)
        if abs(score) > 300:
            agreements.append((row[0] >> records.RESULT & 3) == (2 if score > 0 else 0))
    assert len(agreements) > 20
    assert sum(agreements) > 0.9 * len(agreements)


def test_interrupted_self_play_continues_with_the_missing_files(tmp_path: Path) -> None:
    settings = SelfPlay(variant="english", nodes=20, seed=1, tablebase=0, max_plies=20)
    games = 2 * GAMES_PER_FILE + 5
    with ThreadPoolExecutor(2) as executor:
        count = play_games(settings, games, tmp_path / "whole", executor)
        expected = {path.name: path.read_bytes() for path in list_games(tmp_path / "whole")}
        assert len(expected) == 3
        assert play_games(settings, games, tmp_path / "part", executor) == count
        last = list_games(tmp_path / "part")[-1]
        last.unlink()
        kept = [path.stat().st_mtime_ns for path in list_games(tmp_path / "part")]
        assert play_games(settings, games, tmp_path / "part", executor) == count
        assert [path.stat().st_mtime_ns for path in list_games(tmp_path / "part")[:2]] == kept
        assert {path.name: path.read_bytes() for path in list_games(tmp_path / "part")} == expected
        with pytest.raises(TablemenError, match="other settings"):
            play_games(replace(settings, nodes=21), games, tmp_path / "part", executor)


def test_fit_recovers_the_weights(tmp_path: Path) -> None:
    pytest.importorskip("numpy", reason=REASON)
    from tools.tune.recipe import write_fitted_weights  # noqa: PLC0415 - needs numpy

    path = tmp_path / "english.positions"
    truth = replace(material_weights(ENGLISH), counts={"man": (1000, 1000), "king": (2500, 2500), "step": (200, 200)})
    write_games(path, ENGLISH, truth, 1500)
    start, out = material_weights(ENGLISH), tmp_path / "english.weights"
    losses = re.match(r"loss (\S+) before, (\S+) after", write_fitted_weights([path], "english", out, start))
    assert losses
    assert float(losses[2]) < float(losses[1])
    fitted = read_weights(out, ENGLISH)
    man, step = (sum(fitted.counts[name]) / 2 for name in ("man", "step"))
    assert 0.1 < step / man < 0.4
    assert 500 < man < 2000
    assert re.match(r"\d{5} games of the program", fitted.origin["from"])
    assert fitted.full == start.full


@pytest.mark.parametrize("name", ["international", "english", "turkish", "spantsiretti"])
def test_model_agrees_with_the_evaluation(name: str) -> None:
    numpy = pytest.importorskip("numpy", reason=REASON)
    from tools.tune.model import Model, add_patterns  # noqa: PLC0415 - needs numpy

    rules = VARIANTS[name]
    start = add_patterns(default_weights(rules), rules, rules.rows // 2, 2)
    model = Model.of(start)
    model.tables += numpy.random.default_rng(1).normal(0, 0.1, model.tables.shape)
    weights = model.weights(start)
    assert len(weights.patterns) == len(start.patterns) > 2
    rng = Random(1)
    for position in random_game(rules, rng)[::5]:
        from_arrays = _value(model, start, position)
        assert Evaluation(rules, weights).evaluate(position) == pytest.approx(from_arrays, abs=0.03)


def _value(model: object, start: Weights, position: Position) -> float:
    import numpy as np  # noqa: PLC0415

    from tools.tune.data import Data  # noqa: PLC0415

    rows = np.frombuffer(record(position, None, 0), np.uint8).reshape(1, -1)
    data = Data(position.variant, rows, 1, np.array([False]), [], slope=1)
    (batch,) = data.batches(Evaluation(position.variant, start), np.array([0]), 10)
    return float(model.values(batch)[0])  # type: ignore[attr-defined]


@pytest.mark.parametrize("variant", ["english", "turkish"])
def test_network_learns_the_value_of_pieces(variant: str, tmp_path: Path) -> None:
    pytest.importorskip("numpy", reason=REASON)
    path, out = tmp_path / "games.positions", tmp_path / "mine.network"
    rules = VARIANTS[variant]
    write_games(path, rules, material_weights(rules), 400)
    assert main(["fit", variant, str(path), "--out", str(out), "--hidden", "128", "--epochs", "6"]) == 0
    fitted, truth = Evaluation.read(out, rules), Evaluation.material(rules)
    assert re.match(r"\d+ games of the program", fitted.weights.origin["from"])
    chances = [
        [1 / (1 + math.exp(-each.evaluate(position))) for each in (fitted, truth)]
        for position in random_game(rules, Random(5))
    ]
    assert sum(abs(chance - expected) for chance, expected in chances) / len(chances) < 0.1


@pytest.mark.parametrize("variant", ["english", "turkish"])
def test_core_and_dense_arrays_fit_the_same_network(variant: str, tmp_path: Path) -> None:
    numpy = pytest.importorskip("numpy", reason=REASON)
    from tools.tune.data import Data  # noqa: PLC0415 - needs numpy
    from tools.tune.dense import DenseModel  # noqa: PLC0415
    from tools.tune.network import CoreModel, NetworkSettings, random_weights  # noqa: PLC0415

    path, rules = tmp_path / "games.positions", VARIANTS[variant]
    write_games(path, rules, material_weights(rules), 50)
    data = Data.read([path], rules)
    weights = random_weights(rules, NetworkSettings(hidden=64, buckets=3))
    indices = numpy.arange(len(data.records))
    dense, one_thread, threads = (
        DenseModel(data, weights, None),
        CoreModel(data, weights, 1),
        CoreModel(data, weights, 3),
    )
    expected, loss = dense.gradient(indices)
    for layer, slopes in zip(one_thread.gradient(indices), expected, strict=True):
        assert numpy.abs(layer - slopes).max() < 1e-4 * numpy.abs(slopes).max()
    assert one_thread.loss(indices) == pytest.approx(loss, rel=1e-5)
    for batch in numpy.array_split(indices, 5):
        losses = [model.step(batch, 0.001) for model in (dense, one_thread, threads)]
        assert losses == pytest.approx([losses[0]] * 3, rel=1e-5)
    for layer, other, same in zip(one_thread.weights, dense.weights, threads.weights, strict=True):
        assert numpy.abs(layer - other).mean() < 1e-4
        assert (layer == same).all()


def test_rounded_network_equals_its_model(tmp_path: Path) -> None:
    """The loss that the fit prints for the rounded weights is that of the values of the core."""
    numpy = pytest.importorskip("numpy", reason=REASON)
    from tools.tune.data import Data, log_loss, sigmoid  # noqa: PLC0415 - needs numpy
    from tools.tune.network import NetworkSettings, fit_network  # noqa: PLC0415

    path = tmp_path / "english.positions"
    write_games(path, ENGLISH, material_weights(ENGLISH), 400)
    data = Data.read([path], ENGLISH)
    fitted = fit_network(data, NetworkSettings(hidden=128, epochs=2, batch=256))
    indices = data.indices(held_out=True)
    evaluation = Evaluation(ENGLISH, fitted.network)
    packed = [bytes([row[0] & 1]) + row[1 : -records.SCORE_BYTES].tobytes() for row in data.records[indices]]
    values = numpy.array([evaluation.evaluate(unpack_position(each, ENGLISH)) for each in packed])
    losses = log_loss(sigmoid(data.slope * values), data.targets(indices))
    assert float(losses.mean()) == pytest.approx(fitted.rounded_loss, abs=1e-4)
    assert fitted.rounded_loss == pytest.approx(fitted.loss, abs=1e-3)


@pytest.mark.parametrize(("rows", "width"), [(9, 1), (1, 5), (8, 5)])
def test_patterns_larger_than_the_board_are_refused(rows: int, width: int) -> None:
    pytest.importorskip("numpy", reason=REASON)
    from tools.tune.model import add_patterns  # noqa: PLC0415 - needs numpy

    with pytest.raises(TablemenError, match=f"^English draughts: .*{rows}x{width}"):
        add_patterns(default_weights(ENGLISH), ENGLISH, rows, width)


@pytest.mark.parametrize(
    ("option", "argument", "invalid"),
    [
        ("--games", "0", "0"),
        ("--rounds", "-1", "-1"),
        ("--workers", "none", "none"),
        ("--patterns", "3", ""),
        ("--patterns", "0x2", "0"),
    ],
)
def test_invalid_number_exits_with_2(
    option: str, argument: str, invalid: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["recipe", "english", f"{option}={argument}"])
    assert caught.value.code == 2
    last_line = capsys.readouterr().err.splitlines()[-1]
    assert f"argument {option}: " in last_line
    assert last_line.endswith(f"got {invalid!r}")


def test_a_position_occurs_once_and_its_target_is_a_mix_of_score_and_result(tmp_path: Path) -> None:
    numpy = pytest.importorskip("numpy", reason=REASON)
    from tools.tune.data import SCORE_SHARE, Data, sigmoid  # noqa: PLC0415 - needs numpy

    path = tmp_path / "english.positions"
    positions = random_game(ENGLISH, Random(1))
    rows = [
        record(position, winner, score, is_first=number == 0)
        for winner, score in ((Side.WHITE, 1.0), (None, 2.0))
        for number, position in enumerate(positions)
    ]
    path.write_bytes(records.format_file(ENGLISH, {}, b"".join(rows)))
    data = Data.read([path], ENGLISH)
    assert (data.games, len(data.records)) == (2, len(set(positions)))
    (batch,) = data.batches(Evaluation.default(ENGLISH), numpy.arange(len(data.records)), 1000)
    by_score = float(sigmoid(data.slope * numpy.float32(1)))
    won = [float(position.turn is Side.WHITE) for position in dict.fromkeys(positions)]
    assert batch.targets.tolist() == pytest.approx([SCORE_SHARE * by_score + (1 - SCORE_SHARE) * each for each in won])


def test_unsuitable_files_are_refused(tmp_path: Path) -> None:
    pytest.importorskip("numpy", reason=REASON)
    from tools.tune.data import Data  # noqa: PLC0415 - needs numpy

    path = tmp_path / "english.positions"
    write_games(path, ENGLISH, material_weights(ENGLISH), 2)
    with pytest.raises(TablemenError, match="expected games of international, got english"):
        Data.read([path], INTERNATIONAL)
    whole = path.read_bytes()
    for damaged in (whole[:-1], whole[:-9] + b"damaged: ", whole + b"more"):
        path.write_bytes(damaged)
        with pytest.raises(TablemenError, match=r"english\.positions: .*damaged"):
            Data.read([path], ENGLISH)
    path.write_bytes(whole.replace(b'"records": ', b'"records": 1'))
    with pytest.raises(TablemenError, match=r"english\.positions: .*number of records"):
        Data.read([path], ENGLISH)
    path.write_bytes(records.format_file(ENGLISH, {}, b""))
    with pytest.raises(TablemenError, match="no positions in "):
        Data.read([path], ENGLISH)


@pytest.mark.slow
@pytest.mark.parametrize("patterns", [[], ["--patterns", "4x2"]])
def test_recipe_writes_weights(patterns: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("numpy", reason=REASON)
    size = ["--games", "24", "--nodes", "100", "--rounds", "2", "--workers", "1", *patterns]
    assert main(["recipe", "english", *size, "--scratch", str(tmp_path / "games"), "--folder", str(tmp_path)]) == 0
    assert capsys.readouterr().out.count(": loss ") == 2
    if patterns:
        weights = read_weights(tmp_path / "english.weights", ENGLISH)
        assert len(weights.patterns) == 3
        assert weights.origin["from"].startswith("48 games")
    else:
        assert read_network(tmp_path / "english.network", ENGLISH).origin["from"].startswith("48 games")
    assert main(["fit", "english", str(tmp_path / "none"), "--out", str(tmp_path / "x")]) == 1
    assert "tune:" in capsys.readouterr().err
