"""Plain minimax to a fixed depth, to test the search.

Moves, results and draw rules are those of `Game`, which have tests of their own. There is no pruning and no
transposition table, so their errors cannot occur.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from tablemen import Game, Outcome, Side
from tablemen.draws import Repetition
from tablemen.mancala import Position as MancalaPosition
from tablemen.mancala.rules import Cycle

AnyGame: TypeAlias = "Game[Any, Any]"
Evaluate: TypeAlias = Callable[[Any], float]  # the value of a position for the side to move


class Value(NamedTuple):
    """The value of a position for a side; better values compare greater.

    `result` is 1 for a forced win, -1 for a forced loss, and 0 otherwise. For a win or a loss, `measure` is the number
    of plies to the end, negative for a win, since an early win is better. Otherwise it is the evaluation of the last
    position of the line.
    """

    result: int
    measure: float

    def turned(self) -> Value:
        """Return the value for the other side."""
        return Value(-self.result, -self.measure)

    def before(self) -> Value:
        """Return the value one ply earlier."""
        return Value(self.result, self.measure - self.result)


def minimax(game: AnyGame, depth: int, evaluate: Evaluate, *, root: int | None = None) -> Value:
    """Return the value for the side to move after a search to this depth; the game is unchanged afterwards."""
    return max(move_values(game, depth, evaluate, root=root).values())


def move_values(game: AnyGame, depth: int, evaluate: Evaluate, *, root: int | None = None) -> dict[Any, Value]:
    """Return the value of every legal move; the depth is at least 1.

    `root` is the number of moves before the line, by default the moves of the game.
    """
    values = {}
    root = len(game.moves) if root is None else root
    side = game.position.turn
    for move in game.legal_moves():
        game.push(move)
        value = _value(game, depth - 1, evaluate, root).before()
        # In mancala a side can have another turn.
        values[move] = value if game.position.turn is side else value.turned()
        game.pop()
    return values


def _value(game: AnyGame, depth: int, evaluate: Evaluate, root: int) -> Value:
    """Return the value of the position for the side to move."""
    position = game.position
    if (outcome := _end(game, root)) is not None:
        return _value_of_end(position, outcome)
    return Value(0, evaluate(position)) if depth == 0 else minimax(game, depth, evaluate, root=root)


def _end(game: AnyGame, root: int) -> Outcome | None:
    """Return the outcome if the game ends here.

    Draws are always claimed, and a repeated position in the line counts as a draw by repetition. Positions before the
    line count only as often as the rule says. In mancala, where repetitions are rare, they count as part of the line.
    """
    if (outcome := game.outcome()) is not None:
        return outcome
    for rule in game.claims():
        return rule.outcome(game.position)
    for rule in game.position.variant.draws:
        line = game.positions if isinstance(rule, Cycle) else game.positions[root:]
        if isinstance(rule, Repetition) and line.count(game.position) > 1:
            return rule.outcome(game.position)
    return None


def _value_of_end(position: Any, outcome: Outcome) -> Value:
    if isinstance(position, MancalaPosition):
        return Value(0, margin(position, position.turn))
    if outcome.winner is None:
        return Value(0, 0)
    return Value(1 if outcome.winner is position.turn else -1, 0)


def margin(position: MancalaPosition, side: Side) -> int:
    """Return the lead of a side in seeds."""
    score = position.score()
    return score[side] - score[side.opponent]
