"""The tree search with PUCT, its player, and evaluators."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tablemen import ArgumentError, Game, GameError, GameOverError, Side, TablemenError
from tablemen.draughts import Position
from tablemen.family import families, get_family
from tablemen.mancala import KALAH, solve
from tablemen.mancala import Position as Pits
from tablemen.match import Match, Openings
from tablemen.players import MctsPlayer, SearchTree, find_evaluator, parse_player
from tablemen.search import Clock, Limit
from tests.test_testing import Nim, Take

VARIANTS = [rules for family in families() for rules in family.variants.values()]
SMALL_KALAH = replace(KALAH, name="small", houses=3, seeds=3)
evaluate_statically = find_evaluator("static")


def start_game(rules: Any) -> Game[Any, Any]:
    return Game(get_family(rules).start(rules))


def search(game: Game[Any, Any], simulations: int, *, batch: int = 1, evaluator: Any = evaluate_statically) -> Any:
    tree = SearchTree(game, final_value=getattr(evaluator, "final_value", None))
    while tree.simulations < simulations:
        positions = tree.select(min(batch, simulations - tree.simulations))
        assert len(set(map(id, positions))) == len(positions) <= batch
        tree.update(*evaluator(positions))
    return tree


@pytest.mark.parametrize("rules", VARIANTS, ids=lambda rules: rules.name)
@pytest.mark.parametrize("batch", [1, 8])
def test_every_variant_is_searched_to_the_end_of_a_game(rules: Any, batch: int) -> None:
    game = start_game(rules)
    with MctsPlayer(simulations=10, batch=batch, evaluator="playouts", temperature=1.0) as player:
        for _ in range(150):
            if game.outcome() is not None or game.claims():
                break
            before = game.copy()
            move = player.choose(game)
            assert game == before
            assert player.tree is not None
            assert set(player.tree.visits()) == set(game.legal_moves())
            assert sum(player.tree.visits().values()) == player.tree.simulations >= min(10, batch)
            game.push(move)


@pytest.mark.parametrize("batch", [1, 7, 64])
def test_visits_add_up_to_the_simulations(batch: int) -> None:
    for rules in (VARIANTS[0], KALAH):
        game = start_game(rules)
        tree = search(game, 300, batch=batch)
        assert tree.simulations == sum(tree.visits().values()) == 300
        assert sum(tree.policy().values()) == pytest.approx(1)
        assert set(tree.policy()) == set(game.legal_moves())


class Advantage:
    """An evaluator for which every position is as good for White, whoever is to move."""

    def __call__(self, positions: Sequence[Any]) -> tuple[Any, Any]:
        policies = [[1.0] * len(position.legal_moves()) for position in positions]
        return policies, [0.7 if position.turn is Side.WHITE else -0.7 for position in positions]

    def final_value(self, position: Any) -> float:
        return 0.7 if position.turn is Side.WHITE else -0.7


@pytest.mark.parametrize("batch", [1, 32])
@pytest.mark.parametrize("rules", [KALAH, SMALL_KALAH, VARIANTS[0]], ids=lambda rules: rules.name)
def test_values_follow_the_side_to_move_and_virtual_losses_are_removed(rules: Any, batch: int) -> None:
    game = start_game(rules)
    for _ in range(2):
        sign = 1 if game.turn is Side.WHITE else -1
        tree = search(game, 400, batch=batch, evaluator=Advantage())
        assert tree.value == pytest.approx(sign * 0.7)
        assert list(tree.values().values()) == pytest.approx([sign * 0.7] * len(game.legal_moves()))
        game.push(game.legal_moves()[-1])


class Margin:
    """The solver as an evaluator, with uniform policies."""

    def __call__(self, positions: Sequence[Any]) -> tuple[Any, Any]:
        values = [solve(position, each_move=False, table_mb=1, cache=False).value for position in positions]
        return [[1.0] * len(position.legal_moves()) for position in positions], list(map(self.scale, values))

    def final_value(self, position: Any) -> float:
        score = position.score()
        return self.scale(score[position.turn] - score[position.turn.opponent])

    def scale(self, margin: int) -> float:
        return margin / 18


class Result(Margin):
    """An evaluator that knows only whether a game is won."""

    def scale(self, margin: int) -> float:
        return (margin > 0) - (margin < 0)


@pytest.mark.parametrize(("evaluator", "exploration"), [(Margin(), 0.1), (Result(), 1.5)])
def test_perfect_evaluations_lead_to_perfect_moves(evaluator: Margin, exploration: float) -> None:
    game = start_game(SMALL_KALAH)
    moves = 0
    with MctsPlayer(simulations=100, exploration=exploration, function=evaluator) as player:
        while game.outcome() is None:
            solution = solve(game.position, table_mb=1, cache=False)
            move = player.choose(game)
            assert evaluator.scale(solution.values[move]) == evaluator.scale(solution.value)
            game.push(move)
            moves += 1
    assert moves > 5


@pytest.mark.parametrize("evaluator", ["static", "playouts"])
def test_forced_wins_are_found(evaluator: str) -> None:
    shot: Game[Any, Any] = Game(Position.from_fen("W:W24,26,31:B12,32,40", "international"))
    with MctsPlayer(simulations=300, evaluator=evaluator) as player:
        assert str(player.choose(shot)) == "31-27"
        last: Game[Any, Any] = Game(Position.from_fen("W:W28:B23", "international"))
        player.choose(last)
        assert player.score is not None
        assert player.score.value > 5


@pytest.mark.parametrize(
    ("variant", "fen", "shuffle"),
    [
        ("international", "W:WK47,31,36:BK4,15,20", "47-42 4-9 42-47 9-4"),  # ends the game
        ("english", "W:WK1,28:BK32,5", "1-6 32-27 6-1 27-32"),  # can be claimed
    ],
)
def test_draws_by_repetition_have_the_value_0(variant: str, fen: str, shuffle: str) -> None:
    game: Game[Any, Any] = Game(Position.from_fen(fen, variant), f"{shuffle} {shuffle}".rpartition(" ")[0])
    tree = search(game, 100, evaluator=Advantage())
    values = {str(move): value for move, value in tree.values().items()}
    assert values.pop(shuffle.rpartition(" ")[2]) == 0.0
    assert values
    assert max(values.values()) < -0.6


def test_the_same_seed_plays_the_same_game() -> None:
    def play(seed: int) -> tuple[Any, ...]:
        game = start_game(KALAH)
        text = f"mcts:simulations=20,noise=0.25,temperature=1,plies=10,seed={seed}"
        with parse_player(text) as player:
            while game.outcome() is None:
                game.push(player.choose(game))
        return game.moves

    assert play(1) == play(1)
    assert len({play(seed) for seed in range(5)}) == 5


def test_mcts_beats_random_moves() -> None:
    for rules in (VARIANTS[0], KALAH):
        match = Match(rules, "mcts:simulations=60", "random", games=6, openings=Openings(plies=2))
        assert sum(each.points for each in match.play()) >= 5


def test_the_tree_is_kept_while_the_game_continues() -> None:
    game = start_game(VARIANTS[0])
    player = MctsPlayer(simulations=200)
    player.choose(game)
    tree = player.tree
    assert tree is not None
    for _ in range(3):
        game.push(tree.best_move())
        reply = max(game.legal_moves(), key=str)
        game.push(reply)
        before = tree.nodes
        assert tree.follow(game)
        assert tree.game == game
        assert 1 <= tree.nodes < before
        kept = tree.simulations
        player.choose(game)
        assert player.tree is tree
        assert tree.simulations == kept + (200 if len(game.legal_moves()) > 1 else player.batch)
    game.pop()
    game.push(min(game.legal_moves(), key=str))
    assert not tree.follow(game)
    player.choose(game)
    assert player.tree is not tree


def test_limits() -> None:
    assert MctsPlayer().limit == Limit(nodes=400)
    assert MctsPlayer(time=0.5).limit == Limit(time=0.5)
    assert parse_player("mcts:simulations=30,time=2").limit == Limit(nodes=30, time=2.0)  # type: ignore[attr-defined]
    game = start_game(KALAH)
    for player in (MctsPlayer(time=0.001), MctsPlayer(time=1000, nodes=50), MctsPlayer(simulations=10**9)):
        player.clock = Clock(0.0) if player.simulations else None
        assert player.choose(game) in game.legal_moves()
        assert player.tree is not None
        assert player.tree.nodes <= 50 + player.batch or player.nodes > 50


def test_an_interrupt_leaves_the_player_usable() -> None:
    calls = 0

    def evaluate(positions: Sequence[Any]) -> tuple[Any, Any]:
        nonlocal calls
        calls += 1
        if calls == 4:
            raise KeyboardInterrupt
        if calls == 9:
            player.stop()
        return evaluate_statically(positions)

    game = start_game(VARIANTS[0])
    player = MctsPlayer(function=evaluate)
    with pytest.raises(KeyboardInterrupt):
        player.choose(game)
    assert player.tree is None
    assert player.choose(game) in game.legal_moves()
    assert calls == 9
    player.close()
    with pytest.raises(TablemenError):
        player.choose(game)


def test_a_forced_move_needs_few_simulations_and_no_evaluation() -> None:
    evaluated: list[Any] = []

    def evaluate(positions: Sequence[Any]) -> tuple[Any, Any]:
        evaluated.extend(positions)
        return evaluate_statically(positions)

    game: Game[Any, Any] = Game(Position.start("international"), ["32-28", "19-23"])
    player = MctsPlayer(function=evaluate, batch=4)
    assert player.choose(game) == game.legal_moves()[0]
    assert player.tree is not None
    assert player.tree.simulations == 4
    assert all(len(position.legal_moves()) > 1 for position in evaluated)


def test_the_search_needs_only_positions_and_games() -> None:
    def evaluate(positions: Sequence[Any]) -> tuple[Any, Any]:
        return [[1.0] * len(position.legal_moves()) for position in positions], [0.0] * len(positions)

    tree = search(Game(Nim(7)), 500, evaluator=evaluate)
    assert tree.best_move() == Take(3)


def test_noise_and_temperature() -> None:
    game = start_game(KALAH)
    tree = SearchTree(game)
    for unready in (tree.best_move, lambda: tree.add_noise(0.5)):
        with pytest.raises(GameError):
            unready()
    tree.update(*evaluate_statically(tree.select(1)))
    uniform = dict.fromkeys(game.legal_moves(), pytest.approx(1 / 6))
    assert tree.policy() == uniform
    tree.add_noise(1.0, 0.1)
    assert tree.policy() == uniform  # of the evaluator
    for _ in range(50):
        tree.update(*evaluate_statically(tree.select(1)))
    assert max(tree.policy().values()) > 0.4
    assert max(tree.policy(0).values()) == 1
    visited = [share for share in tree.policy(1000).values() if share]
    assert visited == pytest.approx([1 / len(visited)] * len(visited), abs=0.01)
    assert tree.sample_move(0) == tree.best_move()


def test_a_selection_is_completed_before_the_next() -> None:
    tree = SearchTree(start_game(KALAH))
    tree.select(1)
    for early in (lambda: tree.select(1), lambda: tree.advance("3"), lambda: tree.follow(start_game(KALAH))):
        with pytest.raises(GameError, match="update"):
            early()
    with pytest.raises(GameOverError):
        SearchTree(Game(Pits.from_text("<6,24,24,0,0,0,0,0,0,0,0,0,0,0,0> south", "kalah")))


@pytest.mark.parametrize(
    ("policies", "values"),
    [
        ([], []),
        ([[1] * 6], []),
        ([[1] * 5], [0]),
        ([[1] * 5 + [-1]], [0]),
        ([[1] * 5 + [math.nan]], [0]),
        ([[math.inf] * 6], [0]),
        ([[1] * 6], [1.01]),
        ([[1] * 6], [math.nan]),
    ],
)
def test_invalid_evaluations_are_refused(policies: Any, values: Any) -> None:
    tree = SearchTree(start_game(KALAH))
    tree.select(1)
    with pytest.raises(TablemenError, match="the evaluator returned"):
        tree.update(policies, values)
    tree.update([[0] * 6], [0])  # without any weight, all moves are equal
    assert set(tree.policy().values()) == {1 / 6}


MODULE = """
from pathlib import Path

