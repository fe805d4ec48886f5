"""A game that is played: one change at a time, kept before it is told."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tablemen import GameError, GameOverError, Outcome, Side, Termination
from tablemen.web.games.computer import BusyComputerError
from tablemen.web.games.room import RETRY_SECONDS
from tablemen.web.games.store import Store
from tablemen.web.games.transactions import StoreError
from tablemen.web.models import GameState
from tests.web.games.stage import Stage, play
from tests.web.tables import BLACK, BOTH, NONE, WHITE, Time, action, move, table


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
    other = asyncio.ensure_future(stage.computer.run(lambda: held.wait(60), "elsewhere"))
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
        stage.computer._most_of_one = 1
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
    time = Time()

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
    time = Time()

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
