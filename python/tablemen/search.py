"""Alpha-beta search for every variant of draughts and mancala: limits, levels of play, analysis and pondering."""

from __future__ import annotations

import json
import math
import operator
import random
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, overload

from tablemen import _core
from tablemen.errors import ArgumentError, GameError, GameOverError, IllegalMoveError, WorkLimitError
from tablemen.family import find_variant, get_family
from tablemen.game import Game
from tablemen.position import Position
from tablemen.validation import is_int, is_number

if TYPE_CHECKING:
    from tablemen.draughts.evaluation import Evaluation
    from tablemen.draughts.tablebase import Tablebase

__all__ = [
    "Analysis",
    "BatchEvaluation",
    "Clock",
    "Info",
    "Level",
    "Limit",
    "Score",
    "SearchResult",
    "Searcher",
    "Strength",
]

DEFAULT_MOVES_TO_GO = 30  # assumption if the time is for the rest of the game
INSTALLED: Literal["installed"] = "installed"  # the tablebases that the user has built
M = TypeVar("M")
LEVELS_FILE = Path(__file__).parent / "levels.json"
MAX_SKILL = 1000.0
_MAX_LEVEL_LINES = 100  # maximum number of lines from which a level with random errors chooses


@dataclass(frozen=True, slots=True)
class Clock:
    """The time left on the clock of the side to move, in seconds.

    The time is for the rest of the game (sudden death), or for the next `moves` moves. Each move adds the increment.
    """

    left: float
    increment: float = 0.0
    moves: int | None = None

    def __post_init__(self) -> None:
        for name in ("left", "increment"):
            _check_seconds(name, getattr(self, name))
        if self.moves is not None and not is_int(self.moves, minimum=1):
            raise ArgumentError("moves", self.moves, "a whole number of at least 1")

    def share(self) -> float:
        """Return the seconds that one move may take, by a simple rule for players without a time manager.

        >>> Clock(60).share(), Clock(60, increment=1).share(), Clock(60, moves=10).share()
        (2.0, 2.8, 6.0)
        """
        return min(self.left / (self.moves or DEFAULT_MOVES_TO_GO) + self.increment * 0.8, self.left / 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """The limits of a search: depth in plies, number of nodes, time in seconds, or a clock.

    The search uses a share of the time on the clock. It ends when it reaches the first limit. Without limits it runs
    until it is stopped or has proven the value of the position.

    >>> Limit(depth=8, time=0.5)
    Limit(depth=8, nodes=None, time=0.5, clock=None)
    """

    depth: int | None = None
    nodes: int | None = None
    time: float | None = None
    clock: Clock | None = None

    def __post_init__(self) -> None:
        for name in ("depth", "nodes"):
            value = getattr(self, name)
            if value is not None and not is_int(value, minimum=1):
                raise ArgumentError(name, value, "a whole number of at least 1")
        if self.time is not None:
            _check_seconds("time", self.time)
        if self.clock is not None and not isinstance(self.clock, Clock):
            raise ArgumentError("clock", self.clock, "a Clock")


_LEVEL_LIMITS = (
    *(Limit(depth=depth) for depth in (1, 1, 1, 1, 2, 2, 3, 4)),
    *(Limit(nodes=nodes) for nodes in (5_000, 4_000_000)),
)
DEFAULT_LEVEL = 5  # of the computer, in every interface


@dataclass(frozen=True, slots=True)
class Strength:
    """A limit of a search and the size of its random errors, which make up a level.

    With a `skill`, the move is chosen by skill times score plus a random number from the standard normal distribution,
    so the scores have random errors with a standard deviation of 1 / skill men or seeds. With skill 0 all moves are
    equally likely, with a negative skill bad moves are preferred. Without a skill, the best move is chosen.

    >>> Strength(Limit(depth=2), skill=0.5)
    Strength(limit=Limit(depth=2, nodes=None, time=None, clock=None), skill=0.5)
    """

    limit: Limit
    skill: float | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.limit, Limit):
            raise ArgumentError("limit", self.limit, "a Limit")
        if self.skill is not None and not is_number(self.skill, minimum=-MAX_SKILL, maximum=MAX_SKILL):
            raise ArgumentError("skill", self.skill, f"a number from {-MAX_SKILL:,} to {MAX_SKILL:,}, or None")


