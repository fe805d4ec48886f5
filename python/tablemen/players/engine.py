"""Players that are other programs, at the other end of a wire."""

from __future__ import annotations

import contextlib
from abc import abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from tablemen.errors import PeerError
from tablemen.game import Game
from tablemen.outcome import Outcome
from tablemen.players.options import SECONDS, TEXT, WrittenPlayer, option, whole
from tablemen.players.player import RESIGN, open_moves
from tablemen.search import Limit

if TYPE_CHECKING:
    from tablemen.protocols import Engine


@dataclass(kw_only=True)
class EnginePlayer(WrittenPlayer):
    """A program that is opened when a game begins or the first move is asked for, and opened anew after it failed.

    What it does wrong is a `PeerError`, and the choice is lost with it; the game is as it was.
    """

    subject: ClassVar[str | None] = "address"
    lasts: ClassVar[bool] = True

    address: str = option(TEXT, "")
    depth: int | None = option(whole(1))
    nodes: int | None = option(whole(1))
    time: float | None = option(SECONDS)
    _engine: Engine | None = field(default=None, init=False, repr=False, compare=False)

    @abstractmethod
    def open(self, game: Game[Any, Any]) -> Engine:
        """The program, for a game like this one."""

    @property
    def limit(self) -> Limit:
        """How long it may think about a move; where there is a clock, that counts too."""
        return Limit(depth=self.depth, nodes=self.nodes, time=self.time)

    def begin_game(self, game: Game[Any, Any]) -> None:
        """Opens the program, if it is not there."""
        self._opened(game)

    def _opened(self, game: Game[Any, Any]) -> Engine:
        self.check(game.position)
        if self._engine is None:
            self._engine = self.open(game)
        return self._engine

    def choose(self, game: Game[Any, Any]) -> Any:
        """What the program plays."""
        open_moves(game)
        self.score = None
        engine = self._opened(game)
        try:
            answer = engine.choose(game, self.limit, clock=self.clock)
        except PeerError:
            self.close()
            raise
        self.score = answer.score
        return RESIGN if answer.move is None else answer.move

    def stop(self) -> None:
        """Tells the program to move at once."""
        engine = self._engine
        if engine is not None:
            engine.stop()

    def end_game(self, game: Game[Any, Any], outcome: Outcome | None) -> None:
        """Tells the program, if it wants to know."""
        if self._engine is not None:
            try:
                self._engine.end_game(game, outcome)
            except PeerError:
                self.close()

    def close(self) -> None:
        """Lets the program go."""
        engine, self._engine = self._engine, None
        if engine is not None:
            with contextlib.suppress(PeerError):
                engine.close()
