"""Rooms: changes are serialised, and stored before the subscribers are notified."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from tablemen import GameError, GameOverError, Outcome, Side, Termination
from tablemen.draughts import Move, Position
from tablemen.web.games.room import RETRY_INTERVAL
from tablemen.web.games.store import Store, StoredMove, StoreError
from tablemen.web.models import GameState
from tests.fake_clock import Time
from tests.web.games.fixtures import BLACK, BOTH, NONE, WHITE, action, host, list_moves, move
from tests.web.games.room_fixture import RoomFixture, run_room


def test_subscribers_receive_new_plies_only(tmp_path: Path) -> None:
    async def scenario(fixture: RoomFixture) -> None:
        white = await fixture.join(WHITE)
        await fixture.act(move("32-28"), WHITE)
        black = await fixture.join(BLACK)
        await fixture.act(move("19-23"), BLACK)
        await fixture.act(action("takeback"), BLACK)
        await fixture.act(action("takeback"), WHITE)
        await fixture.act(move("18-23"), BLACK)
        assert white.plies() == [(0, []), (0, ["32-28"]), (1, []), (1, ["19-23"]), (2, []), (1, []), (1, ["18-23"])]
        assert black.plies() == [(0, ["32-28"]), (1, ["19-23"]), (2, []), (1, []), (1, ["18-23"])]
        assert [each.revision for each in black.states] == [1, 2, 3, 4, 5]
        assert (white.last.you, black.last.you) == (["white"], ["black"])
        assert white.last.turn == "white"
        assert "28-22" in {each.text for each in white.last.legal}
        stored = await fixture.stored()
        assert (stored.moves, stored.status.revision) == (list_moves("32-28", "18-23"), 5)

    run_room(tmp_path, scenario, host())


def test_a_move_is_parsed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parse, texts = Position.parse_move, []

    def record(position: Position, text: str) -> Move:
        texts.append(text)
        return parse(position, text)

    async def scenario(fixture: RoomFixture) -> None:
        recorders = [await fixture.join(sides) for sides in (WHITE, BLACK)]
        monkeypatch.setattr(Position, "parse_move", record)
        await fixture.act(move("32-28", 0), WHITE)
        assert texts == ["32-28"]
        assert [each.last.plies[-1].move.text for each in recorders] == texts * 2
        assert (await fixture.stored()).moves == list_moves(*texts)

    run_room(tmp_path, scenario, host())


def test_subscribers_see_who_is_connected(tmp_path: Path) -> None:
    def connected(state: GameState) -> list[str]:
        return [name for name, player in state.players.items() if player.connected]

    async def scenario(fixture: RoomFixture) -> None:
        spectator = await fixture.join(NONE)
        assert (connected(spectator.last), spectator.last.you, spectator.last.actions) == ([], [], [])
        white = await fixture.join(WHITE)
        assert connected(white.last) == connected(spectator.last) == ["white"]
        twice = await fixture.join(WHITE)
        await fixture.leave(twice)
        assert len(spectator.states) == 2  # the second connection of White changes nothing
        black = await fixture.join(BLACK)
        await fixture.leave(white)
        assert [connected(each) for each in spectator.states] == [[], ["white"], ["white", "black"], ["black"]]
        assert connected(black.last) == ["black"]
        assert spectator.last.revision == 0

    run_room(tmp_path, scenario, host())


def test_a_state_matches_its_model(tmp_path: Path) -> None:
    async def scenario(fixture: RoomFixture) -> None:
        await fixture.act(move("3"), BOTH)
        await fixture.act(action("takeback"), BOTH)
        await fixture.act(move("3"), BOTH)
        text = await fixture.room.state(BOTH, "here")
        state = GameState.model_validate_json(text)
        assert json.loads(text) == json.loads(state.model_dump_json())  # no field is missing
        assert (state.variant, state.houses, state.seeds, state.id) == ("kalah", 5, 3, fixture.room.hosted.info.id)
        assert [ply.side for ply in state.plies] == ["south"]
        assert state.plies[0].move.extra_turn
        assert state.clock is not None
        assert (state.clock.control, state.clock.running) == ("5+3", "south")
        assert state.you == ["south", "north"]

    run_room(tmp_path, scenario, host(variant="kalah", houses=5, seeds=3, side="south", opponent="screen", clock="5+3"))


@pytest.mark.parametrize(
    ("variant", "header"), [("english", '[Date "2026.05.09"]\n'), ("kalah", "Date: 2026.05.09\n")], ids=["PDN", "lines"]
)
def test_a_game_file_has_the_date(tmp_path: Path, variant: str, header: str) -> None:
    hosted = host(variant=variant, side=None)
    hosted.info = replace(hosted.info, created=datetime(2026, 5, 9, 12).astimezone().timestamp())

    async def scenario(fixture: RoomFixture) -> None:
        text, _ = await fixture.room.file()
        assert header in text

    run_room(tmp_path, scenario, hosted)


def test_a_change_that_cannot_be_stored_is_undone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise StoreError("the disk is full")

    async def scenario(fixture: RoomFixture) -> None:
        white = await fixture.join(WHITE)
        await fixture.act(move("32-28"), WHITE)
        with monkeypatch.context() as patch:
            patch.setattr(fixture.store, "write", fail)
            with pytest.raises(StoreError):
                await fixture.act(move("19-23"), BLACK)
            with pytest.raises(StoreError):
                await fixture.act(action("resign"), WHITE)
        assert len(white.states) == 2
        state = GameState.model_validate_json(await fixture.room.state(BLACK, "here"))
        assert (state.turn, len(state.plies), state.outcome, state.revision) == ("black", 1, None, 1)
        await fixture.act(move("18-23"), BLACK)
        assert [each.text for each in (await fixture.stored()).moves] == ["32-28", "18-23"]

    run_room(tmp_path, scenario, host(clock="5"))


def test_a_rematch_is_stored_together_with_its_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = Store.write

    async def fail(*_: object, **__: object) -> None:
        raise StoreError("the disk is full")

    async def scenario(fixture: RoomFixture) -> None:
        spectator = await fixture.join(NONE)
        await fixture.act(action("resign"), WHITE)
        await fixture.act(action("rematch"), WHITE)
        assert (spectator.last.offers, spectator.last.next) == ({"rematch": "white"}, None)
        monkeypatch.setattr(Store, "write", fail)
        with pytest.raises(StoreError):
            await fixture.act(action("rematch"), BLACK)
        assert (fixture.store.count, fixture.room.hosted.next) == (1, None)
        monkeypatch.setattr(Store, "write", write)
        await asyncio.gather(*(fixture.act(action("rematch"), BLACK) for _ in range(3)), fixture.leave(spectator))
        assert fixture.store.count == 2  # the rematch is created only once
        stored = await fixture.stored()
        assert stored.status.next is not None
        assert stored.status.next == fixture.room.hosted.next
        following = await fixture.store.read(stored.status.next)
        assert following is not None
        assert (following.info.white_key, following.info.black_key) == (stored.info.black_key, stored.info.white_key)
        assert following.moves == ()

    run_room(tmp_path, scenario, host())


def test_a_change_is_completed_after_its_request_is_cancelled(tmp_path: Path) -> None:
    async def scenario(fixture: RoomFixture) -> None:
        black = await fixture.join(BLACK)
        asking = asyncio.create_task(fixture.act(move("32-28"), WHITE))
        await asyncio.sleep(0)
        asking.cancel()  # the client has disconnected
        with pytest.raises(asyncio.CancelledError):
            await asking
        await fixture.until(lambda: len(black.states) == 2)
        assert black.plies()[-1] == (0, ["32-28"])
        assert (await fixture.stored()).moves == list_moves("32-28")

    run_room(tmp_path, scenario, host())


def test_concurrent_changes_are_serialised(tmp_path: Path) -> None:
    async def scenario(fixture: RoomFixture) -> None:
        results = await asyncio.gather(
            *(fixture.act(move(text, 0), WHITE) for text in ("32-28", "33-28", "32-28")), return_exceptions=True
        )
        assert [type(each) for each in results] == [type(None), GameError, type(None)]
        assert (await fixture.stored()).moves == list_moves("32-28")

    run_room(tmp_path, scenario, host())


def test_a_timer_ends_the_game_when_a_flag_falls(tmp_path: Path) -> None:
    async def scenario(fixture: RoomFixture) -> None:
        white = await fixture.join(WHITE)
        await fixture.act(move("32-28"), WHITE)
        await fixture.until(lambda: white.last.outcome is not None)
        assert fixture.room.hosted.game.outcome() == Outcome(Side.WHITE, Termination.TIME)
        assert white.last.clock is not None
        assert (white.last.clock.left["black"], white.last.clock.running) == (0.0, None)
        assert (await fixture.stored()).status.termination == "TIME"

    run_room(tmp_path, scenario, host(clock="0.2s+0"))


def test_a_move_after_the_flag_stores_the_loss(tmp_path: Path) -> None:
    time = Time(0)

    async def scenario(fixture: RoomFixture) -> None:
        white = await fixture.join(WHITE)
        await fixture.act(move("32-28"), WHITE)
        time.now = 1000
        with pytest.raises(GameOverError):
            await fixture.act(move("19-23"), BLACK)
        assert white.last.outcome is not None
        stored = await fixture.stored()
        assert stored.moves == (StoredMove("32-28", 300.0),)
        assert (stored.status.termination, stored.status.winner) == ("TIME", "white")

    run_room(tmp_path, scenario, host(time, clock="5"))


def test_a_fallen_flag_that_cannot_be_stored_is_retried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    time = Time(0)

    async def fail(*_: object, **__: object) -> None:
        raise StoreError("the disk is full")

    async def scenario(fixture: RoomFixture) -> None:
        await fixture.act(move("32-28"), WHITE)
        time.now = 1000
        with monkeypatch.context() as patch:
            patch.setattr(fixture.store, "write", fail)
            await fixture.room.check_time()
        assert fixture.room.hosted.game.outcome() is None
        assert fixture.room._flag_timer is not None
        assert fixture.room._flag_timer.when() > asyncio.get_running_loop().time() + RETRY_INTERVAL / 2
        await fixture.room.check_time()
        assert (await fixture.stored()).status.termination == "TIME"

    run_room(tmp_path, scenario, host(time, clock="5"))
