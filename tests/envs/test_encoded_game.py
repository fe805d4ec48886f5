"""Games played by actions: against `Game` alone and against the core, with copies and errors."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablemen import ArgumentError, Game, GameOverError, Side
from tablemen import draughts as dr
from tablemen.actions import ActionEncoding
from tablemen.envs import Batch, BatchEnv
from tablemen.envs.encoded_game import EncodedGame
from tablemen.errors import ActionSpaceError, TablemenError
from tablemen.family import get_family
from tablemen.mancala import KALAH, Swap
from tablemen.mancala import Position as Board
from tests import strategies
from tests.envs.random_games import CASES, SIDES, Referee
from tests.mancala import strategies as mancala_strategies

CROWDED = "W:WK46:B37,28,19,38,29"  # a capture that can end on six squares


def create(variant: Any, actions: str, start: Any = None, **options: Any) -> EncodedGame:
    encoding = ActionEncoding(variant, actions)
    return EncodedGame(
        encoding, get_family(encoding.variant).start(encoding.variant) if start is None else start, **options
    )


def check_state(state: EncodedGame, referee: Referee) -> None:
    assert state.outcome() == referee.outcome()
    assert (state.turn, state.game.moves) == (referee.game.turn, referee.game.moves)
    assert [state.reward(side) for side in SIDES] == referee.rewards()
    legal = referee.legal_actions()
    assert (state.legal_actions(), np.flatnonzero(state.mask()).tolist()) == (legal, legal)
    assert len(set(state.describe_actions().values())) == len(legal)
    for side in SIDES:
        observation = state.observe(side)
        assert observation.dtype == np.uint8
        np.testing.assert_array_equal(observation, referee.observe(side))


def check_core(state: EncodedGame, batch: Batch) -> None:
    """Compare the state with that of the core."""
    outcome = state.outcome()
    winner = None if outcome is None or outcome.winner is None else outcome.winner
    assert (batch.terminated[0], batch.winner[0]) == (
        outcome is not None,
        -1 if winner is None else SIDES.index(winner),
    )
    assert np.flatnonzero(batch.mask[0]).tolist() == state.legal_actions()
    np.testing.assert_array_equal(batch.observation[0], state.observe(state.turn))


def play_random_game(state: EncodedGame, referee: Referee, random: Random, *, max_actions: int) -> None:
    check_state(state, referee)
    encoding = referee.encoding
    env = BatchEnv(encoding.variant, games=1, actions=encoding.name, start=state.game.start, auto_reset=False)
    check_core(state, env.reset())
    for _ in range(max_actions):
        if state.is_over:
            break
        action = random.choice(state.legal_actions())
        try:
            move = state.play(action)
        except ActionSpaceError:
            check_state(state, referee)  # unchanged
            return
        referee.play(action)
        assert (move is None) == bool(referee.taken)
        if state.jumps or random.random() < 0.1:  # a copy continues in the middle of a capture too
            state = random.choice([copy.deepcopy(state), copy.copy(state), state.copy()])
            check_state(pickle.loads(pickle.dumps(state)), referee)
        check_state(state, referee)
        check_core(state, env.step([action]))


@pytest.mark.parametrize(("variant", "actions"), CASES)
def test_random_games_agree_with_game(variant: str, actions: str) -> None:
    for seed in range(3):
        play_random_game(create(variant, actions), Referee(variant, actions), Random(seed), max_actions=250)


@settings(max_examples=40)
@given(strategies.positions(strategies.rule_sets()), st.sampled_from(["from-to", "step"]), strategies.SEEDS)
def test_any_rules_of_draughts(position: dr.Position, actions: str, seed: int) -> None:
    try:
        state = create(position.variant, actions, position)
    except (ActionSpaceError, GameOverError):
        return
    play_random_game(state, Referee(position.variant, actions, position), Random(seed), max_actions=8)


@settings(max_examples=40)
@given(mancala_strategies.positions(), strategies.SEEDS)
def test_any_rules_of_mancala(position: Board, seed: int) -> None:
    try:
        state = create(position.variant, "house", position)
    except GameOverError:
        return
    if sum(map(sum, (position.houses(side) for side in SIDES))) + sum(position.stores.values()) > 255:
        with pytest.raises(TablemenError):
            state.observe(Side.WHITE)
        return
    play_random_game(state, Referee(position.variant, "house", position), Random(seed), max_actions=20)


def test_a_draw_that_can_be_claimed_ends_the_game() -> None:
    position = dr.Position.from_fen("B:WK32:BK1,K5", "english")
    state, game = create("english", "from-to", position), Game(position)
    for text in ("1-6", "32-27", "6-1", "27-32") * 2:
        assert state.outcome() is None
        state.play_move(position.parse_move(text))
        game.push(text)
        position = game.position
    assert game.outcome() is None
    assert state.outcome() == game.claims()[0].outcome(position)
    assert state.legal_actions() == []
    with pytest.raises(GameOverError):
        state.play(0)


def test_the_maximum_length_truncates() -> None:
    state = create("kalah", "house", max_plies=2)
    state.play(2)
    assert (state.turn, state.is_over) == (Side.WHITE, False)
    state.play(0)
    assert (state.is_truncated, state.is_over, state.outcome(), state.mask().sum()) == (True, True, None, 0)
    with pytest.raises(ArgumentError):
        state.play(0)


def test_steps_of_a_capture_have_texts() -> None:
    state = create("international", "step", dr.Position.from_fen(CROWDED, "international"))
    (first,) = state.legal_actions()
    assert state.describe_action(first) == "46x32"
    state.play(first)
    assert list(state.describe_actions().values()) == ["23x5", "23x10", "23x14", "23x34", "23x40", "23x45"]
    assert state.text() == f"{state.game.text()} after 46x32x23"
    assert state.draw(Side.WHITE).endswith("capture in progress: 46x32x23")
    assert state.observe(Side.WHITE)[4:].sum(axis=(1, 2)).tolist() == [1, 2]


@pytest.mark.parametrize("action", [-1, 6, 2**70])
def test_an_illegal_action_changes_nothing(action: int) -> None:
    state = create("kalah", "house")
    with pytest.raises(ArgumentError) as raised:
        state.play(action)
    assert (raised.value.name, raised.value.value) == ("action", action)
    assert state.game.moves == ()
    with pytest.raises(TypeError):
        state.play(1.0)  # type: ignore[arg-type]  # on purpose


def test_a_crowded_position_raises_and_changes_nothing() -> None:
    position = dr.Position.from_fen("B:WK46:B1", "international")
    state = EncodedGame(ActionEncoding("international", "slot", limit=4), position)
    legal = state.legal_actions()
    with pytest.raises(ActionSpaceError):
        state.play_move(position.parse_move("1-7"))
    assert (state.legal_actions(), state.game.moves, state.turn) == (legal, (), Side.BLACK)


def test_a_swap_of_sides() -> None:
    rules = replace(KALAH, name="pie", swap=Swap.PIE)
    referee, state = Referee(rules, "house"), create(rules, "house")
    for action in (0, 6):
        assert action in state.legal_actions()
        state.play(action)
        referee.play(action)
        check_state(state, referee)
