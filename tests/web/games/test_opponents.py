"""The computer and engines as opponents: fair queues, time limits and failures."""

from __future__ import annotations

import asyncio
import threading
from functools import partial
from typing import Any

import pytest

from tablemen import ArgumentError, Game, TablemenError
from tablemen.draughts import Position
from tablemen.errors import PeerGoneError, PeerTimeoutError
from tablemen.search import Level, Limit
from tablemen.web.games.opponents import (
    BusyComputerError,
    Computer,
    ComputerPlayer,
    Engines,
    RefusedGameError,
    SharedEnginePlayer,
)
from tablemen.web.games.rooms import create_game
from tablemen.web.models import NewGame
from tests.timeouts import TIMEOUT, run_in_time, wait_until
from tests.web.games.fixtures import engines, get_player

START = Position.start("international")


def test_clients_take_turns() -> None:
    done: list[str] = []

    async def scenario() -> None:
        computer = Computer(searches=1, table_mb=1, seconds=10, waiting_of_one=9)
        names = ("a1", "a2", "a3", "a4", "b1", "c1", "b2")
        await asyncio.gather(*(computer.run(partial(done.append, name), name[0]) for name in names))
        await computer.close()

    run_in_time(scenario())
    assert done == ["a1", "b1", "c1", "a2", "b2", "a3", "a4"]


def test_the_number_of_running_searches_is_limited() -> None:
    barrier = threading.Barrier(2)
    running: list[int] = []
    lock, now = threading.Lock(), [0]

    def work() -> None:
        with lock:
            now[0] += 1
            running.append(now[0])
        barrier.wait(TIMEOUT)  # until another job runs
        with lock:
            now[0] -= 1

    async def scenario() -> None:
        computer = Computer(searches=2, table_mb=1, seconds=10, waiting_of_one=9)
        await asyncio.gather(*(computer.run(work, str(number)) for number in range(6)))
        await computer.close()

    run_in_time(scenario())
    assert max(running) == 2


def test_an_error_is_raised_and_the_next_job_runs() -> None:
    def fail() -> None:
        raise KeyError("nothing")

    async def scenario() -> list[Any]:
        computer = Computer(searches=1, table_mb=1, seconds=10, waiting_of_one=9)
        results = await asyncio.gather(computer.run(fail, "a"), computer.run(lambda: 5, "a"), return_exceptions=True)
        await computer.close()
        return list(results)

    failed, done = run_in_time(scenario())
    assert isinstance(failed, KeyError)
    assert done == 5


def test_a_cancelled_job_is_not_run() -> None:
    done: list[str] = []
    held = threading.Event()

    async def scenario() -> None:
        computer = Computer(searches=1, table_mb=1, seconds=10, waiting_of_one=9)
        first = asyncio.create_task(computer.run(lambda: held.wait(TIMEOUT), "a"))
        gone = asyncio.create_task(computer.run(lambda: done.append("gone"), "b"))
        last = asyncio.create_task(computer.run(lambda: done.append("last"), "c"))
        await asyncio.sleep(0)
        gone.cancel()
        held.set()
        await asyncio.gather(first, last)
        await computer.close()

    run_in_time(scenario())
    assert done == ["last"]


def test_a_cancelled_job_that_runs_keeps_its_thread_until_it_ends() -> None:
    done: list[str] = []
    held = threading.Event()

    def work() -> None:
        assert held.wait(TIMEOUT)
        done.append("gone")

    async def scenario() -> None:
        computer = Computer(searches=1, table_mb=1, seconds=10, waiting_of_one=9)
        gone = asyncio.create_task(computer.run(work, "a"))
        last = asyncio.create_task(computer.run(lambda: done.append("last"), "b"))
        await asyncio.sleep(0)
        gone.cancel()
        with pytest.raises(asyncio.CancelledError):
            await gone
        assert (computer.queue.running, computer.queue.waiting) == (1, 1)
        held.set()
        await last
        await computer.close()

    run_in_time(scenario())
    assert done == ["gone", "last"]


