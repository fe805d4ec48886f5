"""The PettingZoo environment: the library's conformance tests, and random games against `Game`."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

from tablemen import ArgumentError, GameOverError, TablemenError
from tablemen import draughts as dr
from tablemen.envs.pettingzoo import TablemenAECEnv, env
from tests.envs.random_games import CASES, SIDES, Referee

AGENTS = ["player_0", "player_1"]
CAPTURE = (18 * 32 + 9) * 8  # from 14 to 23, seen by Black


# The test expects an environment of PettingZoo itself if observations are dicts, and a mask even when the game is over.
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning")
@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros:UserWarning")
@pytest.mark.parametrize(("variant", "actions"), CASES)
def test_conforms(variant: str, actions: str, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(env(variant, actions=actions), num_cycles=150)
    seed_test(lambda: env(variant, actions=actions), num_cycles=50)


@pytest.mark.parametrize(("variant", "actions"), CASES)
def test_random_games_agree_with_game(variant: str, actions: str) -> None:
    game, referee, random = env(variant, actions=actions), Referee(variant, actions), Random(5)
    game.reset()
    totals = dict.fromkeys(AGENTS, 0.0)
    for agent in game.agent_iter():
        observation, reward, terminated, truncated, info = game.last()
        totals[agent] += reward
        outcome = referee.outcome()
        assert (terminated, truncated) == (outcome is not None, False)
        side = SIDES[AGENTS.index(agent)]
        np.testing.assert_array_equal(observation["observation"], referee.observe(side))
        assert np.flatnonzero(observation["action_mask"]).tolist() == (
            referee.legal_actions() if side is referee.game.turn else []
        )
        if terminated:
            assert info.keys() == {"outcome"}
            game.step(None)
            continue
        assert list(info["moves"]) == referee.legal_actions()
        action = random.choice(referee.legal_actions())
        if actions != "step":
            move = referee.encoding.decode(referee.game.position, action)
            assert info["moves"][action] == str(move)
        game.step(action)
        referee.play(action)
    assert list(totals.values()) == referee.rewards()
    assert game.agents == []


def test_an_extra_turn_selects_the_same_agent() -> None:
    game = env("kalah", actions="house")
    game.reset()
    selected = []
    for action in (2, 0, 1):
        selected.append(game.agent_selection)
        game.step(action)
    assert selected == ["player_0", "player_0", "player_1"]


def test_the_maximum_length_truncates_for_both_agents() -> None:
    game = env("oware", max_plies=1)
    game.reset()
    game.step(0)
    assert (game.terminations, game.truncations) == (dict.fromkeys(AGENTS, False), dict.fromkeys(AGENTS, True))
    assert game.infos == {"player_0": {}, "player_1": {}}


def test_a_game_begins_in_any_position() -> None:
    game = env("english", start="W:WK15:BK6", actions="from-to", render_mode="ansi")
    game.reset()
    assert game.agent_selection == "player_0"
    assert game.render().endswith("White to move")
    position = dr.Position.from_fen("B:W18:B14", "english")
    for start in ("B:W18:B14", position):
        game.reset(options={"start": start})
        assert (game.agent_selection, game.infos["player_1"]["moves"]) == ("player_1", {CAPTURE: "14x23"})
        game.step(CAPTURE)
        assert (game.rewards["player_1"], game.infos["player_0"]["outcome"]) == (
            1,
            "Black wins: White has no pieces left",
        )
    game.reset()
    assert game.agent_selection == "player_0"
    with pytest.raises(GameOverError):
        game.reset(options={"start": "B:W18:B"})


def test_an_illegal_action_raises_or_loses() -> None:
    game = env("kalah")
    game.reset()
    with pytest.raises(ArgumentError):
        game.step(6)
    with pytest.raises(ArgumentError):
        game.step(None)
    game = TerminateIllegalWrapper(env("english"), illegal_reward=-1)
    game.reset()
    game.step(100)
    assert game.rewards == {"player_0": 0, "player_1": -1}


@pytest.mark.parametrize(
    "options",
    [
        {"render_mode": "human"},
        {"max_plies": 0},
        {"actions": "house"},
        {"start": "W:W99:B1"},
        {"start": dr.Position.start("russian")},
        {"variant": "chess"},
    ],
)
def test_invalid_options(options: dict[str, Any]) -> None:
    with pytest.raises(TablemenError):
        TablemenAECEnv(**options)
