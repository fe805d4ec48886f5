"""Steps of a game of OpenSpiel, as an environment is driven from Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.workers.harness import pick

STEPS = 100  # between two checks of the time


def step_games(game: Any, random: Callable[[], float]) -> Callable[[], int]:
    """Return a function that plays random actions, and returns their number.

    Each position is observed, and a game that is over is followed by a new one.
    """
    state = game.new_initial_state()

    def step() -> int:
        nonlocal state
        for _ in range(STEPS):
            state.apply_action(pick(state.legal_actions(), random))
            state.rewards()
            if state.is_terminal():
                state = game.new_initial_state()
            state.observation_tensor(state.current_player())
            state.legal_actions_mask()
        return STEPS

    return step