def evaluate(positions):
    return [[1.0] * len(position.legal_moves()) for position in positions], [0.25] * len(positions)

class Network:
    def __init__(self, path):
        self.value = float(Path(path).read_text())
    def __call__(self, positions):
        return evaluate(positions)[0], [self.value] * len(positions)
    def check(self, position):
        if position.variant.name != "kalah":
            from tablemen import GameError
            raise GameError(f"the network plays only Kalah, not {position.variant}")

answer = 42
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install a package that registers evaluators, with a file of weights."""
    (tmp_path / "some_evaluators.py").write_text(MODULE)
    (tmp_path / "weights.txt").write_text("-0.5")
    info = tmp_path / "some_evaluators-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: some-evaluators\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[tablemen.evaluators]\nflat = some_evaluators:evaluate\nnetwork = some_evaluators:Network\nbad = gone:x\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_evaluators_are_found_by_name(package: Path) -> None:
    position = Pits.start("kalah")
    for name in ("flat", "some_evaluators:evaluate"):
        assert find_evaluator(name)([position]) == ([[1.0] * 6], [0.25])
    weights = package / "weights.txt"
    for name in ("network", "some_evaluators:Network"):
        assert find_evaluator(name, str(weights))([position])[1] == [-0.5]
        with parse_player(f"mcts:simulations=9,evaluator={name},weights={weights}") as player:
            assert player.choose(Game(position)) in position.legal_moves()
            with pytest.raises(GameError, match="only Kalah"):
                player.check(Position.start("english"))
    with pytest.raises(TablemenError, match="did you mean flat"):
        find_evaluator("flatt")
    for name in ("bad", "gone:x", "some_evaluators:none", "some_evaluators:", "some_evaluators:answer", ".:x"):
        with pytest.raises(TablemenError, match="evaluator"):
            find_evaluator(name)
    with pytest.raises(TablemenError, match="cannot be read"):
        find_evaluator("network", "missing.txt")
    with pytest.raises(ArgumentError):
        find_evaluator("static", "weights.txt")


def test_a_function_is_no_option() -> None:
    player = MctsPlayer(function=evaluate_statically, simulations=5)
    assert str(player) == "mcts:simulations=5"
    assert replace(player).function is evaluate_statically
    with pytest.raises(ArgumentError):
        MctsPlayer(function=3)  # type: ignore[arg-type]
