"""Other programs on the page: who may be played against, whose turn it is, and what comes of a program that fails."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tablemen import ArgumentError, Game, TablemenError
from tablemen.draughts import Position
from tablemen.errors import PeerGoneError, PeerTimeoutError
from tablemen.web.games.beginning import new_table
from tablemen.web.games.engines import Engines, EngineSeat, RefusedGameError
from tablemen.web.models import NewGame
from tests.patience import run_in_time
from tests.web.tables import computer, engines, player_of

pytestmark = pytest.mark.usefixtures("fakes")
START = Position.start("international")


def test_a_program_is_found_by_its_name_and_plays_what_it_can() -> None:
    known = engines(Fake="fake:choosy", Mini="minimax:depth=1", Robot="robot")
    assert [each.name for each in known] == ["Fake", "Mini", "Robot"]
    assert "kalah" not in known.find("Fake").variants
    assert {"international", "oware"} <= set(known.find("Fake").variants)
    assert set(known.find("Robot").variants) < set(known.find("Mini").variants)
    asked = NewGame(variant="kalah", opponent="engine", engine="Fake")
    with pytest.raises(TablemenError, match=r"^Fake does not play this game$"):
        new_table(asked, computer(), known)
    with pytest.raises(ArgumentError, match="engine is 'scan hub': one of Fake, Mini, Robot is expected"):
        new_table(asked.model_copy(update={"engine": "scan hub"}), computer(), known)
    with pytest.raises(ArgumentError, match="engine is None: none, since this server has none, is expected"):
        new_table(asked.model_copy(update={"engine": None}), computer(), engines())


def test_games_take_turns_and_only_whose_turn_it_is_is_hurried() -> None:
    known = engines(Fake="fake:waits")
    engine = known.find("Fake")
    heard = player_of(engine).heard
    one, other = EngineSeat("Fake", engine), EngineSeat("Fake", engine)
    later = Game(START, ["32-28"])

    async def until(condition: Any) -> None:
        while not condition():
            await asyncio.sleep(0.005)

    async def scene() -> None:
        first = asyncio.create_task(engine.run(lambda: one.choose(Game(START)), "a"))
        second = asyncio.create_task(engine.run(lambda: other.choose(later), "b"))
        await until(lambda: len(heard) == 2)
        other.stop()  # it waits, and nobody else is disturbed
        assert heard == ["open", ("choose", 0, None, None)]
        one.stop()
        await first
        await until(lambda: len(heard) == 4)
        assert heard[-1] == ("choose", 1, None, None)
        await known.close()  # the program goes, and with it what it was thinking about
        with pytest.raises(PeerGoneError, match="is closed"):
            await second
        with pytest.raises(PeerGoneError, match="Fake is closed"):
            one.choose(Game(START))

    run_in_time(scene())
    assert heard.count("close") >= 1


def test_no_program_thinks_for_longer_than_the_server_lets_it() -> None:
    engine = Engines({"Fake": "fake:waits"}, seconds=0.01, waiting_of_one=1).find("Fake")
    assert EngineSeat("Fake", engine).choose(Game(START)) in Game(START).legal_moves()
    assert player_of(engine).heard[-1] == "stop"


def test_a_program_that_does_not_hear_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablemen.web.games.engines.GRACE", 0.01)
    monkeypatch.setattr("tests.engines_for_tests.FakeEngine.stop", lambda _: None)
    engine = Engines({"Fake": "fake:waits"}, seconds=0.01, waiting_of_one=1).find("Fake")
    with pytest.raises(PeerTimeoutError, match=r"^Fake did not move within 0.02 s$"):
        EngineSeat("Fake", engine).choose(Game(START))
    assert player_of(engine).heard[-1] == "close"


def test_a_program_that_fails_is_not_started_as_fast_as_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("tablemen.web.games.engines.PAUSE", 100.0)
    monkeypatch.setattr("tablemen.web.games.engines.time.sleep", slept.append)
    seat = EngineSeat("Fake", engines(Fake="fake:dies").find("Fake"))
    for _ in range(2):
        with pytest.raises(PeerGoneError):
            seat.choose(Game(START))
    assert slept[0] == 0
    assert 0 < slept[1] <= 100


def test_whatever_fails_is_not_tried_as_fast_as_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("tablemen.web.games.engines.PAUSE", 100.0)
    monkeypatch.setattr("tablemen.web.games.engines.time.sleep", slept.append)
    engine = engines(Fake="fake:refuses").find("Fake")
    for variant in ("international", "frisian"):
        with pytest.raises(RefusedGameError):
            engine.choose(EngineSeat("Fake", engine), Game(Position.start(variant)))
    assert 0 < slept[1] <= 100


def test_a_program_that_takes_long_to_begin_does_not_hold_up_the_end() -> None:
    engine = engines(Fake="fake:late").find("Fake")

    async def scene() -> None:
        waiting = asyncio.ensure_future(engine.run(lambda: EngineSeat("Fake", engine).choose(Game(START)), "a"))
        while player_of(engine).heard != ["open"]:
            await asyncio.sleep(0.005)
        await engine.close()
        assert not waiting.done()
        player_of(engine).may_begin.set()
        with pytest.raises(PeerGoneError, match="was closed before it had begun"):
            await waiting

    run_in_time(scene())
    assert player_of(engine).heard == ["open", "close"]
