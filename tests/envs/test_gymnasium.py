"""The Gymnasium environments: the library's checker, opponents and sides, and random games against `Game`."""

from __future__ import annotations

import pickle
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence

from tablemen import ArgumentError, Game, GameOverError, Outcome, PeerGoneError, Side, TablemenError, Termination
from tablemen import draughts as dr
from tablemen.envs.gymnasium import TablemenEnv, register_envs
from tablemen.errors import ActionSpaceError
from tablemen.players import RESIGN, Player
from tests.envs.random_games import CASES, SIDES, Referee


class Recorder(Player):
    """A random player that records its games and can resign."""

    name = "recorder"

    def __init__(self, *, resigns_at: int = 1000) -> None:
        self.random = Random(4)
        self.resigns_at = resigns_at
        self.events: list[Any] = []

    def begin_game(self, game: Game[Any, Any]) -> None:  # noqa: ARG002
        self.events.append("begin")

    def choose(self, game: Game[Any, Any]) -> Any:
        return RESIGN if len(game.moves) >= self.resigns_at else self.random.choice(game.legal_moves())

    def end_game(self, game: Game[Any, Any], outcome: Any) -> None:  # noqa: ARG002
        self.events.append(outcome)

    def close(self) -> None:
        self.events.append("close")


@pytest.mark.parametrize(
    ("env_id", "options"),
    [
        ("tablemen/English-v0", {}),
        ("tablemen/International-v0", {"actions": "step", "opponent": "minimax:depth=1"}),
        ("tablemen/Russian-v0", {"actions": "from-to", "side": "alternate"}),
        ("tablemen/Turkish-v0", {"side": "black", "opponent": "searcher:nodes=100"}),
        ("tablemen/Kalah-v0", {"actions": "house", "opponent": "mcts:simulations=8"}),
        ("tablemen/Oware-v0", {"opponent": "robot", "side": "north"}),
    ],
)
def test_conforms(env_id: str, options: dict[str, Any]) -> None:
    assert env_id in register_envs()
    for render_mode in (None, "ansi"):
        check_env(gymnasium.make(env_id, render_mode=render_mode, **options).unwrapped)


@pytest.mark.parametrize(("variant", "actions"), CASES)
def test_random_games_agree_with_game(variant: str, actions: str) -> None:
    random, opponent = Random(1), Recorder()
    env = TablemenEnv(variant, actions=actions, opponent=opponent, side="alternate", illegal="raise")
    sides = set()
    for _ in range(2):
        observation, info = env.reset()
        referee, terminated, reward = Referee(variant, actions), False, 0.0
        side = next(each for each, name in env.encoded_game.family.sides.items() if name == info["side"])
        sides.add(side)
        played: list[str] = list(info["played"])
        while True:
            for text in played[len(referee.game.moves) :]:
                referee.game.push(text)
            assert terminated == (referee.outcome() is not None)
            assert reward == (referee.rewards()[SIDES.index(side)] if terminated else 0)
            np.testing.assert_array_equal(observation, referee.observe(side))
            legal = referee.legal_actions()
            assert np.flatnonzero(info["action_mask"]).tolist() == legal
            if terminated:
                break
            assert referee.game.turn is side
            action = random.choice(legal)
            referee.play(action)
            observation, reward, terminated, truncated, info = env.step(action)
            played += info["played"]
            assert not truncated
        assert played == [str(move) for move in referee.game.moves]
        assert (opponent.events[-1], info.keys() >= {"outcome"}) == (referee.outcome(), True)
    assert sides == set(SIDES)


def play_seeded(env: TablemenEnv, seed: int) -> list[Any]:
    found: list[Any] = [env.reset(seed=seed)]
    for _ in range(2):
        terminated = truncated = False
        while not (terminated or truncated):
            action = int(np.flatnonzero(found[-1][-1]["action_mask"])[-1])
            found.append(env.step(action))
            _, _, terminated, truncated, _ = found[-1]
        found.append(env.reset())
    return found


@pytest.mark.parametrize("opponent", ["random", "minimax:depth=1", "searcher:level=1", "random:seed=3"])
@pytest.mark.parametrize("side", ["random", "alternate", "white"])
def test_a_seed_determines_everything(opponent: str, side: str) -> None:
    env = TablemenEnv("breakthrough", opponent=opponent, side=side)
    first = play_seeded(env, 8)
    env.reset(seed=3)
    assert data_equivalence(first, play_seeded(env, 8), exact=True)
    assert data_equivalence(
        first, play_seeded(TablemenEnv("breakthrough", opponent=opponent, side=side), 8), exact=True
    )
    if opponent == "random":
        assert not data_equivalence(first, play_seeded(env, 9), exact=True)


