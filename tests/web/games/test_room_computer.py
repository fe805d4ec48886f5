"""Rooms with the computer: moves, hints and retries."""

from __future__ import annotations

import asyncio
import contextlib
import io
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tablemen import Game, GameError, GameOverError, Outcome, Side, Termination
from tablemen.draughts import ENGLISH
from tablemen.draughts.tablebase import random_positions
from tablemen.endgame import Wdl
from tablemen.family import get_family
from tablemen.web.endgames import ProvenDraw, prove_draw
from tablemen.web.games.opponents import BusyComputerError
from tablemen.web.games.store import StoreError
from tests.timeouts import TIMEOUT
from tests.web.games.fixtures import BLACK, BOTH, WHITE, action, engines, host, move, reload
from tests.web.games.room_fixture import RoomFixture, run_room


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({"variant": "english"}, marks=pytest.mark.slow),
        {"variant": "kalah", "side": "north", "houses": 4, "seeds": 3},
    ],
)
def test_a_game_against_the_computer_is_played_to_its_end(tmp_path: Path, options: dict[str, Any]) -> None:
    async def scenario(fixture: RoomFixture) -> None:
        game = fixture.room.hosted.game
        (person,) = fixture.room.hosted.people
        recorder = await fixture.join(frozenset({person}))
        assert recorder.states[0].thinking  # the computer has the first move
        while recorder.last.outcome is None:
            if "move" in recorder.last.actions:
                await fixture.act(move(recorder.last.legal[0].full, len(game.moves)), frozenset({person}))
            await fixture.until(lambda: "move" in recorder.last.actions or recorder.last.outcome is not None)
        assert not recorder.states[-1].thinking
        stored = await fixture.stored()
        changes = len(game.moves) + (game.declared is not None)  # the computer may have claimed a draw
        assert (len(stored.moves), stored.status.revision) == (len(game.moves), changes)

    run_room(tmp_path, scenario, host(**{"opponent": "computer", "level": 1, **options}))


def test_a_takeback_during_the_search_discards_its_result(tmp_path: Path) -> None:
    async def scenario(fixture: RoomFixture) -> None:
        white = await fixture.join(WHITE)
        await fixture.act(move("32-28"), WHITE)
        await fixture.act(action("takeback"), WHITE)
        await fixture.act(move("33-28"), WHITE)  # before the first search has ended
        assert [each.thinking for each in white.states] == [False, True, False, True]
        await fixture.until(lambda: not white.last.thinking)
        moves = (await fixture.stored()).moves
        assert (moves[0].text, len(moves)) == ("33-28", 2)
        await fixture.act(move(white.last.legal[0].full), WHITE)
        await fixture.act(action("resign"), WHITE)
        assert white.last.outcome is not None
        await fixture.leave(white)
        await fixture.until(lambda: not fixture.room.is_busy)  # the result of the search is dropped
        assert len((await fixture.stored()).moves) == 3

    run_room(tmp_path, scenario, host(opponent="computer", level=10))


@contextlib.contextmanager
def busy(fixture: RoomFixture) -> Iterator[None]:
    """Occupy the computer until the end of the block."""
    held = threading.Event()
    other = asyncio.ensure_future(fixture.computer.run(lambda: held.wait(TIMEOUT), "elsewhere"))
    try:
        yield
    finally:
        held.set()
        other.add_done_callback(lambda done: done.result())


SHUFFLE = ["1-6", "32-28", "6-1", "28-32"] * 2


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"side": "white"}, "32-28"),
        # A draw can be claimed. The computer would claim it.
        ({"variant": "english", "position": "B:WK32:BK1", "moves": SHUFFLE, "side": "black"}, "1-5"),
    ],
    ids=["a move", "a claim"],
)
def test_a_takeback_before_the_search_cancels_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: dict[str, Any], text: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))  # a player that read it would resign

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

    run_room(tmp_path, scenario, host(opponent="computer", level=1, **options))


def test_the_computer_does_not_move_for_people() -> None:
    with pytest.raises(GameError):
        host().choose()


def test_a_move_of_the_computer_that_cannot_be_stored_is_retried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablemen.web.games.room.RETRY_INTERVAL", 0.0)
    failed: list[object] = []

    async def scenario(fixture: RoomFixture) -> None:
        write = fixture.store.write

        async def fail_once(*arguments: Any, **options: Any) -> None:
            if arguments[1].revision == 2 and not failed:
                failed.append(arguments)
                raise StoreError("the disk is full")
            await write(*arguments, **options)

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


def test_the_computer_retries_if_the_queue_of_the_client_is_full(tmp_path: Path) -> None:
    async def scenario(fixture: RoomFixture) -> None:
        fixture.computer.queue._max_waiting_per_client = 1
        with busy(fixture):
            other = asyncio.ensure_future(fixture.computer.run(lambda: None, "here"))
            await asyncio.sleep(0)
            with pytest.raises(BusyComputerError):
                await fixture.act(action("hint"), WHITE)
            await fixture.act(move("32-28"), WHITE)
            await fixture.until(lambda: fixture.room._retry_timer is not None)
            assert not fixture.room.is_busy  # the room can leave memory
        await other
        await fixture.room.state(WHITE, "here")  # starts the search again
        await fixture.until(lambda: len(fixture.room.hosted.game.moves) == 2)

    run_room(tmp_path, scenario, host(opponent="computer", level=1))


