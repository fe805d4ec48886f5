"""The base of players that are other programs."""

from __future__ import annotations

import contextlib
import threading
from abc import abstractmethod
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from tablemen.errors import PeerError, PeerGoneError
from tablemen.game import Game
from tablemen.outcome import Outcome
from tablemen.players.options import SECONDS, TEXT, WrittenPlayer, option, whole
from tablemen.players.player import RESIGN, open_moves
from tablemen.search import Limit

if TYPE_CHECKING:
    from tablemen.protocols import Engine

END_GAME_TIMEOUT = 2.0  # seconds to wait for the move of a program before the end of the game is not reported to it
STOPPED_TIME = 0.05  # seconds for the move of a program that is stopped while it starts: `stop` has no effect then


@dataclass(kw_only=True)
class EnginePlayer(WrittenPlayer):
    """A program that is opened when a game begins or the first move is requested, and again after it failed.

    What it does wrong raises `PeerError` and leaves the game as it was. Any thread may call the player; the calls that
    need an answer follow each other, while `stop` and `close` need not wait.
    """

    subject: ClassVar[str | None] = "address"
    lasts: ClassVar[bool] = True

    address: str = option(TEXT, "")
    depth: int | None = option(whole(1))
    nodes: int | None = option(whole(1))
    time: float | None = option(SECONDS)
    _engine: Engine | None = field(default=None, init=False, repr=False, compare=False)
    _starting: Engine | None = field(default=None, init=False, repr=False, compare=False)  # while it is opened
    _is_stopped: bool = field(default=False, init=False, repr=False, compare=False)
    _is_closed: bool = field(default=False, init=False, repr=False, compare=False)
    _calling: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False, compare=False)

    @abstractmethod
    def open(self, game: Game[Any, Any]) -> Engine:
        """Return the engine for a game like this one, not started."""

    @property
    def limit(self) -> Limit:
        """The limit of a move, in addition to a clock."""
        return Limit(depth=self.depth, nodes=self.nodes, time=self.time)

    def begin_game(self, game: Game[Any, Any]) -> None:
        """Open the program; prepare one that is open for the game, and open it again if it is gone."""
        self.check(game.position)
        with self._calling:
            self._is_closed = False
            if self._engine is not None:
                try:
                    self._engine.begin_game(game)
                except PeerError:
                    if self._is_closed:  # by another thread
                        raise
                    self.close()  # it ended after the last game, in which it made no mistake
                    self._is_closed = False
            if self._engine is None:
                self._start(game)

    def choose(self, game: Game[Any, Any]) -> Any:
        """Return the move of the program."""
        open_moves(game)
        self.check(game.position)
        with self._calling:
            self.score = None
            self._is_stopped = self._is_closed = False
            engine = self._engine or self._start(game)
            limit = replace(self.limit, time=STOPPED_TIME) if self._is_stopped else self.limit
            try:
                answer = engine.choose(game, limit, clock=self.clock)
            except PeerError:
                self.close()
                raise
            self.score = answer.score
        return RESIGN if answer.move is None else answer.move

    def _start(self, game: Game[Any, Any]) -> Engine:
        """Open the program; raise `PeerGoneError` if another thread closes the player meanwhile."""
        engine: Engine | None = None
        try:
            engine = self._starting = self.open(game)
            if not self._is_closed:
                engine.start()
            self._engine = engine
        except PeerError:
            if not self._is_closed:
                raise
        finally:
            self._starting = None
        if engine is None or self._is_closed:
            self.close()
            raise PeerGoneError(self.name, "was closed before it had begun")
        return engine

    def stop(self) -> None:
        """Make the program move soon."""
        self._is_stopped = True
        engine = self._engine
        if engine is not None:
            engine.stop()

    def end_game(self, game: Game[Any, Any], outcome: Outcome | None) -> None:
        """Report the end of the game to the program, after its current move."""
        if self._engine is None or not self._calling.acquire(timeout=END_GAME_TIMEOUT):
            return
        try:
            if self._engine is not None:
                self._engine.end_game(game, outcome)
        except PeerError:
            self.close()
        finally:
            self._calling.release()

    def close(self) -> None:
        """Close the program."""
        self._is_closed = True
        engine, self._engine = self._engine or self._starting, None
        if engine is not None:
            with contextlib.suppress(PeerError):
                engine.close()
