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
    r"""A person at the keyboard. A move that cannot be played is answered with the reason, and asked for again.

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
    """Plays any legal move, each equally likely; the same moves for the same seed.

    >>> from tablemen.draughts import Position
    >>> game = Game(Position.start("english"))
    >>> RandomPlayer(seed=4).choose(game) == RandomPlayer(seed=4).choose(game)
    True
    """

    kind: ClassVar[str] = "random"
    about: ClassVar[str] = "any legal move"

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
    """Plays mancala by the robot rule: the lowest house with an extra turn, else with a capture, else any.

    >>> from tablemen.mancala import Position
    >>> print(RobotPlayer().choose(Game(Position.start("kalah"))))
    3
    """

    kind: ClassVar[str] = "robot"
    about: ClassVar[str] = "the robot rule of Kalah: an extra turn, else a capture, else the first house"

    def check(self, position: Any) -> None:
        """Raise `GameError` if the family has no robot rule."""
        if not get_family(position).has_robot:
            raise GameError(f"the robot plays games of mancala alone, and not {position.variant}")

    def choose(self, game: Game[Any, Any]) -> Any:
        """Return the move of the robot rule."""
        self.check(game.position)
        return get_family(game.position).robot_move(game.position)


@dataclass(kw_only=True)
class MinimaxPlayer(WrittenPlayer):
    """Plays by a full minimax search of `depth` plies without pruning.

    Leaves are valued by men and kings, or by seeds; a win is worth more, and more the sooner it is. Of equally good
    moves it plays a random one. With a clock, it searches as many moves as a share of the time left allows.

    >>> from tablemen.draughts import Position
    >>> game = Game(Position.from_fen("W:W24,26,31:B12,32,40", "international"))
    >>> print(MinimaxPlayer(depth=3).choose(game))
    31-27
    """

    kind: ClassVar[str] = "minimax"
    about: ClassVar[str] = "every way the game can go for a few moves, and then a count of pieces or seeds"

    depth: int = option(whole(1), 3)
    seed: int = option(SEED, 0)
    _random: Random = field(init=False, repr=False, compare=False)
    _is_stopped: bool = field(default=False, init=False, repr=False, compare=False)
    _deadline: float | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._random = Random(self.seed)

    def choose(self, game: Game[Any, Any]) -> Any:
        """Return one of the best moves; if stopped, of those searched so far."""
        self._is_stopped = False
        self._deadline = None if self.clock is None else time.monotonic() + self.clock.share()
        copy = game.copy()
        values: dict[Any, float] = {}
        moves = open_moves(game)
        for move in moves:
            value = self._value_of(move, copy, self.depth)
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

    def _value_of(self, move: Any, game: Game[Any, Any], depth: int) -> float:
        """Return the value of a move for the side that makes it, searched to `depth` plies including the move."""
        mover = game.position.turn
        game.push(move)
        value = self._value(game, depth - 1)
        if game.position.turn is not mover:  # an extra turn leaves the side to move
            value = -value
        game.pop()
        return value

    def _value(self, game: Game[Any, Any], depth: int) -> float:
        """Return the value of the game for the side to move; it is meaningless once the search is stopped."""
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
        return max(self._value_of(move, game, depth) for move in game.legal_moves())


def _to_score(value: float) -> Score:
    """Return a search value as a score; a win or a loss within the search depth is infinite."""
    return Score(math.copysign(math.inf, value) if abs(value) >= WIN_VALUE else value)
