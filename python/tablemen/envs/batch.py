"""`BatchEnv`: many games of one variant, stepped together in the core without the interpreter's lock."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeAlias

from tablemen.actions import ActionEncoding
from tablemen.errors import ArgumentError, TablemenError
from tablemen.family import get_family

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Int64s: TypeAlias = NDArray[np.int64]

    from tablemen import _core

_SEED_MASK = (1 << 64) - 1
# More threads only help if each has this number of games at least.
MIN_GAMES_PER_THREAD = 4096


@dataclass(frozen=True, slots=True)
class Batch:
    """The games of a `BatchEnv` after a step: arrays with one entry for each game.

    The arrays are views of the memory of the environment. The next call of `reset`, `step` or `set_states` overwrites
    them; `copy` returns a batch that stays as it is. They are for reading: what you write into them may stay there.
    """

    observation: NDArray[np.uint8]
    """The current position, from the view of the side to move."""
    mask: NDArray[np.bool_]
    """Whether each action is legal; all False if the game is over."""
    reward: NDArray[np.float32]
    """The reward of the `mover`: 1 if it has won, -1 if it has lost, 0 after a draw or if the game is not over."""
    terminated: NDArray[np.bool_]
    """Whether the game ended by a rule, draws included."""
    truncated: NDArray[np.bool_]
    """Whether the game ended because of `max_plies`."""
    turn: NDArray[np.int8]
    """The side to move: 0 for White or South, 1 for Black or North."""
    mover: NDArray[np.int8]
    """The side that made the step; -1 if none did, because the game has just begun or is over."""
    winner: NDArray[np.int8]
    """The winner: 0 or 1; -1 after a draw, and if the game is not over."""
    plies: NDArray[np.int32]
    """The number of moves in the game in which the step was made."""
    final_observation: NDArray[np.uint8]
    """The observation before the automatic reset, if the step ended the game; undefined for other games."""

    def copy(self) -> Batch:
        """Return a copy that later steps do not change."""
        return Batch(**{field.name: getattr(self, field.name).copy() for field in fields(self)})


_DTYPES = {
    "observation": "uint8",
    "mask": "bool",
    "reward": "float32",
    "terminated": "bool",
    "truncated": "bool",
    "turn": "int8",
    "mover": "int8",
    "winner": "int8",
    "plies": "int32",
    "final_observation": "uint8",
}


class States:
    """Saved states of games: positions with draw counters, repetitions, lengths and random streams; immutable.

    `states[index]` and `states[indices]` select some of them, in any order and more than once.
    """

    __slots__ = ("_core",)

    def __init__(self, core: _core.GameStates) -> None:
        self._core = core

    def __len__(self) -> int:
        return len(self._core)

    def __getitem__(self, indices: int | slice | Iterable[int]) -> States:
        np = _import_numpy()
        return States(self._core.select(np.atleast_1d(np.arange(len(self))[indices])))

    def __repr__(self) -> str:
        return f"<{len(self)} states>"


class BatchEnv:
    """Many games of one variant, stepped together.

    >>> env = BatchEnv("kalah", games=2, actions="house")
    >>> env.reset().observation[0].tolist()
    [[4, 4, 4, 4, 4, 4, 0], [4, 4, 4, 4, 4, 4, 0]]
    >>> batch = env.step([2, 0])
    >>> batch.turn.tolist(), batch.mask[0].tolist()
    ([0, 1], [True, True, False, True, True, True])

    `actions` and `limit` are those of `ActionEncoding`. Games begin with the start position of the variant, with the
    position `start`, or with the positions of that sequence in turn: game `i` with `start[i]`, its next game with
    `start[i + games]`, and so on, beginning again after the last one.

    A game ends by every rule of the variant. A draw that a player can claim ends it too, unless `claim_draws` is False.
    With `max_plies` a game is truncated after this number of moves. With `auto_reset` a game that is over is replaced
    by a new one in the same step; otherwise its mask is empty and its actions are ignored until `reset_games`.

    The random actions of a game depend on the `seed`, its index and the number of games before it in the same place,
    but not on the number of `threads`. Without `threads` there is one for each processor, or fewer for few games.

    Raises `ArgumentError` if an argument is invalid, the game is over in a start position, or a draw rule is
    implemented in Python, and `ActionSpaceError` if a start position has more legal moves than the encoding has
    numbers.
    """

    def __init__(  # noqa: PLR0913 - all of them are options
        self,
        variant: Any,
        *,
        games: int = 1024,
        seed: int = 0,
        actions: str = "slot",
        limit: int | None = None,
        threads: int | None = None,
        auto_reset: bool = True,
        start: Any = None,
        max_plies: int | None = None,
        claim_draws: bool = True,
    ) -> None:
        np = _import_numpy()
        self.encoding = ActionEncoding(variant, actions, limit=limit)
        self.rules: Any = self.encoding.variant
        self.games = games
        create = getattr(self.encoding.core, "batch", None)
        if create is None:
            raise TablemenError(f"environments do not support {self.rules}")
        options = {
            "games": games,
            "seed": operator.index(seed) & _SEED_MASK,
            "threads": _count_threads(games) if threads is None else threads,
            "auto_reset": auto_reset,
            "max_plies": max_plies,
            "claim_draws": claim_draws,
        }
        self._core: _core.GameBatch = create(self._list_starts(start), options)
        self.action_size = self.encoding.size
        self.observation_shape: tuple[int, ...] = self._core.observation_shape
        shapes = dict.fromkeys(("observation", "final_observation"), self.observation_shape)
        shapes["mask"] = (self.action_size,)
        arrays = {
            name: np.frombuffer(self._core.array(name), dtype).reshape(games, *shapes.get(name, ()))
            for name, dtype in _DTYPES.items()
        }
        self._batch = Batch(**arrays)

    def _list_starts(self, start: Any) -> list[Any]:
        if start is None:
            return [get_family(self.rules).start(self.rules)]
        starts = list(start) if isinstance(start, Sequence) else [start]
        for index, position in enumerate(starts):
            if getattr(position, "variant", None) != self.rules:
                name = f"start[{index}]" if isinstance(start, Sequence) else "start"
                raise ArgumentError(name, position, f"a position of {self.rules}")
        if not starts:
            raise ArgumentError("start", start, "one position or more")
        return starts

    @property
    def batch(self) -> Batch:
        """The current batch, which `reset` and `step` also return."""
        return self._batch

    def reset(self, seed: int | None = None) -> Batch:
        """Begin new games, and return their first positions.

        With a seed the random streams start again, as in a new environment; without one they continue.
        """
        self._core.reset(None if seed is None else operator.index(seed) & _SEED_MASK)
        return self._batch

    def step(self, actions: ArrayLike) -> Batch:
        """Play an action in each game, and return the positions that follow.

        `actions` has one integer for each game. Raises `IllegalActionError` if one of them is not legal; no game is
        then changed. Raises `ActionSpaceError` if the legal moves of a position that is reached do not fit in the
        encoding: that game cannot be continued, and further steps raise the same error until it is reset.
        """
        self._core.step(self._convert("actions", actions))
        return self._batch

    def step_random(self) -> Batch:
        """Play a random legal action in each game; like `step(sample_actions())`, but faster."""
        self._core.step(None)
        return self._batch

    def sample_actions(self) -> Int64s:
        """Return a legal action for each game, each with the same probability; 0 for games that are over."""
        np = _import_numpy()
        actions: Int64s = np.frombuffer(bytearray(self._core.sample()), np.int64)
        return actions

    def reset_games(self, selected: ArrayLike) -> Batch:
        """Begin new games where `selected`, an array of truth values, is True, and leave the others as they are."""
        np = _import_numpy()
        chosen = np.asarray(selected)
        if chosen.dtype != np.bool_ or chosen.shape != (self.games,):
            raise ArgumentError("selected", selected, f"{self.games} truth values, one for each game")
        self._core.reset_games(np.ascontiguousarray(chosen).view(np.uint8))
        return self._batch

    def positions(self, games: ArrayLike | None = None) -> list[Any]:
        """Return the positions of all games, or of those with these indices.

        During a capture in the encoding `step`, it is the position before the capture.
        """
        return self._core.positions(self._indices(games))

    def states(self, games: ArrayLike | None = None) -> States:
        """Return copies of the states of all games, or of those with these indices; for tree searches, for example."""
        return States(self._core.states(self._indices(games)))

    def set_states(self, states: States, games: ArrayLike | None = None, *, seed: int | None = None) -> Batch:
        """Continue games from saved states: all games, or those with these indices, with one state for each.

        The states can be of another environment with the same rules and encoding. With a seed each game gets a random
        stream of its own, otherwise that of its state.
        """
        if not isinstance(states, States):
            raise ArgumentError("states", states, "the result of states()")
        chosen = None if seed is None else operator.index(seed) & _SEED_MASK
        self._core.set_states(states._core, self._indices(games), chosen)  # noqa: SLF001 - a class of this module
        return self._batch

    def _indices(self, games: ArrayLike | None) -> Int64s:
        np = _import_numpy()
        return np.arange(self.games) if games is None else self._convert("games", games)

    def _convert(self, name: str, numbers: ArrayLike) -> Int64s:
        """Convert integers to the type that the core reads."""
        np = _import_numpy()
        array = np.asarray(numbers)
        if array.dtype.kind not in "iu" and array.size:
            raise ArgumentError(name, numbers, f"integers, not values of type {array.dtype}")
        if array.ndim != 1:
            raise ArgumentError(name, array.shape, "an array with one dimension")
        converted: Int64s = np.ascontiguousarray(array, np.int64)
        return converted

    def __repr__(self) -> str:
        return f"BatchEnv({self.rules.name!r}, games={self.games}, actions={self.encoding.name!r})"


def _count_threads(games: int) -> int:
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(processors, games // MIN_GAMES_PER_THREAD))


def _import_numpy() -> Any:
    try:
        import numpy as np
    except ImportError as error:
        raise TablemenError("environments need NumPy: pip install 'tablemen[arrays]'") from error
    return np
