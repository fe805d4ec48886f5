"""Rooms with engines: their moves, their failures, and retries."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tablemen import Game, GameError, TablemenError
from tablemen.draughts import Position
from tablemen.errors import PeerGoneError, PeerTimeoutError, ProtocolError
from tablemen.web.games.opponents import MissingEngineError, RefusedGameError, SharedEnginePlayer, describe_failure
from tests.fake_clock import Time
from tests.fake_engines import FakePlayer
from tests.web.games.fixtures import WHITE, action, engines, host, move, player_of, reload
from tests.web.games.room_fixture import RoomFixture, run_room

pytestmark = pytest.mark.usefixtures("fakes")
START = Position.start("international")


def against(text: str, **asked: Any) -> Any:
    return host(opponent="engine", engine="Fake", engines=engines(Fake=text), **asked)


def test_an_engine_answers_a_move(tmp_path: Path) -> None:
    async def scenario(fixture: RoomFixture) -> None:
        recorder = await fixture.join(WHITE)
        seat = recorder.last.players["black"]
        assert (seat.kind, seat.name, seat.level) == ("engine", "Fake", None)
        await fixture.act(move("32-28"), WHITE)
        await fixture.until(lambda: recorder.last.since + len(recorder.last.plies) == 2)  # sent after it is played
        assert recorder.last.plies[-1].side == "black"
        stored = await fixture.stored()
        assert (stored.info.opponent, stored.info.engine, stored.info.level) == ("engine", "Fake", None)
        text, _ = await fixture.room.file()
        assert '[Black "Fake"]' in text
        with pytest.raises(GameError, match="and Fake accepts no offers"):
            await fixture.act(action("draw"), WHITE)

    run_room(tmp_path, scenario, against("fake:plays,time=1"))


def test_a_failure_is_reported_and_the_engine_retried(tmp_path: Path) -> None:
    made = against("fake:dies", clock="5+3")

    async def scenario(fixture: RoomFixture) -> None:
        recorder = await fixture.join(WHITE)
        await fixture.act(move("32-28"), WHITE)
        await fixture.until(lambda: recorder.last.problem is not None)
        state = recorder.last
        assert (state.problem, state.thinking, state.turn) == ("Fake is not running", False, "black")
        assert "retry" in state.actions
        assert state.clock is not None
        assert state.clock.running is None
        heard = player_of(made.engine).calls
        assert heard.count("open") == 1
        spectator = await fixture.join(frozenset())  # a new subscriber starts no search, and gets the problem
        assert (spectator.last.problem, spectator.last.actions) == ("Fake is not running", [])
        await fixture.act(action("retry"), WHITE)
        assert [each.problem for each in recorder.states].count(None) >= 2
        await fixture.until(lambda: heard.count("open") == 2 and recorder.last.problem is not None)
        player_of(made.engine).address = "plays"
        await fixture.act(action("retry"), WHITE)
        await fixture.until(lambda: recorder.last.since + len(recorder.last.plies) == 2)  # sent after it is played
        assert recorder.last.problem is None
        assert recorder.last.clock is not None
        assert recorder.last.clock.running == "white"
        with pytest.raises(GameError, match="no failed engine"):
            await fixture.act(action("retry"), WHITE)

    run_room(tmp_path, scenario, made)


def test_a_takeback_clears_a_failure(tmp_path: Path) -> None:
    async def scenario(fixture: RoomFixture) -> None:
        recorder = await fixture.join(WHITE)
        await fixture.act(move("32-28"), WHITE)
        await fixture.until(lambda: recorder.last.problem is not None)
        assert recorder.last.problem == "Fake did not answer in time"
        await fixture.act(action("takeback"), WHITE)
        assert recorder.states[-1].problem is None
        assert len(fixture.room.hosted.game.moves) == 0
        await fixture.act(move("31-26"), WHITE)
        await fixture.until(lambda: recorder.last.problem is not None)
        await fixture.act(action("resign"), WHITE)
        assert recorder.last.outcome is not None
        assert recorder.last.problem is None

    run_room(tmp_path, scenario, against("fake:hangs"))


def test_an_engine_that_the_server_no_longer_has(tmp_path: Path) -> None:
    made = reload(against("fake:plays"))
    assert made.engine is None

    async def scenario(fixture: RoomFixture) -> None:
        recorder = await fixture.join(WHITE)
        await fixture.act(move("32-28"), WHITE)
        await fixture.until(lambda: recorder.last.problem is not None)
        assert recorder.last.problem == "this server no longer has Fake"
        assert "retry" not in recorder.last.actions
        assert {"takeback", "resign"} <= set(recorder.last.actions)
        assert recorder.last.players["black"].name == "Fake"

    run_room(tmp_path, scenario, made)


def test_failures_are_reported_without_the_command(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors = [
        (PeerGoneError("/secret/scan", "ended"), "Scan is not running"),
        (PeerTimeoutError("/secret/scan", "did not move", 3), "Scan did not answer in time"),
        (ProtocolError("/secret/scan", "said", "done"), "Scan sent an invalid message"),
        (TablemenError("/secret/scan"), "Scan cannot continue"),
        (MissingEngineError("this server no longer has Scan"), "this server no longer has Scan"),
    ]
    assert [describe_failure("Scan", error) for error, _ in errors] == [text for _, text in errors]
    made = against("fake:plays")

    def fail(_player: object, _game: Any) -> None:
        raise GameError("\x1bnot a change of the game")

    monkeypatch.setattr(FakePlayer, "choose", fail)

    async def scenario(fixture: RoomFixture) -> None:
        recorder = await fixture.join(WHITE)
        await fixture.act(move("32-28"), WHITE)
        await fixture.until(lambda: recorder.last.problem is not None)
        assert recorder.last.problem == "Fake cannot continue"

    run_room(tmp_path, scenario, made)
    assert "Fake: GameError: \\x1bnot a change of the game" in caplog.text


def test_an_engine_that_refused_a_variant_is_not_started_for_it_again(tmp_path: Path) -> None:
    made = against("fake:refuses")
    player = player_of(made.engine)

    async def scenario(fixture: RoomFixture) -> None:
        recorder = await fixture.join(WHITE)
        await fixture.act(move("32-28"), WHITE)
        await fixture.until(lambda: recorder.last.problem is not None)
        assert recorder.last.problem == "Fake does not play this game"
        assert "retry" not in recorder.last.actions
        with pytest.raises(GameError, match="no failed engine"):
            await fixture.act(action("retry"), WHITE)
        assert made.engine is not None
        with pytest.raises(RefusedGameError, match="does not play this game: a fake 1 does not play international"):
            SharedEnginePlayer("Fake", made.engine).choose(Game(START))
        assert player.calls == ["open"]
        with pytest.raises(TablemenError, match=r"^Fake does not play this game$"):
            made.engine.check(START)
        assert "international" not in made.engine.variants
        assert "frisian" in made.engine.variants
        player.address = "plays"
        assert SharedEnginePlayer("Fake", made.engine).choose(Game(Position.start("frisian"))) is not None

    run_room(tmp_path, scenario, made)


def test_an_engine_gets_the_time_of_its_clock() -> None:
    made = against("fake:plays", now=Time(), clock="5+3", side="black")
    made.choose()
    asked = player_of(made.engine).calls[1]
    assert (asked[3].left, asked[3].increment) == (300, 3)
