"""Matches of many games between two players."""

from __future__ import annotations

import contextlib
import dataclasses
import os
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from queue import Empty, SimpleQueue
from random import Random
from typing import Any, TypeAlias, TypeVar

from tablemen.clock import GameClock, TimeControl
from tablemen.console import format_error
from tablemen.errors import ArgumentError, GameError, TablemenError
from tablemen.family import find_variant, get_family
from tablemen.game import Game
from tablemen.match.adjudication import DrawAdjudication, ResignAdjudication
from tablemen.match.openings import Openings
from tablemen.match.referee import DEFAULT_MAX_PLIES, play_game
from tablemen.match.results import MatchGame, MatchResults, Verdict
from tablemen.match.sprt import Sprt
from tablemen.match.workers import PlayerPool
from tablemen.outcome import Outcome, Side, Termination
from tablemen.players import HumanPlayer, Player, WrittenPlayer, parse_player
from tablemen.players.engine import EnginePlayer
from tablemen.tasks import OnTasks
from tablemen.validation import is_int

MIN_QUEUE_SIZE = 128  # games submitted to an executor in advance
POLL_INTERVAL = 0.2  # seconds; Ctrl-C may be noticed only after this time
DEFAULT_GAMES_PER_TASK = 10
MAX_EARLY_FAILURES = 3  # games in a row in which a player fails before its first move

T = TypeVar("T")
PlayerFactory: TypeAlias = "str | Callable[[], Player]"  # the text of a player, or a function that creates one


