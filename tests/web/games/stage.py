"""A room on a stage: somebody listens, scenes are played, and what is kept can be looked at."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast

from tablemen import Side
from tablemen.web.connections import Connection
from tablemen.web.games.kept import KeptGame
from tablemen.web.games.room import Room
from tablemen.web.games.store import Store
from tablemen.web.games.table import Table
from tablemen.web.games.telling import Telling
from tablemen.web.models import GameState, MoveInfo
from tests.patience import run_in_time
from tests.web.tables import computer


class Listener:
    """Somebody who hears what is told."""

    def __init__(self) -> None:
        self.heard: list[GameState] = []

    def send(self, text: str) -> None:
        self.heard.append(GameState.model_validate_json(text))

    @property
    def last(self) -> GameState:
        return self.heard[-1]

    def told(self) -> list[tuple[int, list[str]]]:
        return [(each.since, [ply.move.text for ply in each.plies]) for each in self.heard]


class Stage:
    """A room, and the store behind it."""

    def __init__(self, made: Table, store: Store) -> None:
        self.computer = computer()
        self.store = store
        self.room = Room(made, Telling(made), store, self.computer)

    async def join(self, sides: frozenset[Side]) -> Listener:
        listener = Listener()
        await self.room.join(cast("Connection", listener), sides, "here")
        return listener

    async def leave(self, listener: Listener) -> None:
        await self.room.leave(cast("Connection", listener))

    async def act(self, what: Any, sides: frozenset[Side]) -> MoveInfo | None:
        return await self.room.act(what, sides, "here")

    async def kept(self) -> KeptGame:
        kept = await self.store.read(self.room.table.facts.id)
        assert kept is not None
        return kept

    async def until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            await asyncio.sleep(0.01)


def play(path: Path, scene: Callable[[Stage], Awaitable[None]], made: Table) -> None:
    """Plays a scene in a room of this table."""

    async def run() -> None:
        store = Store(path / "games.sqlite")
        store.open()
        await store.create(made.facts, made.standing(), made.moves_from(0))
        stage = Stage(made, store)
        try:
            await scene(stage)
        finally:
            stage.room.close()
            await stage.computer.close()
            await asyncio.to_thread(store.close)

    run_in_time(run())
