"""Fake engines and players, whose address describes their behaviour."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import pytest

from tablemen import Game, Outcome, TablemenError, players
from tablemen.errors import PeerGoneError, PeerTimeoutError
from tablemen.players import registry
from tablemen.players.engine import EnginePlayer
from tablemen.protocols import Engine
from tablemen.protocols.engine import NO_LIMIT, Answer
from tablemen.search import Clock, Limit
from tests.timeouts import TIMEOUT


class FakeEngine(Engine):
    """An engine that plays the first legal move, and appends its calls to a list.

    Its address selects the behaviour: `waits` moves only after `stop`, `dies` and `hangs` raise errors, and `named`
    reports its name.
    """

    def __init__(self, address: str, calls: list[Any]) -> None:
        self.address = address
        self.calls = calls
        self.is_released = threading.Event()  # set by `stop` and `close`
        self.is_closed = False

    def start(self) -> Self:
        return self

    @property
    def name(self) -> str:
        return self.address

    @property
    def id(self) -> Mapping[str, str]:
        return {"name": "Fake", "version": "1.0", "author": "A. Nonymous"} if self.address == "named" else {}

    def begin_game(self, game: Game[Any, Any]) -> None:
        pass

    def choose(self, game: Game[Any, Any], limit: Limit = NO_LIMIT, *, clock: Clock | None = None) -> Answer:
        self.is_released.clear()
        self.calls.append(("choose", len(game.moves), limit.time, clock))
        if self.address == "dies":
            raise PeerGoneError("a fake", "ended with status 3: no \x1b[2J book")
        if self.address == "hangs":
            raise PeerTimeoutError("a fake", "did not move", 5)
        if self.address == "waits":
            assert self.is_released.wait(TIMEOUT)
        if self.is_closed:
            raise PeerGoneError("a fake", "is closed")
        return Answer(game.legal_moves()[0])

    def stop(self) -> None:
        self.calls.append("stop")
        self.is_released.set()

    def end_game(self, game: Game[Any, Any], outcome: Outcome | None) -> None:
        self.calls.append(("end", len(game.moves), None if outcome is None else outcome.termination.name))

    def close(self) -> None:
        self.calls.append("close")
        self.is_closed = True
        self.is_released.set()


@dataclass(kw_only=True)
class FakePlayer(EnginePlayer):
    """A player with a fake engine; `choosy` rejects Kalah, `refuses` fails to open, `late` opens after `may_begin`."""

    kind: ClassVar[str] = "fake"
    about: ClassVar[str] = "a fake engine for tests"

    calls: list[Any] = field(default_factory=list, repr=False, compare=False)
    may_begin: threading.Event = field(default_factory=threading.Event, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.address != "late":
            self.may_begin.set()

    def check(self, position: Any) -> None:
        if self.address == "choosy" and position.variant.name == "kalah":
            raise TablemenError("a fake that is choosy plays draughts alone")

    def open(self, game: Game[Any, Any]) -> Engine:
        self.calls.append("open")
        assert self.may_begin.wait(TIMEOUT)
        if self.address == "refuses":
            raise TablemenError(f"a fake 1 does not play {game.position.variant.name}")
        return FakeEngine(self.address, self.calls)


def add_fakes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the fake players, such as `fake:plays`."""
    known = {**registry.PLAYERS, FakePlayer.kind: FakePlayer}
    for module in (registry, players):
        monkeypatch.setattr(module, "PLAYERS", known)
