"""The searcher: what it is asked, and what it finds."""

from __future__ import annotations

import math
import operator
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from tablemen import _core
from tablemen.errors import ArgumentError, GameOverError
from tablemen.game import Game
from tablemen.position import Position
from tablemen.search.level import Level
from tablemen.search.limit import Clock, Limit
from tablemen.search.score import Score

if TYPE_CHECKING:
    from tablemen.draughts.evaluation import Evaluation

M = TypeVar("M")

_MOST_LINES = 12  # of which a level that errs takes one
_ENDLESS = Limit()


@dataclass(frozen=True, slots=True)
class Info(Generic[M]):
    """What a search has found at a depth: a score for the side to move, and the line that leads there."""

    depth: int
    score: Score
    nodes: int
    time: float
    line: tuple[M, ...]
    rank: int = 1  # 1 for the best line

    @property
    def nodes_per_second(self) -> float:
        """How fast it went."""
        return self.nodes / max(self.time, 1e-9)

    def __str__(self) -> str:
        line = " ".join(str(move) for move in self.line)
        return f"depth {self.depth}, {self.score}, {self.nodes:,} positions in {self.time:.2f} s: {line}"


@dataclass(frozen=True, slots=True)
class Result(Generic[M]):
    """The move that a search ends with, and why."""

    move: M
    score: Score
    ponder: M | None  # what the search expects next
    lines: tuple[Info[M], ...]  # the best first, as many as were asked for


class Analysis(Generic[M]):
    """A search that goes on while you look: iterate it for what it finds, `stop` it, or wait for its `result`.

    Leaving it as a context manager stops it.
    """

    def __init__(
        self, thought: _core.Thought, decide: Callable[[tuple[Info[M], ...]], Info[M]] = operator.itemgetter(0)
    ) -> None:
        self._thought = thought
        self._decide = decide  # which of the lines it ends with

    def __iter__(self) -> Iterator[Info[M]]:
        return self

    def __next__(self) -> Info[M]:
        try:
            found = self._thought.next()
        except BaseException:  # Ctrl-C, most likely
            self.stop()
            raise
        if found is None:
            raise StopIteration
        return _info(found)

    def stop(self) -> None:
        """End the search at once; what it has found stands. Any thread may say so."""
        self._thought.stop()

    def ponder_hit(self) -> None:
        """The opponent has played the expected move: from now on the limits of time count."""
        self._thought.hit()

    def result(self) -> Result[M]:
        """What the search ended with, waiting for the end."""
        try:
            lines = tuple(_info(found) for found in self._thought.lines())
        except BaseException:
            self.stop()
            raise
        best = self._decide(lines)
        return Result(best.line[0], best.score, best.line[1] if len(best.line) > 1 else None, lines)

    def __enter__(self) -> Analysis[M]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.stop()


