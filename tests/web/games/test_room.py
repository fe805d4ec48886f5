"""A game that is played: one change at a time, kept before it is told."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from tablemen import GameError, GameOverError, Outcome, Side, Termination
from tablemen.web.games.room import RETRY_SECONDS
from tablemen.web.games.store import Store
from tablemen.web.games.transactions import StoreError
from tablemen.web.models import GameState
from tests.time_for_tests import Time
from tests.web.games.stage import Stage, play
from tests.web.tables import BLACK, BOTH, NONE, WHITE, action, move, table


def test_everybody_hears_what_they_do_not_know(tmp_path: Path) -> None:
    async def scene(stage: Stage) -> None:
        white = await stage.join(WHITE)
        await stage.act(move("32-28"), WHITE)
        black = await stage.join(BLACK)
        await stage.act(move("19-23"), BLACK)
        await stage.act(action("takeback"), BLACK)
        await stage.act(action("takeback"), WHITE)
        await stage.act(move("18-23"), BLACK)
        assert white.told() == [(0, []), (0, ["32-28"]), (1, []), (1, ["19-23"]), (2, []), (1, []), (1, ["18-23"])]
        assert black.told() == [(0, ["32-28"]), (1, ["19-23"]), (2, []), (1, []), (1, ["18-23"])]
        assert [each.revision for each in black.heard] == [1, 2, 3, 4, 5]
        assert (white.last.you, black.last.you) == (["white"], ["black"])
        assert white.last.turn == "white"
        assert "28-22" in {each.text for each in white.last.legal}
        kept = await stage.kept()
        assert (kept.moves, kept.standing.revision) == (("32-28", "18-23"), 5)

    play(tmp_path, scene, table())


def test_who_is_there(tmp_path: Path) -> None:
    def connected(state: GameState) -> list[str]:
        return [name for name, seat in state.players.items() if seat.connected]

    async def scene(stage: Stage) -> None:
        spectator = await stage.join(NONE)
        assert (connected(spectator.last), spectator.last.you, spectator.last.actions) == ([], [], [])
        white = await stage.join(WHITE)
        assert connected(white.last) == connected(spectator.last) == ["white"]
        twice = await stage.join(WHITE)
        await stage.leave(twice)
        assert len(spectator.heard) == 2  # nothing has changed for others
        black = await stage.join(BLACK)
        await stage.leave(white)
        assert [connected(each) for each in spectator.heard] == [[], ["white"], ["white", "black"], ["black"]]
        assert connected(black.last) == ["black"]
        assert spectator.last.revision == 0

    play(tmp_path, scene, table())


def test_a_state_is_what_the_models_say(tmp_path: Path) -> None:
    async def scene(stage: Stage) -> None:
        await stage.act(move("3"), BOTH)
        await stage.act(action("takeback"), BOTH)
        await stage.act(move("3"), BOTH)
        text = await stage.room.state(BOTH, "here")
        state = GameState.model_validate_json(text)
        assert json.loads(text) == json.loads(state.model_dump_json())  # nothing is left out
        assert (state.variant, state.houses, state.seeds, state.id) == ("kalah", 5, 3, stage.room.table.facts.id)
        assert [ply.side for ply in state.plies] == ["south"]
        assert state.plies[0].move.extra_turn
        assert state.clock is not None
        assert (state.clock.control, state.clock.running) == ("5+3", "south")
        assert state.you == ["south", "north"]

    play(tmp_path, scene, table(variant="kalah", houses=5, seeds=3, side="south", opponent="screen", clock="5+3"))


@pytest.mark.parametrize(
    ("variant", "says"), [("english", '[Date "2026.05.09"]\n'), ("kalah", "Date: 2026.05.09\n")], ids=["PDN", "lines"]
)
def test_a_file_says_when_the_game_began(tmp_path: Path, variant: str, says: str) -> None:
    made = table(variant=variant, side=None)
    made.facts = replace(made.facts, created=datetime(2026, 5, 9, 12).astimezone().timestamp())

    async def scene(stage: Stage) -> None:
        text, _ = await stage.room.sheet()
        assert says in text

    play(tmp_path, scene, made)


def test_what_cannot_be_kept_has_not_happened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise StoreError("the disk is full")

    async def scene(stage: Stage) -> None:
        white = await stage.join(WHITE)
        await stage.act(move("32-28"), WHITE)
        with monkeypatch.context() as patch:
            patch.setattr(stage.store, "write", fail)
            with pytest.raises(StoreError, match="the disk is full"):
                await stage.act(move("19-23"), BLACK)
            with pytest.raises(StoreError):
                await stage.act(action("resign"), WHITE)
        assert len(white.heard) == 2
        state = GameState.model_validate_json(await stage.room.state(BLACK, "here"))
        assert (state.turn, len(state.plies), state.outcome, state.revision) == ("black", 1, None, 1)
        await stage.act(move("18-23"), BLACK)
        assert (await stage.kept()).moves == ("32-28", "18-23")

    play(tmp_path, scene, table(clock="5"))


def test_a_rematch_is_kept_with_its_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = Store.write

    async def fail(*_: object, **__: object) -> None:
        raise StoreError("the disk is full")

    async def scene(stage: Stage) -> None:
        spectator = await stage.join(NONE)
        await stage.act(action("resign"), WHITE)
        await stage.act(action("rematch"), WHITE)
        assert (spectator.last.offers, spectator.last.next) == ({"rematch": "white"}, None)
        monkeypatch.setattr(Store, "write", fail)
        with pytest.raises(StoreError, match="the disk is full"):
            await stage.act(action("rematch"), BLACK)
        assert (stage.store.count, stage.room.table.next) == (1, None)
        monkeypatch.setattr(Store, "write", write)
        await asyncio.gather(*(stage.act(action("rematch"), BLACK) for _ in range(3)), stage.leave(spectator))
        assert stage.store.count == 2  # one game, however often it is accepted
        kept = await stage.kept()
        assert kept.standing.next is not None
        assert kept.standing.next == stage.room.table.next
        following = await stage.store.read(kept.standing.next)
        assert following is not None
        assert (following.facts.white_key, following.facts.black_key) == (kept.facts.black_key, kept.facts.white_key)
        assert following.moves == ()

    play(tmp_path, scene, table())


def test_what_was_begun_is_brought_to_its_end(tmp_path: Path) -> None:
    async def scene(stage: Stage) -> None:
        black = await stage.join(BLACK)
        asking = asyncio.create_task(stage.act(move("32-28"), WHITE))
        await asyncio.sleep(0)
        asking.cancel()  # whoever asked has gone
        with pytest.raises(asyncio.CancelledError):
            await asking
        await stage.until(lambda: len(black.heard) == 2)
        assert black.told()[-1] == (0, ["32-28"])
        assert (await stage.kept()).moves == ("32-28",)

    play(tmp_path, scene, table())


def test_two_at_once_are_one_after_the_other(tmp_path: Path) -> None:
    async def scene(stage: Stage) -> None:
        both = await asyncio.gather(
            *(stage.act(move(text, 0), WHITE) for text in ("32-28", "33-28", "32-28")), return_exceptions=True
        )
        assert [type(each) for each in both] == [type(None), GameError, type(None)]
        assert (await stage.kept()).moves == ("32-28",)

    play(tmp_path, scene, table())


def test_a_flag_falls_by_itself(tmp_path: Path) -> None:
    async def scene(stage: Stage) -> None:
        white = await stage.join(WHITE)
        await stage.act(move("32-28"), WHITE)
        await stage.until(lambda: white.last.outcome is not None)
        assert stage.room.table.game.outcome() == Outcome(Side.WHITE, Termination.TIME)
        assert white.last.clock is not None
        assert (white.last.clock.left["black"], white.last.clock.running) == (0.0, None)
        assert (await stage.kept()).standing.termination == "TIME"

    play(tmp_path, scene, table(clock="0.2s+0"))


def test_a_move_after_the_flag_is_a_loss_that_is_kept(tmp_path: Path) -> None:
    time = Time(0)

    async def scene(stage: Stage) -> None:
        white = await stage.join(WHITE)
        await stage.act(move("32-28"), WHITE)
        time.now = 1000
        with pytest.raises(GameOverError):
            await stage.act(move("19-23"), BLACK)
        assert white.last.outcome is not None
        kept = await stage.kept()
        assert (kept.moves, kept.standing.termination, kept.standing.winner) == (("32-28",), "TIME", "white")

    play(tmp_path, scene, table(time, clock="5"))


def test_a_flag_that_cannot_be_kept_is_tried_again_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    time = Time(0)

    async def fail(*_: object, **__: object) -> None:
        raise StoreError("the disk is full")

    async def scene(stage: Stage) -> None:
        await stage.act(move("32-28"), WHITE)
        time.now = 1000
        with monkeypatch.context() as patch:
            patch.setattr(stage.store, "write", fail)
            await stage.room.check_time()
        assert stage.room.table.game.outcome() is None
        assert stage.room._flag is not None
        assert stage.room._flag.when() > asyncio.get_running_loop().time() + RETRY_SECONDS / 2
        await stage.room.check_time()
        assert (await stage.kept()).standing.termination == "TIME"

    play(tmp_path, scene, table(time, clock="5"))
