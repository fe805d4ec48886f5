"""An OpenSpiel game for every variant, with the name `tablemen`.

Importing this module registers it: `pyspiel.load_game("tablemen(variant=kalah,actions=house)")`. Player 0 is White or
South, and player 1 Black or North. Install the libraries with `pip install 'tablemen[rl]'`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from tablemen.actions import ActionEncoding
from tablemen.envs.adapters import SIDES, check_max_plies, explain_missing, find_start
from tablemen.envs.encoded_game import EncodedGame
from tablemen.errors import ArgumentError

try:
    import numpy as np
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame
except ModuleNotFoundError as error:
    raise explain_missing(error) from error

__all__ = ["TablemenGame", "TablemenObserver", "TablemenState"]

DEFAULT_MAX_PLIES = 1000
PARAMETERS = {"variant": "english", "actions": "slot", "limit": 0, "max_plies": DEFAULT_MAX_PLIES}
GAME_TYPE = pyspiel.GameType(
    short_name="tablemen",
    long_name="Draughts and mancala",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=PARAMETERS,
)


class TablemenGame(pyspiel.Game):
    """A variant with an action encoding.

    The parameters are the `variant`, by name; `actions` and `limit`, the arguments of `tablemen.actions.ActionEncoding`
    with 0 for the default limit; and `max_plies`, after which a game is a draw, since OpenSpiel needs a maximum.

    >>> game = pyspiel.load_game("tablemen(variant=oware,actions=house)")
    >>> game.num_distinct_actions(), game.observation_tensor_shape()
    (6, [2, 7])
    >>> state = game.new_initial_state()
    >>> state.apply_action(0)
    >>> print(state, [state.action_to_string(action) for action in state.legal_actions()])
    <6,0,0,0,5,5,5,5,4,4,4,4,4,4,4> north ['1', '2', '3', '4', '5', '6']
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        options = {**PARAMETERS, **(params or {})}
        limit, max_plies = options["limit"], options["max_plies"]
        check_max_plies(max_plies)
        self.encoding = ActionEncoding(options["variant"], options["actions"], limit=limit or None)
        self.max_plies: int = max_plies
        self.start = find_start(self.encoding.variant, None)
        # A step captures one piece at most, and one more may end the move; the square root is the number of squares.
        more_steps = math.isqrt(self.encoding.size) if self.encoding.name == "step" else 0
        info = pyspiel.GameInfo(
            num_distinct_actions=self.encoding.size,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=max_plies + more_steps,
        )
        super().__init__(GAME_TYPE, info, params or {})

    def new_initial_state(self, state: str | None = None) -> TablemenState:
        """Return the start of a game: in the start position, or in a position given as text, such as a FEN.

        Raises `GameOverError` if the game is over in the position, and the errors of parsing it.
        """
        return TablemenState(self, state)

    def make_py_observer(self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None) -> Any:
        """Return the observer of a type of observations."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return TablemenObserver(self, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class TablemenState(pyspiel.State):
    """A game in progress. Its text is that of the position, and of the capture in progress."""

    def __init__(self, game: TablemenGame, position: str | None = None) -> None:
        super().__init__(game)
        if position is not None and not isinstance(position, str):
            raise ArgumentError("state", position, "a position as text, or None")
        start = game.start if position is None else find_start(game.encoding.variant, position)
        self.encoded_game = EncodedGame(game.encoding, start, max_plies=game.max_plies)

    def current_player(self) -> int:
        """Return the player to move, or that the game is over."""
        state = self.encoded_game
        player: int = pyspiel.PlayerId.TERMINAL if state.is_over else SIDES.index(state.turn)
        return player

    def _legal_actions(self, player: int) -> list[int]:  # noqa: ARG002 - always the player to move
        return self.encoded_game.legal_actions()

    def _apply_action(self, action: int) -> None:
        self.encoded_game.play(action)

    def _action_to_string(self, player: int, action: int) -> str:  # noqa: ARG002 - only one player can play it
        return self.encoded_game.describe_action(action)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.encoded_game.is_over

    def returns(self) -> list[float]:
        """Return the rewards of both players: 1 for a win, -1 for a loss, 0 otherwise."""
        return [self.encoded_game.reward(side) for side in SIDES]

    def __str__(self) -> str:
        return self.encoded_game.text()


class TablemenObserver:
    """The observer of positions: planes or pits from the point of view of a player."""

    def __init__(self, game: TablemenGame, params: Mapping[str, Any] | None = None) -> None:
        if params:
            raise ArgumentError("params", dict(params), "no parameters")
        state = EncodedGame(game.encoding, game.start)
        shape = state.observe(state.turn).shape
        self.tensor = np.zeros(math.prod(shape), np.float32)
        self.dict = {"observation": np.reshape(self.tensor, shape)}

    def set_from(self, state: TablemenState, player: int) -> None:
        """Write the observation of a player into the tensor."""
        self.dict["observation"][:] = state.encoded_game.observe(SIDES[player])

    def string_from(self, state: TablemenState, player: int) -> str:  # noqa: ARG002 - both players see everything
        """Return the observation as text."""
        return str(state)


pyspiel.register_game(GAME_TYPE, TablemenGame)
