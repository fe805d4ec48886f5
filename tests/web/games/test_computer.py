"""The computer: so many searches at a time, and everybody has a turn."""

from __future__ import annotations

import asyncio
import threading
from functools import partial
from typing import Any

import pytest

from tablemen import Game
from tablemen.draughts import Position
from tablemen.search import Level, Limit
from tablemen.web.games.computer import Computer, ComputerPlayer
from tablemen.web.games.jobs import BusyComputerError
from tests.patience import LONG, run_in_time, wait_until

START = Position.start("international")


def test_owners_take_turns() -> None:
    done: list[str] = []

    async def scene() -> None:
        computer = Computer(searches=1, table_mb=1, seconds=10, waiting_of_one=9)
        names = ("a1", "a2", "a3", "a4", "b1", "c1", "b2")
        asked = [computer.run(partial(done.append, name), name[0]) for name in names]
        await asyncio.gather(*asked)
        await computer.close()

    run_in_time(scene())
    assert done == ["a1", "b1", "c1", "a2", "b2", "a3", "a4"]


def test_no_more_at_a_time_than_there_may_be() -> None:
    barrier = threading.Barrier(2)
    running: list[int] = []
    lock, now = threading.Lock(), [0]

    def work() -> None:
        with lock:
            now[0] += 1
            running.append(now[0])
        barrier.wait(LONG)  # for one that runs at the same time
        with lock:
            now[0] -= 1

    async def scene() -> None:
        computer = Computer(searches=2, table_mb=1, seconds=10, waiting_of_one=9)
        await asyncio.gather(*(computer.run(work, str(number)) for number in range(6)))
        await computer.close()

    run_in_time(scene())
    assert max(running) == 2


def test_an_error_is_told_and_the_next_goes_on() -> None:
    def fail() -> None:
        raise KeyError("nothing")

    async def scene() -> list[Any]:
        computer = Computer(searches=1, table_mb=1, seconds=10, waiting_of_one=9)
        found = await asyncio.gather(computer.run(fail, "a"), computer.run(lambda: 5, "a"), return_exceptions=True)
        await computer.close()
        return list(found)

    failed, done = run_in_time(scene())
    assert isinstance(failed, KeyError)
    assert done == 5


def test_who_has_gone_is_not_served() -> None:
    done: list[str] = []
    held = threading.Event()

    async def scene() -> None:
        computer = Computer(searches=1, table_mb=1, seconds=10, waiting_of_one=9)
        first = asyncio.create_task(computer.run(lambda: held.wait(LONG), "a"))
        gone = asyncio.create_task(computer.run(lambda: done.append("gone"), "b"))
        last = asyncio.create_task(computer.run(lambda: done.append("last"), "c"))
        await asyncio.sleep(0)
        gone.cancel()
        held.set()
        await asyncio.gather(first, last)
        await computer.close()

    run_in_time(scene())
    assert done == ["last"]


def test_who_goes_in_the_middle_leaves_the_place_when_the_work_is_done() -> None:
    done: list[str] = []
    held = threading.Event()

    def work() -> None:
        assert held.wait(LONG)
        done.append("gone")

    async def scene() -> None:
        computer = Computer(searches=1, table_mb=1, seconds=10, waiting_of_one=9)
        gone = asyncio.create_task(computer.run(work, "a"))
        last = asyncio.create_task(computer.run(lambda: done.append("last"), "b"))
        await asyncio.sleep(0)
        gone.cancel()
        with pytest.raises(asyncio.CancelledError):
            await gone
        assert (computer._turns.running, computer._turns.waiting) == (1, 1)
        held.set()
        await last
        await computer.close()

    run_in_time(scene())
    assert done == ["gone", "last"]


def test_so_much_of_one_waits() -> None:
    held = threading.Event()

    async def scene() -> list[object]:
        computer = Computer(searches=1, table_mb=1, seconds=10, waiting_of_one=1)
        asked = [asyncio.ensure_future(computer.run(lambda: held.wait(LONG), owner)) for owner in "aaab"]
        await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
        held.set()
        found = await asyncio.gather(*asked, return_exceptions=True)
        await computer.close()
        return list(found)

    first, second, third, fourth = run_in_time(scene())
    assert (first, second, fourth) == (True, True, True)
    assert isinstance(third, BusyComputerError)


def test_who_waits_when_it_closes_is_let_go() -> None:
    held = threading.Event()

    async def scene() -> None:
        computer = Computer(searches=1, table_mb=1, seconds=10, waiting_of_one=9)
        running = asyncio.ensure_future(computer.run(lambda: held.wait(LONG), "a"))
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

    run_in_time(scene())


def test_searchers_are_shared() -> None:
    computer = Computer(searches=1, table_mb=1, seconds=10, waiting_of_one=9)
    players = [ComputerPlayer(computer, how) for how in (Level(3), Limit(depth=2), Level(1))]
    games = [Game(START), Game(Position.start("english")), Game(START)]
    for player, game in zip(players, games, strict=True):
        assert player.choose(game) in game.legal_moves()
    assert len(computer._free) == 1
    assert [player.name for player in players] == ["tablemen, level 3", "tablemen", "tablemen, level 1"]
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

    wait_until(is_over, "the search goes on")
    assert chosen[0] in START.legal_moves()
    run_in_time(computer.close())
    assert endless.choose(Game(START)) in START.legal_moves()  # at once, when all is over
