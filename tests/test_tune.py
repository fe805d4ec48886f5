"""Test the tuning of the evaluation: records, fits and recipes."""

from __future__ import annotations

import io
import math
import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from tablemen import Side, TablemenError
from tablemen.draughts import ENGLISH, INTERNATIONAL, VARIANTS, DraughtsRules, Position
from tablemen.draughts.evaluation import Evaluation, pack_position, unpack_position
from tablemen.draughts.weights import Weights, default_weights, material_weights, read_weights
from tablemen.search import Searcher
from tools.tune import records
from tools.tune.__main__ import main
from tools.tune.selfplay import Play, is_quiet, play_game

REASON = "fitting weights requires numpy: pip install -r requirements/tune.txt"


def random_game(rules: DraughtsRules, rng: Random, plies: int = 60) -> list[Position]:
    """Return the positions of a random game, without the first moves."""
    positions = [Position.start(rules)]
    while len(positions) <= plies and (moves := positions[-1].legal_moves()):
        positions.append(positions[-1].play(rng.choice(moves)))
    return positions[6:]


def write_games(path: Path, rules: DraughtsRules, weights: Weights, games: int) -> None:
    """Write random positions whose results are drawn with the win probability of an evaluation."""
    rng, evaluation = Random(1), Evaluation(rules, weights)
    with path.open("wb") as file:
        records.write_header(file, rules, {"seed": 1, "nodes": 0})
        for _ in range(games):
            for position in random_game(rules, rng)[::4]:
                value = evaluation.evaluate(position)
                side = position.turn if rng.random() < 1 / (1 + math.exp(-value)) else position.turn.opponent
                file.write(records.game_records([position], side))


def test_records_round_trip(tmp_path: Path) -> None:
    positions = random_game(ENGLISH, Random(1))
    file = io.BytesIO()
    records.write_header(file, ENGLISH, {"seed": 7})
    for winner in (Side.BLACK, None):
        file.write(records.game_records(positions, winner))
    path = tmp_path / "english.positions"
    path.write_bytes(file.getvalue())
    how, data = records.read_file(path)
    assert how == {"variant": "english", "seed": 7}
    size = records.record_size(ENGLISH)
    rows = [data[at : at + size] for at in range(0, len(data), size)]
    assert [bytes([row[0] & 1]) + row[1:] for row in rows] == 2 * [pack_position(position) for position in positions]
    won = [2 * (position.turn is Side.BLACK) for position in positions]
    assert [row[0] >> records.RESULT & 3 for row in rows] == won + [1] * len(positions)
    begins = [1] + [0] * (len(positions) - 1)
    assert [row[0] >> records.FIRST_OF_GAME for row in rows] == 2 * begins


def test_file_with_invalid_header_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.positions"
    for head in (b"", b"what?\n", b"[1]\n", b'{"form": "tablemen positions 2"}\n'):
        path.write_bytes(head)
        with pytest.raises(TablemenError, match=r"games\.positions: .*header"):
            records.read_file(path)


def test_game_depends_only_on_settings_and_number() -> None:
    play = Play(variant="english", nodes=60, seed=3)
    fresh, used = (Searcher(table_mb=1, evaluation=play.evaluation()) for _ in range(2))
    other = play_game(play, 1, used)
    game = play_game(play, 2, used)
    assert game == play_game(play, 2, fresh) != other
    size = records.record_size(ENGLISH)
    rows = [game[at : at + size] for at in range(0, len(game), size)]
    assert len(set(rows)) == len(rows) > 5
    assert all(is_quiet(unpack_position(bytes([row[0] & 1]) + row[1:], ENGLISH)) for row in rows)
    results = {(row[0] >> records.RESULT & 3) if row[0] & 1 else 2 - (row[0] >> records.RESULT & 3) for row in rows}
    assert len(results) == 1


def test_position_with_a_capture_for_either_side_is_not_quiet() -> None:
    # Black's man on 18 can capture 22 if 25 is empty; the side to move does not matter.
    for turn, men, quiet in (("W", "22", False), ("B", "22", False), ("W", "22,25,29", True), ("W", "21", True)):
        assert is_quiet(Position.from_fen(f"{turn}:W{men}:B18,11,15", ENGLISH)) is quiet


def test_fit_recovers_the_weights(tmp_path: Path) -> None:
    pytest.importorskip("numpy", reason=REASON)
    from tools.tune.recipe import fit_files  # noqa: PLC0415 - needs numpy

    path = tmp_path / "english.positions"
    truth = replace(material_weights(ENGLISH), counts={"man": (1000, 1000), "king": (2500, 2500), "step": (200, 200)})
    write_games(path, ENGLISH, truth, 1500)
    start = material_weights(ENGLISH)
    fitted = fit_files([path], "english", start)
    assert fitted.loss_after < fitted.loss_before
    man, step = (sum(fitted.weights.counts[name]) / 2 for name in ("man", "step"))
    assert 0.1 < step / man < 0.4
    assert 500 < man < 2000
    assert re.match(r"\d{5} games of the program", fitted.weights.origin["from"])
    assert fitted.weights.full == start.full


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

    rows = np.frombuffer(records.game_records([position], None), np.uint8).reshape(1, -1)
    data = Data(position.variant, rows, 1, np.array([False]), [])
    (batch,) = data.batches(Evaluation(position.variant, start), np.array([0]), 10)
    return float(model.values(batch)[0])  # type: ignore[attr-defined]


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


def test_unsuitable_files_are_refused(tmp_path: Path) -> None:
    pytest.importorskip("numpy", reason=REASON)
    from tools.tune.data import Data  # noqa: PLC0415 - needs numpy

    path = tmp_path / "english.positions"
    write_games(path, ENGLISH, material_weights(ENGLISH), 2)
    with pytest.raises(TablemenError, match="expected games of international, got english"):
        Data.read([path], INTERNATIONAL)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(TablemenError, match=r"english\.positions: .*incomplete"):
        Data.read([path], ENGLISH)
    with path.open("wb") as file:
        records.write_header(file, ENGLISH, {})
    with pytest.raises(TablemenError, match="no positions in "):
        Data.read([path], ENGLISH)


@pytest.mark.slow
def test_recipe_writes_weights(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("numpy", reason=REASON)
    size = ["--games", "24", "--nodes", "100", "--rounds", "1", "--patterns", "4x2", "--workers", "1"]
    assert main(["recipe", "english", *size, "--scratch", str(tmp_path / "games"), "--folder", str(tmp_path)]) == 0
    assert "english: loss" in capsys.readouterr().out
    weights = read_weights(tmp_path / "english.weights", ENGLISH)
    assert weights.origin["from"].startswith("24 games")
    assert len(weights.patterns) == 3
    assert main(["fit", "english", str(tmp_path / "none"), "--out", str(tmp_path / "x")]) == 1
    assert "tune:" in capsys.readouterr().err
