"""The SQLite database of games: its schema, its rows, and the threads that read and write it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import queue
import shutil
import sqlite3
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from tablemen.errors import TablemenError
from tablemen.file_lock import FileLock
from tablemen.outcome import Outcome, Side, Termination

SCHEMA_VERSION = 3
APPLICATION_ID = 0x7461626C  # identifies databases of tablemen
BUSY_TIMEOUT = 5.0  # seconds to wait for the lock of another process
MAX_JOBS_PER_TRANSACTION = 500
MAX_CHECKED_BYTES = 500_000_000  # size of a database that is checked at the start, which takes about 3 seconds
MAX_UNREADABLE = 20_000  # numbers of games to try after one that cannot be read; a damaged inner page hides thousands

SCHEMA = f"""
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
    engine TEXT,
    revision INTEGER NOT NULL,
    stage TEXT NOT NULL,
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
    next TEXT,
    changed REAL NOT NULL DEFAULT (julianday('now'))
) STRICT;
CREATE INDEX stages ON games (stage, changed);
CREATE TABLE moves (
    game INTEGER NOT NULL REFERENCES games (number) ON DELETE CASCADE,
    ply INTEGER NOT NULL,
    text TEXT NOT NULL,
    clock REAL,
    PRIMARY KEY (game, ply)
) STRICT, WITHOUT ROWID;
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {SCHEMA_VERSION};
"""

# The statements that upgrade a database from each version to the next.
MIGRATIONS = {1: "ALTER TABLE games ADD COLUMN engine TEXT;", 2: "ALTER TABLE moves ADD COLUMN clock REAL;"}

Stage: TypeAlias = Literal["new", "played", "over"]  # "new" until a person has moved
Offer: TypeAlias = Literal["draw", "takeback", "rematch"]

T = TypeVar("T")
log = logging.getLogger("tablemen")


class StoreError(TablemenError):
    """The database cannot be opened, read or written."""


class DamagedDatabaseError(StoreError):
    """The database contains damaged pages; `problem` describes the first one that was found."""

    def __init__(self, path: Path, problem: str) -> None:
        self.path = path
        self.problem = problem
        super().__init__(path, problem)

    def __str__(self) -> str:
        return (
            f"{self.path}: the database is damaged ({self.problem}). Restore a backup, or start the server with "
            "--recover: it keeps the damaged file under another name, and continues with the games that can be read"
        )


@dataclass(frozen=True, kw_only=True)
class GameInfo:
    """The columns of a game that never change. Keys are stored as hashes."""

    id: str
    variant: str
    houses: int | None
    seeds: int | None
    position: str | None  # None for the start position of the variant
    opening: int  # number of moves that the game was created with
    opponent: str
    level: int | None
    white_key: bytes | None
    black_key: bytes | None
    created: float
    engine: str | None = None


@dataclass(frozen=True, kw_only=True)
class GameStatus:
    """The columns of a game that change during play. The moves are in another table."""

    revision: int = 0
    stage: Stage = "new"
    control: str | None = None
    winner: str | None = None
    termination: str | None = None  # name of a `Termination`, if the result was declared
    white_used: float = 0.0
    black_used: float = 0.0
    white_added: float = 0.0
    black_added: float = 0.0
    draw_offer: str | None = None
    takeback_offer: str | None = None
    rematch_offer: str | None = None
    next: str | None = None  # the id of the rematch

    @property
    def declared(self) -> Outcome | None:
        """The declared result, such as a resignation."""
        if self.termination is None:
            return None
        return Outcome(None if self.winner is None else Side(self.winner), Termination[self.termination])

    @property
    def offers(self) -> dict[Offer, Side]:
        """The open offers, with the side that made each."""
        offers: dict[Offer, str | None] = {
            "draw": self.draw_offer,
            "takeback": self.takeback_offer,
            "rematch": self.rematch_offer,
        }
        return {offer: Side(side) for offer, side in offers.items() if side is not None}


class StoredMove(NamedTuple):
    """A move in the database, with its whole path, and the seconds that the mover had left after it."""

    text: str
    clock: float | None = None


class StoredGame(NamedTuple):
    """The rows of a game in the database."""

    info: GameInfo
    status: GameStatus
    moves: tuple[StoredMove, ...] = ()


_INFO = tuple(field.name for field in fields(GameInfo))
_STATUS = tuple(field.name for field in fields(GameStatus))

_INSERT = f"INSERT INTO games ({', '.join(_INFO + _STATUS)}) VALUES ({', '.join('?' * len(_INFO + _STATUS))})"
_UPDATE = (
    f"UPDATE games SET {', '.join(f'{name} = ?' for name in _STATUS)}, changed = julianday('now') "
    "WHERE id = ? RETURNING number"
)
_SELECT = f"SELECT number, {', '.join(_INFO + _STATUS)} FROM games WHERE id = ?"
_DELETE = (
    "DELETE FROM games WHERE number IN (SELECT number FROM games WHERE stage = ? AND changed <= julianday('now') - ? "
    "AND id NOT IN (SELECT value FROM json_each(?)) ORDER BY changed, number LIMIT ?)"
)


class Store:
    """The database of a server. When a write returns, its data is on the disk. Readers never wait for writers."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.count = 0  # number of stored games
        self._lock = FileLock(path.with_name(f"{path.name}.lock"))
        self._writer: SqliteWorker | None = None
        self._reader: SqliteWorker | None = None

    @property
    def is_open(self) -> bool:
        """Whether games can be read and written."""
        return self._writer is not None

    def open(self) -> None:
        """Open the database, creating or upgrading it if necessary.

        Raises `StoreError` if that fails or another server uses the database, and `DamagedDatabaseError`.
        """
        _acquire_lock(self._lock, self.path)
        try:
            _new_path(self.path).unlink(missing_ok=True)  # left by a recovery that was killed
            self._writer = SqliteWorker(self._connect(self._prepare), self.path.name, writes=True)
            self._reader = SqliteWorker(self._connect(_make_read_only), self.path.name, writes=False)
        except (sqlite3.Error, OSError, StoreError) as error:
            self.close()
            raise _store_error(self.path, error) from error

    def _connect(self, prepare: Callable[[sqlite3.Connection], None]) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path, timeout=BUSY_TIMEOUT, isolation_level=None, check_same_thread=False, cached_statements=32
        )
        try:
            prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        version = _check_version(connection, self.path)
        if self.path.stat().st_size <= MAX_CHECKED_BYTES:
            _check_pages(connection, self.path)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        if version == 0:
            connection.executescript(f"BEGIN IMMEDIATE; {SCHEMA} COMMIT")
        elif version < SCHEMA_VERSION:
            steps = " ".join(MIGRATIONS[each] for each in range(version, SCHEMA_VERSION))
            connection.executescript(f"BEGIN IMMEDIATE; {steps} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT")
        connection.execute("BEGIN IMMEDIATE")  # fails if the database is read-only
        (self.count,) = connection.execute("SELECT count(*) FROM games").fetchone()
        connection.execute("COMMIT")

    def close(self) -> None:
        """Finish the queued writes, and close the database."""
        workers = (self._reader, self._writer)
        self._reader = self._writer = None  # reject further reads and writes
        for worker in workers:
            if worker is not None:
                worker.close()
        self._lock.release()

    async def create(self, game: StoredGame) -> None:
        """Insert a new game."""
        await self._write(lambda connection: _insert(connection, game))
        self.count += 1

    async def write(
        self,
        game_id: str,
        status: GameStatus,
        *,
        keep: int,
        moves: Sequence[StoredMove] = (),
        rematch: StoredGame | None = None,
    ) -> None:
        """Update a game: keep its first `keep` moves, and replace the others with `moves`.

        A rematch is inserted in the same transaction, so that `status.next` always refers to an existing game.
        """

        def work(connection: sqlite3.Connection) -> None:
            if rematch is not None:
                _insert(connection, rematch)
            row = connection.execute(_UPDATE, (*astuple(status), game_id)).fetchone()
            if row is None:
                raise sqlite3.IntegrityError(f"there is no game {game_id}")
            connection.execute("DELETE FROM moves WHERE game = ? AND ply >= ?", (row[0], keep))
            _insert_moves(connection, row[0], keep, moves)

        await self._write(work)
        if rematch is not None:
            self.count += 1

    async def read(self, game_id: str) -> StoredGame | None:
        """Return the game with this id, or None."""

        def work(connection: sqlite3.Connection) -> StoredGame | None:
            row = connection.execute(_SELECT, (game_id,)).fetchone()
            if row is None:
                return None
            moves = connection.execute("SELECT text, clock FROM moves WHERE game = ? ORDER BY ply", row[:1]).fetchall()
            info = dict(zip(_INFO, row[1:], strict=False))
            status = dict(zip(_STATUS, row[1 + len(_INFO) :], strict=True))
            return StoredGame(GameInfo(**info), GameStatus(**status), tuple(map(StoredMove._make, moves)))

        return await self._run(self._reader, work)

    async def delete_old(self, limit: int, *, days: float, except_for: Collection[str] = ()) -> int:
        """Delete up to `limit` games, those unchanged for longest first, and return how many were deleted.

        Games in which no person has moved are deleted first, then games that ended more than `days` ago. Games in
        progress are never deleted.
        """
        excluded = json.dumps(list(except_for))

        def work(connection: sqlite3.Connection) -> int:
            count = connection.execute(_DELETE, ("new", 0, excluded, limit)).rowcount
            return count or connection.execute(_DELETE, ("over", days, excluded, limit)).rowcount

        count = await self._write(work)
        self.count -= count
        return count

    async def _write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return await self._run(self._writer, work)

    async def _run(self, worker: SqliteWorker | None, work: Callable[[sqlite3.Connection], T]) -> T:
        if worker is None:
            raise StoreError(f"{self.path}: the database is closed")
        return await worker.run(work)


