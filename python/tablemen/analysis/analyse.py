"""Analysis of positions, and of games move by move."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

from tablemen.analysis.result import GameAnalysis, MoveAnalysis, PositionAnalysis
from tablemen.draughts.pdn import PdnGame
from tablemen.errors import ArgumentError
from tablemen.family import get_family
from tablemen.game import Game
from tablemen.outcome import Outcome, Side
from tablemen.search import Limit, Score, Searcher
from tablemen.validation import is_int

DEFAULT_POSITION_LIMIT = Limit(nodes=5_000_000)  # takes about a second
DEFAULT_GAME_LIMIT = Limit(nodes=400_000)  # per position; a game of 60 moves per side takes about ten seconds
TABLE_MB = 64

OnMove: TypeAlias = "Callable[[MoveAnalysis[Any]], object]"


def analyse_position(
    subject: Any, limit: Limit = DEFAULT_POSITION_LIMIT, *, lines: int | None = None, searcher: Searcher | None = None
) -> PositionAnalysis[Any]:
    """Return the best moves of a position, or of a game with its history, each with its score and its line.

    `lines` is the number of moves; by default, all legal moves. The default `searcher` has an empty transposition
    table, so with a limit of nodes or plies the result is always the same.

    >>> from tablemen.draughts import Position
    >>> shot = Position.from_fen("W:WK29,38,42,45:B27,35,K47", "international")
    >>> found = analyse_position(shot, Limit(depth=12), lines=2)
    >>> print(found.best, found.score, len(found.lines))
    38-33 win in 9 plies 2

    For a finished game there are no lines, and the score is the result.
    """
    if lines is not None and not is_int(lines, minimum=1):
        raise ArgumentError("lines", lines, "a whole number of at least 1")
    game: Game[Any, Any] = subject if isinstance(subject, Game) else Game(subject)
    return analyse_current_position(game, limit, searcher or Searcher(table_mb=TABLE_MB), lines)


def analyse_game(
    game: Game[Any, Any],
    limit: Limit = DEFAULT_GAME_LIMIT,
    *,
    searcher: Searcher | None = None,
    on_move: OnMove | None = None,
) -> GameAnalysis[Any]:
    """Analyse every position of a game, and compute the loss of each move.

    Each position is searched once, within the limit. The score of a position is that of its best move, and also, seen
    from the side that moved, that of the move that led to it. `on_move` is called with each move as soon as it is
    analysed. The default `searcher` has an empty transposition table, so with a limit of nodes or plies the result is
    always the same.

    >>> from tablemen.draughts import Position
    >>> game = Game(Position.from_fen("W:WK29,38,42,45:B27,35,K47", "international"), ["29-7", "27-32"])
    >>> for each in analyse_game(game, Limit(depth=9)).moves:
    ...     print(f"{each}: {each.before.score} with {each.before.best}; now {each.after.score}")
    1. 29-7??: win in 9 plies with 38-33; now win in 5 plies
    1... 27-32: win in 5 plies with 27-32; now loss in 4 plies
    """
    if not isinstance(game, Game):
        raise ArgumentError("game", game, "a Game")
    analyser = _GameAnalyser(limit, searcher, on_move)
    analyser.set_position(game.start)
    for move in game.moves:
        analyser.play(move)
    return analyser.result()


def analyse_pdn(
    game: PdnGame,
    limit: Limit = DEFAULT_GAME_LIMIT,
    *,
    searcher: Searcher | None = None,
    on_move: OnMove | None = None,
) -> GameAnalysis[Any]:
    """Analyse the main line of a PDN game, as `analyse_game` does.

    Moves from unknown positions are omitted, and a set-up starts a new history. If the players continued after a draw
    by the rules, the analysis continues too.

    >>> from tablemen.draughts.pdn import parse_pdn
    >>> written = parse_pdn('[FEN "W:W27,32:B18,K5"] [GameType "20"] 1. 32-28 ... ...')
    >>> analysis = analyse_pdn(written, Limit(depth=4))
    >>> [str(each) for each in analysis.moves], analysis.length
    (['1. 32-28??'], 3)
    """
    if not isinstance(game, PdnGame):
        raise ArgumentError("game", game, "a PdnGame")
    analyser = _GameAnalyser(limit, searcher, on_move)
    positions = game.positions()
    analyser.set_position(game.start if positions[0] is None else positions[0])
    for node, before in zip(game.nodes, positions[:-1], strict=True):
        if before is None or isinstance(node.move, str):
            analyser.skip()
        else:
            analyser.set_position(before)
            analyser.play(node.move)
    return analyser.result()


def analyse_current_position(
    game: Game[Any, Any], limit: Limit, searcher: Searcher, lines: int | None = 1
) -> PositionAnalysis[Any]:
    """Analyse the current position of a game with a searcher; `lines` as in `analyse_position`."""
    outcome = game.outcome()
    if outcome is not None:
        return PositionAnalysis(game.position, _final_score(game.position, outcome), outcome=outcome)
    count = len(game.legal_moves())
    found = searcher.analyse(game, limit, multipv=count if lines is None else min(lines, count)).result()
    return PositionAnalysis(game.position, found.score, found.lines)


def _final_score(position: Any, outcome: Outcome) -> Score:
    """Return the result of a game as a score for the side to move.

    The score is the margin if the game ended on the board and its family counts points.
    """
    if outcome.winner is None:
        return Score(0.0, exact=True)
    sign = 1 if outcome.winner is position.turn else -1
    if scores := get_family(position).final_score(position):
        margin = scores[position.turn] - scores[position.turn.opponent]
        if margin * sign > 0:
            return Score(float(margin), exact=True)
    return Score(sign * math.inf, exact=True, plies=0)


class _GameAnalyser:
    """Replay of a game, in which each position is analysed once."""

    def __init__(self, limit: Limit, searcher: Searcher | None, on_move: OnMove | None) -> None:
        self.limit = limit
        self.searcher = searcher or Searcher(table_mb=TABLE_MB)
        self.on_move = on_move
        self.game: Game[Any, Any] | None = None
        self.current: PositionAnalysis[Any] | None = None
        self.start: PositionAnalysis[Any] | None = None
        self.moves: list[MoveAnalysis[Any]] = []
        self.index = 0
        self.number = 1
        self.turn = Side.WHITE

    def set_position(self, position: Any) -> None:
        """Continue from a position; start a new history unless it is the current position."""
        if self.game is None or self.game.position != position:
            self.game = Game(position)
            self.current = analyse_current_position(self.game, self.limit, self.searcher)
            self.start = self.start or self.current
        self.turn = position.turn

    def play(self, move: Any) -> None:
        """Play a move and analyse the position after it."""
        assert self.game is not None
        assert self.current is not None
        before = self.current
        if self.game.outcome() is None:
            self.game.push(move)
        else:  # the players continued after a draw by the rules
            self.game = Game(self.game.position.play(move))
        self.current = analyse_current_position(self.game, self.limit, self.searcher)
        analysis = MoveAnalysis(self.index, self.number, move, before, self.current)
        self.moves.append(analysis)
        self._advance(before.position.variant, self.current.turn)
        if self.on_move is not None:
            self.on_move(analysis)

    def skip(self) -> None:
        """Count a move from an unknown position."""
        assert self.start is not None
        self.game = None
        self._advance(self.start.position.variant, self.turn.opponent)

    def _advance(self, rules: Any, turn: Side) -> None:
        """Count a move; as in game files, the move number grows when the side that began is to move again."""
        first = get_family(rules).first_side(rules)
        self.number += self.turn is not first and turn is not self.turn
        self.index += 1
        self.turn = turn

    def result(self) -> GameAnalysis[Any]:
        """Return the analysis of the moves so far."""
        assert self.start is not None
        return GameAnalysis(self.start, tuple(self.moves), self.index)
