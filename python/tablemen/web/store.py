"""Where games are kept: a database of SQLite, written by one thread that puts what waits into one transaction."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import sqlite3
import threading
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from tablemen.errors import TablemenError
from tablemen.saved.lock import FileLock

VERSION = 1  # of the tables
MOST_AT_ONCE = 500  # jobs in a transaction
BUSY_SECONDS = 5.0  # for which somebody else may look into the database

TABLES = """
CREATE TABLE games (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    variant TEXT NOT NULL,
    houses INTEGER,
    seeds INTEGER,
    position TEXT,
    opening INTEGER NOT NULL,
    opponent TEXT NOT NULL,
    level INTEGER,
    white_key BLOB,
    black_key BLOB,
    created REAL NOT NULL,
    revision INTEGER NOT NULL,
    control TEXT,
    winner TEXT,
    termination TEXT,
    white_used REAL NOT NULL,
    black_used REAL NOT NULL,
    white_added REAL NOT NULL,
    black_added REAL NOT NULL,
    draw_offer TEXT,
    takeback_offer TEXT,
    rematch_offer TEXT,
    next TEXT REFERENCES games (id)
) STRICT;
CREATE TABLE moves (
    game INTEGER NOT NULL REFERENCES games (number) ON DELETE CASCADE,
    ply INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (game, ply)
) STRICT, WITHOUT ROWID;
"""

T = TypeVar("T")


class StoreError(TablemenError):
    """A database that cannot be opened, read or written; `TablemenError` so that it is told in a line."""


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What a game is from its beginning to its end; a field a column. Keys are kept as their hashes."""

    id: str
    variant: str
    houses: int | None
    seeds: int | None
    position: str | None  # None for the start of the variant
    opening: int  # moves that it began with
    opponent: str
    level: int | None
    white_key: bytes | None
    black_key: bytes | None
    created: float


@dataclass(frozen=True, kw_only=True)
class Standing:
    """What changes in the course of a game, its moves aside; a field a column."""

    revision: int = 0
    control: str | None = None
    winner: str | None = None
    termination: str | None = None  # of a result that was declared
    white_used: float = 0.0
    black_used: float = 0.0
    white_added: float = 0.0
    black_added: float = 0.0
    draw_offer: str | None = None
    takeback_offer: str | None = None
    rematch_offer: str | None = None
    next: str | None = None  # the game that follows it


class KeptGame(NamedTuple):
    """All that is kept of a game."""

    facts: Facts
    standing: Standing
    moves: tuple[str, ...]


class _Job(NamedTuple):
    work: Callable[[sqlite3.Connection], Any]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]


FACTS = tuple(field.name for field in fields(Facts))
STANDING = tuple(field.name for field in fields(Standing))

_INSERT = f"INSERT INTO games ({', '.join(FACTS + STANDING)}) VALUES ({', '.join('?' * len(FACTS + STANDING))})"
_UPDATE = f"UPDATE games SET {', '.join(f'{name} = ?' for name in STANDING)} WHERE id = ? RETURNING number"
_SELECT = f"SELECT number, {', '.join(FACTS + STANDING)} FROM games WHERE id = ?"


