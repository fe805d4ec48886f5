"""A game, analysed move by move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from tablemen.analysis.model import GameAnalysis, MoveAnalysis, PositionAnalysis
from tablemen.analysis.position import TABLE_MB, look_at
from tablemen.draughts.pdn import PdnGame
from tablemen.errors import ArgumentError
from tablemen.game import Game
from tablemen.outcome import Side
from tablemen.search import Limit, Searcher

USUAL_LIMIT = Limit(nodes=400_000)  # each position; a game of 60 moves a side takes about ten seconds

OnMove: TypeAlias = "Callable[[MoveAnalysis[Any]], object]"


def analyse_game(
    game: Game[Any, Any],
    limit: Limit = USUAL_LIMIT,
    *,
    searcher: Searcher | None = None,
    on_move: OnMove | None = None,
) -> GameAnalysis[Any]:
    """What every position of a game is worth, and what each move threw away.

    Each position is searched once, within the limit. Its score is that of the best move in it and, seen by the other
    side, that of the move that led to it. `on_move` is handed each move as soon as it is judged. Without a `searcher`
    of your own it is one with an empty table, which finds the same every time where the limit is a number of positions
    or plies.

    >>> from tablemen.draughts import Position
    >>> game = Game(Position.from_fen("W:WK29,38,42,45:B27,35,K47", "international"), ["29-7", "27-32"])
    >>> for each in analyse_game(game, Limit(depth=9)).moves:
    ...     print(f"{each}: {each.before.score} with {each.before.best}; now {each.after.score}")
    1. 29-7??: win in 9 plies with 38-33; now win in 5 plies
    1... 27-32: win in 5 plies with 27-32; now loss in 4 plies
    """
    if not isinstance(game, Game):
        raise ArgumentError("game", game, "a Game")
    walk = _Walk(limit, searcher, on_move)
    walk.stand_at(game.start)
    for move in game.moves:
        walk.go(move)
    return walk.found()


def analyse_pdn(
    game: PdnGame,
    limit: Limit = USUAL_LIMIT,
    *,
    searcher: Searcher | None = None,
    on_move: OnMove | None = None,
) -> GameAnalysis[Any]:
    """The same for the main line of a written game.

    Moves of which the file does not tell the position are left out, and a set-up begins anew, without a past. Players
    who go on after a draw by the rules are followed.

    >>> from tablemen.draughts.pdn import parse_pdn
    >>> written = parse_pdn('[FEN "W:W27,32:B18,K5"] [GameType "20"] 1. 32-28 ... ...')
    >>> analysis = analyse_pdn(written, Limit(depth=4))
    >>> [str(each) for each in analysis.moves], analysis.length
    (['1. 32-28??'], 3)
    """
    if not isinstance(game, PdnGame):
        raise ArgumentError("game", game, "a PdnGame")
    walk = _Walk(limit, searcher, on_move)
    positions = game.positions()
    walk.stand_at(game.start if positions[0] is None else positions[0])
    for node, before in zip(game.nodes, positions[:-1], strict=True):
        if before is None or isinstance(node.move, str):
            walk.skip()
        else:
            walk.stand_at(before)
            walk.go(node.move)
    return walk.found()


class _Walk:
    """Goes along a game and looks at each position once."""

    def __init__(self, limit: Limit, searcher: Searcher | None, on_move: OnMove | None) -> None:
        self.limit = limit
        self.searcher = searcher or Searcher(table_mb=TABLE_MB)
        self.on_move = on_move
        self.game: Game[Any, Any] | None = None
        self.here: PositionAnalysis[Any] | None = None
        self.start: PositionAnalysis[Any] | None = None
        self.moves: list[MoveAnalysis[Any]] = []
        self.index = 0
        self.number = 1
        self.turn = Side.WHITE

    def stand_at(self, position: Any) -> None:
        """Goes to a position, unless it is there."""
        if self.game is None or self.game.position != position:
            self.game = Game(position)
            self.here = look_at(self.game, self.limit, self.searcher)
            self.start = self.start or self.here
        self.turn = position.turn

    def go(self, move: Any) -> None:
        """A move on."""
        assert self.game is not None
        assert self.here is not None
        before = self.here
        if self.game.outcome() is None:
            self.game.push(move)
        else:  # a draw that the players did not heed
            self.game = Game(self.game.position.play(move))
        self.here = look_at(self.game, self.limit, self.searcher)
        found = MoveAnalysis(self.index, self.number, move, before, self.here)
        self.moves.append(found)
        self._count(before.position.variant, self.here.turn)
        if self.on_move is not None:
            self.on_move(found)

    def skip(self) -> None:
        """A move of which nothing is known but that it was played."""
        assert self.start is not None
        self.game = None
        self._count(self.start.position.variant, self.turn.opponent)

    def _count(self, rules: Any, turn: Side) -> None:
        """The next move has the next number, as game files have it, when the side that began is to move again."""
        first = getattr(rules, "first", Side.WHITE)
        self.number += self.turn is not first and turn is not self.turn
        self.index += 1
        self.turn = turn

    def found(self) -> GameAnalysis[Any]:
        """All of it."""
        assert self.start is not None
        return GameAnalysis(self.start, tuple(self.moves), self.index)
