"""The database of games: round trips, migrations, and the deletion of old games."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tablemen.web.games.store import (
    MIGRATIONS,
    SCHEMA_VERSION,
    DamagedDatabaseError,
    GameStatus,
    Stage,
    Store,
    StoredGame,
    StoredMove,
    StoreError,
    recover_database,
)
from tests.timeouts import run_in_time
from tests.web.games.fixtures import INFO, OVER, STATUS, list_moves, open_store


def test_a_stored_game_is_read_again(path: Path) -> None:
    async def write(store: Store) -> None:
        await store.create(StoredGame(INFO, STATUS, list_moves("3", "4")))
        await store.create(StoredGame(replace(INFO, id="another"), GameStatus()))

    async def read(store: Store) -> list[StoredGame | None]:
        return [await store.read(name) for name in ("a game", "another", "none")]

    first = open_store(path)
    run_in_time(write(first))
    first.close()
    second = open_store(path)
    assert second.count == 2
    assert run_in_time(read(second)) == [
        StoredGame(INFO, STATUS, list_moves("3", "4")),
        StoredGame(replace(INFO, id="another"), GameStatus(), ()),
        None,
    ]
    second.close()


def test_moves_are_added_and_taken_back(path: Path) -> None:
    async def play() -> list[list[str]]:
        store = open_store(path)
        found = []
        await store.create(StoredGame(INFO, STATUS, list_moves("1", "2")))
        for keep, moves in ((2, ["3"]), (3, ["4"]), (1, []), (1, ["5", "6"])):
            await store.write(INFO.id, OVER, keep=keep, moves=list_moves(*moves))
            stored = await store.read(INFO.id)
            assert stored is not None
            assert stored.status == OVER
            found.append([move.text for move in stored.moves])
        store.close()
        return found

    assert run_in_time(play()) == [["1", "2", "3"], ["1", "2", "3", "4"], ["1"], ["1", "5", "6"]]


def test_a_game_and_its_rematch_are_stored_together(path: Path) -> None:
    moves = (StoredMove("3", 299.5),)
    following = StoredGame(replace(INFO, id="next", white_key=INFO.black_key), GameStatus(control="5+3"), moves)
    status = replace(OVER, rematch_offer=None, next="next")

    async def write(store: Store) -> None:
        await store.create(StoredGame(INFO, OVER, list_moves("3")))
        with pytest.raises(StoreError, match="none"):
            await store.write("none", status, keep=0, rematch=following)
        assert (await store.read("next"), store.count) == (None, 1)
        assert await store.read(INFO.id) == StoredGame(INFO, OVER, list_moves("3"))
        await store.write(INFO.id, status, keep=1, rematch=following)
        assert store.count == 2

    async def read(store: Store) -> list[StoredGame | None]:
        return [await store.read(name) for name in (INFO.id, "next")]

    first = open_store(path)
    run_in_time(write(first))
    first.close()
    second = open_store(path)
    assert second.count == 2
    assert run_in_time(read(second)) == [StoredGame(INFO, status, list_moves("3")), following]
    second.close()


def test_a_second_server_is_refused(path: Path) -> None:
    first = open_store(path)
    with pytest.raises(StoreError, match=r"games\.sqlite"):
        Store(path).open()
    first.close()
    open_store(path).close()


def test_a_database_of_a_newer_version_is_refused(path: Path) -> None:
    open_store(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    connection.close()
    for _ in range(2):  # the second time, the lock must be free again
        with pytest.raises(StoreError, match=str(SCHEMA_VERSION + 1)):
            Store(path).open()


def test_a_file_that_is_not_a_database_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("no database" * 100, encoding="utf-8")
    with pytest.raises(StoreError, match="text"):
        Store(text).open()
    (tmp_path / "folder").mkdir()
    with pytest.raises(StoreError, match="folder"):
        Store(tmp_path / "folder").open()
    with pytest.raises(StoreError, match="text"):
        Store(text / "games").open()


@pytest.mark.parametrize("version", [0, 1])
def test_a_database_of_another_program_is_not_changed(path: Path, version: int) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
        connection.execute(f"PRAGMA user_version = {version}")
    before = path.read_bytes()
    with pytest.raises(StoreError, match=path.name):
        Store(path).open()
    assert path.read_bytes() == before


def test_a_path_below_a_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path / "file" / "games.sqlite", tmp_path / "file" / "a" / "b" / "games.sqlite"):
        for open_database in (Store(path).open, lambda path=path: recover_database(path)):
            with pytest.raises(StoreError) as caught:
                open_database()
            assert str(caught.value) == f"{path}: {tmp_path / 'file'} is a file, not a folder"


PAGE_SIZE = 4096


def write_games(path: Path, count: int) -> dict[str, StoredGame]:
    """Write a database with some games of forty moves; return them by their ids."""
    games = [
        StoredGame(replace(INFO, id=f"game {number:03}"), STATUS, list_moves(*(f"{number}.{ply}" for ply in range(40))))
        for number in range(count)
    ]

    async def write() -> None:
        store = open_store(path)
        await asyncio.gather(*map(store.create, games))
        store.close()

    run_in_time(write())
    return {game.info.id: game for game in games}


def damage(path: Path, page: int, content: bytes) -> None:
    """Overwrite a page of a database, counted from 0."""
    with path.open("r+b") as file:
        file.seek(page * PAGE_SIZE)
        file.write(content)


async def read_all(path: Path, names: Iterable[str]) -> dict[str, StoredGame]:
    store = open_store(path)
    try:
        found = {name: await store.read(name) for name in names}
    finally:
        store.close()
    return {name: game for name, game in found.items() if game is not None}


@pytest.mark.slow
@pytest.mark.parametrize("content", [bytes(PAGE_SIZE), b"\xff" * PAGE_SIZE], ids=["zeros", "ones"])
def test_the_readable_games_of_a_damaged_database_are_recovered(
    path: Path, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Damage each page in turn: the damage is noticed, few games are lost, and none is changed."""
    monkeypatch.setattr("tablemen.web.games.store.MAX_UNREADABLE", 100)
    games = write_games(path, 60)
    original = path.read_bytes()
    lost = {}
    for page in range(1, len(original) // PAGE_SIZE):
        path.write_bytes(original)
        damage(path, page, content)
        damaged = path.read_bytes()
        with pytest.raises(DamagedDatabaseError, match="--recover"):
            open_store(path)
        assert path.read_bytes() == damaged
        try:
            recovery = recover_database(path)
        except StoreError:  # the root of a table
            assert path.read_bytes() == damaged
            lost[page] = len(games)
            continue
        assert recovery is not None
        assert recovery.damaged.read_bytes() == damaged
        found = run_in_time(read_all(path, games))
        assert found.items() <= games.items()
        assert recovery.games == len(found)
        lost[page] = len(games) - len(found)
        assert recovery.lost in {0, lost[page]}
    assert sum(count == len(games) for count in lost.values()) <= 2  # the roots of `games` and `moves`
    assert sum(0 < count < len(games) / 2 for count in lost.values()) >= 5
    assert {each.name for each in path.parent.iterdir()} >= {
        path.name,
        f"{path.name}.damaged1",
        f"{path.name}.damaged2",
    }
    assert not [each for each in path.parent.iterdir() if each.suffix in {".new", ".lock"}]


def test_an_intact_database_is_not_recovered(path: Path) -> None:
    games = write_games(path, 3)
    assert recover_database(path) is None
    assert run_in_time(read_all(path, games)) == games
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_the_check_of_a_large_database_is_bounded(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Without the check the server starts, and the games outside the damaged page can be read."""
    games = write_games(path, 40)
    damage(path, path.stat().st_size // PAGE_SIZE - 1, bytes(PAGE_SIZE))
    monkeypatch.setattr("tablemen.web.games.store.MAX_CHECKED_BYTES", path.stat().st_size - 1)

    async def read() -> int:
        store = open_store(path)
        results = await asyncio.gather(*map(store.read, games), return_exceptions=True)
        store.close()
        assert {type(each) for each in results} == {StoredGame, StoreError}
        return sum(isinstance(each, StoreError) for each in results)

    assert 0 < run_in_time(read()) < 20
    (message,) = caplog.messages  # only the first error is logged
    assert "--recover" in message


def test_stale_files_of_a_database_are_removed(path: Path) -> None:
    open_store(path).close()
    for suffix in (".lock", ".new"):
        path.with_name(path.name + suffix).touch()
    open_store(path).close()
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_old_games_are_deleted_in_order(path: Path) -> None:
    """Delete the oldest unplayed games first, then games that ended long ago, but never a game in progress."""
    stages: dict[str, Stage] = {"a": "new", "b": "over", "c": "played", "d": "new", "e": "new", "f": "over", "g": "new"}

    async def play() -> list[str]:
        store = open_store(path)
        for name, stage in stages.items():
            await store.create(StoredGame(replace(INFO, id=name), GameStatus(stage=stage), list_moves("1")))
        with closing(sqlite3.connect(path)) as other, other:
            other.execute("UPDATE games SET changed = changed - iif(id IN ('b', 'c'), 31, 1)")
        await store.write("a", GameStatus(), keep=1)  # makes it the newest

        async def remaining() -> str:
            return "".join([name for name in stages if await store.read(name) is not None])

        found = []
        for _ in range(5):
            await store.delete_old(2, days=30, except_for=["e"])
            found.append(await remaining())
        assert store.count == len(found[-1])
        store.close()
        return found

    assert run_in_time(play()) == ["abcef", "bcef", "cef", "cef", "cef"]
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM moves").fetchone() == (3,)


def test_close_finishes_queued_writes(path: Path) -> None:
    async def begin() -> None:
        store = open_store(path)
        await store.create(StoredGame(INFO, STATUS))
        writing = asyncio.create_task(store.write(INFO.id, OVER, keep=0, moves=list_moves("1")))
        await asyncio.sleep(0)  # starts the task, which queues the write
        store.close()
        store.close()  # a second call does nothing
        await writing

    run_in_time(begin())

    async def read() -> StoredGame | None:
        store = open_store(path)
        stored = await store.read(INFO.id)
        store.close()
        return stored

    assert run_in_time(read()) == StoredGame(INFO, OVER, list_moves("1"))


# Databases of version 0.1 with one game each, in its first and its last schema.
SCHEMA_1 = """
CREATE TABLE games (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, variant TEXT NOT NULL, houses INTEGER, seeds INTEGER,
    position TEXT, opening INTEGER NOT NULL, opponent TEXT NOT NULL, level INTEGER, white_key BLOB, black_key BLOB,
    created REAL NOT NULL, revision INTEGER NOT NULL, stage TEXT NOT NULL, control TEXT, winner TEXT, termination TEXT,
    white_used REAL NOT NULL, black_used REAL NOT NULL, white_added REAL NOT NULL, black_added REAL NOT NULL,
    draw_offer TEXT, takeback_offer TEXT, rematch_offer TEXT, next TEXT,
    changed REAL NOT NULL DEFAULT (julianday('now'))
) STRICT;
CREATE INDEX stages ON games (stage, changed);
CREATE TABLE moves (
    game INTEGER NOT NULL REFERENCES games (number) ON DELETE CASCADE, ply INTEGER NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (game, ply)
) STRICT, WITHOUT ROWID;
INSERT INTO games VALUES (1, 'a game', 'kalah', 6, 3, NULL, 1, 'link', NULL, x'007768697465', x'ff626c61636b', 1.5,
    7, 'new', '5+3', NULL, NULL, 1.25, 0.0, 0.0, 3.0, 'white', NULL, NULL, NULL, 2460000.5);
INSERT INTO moves VALUES (1, 0, '3'), (1, 1, '4');
PRAGMA application_id = 0x7461626c;
PRAGMA user_version = 1;
"""
SCHEMA_2 = (
    SCHEMA_1.replace("created REAL NOT NULL,", "created REAL NOT NULL, engine TEXT,")
    .replace("x'ff626c61636b', 1.5,", "x'ff626c61636b', 1.5, NULL,")
    .replace("user_version = 1", "user_version = 2")
)


@pytest.mark.parametrize("schema", [SCHEMA_1, SCHEMA_2], ids=["schema 1", "schema 2"])
def test_a_database_of_version_0_1_is_read(path: Path, schema: str) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(schema)
    for _ in range(2):  # the first time it is upgraded
        store = open_store(path)
        assert store.count == 1
        assert run_in_time(store.read("a game")) == StoredGame(INFO, STATUS, list_moves("3", "4"))
        store.close()
    store = open_store(path)
    named = replace(INFO, id="another", opponent="engine", engine="Scan")
    run_in_time(store.create(StoredGame(named, GameStatus())))
    assert run_in_time(store.read("another")) == StoredGame(named, GameStatus(), ())
    store.close()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)


def test_a_failed_upgrade_is_rolled_back(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(SCHEMA_1)
    broken = MIGRATIONS | {1: "ALTER TABLE games ADD COLUMN engine TEXT; ALTER TABLE no_games ADD COLUMN engine TEXT;"}
    with monkeypatch.context() as patched:
        patched.setattr("tablemen.web.games.store.MIGRATIONS", broken)
        with pytest.raises(StoreError, match="no such table: no_games"):
            open_store(path)
    store = open_store(path)
    assert run_in_time(store.read("a game")) == StoredGame(INFO, STATUS, list_moves("3", "4"))
    store.close()
