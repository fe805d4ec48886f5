"""Steps of a `BatchEnv`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tablemen.envs import BatchEnv

WARM_UP = 200  # steps, after which the games have different lengths


def step_batch(variant: str, request: dict[str, Any]) -> Callable[[], int]:
    """Return a function that plays a random action in each game, and returns the number of games.

    The arrays are copied, as a program that trains would do.
    """
    env = BatchEnv(variant, games=request["games"], threads=request["threads"], seed=request["seed"])
    kept = env.reset().copy()
    for _ in range(WARM_UP):
        env.step_random()

    def step() -> int:
        batch = env.step_random()
        np.copyto(kept.observation, batch.observation)
        np.copyto(kept.mask, batch.mask)
        np.copyto(kept.reward, batch.reward)
        np.copyto(kept.terminated, batch.terminated)
        return env.games

    return step