def test_the_queue_of_one_client_is_limited() -> None:
    held = threading.Event()

    async def scenario() -> list[object]:
        computer = Computer(searches=1, table_mb=1, seconds=10, waiting_of_one=1)
        jobs = [asyncio.ensure_future(computer.run(lambda: held.wait(TIMEOUT), client)) for client in "aaab"]
        await asyncio.wait(jobs, return_when=asyncio.FIRST_COMPLETED)
        held.set()
        results = await asyncio.gather(*jobs, return_exceptions=True)
        await computer.close()
        return list(results)

    first, second, third, fourth = run_in_time(scenario())
    assert (first, second, fourth) == (True, True, True)
    assert isinstance(third, BusyComputerError)


def test_close_cancels_queued_jobs() -> None:
    held = threading.Event()

    async def scenario() -> None:
        computer = Computer(searches=1, table_mb=1, seconds=10, waiting_of_one=9)
        running = asyncio.ensure_future(computer.run(lambda: held.wait(TIMEOUT), "a"))
        waiting = asyncio.ensure_future(computer.run(lambda: None, "b"))
        await asyncio.sleep(0)
        closing = asyncio.ensure_future(computer.close())
        with pytest.raises(asyncio.CancelledError):
            await waiting
        held.set()
        await closing
        assert await running
        with pytest.raises(asyncio.CancelledError):
            await computer.run(lambda: None, "c")

    run_in_time(scenario())


def test_searchers_are_shared() -> None:
    computer = Computer(searches=1, table_mb=1, seconds=10, waiting_of_one=9)
    players = [ComputerPlayer(computer, strength) for strength in (Level(3), Limit(depth=2), Level(1))]
    games = [Game(START), Game(Position.start("english")), Game(START)]
    for player, game in zip(players, games, strict=True):
        assert player.choose(game) in game.legal_moves()
    assert len(computer._free) == 1
    assert [player.name for player in players] == ["Computer, level 3", "Computer", "Computer, level 1"]
    run_in_time(computer.close())


def test_a_search_ends_when_it_is_stopped_or_takes_too_long() -> None:
    computer = Computer(searches=1, table_mb=1, seconds=0.01, waiting_of_one=9)
    endless = ComputerPlayer(computer, Limit())
    assert endless.choose(Game(START)) in START.legal_moves()
    computer.seconds = 3600
    chosen: list[Any] = []
    thread = threading.Thread(target=lambda: chosen.append(endless.choose(Game(START))), daemon=True)
    thread.start()

    def is_over() -> bool:
        endless.stop()
        return not thread.is_alive()

    wait_until(is_over, "the search does not end")
    assert chosen[0] in START.legal_moves()
    run_in_time(computer.close())
    assert endless.choose(Game(START)) in START.legal_moves()  # stops at once, since the computer is closed


@pytest.mark.usefixtures("fakes")
def test_an_engine_is_found_by_its_name_and_lists_its_variants() -> None:
    known = engines(Fake="fake:choosy", Mini="minimax:depth=1", Robot="robot")
    assert [each.name for each in known] == ["Fake", "Mini", "Robot"]
    assert "kalah" not in known.find("Fake").variants
    assert {"international", "oware"} <= set(known.find("Fake").variants)
    assert set(known.find("Robot").variants) < set(known.find("Mini").variants)
    request = NewGame(variant="kalah", opponent="engine", engine="Fake")
    with pytest.raises(TablemenError, match="Fake"):
        create_game(request, known)
    with pytest.raises(ArgumentError) as caught:
        create_game(request.model_copy(update={"engine": "scan hub"}), known)
    assert (caught.value.name, caught.value.value) == ("engine", "scan hub")
    assert all(name in caught.value.expected for name in ("Fake", "Mini", "Robot"))
    with pytest.raises(TablemenError):
        create_game(request.model_copy(update={"engine": None}), engines())


