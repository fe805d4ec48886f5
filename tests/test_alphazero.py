"""The example that learns Kalah: its network, its learning runs and its files."""

from __future__ import annotations

import importlib
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from examples.alphazero.curve import Figures, LearningCurve, format_csv, parse_csv
from examples.alphazero.kalah import KalahEvaluator, create_rules, encode, find_legal, load, observe, write_weights
from examples.alphazero.learn import CHECKPOINT, CURVE, PICTURE, WEIGHTS, Learning, Settings, main
from examples.alphazero.measure import measure_baselines, observation_keys
from examples.alphazero.network import Batch, Network, NumpyLearner, Shape, create_learner
from examples.alphazero.selfplay import SelfPlaySettings
from tablemen import Game
from tablemen.errors import TablemenError
from tablemen.mancala import NORTH, SOUTH, Position
from tablemen.players import parse_player
from tests.pictures import parse

SMALL = Settings(
    play=SelfPlaySettings(houses=3, seeds=2, simulations=12),
    hidden=32,
    blocks=1,
    games=140,  # more than a task
    uses=12,
    test_positions=50,
    test_simulations=12,
)
ITERATIONS = 4
ROOT = Path(__file__).parents[1]


def create_batch(shape: Shape, size: int, seed: int) -> Batch:
    """Return random inputs and targets, in which some moves are not legal."""
    random = np.random.default_rng(seed)
    legal = random.random((size, shape.moves)) < 0.7
    legal[:, 0] = True
    policies = np.where(legal, random.random((size, shape.moves)), 0)
    policies /= policies.sum(axis=1, keepdims=True)
    return Batch(random.standard_normal((size, shape.inputs)), legal, policies, random.uniform(-1, 1, size))


def test_gradients_are_those_of_finite_differences() -> None:
    shape = Shape(inputs=4, moves=3, hidden=5, blocks=2)
    random = np.random.default_rng(2)
    # Random biases too: at a bias of 0, a unit without input is where its slope changes.
    weights = {name: random.normal(0, 0.6, array.shape) for name, array in shape.create_weights(1).items()}
    batch = create_batch(shape, 7, seed=3)
    _, gradients = Network(shape, weights).gradients(batch)
    step = 1e-6
    for name, array in weights.items():
        slopes = np.zeros_like(array)
        for index in np.ndindex(array.shape):
            losses = []
            for change in (step, -step):
                changed = array.copy()
                changed[index] += change
                losses.append(Network(shape, weights | {name: changed}).gradients(batch)[0].total)
            slopes[index] = (losses[0] - losses[1]) / (2 * step)
        np.testing.assert_allclose(gradients[name], slopes, rtol=1e-5, atol=1e-7, err_msg=name)


def test_training_fits_a_batch() -> None:
    shape = Shape(inputs=6, moves=4, hidden=32, blocks=1)
    learner = NumpyLearner(shape, seed=1)
    batch = create_batch(shape, 16, seed=1)
    policies = np.eye(4)[np.argmax(batch.policies, axis=1)]
    losses = [learner.step(batch._replace(policies=policies), 0.01) for _ in range(200)]
    assert losses[-1].policy < 0.02 < losses[0].policy
    assert losses[-1].value < 0.02 < losses[0].value


def test_inputs_begin_with_the_houses_of_the_side_to_move() -> None:
    rules = create_rules(2, 3)
    seeds = {SOUTH: (0, 7), NORTH: (3, 2)}
    position = Position(rules, SOUTH, houses=seeds)
    observations = observe([position, position.mirror(), position.replace(turn=NORTH)])
    assert observations.tolist() == [[0, 7, 3, 2], [0, 7, 3, 2], [3, 2, 0, 7]]
    assert find_legal(observations).tolist() == [[False, True], [False, True], [True, True]]
    house = encode(observations)[0].reshape(4, 7)
    assert house[:, :6].argmax(axis=1).tolist() == [0, 5, 3, 2]  # 5 stands for all higher numbers
    assert house[:, :6].sum() == 4


@pytest.fixture(scope="module")
def learnt(tmp_path_factory: pytest.TempPathFactory) -> Learning:
    """Return a small complete learning run."""
    learning = Learning(SMALL, tmp_path_factory.mktemp("learnt"))
    for _ in range(ITERATIONS):
        learning.run_iteration()
    learning.finish()
    return learning


def test_learning_reduces_the_loss_and_finds_optimal_moves(learnt: Learning) -> None:
    first, *_, last = learnt.rows
    assert (first.iteration, last.iteration, last.games) == (1, ITERATIONS, ITERATIONS * SMALL.games)
    assert last.policy_loss < first.policy_loss
    assert last.value_loss < first.value_loss
    uniform = measure_baselines(learnt.tests, ["random"])["random"]
    assert last.policy_random > uniform[0] + 0.1
    assert last.policy_play > uniform[1] + 0.1
    assert last.search_random >= 0.8