def _acquire_lock(lock: FileLock, path: Path) -> None:
    """Acquire the lock of a database, and create its folder. Raises `StoreError`."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not lock.acquire():
            raise StoreError(f"{path}: another server is using this database")
    except (FileExistsError, NotADirectoryError) as error:
        file = next(each for each in path.parents if each.exists() and not each.is_dir())
        raise StoreError(f"{path}: {file} is a file, not a folder") from error
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror or error}") from error


def _store_error(path: Path, error: sqlite3.Error | OSError | StoreError) -> StoreError:
    """Return the error for the operator."""
    if isinstance(error, StoreError):
        return error
    if isinstance(error, OSError):
        return StoreError(f"{path}: {error.strerror or error}")
    if _error_code(error) == sqlite3.SQLITE_CORRUPT:
        return DamagedDatabaseError(path, str(error))
    if _error_code(error) == sqlite3.SQLITE_NOTADB:
        return StoreError(f"{path}: {error}: move it to another place, or choose another file with --database")
    return StoreError(f"{path}: {error}")


def _error_code(error: Exception) -> int:
    """Return the primary error code of SQLite, or 0 if it is another error."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _check_version(connection: sqlite3.Connection, path: Path) -> int:
    """Return the version of the schema, 0 for an empty database. Raises `StoreError` if it is not supported."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if (version, application, tables) == (0, 0, 0):
        return 0
    if application != APPLICATION_ID or version < 1:
        raise StoreError(f"{path}: this database belongs to another program")
    if version > SCHEMA_VERSION:
        raise StoreError(
            f"{path}: this database was written by a newer version of tablemen "
            f"(schema {version}; this version supports {SCHEMA_VERSION})"
        )
    return int(version)


def _check_pages(connection: sqlite3.Connection, path: Path) -> None:
    """Raise `DamagedDatabaseError` if pages are damaged."""
    (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise DamagedDatabaseError(path, found.splitlines()[-1])


class Recovery(NamedTuple):
    """The result of a recovery: the copied games, those known to be lost, and the new name of the damaged file."""

    games: int
    lost: int
    damaged: Path


def recover_database(path: Path) -> Recovery | None:
    """Copy the games that can be read to a new database, and rename the damaged one; return None if it is not damaged.

    Raises `StoreError` if no game can be read; then nothing is renamed.
    """
    lock = FileLock(path.with_name(f"{path.name}.lock"))
    _acquire_lock(lock, path)
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=BUSY_TIMEOUT, isolation_level=None)) as source:
            try:
                _check_version(source, path)
                _check_pages(source, path)
            except sqlite3.DatabaseError as error:
                if not isinstance(_store_error(path, error), DamagedDatabaseError):
                    raise
            except DamagedDatabaseError:
                pass
            else:
                return None
            new = _new_path(path)
            new.unlink(missing_ok=True)
            with contextlib.closing(sqlite3.connect(new, isolation_level=None)) as target:
                games, lost = _copy_games(source, target)
        if not games:
            new.unlink()
            raise StoreError(f"{path}: no game can be read: move the file to another place to start without games")
        return Recovery(games, lost, _replace(path, new))
    except (sqlite3.Error, OSError) as error:
        raise _store_error(path, error) from error
    finally:
        lock.release()


def _new_path(path: Path) -> Path:
    """Return the path of the database that a recovery writes."""
    return path.with_name(f"{path.name}.new")


def _copy_games(source: sqlite3.Connection, target: sqlite3.Connection) -> tuple[int, int]:
    """Copy all games that can be read completely; return how many were copied, and how many are known to be lost."""
    target.executescript(f"PRAGMA synchronous = FULL; BEGIN; {SCHEMA}")
    try:
        columns = [row[1] for row in source.execute("PRAGMA table_info(games)")]
        has_clocks = "clock" in [row[1] for row in source.execute("PRAGMA table_info(moves)")]
    except sqlite3.DatabaseError:  # the schema itself cannot be read
        return 0, 0
    names = ("number", *(name for name in (*_INFO, *_STATUS, "changed") if name in columns))
    insert = f"INSERT INTO games ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
    select_moves = f"SELECT ply, text, {'clock' if has_clocks else 'NULL'} FROM moves WHERE game = ? ORDER BY ply"
    copied: set[int] = set()
    for row in _read_rows(source, names):
        number = row[0]
        if number in copied:
            continue
        target.execute("SAVEPOINT game")
        try:
            moves = source.execute(select_moves, (number,)).fetchall()
            if [move[0] for move in moves] == list(range(len(moves))):
                target.execute(insert, row)
                _insert_moves(target, number, 0, [StoredMove(*move[1:]) for move in moves])
                copied.add(number)
        except sqlite3.DatabaseError:
            target.execute("ROLLBACK TO game")
        target.execute("RELEASE game")
    target.execute("COMMIT")
    with contextlib.suppress(sqlite3.DatabaseError):
        (total,) = source.execute("SELECT count(*) FROM games INDEXED BY stages WHERE stage >= ''").fetchone()
        return len(copied), max(0, total - len(copied))
    return len(copied), 0


def _read_rows(source: sqlite3.Connection, names: Sequence[str]) -> Iterator[Any]:
    """Yield the rows of games that can be read. Damaged pages can hide other pages from one of the two directions."""
    for comparison, order, step, start in ((">", "ASC", 1, 0), ("<", "DESC", -1, 2**62)):
        query = (
            f"SELECT {', '.join(names)} FROM games NOT INDEXED WHERE number {comparison} ? "
            f"ORDER BY number {order} LIMIT 1"
        )
        number, unreadable = start, 0
        while unreadable < MAX_UNREADABLE:
            try:
                row = source.execute(query, (number,)).fetchone()
            except sqlite3.DatabaseError:
                unreadable += 1
                number += step
                continue
            if row is None:
                break
            unreadable, number = 0, row[0]
            yield row


def _replace(path: Path, new: Path) -> Path:
    """Put the new database in the place of the damaged one; return the new name of the damaged one."""
    number = 1
    while (damaged := path.with_name(f"{path.name}.damaged{number}")).exists():
        number += 1
    try:
        os.link(path, damaged)  # there must be a database at the path even if this process is killed
    except OSError:  # not every file system has links
        shutil.copyfile(path, damaged)
    for suffix in ("-wal", "-shm"):
        journal = path.with_name(path.name + suffix)
        if journal.exists():
            journal.rename(damaged.with_name(damaged.name + suffix))
    new.replace(path)
    return damaged


def _make_read_only(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA query_only = ON")


def _insert(connection: sqlite3.Connection, game: StoredGame) -> None:
    number = connection.execute(_INSERT, astuple(game.info) + astuple(game.status)).lastrowid
    _insert_moves(connection, number, 0, game.moves)


def _insert_moves(connection: sqlite3.Connection, number: int | None, first: int, moves: Sequence[StoredMove]) -> None:
    rows = [(number, ply, *move) for ply, move in enumerate(moves, first)]
    connection.executemany("INSERT INTO moves (game, ply, text, clock) VALUES (?, ?, ?, ?)", rows)


class _Job(NamedTuple):
    work: Callable[[sqlite3.Connection], Any]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]


class SqliteWorker:
    """A connection with a thread that runs queued jobs in order, and combines all queued jobs in one transaction.

    A commit waits for the disk; the jobs that arrive meanwhile share the next commit. They also share the wait if
    another process has locked the database.
    """

    def __init__(self, connection: sqlite3.Connection, name: str, *, writes: bool) -> None:
        """Start the thread; `name` is the name of the database in messages."""
        self._connection = connection
        self._name = name
        self._is_damaged = False  # as far as known
        # Without IMMEDIATE, a transaction that reads before it writes fails if another process has written since.
        self._begin = "BEGIN IMMEDIATE" if writes else "BEGIN"
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run_jobs, name="store", daemon=True)
        self._thread.start()

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Return the result of the work; if it fails, its changes are rolled back and `StoreError` is raised."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._jobs.put(_Job(work, loop, future))
        return await future

    def close(self) -> None:
        """Finish the queued jobs, and close the connection."""
        self._jobs.put(None)
        self._thread.join()
        self._connection.close()

    def _run_jobs(self) -> None:
        is_open = True
        while is_open:
            taken = [self._jobs.get()]
            with contextlib.suppress(queue.Empty):
                while len(taken) < MAX_JOBS_PER_TRANSACTION:
                    taken.append(self._jobs.get_nowait())
            is_open = None not in taken
            jobs = [job for job in taken if job is not None]
            if jobs:
                _resolve(jobs, self._run_transaction(jobs))

    def _run_transaction(self, jobs: list[_Job]) -> list[Any]:
        """Return the result of each job, or its error; the failure of one job does not affect the others."""
        try:
            self._connection.execute(self._begin)
            results = [self._run_job(job) for job in jobs]
            self._connection.execute("COMMIT")
        except Exception as error:  # noqa: BLE001 - an error must not end the thread
            with contextlib.suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            if len(jobs) > 1 and _error_code(error) == sqlite3.SQLITE_CORRUPT:
                return [self._run_transaction([job])[0] for job in jobs]  # a damaged page affects only some of them
            return [self._wrap(error) for _ in jobs]
        return results

    def _run_job(self, job: _Job) -> Any:
        self._connection.execute("SAVEPOINT job")
        try:
            result = job.work(self._connection)
        except Exception as error:  # noqa: BLE001 - any error fails only this job
            self._connection.execute("ROLLBACK TO job")
            result = self._wrap(error)
        self._connection.execute("RELEASE job")
        return result

    def _wrap(self, error: Exception) -> StoreError:
        if _error_code(error) == sqlite3.SQLITE_CORRUPT and not self._is_damaged:
            self._is_damaged = True
            log.error("%s is damaged (%s): restart with --recover", self._name, error, extra={"event": "database"})
        return StoreError(f"{self._name} could not be read or written: {error}")


def _resolve(jobs: list[_Job], results: list[Any]) -> None:
    """Set the results of the futures, with one call for each event loop."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], Any]]] = {}
    for job, result in zip(jobs, results, strict=True):
        by_loop.setdefault(job.loop, []).append((job.future, result))
    for loop, resolved in by_loop.items():
        with contextlib.suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(_set_futures, resolved)


def _set_futures(resolved: list[tuple[asyncio.Future[Any], Any]]) -> None:
    for future, result in resolved:
        if future.done():  # the caller was cancelled
            continue
        if isinstance(result, StoreError):
            future.set_exception(result)
        else:
            future.set_result(result)
