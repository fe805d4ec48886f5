"""Many games as one Gymnasium environment, stepped in the core."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from tablemen.envs.adapters import (
    ALTERNATE,
    PLANES_NDIM,
    RANDOM,
    SIDES,
    create_observation_space,
    explain_missing,
    parse_side,
)
from tablemen.envs.batch import BatchEnv
from tablemen.errors import ActionSpaceError, ArgumentError, TablemenError

try:
    import gymnasium
    import numpy as np
    import numpy.typing as npt
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as error:
    raise explain_missing(error) from error

Observations: TypeAlias = npt.NDArray[np.uint8]
Result: TypeAlias = tuple[
    Observations, npt.NDArray[np.float32], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]
]
BatchOpponent: TypeAlias = Callable[[Observations, npt.NDArray[np.int8]], npt.NDArray[Any]]

MAX_SEED = 2**63 - 1


class TablemenVectorEnv(gymnasium.vector.VectorEnv[Observations, npt.NDArray[Any], npt.NDArray[Any]]):
    """Games of one variant in a `tablemen.envs.BatchEnv`: against an opponent, or self-play.

    `opponent` is `random`, for random legal moves; or a function that returns the actions for an array of observations
    and one of action masks, a row for each game in which the opponent is to move; or None for self-play. The other
    `options` are those of `BatchEnv`: `actions`, `limit`, `start`, `max_plies`, `threads` and `claim_draws`.

    Against an opponent, observations and rewards are those of the agent. Its `side` is a side by its name, or `random`
    for each game; `alternate` changes it from game to game, and half of the first games begin with each. In self-play
    the observation is that of the side to move, the reward is that of the player who made the action, and `side` has no
    effect.

    The `infos` have the `action_mask` and the side to `turn`, 0 or 1. A game that ends begins again in the same step
    (`AutoresetMode.SAME_STEP`): `final_obs` has its last observations and `final_info` the `winner`, -1 for none. In
    self-play the last observation is that of the side that would move next. An action that is not legal raises
    `IllegalActionError`. Without `copy` the arrays of a step are overwritten by the next one.

    >>> envs = TablemenVectorEnv("kalah", 3, actions="house", side="south")
    >>> observations, infos = envs.reset(seed=5)
    >>> observations, rewards, terminations, truncations, infos = envs.step(np.array([0, 1, 5]))
    >>> observations.shape, rewards.tolist(), infos["turn"].tolist()
    ((3, 2, 7), [0.0, 0.0, 0.0], [0, 0, 0])
    """

    metadata: dict[str, Any] = {"autoreset_mode": gymnasium.vector.AutoresetMode.SAME_STEP}  # noqa: RUF012 - as in the base class

    def __init__(
        self,
        variant: Any = "english",
        num_envs: int = 1,
        *,
        opponent: str | BatchOpponent | None = RANDOM,
        side: str = RANDOM,
        copy: bool = True,
        **options: Any,
    ) -> None:
        if opponent is not None and opponent != RANDOM and not callable(opponent):
            raise ArgumentError("opponent", opponent, f"{RANDOM!r}, a function, or None for self-play")
        self.batch_env = BatchEnv(variant, games=num_envs, auto_reset=opponent is None, **options)
        self.num_envs = num_envs
        self._fixed_side = parse_side(side, self.batch_env.rules)
        self._side_option = side
        self._opponent = opponent
        self._copy = copy
        self._sides = np.zeros(num_envs, np.int8)  # of the agent
        self._is_seeded = self._is_ready = False
        self.single_observation_space = create_observation_space(self.batch_env.observation_shape)
        self.single_action_space = gymnasium.spaces.Discrete(self.batch_env.action_size)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin new games. The seed determines the sides and the moves of a random opponent.

        Raises `TablemenError` if the opponent ends a game before the agent's first move.
        """
        super().reset(seed=seed)
        if options and "start" in options:
            raise ArgumentError("options", options, "no start position: give it when you create the environment")
        is_new = seed is not None or not self._is_seeded
        self._is_seeded, self._is_ready = True, False
        batch = self.batch_env.reset(int(self.np_random.integers(MAX_SEED)) if is_new else None)
        if self._opponent is not None:
            if is_new:
                self._sides = (batch.turn + np.arange(self.num_envs) + 1).astype(np.int8) % 2
            self._begin_games(np.ones(self.num_envs, np.bool_))
        self._is_ready = True
        return self._keep(batch.observation), self._create_infos()

    def step(self, actions: npt.NDArray[Any]) -> Result:
        """Play an action in each game, and the answers of the opponent.

        Raises `IllegalActionError` if one of the actions is not legal; no game is then changed. Raises
        `ActionSpaceError` if a position has more legal moves than the encoding has numbers.
        """
        if not self._is_ready:
            raise TablemenError("there are no games in progress: call reset first")
        batch = self.batch_env.step(actions)
        if self._opponent is None:
            finished = batch.terminated | batch.truncated
            infos = self._create_infos(finished, batch.final_observation[finished], batch.winner)
            rewards, terminated, truncated = (
                self._keep(array) for array in (batch.reward, batch.terminated, batch.truncated)
            )
            return self._keep(batch.observation), rewards, terminated, truncated, infos
        rewards = batch.reward.copy()
        self._is_ready = False  # if the opponent fails, the games cannot be continued
        self._let_opponent_play(rewards)
        terminated, truncated, winner = batch.terminated.copy(), batch.truncated.copy(), batch.winner.copy()
        finished = terminated | truncated
        final = batch.observation[finished]
        if finished.any():
            is_other = batch.turn[finished] != self._sides[finished]
            final[is_other] = _turn_observations(final[is_other])
            self.batch_env.reset_games(finished)
            self._begin_games(finished)
        self._is_ready = True
        return (
            self._keep(batch.observation),
            rewards,
            terminated,
            truncated,
            self._create_infos(finished, final, winner),
        )

    def _begin_games(self, selected: npt.NDArray[np.bool_]) -> None:
        """Choose the sides in games that have just begun, and let the opponent begin where it moves first."""
        if self._fixed_side is not None:
            self._sides[selected] = SIDES.index(self._fixed_side)
        elif self._side_option == ALTERNATE:
            self._sides[selected] = 1 - self._sides[selected]
        else:
            self._sides[selected] = self.np_random.integers(2, size=np.count_nonzero(selected))
        self._let_opponent_play(np.zeros(self.num_envs, np.float32))
        batch = self.batch_env.batch
        over = np.flatnonzero(selected & (batch.terminated | batch.truncated))
        if over.size:
            raise TablemenError(f"game {over[0]} is over before the first move of the agent")

    def _let_opponent_play(self, rewards: npt.NDArray[np.float32]) -> None:
        """Play the moves of the opponent until the agent is to move or the game is over; update the agent's rewards.

        A step plays an action in every game. So the games in which the agent is to move go back to their states.
        """
        env, batch = self.batch_env, self.batch_env.batch
        while True:
            running = ~(batch.terminated | batch.truncated)
            is_opponent = running & (batch.turn != self._sides)
            if not is_opponent.any():
                return
            others = np.flatnonzero(running & ~is_opponent)
            states = env.states(others)
            actions = self._choose_actions(is_opponent)
            actions[others] = batch.mask[others].argmax(axis=1)
            try:
                env.step(actions)
            except ActionSpaceError:
                env.set_states(states, others)
                has_actions = np.any(batch.mask, axis=1) | batch.terminated | batch.truncated
                if not has_actions.all():
                    raise  # not only in the positions that have been taken back
            else:
                env.set_states(states, others)
            rewards[is_opponent] -= batch.reward[is_opponent]

    def _choose_actions(self, is_opponent: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """Return an action for each game, chosen by the opponent where it is to move."""
        if not callable(self._opponent):
            return self.batch_env.sample_actions()
        batch = self.batch_env.batch
        actions = np.zeros(self.num_envs, np.int64)
        chosen = np.asarray(self._opponent(batch.observation[is_opponent], batch.mask[is_opponent].view(np.int8)))
        count = np.count_nonzero(is_opponent)
        if chosen.shape != (count,) or chosen.dtype.kind not in "iu":
            raise ArgumentError("opponent", chosen, f"a function that returns {count} integers here, one for each row")
        actions[is_opponent] = chosen
        return actions

    def _create_infos(
        self,
        finished: npt.NDArray[np.bool_] | None = None,
        final: Observations | None = None,
        winner: npt.NDArray[np.int8] | None = None,
    ) -> dict[str, Any]:
        """Return the infos, with those of finished games; the keys with an underscore say which games have an entry."""
        batch, all_games = self.batch_env.batch, np.ones(self.num_envs, np.bool_)
        infos: dict[str, Any] = {
            "action_mask": self._keep(batch.mask.view(np.int8)),
            "_action_mask": all_games,
            "turn": self._keep(batch.turn),
            "_turn": all_games.copy(),
        }
        if finished is not None and final is not None and winner is not None and finished.any():
            observations = np.full(self.num_envs, None, dtype=object)
            for game, observation in zip(np.flatnonzero(finished), final, strict=True):
                observations[game] = observation
            infos |= {"final_obs": observations, "_final_obs": finished.copy()}
            infos["final_info"] = {"winner": winner.copy(), "_winner": finished.copy()}
            infos["_final_info"] = finished.copy()
        return infos

    def _keep(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return an array that the next step does not overwrite, unless the environment was created without `copy`."""
        return array.copy() if self._copy else array


def _turn_observations(observations: Observations) -> Observations:
    """Return observations from the point of view of the other side; none of them is in the middle of a capture."""
    if observations.ndim != 1 + PLANES_NDIM:
        return observations[:, ::-1]
    own, other, rest = observations[:, :2], observations[:, 2:4], observations[:, 4:]
    turned: Observations = np.concatenate((other, own, rest), axis=1)[..., ::-1, ::-1]
    return turned
