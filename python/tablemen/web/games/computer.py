"""The computer: a few searches for all games."""

from __future__ import annotations

import secrets
import threading
from typing import Any

from tablemen.errors import GameError
from tablemen.game import Game
from tablemen.players import HumanPlayer, Player
from tablemen.search import Analysis, Level, Limit, Searcher
from tablemen.web.games.jobs import Jobs

HINT = Limit(nodes=200_000)


class Computer(Jobs):
    """The searches of all games: so many at a time.

    The searchers are shared: each has its memory, and a game has one only while a move is chosen.
    """

    def __init__(self, *, searches: int, table_mb: int, seconds: float, waiting_of_one: int) -> None:
        super().__init__(searches, waiting_of_one=waiting_of_one, name="the computer")
        self.seconds = seconds  # for a search, at most
        self._table_mb = table_mb
        self._free: list[Searcher] = []

    def lend(self) -> Searcher:
        """A searcher, for as long as a search takes."""
        return self._free.pop() if self._free else Searcher(table_mb=self._table_mb, seed=secrets.randbits(32))

    def take_back(self, searcher: Searcher) -> None:
        """The searcher can be lent again."""
        self._free.append(searcher)


class Person(HumanPlayer):
    """Somebody who moves from elsewhere: nobody asks the keyboard of the server."""

    def choose(self, game: Game[Any, Any]) -> Any:
        """Raises `GameError`: what a person plays comes by itself."""
        raise GameError(f"it is for a person to move after {len(game.moves)} moves")


class ComputerPlayer(Player):
    """The computer as a player of a game: it has a searcher only while it chooses."""

    def __init__(self, computer: Computer, how: Level | Limit) -> None:
        self._computer = computer
        self._how = how
        self._analysis: Analysis[Any] | None = None
        self._is_stopped = False

    @property
    def name(self) -> str:
        """What it is called in game files."""
        return f"tablemen, level {self._how.number}" if isinstance(self._how, Level) else "tablemen"

    def choose(self, game: Game[Any, Any]) -> Any:
        """The move that the search finds best, or the level lets it find."""
        self._is_stopped = False
        searcher = self._computer.lend()
        try:
            analysis = self._analysis = searcher.begin(game, self._how, clock=self.clock)
            if self._is_stopped or self._computer.is_closed:  # while it began, when there was nothing to stop yet
                analysis.stop()
            limit = threading.Timer(self._computer.seconds, analysis.stop)
            limit.start()
            try:
                return analysis.result().move
            finally:
                limit.cancel()
        finally:
            self._analysis = None
            self._computer.take_back(searcher)

    def stop(self) -> None:
        """Ends the search that is going on."""
        self._is_stopped = True
        analysis = self._analysis
        if analysis is not None:
            analysis.stop()