class Store:
    """The games of a server. What is awaited is on the disk.

    A transaction costs a wait for the disk; everything that comes in the meantime shares the next one.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.count = 0  # of the games that are kept
        self._lock = FileLock(path.with_name(f"{path.name}.lock"))
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    @property
    def is_open(self) -> bool:
        """Whether games can be read and written."""
        return self._thread is not None

    def open(self) -> None:
        """Open the database, or make one; raises `StoreError` where there can be none or another server has it."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if not self._lock.take():
                raise StoreError(f"{self.path}: another server keeps its games there")
        except OSError as error:
            raise StoreError(f"{self.path}: {error.strerror or error}") from error
        try:
            connection = self._connect()
        except sqlite3.Error as error:
            self._lock.release()
            raise StoreError(f"{self.path}: {error}") from error
        except StoreError:
            self._lock.release()
            raise
        self._thread = threading.Thread(target=self._work, args=(connection,), name="store", daemon=True)
        self._thread.start()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False, cached_statements=32
        )
        try:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            self._check_version(version)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
            if version == 0:
                connection.executescript(f"BEGIN IMMEDIATE; {TABLES} PRAGMA user_version = {VERSION}; COMMIT")
            connection.execute("BEGIN IMMEDIATE")  # so that a database that cannot be written is found out now
            (self.count,) = connection.execute("SELECT count(*) FROM games").fetchone()
            connection.execute("COMMIT")
        except BaseException:
            connection.close()
            raise
        return connection

    def _check_version(self, version: int) -> None:
        if version > VERSION:
            raise StoreError(f"{self.path}: a later tablemen has written it (tables {version}, here {VERSION})")

    def close(self) -> None:
        """Write what waits, and close the database."""
        if self._thread is None:
            return
        self._jobs.put(None)
        self._thread.join()
        self._thread = None
        self._lock.release()

    async def create(self, facts: Facts, standing: Standing, moves: Sequence[str] = ()) -> None:
        """Keep a new game."""

        def work(connection: sqlite3.Connection) -> None:
            _insert(connection, KeptGame(facts, standing, tuple(moves)))

        await self._do(work)
        self.count += 1

    async def write(
        self,
        game_id: str,
        standing: Standing,
        *,
        keep: int,
        moves: Sequence[str] = (),
        following: KeptGame | None = None,
    ) -> None:
        """Keep what a game has become: its first `keep` moves stay, and these follow them.

        The game that follows it is made in the same transaction: there is no other moment for it.
        """

        def work(connection: sqlite3.Connection) -> None:
            if following is not None:
                _insert(connection, following)
            row = connection.execute(_UPDATE, (*astuple(standing), game_id)).fetchone()
            if row is None:
                raise sqlite3.IntegrityError(f"there is no game {game_id}")
            connection.execute("DELETE FROM moves WHERE game = ? AND ply >= ?", (row[0], keep))
            _insert_moves(connection, row[0], keep, moves)

        await self._do(work)
        if following is not None:
            self.count += 1

    async def read(self, game_id: str) -> KeptGame | None:
        """The game of this name."""

        def work(connection: sqlite3.Connection) -> KeptGame | None:
            row = connection.execute(_SELECT, (game_id,)).fetchone()
            if row is None:
                return None
            texts = connection.execute("SELECT text FROM moves WHERE game = ? ORDER BY ply", row[:1])
            facts = dict(zip(FACTS, row[1:], strict=False))
            standing = dict(zip(STANDING, row[1 + len(FACTS) :], strict=True))
            return KeptGame(Facts(**facts), Standing(**standing), tuple(text for (text,) in texts))

        return await self._do(work)

    async def _do(self, work: Callable[[sqlite3.Connection], T]) -> T:
        if self._thread is None:
            raise StoreError(f"{self.path}: it is closed")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._jobs.put(_Job(work, loop, future))
        return await future

    def _work(self, connection: sqlite3.Connection) -> None:
        """The thread: jobs as they come, as many as there are in one transaction."""
        is_open = True
        while is_open:
            taken = [self._jobs.get()]
            with contextlib.suppress(queue.Empty):
                while len(taken) < MOST_AT_ONCE:
                    taken.append(self._jobs.get_nowait())
            is_open = None not in taken
            jobs = [job for job in taken if job is not None]
            if jobs:
                _resolve(jobs, self._do_all(connection, jobs))
        connection.close()

    def _do_all(self, connection: sqlite3.Connection, jobs: list[_Job]) -> list[Any]:
        """What each of the jobs gives, or the error that it fails with; one that fails does not hurt the others."""
        results: list[Any] = []
        try:
            connection.execute("BEGIN")
            for job in jobs:
                connection.execute("SAVEPOINT job")
                try:
                    results.append(job.work(connection))
                except sqlite3.Error as error:
                    connection.execute("ROLLBACK TO job")
                    results.append(self._error(error))
                connection.execute("RELEASE job")
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            with contextlib.suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            return [self._error(error) for _ in jobs]
        return results

    def _error(self, error: sqlite3.Error) -> StoreError:
        return StoreError(f"{self.path.name} could not be read or written: {error}")


def _insert(connection: sqlite3.Connection, game: KeptGame) -> None:
    number = connection.execute(_INSERT, astuple(game.facts) + astuple(game.standing)).lastrowid
    _insert_moves(connection, number, 0, game.moves)


def _insert_moves(connection: sqlite3.Connection, number: int | None, first: int, moves: Sequence[str]) -> None:
    rows = [(number, ply, text) for ply, text in enumerate(moves, first)]
    connection.executemany("INSERT INTO moves (game, ply, text) VALUES (?, ?, ?)", rows)


def _resolve(jobs: list[_Job], results: list[Any]) -> None:
    """Tells those who wait, in their own thread."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], Any]]] = {}
    for job, result in zip(jobs, results, strict=True):
        by_loop.setdefault(job.loop, []).append((job.future, result))
    for loop, told in by_loop.items():
        with contextlib.suppress(RuntimeError):  # a loop that has ended waits for nothing
            loop.call_soon_threadsafe(_tell, told)


def _tell(told: list[tuple[asyncio.Future[Any], Any]]) -> None:
    for future, result in told:
        if future.done():  # whoever waited has gone
            continue
        if isinstance(result, StoreError):
            future.set_exception(result)
        else:
            future.set_result(result)
