"""Jobs that share a transaction: one that fails hurts no other, and whatever fails, the thread goes on."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from tablemen.web.games.store import StoredGame, StoreError
from tests.patience import LONG, run_in_time
from tests.web.games.fixtures import INFO, OVER, STATUS, open_store


def test_one_that_fails_does_not_hurt_the_others(path: Path) -> None:
    async def play() -> tuple[tuple[object, ...], StoredGame | None]:
        store = open_store(path)
        await store.create(StoredGame(INFO, STATUS))
        results = await asyncio.gather(
            store.write(INFO.id, OVER, keep=0, moves=["1"]),
            store.write("none", OVER, keep=0, moves=["1"]),
            store.create(StoredGame(INFO, STATUS, ("5",))),  # which is there
            store.write(INFO.id, OVER, keep=1, moves=["2"]),
            return_exceptions=True,
        )
        kept = await store.read(INFO.id)
        assert store.count == 1
        store.close()
        return results, kept

    results, kept = run_in_time(play())
    assert [type(each) for each in results] == [type(None), StoreError, StoreError, type(None)]
    assert kept == StoredGame(INFO, OVER, ("1", "2"))


def test_a_thousand_writes_at_once_share_transactions(path: Path) -> None:
    async def play() -> tuple[StoredGame | None, int]:
        store = open_store(path)
        await store.create(StoredGame(INFO, STATUS))
        await asyncio.gather(*(store.write(INFO.id, OVER, keep=ply, moves=[str(ply)]) for ply in range(1000)))
        kept = await store.read(INFO.id)
        # Every transaction writes the page of the game once more, so that many would make the file of changes long.
        size = path.with_name(path.name + "-wal").stat().st_size
        store.close()
        return kept, size

    kept, size = run_in_time(play())
    assert kept is not None
    assert kept.moves == tuple(map(str, range(1000)))
    assert size < 1000 * 4096


def test_a_database_that_cannot_be_written(path: Path) -> None:
    async def play() -> None:
        store = open_store(path)
        await store.create(StoredGame(INFO, STATUS, ("1",)))
        other = sqlite3.connect(path)
        other.execute("CREATE TRIGGER full BEFORE INSERT ON moves BEGIN SELECT RAISE(FAIL, 'disk is full'); END")
        other.close()
        with pytest.raises(StoreError, match="could not be read or written: disk is full"):
            await store.write(INFO.id, OVER, keep=1, moves=["2"])
        assert await store.read(INFO.id) == StoredGame(INFO, STATUS, ("1",))  # nothing of it
        store.close()
        with pytest.raises(StoreError, match="closed"):
            await store.read(INFO.id)

    run_in_time(play())


def test_a_commit_that_fails_takes_everything_with_it(path: Path) -> None:
    async def play() -> tuple[list[object], StoredGame | None]:
        store = open_store(path)
        await store.create(StoredGame(INFO, STATUS, ("1",)))
        with closing(sqlite3.connect(path)) as other:
            other.executescript("""
                CREATE TABLE debts (owed INTEGER REFERENCES games (number) DEFERRABLE INITIALLY DEFERRED);
                CREATE TRIGGER late AFTER INSERT ON moves BEGIN INSERT INTO debts VALUES (-1); END;
            """)
        results = await asyncio.gather(
            *(store.write(INFO.id, OVER, keep=1, moves=["2"]) for _ in range(3)), return_exceptions=True
        )
        kept = await store.read(INFO.id)
        store.close()
        return list(results), kept

    results, kept = run_in_time(play())
    assert [type(each) for each in results] == [StoreError] * 3
    assert kept == StoredGame(INFO, STATUS, ("1",))


def test_a_database_that_somebody_holds(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablemen.web.games.store.BUSY_TIMEOUT", 0.01)

    async def play() -> list[str]:
        said: list[str] = []
        store = open_store(path)
        await store.create(StoredGame(INFO, STATUS, ("1",)))
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            assert store._writer is not None
            store._writer._connection.set_trace_callback(said.append)
            writing = [store.write(INFO.id, OVER, keep=1, moves=["2"]) for _ in range(50)]
            results = await asyncio.gather(store.read(INFO.id), *writing, return_exceptions=True)
            assert results[0] == StoredGame(INFO, STATUS, ("1",))  # who reads does not wait
            assert [str(each) for each in results[1:]] == [
                "games.sqlite could not be read or written: database is locked"
            ] * 50
        tried = [each for each in said if each.startswith("BEGIN")]
        await store.write(INFO.id, OVER, keep=1, moves=["2"])  # as soon as it is free
        store.close()
        return tried

    tried = run_in_time(play())
    assert set(tried) == {"BEGIN IMMEDIATE"}
    assert len(tried) <= 2  # the first may have been alone; the others wait together


def test_the_thread_outlives_any_error(path: Path) -> None:
    def fail(_: sqlite3.Connection) -> None:
        raise ZeroDivisionError("an error of ours")

    async def play() -> None:
        store = open_store(path)
        together = threading.Event()
        first, failed, made = (
            asyncio.ensure_future(each)
            for each in (
                store._write(lambda _: together.wait(LONG)),
                store._write(fail),
                store.create(StoredGame(INFO, STATUS)),
            )
        )
        await asyncio.sleep(0)
        together.set()
        with pytest.raises(StoreError, match="an error of ours"):
            await failed
        await asyncio.gather(first, made)
        assert await store.read(INFO.id) == StoredGame(INFO, STATUS, ())
        store.close()

    run_in_time(play())
