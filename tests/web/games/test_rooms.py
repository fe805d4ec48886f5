"""The rooms of a server: loading, memory limits, and deletion of old games."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tablemen import Side
from tablemen.web.games.room import Room
from tablemen.web.games.rooms import FullError, Rooms
from tablemen.web.games.store import StoreError
from tablemen.web.limits import TooManyError
from tablemen.web.models import CreatedGame, NewGame
from tablemen.web.settings import Settings
from tests.timeouts import run_in_time
from tests.web.games.fixtures import move

SHUFFLE = ("1-6", "32-28", "6-1", "28-32")


def run_rooms(path: Path, scenario: Callable[[Rooms], Awaitable[None]], **limits: Any) -> None:
    """Run a scenario with games stored at this path."""

    async def run() -> None:
        rooms = Rooms(Settings(database=path / "games.sqlite", **limits))
        rooms.open()
        try:
            await scenario(rooms)
        finally:
            await rooms.close()

    run_in_time(run())


async def create(rooms: Rooms, *moves: str) -> CreatedGame:
    request = NewGame(variant="english", position="B:WK32:BK1", moves=list(moves), opponent="link", side="white")
    return await rooms.create(request, "here")


async def visit(rooms: Rooms, game_id: str, address: str = "here") -> Room:
    async with rooms.enter(game_id, address) as room:
        return room


def test_a_game_has_only_one_room(tmp_path: Path) -> None:
    async def scenario(rooms: Rooms) -> None:
        other, game = await create(rooms), await create(rooms)
        stays, seen = asyncio.Event(), []

        async def stay() -> Room:
            async with rooms.enter(game.id, "here") as room:
                seen.append(room)
                await stays.wait()
                return room

        async with rooms.enter(other.id, "here"):
            # Both tasks load the same game. The first leaves the room at once, and the memory limit is reached.
            first, second = (asyncio.create_task(each) for each in (visit(rooms, game.id), stay()))
            await first
            while not seen:
                await asyncio.sleep(0)
            third = await visit(rooms, game.id)
            assert third is seen[0]
            stays.set()
            await second
        for each in (other, game, other):
            assert (await visit(rooms, each.id)).hosted.info.id == each.id
        assert len(rooms._rooms) == 1

    run_rooms(tmp_path, scenario, games_in_memory=1)


def test_a_game_loaded_for_a_cancelled_request_can_leave_memory(tmp_path: Path) -> None:
    async def scenario(rooms: Rooms) -> None:
        game, other = await create(rooms), await create(rooms)
        gone = asyncio.create_task(visit(rooms, game.id))
        await asyncio.sleep(0)
        loading = rooms._loading[game.id]
        gone.cancel()
        await loading
        assert list(rooms._rooms) == [game.id]
        await visit(rooms, other.id)
        assert list(rooms._rooms) == [other.id]

    run_rooms(tmp_path, scenario, games_in_memory=1)


def test_the_longest_unused_games_leave_memory_first(tmp_path: Path) -> None:
    async def scenario(rooms: Rooms) -> None:
        games = [await create(rooms, *SHUFFLE) for _ in range(4)]
        for each in games:
            await visit(rooms, each.id)
        assert list(rooms._rooms) == [each.id for each in games[-2:]]  # 8 plies; there is no space for a third game

    run_rooms(tmp_path, scenario, plies_in_memory=8)


def test_one_address_may_use_half_of_the_memory(tmp_path: Path) -> None:
    async def scenario(rooms: Rooms) -> None:
        games = [await create(rooms, *SHUFFLE) for _ in range(5)]
        async with rooms.enter(games[0].id, "a"), rooms.enter(games[1].id, "a"):
            with pytest.raises(TooManyError):
                await visit(rooms, games[2].id, "a")
            async with rooms.enter(games[0].id, "a"):  # in memory already
                pass
            async with rooms.enter(games[2].id, "b"), rooms.enter(games[3].id, "c"):
                with pytest.raises(TooManyError):
                    await visit(rooms, games[4].id, "d")
        assert (await visit(rooms, games[4].id, "a")).plies == 4

    run_rooms(tmp_path, scenario, plies_in_memory=16)


def test_new_moves_count_towards_the_memory_limit(tmp_path: Path) -> None:
    async def scenario(rooms: Rooms) -> None:
        games = [await create(rooms) for _ in range(2)]
        for each in games:
            async with rooms.enter(each.id, "here") as room:
                for ply, text in enumerate(SHUFFLE):
                    await room.act(move(text, ply), frozenset({(Side.BLACK, Side.WHITE)[ply % 2]}), "here")
        assert list(rooms._rooms) == [games[1].id]

    run_rooms(tmp_path, scenario, plies_in_memory=7)


def test_unplayed_games_are_deleted_for_new_ones(tmp_path: Path) -> None:
    async def scenario(rooms: Rooms) -> None:
        old, played = await create(rooms), await create(rooms)
        async with rooms.enter(played.id, "here") as room:
            await room.act(move("1-6"), frozenset({Side.BLACK}), "here")
            new = await create(rooms)  # replaces the old one
            assert await rooms._store.read(old.id) is None
        async with rooms.enter(new.id, "here"):
            with pytest.raises(FullError):
                await create(rooms)  # neither a game in progress nor an open one is deleted
        await asyncio.gather(create(rooms), return_exceptions=True)
        assert await rooms._store.read(played.id) is not None
        assert rooms._store.count == 2

    run_rooms(tmp_path, scenario, games=2, games_in_memory=0)


@pytest.mark.parametrize(
    "damage",
    ["UPDATE moves SET text = 'zz'", "UPDATE games SET termination = 'NONSENSE'", "UPDATE games SET variant = ''"],
)
def test_an_invalid_stored_game_is_reported(tmp_path: Path, damage: str) -> None:
    async def scenario(rooms: Rooms) -> None:
        game = await create(rooms, *SHUFFLE)
        with closing(sqlite3.connect(tmp_path / "games.sqlite")) as other, other:
            other.execute(damage)
        with pytest.raises(StoreError) as caught:
            await visit(rooms, game.id)
        assert isinstance(caught.value.__cause__, ValueError | LookupError)  # not an error of SQLite
        assert rooms._loading == {}

    run_rooms(tmp_path, scenario)
