"""Other programs on the page: who may be played against, whose turn it is, and what comes of a program that fails."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tablemen import ArgumentError, Game, GameError, TablemenError
from tablemen.cli import main
from tablemen.draughts import Position
from tablemen.errors import PeerGoneError, PeerTimeoutError, ProtocolError
from tablemen.web.beginning import new_table
from tablemen.web.engines import Engine, Engines, EngineSeat, MissingEngineError, RefusedGameError, describe_failure
from tablemen.web.models import GameState, NewGame
from tests.cli.test_completion import offered
from tests.engines_for_tests import FakePlayer, add_fakes
from tests.protocols.processes import wait_for_end
from tests.web.running import Running, running
from tests.web.serving import Server, wait_until
from tests.web.tables import WHITE, Time, action, again, computer, engines, move, table
from tests.web.test_room import Stage, play
from tests.web.test_serve import run

START = Position.start("international")


@pytest.fixture(autouse=True)
def fakes(monkeypatch: pytest.MonkeyPatch) -> None:
    add_fakes(monkeypatch)
    monkeypatch.setattr("tablemen.web.engines.PAUSE", 0.0)


def player_of(engine: Engine | None) -> FakePlayer:
    assert engine is not None
    assert isinstance(engine._player, FakePlayer)
    return engine._player


def against(text: str, **asked: Any) -> Any:
    return table(opponent="engine", engine="Fake", engines=engines(Fake=text), **asked)


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


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("Scan",), "--engine Scan: write NAME=PLAYER"),
        (("Scan=human",), "--engine Scan: a person cannot be one of the programs"),
        (("Scan=scan hub",), "--engine Scan: there is no player 'scan hub'"),
        (("=random",), "--engine : name is '': a name of at most 40 letters"),
        (("a\x1bb=random",), "a name of at most 40 letters"),
        (("Scan=random", "Scan=random:seed=2"), "--engine Scan: there are two of this name"),
    ],
)
def test_programs_that_make_no_sense(words: tuple[str, ...], problem: str) -> None:
    status, said = run(*(word for each in words for word in ("--engine", each)))
    assert status == 2
    assert problem in said


def test_help_and_the_tab_key_know_of_programs() -> None:
    assert "NAME=PLAYER" in CliRunner().invoke(main, ["serve", "--help"]).output
    assert offered("serve", "--engine", "Scan=rob") == ["Scan=robot"]
    assert offered("serve", "--engine", "Sc") == []


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

    asyncio.run(asyncio.wait_for(scene(), 60))
    assert heard.count("close") >= 1


def test_no_program_thinks_for_longer_than_the_server_lets_it() -> None:
    engine = Engines({"Fake": "fake:waits"}, seconds=0.01, waiting_of_one=1).find("Fake")
    assert EngineSeat("Fake", engine).choose(Game(START)) in Game(START).legal_moves()
    assert player_of(engine).heard[-1] == "stop"


def test_a_program_that_does_not_hear_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablemen.web.engines.GRACE", 0.01)
    monkeypatch.setattr("tests.engines_for_tests.FakeEngine.stop", lambda _: None)
    engine = Engines({"Fake": "fake:waits"}, seconds=0.01, waiting_of_one=1).find("Fake")
    with pytest.raises(PeerTimeoutError, match=r"^Fake did not move within 0.02 s$"):
        EngineSeat("Fake", engine).choose(Game(START))
    assert player_of(engine).heard[-1] == "close"


def test_a_program_that_fails_is_not_started_as_fast_as_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("tablemen.web.engines.PAUSE", 100.0)
    monkeypatch.setattr("tablemen.web.engines.time.sleep", slept.append)
    seat = EngineSeat("Fake", engines(Fake="fake:dies").find("Fake"))
    for _ in range(2):
        with pytest.raises(PeerGoneError):
            seat.choose(Game(START))
    assert slept[0] == 0
    assert 0 < slept[1] <= 100


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


def test_whatever_fails_is_not_tried_as_fast_as_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("tablemen.web.engines.PAUSE", 100.0)
    monkeypatch.setattr("tablemen.web.engines.time.sleep", slept.append)
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

    asyncio.run(asyncio.wait_for(scene(), 60))
    assert player_of(engine).heard == ["open", "close"]


def test_a_program_has_the_time_of_its_clock() -> None:
    made = against("fake:plays", now=Time(), clock="5+3", side="black")
    made.choose()
    asked = player_of(made.engine).heard[1]
    assert (asked[3].left, asked[3].increment) == (300, 3)


def test_it_is_told_who_can_be_played_against(server: Running) -> None:
    assert server.get("/api/engines").json() == []
    answer = server.post("/api/games", {"variant": "english", "opponent": "engine", "engine": "Scan"})
    assert (answer.status_code, "this server has none" in answer.json()["error"]) == (422, True)


@pytest.mark.slow
def test_a_program_is_played_against_over_http(tmp_path: Path) -> None:
    with running(tmp_path, engines={"Mini": "minimax:depth=1", "Fake": "fake:dies"}) as server:
        names = {each["name"]: each["variants"] for each in server.get("/api/engines").json()}
        assert set(names) == {"Mini", "Fake"}
        assert "international" in names["Mini"]
        asked = {"variant": "international", "opponent": "engine", "engine": "Mini", "side": "black"}
        created = server.post("/api/games", asked).json()
        state = GameState.model_validate_json(server.get(f"/api/games/{created['id']}").text)
        with server.open(f"/api/games/{created['id']}/socket") as socket:
            socket.say({"type": "hello", "key": created["keys"]["black"]})
            while not state.plies:
                state = GameState.model_validate_json(json.dumps(socket.hear()))
        assert state.players["white"].name == "Mini"
        created = server.post("/api/games", {**asked, "engine": "Fake"}).json()
        with server.open(f"/api/games/{created['id']}/socket") as socket:
            socket.say({"type": "hello", "key": created["keys"]["black"]})
            while socket.hear().get("problem") is None:
                pass


HUB = f'hub:"{sys.executable} -m tablemen engine hub",time=0.05'


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="groups of processes are for POSIX")
def test_a_real_program_plays_dies_is_started_anew_and_goes_with_the_server(tmp_path: Path) -> None:
    server = Server(tmp_path / "games.sqlite", options=("--engine", f"Own={HUB}"))
    try:
        games = [begin(server, variant, "Own") for variant in ("international", "frisian")]  # one after the other
        path, key = games[-1]
        (child,) = children_of(server.process.pid)
        os.kill(child, signal.SIGKILL)
        server.ask(f"{path}/actions", {"action": "move", "move": server.ask(path)["legal"][0]["full"]}, key)
        wait_until(lambda: server.ask(path)["problem"] is not None, "nothing is told")
        assert server.ask(path)["problem"] == "Own is not there"
        server.ask(f"{path}/actions", {"action": "retry"}, key)
        wait_until(lambda: len(server.ask(path)["plies"]) == 4, "it does not come back")
        (child,) = children_of(server.process.pid)
    finally:
        server.stop()
    wait_for_end(child)


def begin(server: Server, variant: str, engine: str) -> tuple[str, str]:
    """The path and the key of a game in which both sides have moved."""
    asked = {"variant": variant, "opponent": "engine", "engine": engine, "side": "white"}
    created = server.ask("/api/games", asked)
    path, key = f"/api/games/{created['id']}", created["keys"]["white"]
    server.ask(f"{path}/actions", {"action": "move", "move": server.ask(path)["legal"][0]["full"]}, key)
    wait_until(lambda: len(server.ask(path)["plies"]) == 2, "it does not answer")
    return path, key


def children_of(number: int) -> list[int]:
    """The processes that a process has started."""
    tasks = Path(f"/proc/{number}/task").iterdir()
    return [int(child) for task in tasks for child in (task / "children").read_text().split()]
