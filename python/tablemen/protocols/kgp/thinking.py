"""How a client of the Kalah Game Protocol thinks about positions, several at a time: in threads."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from tablemen.game import Game
from tablemen.mancala import Move, Position
from tablemen.protocols.kgp.client_conversation import Asked
from tablemen.search import Analysis, Limit, Searcher

if TYPE_CHECKING:
    from tablemen.players import Player

SHARE = 0.9  # of the seconds that a server gives: the rest is for the way
USUAL = Limit(time=1.0)
USUAL_TABLE = 16  # megabytes; there is a table for each position that is thought about at a time


@dataclass(frozen=True, slots=True)
class Found:
    """A move that is the best so far, and what the position is worth to the side to move, where that is known."""

    move: Move
    value: float | None = None


class Thinker(Protocol):
    """Thinks about one position at a time, in a thread that may take its time."""

    def think(self, asked: Asked, tell: Callable[[Found], object], stopped: threading.Event) -> None:
        """Tells every better move that it finds, and is back when no better one will come, or nobody wants one."""
        ...

    def stop(self) -> None:
        """A `think` that goes on looks whether it is stopped; any thread may say so."""
        ...

    def close(self) -> None:
        """Frees what it holds."""
        ...


class SearchThinker:
    """A search that goes deeper and deeper, and tells whenever its move or its score changes."""

    def __init__(self, limit: Limit = USUAL, *, table_mb: int = USUAL_TABLE, threads: int = 1, seed: int = 0) -> None:
        self._limit = limit
        self._searcher = Searcher(table_mb=table_mb, threads=threads, seed=seed)
        self._lock = threading.Lock()
        self._analysis: Analysis[Move] | None = None

    def think(self, asked: Asked, tell: Callable[[Found], object], stopped: threading.Event) -> None:
        """Searches within the limit, and in the time that the server gives."""
        limit = self._limit if asked.clock is None else replace(self._limit, clock=asked.clock)
        if asked.seconds is not None:
            times = (limit.time, asked.seconds * SHARE)
            limit = replace(limit, time=min(time for time in times if time is not None))
        with self._searcher.analyse(asked.position, limit) as analysis:
            with self._lock:
                self._analysis = analysis
            if stopped.is_set():  # while it began, when there was nothing to stop yet
                analysis.stop()
            try:
                for info in analysis:
                    tell(Found(info.line[0], info.score.value))
                result = analysis.result()
                tell(Found(result.move, result.score.value))
            finally:
                with self._lock:
                    self._analysis = None

    def stop(self) -> None:
        """Ends the search that is going on."""
        with self._lock:
            if self._analysis is not None:
                self._analysis.stop()

    def close(self) -> None:
        """Frees the table."""
        self._searcher.clear()


class PlayerThinker:
    """Any player: it tells the one move that it chooses."""

    def __init__(self, player: Player) -> None:
        self._player = player

    def think(self, asked: Asked, tell: Callable[[Found], object], stopped: threading.Event) -> None:
        """Asks the player."""
        if stopped.is_set():
            return
        self._player.clock = asked.clock
        game: Game[Position, Move] = Game(asked.position)
        choice = self._player.choose(game)
        if choice in game.legal_moves():  # nobody can resign here: no move is told then
            score = self._player.score
            tell(Found(choice, None if score is None else score.value))

    def stop(self) -> None:
        """Tells the player."""
        self._player.stop()

    def close(self) -> None:
        """Closes the player."""
        self._player.close()
