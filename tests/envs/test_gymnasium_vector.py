"""The Gymnasium vector environment: many random games against `Game`, opponents, sides and the library's wrappers."""

from __future__ import annotations

from random import Random
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

from tablemen import TablemenError
from tablemen import draughts as dr
from tablemen.envs.gymnasium import TablemenVectorEnv
from tablemen.errors import ActionSpaceError, IllegalActionError
from tests.envs.random_games import CASES, SIDES, Referee

GAMES = 6
STEPS = 120


def choose_last(observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
    """Return the last legal action of each row."""
    assert len(observations) == len(masks) > 0
    assert masks.any(axis=1).all()
    return np.array([np.flatnonzero(mask)[-1] for mask in masks])


def choose_random(masks: npt.NDArray[np.int8], random: Random) -> npt.NDArray[np.int64]:
    return np.array([random.choice(np.flatnonzero(mask).tolist()) for mask in masks])


class Agent:
    """A referee of one game, in which an opponent plays the last legal action."""

    def __init__(self, variant: str, actions: str, side: int | None) -> None:
        self.variant, self.actions, self.side = variant, actions, side
        self.referee = Referee(variant, actions)
        self._answer()

    def _answer(self) -> None:
        while self.side is not None and not self.is_over and self.turn != self.side:
            self.referee.play(self.referee.legal_actions()[-1])

    @property
    def is_over(self) -> bool:
        return self.referee.outcome() is not None

    @property
    def turn(self) -> int:
        return SIDES.index(self.referee.game.turn)

    @property
    def winner(self) -> int:
        outcome = self.referee.outcome()
        return -1 if outcome is None or outcome.winner is None else SIDES.index(outcome.winner)

    def play(self, action: int) -> float:
        """Play an action and the opponent's answer, and return the reward."""
        mover = self.turn
        self.referee.play(action)
        self._answer()
        return self.referee.rewards()[mover]

    def observe(self) -> npt.NDArray[np.uint8]:
        return self.referee.observe(SIDES[self.turn if self.side is None else self.side])


@pytest.mark.parametrize("opponent", [None, choose_last], ids=["self-play", "opponent"])
@pytest.mark.parametrize(("variant", "actions"), CASES)
def test_random_games_agree_with_game(variant: str, actions: str, opponent: Any) -> None:
    envs, random = TablemenVectorEnv(variant, GAMES, actions=actions, opponent=opponent, side="alternate"), Random(6)
    observations, infos = envs.reset(seed=4)
    first = SIDES.index(Referee(variant, actions).game.turn)
    sides = [None if opponent is None else (first + game) % 2 for game in range(GAMES)]
    agents = [Agent(variant, actions, side) for side in sides]
    finished_games = 0
    for _ in range(STEPS):
        for game, agent in enumerate(agents):
            assert not agent.is_over
            np.testing.assert_array_equal(observations[game], agent.observe())
            assert np.flatnonzero(infos["action_mask"][game]).tolist() == agent.referee.legal_actions()
            assert infos["turn"][game] == agent.turn
        chosen = choose_random(infos["action_mask"], random)
        observations, rewards, terminated, truncated, infos = envs.step(chosen)
        assert not truncated.any()
        for game, agent in enumerate(agents):
            reward = agent.play(int(chosen[game]))
            assert (rewards[game], terminated[game]) == (reward if agent.is_over else 0, agent.is_over)
            if agent.is_over:
                finished_games += 1
                assert infos["_final_obs"][game]
                np.testing.assert_array_equal(infos["final_obs"][game], agent.observe())
                assert infos["final_info"]["winner"][game] == agent.winner
                agents[game] = Agent(variant, actions, None if agent.side is None else 1 - agent.side)
    assert finished_games > 0


@pytest.mark.parametrize("side", ["random", "alternate", "south"])
def test_a_seed_determines_everything(side: str) -> None:
    def play(envs: TablemenVectorEnv) -> list[Any]:
        found: list[Any] = [envs.reset(seed=3)]
        for _ in range(60):
            masks = found[-1][-1]["action_mask"]
            found.append(envs.step(choose_last(masks, masks)))
        return [*found, envs.reset()]

    envs = TablemenVectorEnv("kalah", GAMES, actions="house", side=side)
    found = play(envs)
    envs.reset(seed=9)
    assert data_equivalence(found, play(envs), exact=True)
    rewards = np.concatenate([each[1] for each in found[1:-1]])
    assert set(rewards.tolist()) >= {-1, 0, 1}
    if side == "random":
        assert set(found[0][1]["turn"].tolist()) == {0, 1}


def test_the_library_makes_and_wraps_the_environment() -> None:
    envs = gymnasium.make_vec("tablemen/Kalah-v0", num_envs=GAMES, actions="house", max_plies=20)
    assert isinstance(envs.unwrapped, TablemenVectorEnv)
    assert envs.metadata["autoreset_mode"] is gymnasium.vector.AutoresetMode.SAME_STEP
    wrapped = DictInfoToList(RecordEpisodeStatistics(envs))
    _, infos = wrapped.reset(seed=1)
    episodes, random = [], Random(1)
    for _ in range(30):
        masks = np.stack([info["action_mask"] for info in infos])
        observations, _, terminated, truncated, infos = wrapped.step(choose_random(masks, random))
        assert observations in envs.observation_space
        for info, is_over in zip(infos, terminated | truncated, strict=True):
            assert ("final_obs" in info) == is_over
            if is_over:
                episodes.append(info["final_info"])
    assert len(episodes) >= GAMES
    wrapped.close()


def test_the_maximum_length_truncates() -> None:
    envs = TablemenVectorEnv("english", 2, opponent=None, max_plies=2)
    envs.reset(seed=0)
    assert envs.step(np.zeros(2, int))[3].tolist() == [False, False]
    _, _, terminated, truncated, infos = envs.step(np.zeros(2, int))
    assert (terminated.tolist(), truncated.tolist()) == ([False, False], [True, True])
    assert infos["final_info"]["winner"].tolist() == [-1, -1]


def test_an_illegal_action_changes_nothing() -> None:
    envs = TablemenVectorEnv("kalah", 2, side="south")
    observations, _ = envs.reset(seed=0)
    with pytest.raises(IllegalActionError):
        envs.step(np.array([1, 6]))
    np.testing.assert_array_equal(envs.batch_env.batch.observation, observations)


def test_without_copies_the_arrays_are_those_of_the_core() -> None:
    envs = TablemenVectorEnv("english", 2, opponent=None, copy=False)
    observations, _ = envs.reset(seed=0)
    before = observations.copy()
    after = envs.step(np.zeros(2, int))[0]
    assert np.shares_memory(observations, after)
    assert not np.array_equal(observations, before)


def test_crowded_positions_raise_only_if_they_are_reached() -> None:
    # While the opponent begins in one game, the other one must not move: there a king would have more than four moves.
    start = [dr.Position.from_fen(fen, "international") for fen in ("B:WK46:B1", "W:W46:B1")]
    envs = TablemenVectorEnv("international", 2, start=start, limit=4, side="black", opponent=choose_last)
    _, infos = envs.reset(seed=0)
    assert infos["turn"].tolist() == [1, 1]
    with pytest.raises(ActionSpaceError):
        envs.step(np.zeros(2, int))


def test_games_need_a_reset_and_an_opponent_that_answers() -> None:
    failing = False

    def answer(observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        return choose_last(observations, masks) + failing * 1000

    envs = TablemenVectorEnv("oware", 2, opponent=answer, side="south", actions="house")
    with pytest.raises(TablemenError):
        envs.step(np.zeros(2, int))
    envs.reset(seed=0)
    failing = True
    with pytest.raises(IllegalActionError):
        envs.step(np.zeros(2, int))
    failing = False
    with pytest.raises(TablemenError):  # the agent must not move for its opponent
        envs.step(np.zeros(2, int))
    envs.reset(seed=0)
    envs.step(np.zeros(2, int))


def begin_two_games(**options: Any) -> None:
    envs = TablemenVectorEnv(**options)
    envs.reset(seed=0)
    envs.step(np.zeros(2, int))


@pytest.mark.parametrize(
    "options",
    [
        {"opponent": "searcher:level=1"},
        {"opponent": lambda _, masks: [0.5] * len(masks), "side": "south"},
        {"opponent": lambda _, masks: [0] * (len(masks) - 1), "side": "south"},
        {"side": "white"},
        {"actions": "step"},
        {"num_envs": 0},
        {"start": dr.Position.start("english")},
    ],
)
def test_invalid_options(options: dict[str, Any]) -> None:
    with pytest.raises(TablemenError):
        begin_two_games(**{"variant": "kalah", "num_envs": 2, **options})


def test_a_game_that_ends_before_the_agent_can_move_raises() -> None:
    position = dr.Position.from_fen("B:W18:B14", "english")
    with pytest.raises(TablemenError):
        TablemenVectorEnv("english", 2, start=position, side="white").reset(seed=0)
    with pytest.raises(TablemenError):
        TablemenVectorEnv("english", 2).reset(seed=0, options={"start": position})
