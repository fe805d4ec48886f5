"""The worker thread of the database: a failed job does not affect the others in its transaction."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from tablemen.web.games.store import StoredGame, StoreError
from tests.timeouts import TIMEOUT, run_in_time
from tests.web.games.fixtures import INFO, OVER, STATUS, list_moves, open_store


def test_a_job_that_fails_does_not_affect_the_others(path: Path) -> None:
    async def play() -> tuple[tuple[object, ...], StoredGame | None]:
        store = open_store(path)
        await store.create(StoredGame(INFO, STATUS))
        results = await asyncio.gather(
            store.write(INFO.id, OVER, keep=0, moves=list_moves("1")),
            store.write("none", OVER, keep=0, moves=list_moves("1")),
            store.create(StoredGame(INFO, STATUS, list_moves("5"))),  # fails, since the game exists already
            store.write(INFO.id, OVER, keep=1, moves=list_moves("2")),
            return_exceptions=True,
        )
        stored = await store.read(INFO.id)
        assert store.count == 1
        store.close()
        return results, stored

    results, stored = run_in_time(play())
    assert [type(each) for each in results] == [type(None), StoreError, StoreError, type(None)]
    assert stored == StoredGame(INFO, OVER, list_moves("1", "2"))


def test_a_thousand_concurrent_writes_share_transactions(path: Path) -> None:
    async def play() -> tuple[StoredGame | None, int]:
        store = open_store(path)
        await store.create(StoredGame(INFO, STATUS))
        await asyncio.gather(*(store.write(INFO.id, OVER, keep=ply, moves=list_moves(str(ply))) for ply in range(1000)))
        stored = await store.read(INFO.id)
        # Each transaction appends the changed page to the WAL file, so its size shows the number of transactions.
        size = path.with_name(path.name + "-wal").stat().st_size
        store.close()
        return stored, size

    stored, size = run_in_time(play())
    assert stored is not None
    assert stored.moves == list_moves(*map(str, range(1000)))
    assert size < 1000 * 4096


def test_a_failed_write_is_rolled_back(path: Path) -> None:
    async def play() -> None:
        store = open_store(path)
        await store.create(StoredGame(INFO, STATUS, list_moves("1")))
        other = sqlite3.connect(path)
        other.execute("CREATE TRIGGER full BEFORE INSERT ON moves BEGIN SELECT RAISE(FAIL, 'disk is full'); END")
        other.close()
        with pytest.raises(StoreError, match="disk is full"):
            await store.write(INFO.id, OVER, keep=1, moves=list_moves("2"))
        assert await store.read(INFO.id) == StoredGame(INFO, STATUS, list_moves("1"))  # the status is unchanged too
        store.close()
        with pytest.raises(StoreError):
            await store.read(INFO.id)

    run_in_time(play())


def test_a_failed_commit_fails_all_jobs(path: Path) -> None:
    async def play() -> tuple[list[object], StoredGame | None]:
        store = open_store(path)
        await store.create(StoredGame(INFO, STATUS, list_moves("1")))
        with closing(sqlite3.connect(path)) as other:
            other.executescript("""
                CREATE TABLE debts (owed INTEGER REFERENCES games (number) DEFERRABLE INITIALLY DEFERRED);
                CREATE TRIGGER late AFTER INSERT ON moves BEGIN INSERT INTO debts VALUES (-1); END;
            """)
        results = await asyncio.gather(
            *(store.write(INFO.id, OVER, keep=1, moves=list_moves("2")) for _ in range(3)), return_exceptions=True
        )
        stored = await store.read(INFO.id)
        store.close()
        return list(results), stored

    results, stored = run_in_time(play())
    assert [type(each) for each in results] == [StoreError] * 3
    assert stored == StoredGame(INFO, STATUS, list_moves("1"))


def test_a_lock_of_another_process_blocks_writers_but_not_readers(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablemen.web.games.store.BUSY_TIMEOUT", 0.01)

    async def play() -> list[str]:
        statements: list[str] = []
        store = open_store(path)
        await store.create(StoredGame(INFO, STATUS, list_moves("1")))
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            assert store._writer is not None
            store._writer._connection.set_trace_callback(statements.append)
            writing = [store.write(INFO.id, OVER, keep=1, moves=list_moves("2")) for _ in range(50)]
            results = await asyncio.gather(store.read(INFO.id), *writing, return_exceptions=True)
            assert results[0] == StoredGame(INFO, STATUS, list_moves("1"))  # the reader is not blocked
            assert [type(each) for each in results[1:]] == [StoreError] * 50
            assert all("database is locked" in str(each) for each in results[1:])
        tried = [each for each in statements if each.startswith("BEGIN")]
        await store.write(INFO.id, OVER, keep=1, moves=list_moves("2"))  # succeeds after the lock is released
        store.close()
        return tried

    tried = run_in_time(play())
    assert set(tried) == {"BEGIN IMMEDIATE"}
    assert len(tried) <= 2  # at most one for the first job, and one for all others


def test_an_unexpected_error_does_not_end_the_thread(path: Path) -> None:
    def fail(_: sqlite3.Connection) -> None:
        raise ZeroDivisionError("not an SQLite error")

    async def play() -> None:
        store = open_store(path)
        together = threading.Event()
        first, failed, created = (
            asyncio.ensure_future(each)
            for each in (
                store._write(lambda _: together.wait(TIMEOUT)),
                store._write(fail),
                store.create(StoredGame(INFO, STATUS)),
            )
        )
        await asyncio.sleep(0)
        together.set()
        with pytest.raises(StoreError, match="not an SQLite error"):
            await failed
        await asyncio.gather(first, created)
        assert await store.read(INFO.id) == StoredGame(INFO, STATUS, ())
        store.close()

    run_in_time(play())
