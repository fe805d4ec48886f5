"""Players that are other programs, at the other end of a wire."""

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
    from tablemen.protocols.synchronous import Opening

ANSWER = 2.0  # seconds in which a program that was told to move has answered; one that has not hears of no end
AT_ONCE = 0.05  # seconds to think for a program that is told to move while it begins: it cannot be told before it has


@dataclass(kw_only=True)
class EnginePlayer(WrittenPlayer):
    """A program that is opened when a game begins or the first move is asked for, and opened anew after it failed.

    What it does wrong is a `PeerError`, and the choice is lost with it; the game is as it was. Any thread may ask, and
    whoever asks while another waits for an answer comes after it; `stop` and `close` need not wait.
    """

    subject: ClassVar[str | None] = "address"
    lasts: ClassVar[bool] = True

    address: str = option(TEXT, "")
    depth: int | None = option(whole(1))
    nodes: int | None = option(whole(1))
    time: float | None = option(SECONDS)
    opening: Opening | None = field(default=None, init=False, repr=False, compare=False)  # while `open` goes on
    _engine: Engine | None = field(default=None, init=False, repr=False, compare=False)
    _is_stopped: bool = field(default=False, init=False, repr=False, compare=False)
    _is_closed: bool = field(default=False, init=False, repr=False, compare=False)
    _asking: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False, compare=False)

    @abstractmethod
    def open(self, game: Game[Any, Any]) -> Engine:
        """The program, for a game like this one; where that takes long, `opening` is what gives it up."""

    @property
    def limit(self) -> Limit:
        """How long it may think about a move; where there is a clock, that counts too."""
        return Limit(depth=self.depth, nodes=self.nodes, time=self.time)

    def begin_game(self, game: Game[Any, Any]) -> None:
        """Opens the program, if it is not there; one that is gets ready for the game, or is opened anew."""
        self.check(game.position)
        with self._asking:
            self._is_closed = False
            if self._engine is not None:
                try:
                    self._engine.begin_game(game)
                except PeerError:
                    if self._is_closed:  # by somebody else
                        raise
                    self.close()  # it has gone since the last game, in which it did nothing wrong
                    self._is_closed = False
            if self._engine is None:
                self._begin(game)

    def choose(self, game: Game[Any, Any]) -> Any:
        """What the program plays."""
        open_moves(game)
        self.check(game.position)
        with self._asking:
            self.score = None
            self._is_stopped = self._is_closed = False
            engine = self._engine or self._begin(game)
            limit = replace(self.limit, time=AT_ONCE) if self._is_stopped else self.limit
            try:
                answer = engine.choose(game, limit, clock=self.clock)
            except PeerError:
                self.close()
                raise
            self.score = answer.score
        return RESIGN if answer.move is None else answer.move

    def _begin(self, game: Game[Any, Any]) -> Engine:
        """The program, opened; where the player was closed meanwhile, it is let go again."""
        from tablemen.protocols.synchronous import Opening

        self.opening = Opening()
        try:
            engine = None if self._is_closed else self.open(game)
            if engine is not None and not self._is_closed:
                self._engine = engine
                engine.start()
        except PeerError:
            self._engine = None
            if not self._is_closed:
                raise
            engine = None
        finally:
            self.opening = None
        self._engine = engine
        if engine is None or self._is_closed:
            self.close()
            raise PeerGoneError(self.name, "was closed before it had begun")
        return engine

    def stop(self) -> None:
        """Tells the program to move at once."""
        self._is_stopped = True
        engine = self._engine
        if engine is not None:
            engine.stop()

    def end_game(self, game: Game[Any, Any], outcome: Outcome | None) -> None:
        """Tells the program, if it wants to know; after its answer, where one is waited for."""
        if self._engine is None or not self._asking.acquire(timeout=ANSWER):
            return
        try:
            if self._engine is not None:
                self._engine.end_game(game, outcome)
        except PeerError:
            self.close()
        finally:
            self._asking.release()

    def close(self) -> None:
        """Lets the program go."""
        self._is_closed = True
        opening = self.opening
        if opening is not None:
            opening.give_up()
        engine, self._engine = self._engine, None
        if engine is not None:
            with contextlib.suppress(PeerError):
                engine.close()
