"""Another program that chooses moves, whatever wire it is at."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from importlib import import_module
from types import TracebackType
from typing import Any, Self

from tablemen.errors import ArgumentError
from tablemen.game import Game
from tablemen.outcome import Outcome
from tablemen.search import Clock, Limit, Score

PROTOCOLS = {
    "hub": ("tablemen.protocols.hub.engine", "HubEngine"),
    "dxp": ("tablemen.protocols.dxp.engine", "DxpEngine"),
    "kgp": ("tablemen.protocols.kgp.engine", "KgpEngine"),
}

ENDLESS = Limit()


@dataclass(frozen=True, slots=True)
class Answer:
    """What a program chose: a legal move, or None where it gives up; and what it says of it, where it does."""

    move: Any
    score: Score | None = None  # for the side that moved
    ponder: Any = None  # what it expects next
    line: tuple[Any, ...] = ()


class Engine(ABC):
    """A program at the other end of a wire; `with` closes it.

    Whatever it does wrong is a `PeerError`: it is gone (`PeerGoneError`), does not answer in time
    (`PeerTimeoutError`) or says what makes no sense (`ProtocolError`, also for a move that is not legal). The engine is
    closed then, and every further question is a `PeerGoneError`.

    Any thread may ask, one at a time; `stop` may come from any other.
    """

    @staticmethod
    def open(protocol: str, address: Any, **settings: Any) -> Engine:
        """The program at an address: for `hub` the command that starts it, for `dxp` and `kgp` a host and a port.

        The settings are those of the protocol's own `open`. Raises `PeerError` where it cannot be had, and
        `ArgumentError` where there is no such protocol.
        """
        if protocol not in PROTOCOLS:
            raise ArgumentError("protocol", protocol, f"one of {', '.join(PROTOCOLS)}")
        module, name = PROTOCOLS[protocol]
        kind: type[Engine] = getattr(import_module(module), name)
        return kind.open(address, **settings)

    @property
    @abstractmethod
    def name(self) -> str:
        """What the program calls itself."""

    @abstractmethod
    def choose(self, game: Game[Any, Any], limit: Limit = ENDLESS, *, clock: Clock | None = None) -> Answer:
        """What the program plays in a game that is not over, within the limit, and in time where there is a clock.

        Limits that the protocol cannot say are the program's own business.
        """

    @abstractmethod
    def stop(self) -> None:
        """A `choose` that is going on ends soon, with what it has found; a later one is not concerned."""

    def begin_game(self, game: Game[Any, Any]) -> None:  # noqa: B027 - most are ready for any game
        """A game like this one is about to begin; a program that needs time to get ready for it takes that now."""

    def end_game(self, game: Game[Any, Any], outcome: Outcome | None) -> None:  # noqa: B027 - most need not know
        """The game is over, or nobody plays it any more; a program that wants to know is told."""

    @abstractmethod
    def close(self) -> None:
        """Let the program go, and wait until it has gone. May be called again."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
