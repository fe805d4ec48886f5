"""The player that looks a few moves ahead and counts: the plainest search there is."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar

from tablemen.family import get_family
from tablemen.game import Game
from tablemen.players.options import SEED, WrittenPlayer, option, whole
from tablemen.players.player import open_moves
from tablemen.search import Score

WON = 1_000_000.0  # more than any board holds


@dataclass(kw_only=True)
class MinimaxPlayer(WrittenPlayer):
    """Every way that the game can go for `depth` moves, and the best of them if the opponent plays its best too.

    What is counted at the end is men and kings, or seeds; a win counts more, the sooner the better. Nothing is pruned.
    Among moves that are equally good, one is taken by chance. Where a clock runs, it looks at as many moves as a
    share of the time that is left allows.

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
    _ends: float | None = field(default=None, init=False, repr=False, compare=False)  # when its share is used up

    def __post_init__(self) -> None:
        super().__post_init__()
        self._random = Random(self.seed)

    def choose(self, game: Game[Any, Any]) -> Any:
        """One of the best moves; of those that were looked at, where it is stopped."""
        self._is_stopped = False
        self._ends = None if self.clock is None else time.monotonic() + self.clock.share()
        ahead = game.copy()
        values: dict[Any, float] = {}
        moves = open_moves(game)
        for move in moves:
            value = self._value_of(move, ahead, self.depth)
            if self._is_stopped:
                break
            values[move] = value
        best = max(values.values(), default=0.0)
        self.score = _score_of(best) if len(values) == len(moves) else None  # what was not seen may be better
        return self._random.choice([move for move, value in values.items() if value == best] or moves)

    def stop(self) -> None:
        """Looks no further."""
        self._is_stopped = True

    def _value_of(self, move: Any, game: Game[Any, Any], depth: int) -> float:
        """What a move is worth to the side that makes it, `depth` moves deep, this one included."""
        mover = game.position.turn
        game.push(move)
        value = self._value(game, depth - 1)
        if game.position.turn is not mover:  # it is, where a move gives another turn
            value = -value
        game.pop()
        return value

    def _value(self, game: Game[Any, Any], depth: int) -> float:
        """What the game is worth to the side to move; anything, once it is stopped."""
        if self._ends is not None and time.monotonic() >= self._ends:
            self._is_stopped = True
        if self._is_stopped:
            return 0.0
        outcome = game.outcome()
        if outcome is not None:
            if outcome.winner is None:
                return 0.0
            return WON + depth if outcome.winner is game.position.turn else -WON - depth
        if depth == 0:
            return get_family(game.position).balance(game.position)
        return max(self._value_of(move, game, depth) for move in game.legal_moves())


def _score_of(value: float) -> Score:
    """What a value of the search means; infinitely much where the game is won or lost within it."""
    return Score(math.copysign(math.inf, value) if abs(value) >= WON else value)
