"""`BatchEnv` against games that are played move by move in Python."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablemen import ArgumentError, Game, Side, WorkLimitError, work_limit
from tablemen import draughts as dr
from tablemen import mancala as ma
from tablemen.draws import Repetition
from tablemen.envs import Batch, BatchEnv
from tablemen.errors import ActionSpaceError
from tests import strategies
from tests.envs.model import GameModel
from tests.mancala import strategies as mancala_strategies

GAMES = 3
ENCODINGS = {"draughts": ("slot", "from-to", "step"), "mancala": ("slot", "house")}
SIDES = list(Side)


def check_game(batch: Batch, index: int, model: GameModel) -> None:
    """Compare the current position of a game with a model."""
    assert np.array_equal(batch.observation[index], model.observation())
    assert np.array_equal(batch.mask[index], model.mask)
    assert batch.turn[index] == SIDES.index(model.game.turn)


def play_beside(env: BatchEnv, starts: list[Any], steps: int, **options: Any) -> set[str]:
    """Play random actions in an environment and in models, and compare them. Return how games ended."""
    numbers = list(range(env.games))  # of the game in each place

    def begin(index: int) -> GameModel:
        start = starts[numbers[index] % len(starts)]
        return GameModel(start, env.encoding, **options)

    models = [begin(index) for index in range(env.games)]
    batch, ends = env.batch, set()
    for index, model in enumerate(models):
        check_game(batch, index, model)
    for _ in range(steps):
        actions = env.sample_actions()
        assert env.step(actions) is batch
        for index, action in enumerate(actions):
            model = models[index]
            mover = SIDES.index(model.game.turn)
            assert batch.reward[index] == model.step(int(action))
            assert batch.mover[index] == mover
            assert batch.plies[index] == len(model.game.moves)
            assert bool(batch.terminated[index]) == (model.outcome is not None)
            assert bool(batch.truncated[index]) == model.is_truncated
            winner = model.outcome and model.outcome.winner
            assert batch.winner[index] == (-1 if winner is None else SIDES.index(winner))
            if model.is_over:
                ends.add(model.outcome.termination.name if model.outcome else "TRUNCATED")
                assert np.array_equal(batch.final_observation[index], model.observation())
                numbers[index] += env.games
                models[index] = begin(index)
            check_game(batch, index, models[index])
    assert env.positions() == [model.game.position for model in models]
    return ends


def check_rules(starts: list[Any], name: str, seed: int, steps: int, *, ends: tuple[int | None, bool]) -> set[str]:
    """Compare an environment with models; positions whose captures are too many to list are skipped."""
    rules, options = starts[0].variant, {"max_plies": ends[0], "claim_draws": ends[1]}
    try:
        with work_limit(200_000):
            env = BatchEnv(rules, games=GAMES, seed=seed, actions=name, start=starts, **options)
            return play_beside(env, starts, steps, **options)
    except (ActionSpaceError, WorkLimitError):
        return set()


@pytest.mark.parametrize("variant", ["english", "international", "russian", "turkish", "frisian", "kalah", "oware"])
def test_variants_agree_with_games(variant: str) -> None:
    check_variant(variant, 40)


@pytest.mark.slow
@pytest.mark.parametrize("variant", [*dr.VARIANTS, *ma.VARIANTS])
def test_all_variants_agree_with_games(variant: str) -> None:
    check_variant(variant, 80)


def check_variant(variant: str, steps: int) -> None:
    family = "draughts" if variant in dr.VARIANTS else "mancala"
    start = (dr if family == "draughts" else ma).Position.start(variant)
    for name in ENCODINGS[family]:
        assert check_rules([start], name, 5, steps, ends=(steps // 2, True))


PLIES = st.sampled_from((None, None, 1, 2, 7))


@settings(max_examples=40)
@given(st.data(), st.sampled_from(ENCODINGS["draughts"]), st.integers(0, 99), PLIES, st.booleans())
def test_rules_of_draughts(data: st.DataObject, name: str, seed: int, max_plies: int | None, claims: bool) -> None:
    rules = data.draw(strategies.rule_sets())
    positions = strategies.positions(st.just(rules)).filter(lambda position: not is_over(position, claims=claims))
    starts = data.draw(st.lists(positions, min_size=1, max_size=3))
    check_rules(starts, name, seed, 25, ends=(max_plies, claims))


@settings(max_examples=60)
@given(st.data(), st.sampled_from(ENCODINGS["mancala"]), st.integers(0, 99), PLIES, st.booleans())
def test_rules_of_mancala(data: st.DataObject, name: str, seed: int, max_plies: int | None, claims: bool) -> None:
    rules = data.draw(mancala_strategies.rule_sets())
    if data.draw(st.booleans()):
        rules = replace(rules, draws=(Repetition(data.draw(st.sampled_from((2, 3)))), *rules.draws))
    positions = mancala_strategies.positions(st.just(rules))
    positions = positions.filter(lambda position: position.legal_moves() and total(position) <= 255)
    starts = data.draw(st.lists(positions, min_size=1, max_size=3))
    check_rules(starts, name, seed, 60, ends=(max_plies, claims))


def total(position: ma.Position) -> int:
    return sum(sum(position.houses(side)) + position.stores[side] for side in SIDES)


def is_over(position: dr.Position, *, claims: bool) -> bool:
    game = Game(position)
    return bool(game.outcome() or (claims and game.claims()))