def test_test_positions_are_not_learnt(learnt: Learning) -> None:
    tests = set(observation_keys([position for truth in learnt.tests.groups.values() for position in truth.positions]))
    learnt_positions = {row.tobytes() for part in learnt.parts for row in part.observations}
    assert len(tests) == sum(len(truth.positions) for truth in learnt.tests.groups.values()) > 60
    assert len(learnt_positions) > 100
    assert not tests & learnt_positions


@pytest.mark.slow
def test_an_interrupted_run_continues_with_the_same_result(learnt: Learning, tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as executor:
        begun = Learning(SMALL, tmp_path, executor=executor)
        begun.run_iteration()
        begun.run_iteration()
        continued = Learning(SMALL, tmp_path, executor=executor)
        assert (continued.iteration, continued.rows) == (2, begun.rows)
        continued.run_iteration()
        continued.run_iteration()
    continued.finish()
    state = learnt.learner.state()
    assert all(np.array_equal(array, state[name]) for name, array in continued.learner.state().items())
    for name in ("policy_loss", "value_loss", "policy_random", "search_play", "regret_play"):
        assert [getattr(row, name) for row in continued.rows] == [getattr(row, name) for row in learnt.rows]
    assert load(str(tmp_path / WEIGHTS))([Position.start(SMALL.play.rules)]) == load(str(learnt.folder / WEIGHTS))(
        [Position.start(SMALL.play.rules)]
    )


def test_a_checkpoint_needs_the_same_settings(learnt: Learning) -> None:
    with pytest.raises(TablemenError, match=r"checkpoint\.npz has other settings: seed is 1, not 2; "):
        Learning(replace(SMALL, seed=2), learnt.folder)
    with pytest.raises(TablemenError, match="simulations is 12, not 13; "):
        Learning(replace(SMALL, play=replace(SMALL.play, simulations=13)), learnt.folder)


class Everything(set[bytes]):
    def __contains__(self, key: object) -> bool:
        return True


def test_positions_to_learn_are_needed(tmp_path: Path) -> None:
    learning = Learning(replace(SMALL, games=2), tmp_path)
    learning._excluded = Everything()
    with pytest.raises(TablemenError, match="use fewer test positions"):
        learning.run_iteration()


def test_damaged_files_are_reported(learnt: Learning, tmp_path: Path) -> None:
    random = Random(1)
    weights = tmp_path / WEIGHTS
    content = (learnt.folder / WEIGHTS).read_bytes()
    start = Position.start(SMALL.play.rules)
    expected = load(str(learnt.folder / WEIGHTS))([start])
    messages = []
    for _ in range(60):
        place = random.randrange(len(content))
        cut = content[:place]
        flipped = cut + bytes([content[place] ^ 1 << random.randrange(8)]) + content[place + 1 :]
        for damaged in (cut, flipped):
            weights.write_bytes(damaged)
            try:
                found = load(str(weights))([start])
            except TablemenError as error:
                messages.append(str(error))
            else:
                assert found == expected  # a bit that does not matter, such as one of a date
                assert damaged is flipped
    assert len(messages) > 100
    assert all(str(weights) in message for message in messages)
    weights.write_text("no arrays")
    with pytest.raises(TablemenError, match=r"weights\.npz is damaged, or is not an \.npz file"):
        load(str(weights))
    shutil.copy(learnt.folder / CHECKPOINT, weights)
    with pytest.raises(TablemenError, match="is not a file of weights"):
        load(str(weights))
    shutil.copy(learnt.folder / WEIGHTS, tmp_path / CHECKPOINT)
    with pytest.raises(TablemenError, match="is not a checkpoint"):
        Learning(SMALL, tmp_path)


def test_weights_that_are_not_numbers_are_reported(tmp_path: Path) -> None:
    rules = create_rules(3, 2)
    shape = Shape(inputs=9, moves=3, hidden=4, blocks=1)
    weights = shape.create_weights(1)
    for name, array, message in (
        ("input.bias", np.full(4, np.nan, np.float32), "not finite"),
        ("policy.weight", np.zeros((4, 5), np.float32), r"shape \(4, 5\): expected .* shape \(4, 3\)"),
    ):
        with pytest.raises(TablemenError, match=f"{name} .*{message}"):
            Network(shape, weights | {name: array})
    file = tmp_path / WEIGHTS
    write_weights(file, Network(shape, weights), rules)
    with pytest.raises(TablemenError, match="a network for this board has"):
        load(str(file))


def test_the_network_is_a_player(learnt: Learning) -> None:
    text = f"mcts:evaluator=examples.alphazero.kalah:load,weights={learnt.folder / WEIGHTS},simulations=8"
    with parse_player(text) as player:
        game = Game(Position.start(SMALL.play.rules))
        assert player.choose(game) in game.legal_moves()
        with pytest.raises(TablemenError, match="has learnt Kalah with 3 houses a side and 2 seeds in each"):
            player.choose(Game(Position.start("kalah")))


def test_an_evaluator_has_values_of_margins() -> None:
    rules = create_rules(3, 2)
    shape = Settings(play=SelfPlaySettings(houses=3, seeds=2), hidden=8).create_shape()
    weights = {name: np.zeros_like(array) for name, array in shape.create_weights(1).items()}
    evaluate = KalahEvaluator(Network(shape, weights), rules)
    position = Position(rules, NORTH, houses={SOUTH: (1, 0, 0), NORTH: (1, 0, 2)}, stores={SOUTH: 2, NORTH: 6})
    policies, values = evaluate([position])
    assert policies == [[0.5, 0.5]]
    assert values == [pytest.approx(4 / 12)]
    over = Position(rules, SOUTH, houses={SOUTH: (0, 0, 0), NORTH: (1, 0, 2)}, stores={SOUTH: 2, NORTH: 7})
    assert evaluate.final_value(over) == pytest.approx(-8 / 12)
    assert evaluate([]) == ([], [])


@pytest.mark.slow
def test_the_command_learns_and_continues(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = {
        "houses": 3,
        "seeds": 2,
        "test-positions": 20,
        "games": 8,
        "simulations": 4,
        "hidden": 8,
        "blocks": 1,
        "workers": 1,
    }
    arguments = [f"--{name}={value}" for name, value in options.items()]
    arguments.append(f"--out={tmp_path / 'new' / 'folder'}")
    main([*arguments, "--iterations", "1"])
    main([*arguments, "--minutes", "0"])
    main([*arguments, "--cpu-minutes", "0"])
    main([*arguments, "--iterations", "2"])
    printed = capsys.readouterr().out
    assert printed.count("continuing after iteration 1") == 3
    assert [line[:24] for line in printed.splitlines() if ", iteration" in line and "loss" in line] == [
        "  0.0 min, iteration 1: ",
        "  0.0 min, iteration 2: ",
    ]
    folder = tmp_path / "new" / "folder"
    assert [row.iteration for row in parse_csv((folder / CURVE).read_text())] == [1, 2]
    parse((folder / PICTURE).read_text())
    for wrong in ("--games=0", "--seed=-1", "--minutes=nan", "--network=tensor"):
        with pytest.raises(SystemExit):
            main([wrong])
    with pytest.raises(TablemenError, match="too few positions"):
        main(["--houses=1", "--seeds=1", f"--out={tmp_path}"])


def test_pytorch_is_named_if_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "examples.alphazero.torch_network", raising=False)
    with pytest.raises(TablemenError, match="pip install torch"):
        create_learner("torch", Shape(4, 2), seed=1)


def test_numpy_is_named_if_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    monkeypatch.delitem(sys.modules, "examples.alphazero")
    with pytest.raises(TablemenError, match="pip install numpy"):
        importlib.import_module("examples.alphazero")


def test_the_published_figures_are_those_of_the_learning_curve() -> None:
    rows = parse_csv((ROOT / "examples" / "alphazero" / "learning-curve.csv").read_text(encoding="utf-8"))
    page = (ROOT / "docs" / "learning.md").read_text(encoding="utf-8")
    shares = [
        f"| {row.cpu_minutes:.1f} | {row.games:,} | {row.policy_random:.1%} | {row.policy_play:.1%} |"
        f" {row.search_random:.1%} | {row.search_play:.1%} |"
        for row in rows
    ]
    assert [line for line in shares if line in page][-1] == shares[-1]
    picture = (ROOT / "docs" / "pictures" / "learning-curve.svg").read_text(encoding="utf-8")
    parse(picture)
    assert all(f"{share:.1%}" in picture for share in (rows[-1].policy_random, rows[-1].search_play))


def test_curves_are_written_as_csv_and_drawn() -> None:
    rows = [Figures(number, 2 * number, number, 8 * number, *[0.5 + number / 8] * 8) for number in range(3)]
    assert parse_csv(format_csv(rows)) == rows
    drawn = LearningCurve(rows, "A & B", {"random": 0.43}).svg()
    parse(drawn)
    assert "A &amp; B" in drawn
    assert drawn.count('fill="none"') == 4
    with pytest.raises(TablemenError, match="no rows"):
        LearningCurve([], "nothing")
    with pytest.raises(TablemenError, match="line 1: expected the columns minutes,"):
        parse_csv("a,b\n1,2\n")
    with pytest.raises(TablemenError, match="line 2: expected"):
        parse_csv(format_csv([]) + "1,2\n")
