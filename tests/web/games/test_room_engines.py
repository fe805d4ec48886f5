"""Rooms with engines: moves, failures and retries."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tablemen import Game, GameError, TablemenError
from tablemen.draughts import Position
from tablemen.errors import PeerGoneError, PeerTimeoutError
from tablemen.web.games.opponents import RefusedGameError, SharedEnginePlayer, describe_failure
from tests.fake_clock import Time
from tests.fake_engines import FakePlayer
from tests.web.games.fixtures import WHITE, action, engines, get_player, host, move, reload
from tests.web.games.room_fixture import RoomFixture, run_room

pytestmark = pytest.mark.usefixtures("fakes")
START = Position.start("international")
NOT_RUNNING = describe_failure("Fake", PeerGoneError("a fake", "ended"))


def against(text: str, **options: Any) -> Any:
    return host(opponent="engine", engine="Fake", engines=engines(Fake=text), **options)


def test_an_engine_answers_a_move(tmp_path: Path) -> None:
    async def scenario(fixture: RoomFixture) -> None:
        recorder = await fixture.join(WHITE)
        player = recorder.last.players["black"]
        assert (player.kind, player.name, player.level) == ("engine", "Fake", None)
        await fixture.act(move("32-28"), WHITE)
        await fixture.until(lambda: recorder.last.since + len(recorder.last.plies) == 2)
        assert recorder.last.plies[-1].side == "black"
        stored = await fixture.stored()
        assert (stored.info.opponent, stored.info.engine, stored.info.level) == ("engine", "Fake", None)
        text, _ = await fixture.room.file()
        assert '[Black "Fake"]' in text
        with pytest.raises(GameError):
            await fixture.act(action("draw"), WHITE)

    run_room(tmp_path, scenario, against("fake:plays,time=1"))


def test_a_failure_is_reported_and_the_engine_retried(tmp_path: Path) -> None:
    hosted = against("fake:dies", clock="5+3")

    async def scenario(fixture: RoomFixture) -> None:
        recorder = await fixture.join(WHITE)
        await fixture.act(move("32-28"), WHITE)
        await fixture.until(lambda: recorder.last.problem is not None)
        state = recorder.last
        assert (state.problem, state.thinking, state.turn) == (NOT_RUNNING, False, "black")
        assert "retry" in state.actions
        assert state.clock is not None
        assert state.clock.running is None
        heard = get_player(hosted.engine).calls
        assert heard.count("open") == 1
        spectator = await fixture.join(frozenset())  # a new subscriber gets the problem and does not restart the search
        assert (spectator.last.problem, spectator.last.actions) == (NOT_RUNNING, [])
        await fixture.act(action("retry"), WHITE)
        assert [each.problem for each in recorder.states].count(None) >= 2
        await fixture.until(lambda: heard.count("open") == 2 and recorder.last.problem is not None)
        get_player(hosted.engine).address = "plays"
        await fixture.act(action("retry"), WHITE)
        await fixture.until(lambda: recorder.last.since + len(recorder.last.plies) == 2)
        assert recorder.last.problem is None
        assert recorder.last.clock is not None
        assert recorder.last.clock.running == "white"
        with pytest.raises(GameError):
            await fixture.act(action("retry"), WHITE)

    run_room(tmp_path, scenario, hosted)


def test_a_takeback_clears_a_failure(tmp_path: Path) -> None:
    async def scenario(fixture: RoomFixture) -> None:
        recorder = await fixture.join(WHITE)
        await fixture.act(move("32-28"), WHITE)
        await fixture.until(lambda: recorder.last.problem is not None)
        assert recorder.last.problem == describe_failure("Fake", PeerTimeoutError("a fake", "did not move", 5))
        await fixture.act(action("takeback"), WHITE)
        assert recorder.states[-1].problem is None
        assert len(fixture.room.hosted.game.moves) == 0
        await fixture.act(move("31-26"), WHITE)
        await fixture.until(lambda: recorder.last.problem is not None)
        await fixture.act(action("resign"), WHITE)
        assert recorder.last.outcome is not None
        assert recorder.last.problem is None

    run_room(tmp_path, scenario, against("fake:hangs"))


def test_an_engine_that_was_removed_is_reported_and_not_retried(tmp_path: Path) -> None:
    hosted = reload(against("fake:plays"))
    assert hosted.engine is None

    async def scenario(fixture: RoomFixture) -> None:
        recorder = await fixture.join(WHITE)
        await fixture.act(move("32-28"), WHITE)
        await fixture.until(lambda: recorder.last.problem is not None)
        assert recorder.last.problem is not None
        assert "Fake" in recorder.last.problem
        assert "retry" not in recorder.last.actions
        assert {"takeback", "resign"} <= set(recorder.last.actions)
        assert recorder.last.players["black"].name == "Fake"

    run_room(tmp_path, scenario, hosted)


def test_failures_are_reported_without_the_command(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    hosted = against("fake:plays")

    def fail(_player: object, _game: Any) -> None:
        raise GameError("\x1b/secret/fake")

    monkeypatch.setattr(FakePlayer, "choose", fail)

    async def scenario(fixture: RoomFixture) -> None:
        recorder = await fixture.join(WHITE)
        await fixture.act(move("32-28"), WHITE)
        await fixture.until(lambda: recorder.last.problem is not None)
        assert recorder.last.problem == describe_failure("Fake", TablemenError())

    run_room(tmp_path, scenario, hosted)
    assert "Fake: GameError: \\x1b/secret/fake" in caplog.text


def test_an_engine_that_refused_a_variant_is_not_started_for_it_again(tmp_path: Path) -> None:
    hosted = against("fake:refuses")
    player = get_player(hosted.engine)

    async def scenario(fixture: RoomFixture) -> None:
        recorder = await fixture.join(WHITE)
        await fixture.act(move("32-28"), WHITE)
        await fixture.until(lambda: recorder.last.problem is not None)
        assert recorder.last.problem == describe_failure("Fake", RefusedGameError("Fake", ""))
        assert "retry" not in recorder.last.actions
        with pytest.raises(GameError):
            await fixture.act(action("retry"), WHITE)
        assert hosted.engine is not None
        with pytest.raises(RefusedGameError) as caught:
            SharedEnginePlayer("Fake", hosted.engine).choose(Game(START))
        assert (caught.value.name, "international" in caught.value.reason) == ("Fake", True)
        assert player.calls == ["open"]
        with pytest.raises(TablemenError, match="Fake"):
            hosted.engine.check(START)
        assert "international" not in hosted.engine.variants
        assert "frisian" in hosted.engine.variants
        player.address = "plays"
        assert SharedEnginePlayer("Fake", hosted.engine).choose(Game(Position.start("frisian"))) is not None

    run_room(tmp_path, scenario, hosted)


def test_an_engine_gets_its_remaining_time() -> None:
    hosted = against("fake:plays", now=Time(), clock="5+3", side="black")
    hosted.choose()
    clock = get_player(hosted.engine).calls[1][3]
    assert (clock.left, clock.increment) == (300, 3)