@dataclass(frozen=True)
class Match:
    """Games between two players that swap colours after each game, so that both play each opening from either side.

    Players are given as text, or as functions without arguments that create one. Every game has new players, seeded
    with the seed of the match, that of the player and the number of the game. So a match with the same seed has the
    same games in any number of processes, if the players themselves are deterministic. Engines and other players whose
    `lasts` is true are started before the first game, reused from game to game, and replaced after they fail.

    `controls` are the time controls of the first and the second player, and `margin` the seconds by which each of their
    moves may be late; `resign` and `draw` adjudicate games by the scores of the players, and `tablebases` adjudicates
    them by the proven value of the position. With `sprt`, the match ends when the test is decided.

    >>> from tablemen.match import MatchScore
    >>> match = Match("kalah", "minimax:depth=2", "robot", games=10, openings=Openings(plies=4))
    >>> print(MatchScore.of((each.points for each in match.play()), paired=True))
    +8 =1 -1, 85.0 %, Elo +301 [-48, +∞], LOS 96.9 %
    """

    variant: Any
    first: PlayerFactory
    second: PlayerFactory
    _: dataclasses.KW_ONLY
    games: int = 100
    openings: Openings = field(default_factory=Openings)
    seed: int = 0
    longest: int = DEFAULT_MAX_PLIES
    controls: tuple[TimeControl | None, TimeControl | None] = (None, None)
    margin: float = 0.0
    resign: ResignAdjudication | None = None
    draw: DrawAdjudication | None = None
    tablebases: bool = False
    sprt: Sprt | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "variant", find_variant(self.variant))
        for name, minimum in (("games", 1), ("longest", 1), ("seed", 0)):
            value = getattr(self, name)
            if not is_int(value, minimum=minimum):
                raise ArgumentError(name, value, f"a whole number of at least {minimum}")
        if not isinstance(self.openings, Openings):
            raise ArgumentError("openings", self.openings, "an Openings object")
        for control in self.controls:
            GameClock(control, margin=self.margin)  # raises an error if one of them is invalid
        for name, kind in (("resign", ResignAdjudication), ("draw", DrawAdjudication), ("sprt", Sprt)):
            if not isinstance(getattr(self, name), kind | None):
                raise ArgumentError(name, getattr(self, name), f"a {kind.__name__} or None")
        self._check_tablebases()
        self.openings.check(self.variant)
        game = self.openings.begin(self.variant, 0, self.seed)
        for factory in (self.first, self.second):
            with _naming_player(factory):
                player = create_player(factory)
                if isinstance(player, WrittenPlayer):
                    player.check(game.position)
            if isinstance(player, HumanPlayer):
                raise TablemenError("a human cannot play in a match; use `tablemen play`")

    def _check_tablebases(self) -> None:
        if not isinstance(self.tablebases, bool):
            raise ArgumentError("tablebases", self.tablebases, "True or False")
        if self.tablebases and get_family(self.variant).tablebase_pieces(self.variant) is None:
            raise TablemenError(f"there are no tablebases of {self.variant}")

    @property
    def names(self) -> tuple[str, str]:
        """The names of the first and the second player, before they have been started."""
        return create_player(self.first).name, create_player(self.second).name

    def play(
        self,
        *,
        concurrency: int = 1,
        executor: Executor | None = None,
        folder: str | os.PathLike[str] | None = None,
        games_per_task: int = DEFAULT_GAMES_PER_TASK,
        on_tasks: OnTasks | None = None,
    ) -> Generator[MatchGame, None, None]:
        """Play all games and yield each as soon as it is over; in order if one process plays them.

        With `concurrency` above 1, a pool of that many processes plays the games. With an `executor`, the games are
        submitted to that instead, and no player outlives its game; `concurrency` is then the number of games that it
        can play at once. Closing the generator ends the games.

        With an `executor` and a `folder` that all its workers see, tasks of `games_per_task` games each write a file,
        and the games are yielded in order. A task whose file exists is not repeated, so that an interrupted match can
        be continued, also with more games. Players must then be given as text. `on_tasks` is called with the progress.

        Raises `TablemenError` if an engine cannot be started before the first game, if a process dies, if a player that
        exists only once would have to play several games at once, and after the third game in a row in which a player
        failed before its first move.
        """
        self.check_concurrency(concurrency if executor is None else max(2, concurrency))
        results, failures = MatchResults(self.sprt), _EarlyFailures(self)
        if folder is None:
            played = self._play_all(concurrency, executor)
        else:
            from tablemen.match.tasks import play_in_tasks

            played = play_in_tasks(self, executor, Path(folder), games_per_task, on_tasks)
        with contextlib.closing(played) as games:
            for each in games:
                yield each
                failures.check(each)
                results.add(each)
                if results.verdict is not Verdict.UNDECIDED:
                    return

    def check_concurrency(self, concurrency: int) -> None:
        """Raise `TablemenError` if the match cannot be played in this many processes."""
        if not is_int(concurrency, minimum=1):
            raise ArgumentError("concurrency", concurrency, "a whole number of at least 1")
        for player in (create_player(self.first), create_player(self.second)):
            if concurrency > 1 and isinstance(player, WrittenPlayer) and player.is_single:
                raise TablemenError(f"{player.name} can play only one game at a time, not {concurrency}")

    def _play_all(self, concurrency: int, executor: Executor | None) -> Generator[MatchGame, None, None]:
        if executor is None and concurrency == 1:
            with PlayerPool() as players:
                if self.has_reusable_player():
                    start_players(self, players)
                yield from (play_match_game(self, number, players) for number in range(1, self.games + 1))
            return
        pending: set[Future[MatchGame]] = set()
        queue_size = max(MIN_QUEUE_SIZE, 2 * concurrency)
        if executor is None:
            from tablemen.match.workers import GameProcessPool

            with GameProcessPool(min(concurrency, self.games)) as pool:
                yield from self._submit_all(pool, pending, queue_size)
            return
        try:
            yield from self._submit_all(executor, pending, queue_size)
        finally:
            for future in pending:
                future.cancel()

    def has_reusable_player(self) -> bool:
        """Return whether a player is started before the first game, and reused from game to game."""
        return any(getattr(create_player(factory), "lasts", False) for factory in (self.first, self.second))

    def _submit_all(self, executor: Executor, pending: set[Future[MatchGame]], queue_size: int) -> Iterator[MatchGame]:
        """Yield the games that an executor plays, in the order in which they end."""
        done: SimpleQueue[Future[Any]] = SimpleQueue()
        numbers = iter(range(1, self.games + 1))
        try:
            if self.has_reusable_player():
                _submit(executor, start_players, self._with_one_opening(1)).add_done_callback(done.put)
                _wait_for_next(done).result()
            for _ in range(self.games):
                for number in islice(numbers, queue_size - len(pending)):
                    future = _submit(executor, play_match_game, self._with_one_opening(number), number)
                    pending.add(future)
                    future.add_done_callback(done.put)
                over = _wait_for_next(done)
                pending.remove(over)
                yield over.result()
        except BrokenExecutor as error:
            raise TablemenError(f"a worker process has died: {error}") from error

    def _with_one_opening(self, number: int) -> Match:
        """Return the match with only the opening of one game: otherwise all of them would be sent with every game."""
        line = self.opening_line(number)
        return replace(self, openings=replace(self.openings, lines=() if line is None else (line,)))

    def opening_line(self, number: int) -> Game[Any, Any] | None:
        """Return the position or the first moves of a game, or None if the openings have no lines."""
        lines = self.openings.lines
        return lines[(number - 1) // 2 % len(lines)] if lines else None


class _EarlyFailures:
    """The number of games in a row in which each player has failed before its first move."""

    def __init__(self, match: Match) -> None:
        self._names = match.names
        self._counts = [0, 0]

    def check(self, each: MatchGame) -> None:
        """Raise `TablemenError` if a player has failed too often."""
        played = each.played
        for number, side in enumerate((each.first, each.first.opponent)):
            is_lost = played.outcome == Outcome(side.opponent, Termination.FORFEIT)
            if played.has_moved(side):
                self._counts[number] = 0
            elif is_lost:  # a player that did not get to move because the other failed first keeps its count
                self._counts[number] += 1
            if self._counts[number] == MAX_EARLY_FAILURES:
                problem = f"failed before its first move in {MAX_EARLY_FAILURES} games in a row"
                raise TablemenError(f"{self._names[number]} {problem}: {played.failure}")


def _submit(executor: Executor, function: Callable[..., T], *args: Any) -> Future[T]:
    """Submit a call; if the executor is broken, return a failed future, so that finished games are yielded first."""
    try:
        return executor.submit(function, *args)
    except BrokenExecutor as error:
        future: Future[T] = Future()
        future.set_exception(error)
        return future


def _wait_for_next(done: SimpleQueue[Future[Any]]) -> Future[Any]:
    while True:
        with contextlib.suppress(Empty):
            return done.get(timeout=POLL_INTERVAL)


def start_players(match: Match, players: PlayerPool | None = None) -> None:
    """Start the players that are reused from game to game, so that a wrong command or option ends the match.

    Raises `TablemenError` that names the player.
    """
    if players is None:
        with PlayerPool() as own:
            start_players(match, own)
        return
    game = match.openings.begin(match.variant, 0, match.seed)
    with players.acquire(_make_factories(match, 1)) as acquired:
        for player, name in zip(acquired, match.names, strict=True):
            if getattr(player, "lasts", False):
                try:
                    player.begin_game(game)
                except Exception as error:
                    raise TablemenError(f"{name}: {format_error(error)}") from error


def _make_factories(match: Match, number: int) -> list[Callable[[], Player]]:
    """Return functions that create the players of a game, with seeds of their own."""
    return [
        partial(create_player, factory, seed=f"{match.seed} round {number} {side}")
        for side, factory in zip(_get_sides(number), (match.first, match.second), strict=True)
    ]


def _get_sides(number: int) -> tuple[Side, Side]:
    """Return the sides of the first and the second player in a game."""
    first = Side.WHITE if number % 2 else Side.BLACK
    return first, first.opponent


def play_match_game(match: Match, number: int, players: PlayerPool | None = None) -> MatchGame:
    """Play one game of a match, with players from a pool if there is one."""
    if players is None:
        with PlayerPool() as own:
            return play_match_game(match, number, own)
    sides = _get_sides(number)
    game = match.openings.begin(match.variant, (number - 1) // 2, match.seed)
    with players.acquire(_make_factories(match, number)) as acquired:
        by_side = dict(zip(sides, acquired, strict=True))
        played = play_game(
            game,
            by_side,
            longest=match.longest,
            controls={
                side: control for side, control in zip(sides, match.controls, strict=True) if control is not None
            },
            margin=match.margin,
            resign=match.resign,
            draw=match.draw,
            tablebases=match.tablebases,
        )
        if played.outcome.winner is not None and played.outcome.termination is Termination.FORFEIT:
            players.discard(by_side[played.outcome.winner.opponent])
    names = dict(zip(sides, _name_players(match, acquired), strict=True))
    return MatchGame(number, sides[0], replace(played, players=names))


def _name_players(match: Match, players: Sequence[Player]) -> tuple[str, ...]:
    """Return the names that engines report, and the texts of other players, which do not have the seed of the game.

    If two engines with different texts report the same name, return their texts.
    """
    names = tuple(
        player.name if isinstance(player, EnginePlayer) else name
        for player, name in zip(players, match.names, strict=True)
    )
    return match.names if len(set(names)) < len(set(match.names)) else names


@contextlib.contextmanager
def _naming_player(factory: PlayerFactory) -> Iterator[None]:
    """Add the text of a player to the message of an error."""
    try:
        yield
    except TablemenError as error:
        if not isinstance(factory, str):
            raise
        kind = GameError if isinstance(error, GameError) else TablemenError
        raise kind(f"{factory}: {error}") from error


def create_player(factory: PlayerFactory, *, seed: str | None = None) -> Player:
    """Create a player from a text or a function; `seed` is combined with its seed option, if it has one."""
    if not isinstance(factory, str):
        if not callable(factory):
            raise ArgumentError(
                "player", factory, "a text such as searcher:depth=6, or a function that creates a player"
            )
        return factory()
    player = parse_player(factory)
    if seed is None or "seed" not in player.settings():
        return player
    own = vars(player)["seed"]
    return replace(player, seed=Random(f"{seed} {own}").getrandbits(32))  # type: ignore[call-arg]
