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
from tablemen.web.games.opponents import BusyComputerError
from tablemen.web.games.store import StoreError
from tests.patience import LONG
from tests.web.games.fixtures import BLACK, BOTH, WHITE, action, host, move
from tests.web.games.room_fixture import RoomFixture, run_room


@pytest.mark.parametrize(
    "asked",
    [
        pytest.param({"variant": "english"}, marks=pytest.mark.slow),
        {"variant": "kalah", "side": "north", "houses": 4, "seeds": 3},
    ],
)
def test_a_whole_game_against_the_computer(tmp_path: Path, asked: dict[str, Any]) -> None:
    async def scenario(fixture: RoomFixture) -> None:
        game = fixture.room.hosted.game
        (person,) = fixture.room.hosted.people
        listener = await fixture.join(frozenset({person}))
        assert listener.states[0].thinking  # it has the first move
        while listener.last.outcome is None:
            if "move" in listener.last.actions:
                await fixture.act(move(listener.last.legal[0].full, len(game.moves)), frozenset({person}))
            await fixture.until(lambda: "move" in listener.last.actions or listener.last.outcome is not None)
        assert not listener.states[-1].thinking
        kept = await fixture.stored()
        changes = len(game.moves) + (game.declared is not None)  # the computer may have claimed a draw
        assert (len(kept.moves), kept.status.revision) == (len(game.moves), changes)

    run_room(tmp_path, scenario, host(**{"opponent": "computer", "level": 1, **asked}))


def test_a_takeback_while_the_computer_thinks(tmp_path: Path) -> None:
    async def scenario(fixture: RoomFixture) -> None:
        white = await fixture.join(WHITE)
        await fixture.act(move("32-28"), WHITE)
        await fixture.act(action("takeback"), WHITE)
        await fixture.act(move("33-28"), WHITE)  # at once, while the other search ends
        assert [each.thinking for each in white.states] == [False, True, False, True]
        await fixture.until(lambda: not white.last.thinking)
        moves = (await fixture.stored()).moves
        assert (moves[0], len(moves)) == ("33-28", 2)
        await fixture.act(move(white.last.legal[0].full), WHITE)
        await fixture.act(action("resign"), WHITE)
        assert white.last.outcome is not None
        await fixture.leave(white)
        await fixture.until(lambda: not fixture.room.is_busy)  # the search ends, and nothing comes of it
        assert len((await fixture.stored()).moves) == 3

    run_room(tmp_path, scenario, host(opponent="computer", level=10))


@contextlib.contextmanager
def busy(fixture: RoomFixture) -> Iterator[None]:
    """The computer has something else to do, until the end of the block."""
    held = threading.Event()
    other = asyncio.ensure_future(fixture.computer.run(lambda: held.wait(LONG), "elsewhere"))
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

    async def scenario(fixture: RoomFixture) -> None:
        person = fixture.room.hosted.people
        count = len(fixture.room.hosted.game.moves)
        with busy(fixture):
            await fixture.join(person)
            await fixture.act(move(text), person)
            await fixture.act(action("takeback"), person)
            assert fixture.room._search is not None
        await fixture.until(lambda: fixture.room._search is None)
        assert (fixture.room.hosted.game.outcome(), len(fixture.room.hosted.game.moves)) == (None, count)
        assert (await fixture.stored()).status.revision == 2

    run_room(tmp_path, scenario, host(opponent="computer", level=1, **asked))


def test_nobody_asks_the_keyboard_of_the_server() -> None:
    with pytest.raises(GameError, match="not the computer's turn"):
        host().choose()


def test_the_computer_tries_again_what_could_not_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablemen.web.games.room.RETRY_INTERVAL", 0.0)
    failed: list[object] = []

    async def scenario(fixture: RoomFixture) -> None:
        write = fixture.store.write

        async def fail_once(*words: Any, **more: Any) -> None:
            if words[1].revision == 2 and not failed:
                failed.append(words)
                raise StoreError("the disk is full")
            await write(*words, **more)

        monkeypatch.setattr(fixture.store, "write", fail_once)
        await fixture.act(move("32-28"), WHITE)
        await fixture.until(lambda: len(fixture.room.hosted.game.moves) == 2)
        await fixture.until(lambda: not fixture.room.is_busy)
        assert len((await fixture.stored()).moves) == 2
        monkeypatch.setattr("tablemen.web.games.room.RETRY_INTERVAL", 3600.0)
        fixture.room._start_search_later()
        assert fixture.room._retry_timer is not None
        fixture.room.close()
        assert fixture.room._retry_timer.cancelled()

    run_room(tmp_path, scenario, host(opponent="computer", level=1))
    assert len(failed) == 1


def test_who_asks_too_much_of_the_computer_waits(tmp_path: Path) -> None:
    async def scenario(fixture: RoomFixture) -> None:
        fixture.computer._turns._most_of_one = 1
        with busy(fixture):
            other = asyncio.ensure_future(fixture.computer.run(lambda: None, "here"))
            await asyncio.sleep(0)
            with pytest.raises(BusyComputerError, match="your other games"):
                await fixture.act(action("hint"), WHITE)
            await fixture.act(move("32-28"), WHITE)
            await fixture.until(lambda: fixture.room._retry_timer is not None)
            assert not fixture.room.is_busy  # so that it can leave memory
        await other
        await fixture.room.state(WHITE, "here")  # whoever looks at the game wakes the computer again
        await fixture.until(lambda: len(fixture.room.hosted.game.moves) == 2)

    run_room(tmp_path, scenario, host(opponent="computer", level=1))


def test_hints(tmp_path: Path) -> None:
    async def scenario(fixture: RoomFixture) -> None:
        hint = await fixture.act(action("hint"), BOTH)
        assert hint is not None
        assert hint.text in {str(each) for each in fixture.room.hosted.game.legal_moves()}
        assert fixture.room.hosted.game.moves == ()
        await fixture.act(action("resign"), BOTH)
        with pytest.raises(GameOverError):
            await fixture.act(action("hint"), BOTH)

    async def between_two(fixture: RoomFixture) -> None:
        with pytest.raises(GameError, match="no hints between two"):
            await fixture.act(action("hint"), WHITE)

    async def not_yours(fixture: RoomFixture) -> None:
        with pytest.raises(GameError, match="not your turn"):
            await fixture.act(action("hint"), BLACK)

    run_room(tmp_path / "screen", scenario, host(opponent="screen"))
    run_room(tmp_path / "link", between_two, host())
    run_room(tmp_path / "computer", not_yours, host(opponent="computer", side="black"))
