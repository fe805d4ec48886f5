"""Gymnasium environments: one game against a player, and many games at once, for every variant.

Importing this module registers an environment for each variant, such as `tablemen/English-v0`. Install the libraries
with `pip install 'tablemen[rl]'`.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from tablemen.actions import ActionEncoding
from tablemen.envs.adapters import (
    RANDOM,
    RENDER_MODES,
    SIDES,
    check_max_plies,
    check_render_mode,
    create_observation_space,
    explain_missing,
    find_start,
    parse_side,
)
from tablemen.envs.encoded_game import EncodedGame
from tablemen.envs.gymnasium_vector import TablemenVectorEnv
from tablemen.errors import ArgumentError, TablemenError
from tablemen.family import families
from tablemen.outcome import Side
from tablemen.players import RESIGN, Player, WrittenPlayer, parse_player

try:
    import gymnasium
    import numpy as np
    import numpy.typing as npt
    from gymnasium import spaces
except ModuleNotFoundError as error:
    raise explain_missing(error) from error

__all__ = ["TablemenEnv", "TablemenVectorEnv", "register_envs"]

LOSE, RAISE = "lose", "raise"
MAX_SEED = 2**31 - 1


class TablemenEnv(gymnasium.Env[npt.NDArray[np.uint8], int]):
    """A game against a player, who answers within `step`. The reward is 1 for a win, -1 for a loss, and 0 otherwise.

    `opponent` is the text of a player, such as `random`, `searcher:level=3` or `mcts:simulations=100`, or a `Player`.
    `side` is that of the agent: `white` or `black`, in mancala `south` or `north`; `random` chooses it for each game,
    and `alternate` begins with the side that moves first. `actions` and `limit` are the arguments of
    `tablemen.actions.ActionEncoding`; `start` is a position or its text. After `max_plies` moves of both sides the game
    is truncated.

    An observation has the planes or pits of the position from the point of view of the agent. The `info` has the
    `action_mask`, the `side` of the agent, the moves `played` since the last observation as text, and at the end the
    `outcome` as text. An action that is not legal loses the game, with `illegal_action` in the `info`: agents that know
    no mask can learn, and checkers that sample from the whole action space pass. With `illegal="raise"` it raises
    `ArgumentError`. A position with more legal moves than the encoding has numbers raises `ActionSpaceError`.

    The seed of `reset` also determines the moves of an opponent that is given as text: it is created again, with a seed
    from that of the environment unless its text has one. Another program is not started again.
    The option `start` of `reset` replaces the start position for one game.

    >>> env = TablemenEnv("kalah", opponent="robot", side="south", actions="house")
    >>> observation, info = env.reset(seed=1)
    >>> print(observation.tolist(), info["action_mask"].tolist())
    [[4, 4, 4, 4, 4, 4, 0], [4, 4, 4, 4, 4, 4, 0]] [1, 1, 1, 1, 1, 1]
    >>> observation, reward, terminated, truncated, info = env.step(0)
    >>> info["played"]
    ('1', '3', '1')
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 1}  # noqa: RUF012 - as in the base class

    def __init__(  # noqa: PLR0913 - options
        self,
        variant: Any = "english",
        *,
        opponent: str | Player = RANDOM,
        side: str = RANDOM,
        actions: str = "slot",
        limit: int | None = None,
        start: Any = None,
        max_plies: int | None = None,
        illegal: str = LOSE,
        render_mode: str | None = None,
    ) -> None:
        check_render_mode(render_mode)
        check_max_plies(max_plies)
        if illegal not in (LOSE, RAISE):
            raise ArgumentError("illegal", illegal, f"{LOSE!r} or {RAISE!r}")
        self.render_mode = render_mode
        self.encoding = ActionEncoding(variant, actions, limit=limit)
        self._start = find_start(self.encoding.variant, start)
        self._max_plies = max_plies
        self._illegal = illegal
        self._state = EncodedGame(self.encoding, self._start, max_plies=max_plies)
        self._side_option = side
        parse_side(side, self.encoding.variant)
        self._side = self._state.turn
        self._next_side = self._state.turn  # of the option `alternate`
        self._opponent_text = opponent if isinstance(opponent, str) else None
        self._opponent: Player = parse_player(opponent) if isinstance(opponent, str) else opponent
        if isinstance(self._opponent, WrittenPlayer):
            self._opponent.check(self._start)
        self._has_opponent_seed = False
        self._is_playing = False
        shape = self._state.observe(self._side).shape
        self.observation_space = create_observation_space(shape)  # type: ignore[assignment]  # any type of numbers
        self.action_space = spaces.Discrete(self.encoding.size)  # type: ignore[assignment]  # its elements are NumPy integers

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.uint8], dict[str, Any]]:
        """Begin a game. The option `start` is a position or its text.

        Raises `TablemenError` if the game is over before the agent's first move, and the errors of the opponent.
        """
        super().reset(seed=seed)
        if self._is_playing:
            self._is_playing = False
            self._opponent.end_game(self._state.game, None)
        start = (options or {}).get("start")
        position = self._start if start is None else find_start(self.encoding.variant, start)
        self._state = EncodedGame(self.encoding, position, max_plies=self._max_plies)
        if seed is not None or not self._has_opponent_seed:
            self._create_opponent()
            self._next_side = self._state.turn
        self._side = self._choose_side()
        self._opponent.begin_game(self._state.game.copy())
        played = self._let_opponent_play()
        if self._state.is_over:
            raise TablemenError(f"the game is over before the first move of the agent, {self._side_name}")
        self._is_playing = True
        return self._observe(), self._create_info(played)

    def step(self, action: int) -> tuple[npt.NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        """Play an action and the opponent's answer, up to the agent's next turn or the end of the game.

        Raises `ArgumentError` if the action is not legal and `illegal` is `raise`, and the errors of the opponent.
        """
        if not self._is_playing:
            raise TablemenError("no game is in progress: call reset first")
        state = self._state
        if self._illegal == LOSE and not state.is_legal(action):
            self._is_playing = False
            self._opponent.end_game(state.game, None)
            return self._observe(), -1.0, True, False, {**self._create_info([]), "illegal_action": True}
        move = state.play(action)
        played = [] if move is None else [str(move)]
        self._is_playing = False  # if the opponent fails, the game cannot be continued
        played += self._let_opponent_play()
        self._is_playing = not state.is_over
        if state.is_over:
            self._opponent.end_game(state.game, state.outcome())
        is_terminated = state.outcome() is not None
        return self._observe(), state.reward(self._side), is_terminated, state.is_truncated, self._create_info(played)

    def render(self) -> str | None:
        """Return the board as text, with the side of the agent at the bottom; None without a render mode."""
        return None if self.render_mode is None else self._state.draw(self._side)

    def close(self) -> None:
        """Release the opponent, if it was given as text."""
        if self._opponent_text is not None:
            self._opponent.close()

    @property
    def encoded_game(self) -> EncodedGame:
        """The game in progress. It must not be changed."""
        return self._state

    @property
    def _side_name(self) -> str:
        return self._state.family.sides[self._side]

    def _choose_side(self) -> Side:
        fixed = parse_side(self._side_option, self.encoding.variant)
        if fixed is not None:
            return fixed
        if self._side_option == RANDOM:
            return SIDES[int(self.np_random.integers(2))]
        side = self._next_side
        self._next_side = side.opponent
        return side

    def _create_opponent(self) -> None:
        """Create the opponent of the text again, with a seed from the generator of the environment."""
        number = int(self.np_random.integers(MAX_SEED))
        self._has_opponent_seed = True
        if self._opponent_text is None or (isinstance(self._opponent, WrittenPlayer) and self._opponent.lasts):
            return
        self._opponent.close()
        player = parse_player(self._opponent_text)
        fields = {field.name for field in dataclasses.fields(player) if field.init}
        if "seed" in fields and player.seed == 0:  # type: ignore[attr-defined]  # some players have one
            player = dataclasses.replace(player, seed=number)  # type: ignore[call-arg]
        self._opponent = player

    def _let_opponent_play(self) -> list[str]:
        """Play the moves of the opponent until the agent is to move or the game is over, and return them as text."""
        state, played = self._state, []
        while not state.is_over and state.turn is not self._side:
            move = self._opponent.choose(state.game)
            if move is RESIGN:
                state.resign()
                break
            state.play_move(move)
            played.append(str(move))
        return played

    def _observe(self) -> npt.NDArray[np.uint8]:
        return self._state.observe(self._side)

    def _create_info(self, played: list[str]) -> dict[str, Any]:
        state = self._state
        info = {"action_mask": state.mask(), "side": self._side_name, "played": tuple(played)}
        if outcome := state.outcome():
            info["outcome"] = state.family.describe_outcome(outcome, state.game.position)
        return info


def register_envs() -> tuple[str, ...]:
    """Register an environment for each variant that is not registered, and return the ids of all variants.

    >>> register_envs()[:3]
    ('tablemen/International-v0', 'tablemen/English-v0', 'tablemen/Russian-v0')
    """
    ids = {}
    for family in families():
        for name in family.variants:
            words = name.replace("-", "_").split("_")
            ids[f"tablemen/{''.join(word.capitalize() for word in words)}-v0"] = name
    for env_id, name in ids.items():
        if env_id not in gymnasium.registry:
            gymnasium.register(
                id=env_id,
                entry_point="tablemen.envs.gymnasium:TablemenEnv",
                vector_entry_point="tablemen.envs.gymnasium:TablemenVectorEnv",
                kwargs={"variant": name},
            )
    return tuple(ids)


register_envs()
