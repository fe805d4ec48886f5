"""The messages of hosted games, engines and the database."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TypeAlias

import pytest

from tablemen import ArgumentError, GameError, GameOverError, TablemenError
from tablemen.errors import PeerGoneError, PeerTimeoutError, ProtocolError
from tablemen.web.games.hosted_game import HostedGame, Sides
from tablemen.web.games.opponents import (
    BusyComputerError,
    Computer,
    MissingEngineError,
    RefusedGameError,
    SharedEnginePlayer,
    describe_failure,
    parse_engine,
)
from tablemen.web.games.rooms import PlyBudget, create_game
from tablemen.web.games.store import Store, StoredGame, StoreError
from tablemen.web.limits import TooManyError
from tablemen.web.models import NewGame
from tablemen.web.serialize import NoSuchVariantError
from tests.golden import check_errors, check_golden
from tests.timeouts import run_in_time
from tests.web.games.fixtures import (
    BLACK,
    BOTH,
    INFO,
    NO_ENGINES,
    STATUS,
    WHITE,
    action,
    engines,
    host,
    move,
    open_store,
    play,
    reload,
)

HERE = Path(__file__).parent
Cases: TypeAlias = dict[str, tuple[type[Exception], Callable[[], object]]]


def finished(opponent: str = "link", sides: Sides = BLACK) -> HostedGame:
    """Return a game that was resigned."""
    game = host(opponent=opponent)
    game.act(action("resign"), sides)
    return game


def after(game: HostedGame, name: str, sides: Sides) -> HostedGame:
    """Return the game after an action."""
    game.act(action(name), sides)
    return game


def game_cases() -> Cases:
    played = host()
    play(played, "32-28", "19-23")
    begun = host()
    play(begun, "32-28")
    outdated = host(opponent="computer", level=1, side="black")
    choice = outdated.choose()
    outdated.act(action("resign"), BLACK)
    computer, link = host(opponent="computer"), host()
    engine = host(opponent="engine", engine="Fake", engines=engines(Fake="fake:plays"))
    return {
        "move, outdated ply": (GameError, lambda: begun.act(move("33-28", 0), WHITE)),
        "move, future ply": (GameError, lambda: begun.act(move("19-23", 2), BLACK)),
        "move, repeated by the other side": (GameError, lambda: begun.act(move("32-28", 0), BLACK)),
        "move, other side's turn": (GameError, lambda: link.act(move("19-23"), BLACK)),
        "move, limit reached": (GameError, lambda: played.act(move("28x19"), WHITE)),
        "move, game over": (GameOverError, lambda: finished().act(move("32-28"), WHITE)),
        "takeback, no move": (GameError, lambda: link.act(action("takeback"), WHITE)),
        "takeback, only the opening": (
            GameError,
            lambda: host(opponent="screen", moves=["32-28"]).act(action("takeback"), BOTH),
        ),
        "takeback, asked twice": (
            GameError,
            lambda: after(begun, "takeback", WHITE).act(action("takeback"), WHITE),
        ),
        "draw, offered twice": (GameError, lambda: after(host(), "draw", WHITE).act(action("draw"), WHITE)),
        "draw, computer": (GameError, lambda: computer.act(action("draw"), WHITE)),
        "draw, engine": (GameError, lambda: engine.act(action("draw"), WHITE)),
        "decline, no offer": (GameError, lambda: link.act(action("decline"), WHITE)),
        "decline, own offer": (GameError, lambda: after(host(), "draw", BLACK).act(action("decline"), BLACK)),
        "rematch, asked twice": (
            GameError,
            lambda: after(finished(), "rematch", BLACK).act(action("rematch"), BLACK),
        ),
        "rematch, game in progress": (GameError, lambda: link.act(action("rematch"), WHITE)),
        "rematch, computer": (GameError, lambda: finished("computer", WHITE).act(action("rematch"), WHITE)),
        "hint, two people": (GameError, lambda: link.copy_for_hint(WHITE)),
        "hint, other side's turn": (GameError, lambda: computer.copy_for_hint(BLACK)),
        "retry, no failure": (GameError, engine.retry),
        "computer's move, person's turn": (GameError, link.choose),
        "computer's move, game has changed": (GameError, lambda: outdated.play_choice(choice)),
    }


def new_game_cases() -> Cases:
    def create(**request: str) -> Callable[[], object]:
        return partial(create_game, NewGame.model_validate(request), NO_ENGINES)

    return {
        "new game, unknown variant": (NoSuchVariantError, create(variant="nothing")),
        "new game, unknown side": (ArgumentError, create(variant="english", side="north")),
        "new game, game over": (GameOverError, create(variant="english", position="W:W1:B")),
        "new game, no engines": (TablemenError, create(variant="english", opponent="engine", engine="Scan")),
    }


def engine_cases() -> Cases:
    known = engines(Fake="fake:choosy", Mini="minimax:depth=1")
    request = NewGame(variant="kalah", opponent="engine", engine="Fake")
    closed, refusing = engines(Fake="fake:plays"), engines(Fake="fake:refuses")
    run_in_time(closed.close())
    game, missing = host(), reload(host(opponent="engine", engine="Fake", engines=engines(Fake="fake:plays")))
    missing.act(move("32-28"), WHITE)
    return {
        "engine, does not play the variant": (TablemenError, lambda: create_game(request, known)),
        "engine, unknown": (
            ArgumentError,
            lambda: create_game(request.model_copy(update={"engine": "scan hub"}), known),
        ),
        "engine, empty name": (ArgumentError, lambda: parse_engine("", "random")),
        "engine, control character in the name": (ArgumentError, lambda: parse_engine("a\x1bb", "random")),
        "engine, space before the name": (ArgumentError, lambda: parse_engine(" Scan", "random")),
        "engine, human player": (TablemenError, lambda: parse_engine("Scan", "human")),
        "engine, missing": (MissingEngineError, missing.choose),
        "engine, closed": (
            PeerGoneError,
            lambda: SharedEnginePlayer("Fake", closed.find("Fake")).choose(game.game),
        ),
        "engine, refuses the variant": (
            RefusedGameError,
            lambda: SharedEnginePlayer("Fake", refusing.find("Fake")).choose(game.game),
        ),
    }


async def queue_too_many_jobs() -> None:
    computer = Computer(searches=1, table_mb=1, seconds=1, waiting_of_one=0)
    try:
        await asyncio.gather(computer.run(lambda: None, "a"), computer.run(lambda: None, "a"))
    finally:
        await computer.close()


def limit_cases() -> Cases:
    budget = PlyBudget(8)
    budget.add("one", 3, "a")
    budget.add("another", 3, "b")
    return {
        "memory, one address": (TooManyError, lambda: budget.check("a", 2)),
        "memory, all addresses": (TooManyError, lambda: budget.check("c", 3)),
        "computer, too many queued jobs": (BusyComputerError, lambda: run_in_time(queue_too_many_jobs())),
    }


@pytest.mark.golden
@pytest.mark.usefixtures("fakes")
def test_error_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablemen.web.games.hosted_game.MAX_MOVES", 2)
    check_errors(HERE / "error_messages.txt", game_cases() | new_game_cases() | engine_cases() | limit_cases())


@pytest.mark.golden
def test_descriptions_of_engine_failures() -> None:
    failures: dict[str, Exception] = {
        "exited": PeerGoneError("/secret/scan", "ended"),
        "timeout": PeerTimeoutError("/secret/scan", "did not move", 3),
        "protocol error": ProtocolError("/secret/scan", "said", "done"),
        "refused": RefusedGameError("/secret/scan", "it has no such variant"),
        "missing": MissingEngineError("this server no longer has Scan"),
        "other": TablemenError("/secret/scan"),
    }
    check_golden(
        HERE / "engine_failures.txt", {name: describe_failure("Scan", error) for name, error in failures.items()}
    )


def write_database(path: Path, script: str) -> Store:
    """Run an SQL script on a database, and return its store."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)
    return Store(path)