class Searcher:
    """Looks for the best move in positions and games of any variant of any family.

    >>> from tablemen.draughts import Position
    >>> position = Position.from_fen("W:WK29,38,42,45:B27,35,K47", "international")
    >>> result = Searcher(table_mb=1).choose(position, Limit(depth=12))
    >>> print(result.move, result.score)
    38-33 win in 9 plies

    The table of what was found is the searcher's own, and serves its next searches in the same variant. With one thread
    and a limit of depth or nodes a search finds the same every time, as far as the table is the same: `clear` empties
    it. `seed` decides between moves that look alike. `pruning=False` looks at every move to the full depth and at
    nothing beyond it, as a plain minimax does. A draw rule of one's own is not known to the search: it plays on without
    it.
    """

    def __init__(
        self,
        *,
        table_mb: int = 64,
        threads: int = 1,
        seed: int = 0,
        evaluation: Evaluation | None = None,
        pruning: bool = True,
    ) -> None:
        _check_evaluation(evaluation)
        self._thinker = _core.Thinker(table_mb=table_mb, threads=threads, seed=seed, pruning=pruning)
        self._evaluation = evaluation
        self._seed = seed
        self._past: tuple[Any, tuple[Any, ...]] | None = None  # the start and the moves of the last search

    @overload
    def analyse(
        self, subject: Game[Any, M], limit: Limit = ..., *, multipv: int = ..., ponder: bool = ...
    ) -> Analysis[M]: ...
    @overload
    def analyse(
        self, subject: Position[Any, M], limit: Limit = ..., *, multipv: int = ..., ponder: bool = ...
    ) -> Analysis[M]: ...
    def analyse(
        self, subject: Any, limit: Limit = _ENDLESS, *, multipv: int = 1, ponder: bool = False
    ) -> Analysis[Any]:
        """Begin to think about a position, or about a game with its past.

        `multipv` asks for so many of the best moves, each with its line. `ponder` begins in the opponent's time: limits
        of time count only from `ponder_hit` on. Raises `GameOverError` where the game is over.
        """
        return self._think(subject, limit, multipv=multipv, ponder=ponder)

    @overload
    def begin(self, subject: Game[Any, M], how: Limit | Level, *, clock: Clock | None = ...) -> Analysis[M]: ...
    @overload
    def begin(self, subject: Position[Any, M], how: Limit | Level, *, clock: Clock | None = ...) -> Analysis[M]: ...
    def begin(self, subject: Any, how: Limit | Level, *, clock: Clock | None = None) -> Analysis[Any]:
        """Begin to choose: an analysis that ends with the move that the searcher would play.

        With a clock, it takes no more than a share of the time that is left there.
        """
        limit = how.limit if isinstance(how, Level) else how
        if clock is not None and isinstance(limit, Limit):
            limit = replace(limit, clock=clock)
        if not isinstance(how, Level) or not how.error:
            return self.analyse(subject, limit)
        _, _, position = _taken_apart(subject)
        count = min(_MOST_LINES, len(position.legal_moves()) or 1)
        return self._think(subject, limit, multipv=count, decide=partial(self._misjudge, position, how))

    @overload
    def choose(self, subject: Game[Any, M], how: Limit | Level, *, clock: Clock | None = ...) -> Result[M]: ...
    @overload
    def choose(self, subject: Position[Any, M], how: Limit | Level, *, clock: Clock | None = ...) -> Result[M]: ...
    def choose(self, subject: Any, how: Limit | Level, *, clock: Clock | None = None) -> Result[Any]:
        """The move that the searcher would play, within a limit or at a level, and in time where there is a clock."""
        return self.begin(subject, how, clock=clock).result()

    def evaluate(self, position: Any) -> float:
        """What a position seems to be worth to the side to move at first sight, in men or in seeds."""
        given: object = position
        if not isinstance(given, _core.Position | _core.MancalaPosition):
            raise TypeError(f"expected a position, not {position!r}")
        judge = self._judge(position)
        value: float = judge.evaluate(position) if judge is not None else position.evaluate()
        return value

    def clear(self) -> None:
        """Forget what was found out."""
        self._thinker.clear()

    def _think(
        self,
        subject: Any,
        limit: Limit,
        *,
        multipv: int = 1,
        ponder: bool = False,
        decide: Callable[[tuple[Info[Any], ...]], Info[Any]] = operator.itemgetter(0),
    ) -> Analysis[Any]:
        if not isinstance(limit, Limit):
            raise ArgumentError("limit", limit, "a Limit")
        start, moves, position = _taken_apart(subject)
        judge = self._judge(position)
        self._follow(start, moves)
        thought = self._thinker.think(start, moves, limit, evaluation=judge, lines=multipv, pondering=ponder)
        return Analysis(thought, decide)

    def _follow(self, start: Any, moves: tuple[Any, ...]) -> None:
        """Repetitions and counts of another game say nothing about this one, unless it is the same, gone on."""
        if self._past is not None and (moves or self._past[1]):
            first, before = self._past
            if start != first or moves[: len(before)] != before:
                self._thinker.change_past()
        self._past = start, moves

    def _judge(self, position: Any) -> Any:
        """The evaluation of a draughts position."""
        if not isinstance(position, _core.Position):
            return None
        from tablemen.draughts.evaluation import evaluation_of  # mancala does without, and so do other players

        return (self._evaluation or evaluation_of(position.variant)).compiled

    def _misjudge(self, position: Any, level: Level, lines: tuple[Info[M], ...]) -> Info[M]:
        """The best line if each is worth a little more or less than it seems; a win at hand is not overlooked."""
        dice = random.Random(f"{self._seed} {position.hash_key} {level.number}")
        worth = {info: info.score.value + dice.gauss(0, level.error) for info in lines}
        return max(lines, key=lambda info: worth[info])


def _taken_apart(subject: Any) -> tuple[Any, tuple[Any, ...], Any]:
    """The start, the moves and the position now of a game, or of a position alone."""
    given: object = subject
    if isinstance(given, Game):
        start, moves, position = given.start, given.moves, given.position
    elif isinstance(given, Position) and not isinstance(given, type):
        start, moves, position = given, (), given
    else:
        raise TypeError(f"expected a game or a position, not {subject!r}")
    if outcome := subject.outcome():
        raise GameOverError(outcome)
    return start, moves, position


def _info(found: tuple[Any, ...]) -> Info[Any]:
    depth, rank, value, proven, plies, nodes, time, line = found
    if plies is not None:
        score = Score(math.copysign(math.inf, plies), exact=True, plies=abs(plies))
    else:
        score = Score(value, exact=proven)
    return Info(depth, score, nodes, time, line, rank)


def _check_evaluation(evaluation: object) -> None:
    if evaluation is None:
        return
    from tablemen.draughts.evaluation import Evaluation

    if not isinstance(evaluation, Evaluation):
        raise ArgumentError("evaluation", evaluation, "an Evaluation")