@dataclass(frozen=True, slots=True, order=True)
class Level:
    """A level of play, from 1 for beginners to 10, the full strength of about a second of search.

    A level limits the search to a number of plies or of nodes, so it plays the same on every machine. All levels use
    the quiescence search. Levels 1 to 8 also add a random error to the score of every move, and so choose a worse move
    from time to time; level 1 even prefers bad moves. The sizes of the errors depend on the variant, so that a level
    has about the same rating in all of them.

    >>> print(Level(2))
    level 2: searches 1 ply deep, with random errors
    >>> print(Level(9))
    level 9: searches 5,000 positions
    """

    number: int

    def __post_init__(self) -> None:
        if not is_int(self.number, minimum=1, maximum=len(_LEVEL_LIMITS)):
            raise ArgumentError("level", self.number, f"a whole number from 1 to {len(_LEVEL_LIMITS)}")

    @property
    def limit(self) -> Limit:
        """The depth or node limit of the search."""
        return _LEVEL_LIMITS[self.number - 1]

    @property
    def has_errors(self) -> bool:
        """Whether the level adds random errors to scores."""
        return self.limit.depth is not None

    def strength(self, variant: Any) -> Strength:
        """Return the limit and the random errors of the level in a variant, given as a rule set or by its name.

        >>> Level(9).strength("english")
        Strength(limit=Limit(depth=None, nodes=5000, time=None, clock=None), skill=None)
        """
        if not self.has_errors:
            return Strength(self.limit)
        skills, rules = read_level_skills(), find_variant(variant)
        similar = get_family(rules).level_variant(rules, tuple(skills))
        return Strength(self.limit, skills[similar][self.number - 1])

    def __str__(self) -> str:
        if not self.has_errors:
            return f"level {self.number}: searches {self.limit.nodes:,} positions"
        effort = f"{self.limit.depth} {'ply' if self.limit.depth == 1 else 'plies'} deep"
        return f"level {self.number}: searches {effort}, with random errors"


@cache
def read_level_skills() -> Mapping[str, tuple[float, ...]]:
    """Return the skills of the levels with random errors, from level 1 on, by variant.

    `python -m tools.levels` calibrates them.
    """
    found = json.loads(LEVELS_FILE.read_text(encoding="utf-8"))
    return MappingProxyType({name: tuple(skills) for name, skills in found.items()})


def _check_seconds(name: str, value: object) -> None:
    if not is_number(value):
        raise ArgumentError(name, value, "0 seconds or more")


_NO_LIMIT = Limit()


