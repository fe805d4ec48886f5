"""Games in which an action chooses a move, or a jump of a capture: what the adapters for other libraries share."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any, SupportsIndex

from tablemen.actions import ActionEncoding
from tablemen.envs.adapters import explain_missing
from tablemen.errors import ArgumentError, GameOverError, TablemenError
from tablemen.family import get_family
from tablemen.game import Game
from tablemen.outcome import Outcome, Side

try:
    import numpy as np
    import numpy.typing as npt
except ModuleNotFoundError as error:
    raise explain_missing(error) from error

__all__ = ["EncodedGame"]

MAX_LISTED_ACTIONS = 20  # in an error message


class EncodedGame:
    """A game played by actions of an encoding. A draw that can be claimed ends it.

    In the encoding `step` a move may take several actions; until the last one, `jumps` jumps of it have been made and
    the same side is to move. `max_plies` moves end the game without an outcome.

    >>> from tablemen.draughts import Position
    >>> start = Position.from_fen("W:W22:B10,11,18", "english")
    >>> game = EncodedGame(ActionEncoding("english", "step"), start)
    >>> {action: game.describe_action(action) for action in game.legal_actions()}
    {686: '22x15'}
    >>> game.play(686), game.jumps
    (None, 1)
    >>> print([game.describe_action(action) for action in game.legal_actions()], game.play(455))
    ['15x6', '15x8'] 22x8
    """

    def __init__(self, encoding: ActionEncoding, start: Any, *, max_plies: int | None = None) -> None:
        self.encoding = encoding
        self.family = get_family(start)
        self._max_plies = max_plies
        self._game: Game[Any, Any] = Game(start)
        self._has_claims = any(rule.by_claim for rule in start.variant.draws)
        self._plies = 0
        self._taken = 0  # actions of the move in progress
        self._jumps = 0
        self._candidates: dict[Any, tuple[int, ...]] = {}  # the actions of the moves that begin with those taken
        self._choices: dict[int, list[Any]] = {}  # the moves that continue with each legal action
        self._begin_turn()
        if outcome := self.outcome():
            raise GameOverError(outcome)

    @property
    def game(self) -> Game[Any, Any]:
        """The game. It must not be changed."""
        return self._game

    @property
    def turn(self) -> Side:
        """The side to move."""
        return self._game.turn

    @property
    def jumps(self) -> int:
        """The number of jumps made of a capture in progress."""
        return self._jumps

    @property
    def is_truncated(self) -> bool:
        """Whether the game has reached `max_plies` without an outcome."""
        return self._plies == self._max_plies and self.outcome() is None

    @property
    def is_over(self) -> bool:
        """Whether the game has an outcome or is truncated."""
        return self.outcome() is not None or self.is_truncated

    def outcome(self) -> Outcome | None:
        """Return the outcome; None if there is none."""
        return self._game.outcome()

    def reward(self, side: Side) -> float:
        """Return 1 if the side has won, -1 if it has lost, and 0 otherwise."""
        outcome = self.outcome()
        if outcome is None or outcome.winner is None:
            return 0.0
        return 1.0 if outcome.winner is side else -1.0

    def legal_actions(self) -> list[int]:
        """Return the legal actions in ascending order; none if the game is over."""
        return sorted(self._choices)

    def is_legal(self, action: SupportsIndex) -> bool:
        """Return whether an action is legal."""
        return operator.index(action) in self._choices

    def mask(self) -> npt.NDArray[np.int8]:
        """Return an array with 1 for each legal action and 0 for the others."""
        mask = np.zeros(self.encoding.size, dtype=np.int8)
        mask[list(self._choices)] = 1
        return mask

    def describe_actions(self) -> dict[int, str]:
        """Return the text of each legal action."""
        return {action: self.describe_action(action) for action in self.legal_actions()}

    def describe_action(self, action: SupportsIndex) -> str:
        """Return the text of a legal action: a move, or a step such as `22x15`, or `end at 15`."""
        moves = self._find_moves(action)
        if self.encoding.name != "step":
            return str(moves[0])
        path = moves[0].path[self._jumps : self._jumps + 2]
        if len(path) == 1:
            return f"end at {path[0]}"
        return str(moves[0]) if len(moves[0].path) == 2 else f"{path[0]}x{path[1]}"

    def play(self, action: SupportsIndex) -> Any:
        """Play an action. Return the move if the action completes one.

        Raises `ArgumentError` if the action is not legal, and `ActionSpaceError` if the next position has more legal
        moves than the encoding has numbers. The game is then unchanged.
        """
        moves = self._find_moves(action)
        if len(moves) == 1:
            self.play_move(moves[0])
            return moves[0]
        self._taken += 1
        self._candidates = {move: self._candidates[move] for move in moves}
        self._jumps = _count_common_steps([move.path for move in moves])
        self._list_choices()
        return None

    def play_move(self, move: Any) -> None:
        """Play a whole move. Raises the errors of `Game.push`, and `ActionSpaceError`."""
        before = self._taken, self._jumps, self._candidates, self._choices
        self._game.push(move)
        self._plies += 1
        try:
            self._begin_turn()
        except TablemenError:
            self._game.pop()
            self._plies -= 1
            self._taken, self._jumps, self._candidates, self._choices = before
            raise

    def resign(self) -> None:
        """End the game by the resignation of the side to move."""
        self._game.resign(self.turn)
        self._begin_turn()

    def observe(self, viewer: Side) -> npt.NDArray[np.uint8]:
        """Return a new array with the observation of the position from the point of view of a side."""
        is_step = self.encoding.name == "step"
        move = next(iter(self._candidates)) if self._jumps else None
        shape, data = self.family.observe(
            self._game.position, viewer, capture_planes=is_step, move=move, jumps=self._jumps
        )
        return np.frombuffer(data, dtype=np.uint8).reshape(shape).copy()

    def draw(self, orientation: Side) -> str:
        """Return the board as text, with the side to move, the capture in progress, and the outcome."""
        lines = [self.family.draw(self._game.position, orientation=orientation)]
        outcome = self.outcome()
        if outcome is not None:
            lines.append(self.family.describe_outcome(outcome, self._game.position))
        elif self._jumps:
            lines.append(f"capture in progress: {self._format_path()}")
        return "\n".join(lines)

    def copy(self) -> EncodedGame:
        """Return an independent copy."""
        other = object.__new__(type(self))
        vars(other).update(vars(self))
        other._game = self._game.copy()
        return other

    def __copy__(self) -> EncodedGame:
        return self.copy()

    def __deepcopy__(self, memo: Mapping[int, Any]) -> EncodedGame:
        return self.copy()  # the other values are immutable or are replaced, never changed

    def __getstate__(self) -> tuple[ActionEncoding, int | None, Game[Any, Any], list[int]]:
        return self.encoding, self._max_plies, self._game, self._list_taken()

    def __setstate__(self, state: tuple[ActionEncoding, int | None, Game[Any, Any], list[int]]) -> None:
        self.encoding, self._max_plies, self._game, taken = state
        self.family = get_family(self._game.position)
        self._plies = len(self._game.moves)
        self._has_claims = any(rule.by_claim for rule in self._game.start.variant.draws)
        self._begin_turn()
        for action in taken:
            self.play(action)

    def _list_taken(self) -> list[int]:
        """Return the actions of the move in progress."""
        actions: tuple[int, ...] = next(iter(self._candidates.values()), ())
        return list(actions[: self._taken])

    def _begin_turn(self) -> None:
        """List the actions of the current position, or claim a draw."""
        self._taken = self._jumps = 0
        if self._has_claims and self._game.claims():
            self._game.claim_draw()
        moves = () if self.is_truncated else self._game.legal_moves()
        position, encoding = self._game.position, self.encoding
        self._candidates = {move: encoding.encode_steps(position, move) for move in moves}
        self._list_choices()

    def _list_choices(self) -> None:
        self._choices = {}
        for move, actions in self._candidates.items():
            self._choices.setdefault(actions[self._taken], []).append(move)

    def _find_moves(self, action: SupportsIndex) -> list[Any]:
        """Return the moves that continue with an action. Raises `ArgumentError` if there are none."""
        if moves := self._choices.get(operator.index(action)):
            return moves
        if outcome := self.outcome():
            raise GameOverError(outcome)
        if self.is_truncated:
            raise ArgumentError("action", action, f"no action after the maximum of {self._max_plies} moves")
        numbers = [str(number) for number in self.legal_actions()]
        listed = ", ".join(numbers[:MAX_LISTED_ACTIONS]) + ", …" * (len(numbers) > MAX_LISTED_ACTIONS)
        raise ArgumentError("action", action, f"a legal action of {self.text()}: {listed}")

    def text(self) -> str:
        """Return the position as text, with the capture in progress."""
        text = self.family.format_position(self._game.position)
        if not self._jumps:
            return text
        return f"{text} after {self._format_path()}"

    def _format_path(self) -> str:
        """Return the path of the capture in progress as text."""
        return "x".join(map(str, next(iter(self._candidates)).path[: self._jumps + 1]))


def _count_common_steps(paths: list[Any]) -> int:
    """Return the number of steps with which all paths begin."""
    shortest = min(map(len, paths))
    same = (len({path[index] for path in paths}) == 1 for index in range(shortest))
    return next((index for index, equal in enumerate(same) if not equal), shortest) - 1
