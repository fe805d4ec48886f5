"""A PettingZoo environment for two agents, for every variant.

The agents are `player_0`, White or South, and `player_1`, Black or North. An agent with an extra turn, or whose capture
continues, is selected again. Install the libraries with `pip install 'tablemen[rl]'`.
"""

from __future__ import annotations

from typing import Any, ClassVar

from tablemen.actions import ActionEncoding
from tablemen.envs.adapters import (
    RENDER_MODES,
    SIDES,
    check_max_plies,
    check_render_mode,
    create_observation_space,
    explain_missing,
    find_start,
)
from tablemen.envs.encoded_game import EncodedGame
from tablemen.errors import ArgumentError
from tablemen.outcome import Side

try:
    import numpy as np
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper
except ModuleNotFoundError as error:
    raise explain_missing(error) from error

__all__ = ["TablemenAECEnv", "env"]

AGENTS = ("player_0", "player_1")


def env(variant: Any = "english", **options: Any) -> OrderEnforcingWrapper[str, dict[str, Any], int]:
    """Return a `TablemenAECEnv` that also checks the order of calls; the options are those of the class.

    >>> game = env("kalah", actions="house")
    >>> game.reset()
    >>> observation, reward, termination, truncation, info = game.last()
    >>> game.agent_selection, observation["action_mask"], info["moves"]
    ('player_0', array([1, 1, 1, 1, 1, 1], dtype=int8), {0: '1', 1: '2', 2: '3', 3: '4', 4: '5', 5: '6'})
    >>> game.step(2)  # an extra turn
    >>> game.agent_selection
    'player_0'
    """
    return OrderEnforcingWrapper(TablemenAECEnv(variant, **options))


class TablemenAECEnv(AECEnv[str, dict[str, Any], int]):
    """A game between two agents, who choose actions of an encoding in turn.

    `variant` is the name of a variant, or rules; `actions` and `limit` are the arguments of
    `tablemen.actions.ActionEncoding`; `start` is a position or its text. After `max_plies` moves the game is truncated.

    An observation has the planes or pits of the position from the point of view of the agent, as `observation`, and the
    `action_mask`, which is zero unless the agent is to move. The `infos` of the agent to move have the text of each
    legal action as `moves`; at the end of a game, those of both agents have the `outcome` as text.

    `reset` accepts the option `start`, for one game. `step` raises `ArgumentError` if an action is not legal, and
    `ActionSpaceError` if a position has more legal moves than the encoding has numbers.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": RENDER_MODES, "name": "tablemen_v0"}

    def __init__(  # noqa: PLR0913 - options
        self,
        variant: Any = "english",
        *,
        actions: str = "slot",
        limit: int | None = None,
        start: Any = None,
        max_plies: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        check_render_mode(render_mode)
        check_max_plies(max_plies)
        self.render_mode = render_mode
        self.encoding = ActionEncoding(variant, actions, limit=limit)
        self._start = find_start(self.encoding.variant, start)
        self._max_plies = max_plies
        self._state = EncodedGame(self.encoding, self._start, max_plies=max_plies)
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.observation_spaces = {agent: self._create_observation_space() for agent in AGENTS}
        self.action_spaces = {agent: spaces.Discrete(self.encoding.size) for agent in AGENTS}

    def _create_observation_space(self) -> spaces.Dict:
        mask = spaces.Box(0, 1, (self.encoding.size,), np.int8)
        return spaces.Dict(
            {"observation": create_observation_space(self._state.observe(Side.WHITE).shape), "action_mask": mask}
        )

    @property
    def encoded_game(self) -> EncodedGame:
        """The game in progress. It must not be changed."""
        return self._state

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of the observations of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of the actions of an agent."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 - no chance
        """Begin a game. The option `start` is a position or its text; a game has no chance, so the seed has no effect.

        Raises `GameOverError` if the game is over in the position.
        """
        start = (options or {}).get("start")
        position = self._start if start is None else find_start(self.encoding.variant, start)
        self._state = EncodedGame(self.encoding, position, max_plies=self._max_plies)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self._skip_agent_selection = None
        self._select_agent()

    def step(self, action: int | None) -> None:
        """Play an action of the selected agent; None removes an agent after the end of the game."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ArgumentError("action", None, f"an action, since {agent} is to move")
        self._state.play(action)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = {each: self._state.reward(side) for each, side in zip(AGENTS, SIDES, strict=True)}
        self.terminations = dict.fromkeys(AGENTS, self._state.outcome() is not None)
        self.truncations = dict.fromkeys(AGENTS, self._state.is_truncated)
        self._select_agent()
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the observation of an agent, whether or not it is to move."""
        side = SIDES[AGENTS.index(agent)]
        is_mover = side is self._state.turn
        mask = self._state.mask() if is_mover else np.zeros(self.encoding.size, dtype=np.int8)
        return {"observation": self._state.observe(side), "action_mask": mask}

    def render(self) -> str | None:
        """Return the board as text, seen by `player_0`; None without a render mode."""
        return None if self.render_mode is None else self._state.draw(Side.WHITE)

    def close(self) -> None:
        """Do nothing: there are no resources to release."""

    def _select_agent(self) -> None:
        state = self._state
        self.agent_selection = AGENTS[SIDES.index(state.turn)]
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        outcome = state.outcome()
        if outcome is not None:
            text = state.family.describe_outcome(outcome, state.game.position)
            self.infos = {agent: {"outcome": text} for agent in AGENTS}
        elif not state.is_truncated:
            self.infos[self.agent_selection]["moves"] = state.describe_actions()
