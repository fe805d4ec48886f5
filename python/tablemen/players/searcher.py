"""The player with the alpha-beta search."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from tablemen.errors import TablemenError
from tablemen.family import get_family
from tablemen.game import Game
from tablemen.players.options import NAME, SECONDS, SEED, WrittenPlayer, one_of, option, whole
from tablemen.search import DEFAULT_LEVEL, INSTALLED, Analysis, Level, Limit, Searcher, check_supported

DEFAULT_TABLE_MB = 16  # a match allocates one for every player of every game
MIN_LEVEL, MAX_LEVEL = 1, 10
NO_TABLEBASE = "none"
MAX_THREADS, MAX_TABLE_MB = 1024, 1 << 20


@dataclass(kw_only=True)
class SearcherPlayer(WrittenPlayer):
    """A player with a `Searcher`, at a level or within limits; the default is level 5.

    Limits can be combined, and the first that is reached ends the search; a level excludes them. `time` is in seconds
    per move, and `table` is the size of the transposition table in megabytes. With a clock, the search also takes only
    a share of the remaining time. `tablebase` is `installed`, for the tablebases that the user has built, or `none`.
    `evaluation` is a file with the weights of an evaluation, which replaces that of the package (draughts only).

    >>> SearcherPlayer(depth=6).effort
    Limit(depth=6, nodes=None, time=None, clock=None)
    >>> print(SearcherPlayer(nodes=20_000, threads=2))
    searcher:nodes=20000,threads=2
    """

    kind: ClassVar[str] = "searcher"
    about: ClassVar[str] = "an alpha-beta search at a level from 1 to 10, or limited by depth, nodes or time"

    level: int | None = option(whole(MIN_LEVEL, MAX_LEVEL))
    depth: int | None = option(whole(1))
    nodes: int | None = option(whole(1))
    time: float | None = option(SECONDS)
    threads: int = option(whole(1, MAX_THREADS), 1)
    table: int = option(whole(1, MAX_TABLE_MB), DEFAULT_TABLE_MB)
    seed: int = option(SEED, 0)
    tablebase: str = option(one_of(INSTALLED, NO_TABLEBASE), INSTALLED)
    evaluation: str | None = option(NAME)
    _searcher: Searcher | None = field(default=None, init=False, repr=False, compare=False)
    _analysis: Analysis[Any] | None = field(default=None, init=False, repr=False, compare=False)
    _is_stopped: bool = field(default=False, init=False, repr=False, compare=False)
    _is_closed: bool = field(default=False, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.level is not None and self._has_limit:
            raise TablemenError(f"{self.kind}: level cannot be combined with depth, nodes or time")

    @property
    def _has_limit(self) -> bool:
        return any(limit is not None for limit in (self.depth, self.nodes, self.time))

    @property
    def effort(self) -> Level | Limit:
        """The level or the limits of the search for a move."""
        if self._has_limit:
            return Limit(depth=self.depth, nodes=self.nodes, time=self.time)
        return Level(DEFAULT_LEVEL if self.level is None else self.level)

    def check(self, position: Any) -> None:
        """Raise `GameError` if the search does not support the family, and `TablemenError` if the file is invalid."""
        check_supported(position)
        self._read_evaluation(position)

    def choose(self, game: Game[Any, Any]) -> Any:
        """Return the best move of the search, or the one chosen at the level. Raises `TablemenError` after `close`."""
        if self._is_closed:
            raise TablemenError(f"{self.name} is closed")
        self._is_stopped = False
        self.score = None
        if self._searcher is None:
            tablebase: Literal["installed"] | None = None if self.tablebase == NO_TABLEBASE else INSTALLED
            self._searcher = Searcher(
                table_mb=self.table,
                threads=self.threads,
                seed=self.seed,
                tablebase=tablebase,
                evaluation=self._read_evaluation(game.position),
            )
        self._analysis = self._searcher.begin(game, self.effort, clock=self.clock)
        try:
            if self._is_stopped:  # `stop` was called before the analysis existed
                self._analysis.stop()
            found = self._analysis.result()
            self.score = found.score
            return found.move
        finally:
            self._analysis = None

    def _read_evaluation(self, position: Any) -> Any:
        """Return the evaluation of the file, or None without a file."""
        if self.evaluation is None:
            return None
        try:
            return get_family(position).read_evaluation(position.variant, self.evaluation)
        except OSError as error:
            raise TablemenError(
                f"{self.kind}: the evaluation {self.evaluation!r} cannot be read: {error.strerror}"
            ) from error

    def stop(self) -> None:
        """Stop the running search."""
        self._is_stopped = True
        analysis = self._analysis
        if analysis is not None:
            analysis.stop()

    def close(self) -> None:
        """Release the transposition table. The player cannot be used any more."""
        self._is_closed = True
        self._searcher = None
