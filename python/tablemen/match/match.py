"""Many games between two players."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import islice
from queue import Empty, SimpleQueue
from random import Random
from typing import Any, NamedTuple, TypeAlias

from tablemen.draws import is_whole
from tablemen.errors import ArgumentError, TablemenError
from tablemen.families import find_variant
from tablemen.match.openings import Openings
from tablemen.match.referee import LONGEST, PlayedGame, play_game
from tablemen.outcome import Side
from tablemen.players import HumanPlayer, Player, WrittenPlayer, parse_player

AHEAD = 128  # games that wait to be played, at least
HEARTBEAT = 0.2  # seconds of waiting at a time: Ctrl-C just before a wait is seen only after it

Maker: TypeAlias = "str | Callable[[], Player]"  # a player's text, or what makes one of one's own


class Round(NamedTuple):
    """A game of a match: its number, counted from 1, the colour of the first player, and how it went."""

    number: int
    first: Side
    played: PlayedGame

    @property
    def points(self) -> float:
        """What the first player got for it."""
        return self.played.points(self.first)


@dataclass(frozen=True)
class Match:
    """Games between two players that change sides after each, every opening played once from either side.

    Players are given as text, or as functions without arguments that make one; every game has new ones, seeded by the
    seed of the match, that of the player and the number of the game. So a match with the same seed has the same games,
    in however many processes it is played, where the players themselves choose the same again.

    >>> from tablemen.match import MatchScore
    >>> match = Match("kalah", "minimax:depth=2", "robot", games=10, openings=Openings(plies=4))
    >>> print(MatchScore.of(each.points for each in match.play()))
    +8 =1 -1, 85.0 %, Elo +301 [+93, +∞], stronger with 99.0 %
    """

    variant: Any
    first: Maker
    second: Maker
    _: dataclasses.KW_ONLY
    games: int = 100
    openings: Openings = field(default_factory=Openings)
    seed: int = 0
    longest: int = LONGEST

    def __post_init__(self) -> None:
        object.__setattr__(self, "variant", find_variant(self.variant))
        for name, least in (("games", 1), ("longest", 1), ("seed", 0)):
            value = getattr(self, name)
            if not is_whole(value, least=least):
                raise ArgumentError(name, value, f"a whole number from {least} up")
        if not isinstance(self.openings, Openings):
            raise ArgumentError("openings", self.openings, "Openings")
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
        in whatever process or machine it runs them; `concurrency` then says how many it can run. Leaving the iteration
        ends them.

        Raises `TablemenError` where a process is lost.
        """
        if not is_whole(concurrency, least=1):
            raise ArgumentError("concurrency", concurrency, "a whole number from 1 up")
        if executor is None and concurrency == 1:
            yield from (play_round(self, number) for number in range(1, self.games + 1))
            return
        waiting: set[Future[Round]] = set()
        ahead = max(AHEAD, 2 * concurrency)
        if executor is None:
            from tablemen.match.workers import start_workers

            with start_workers(min(concurrency, self.games)) as workers:
                yield from self._play_elsewhere(workers, waiting, ahead)
            return
        try:
            yield from self._play_elsewhere(executor, waiting, ahead)
        finally:
            for future in waiting:
                future.cancel()

    def _play_elsewhere(self, executor: Executor, waiting: set[Future[Round]], ahead: int) -> Iterator[Round]:
        """The games as an executor plays them, in the order in which they are over; at most so many wait at a time."""
        done: SimpleQueue[Future[Round]] = SimpleQueue()
        numbers = iter(range(1, self.games + 1))
        try:
            for _ in range(self.games):
                for number in islice(numbers, ahead - len(waiting)):
                    future = executor.submit(play_round, self._with_opening_of(number), number)
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


def _next(done: SimpleQueue[Future[Round]]) -> Future[Round]:
    while True:
        with contextlib.suppress(Empty):
            return done.get(timeout=HEARTBEAT)


def play_round(match: Match, number: int) -> Round:
    """One game of a match."""
    opening, is_second = divmod(number - 1, 2)
    first = Side.BLACK if is_second else Side.WHITE
    game = match.openings.begin(match.variant, opening, match.seed)
    with ExitStack() as stack:
        players = {
            side: stack.enter_context(make_player(maker, seed=f"{match.seed} round {number} {side}"))
            for side, maker in ((first, match.first), (first.opponent, match.second))
        }
        played = play_game(game, players, longest=match.longest)
    names = dict(zip((first, first.opponent), match.names, strict=True))
    return Round(number, first, replace(played, players=names))


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