def test_hints_are_only_for_the_side_to_move_without_a_human_opponent(tmp_path: Path) -> None:
    async def scenario(fixture: RoomFixture) -> None:
        hint = await fixture.act(action("hint"), BOTH)
        assert hint is not None
        assert hint.text in {str(each) for each in fixture.room.hosted.game.legal_moves()}
        assert fixture.room.hosted.game.moves == ()
        await fixture.act(action("resign"), BOTH)
        with pytest.raises(GameOverError):
            await fixture.act(action("hint"), BOTH)

    async def between_two(fixture: RoomFixture) -> None:
        with pytest.raises(GameError):
            await fixture.act(action("hint"), WHITE)

    async def not_yours(fixture: RoomFixture) -> None:
        with pytest.raises(GameError):
            await fixture.act(action("hint"), BLACK)

    run_room(tmp_path / "screen", scenario, host(opponent="screen"))
    run_room(tmp_path / "link", between_two, host())
    run_room(tmp_path / "computer", not_yours, host(opponent="computer", side="black"))


def test_a_hint_is_the_best_move_of_a_tablebase(tmp_path: Path) -> None:
    async def scenario(fixture: RoomFixture) -> None:
        endgame = get_family(ENGLISH).probe_endgame(fixture.room.hosted.game)
        assert endgame is not None
        hint = await fixture.act(action("hint"), BOTH)
        assert hint is not None
        assert hint.reason
        if endgame.wdl is Wdl.DRAW:
            assert hint.text in {str(each.move) for each in endgame.with_value(Wdl.DRAW)}
        else:
            assert hint.text == str(endgame.best_move)
            assert f" in {endgame.distance} pl" in hint.reason
        values.add(endgame.wdl)

    values: set[Wdl] = set()
    for number, start in enumerate(random_positions(ENGLISH, 3, 12, seed=4)):
        if Game(start).outcome() is None:
            run_room(tmp_path / str(number), scenario, host(variant="english", position=start.fen(), opponent="screen"))
    assert values == set(Wdl)


@pytest.mark.usefixtures("fakes")
@pytest.mark.parametrize("opponent", ["computer", "engine"])
def test_a_draw_is_claimed_exactly_if_a_tablebase_proves_it(tmp_path: Path, opponent: str) -> None:
    known: dict[str, Any] = {"opponent": opponent, "engine": "Fake", "engines": engines(Fake="fake:waits")}

    async def scenario(fixture: RoomFixture) -> None:
        hosted = fixture.room.hosted
        endgame = get_family(ENGLISH).probe_endgame(hosted.game)
        assert endgame is not None
        assert "draw" in hosted.actions(hosted.people)
        if endgame.wdl is Wdl.DRAW:
            await fixture.act(action("draw"), hosted.people)
            assert hosted.game.outcome() == Outcome(None, Termination.PROVEN_DRAW)
            assert reload(hosted).game.outcome() == hosted.game.outcome()
            with pytest.raises(GameOverError):
                await fixture.act(action("draw"), hosted.people)
            await fixture.act(action("takeback"), hosted.people)
        else:
            with pytest.raises(GameError):
                await fixture.act(action("draw"), hosted.people)
        assert hosted.game.outcome() is None
        values.add(endgame.wdl)

    values: set[Wdl] = set()
    for number, start in enumerate(random_positions(ENGLISH, 3, 12, seed=4)):
        if Game(start).outcome() is None:
            side = "white" if start.turn is Side.WHITE else "black"
            game = host(variant="english", position=start.fen(), side=side, **known)
            run_room(tmp_path / str(number), scenario, game)
    assert values == set(Wdl)


def test_a_proof_holds_only_for_the_position_when_it_was_asked_for(tmp_path: Path) -> None:
    async def scenario(fixture: RoomFixture) -> None:
        claiming = asyncio.ensure_future(fixture.act(action("draw"), WHITE))
        while not fixture.computer.probes.queue.running:
            await asyncio.sleep(0)
        await fixture.act(move("10-7"), WHITE)
        released.set()
        with pytest.raises(GameError):
            await claiming
        assert fixture.room.hosted.game.outcome() is None

    released = threading.Event()

    def prove_late(position: Any) -> ProvenDraw | None:
        assert released.wait(TIMEOUT)
        return prove_draw(position)

    drawn: dict[str, Any] = {"variant": "english", "position": "W:WK10:BK27", "opponent": "computer", "level": 10}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tablemen.web.games.room.prove_draw", prove_late)
        run_room(tmp_path, scenario, host(**drawn))
