"""Many games between two players."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from queue import Empty, SimpleQueue
from random import Random
from typing import Any, TypeAlias

from tablemen.clock import GameClock, TimeControl
from tablemen.errors import ArgumentError, TablemenError
from tablemen.family import find_variant
from tablemen.match.adjudication import DrawAdjudication, ResignAdjudication
from tablemen.match.bench import Bench
from tablemen.match.openings import Openings
from tablemen.match.referee import LONGEST, play_game
from tablemen.match.round import Round
from tablemen.match.sprt import Sprt, Verdict
from tablemen.match.tally import Tally
from tablemen.outcome import Outcome, Side, Termination
from tablemen.players import HumanPlayer, Player, WrittenPlayer, parse_player
from tablemen.validation import is_whole

AHEAD = 128  # games that wait to be played, at least
HEARTBEAT = 0.2  # seconds of waiting at a time: Ctrl-C just before a wait is seen only after it
HOPELESS = 3  # games in a row in which a player fails before its first move: it will not play the next one either

Maker: TypeAlias = "str | Callable[[], Player]"  # a player's text, or what makes one of one's own


@dataclass(frozen=True)
class Match:
    """Games between two players that change sides after each, every opening played once from either side.

    Players are given as text, or as functions without arguments that make one; every game has new ones, seeded by the
    seed of the match, that of the player and the number of the game. So a match with the same seed has the same games,
    in however many processes it is played, where the players themselves choose the same again. Players that last, such
    as other programs, go on from game to game, and are made anew after they failed.

    `controls` are the time controls of the first and the second player, and `margin` the seconds by
    which each of their moves may be late; `resign` and `draw` end games by what the players say of them. With `sprt`
    the match ends when that is decided.

    >>> from tablemen.match import MatchScore
    >>> match = Match("kalah", "minimax:depth=2", "robot", games=10, openings=Openings(plies=4))
    >>> print(MatchScore.of((each.points for each in match.play()), paired=True))
    +8 =1 -1, 85.0 %, Elo +301 [+97, +∞], stronger with 97.4 % (LOS)
    """

    variant: Any
    first: Maker
    second: Maker
    _: dataclasses.KW_ONLY
    games: int = 100
    openings: Openings = field(default_factory=Openings)
    seed: int = 0
    longest: int = LONGEST
    controls: tuple[TimeControl | None, TimeControl | None] = (None, None)
    margin: float = 0.0
    resign: ResignAdjudication | None = None
    draw: DrawAdjudication | None = None
    sprt: Sprt | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "variant", find_variant(self.variant))
        for name, least in (("games", 1), ("longest", 1), ("seed", 0)):
            value = getattr(self, name)
            if not is_whole(value, least=least):
                raise ArgumentError(name, value, f"a whole number from {least} up")
        if not isinstance(self.openings, Openings):
            raise ArgumentError("openings", self.openings, "Openings")
        for control in self.controls:
            GameClock(control, margin=self.margin)  # which knows what makes sense
        for name, kind in (("resign", ResignAdjudication), ("draw", DrawAdjudication), ("sprt", Sprt)):
            if not isinstance(getattr(self, name), kind | None):
                raise ArgumentError(name, getattr(self, name), f"a {kind.__name__} or None")
        self.openings.check(self.variant)
        begun = self.openings.begin(self.variant, 0, self.seed)
        for maker in (self.first, self.second):
            player = make_player(maker)
            if isinstance(player, HumanPlayer):
                raise TablemenError("a match has no people in it: they play at a table, `tablemen play`")
            if isinstance(player, WrittenPlayer):
                player.check(begun.position)

    @property
    def names(self) -> tuple[str, str]:
        """What the first and the second player are called."""
        return make_player(self.first).name, make_player(self.second).name

    def play(self, *, concurrency: int = 1, executor: Executor | None = None) -> Generator[Round, None, None]:
        """Plays all games, and gives each as soon as it is over; in order where one process plays them.

        With `concurrency` above 1 so many processes play. With an `executor` of one's own the games are handed to that,
        in whatever process or machine it runs them, and no player lasts longer than its game; `concurrency` then says
        how many it can run. Leaving the iteration ends them.

        Raises `TablemenError` where a process is lost, where a player that is the only one of its kind would have to
        play several games at once, and behind the third game in a row in which a player failed before its first move.
        """
        self.check_concurrency(concurrency if executor is None else max(2, concurrency))
        tally, failures = Tally(self.sprt), _Failures(self)
        with contextlib.closing(self._play_all(concurrency, executor)) as rounds:
            for each in rounds:
                yield each
                failures.check(each)
                tally.add(each)
                if tally.verdict is not Verdict.UNDECIDED:
                    return

    def check_concurrency(self, concurrency: int) -> None:
        """Raises `TablemenError` where the match cannot be played in so many processes."""
        if not is_whole(concurrency, least=1):
            raise ArgumentError("concurrency", concurrency, "a whole number from 1 up")
        for player in (make_player(self.first), make_player(self.second)):
            if concurrency > 1 and isinstance(player, WrittenPlayer) and player.is_single:
                raise TablemenError(f"{player.name} can play one game at a time, and not {concurrency}")

    def _play_all(self, concurrency: int, executor: Executor | None) -> Generator[Round, None, None]:
        if executor is None and concurrency == 1:
            with Bench() as bench:
                yield from (play_round(self, number, bench) for number in range(1, self.games + 1))
            return
        waiting: set[Future[Round]] = set()
        ahead = max(AHEAD, 2 * concurrency)
        if executor is None:
            from tablemen.match.workers import start_workers

            with start_workers(min(concurrency, self.games)) as workers:
                yield from self._play_elsewhere(workers.submit, _play_in_worker, waiting, ahead)
            return
        try:
            yield from self._play_elsewhere(executor.submit, play_round, waiting, ahead)
        finally:
            for future in waiting:
                future.cancel()

    def _play_elsewhere(
        self,
        submit: Callable[..., Future[Round]],
        play: Callable[[Match, int], Round],
        waiting: set[Future[Round]],
        ahead: int,
    ) -> Iterator[Round]:
        """The games as an executor plays them, in the order in which they are over; at most so many wait at a time."""
        done: SimpleQueue[Future[Round]] = SimpleQueue()
        numbers = iter(range(1, self.games + 1))
        try:
            for _ in range(self.games):
                for number in islice(numbers, ahead - len(waiting)):
                    future = submit(play, self._with_opening_of(number), number)
                    waiting.add(future)
                    future.add_done_callback(done.put)
                over = _next(done)
                waiting.remove(over)
                yield over.result()
        except BrokenExecutor as error:
            raise TablemenError(f"a process that played games has ended: {error}") from error

    def _with_opening_of(self, number: int) -> Match:
        """The match with the one opening that a game needs: all of them would be sent with every game."""
        lines = self.openings.lines
        needed = lines[(number - 1) // 2 % len(lines)] if lines else None
        return replace(self, openings=replace(self.openings, lines=() if needed is None else (needed,)))


class _Failures:
    """How often each player of a match failed before its first move, since the last game in which it made one."""

    def __init__(self, match: Match) -> None:
        self._names = match.names
        self._in_a_row = [0, 0]

    def check(self, each: Round) -> None:
        """Raises `TablemenError` where nothing else is to be expected of a player."""
        played = each.played
        for number, side in enumerate((each.first, each.first.opponent)):
            is_lost = played.outcome == Outcome(side.opponent, Termination.FORFEIT)
            if played.has_moved(side):
                self._in_a_row[number] = 0
            elif is_lost:  # who did not come to move, since the other had failed before, has not shown that it can
                self._in_a_row[number] += 1
            if self._in_a_row[number] == HOPELESS:
                problem = f"failed before its first move in {HOPELESS} games in a row"
                raise TablemenError(f"{self._names[number]} {problem}: {played.failure}")


def _next(done: SimpleQueue[Future[Round]]) -> Future[Round]:
    while True:
        with contextlib.suppress(Empty):
            return done.get(timeout=HEARTBEAT)


def _play_in_worker(match: Match, number: int) -> Round:
    """One game of a match in a process of ours, with the players that last there."""
    from tablemen.match.workers import BENCH

    return play_round(match, number, BENCH)


def play_round(match: Match, number: int, bench: Bench | None = None) -> Round:
    """One game of a match, with players from a bench where there is one."""
    if bench is None:
        with Bench() as own:
            return play_round(match, number, own)
    opening, is_second = divmod(number - 1, 2)
    first = Side.BLACK if is_second else Side.WHITE
    sides = (first, first.opponent)
    game = match.openings.begin(match.variant, opening, match.seed)
    makers = [
        partial(make_player, maker, seed=f"{match.seed} round {number} {side}")
        for side, maker in zip(sides, (match.first, match.second), strict=True)
    ]
    with bench.seat(makers) as players:
        seated = dict(zip(sides, players, strict=True))
        played = play_game(
            game,
            seated,
            longest=match.longest,
            controls={
                side: control for side, control in zip(sides, match.controls, strict=True) if control is not None
            },
            margin=match.margin,
            resign=match.resign,
            draw=match.draw,
        )
        if played.outcome.winner is not None and played.outcome.termination is Termination.FORFEIT:
            bench.dismiss(seated[played.outcome.winner.opponent])
    return Round(number, first, replace(played, players=dict(zip(sides, match.names, strict=True))))


def make_player(maker: Maker, *, seed: str | None = None) -> Player:
    """The player of a text or a function; a `seed` changes the one it has, if it has one."""
    if not isinstance(maker, str):
        if not callable(maker):
            raise ArgumentError("player", maker, "a text such as searcher:depth=6, or what makes a player,")
        return maker()
    player = parse_player(maker)
    if seed is None or "seed" not in player.settings():
        return player
    own = vars(player)["seed"]
    return replace(player, seed=Random(f"{seed} {own}").getrandbits(32))  # type: ignore[call-arg]
