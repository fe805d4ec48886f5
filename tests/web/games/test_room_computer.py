"""The computer in a game that is played: it moves, gives hints, and tries again what could not be kept."""

from __future__ import annotations

import asyncio
import contextlib
import io
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tablemen import GameError, GameOverError
from tablemen.web.games.jobs import BusyComputerError
from tablemen.web.games.transactions import StoreError
from tests.patience import LONG
from tests.web.games.stage import Stage, play
from tests.web.tables import BLACK, BOTH, WHITE, action, move, table


@pytest.mark.parametrize(
    "asked",
    [
        pytest.param({"variant": "english"}, marks=pytest.mark.slow),
        {"variant": "kalah", "side": "north", "houses": 4, "seeds": 3},
    ],
)
def test_a_whole_game_against_the_computer(tmp_path: Path, asked: dict[str, Any]) -> None:
    async def scene(stage: Stage) -> None:
        game = stage.room.table.game
        (person,) = stage.room.table.people
        listener = await stage.join(frozenset({person}))
        assert listener.heard[0].thinking  # it has the first move
        while listener.last.outcome is None:
            if "move" in listener.last.actions:
                await stage.act(move(listener.last.legal[0].full, len(game.moves)), frozenset({person}))
            await stage.until(lambda: "move" in listener.last.actions or listener.last.outcome is not None)
        assert not listener.heard[-1].thinking
        kept = await stage.kept()
        changes = len(game.moves) + (game.declared is not None)  # the computer may have claimed a draw
        assert (len(kept.moves), kept.standing.revision) == (len(game.moves), changes)

    play(tmp_path, scene, table(**{"opponent": "computer", "level": 1, **asked}))


def test_a_takeback_while_the_computer_thinks(tmp_path: Path) -> None:
    async def scene(stage: Stage) -> None:
        white = await stage.join(WHITE)
        await stage.act(move("32-28"), WHITE)
        await stage.act(action("takeback"), WHITE)
        await stage.act(move("33-28"), WHITE)  # at once, while the other search ends
        assert [each.thinking for each in white.heard] == [False, True, False, True]
        await stage.until(lambda: not white.last.thinking)
        moves = (await stage.kept()).moves
        assert (moves[0], len(moves)) == ("33-28", 2)
        await stage.act(move(white.last.legal[0].full), WHITE)
        await stage.act(action("resign"), WHITE)
        assert white.last.outcome is not None
        await stage.leave(white)
        await stage.until(lambda: not stage.room.is_busy)  # the search ends, and nothing comes of it
        assert len((await stage.kept()).moves) == 3

    play(tmp_path, scene, table(opponent="computer", level=10))


@contextlib.contextmanager
def busy(stage: Stage) -> Iterator[None]:
    """The computer has something else to do, until the end of the block."""
    held = threading.Event()
    other = asyncio.ensure_future(stage.computer.run(lambda: held.wait(LONG), "elsewhere"))
    try:
        yield
    finally:
        held.set()
        other.add_done_callback(lambda done: done.result())


SHUFFLE = ["1-6", "32-28", "6-1", "28-32"] * 2


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ({"side": "white"}, "32-28"),
        # A draw can be claimed, which the computer does and the person may do.
        ({"variant": "english", "position": "B:WK32:BK1", "moves": SHUFFLE, "side": "black"}, "1-5"),
    ],
    ids=["a move", "a claim"],
)
def test_a_takeback_before_the_computer_thinks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: dict[str, Any], text: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))  # whose end would be a resignation

    async def scene(stage: Stage) -> None:
        person = stage.room.table.people
        count = len(stage.room.table.game.moves)
        with busy(stage):
            await stage.join(person)
            await stage.act(move(text), person)
            await stage.act(action("takeback"), person)
            assert stage.room._thinking is not None
        await stage.until(lambda: stage.room._thinking is None)
        assert (stage.room.table.game.outcome(), len(stage.room.table.game.moves)) == (None, count)
        assert (await stage.kept()).standing.revision == 2

    play(tmp_path, scene, table(opponent="computer", level=1, **asked))


def test_nobody_asks_the_keyboard_of_the_server() -> None:
    with pytest.raises(GameError, match="for a person to move"):
        table().session.choose()


def test_the_computer_tries_again_what_could_not_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablemen.web.games.room.RETRY_SECONDS", 0.0)
    failed: list[object] = []

    async def scene(stage: Stage) -> None:
        write = stage.store.write

        async def fail_once(*words: Any, **more: Any) -> None:
            if words[1].revision == 2 and not failed:
                failed.append(words)
                raise StoreError("the disk is full")
            await write(*words, **more)

        monkeypatch.setattr(stage.store, "write", fail_once)
        await stage.act(move("32-28"), WHITE)
        await stage.until(lambda: len(stage.room.table.game.moves) == 2)
        await stage.until(lambda: not stage.room.is_busy)
        assert len((await stage.kept()).moves) == 2
        monkeypatch.setattr("tablemen.web.games.room.RETRY_SECONDS", 3600.0)
        stage.room._wake_later()
        assert stage.room._retry is not None
        stage.room.close()
        assert stage.room._retry.cancelled()

    play(tmp_path, scene, table(opponent="computer", level=1))
    assert len(failed) == 1


def test_who_asks_too_much_of_the_computer_waits(tmp_path: Path) -> None:
    async def scene(stage: Stage) -> None:
        stage.computer._turns._max_waiting_per_client = 1
        with busy(stage):
            other = asyncio.ensure_future(stage.computer.run(lambda: None, "here"))
            await asyncio.sleep(0)
            with pytest.raises(BusyComputerError, match="your other games"):
                await stage.act(action("hint"), WHITE)
            await stage.act(move("32-28"), WHITE)
            await stage.until(lambda: stage.room._retry is not None)
            assert not stage.room.is_busy  # so that it can leave memory
        await other
        await stage.room.state(WHITE, "here")  # whoever looks at the game wakes the computer again
        await stage.until(lambda: len(stage.room.table.game.moves) == 2)

    play(tmp_path, scene, table(opponent="computer", level=1))


def test_hints(tmp_path: Path) -> None:
    async def scene(stage: Stage) -> None:
        hint = await stage.act(action("hint"), BOTH)
        assert hint is not None
        assert hint.text in {str(each) for each in stage.room.table.game.legal_moves()}
        assert stage.room.table.game.moves == ()
        await stage.act(action("resign"), BOTH)
        with pytest.raises(GameOverError):
            await stage.act(action("hint"), BOTH)

    async def between_two(stage: Stage) -> None:
        with pytest.raises(GameError, match="no hints between two"):
            await stage.act(action("hint"), WHITE)

    async def not_yours(stage: Stage) -> None:
        with pytest.raises(GameError, match="not your turn"):
            await stage.act(action("hint"), BLACK)

    play(tmp_path / "screen", scene, table(opponent="screen"))
    play(tmp_path / "link", between_two, table())
    play(tmp_path / "computer", not_yours, table(opponent="computer", side="black"))