@pytest.mark.golden
def test_messages_of_the_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # so that the messages have short paths
    Path("text").write_text("no database" * 100, encoding="utf-8")
    Path("folder").mkdir()
    locked, closed = open_store(Path("locked.sqlite")), open_store(Path("closed.sqlite"))
    closed.close()
    open_store(Path("newer.sqlite")).close()
    newer = write_database(Path("newer.sqlite"), "PRAGMA user_version = 99")
    foreign = write_database(Path("foreign.sqlite"), "CREATE TABLE bookmarks (url TEXT)")

    async def write_missing_game() -> None:
        await locked.write("none", STATUS, keep=0)

    async def create_twice() -> None:
        await locked.create(StoredGame(INFO, STATUS))
        await locked.create(StoredGame(INFO, STATUS))

    check_errors(
        HERE / "database_messages.txt",
        {
            "used by another server": (StoreError, Store(Path("locked.sqlite")).open),
            "newer version": (StoreError, newer.open),
            "another program's database": (StoreError, foreign.open),
            "text file": (StoreError, Store(Path("text")).open),
            "folder": (StoreError, Store(Path("folder")).open),
            "file instead of a folder": (StoreError, Store(Path("text", "games.sqlite")).open),
            "closed": (StoreError, lambda: run_in_time(closed.read("none"))),
            "missing game": (StoreError, lambda: run_in_time(write_missing_game())),
            "game exists already": (StoreError, lambda: run_in_time(create_twice())),
        },
    )
    locked.close()
