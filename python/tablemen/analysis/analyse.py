"""Analysis of positions, and of games move by move."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from tablemen.analysis.result import GameAnalysis, MoveAnalysis, PositionAnalysis
from tablemen.draughts.pdn import PdnGame
from tablemen.endgame import EndgameResult, MoveValue, Wdl
from tablemen.errors import ArgumentError
from tablemen.family import get_family
from tablemen.game import Game
from tablemen.outcome import Outcome, Side
from tablemen.search import Info, Limit, Score, Searcher
from tablemen.validation import is_int

DEFAULT_POSITION_LIMIT = Limit(nodes=5_000_000)  # takes about a second
DEFAULT_GAME_LIMIT = Limit(nodes=400_000)  # per position; a game of 60 moves per side takes about ten seconds
TABLE_MB = 64

OnMove: TypeAlias = "Callable[[MoveAnalysis[Any]], object]"
Analyse: TypeAlias = "Callable[[Game[Any, Any]], PositionAnalysis[Any]]"


def analyse_position(
    subject: Any,
    limit: Limit = DEFAULT_POSITION_LIMIT,
    *,
    lines: int | None = None,
    searcher: Searcher | None = None,
    tablebases: bool = True,
) -> PositionAnalysis[Any]:
    """Return the best moves of a position, or of a game with its history, each with its score and its line.

    `lines` is the number of moves; by default, all legal moves. If a tablebase has the position, scores are exact and
    moves are ranked by their proven values, unless `tablebases` is false. The default `searcher` has an empty
    transposition table, so with a limit of nodes or plies and the same tablebases the result is always the same.

    >>> from tablemen.draughts import Position
    >>> shot = Position.from_fen("W:WK29,38,42,45:B27,35,K47", "international")
    >>> found = analyse_position(shot, Limit(depth=12), lines=2)
    >>> print(found.best, found.score, len(found.lines))
    38-33 win in 9 plies 2

    For a finished game there are no lines, and the score is the result. Raises `TablebaseError` if the file of a
    tablebase is damaged, and `OSError`.
    """
    if lines is not None and not is_int(lines, minimum=1):
        raise ArgumentError("lines", lines, "a whole number of at least 1")
    game: Game[Any, Any] = subject if isinstance(subject, Game) else Game(subject)
    searcher = searcher or Searcher(table_mb=TABLE_MB)
    return analyse_current_position(game, limit, searcher, lines, tablebases=tablebases)


def analyse_game(
    game: Game[Any, Any],
    limit: Limit = DEFAULT_GAME_LIMIT,
    *,
    searcher: Searcher | None = None,
    on_move: OnMove | None = None,
    tablebases: bool = True,
) -> GameAnalysis[Any]:
    """Analyse every position of a game, and compute the loss of each move.

    Each position is searched once, within the limit. The score of a position is that of its best move, and also, seen
    from the side that moved, that of the move that led to it. If a tablebase has a position, its score is exact, as in
    `analyse_position`. `on_move` is called with each move as soon as it is analysed. The default `searcher` has an
    empty transposition table, so with a limit of nodes or plies and the same tablebases the result is always the same.

    >>> from tablemen.draughts import Position
    >>> game = Game(Position.from_fen("W:WK29,38,42,45:B27,35,K47", "international"), ["29-7", "27-32"])
    >>> for each in analyse_game(game, Limit(depth=9)).moves:
    ...     print(f"{each}: {each.before.score} with {each.before.best}; now {each.after.score}")
    1. 29-7??: win in 9 plies with 38-33; now win in 5 plies
    1... 27-32: win in 5 plies with 27-32; now loss in 4 plies
    """
    if not isinstance(game, Game):
        raise ArgumentError("game", game, "a Game")
    return analyse_steps(list_steps(game), make_analyse(limit, searcher, tablebases=tablebases), on_move)


def analyse_pdn(
    game: PdnGame,
    limit: Limit = DEFAULT_GAME_LIMIT,
    *,
    searcher: Searcher | None = None,
    on_move: OnMove | None = None,
    tablebases: bool = True,
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
    return analyse_steps(list_steps(game), make_analyse(limit, searcher, tablebases=tablebases), on_move)


def analyse_current_position(
    game: Game[Any, Any], limit: Limit, searcher: Searcher, lines: int | None = 1, *, tablebases: bool = False
) -> PositionAnalysis[Any]:
    """Analyse the current position of a game with a searcher; `lines` as in `analyse_position`."""
    if (finished := analyse_finished(game)) is not None:
        return finished
    if tablebases and (proven := analyse_endgame(game, limit, searcher, lines)) is not None:
        return proven
    found = searcher.analyse(game, limit, multipv=_count_lines(game, lines)).result()
    return PositionAnalysis(game.position, found.score, found.lines)


def analyse_finished(game: Game[Any, Any]) -> PositionAnalysis[Any] | None:
    """Return the analysis of a game that is over, with the result as its score; None if it is not over."""
    outcome = game.outcome()
    if outcome is None:
        return None
    return PositionAnalysis(game.position, _final_score(game.position, outcome), outcome=outcome)


def analyse_endgame(
    game: Game[Any, Any], limit: Limit, searcher: Searcher, lines: int | None = 1
) -> PositionAnalysis[Any] | None:
    """Analyse the current position of a game if a tablebase has it; otherwise, return None.

    `lines` is as in `analyse_position`. Raises `TablebaseError` if the file of a tablebase is damaged, and `OSError`.
    """
    endgame = get_family(game.position).probe_endgame(game)
    if endgame is None:
        return None
    best = _rank_endgame(game, endgame, limit, searcher, _count_lines(game, lines))
    return PositionAnalysis(game.position, best[0].score, best, endgame=endgame)


def _count_lines(game: Game[Any, Any], lines: int | None) -> int:
    count = len(game.legal_moves())
    return count if lines is None else min(lines, count)


def _rank_endgame(
    game: Game[Any, Any], endgame: EndgameResult, limit: Limit, searcher: Searcher, count: int
) -> tuple[Info[Any], ...]:
    """Return the lines of the best moves of a position with a proven value.

    Wins and losses with distances need no search. The search chooses between drawing moves, finds lines if there are no
    distances, and scores the moves after which a draw rule may end the game before it is won.
    """
    lines = (_prove_line(game, each) for each in endgame.moves[:count])
    best = [line for line in lines if line is not None]
    if len(best) < count:
        found = searcher.analyse(game, limit, multipv=len(endgame.moves)).result()
        searched = {info.line[0]: info for info in found.lines}
        ranked = []
        for each in endgame.moves:
            info = _prove_line(game, each) or _correct_score(each, searched[each.move])
            ranked.append((_rank_key(each.wdl, info.score, searched[each.move].score), info))
        best = [info for _, info in sorted(ranked, key=itemgetter(0))[:count]]
    return tuple(replace(info, rank=rank) for rank, info in enumerate(best, 1))


def _prove_line(game: Game[Any, Any], value: MoveValue) -> Info[Any] | None:
    """Return the line of a move to the end of the game.

    Return None in a draw, if the distance is not known, and if a draw can be claimed or a draw rule may end the game
    first.
    """
    if value.distance is None or game.claims():
        return None
    after = game.copy()
    after.push(value.move)
    outcome, line = after.outcome(), (value.move,)
    if outcome is None:
        endgame = get_family(game.position).probe_endgame(after)
        if endgame is None or endgame.drawn_by is not None:
            return None
        line += endgame.line
    elif outcome.winner is None:
        return None
    return Info(len(line), endgame_score(value.wdl, value.distance), 0, 0.0, line)


def _correct_score(value: MoveValue, searched: Info[Any]) -> Info[Any]:
    """Return the line of a search, with the score that the value of the move proves.

    The score of the search is kept if a draw rule may end the game first, and if it has the same value.
    """
    score = endgame_score(value.wdl, None)
    is_proven = searched.score.exact and searched.score.value == score.value
    return searched if value.distance is not None or is_proven else replace(searched, score=score)


def _rank_key(wdl: Wdl, score: Score, searched: Score) -> tuple[float, ...]:
    """Return the key that sorts moves: by value, score, and distance or, if that is not known, score of the search."""
    if score.plies is not None:
        return -wdl, -score.value, wdl * score.plies
    return -wdl, -score.value, wdl * math.inf if wdl else 0, -searched.value


def endgame_score(wdl: Wdl, distance: int | None) -> Score:
    """Return the score for a proven value."""
    return Score(wdl * math.inf, exact=True, plies=distance) if wdl else Score(0.0, exact=True)


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


class Step(NamedTuple):
    """A step of the replay of a game: a position to continue from, a move, or a move that is not known."""

    position: Any = None
    move: Any = None


def list_steps(game: Game[Any, Any] | PdnGame) -> list[Step]:
    """Return the steps that replay a game."""
    if isinstance(game, Game):
        return [Step(position=game.start), *(Step(move=move) for move in game.moves)]
    positions = game.positions()
    current: Any = game.start if positions[0] is None else positions[0]
    steps = [Step(position=current)]
    for node, before in zip(game.nodes, positions[:-1], strict=True):
        if before is None or isinstance(node.move, str):
            steps.append(Step())
            current = None
            continue
        if before != current:
            steps.append(Step(position=before))
        steps.append(Step(move=node.move))
        current = before.play(node.move)
    return steps


def make_analyse(limit: Limit, searcher: Searcher | None, *, tablebases: bool) -> Analyse:
    """Return a function that analyses the current position of a game, with one searcher for all of them."""
    return partial(
        analyse_current_position,
        limit=limit,
        searcher=searcher or Searcher(table_mb=TABLE_MB),
        tablebases=tablebases,
    )


def analyse_steps(steps: Iterable[Step], analyse: Analyse, on_move: OnMove | None = None) -> GameAnalysis[Any]:
    """Replay a game, and analyse each of its positions once."""
    analyser = _GameAnalyser(analyse, on_move)
    for step in steps:
        if step.position is not None:
            analyser.set_position(step.position)
        elif step.move is not None:
            analyser.play(step.move)
        else:
            analyser.skip()
    return analyser.result()


class _GameAnalyser:
    """Replay of a game, in which each position is analysed once."""

    def __init__(self, analyse: Analyse, on_move: OnMove | None) -> None:
        self.analyse = analyse
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
            self.current = self.analyse(self.game)
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
        self.current = self.analyse(self.game)
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
