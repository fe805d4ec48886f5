"""Where games are kept: a database of SQLite."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Sequence
from dataclasses import astuple, fields
from pathlib import Path
from typing import TypeVar

from tablemen.file_lock import FileLock
from tablemen.web.games.kept import Facts, KeptGame, Standing
from tablemen.web.games.transactions import StoreError, Transactions

VERSION = 2  # of the tables
APPLICATION = 0x7461626C  # by which a database of ours is known
BUSY_SECONDS = 5.0  # for which somebody else may have the database

TABLES = f"""
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
    PRIMARY KEY (game, ply)
) STRICT, WITHOUT ROWID;
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
"""

# What makes a database of one version one of the next.
STEPS = {1: "ALTER TABLE games ADD COLUMN engine TEXT;"}

FACTS = tuple(field.name for field in fields(Facts))
STANDING = tuple(field.name for field in fields(Standing))

_INSERT = f"INSERT INTO games ({', '.join(FACTS + STANDING)}) VALUES ({', '.join('?' * len(FACTS + STANDING))})"
_UPDATE = (
    f"UPDATE games SET {', '.join(f'{name} = ?' for name in STANDING)}, changed = julianday('now') "
    "WHERE id = ? RETURNING number"
)
_SELECT = f"SELECT number, {', '.join(FACTS + STANDING)} FROM games WHERE id = ?"
_FORGET = (
    "DELETE FROM games WHERE number IN (SELECT number FROM games WHERE stage = ? AND changed <= julianday('now') - ? "
    "AND id NOT IN (SELECT value FROM json_each(?)) ORDER BY changed, number LIMIT ?)"
)

T = TypeVar("T")


class Store:
    """The games of a server. What is awaited is on the disk.

    Who reads does not wait for those who write.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.count = 0  # of the games that are kept
        self._lock = FileLock(path.with_name(f"{path.name}.lock"))
        self._writer: Transactions | None = None
        self._reader: Transactions | None = None

    @property
    def is_open(self) -> bool:
        """Whether games can be read and written."""
        return self._writer is not None

    def open(self) -> None:
        """Open the database, or make one; raises `StoreError` where there can be none or another server has it."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if not self._lock.acquire():
                raise StoreError(f"{self.path}: another server keeps its games there")
        except OSError as error:
            raise StoreError(f"{self.path}: {error.strerror or error}") from error
        try:
            self._writer = Transactions(self._connect(self._prepare), self.path.name, writes=True)
            self._reader = Transactions(self._connect(_read_only), self.path.name, writes=False)
        except (sqlite3.Error, StoreError) as error:
            self.close()
            raise error if isinstance(error, StoreError) else StoreError(f"{self.path}: {error}") from error

    def _connect(self, prepare: Callable[[sqlite3.Connection], None]) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False, cached_statements=32
        )
        try:
            prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        version = self._check(connection)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        if version == 0:
            connection.executescript(f"BEGIN IMMEDIATE; {TABLES} COMMIT")
        elif version < VERSION:
            steps = " ".join(STEPS[each] for each in range(version, VERSION))
            connection.executescript(f"BEGIN IMMEDIATE; {steps} PRAGMA user_version = {VERSION}; COMMIT")
        connection.execute("BEGIN IMMEDIATE")  # so that a database that cannot be written is found out now
        (self.count,) = connection.execute("SELECT count(*) FROM games").fetchone()
        connection.execute("COMMIT")

    def _check(self, connection: sqlite3.Connection) -> int:
        """The version of its tables, 0 where there is nothing; raises `StoreError` for what is not ours."""
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if (version, application, tables) == (0, 0, 0):
            return 0
        if application != APPLICATION or version < 1:
            raise StoreError(f"{self.path}: a database of another program")
        if version > VERSION:
            raise StoreError(f"{self.path}: a later tablemen has written it (tables {version}, here {VERSION})")
        return int(version)

    def close(self) -> None:
        """Write what waits, and close the database."""
        threads = (self._reader, self._writer)
        self._reader = self._writer = None  # nothing more comes in
        for each in threads:
            if each is not None:
                each.close()
        self._lock.release()

    async def create(self, facts: Facts, standing: Standing, moves: Sequence[str] = ()) -> None:
        """Keep a new game."""
        await self._write(lambda connection: _insert(connection, KeptGame(facts, standing, tuple(moves))))
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

        await self._write(work)
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

        if self._reader is None:
            raise self._closed()
        return await self._reader.do(work)

    async def forget(self, most: int, *, days: float, except_for: Collection[str] = ()) -> int:
        """Forget games, and say how many: those in which no person has moved, and then those that ended `days` ago.

        What was left longest goes first. A game that people play is never forgotten.
        """
        kept = json.dumps(list(except_for))

        def work(connection: sqlite3.Connection) -> int:
            count = connection.execute(_FORGET, ("new", 0, kept, most)).rowcount
            return count or connection.execute(_FORGET, ("over", days, kept, most)).rowcount

        count = await self._write(work)
        self.count -= count
        return count

    async def _write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        if self._writer is None:
            raise self._closed()
        return await self._writer.do(work)

    def _closed(self) -> StoreError:
        return StoreError(f"{self.path}: it is closed")


def _read_only(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA query_only = ON")


def _insert(connection: sqlite3.Connection, game: KeptGame) -> None:
    number = connection.execute(_INSERT, astuple(game.facts) + astuple(game.standing)).lastrowid
    _insert_moves(connection, number, 0, game.moves)


def _insert_moves(connection: sqlite3.Connection, number: int | None, first: int, moves: Sequence[str]) -> None:
    rows = [(number, ply, text) for ply, text in enumerate(moves, first)]
    connection.executemany("INSERT INTO moves (game, ply, text) VALUES (?, ?, ?)", rows)