@dataclass(frozen=True, slots=True)
class BatchEvaluation:
    """A function that evaluates many positions in one call, such as a neural network, for `Searcher(evaluation=…)`.

    The function gets a list of positions and returns a sequence with one value for each: for its side to move, in men
    or in seeds, from -65,535 to 65,535. A search calls it with the positions after all moves of a position that has
    leaves as children, as far as their values are not known yet; with a single position where it needs only one.

    >>> from tablemen.mancala import Position
    >>> def count_seeds(positions):
    ...     return [float(sum(each.houses(each.turn))) for each in positions]
    >>> searcher = Searcher(table_mb=1, evaluation=BatchEvaluation(count_seeds))
    >>> searcher.evaluate(Position.start("kalah"))
    24.0
    """

    function: Callable[[list[Any]], Iterable[Any]]

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise ArgumentError("function", self.function, "a function")


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a position for the side to move, in men or in seeds.

    `exact` is true if the score is proven. The score of a won or lost draughts game is infinite, and `plies` is an
    upper bound of its length; the length is exact if the search was at least as deep. A win by a tablebase has no
    `plies`, and is not exact because a draw rule can end the game first. In mancala, an exact score is the margin at
    the end of the game.

    >>> print(Score(0.35), Score(math.inf, exact=True, plies=7), Score(0.0, exact=True), sep="; ")
    +0.35; win in 7 plies; drawn
    >>> print(Score(-0.001))  # never -0.00
    +0.00
    """

    value: float
    exact: bool = False
    plies: int | None = None

    @property
    def is_win(self) -> bool:
        """Whether a win of the side to move is proven."""
        return self.exact and self.value > 0

    @property
    def is_loss(self) -> bool:
        """Whether a loss of the side to move is proven."""
        return self.exact and self.value < 0

    @property
    def is_draw(self) -> bool:
        """Whether a draw is proven."""
        return self.exact and self.value == 0

    def __str__(self) -> str:
        if self.is_draw:
            return "drawn"
        if self.plies is not None:
            return f"{'win' if self.value > 0 else 'loss'} in {self.plies} {'ply' if self.plies == 1 else 'plies'}"
        if math.isinf(self.value):
            return "win" if self.value > 0 else "loss"
        return f"{self.value:+g}" if self.exact else f"{self.value:+.2f}".replace("-0.00", "+0.00")


@dataclass(frozen=True, slots=True)
class Info(Generic[M]):
    """The result of an iteration: depth, score for the side to move, and principal variation."""

    depth: int
    score: Score
    nodes: int
    time: float
    line: tuple[M, ...]
    rank: int = 1  # the best line has rank 1

    @property
    def nodes_per_second(self) -> float:
        """The number of nodes per second so far."""
        return self.nodes / max(self.time, 1e-9)

    def __str__(self) -> str:
        line = " ".join(str(move) for move in self.line)
        return f"depth {self.depth}, {self.score}, {self.nodes:,} positions in {self.time:.2f} s: {line}"


@dataclass(frozen=True, slots=True)
class SearchResult(Generic[M]):
    """The final result of a search: the best move, with its score and lines."""

    move: M
    score: Score
    ponder: M | None  # the expected reply
    lines: tuple[Info[M], ...]  # `multipv` lines, the best first


class Analysis(Generic[M]):
    """A search in the background: iterate over its results, `stop` it, or wait for the final `result`.

    The search stops on exit from its context manager. In asynchronous code, iterate with `async for`, which does not
    block the event loop; then `result` returns at once. Cancelling the task stops the search.

    A process that was forked during the search cannot read its results: that raises `TablemenError`.
    """

    def __init__(
        self,
        handle: _core.SearchHandle,
        decide: Callable[[tuple[Info[M], ...]], Info[M]] = operator.itemgetter(0),
        known: Score | None = None,
    ) -> None:
        self._handle = handle
        self._decide = decide  # chooses the best of the final lines
        self._known = known  # the score by a tablebase, which replaces scores that the search has not proven

    def __iter__(self) -> Iterator[Info[M]]:
        return self

    def __next__(self) -> Info[M]:
        try:
            info = self._handle.next()
        except BaseException:  # such as KeyboardInterrupt
            self.stop()
            raise
        if info is None:
            raise StopIteration
        return _to_info(info, self._known)

    def __aiter__(self) -> AsyncIterator[Info[M]]:
        return self

    async def __anext__(self) -> Info[M]:
        from tablemen.threads import run_in_daemon_thread  # only asynchronous programs need asyncio

        try:
            if not self._handle.wait(is_blocking=False):
                # The thread only waits. If the task is cancelled, the search stops, which also ends the thread.
                await run_in_daemon_thread(partial(self._handle.wait, is_blocking=True))
        except BaseException:
            self.stop()
            raise
        for info in self:
            return info
        raise StopAsyncIteration

    def stop(self) -> None:
        """Stop the search; its results remain available. Any thread may call this."""
        self._handle.stop()

    def ponder_hit(self) -> None:
        """Start the time limits of a pondering search: the opponent has played the expected move."""
        self._handle.ponder_hit()

    def result(self) -> SearchResult[M]:
        """Wait for the end of the search and return its result.

        Raises `WorkLimitError` if the search ended before the legal moves were known, which takes a position with very
        many captures.
        """
        try:
            lines = tuple(_to_info(info, self._known) for info in self._handle.lines())
        except BaseException:
            self.stop()
            raise
        if not lines:
            raise WorkLimitError
        best = self._decide(lines)
        return SearchResult(best.line[0], best.score, best.line[1] if len(best.line) > 1 else None, lines)

    def __enter__(self) -> Analysis[M]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.stop()


class Searcher:
    """An alpha-beta search for positions and games of any variant of any family.

    >>> from tablemen.draughts import Position
    >>> position = Position.from_fen("W:WK29,38,42,45:B27,35,K47", "international")
    >>> result = Searcher(table_mb=1).choose(position, Limit(depth=12))
    >>> print(result.move, result.score)
    38-33 win in 9 plies

    The searcher has a transposition table of `table_mb` megabytes, which its next searches in the same variant reuse;
    `clear` empties it. With one thread and a depth or node limit, the same search with the same table has the same
    result. Several `threads` search in parallel (Lazy SMP). `seed` decides between moves of equal score. With
    `pruning=False`, the searcher visits all moves to the full depth and nothing beyond it, as minimax does. The search
    ignores user-defined draw rules.

    `evaluation` replaces the evaluation of leaves: an `Evaluation` for draughts, a Python function from a position to
    its value for the side to move, or a `BatchEvaluation`, which evaluates many positions in one call. Values are in
    men or in seeds, and count in hundredths. Functions work for all variants of both families, and are much slower.
    The searcher calls the function once for each position and keeps the value until `clear`. Search threads call it
    one at a time, because they hold the interpreter's lock meanwhile. An exception in it ends the search, and the
    `Analysis` raises it.

    With a `tablebase`, the search probes positions with fewer pieces than the root. If the tablebase has the root and
    `multipv` is 1, only the best moves by the tablebase are searched. `"installed"` stands for the tablebases that the
    user has built, if there are any, for each variant. A tablebase does not apply to other rules than its own.
    """

    def __init__(  # noqa: PLR0913 - all are options
        self,
        *,
        table_mb: int = 64,
        threads: int = 1,
        seed: int = 0,
        evaluation: Evaluation | BatchEvaluation | Callable[[Any], float] | None = None,
        tablebase: Tablebase | Literal["installed"] | None = None,
        pruning: bool = True,
    ) -> None:
        """Create a searcher. Raises `ArgumentError`, and `TablebaseError` if a file of the tablebase is damaged."""
        compiled, self._function = _split_evaluation(evaluation)
        _check_tablebase(tablebase, pruning=pruning)
        self._engine = _core.SearchEngine(table_mb=table_mb, threads=threads, seed=seed, pruning=pruning)
        self._evaluation = compiled
        self._tablebase = tablebase
        self._seed = seed
        self._history: tuple[Any, tuple[Any, ...]] | None = None  # start and moves of the last search

    @overload
    def analyse(
        self,
        subject: Game[Any, M],
        limit: Limit = ...,
        *,
        multipv: int = ...,
        ponder: bool = ...,
        root_moves: Iterable[M | str] | None = ...,
    ) -> Analysis[M]: ...
    @overload
    def analyse(
        self,
        subject: Position[Any, M],
        limit: Limit = ...,
        *,
        multipv: int = ...,
        ponder: bool = ...,
        root_moves: Iterable[M | str] | None = ...,
    ) -> Analysis[M]: ...
    def analyse(
        self,
        subject: Any,
        limit: Limit = _NO_LIMIT,
        *,
        multipv: int = 1,
        ponder: bool = False,
        root_moves: Iterable[Any] | None = None,
    ) -> Analysis[Any]:
        """Start a search of a position, or of a game with its history.

        `multipv` is the number of best moves to find, each with its principal variation. With `ponder`, time limits
        apply only from `ponder_hit` on. `root_moves`, given as moves or as text, are the only moves of the position
        that are considered; without it all are.

        Raises `GameOverError` if the game is over, `ArgumentError` if there are no `root_moves` in the list, and
        `IllegalMoveError` or `NotationError` if one of them is not a legal move.
        """
        return self._search(subject, limit, multipv=multipv, ponder=ponder, root_moves=root_moves)

    @overload
    def begin(
        self,
        subject: Game[Any, M],
        limit: Limit | Level | Strength,
        *,
        clock: Clock | None = ...,
        root_moves: Iterable[M | str] | None = ...,
    ) -> Analysis[M]: ...
    @overload
    def begin(
        self,
        subject: Position[Any, M],
        limit: Limit | Level | Strength,
        *,
        clock: Clock | None = ...,
        root_moves: Iterable[M | str] | None = ...,
    ) -> Analysis[M]: ...
    def begin(
        self,
        subject: Any,
        limit: Limit | Level | Strength,
        *,
        clock: Clock | None = None,
        root_moves: Iterable[Any] | None = None,
    ) -> Analysis[Any]:
        """Start to choose a move within a limit, or at a level or a strength; the result is the move to play.

        With a clock, the search takes a share of the time left. `root_moves` are those of `analyse`.
        """
        _, _, position = _split(subject)
        strength = limit.strength(position.variant) if isinstance(limit, Level) else limit
        search_limit = strength.limit if isinstance(strength, Strength) else strength
        if clock is not None and isinstance(search_limit, Limit):
            search_limit = replace(search_limit, clock=clock)
        if not isinstance(strength, Strength) or strength.skill is None:
            return self.analyse(subject, search_limit, root_moves=root_moves)
        moves = position.legal_moves() if root_moves is None else _find_root_moves(position, root_moves)
        decide = partial(self._choose_with_error, position, strength.skill)
        return self._search(
            subject,
            search_limit,
            multipv=max(1, min(_MAX_LEVEL_LINES, len(moves))),
            root_moves=None if root_moves is None else moves,
            decide=decide,
        )

    @overload
    def choose(
        self,
        subject: Game[Any, M],
        limit: Limit | Level | Strength,
        *,
        clock: Clock | None = ...,
        root_moves: Iterable[M | str] | None = ...,
    ) -> SearchResult[M]: ...
    @overload
    def choose(
        self,
        subject: Position[Any, M],
        limit: Limit | Level | Strength,
        *,
        clock: Clock | None = ...,
        root_moves: Iterable[M | str] | None = ...,
    ) -> SearchResult[M]: ...
    def choose(
        self,
        subject: Any,
        limit: Limit | Level | Strength,
        *,
        clock: Clock | None = None,
        root_moves: Iterable[Any] | None = None,
    ) -> SearchResult[Any]:
        """Return the move to play, within a limit or at a level or strength, and a share of the clock if there is one.

        `root_moves` are those of `analyse`: the only moves that are considered.
        """
        return self.begin(subject, limit, clock=clock, root_moves=root_moves).result()

    def evaluate(self, position: Any) -> float:
        """Return the static evaluation of a position for the side to move, in men or in seeds, in hundredths."""
        check_supported(position)
        if self._function is not None:
            function, is_batch = self._function
            return _core.evaluate_by_function(function, position, is_batch=is_batch)
        evaluation = get_family(position).search_evaluation(position.variant, self._evaluation)
        value: float = evaluation.evaluate(position) if evaluation is not None else position.evaluate()
        return value

    def clear(self) -> None:
        """Clear the transposition table, and the values by a Python function."""
        self._engine.clear()

    def _search(  # noqa: PLR0913 - all but the subject and the limit are options
        self,
        subject: Any,
        limit: Limit,
        *,
        multipv: int = 1,
        ponder: bool = False,
        root_moves: Iterable[Any] | None = None,
        decide: Callable[[tuple[Info[Any], ...]], Info[Any]] = operator.itemgetter(0),
    ) -> Analysis[Any]:
        if not isinstance(limit, Limit):
            raise ArgumentError("limit", limit, "a Limit")
        start, moves, position = _split(subject)
        evaluation = None
        if self._function is None:
            evaluation = get_family(position).search_evaluation(position.variant, self._evaluation)
        tablebase = get_family(position).search_tablebase(position.variant, self._tablebase)
        found, known = () if root_moves is None else _find_root_moves(position, root_moves), None
        if tablebase is not None and multipv == 1:
            found, known = _find_best(position, tablebase, found)
        self._set_history(start, moves)
        handle = self._engine.search(
            (start, moves),
            limit,
            root_moves=found,
            evaluation=evaluation,
            function=self._function,
            tablebase=None if tablebase is None else tablebase.core,
            multipv=multipv,
            pondering=ponder,
        )
        return Analysis(handle, decide, known)

    def _set_history(self, start: Any, moves: tuple[Any, ...]) -> None:
        """Invalidate the table if the game does not continue the previous one.

        Stored values depend on the repetitions and draw counters of their game.
        """
        if self._history is not None and (moves or self._history[1]):
            first, before = self._history
            if start != first or moves[: len(before)] != before:
                self._engine.change_history()
        self._history = start, moves

    def _choose_with_error(self, position: Any, skill: float, lines: tuple[Info[M], ...]) -> Info[M]:
        """Return the best line after adding a random error to each score; infinite scores do not change."""
        generator = random.Random(f"{self._seed} {position.hash_key} {skill}")

        def add_error(score: float) -> float:
            error = generator.gauss(0, 1)
            return score if math.isinf(score) else skill * score + error

        noisy = {info: add_error(info.score.value) for info in lines}
        return max(lines, key=lambda info: noisy[info])


def check_supported(position: object) -> None:
    """Raise `GameError` if the core does not support the family, and `TypeError` if this is not a position."""
    if isinstance(position, _core.Position | _core.MancalaPosition):
        return
    if isinstance(position, Position) and not isinstance(position, type):
        raise GameError(f"the search does not support {position.variant}: use the player minimax")
    raise TypeError(f"expected a position, got {position!r}")


def _split(subject: Any) -> tuple[Any, tuple[Any, ...], Any]:
    """Return the start, the moves and the current position of a game, or of a position without history."""
    given: object = subject
    if isinstance(given, Game):
        start, moves, position = given.start, given.moves, given.position
    elif isinstance(given, Position) and not isinstance(given, type):
        start, moves, position = given, (), given
    else:
        raise TypeError(f"expected a game or a position, got {subject!r}")
    check_supported(position)
    if outcome := subject.outcome():
        raise GameOverError(outcome)
    return start, moves, position


def _find_root_moves(position: Any, moves: Iterable[Any]) -> tuple[Any, ...]:
    """Return the different legal moves among moves and texts of moves."""
    if isinstance(moves, str) or not isinstance(moves, Iterable):
        raise ArgumentError("root_moves", moves, "a list of moves")
    found = tuple(dict.fromkeys(position.parse_move(move) if isinstance(move, str) else move for move in moves))
    if not found:
        raise ArgumentError("root_moves", [], "at least one legal move")
    for move in found:
        if not position.is_legal(move):
            raise IllegalMoveError(move, position)
    return found


def _find_best(
    position: Any, tablebase: Tablebase, root_moves: tuple[Any, ...]
) -> tuple[tuple[Any, ...], Score | None]:
    """Return the best root moves by a tablebase and their score; the given moves and None if it does not have them."""
    ranked = tablebase.rank_moves(position)
    if ranked is None:
        return root_moves, None
    ranked = [each for each in ranked if not root_moves or each.move in root_moves]
    best = ranked[0]
    moves = tuple(each.move for each in ranked if (each.wdl, each.distance) == (best.wdl, best.distance))
    if not best.wdl:
        return moves, Score(0.0, exact=True)
    return moves, Score(best.wdl * math.inf, plies=best.distance)


def _to_info(fields: tuple[Any, ...], known: Score | None) -> Info[Any]:
    depth, rank, value, proven, plies, nodes, time, line = fields
    if plies is not None:
        score = Score(math.copysign(math.inf, plies), exact=True, plies=abs(plies))
    else:
        score = Score(value, exact=proven)
        score = score if proven or known is None else known
    return Info(depth, score, nodes, time, line, rank)


def _split_evaluation(evaluation: object) -> tuple[Evaluation | None, tuple[Callable[..., Any], bool] | None]:
    """Return the evaluation of the core, or the function and whether it evaluates batches."""
    if evaluation is None:
        return None, None
    if isinstance(evaluation, BatchEvaluation):
        return None, (evaluation.function, True)
    from tablemen.draughts.evaluation import Evaluation

    if isinstance(evaluation, Evaluation):
        return evaluation, None
    if not callable(evaluation):
        raise ArgumentError("evaluation", evaluation, "an Evaluation, a BatchEvaluation or a function")
    return None, (evaluation, False)


def _check_tablebase(tablebase: object, *, pruning: bool) -> None:
    if tablebase is None:
        return
    if not pruning:
        raise ArgumentError("tablebase", tablebase, "None if pruning is False")
    if tablebase == INSTALLED:
        return
    from tablemen.draughts.tablebase import Tablebase

    if not isinstance(tablebase, Tablebase):
        raise ArgumentError("tablebase", tablebase, f"a Tablebase, {INSTALLED!r} or None")
    for error in tablebase.check().values():
        if error is not None:
            raise error
