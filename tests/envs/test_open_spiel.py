"""The OpenSpiel game: the library's simulation test, copies and serialisation, and random games against `Game`."""

from __future__ import annotations

import pickle
from random import Random

import numpy as np
import pyspiel
import pytest
from open_spiel.python.observation import make_observation

from tablemen import ArgumentError, GameOverError, TablemenError, UnknownVariantError
from tablemen import draughts as dr
from tablemen.envs import open_spiel  # registers the game
from tablemen.errors import ActionSpaceError
from tests.envs.random_games import CASES, SIDES, Referee


def load(variant: str, actions: str = "slot") -> pyspiel.Game:
    return pyspiel.load_game(f"tablemen(variant={variant},actions={actions})")


@pytest.mark.parametrize(("variant", "actions"), CASES)
def test_conforms(variant: str, actions: str, capfd: pytest.CaptureFixture[str]) -> None:
    pyspiel.random_sim_test(load(variant, actions), num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize(("variant", "actions"), CASES)
def test_conforms_with_serialisation(variant: str, actions: str, capfd: pytest.CaptureFixture[str]) -> None:
    game = pyspiel.load_game(f"tablemen(variant={variant},actions={actions},max_plies=40)")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize(("variant", "actions"), CASES)
def test_random_games_agree_with_game(variant: str, actions: str) -> None:
    game, referee, random = load(variant, actions), Referee(variant, actions), Random(2)
    state, observer = game.new_initial_state(), make_observation(game)
    assert game.num_distinct_actions() == referee.encoding.size
    while True:
        outcome = referee.outcome()
        assert state.is_terminal() == (outcome is not None)
        assert state.returns() == referee.rewards()
        assert state.legal_actions() == referee.legal_actions()
        for player, side in enumerate(SIDES):
            expected = referee.observe(side)
            assert game.observation_tensor_shape() == list(expected.shape)
            assert state.observation_tensor(player) == expected.ravel().tolist()
            observer.set_from(state, player)
            np.testing.assert_array_equal(observer.dict["observation"], expected)
        if outcome is not None:
            break
        assert SIDES[state.current_player()] is referee.game.turn
        action = random.choice(state.legal_actions())
        if random.random() < 0.1:
            state = random.choice([state.clone(), pickle.loads(pickle.dumps(state))])
        assert state.string_to_action(state.action_to_string(action)) == action
        state.apply_action(action)
        referee.play(action)
    assert state.current_player() == pyspiel.PlayerId.TERMINAL
    assert len(state.history()) <= game.max_game_length()


def test_a_state_in_the_middle_of_a_capture_is_restored() -> None:
    game = load("international", "step")
    state = game.new_initial_state("W:WK46:B37,28,19,38,29")
    state.apply_action(state.legal_actions()[0])
    assert str(state) == "W:WK46:B19,28,29,37,38 after 46x32x23"
    for other in (state.clone(), pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1]):
        assert (str(other), other.history(), other.current_player()) == (str(state), state.history(), 0)
        other.apply_action(other.legal_actions()[-1])
        assert str(other) == "B:WK45:B19,38"
    assert len(state.history()) == 1


def test_the_maximum_length_is_a_draw() -> None:
    state = pyspiel.load_game("tablemen(variant=kalah,max_plies=2)").new_initial_state()
    state.apply_action(2)
    state.apply_action(0)
    assert (state.is_terminal(), state.returns()) == (True, [0, 0])


def test_parameters() -> None:
    game = pyspiel.load_game("tablemen", {"variant": "frisian", "limit": 64})
    assert (game.num_distinct_actions(), game.get_type().short_name) == (64, "tablemen")
    assert str(pickle.loads(pickle.dumps(game))) == str(game)
    assert open_spiel.TablemenGame().encoding.variant is dr.ENGLISH
    for parameters, error in (
        ("variant=chess", UnknownVariantError),
        ("actions=house", ArgumentError),
        ("max_plies=0", ArgumentError),
        ("limit=-1", ArgumentError),
    ):
        with pytest.raises(error):
            pyspiel.load_game(f"tablemen({parameters})")
    with pytest.raises(ArgumentError):
        game.make_py_observer(None, {"scale": 2})


def test_positions_as_text() -> None:
    game = load("international")
    with pytest.raises(GameOverError):
        game.new_initial_state("B:W31:B")
    with pytest.raises(TablemenError):
        game.new_initial_state("W:W99:B1")
    with pytest.raises(ArgumentError):
        open_spiel.TablemenState(open_spiel.TablemenGame(), 5)  # type: ignore[arg-type]  # on purpose
    crowded = pyspiel.load_game("tablemen(variant=international,limit=4)").new_initial_state("B:WK46:B1")
    moves = {crowded.action_to_string(action): action for action in crowded.legal_actions()}
    with pytest.raises(ActionSpaceError):
        crowded.apply_action(moves["1-7"])