def test_sides_by_name_and_by_chance() -> None:
    names = [TablemenEnv("kalah", side=side).reset(seed=2)[1]["side"] for side in ("south", "north")]
    assert names == ["south", "north"]
    env = TablemenEnv("english", side="random")
    assert {env.reset(seed=seed)[1]["side"] for seed in range(10)} == {"white", "black"}
    env = TablemenEnv("english", side="alternate")
    assert [env.reset(seed=1)[1]["side"], *(env.reset()[1]["side"] for _ in range(3))] == ["black", "white"] * 2


def test_an_illegal_action_loses_or_raises() -> None:
    env = TablemenEnv("kalah", side="south", actions="house", start="<6,0,0,0,4,4,4,4,4,4,4,4,4,4,4> south")
    observation, info = env.reset(seed=1)
    assert not info["action_mask"][0]
    after, reward, terminated, truncated, info = env.step(0)
    assert (reward, terminated, truncated, info["illegal_action"]) == (-1, True, False, True)
    np.testing.assert_array_equal(after, observation)
    with pytest.raises(TablemenError):
        env.step(1)
    env = TablemenEnv("english", illegal="raise")
    env.reset(seed=1)
    with pytest.raises(ArgumentError) as raised:
        env.step(127)
    assert (raised.value.name, raised.value.value) == ("action", 127)


def test_an_opponent_that_resigns_loses() -> None:
    opponent = Recorder(resigns_at=3)
    env = TablemenEnv("english", opponent=opponent, side="black")
    env.reset(seed=0)
    assert env.step(0)[1:4] == (0, False, False)
    _, reward, terminated, truncated, info = env.step(0)
    assert (reward, terminated, truncated, info["outcome"]) == (1, True, False, "Black wins: White resigned")
    with pytest.raises(TablemenError):
        env.step(0)
    env.reset()
    env.reset()
    env.close()
    assert opponent.events == ["begin", Outcome(Side.BLACK, Termination.RESIGNATION), "begin", None, "begin"]


class Failing(Recorder):
    """An opponent that fails in its second move."""

    def choose(self, game: Game[Any, Any]) -> Any:
        if len(game.moves) > 2:
            raise PeerGoneError("the engine", "has exited")
        return super().choose(game)


def test_an_opponent_that_fails_ends_the_game() -> None:
    env = TablemenEnv("english", opponent=Failing(), side="black")
    env.reset(seed=0)
    env.step(0)
    with pytest.raises(PeerGoneError):
        env.step(0)
    with pytest.raises(TablemenError):  # the agent must not move for its opponent
        env.step(0)
    env.reset()
    env.step(0)


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_the_vector_environments_of_the_library(mode: str) -> None:
    envs = gymnasium.make_vec("tablemen/Kalah-v0", num_envs=2, vectorization_mode=mode, actions="house", side="south")
    _, infos = envs.reset(seed=1)
    for _ in range(30):
        actions = infos["action_mask"].argmax(axis=1)
        observations, _, _, _, infos = envs.step(actions)
        assert observations in envs.observation_space
    envs.close()


def test_the_maximum_length_truncates() -> None:
    env = TablemenEnv("english", max_plies=4, side="black")
    env.reset(seed=0)
    assert env.step(0)[2:4] == (False, False)
    assert env.step(0)[2:4] == (False, True)


def test_a_game_begins_in_any_position() -> None:
    position = dr.Position.from_fen("B:W18:B14", "english")
    env = TablemenEnv("english", side="white", start="W:WK15:BK6", render_mode="ansi")
    observation, _ = env.reset()
    assert observation.sum() == 2
    assert env.render().splitlines()[-1] == "White to move"  # type: ignore[union-attr]
    for start in (position, position.fen()):
        with pytest.raises(TablemenError):  # the opponent wins before the agent can move
            env.reset(options={"start": start})
    with pytest.raises(GameOverError):
        env.reset(options={"start": "B:W18:B"})


def test_a_crowded_position_raises() -> None:
    env = TablemenEnv("international", limit=4, side="black", start="B:WK46:B1", illegal="raise")
    env.reset(seed=0)
    moves = env.encoded_game.describe_actions()
    with pytest.raises(ActionSpaceError):
        env.step(next(action for action, text in moves.items() if text == "1-7"))


@pytest.mark.parametrize(
    "options",
    [
        {"opponent": "strong"},
        {"opponent": "robot"},
        {"side": "south"},
        {"side": None},
        {"illegal": "ignore"},
        {"render_mode": "rgb_array"},
        {"max_plies": 0},
        {"start": dr.Position.start("russian")},
    ],
)
def test_invalid_options(options: dict[str, Any]) -> None:
    with pytest.raises(TablemenError):
        TablemenEnv("english", **options)


def test_every_variant_is_registered_once() -> None:
    ids = register_envs()
    assert len(set(ids)) == len(ids)
    for env_id in ids:
        env = gymnasium.make(env_id, side="random").unwrapped
        assert isinstance(env, TablemenEnv)
        env.reset(seed=1)
        spec = pickle.loads(pickle.dumps(env.spec))
        assert spec.kwargs["variant"] == env.encoding.variant.name
