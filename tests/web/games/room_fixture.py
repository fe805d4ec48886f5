"""A room with a store, and subscribers that record what they receive."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast

from tablemen import Side
from tablemen.web.connections import Connection
from tablemen.web.games.hosted_game import HostedGame
from tablemen.web.games.room import Room, Subscriber
from tablemen.web.games.state_cache import GameStateCache
from tablemen.web.games.store import Store, StoredGame
from tablemen.web.models import GameState, HintInfo
from tests.timeouts import run_in_time
from tests.web.games.fixtures import computer, stored


class Recorder:
    """A connection that records the states it receives."""

    def __init__(self) -> None:
        self.states: list[GameState] = []
        self.is_dropped = False

    def send(self, text: str) -> None:
        self.states.append(GameState.model_validate_json(text))

    def drop(self, reason: str) -> None:
        assert reason
        self.is_dropped = True

    @property
    def last(self) -> GameState:
        return self.states[-1]

    def plies(self) -> list[tuple[int, list[str]]]:
        """Return the first ply and the moves of each state."""
        return [(each.since, [ply.move.text for ply in each.plies]) for each in self.states]


class RoomFixture:
    """A room with its store and its subscribers."""

    def __init__(self, hosted: HostedGame, store: Store) -> None:
        self.computer = computer()
        self.store = store
        self.room = Room(hosted, GameStateCache(hosted), store, self.computer)
        self._subscribers: dict[Recorder, Subscriber] = {}

    async def join(self, sides: frozenset[Side], device: str | None = None) -> Recorder:
        recorder = Recorder()
        device = device or f"device {id(recorder)}"
        self._subscribers[recorder] = Subscriber(cast("Connection", recorder), sides, "here", device)
        await self.room.subscribe(self._subscribers[recorder])
        return recorder

    async def leave(self, recorder: Recorder) -> None:
        await self.room.unsubscribe(self._subscribers.pop(recorder))

    async def act(self, action: Any, sides: frozenset[Side]) -> HintInfo | None:
        return await self.room.act(action, sides, "here")

    async def stored(self) -> StoredGame:
        game = await self.store.read(self.room.hosted.info.id)
        assert game is not None
        return game

    async def until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            await asyncio.sleep(0.01)


def run_room(path: Path, scenario: Callable[[RoomFixture], Awaitable[None]], hosted: HostedGame) -> None:
    """Run a scenario with a room of this game."""

    async def run() -> None:
        store = Store(path / "games.sqlite")
        store.open()
        await store.create(stored(hosted))
        fixture = RoomFixture(hosted, store)
        try:
            await scenario(fixture)
        finally:
            fixture.room.close()
            await fixture.computer.close()
            await asyncio.to_thread(store.close)

    run_in_time(run())
