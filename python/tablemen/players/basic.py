"""Basic players: a person at the keyboard, random moves, the robot rule of Kalah, and plain minimax."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar

from tablemen.console import IO, StandardIO
from tablemen.errors import GameError
from tablemen.family import get_family
from tablemen.game import Game
from tablemen.players.options import SEED, WrittenPlayer, option, whole
from tablemen.players.player import RESIGN, open_moves
from tablemen.search import Score

RESIGN_COMMAND = "resign"
WIN_VALUE = 1_000_000.0  # more than the material of any position


@dataclass(kw_only=True)
class HumanPlayer(WrittenPlayer):
    r"""A person at the keyboard. After an illegal move, the player prints the reason and repeats the prompt.

    The word `resign` resigns, and so does the end of the input.

    >>> import io
    >>> from tablemen.draughts import Position
    >>> person = HumanPlayer(io=StandardIO(io.StringIO("33-27\n33-29\n")))
    >>> print(person.choose(Game(Position.start("international"))))
    White's move: 33 to 27 is not a diagonal step
    White's move: 33-29
    """

    kind: ClassVar[str] = "human"
    about: ClassVar[str] = "a person at the keyboard"

    io: IO = field(default_factory=StandardIO, repr=False, compare=False)

    def choose(self, game: Game[Any, Any]) -> Any:
        """Return the move typed at the keyboard."""
        position = game.position
        family = get_family(position)
        while True:
            try:
                text = self.io.read_from_keyboard(f"{family.side_name(position.turn)}'s move: ")
            except EOFError:
                return RESIGN
            if text.strip().casefold() == RESIGN_COMMAND:
                return RESIGN
            problem = family.explain_illegal(text, position)
            if problem is None:
                return position.parse_move(text)
            self.io.println(problem)


@dataclass(kw_only=True)
class RandomPlayer(WrittenPlayer):
    """A player that chooses random legal moves; the same moves for the same seed.

    >>> from tablemen.draughts import Position
    >>> game = Game(Position.start("english"))
    >>> RandomPlayer(seed=4).choose(game) == RandomPlayer(seed=4).choose(game)
    True
    """

    kind: ClassVar[str] = "random"
    about: ClassVar[str] = "a random legal move"

    seed: int = option(SEED, 0)
    _random: Random = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._random = Random(self.seed)

    def choose(self, game: Game[Any, Any]) -> Any:
        """Return a random legal move."""
        return self._random.choice(open_moves(game))


@dataclass(kw_only=True)
class RobotPlayer(WrittenPlayer):
    """A player with the robot rule of mancala: the first house with an extra turn, else with a capture, else the first.

    >>> from tablemen.mancala import Position
    >>> print(RobotPlayer().choose(Game(Position.start("kalah"))))
    3
    """

    kind: ClassVar[str] = "robot"
    about: ClassVar[str] = "the robot rule of Kalah: an extra turn, else a capture, else the first house"

    def check(self, position: Any) -> None:
        """Raise `GameError` if the family has no robot rule."""
        if not get_family(position).has_robot:
            raise GameError(f"the robot plays only mancala, not {position.variant}")

    def choose(self, game: Game[Any, Any]) -> Any:
        """Return the move of the robot rule."""
        self.check(game.position)
        return get_family(game.position).robot_move(game.position)


@dataclass(kw_only=True)
class MinimaxPlayer(WrittenPlayer):
    """A player with a full minimax search of `depth` plies, without pruning.

    The evaluation counts men and kings, or seeds. A win has a higher value than any material, and a quicker win a
    higher one. The player chooses randomly between equally good moves. With a clock, it searches as many moves as a
    share of the remaining time allows.

    >>> from tablemen.draughts import Position
    >>> game = Game(Position.from_fen("W:W24,26,31:B12,32,40", "international"))
    >>> print(MinimaxPlayer(depth=3).choose(game))
    31-27
    """

    kind: ClassVar[str] = "minimax"
    about: ClassVar[str] = "a full minimax search of a few plies, which counts pieces or seeds"

    depth: int = option(whole(1), 3)
    seed: int = option(SEED, 0)
    _random: Random = field(init=False, repr=False, compare=False)
    _is_stopped: bool = field(default=False, init=False, repr=False, compare=False)
    _deadline: float | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._random = Random(self.seed)

    def choose(self, game: Game[Any, Any]) -> Any:
        """Return one of the best moves, or one of the best searched so far if the search is stopped."""
        self._is_stopped = False
        self._deadline = None if self.clock is None else time.monotonic() + self.clock.share()
        copy = game.copy()
        values: dict[Any, float] = {}
        moves = open_moves(game)
        for move in moves:
            value = self._evaluate_move(move, copy, self.depth)
            if self._is_stopped:
                break
            values[move] = value
        best = max(values.values(), default=0.0)
        # An unfinished search has no score: a move that was not searched may be better.
        self.score = _to_score(best) if len(values) == len(moves) else None
        return self._random.choice([move for move, value in values.items() if value == best] or moves)

    def stop(self) -> None:
        """Stop the search."""
        self._is_stopped = True

    def _evaluate_move(self, move: Any, game: Game[Any, Any], depth: int) -> float:
        """Return the value of a move for the side that makes it, searched to `depth` plies including the move."""
        mover = game.position.turn
        game.push(move)
        value = self._evaluate(game, depth - 1)
        if game.position.turn is not mover:  # an extra turn leaves the side to move
            value = -value
        game.pop()
        return value

    def _evaluate(self, game: Game[Any, Any], depth: int) -> float:
        """Return the value of the game for the side to move; the value is meaningless once the search is stopped."""
        if self._deadline is not None and time.monotonic() >= self._deadline:
            self._is_stopped = True
        if self._is_stopped:
            return 0.0
        outcome = game.outcome()
        if outcome is not None:
            if outcome.winner is None:
                return 0.0
            return WIN_VALUE + depth if outcome.winner is game.position.turn else -WIN_VALUE - depth
        if depth == 0:
            return get_family(game.position).balance(game.position)
        return max(self._evaluate_move(move, game, depth) for move in game.legal_moves())


def _to_score(value: float) -> Score:
    """Return a search value as a score; a win or a loss within the search depth is infinite."""
    return Score(math.copysign(math.inf, value) if abs(value) >= WIN_VALUE else value)