@pytest.mark.usefixtures("fakes")
def test_games_take_turns_and_stop_only_their_own_search() -> None:
    known = engines(Fake="fake:waits")
    engine = known.find("Fake")
    heard = get_player(engine).calls
    one, other = SharedEnginePlayer("Fake", engine), SharedEnginePlayer("Fake", engine)
    later = Game(START, ["32-28"])

    async def until(condition: Any) -> None:
        while not condition():
            await asyncio.sleep(0.005)

    async def scenario() -> None:
        first = asyncio.create_task(engine.run(lambda: one.choose(Game(START)), "a"))
        second = asyncio.create_task(engine.run(lambda: other.choose(later), "b"))
        await until(lambda: len(heard) == 2)
        other.stop()  # does not stop the running search of the first game
        assert heard == ["open", ("choose", 0, None, None)]
        one.stop()
        await first
        await until(lambda: len(heard) == 4)
        assert heard[-1] == ("choose", 1, None, None)
        await known.close()  # ends the running search
        with pytest.raises(PeerGoneError):
            await second
        with pytest.raises(PeerGoneError) as caught:
            one.choose(Game(START))
        assert caught.value.peer == "Fake"

    run_in_time(scenario())
    assert heard.count("close") >= 1


@pytest.mark.usefixtures("fakes")
def test_the_time_of_an_engine_is_limited() -> None:
    engine = Engines({"Fake": "fake:waits"}, seconds=0.01, waiting_of_one=1).find("Fake")
    assert SharedEnginePlayer("Fake", engine).choose(Game(START)) in Game(START).legal_moves()
    assert get_player(engine).calls[-1] == "stop"


@pytest.mark.usefixtures("fakes")
def test_an_engine_that_does_not_stop_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablemen.web.games.opponents.STOP_TIMEOUT", 0.01)
    monkeypatch.setattr("tests.fake_engines.FakeEngine.stop", lambda _: None)
    engine = Engines({"Fake": "fake:waits"}, seconds=0.01, waiting_of_one=1).find("Fake")
    with pytest.raises(PeerTimeoutError) as caught:
        SharedEnginePlayer("Fake", engine).choose(Game(START))
    assert (caught.value.peer, caught.value.seconds) == ("Fake", 0.02)
    assert get_player(engine).calls[-1] == "close"


@pytest.mark.usefixtures("fakes")
def test_a_failed_engine_is_not_restarted_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("tablemen.web.games.opponents.RETRY_INTERVAL", 100.0)
    monkeypatch.setattr("tablemen.web.games.opponents.time.sleep", slept.append)
    player = SharedEnginePlayer("Fake", engines(Fake="fake:dies").find("Fake"))
    for _ in range(2):
        with pytest.raises(PeerGoneError):
            player.choose(Game(START))
    assert slept[0] == 0
    assert 0 < slept[1] <= 100


@pytest.mark.usefixtures("fakes")
def test_an_engine_that_refused_a_game_is_not_restarted_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("tablemen.web.games.opponents.RETRY_INTERVAL", 100.0)
    monkeypatch.setattr("tablemen.web.games.opponents.time.sleep", slept.append)
    engine = engines(Fake="fake:refuses").find("Fake")
    for variant in ("international", "frisian"):
        with pytest.raises(RefusedGameError):
            engine.choose(SharedEnginePlayer("Fake", engine), Game(Position.start(variant)))
    assert 0 < slept[1] <= 100


@pytest.mark.usefixtures("fakes")
def test_a_slow_start_of_an_engine_does_not_delay_close() -> None:
    engine = engines(Fake="fake:late").find("Fake")

    async def scenario() -> None:
        waiting = asyncio.ensure_future(engine.run(lambda: SharedEnginePlayer("Fake", engine).choose(Game(START)), "a"))
        while get_player(engine).calls != ["open"]:
            await asyncio.sleep(0.005)
        await engine.close()
        assert not waiting.done()
        get_player(engine).may_begin.set()
        with pytest.raises(PeerGoneError):
            await waiting

    run_in_time(scenario())
    assert get_player(engine).calls == ["open", "close"]
