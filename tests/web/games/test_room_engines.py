"""Games against other programs: they move, fail, are told of and asked again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tablemen import Game, GameError, TablemenError
from tablemen.draughts import Position
from tablemen.errors import PeerGoneError, PeerTimeoutError, ProtocolError
from tablemen.web.games.engines import EngineSeat, MissingEngineError, RefusedGameError, describe_failure
from tests.engines_for_tests import FakePlayer
from tests.time_for_tests import Time
from tests.web.games.stage import Stage, play
from tests.web.tables import WHITE, action, again, engines, move, player_of, table

pytestmark = pytest.mark.usefixtures("fakes")
START = Position.start("international")


def against(text: str, **asked: Any) -> Any:
    return table(opponent="engine", engine="Fake", engines=engines(Fake=text), **asked)


def test_a_whole_exchange_with_a_program(tmp_path: Path) -> None:
    async def scene(stage: Stage) -> None:
        listener = await stage.join(WHITE)
        seat = listener.last.players["black"]
        assert (seat.kind, seat.name, seat.level) == ("engine", "Fake", None)
        await stage.act(move("32-28"), WHITE)
        await stage.until(lambda: listener.last.since + len(listener.last.plies) == 2)  # told after it is played
        assert listener.last.plies[-1].side == "black"
        kept = await stage.kept()
        assert (kept.facts.opponent, kept.facts.engine, kept.facts.level) == ("engine", "Fake", None)
        text, _ = await stage.room.sheet()
        assert '[Black "Fake"]' in text
        with pytest.raises(GameError, match="and Fake agrees to none"):
            await stage.act(action("draw"), WHITE)

    play(tmp_path, scene, against("fake:plays,time=1"))


def test_a_program_that_fails_is_told_of_and_asked_again(tmp_path: Path) -> None:
    made = against("fake:dies", clock="5+3")

    async def scene(stage: Stage) -> None:
        listener = await stage.join(WHITE)
        await stage.act(move("32-28"), WHITE)
        await stage.until(lambda: listener.last.problem is not None)
        told = listener.last
        assert (told.problem, told.thinking, told.turn) == ("Fake is not there", False, "black")
        assert "retry" in told.actions
        assert told.clock is not None
        assert told.clock.running is None
        heard = player_of(made.engine).heard
        assert heard.count("open") == 1
        spectator = await stage.join(frozenset())  # who comes later wakes nobody, and is told too
        assert (spectator.last.problem, spectator.last.actions) == ("Fake is not there", [])
        await stage.act(action("retry"), WHITE)
        assert [each.problem for each in listener.heard].count(None) >= 2
        await stage.until(lambda: heard.count("open") == 2 and listener.last.problem is not None)
        player_of(made.engine).address = "plays"
        await stage.act(action("retry"), WHITE)
        await stage.until(lambda: listener.last.since + len(listener.last.plies) == 2)  # told after it is played
        assert listener.last.problem is None
        assert listener.last.clock is not None
        assert listener.last.clock.running == "white"
        with pytest.raises(GameError, match="nobody has failed"):
            await stage.act(action("retry"), WHITE)

    play(tmp_path, scene, made)


def test_moves_are_taken_back_from_a_program_that_fails(tmp_path: Path) -> None:
    async def scene(stage: Stage) -> None:
        listener = await stage.join(WHITE)
        await stage.act(move("32-28"), WHITE)
        await stage.until(lambda: listener.last.problem is not None)
        assert listener.last.problem == "Fake did not answer in time"
        await stage.act(action("takeback"), WHITE)
        assert listener.heard[-1].problem is None
        assert len(stage.room.table.game.moves) == 0
        await stage.act(move("31-26"), WHITE)
        await stage.until(lambda: listener.last.problem is not None)
        await stage.act(action("resign"), WHITE)
        assert listener.last.outcome is not None
        assert listener.last.problem is None

    play(tmp_path, scene, against("fake:hangs"))


def test_a_program_that_the_server_no_longer_has(tmp_path: Path) -> None:
    made = again(against("fake:plays"))
    assert made.engine is None

    async def scene(stage: Stage) -> None:
        listener = await stage.join(WHITE)
        await stage.act(move("32-28"), WHITE)
        await stage.until(lambda: listener.last.problem is not None)
        assert listener.last.problem == "this server no longer has Fake"
        assert "retry" not in listener.last.actions
        assert {"takeback", "resign"} <= set(listener.last.actions)
        assert listener.last.players["black"].name == "Fake"

    play(tmp_path, scene, made)


def test_whatever_goes_wrong_is_told_without_commands(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors = [
        (PeerGoneError("/secret/scan", "ended"), "Scan is not there"),
        (PeerTimeoutError("/secret/scan", "did not move", 3), "Scan did not answer in time"),
        (ProtocolError("/secret/scan", "said", "done"), "Scan said something that makes no sense"),
        (TablemenError("/secret/scan"), "Scan cannot go on"),
        (MissingEngineError("this server no longer has Scan"), "this server no longer has Scan"),
    ]
    assert [describe_failure("Scan", error) for error, _ in errors] == [told for _, told in errors]
    made = against("fake:plays")

    def fail(_player: object, _game: Any) -> None:
        raise GameError("\x1bnot a change of the game")

    monkeypatch.setattr(FakePlayer, "choose", fail)

    async def scene(stage: Stage) -> None:
        listener = await stage.join(WHITE)
        await stage.act(move("32-28"), WHITE)
        await stage.until(lambda: listener.last.problem is not None)
        assert listener.last.problem == "Fake cannot go on"

    play(tmp_path, scene, made)
    assert "Fake: GameError: \\x1bnot a change of the game" in caplog.text


def test_a_program_that_has_no_such_variant_is_not_started_again_for_it(tmp_path: Path) -> None:
    made = against("fake:refuses")
    player = player_of(made.engine)

    async def scene(stage: Stage) -> None:
        listener = await stage.join(WHITE)
        await stage.act(move("32-28"), WHITE)
        await stage.until(lambda: listener.last.problem is not None)
        assert listener.last.problem == "Fake does not play this game"
        assert "retry" not in listener.last.actions
        with pytest.raises(GameError, match="nobody has failed"):
            await stage.act(action("retry"), WHITE)
        assert made.engine is not None
        with pytest.raises(RefusedGameError, match="does not play this game: a fake 1 does not play international"):
            EngineSeat("Fake", made.engine).choose(Game(START))
        assert player.heard == ["open"]
        with pytest.raises(TablemenError, match=r"^Fake does not play this game$"):
            made.engine.check(START)
        assert "international" not in made.engine.variants
        assert "frisian" in made.engine.variants
        player.address = "plays"
        assert EngineSeat("Fake", made.engine).choose(Game(Position.start("frisian"))) is not None

    play(tmp_path, scene, made)


def test_a_program_has_the_time_of_its_clock() -> None:
    made = against("fake:plays", now=Time(), clock="5+3", side="black")
    made.choose()
    asked = player_of(made.engine).heard[1]
    assert (asked[3].left, asked[3].increment) == (300, 3)
