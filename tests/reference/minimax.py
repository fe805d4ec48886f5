"""Plain minimax: every move, to the depth asked for, and nothing clever. The judge of the search.

Moves, results and draw rules are those of `Game`, which have judges of their own; this adds only who chooses what. It
knows no bounds and no tables, so that nothing can be wrong with them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from tablemen import Game, Outcome, Side
from tablemen.draws import Repetition
from tablemen.mancala import Position as MancalaPosition
from tablemen.mancala.rules import Cycle

AnyGame: TypeAlias = "Game[Any, Any]"
Evaluate: TypeAlias = Callable[[Any], float]  # what a position is worth to the side to move


class Value(NamedTuple):
    """What a side can get; better ones compare greater.

    `result` is 1 for a game won by force, -1 for one lost so, and 0 else. `measure` is then the number of plies to its
    end, negative where it is won: sooner is better. Else it is what the position at the end of the line is worth.
    """

    result: int
    measure: float

    def turned(self) -> Value:
        """The same for the other side."""
        return Value(-self.result, -self.measure)

    def before(self) -> Value:
        """The same, one ply earlier."""
        return Value(self.result, self.measure - self.result)


def minimax(game: AnyGame, depth: int, evaluate: Evaluate, *, root: int | None = None) -> Value:
    """What the side to move can get, looking so many plies ahead; the game is as it was afterwards."""
    return max(move_values(game, depth, evaluate, root=root).values())


def move_values(game: AnyGame, depth: int, evaluate: Evaluate, *, root: int | None = None) -> dict[Any, Value]:
    """The same for every legal move; the depth is 1 or more. The line begins after `root` moves: now, if not told."""
    values = {}
    root = len(game.moves) if root is None else root
    side = game.position.turn
    for move in game.legal_moves():
        game.push(move)
        value = _value(game, depth - 1, evaluate, root).before()
        # A side can have another turn in mancala.
        values[move] = value if game.position.turn is side else value.turned()
        game.pop()
    return values


def _value(game: AnyGame, depth: int, evaluate: Evaluate, root: int) -> Value:
    """What the position is worth to the side to move."""
    position = game.position
    if (outcome := _end(game, root)) is not None:
        return _value_of_end(position, outcome)
    return Value(0, evaluate(position)) if depth == 0 else minimax(game, depth, evaluate, root=root)


def _end(game: AnyGame, root: int) -> Outcome | None:
    """How the game ends here: what can be claimed is, and what happens twice in a line is taken to happen for ever.

    What stood on the board before the line counts as the rule says; in mancala, where games hardly ever go round in
    circles, as if it were part of the line.
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
    """How many seeds more than its opponent a side has."""
    score = position.score()
    return score[side] - score[side.opponent]
