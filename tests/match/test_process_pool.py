"""The process pool of matches: results, errors, dead workers, and the end of workers."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor, Future
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest

from tablemen.match.workers import GameProcessPool, PlayerPool
from tests.timeouts import TIMEOUT


class UnpicklableError(Exception):
    """An error that can be pickled but not unpickled, because its class needs two arguments."""

    def __init__(self, one: int, other: int) -> None:
        super().__init__(f"{one} and {other}")


def power(base: int, exponent: int, players: PlayerPool) -> int:
    return int(base**exponent)


def pause(seconds: float, players: PlayerPool) -> None:
    time.sleep(seconds)


def process_id(players: PlayerPool) -> int:
    return os.getpid()


def fail(error: Exception, players: PlayerPool) -> None:
    raise error


def fail_unpicklably(players: PlayerPool) -> None:
    raise UnpicklableError(1, 2)


def return_unpicklable(players: PlayerPool) -> object:
    return lambda: None


def exit_process(players: PlayerPool) -> None:
    time.sleep(0.3)  # until the next call is submitted: a broken pool accepts none
    os._exit(0)


def sleep(players: PlayerPool) -> None:
    time.sleep(600)


def test_workers_return_results_and_errors() -> None:
    with GameProcessPool(1) as pool:
        assert [pool.submit(power, 2, number).result(TIMEOUT) for number in range(3)] == [1, 2, 4]
        assert pool.submit(process_id).result(TIMEOUT) != os.getpid()

        with pytest.raises(LookupError, match="no such game") as raised:
            pool.submit(fail, LookupError("no such game")).result(TIMEOUT)
        assert "in fail" in str(raised.value.__cause__)
        with pytest.raises(RuntimeError, match="UnpicklableError: 1 and 2"):
            pool.submit(fail_unpicklably).result(TIMEOUT)
        with pytest.raises((pickle.PicklingError, AttributeError), match="pickle"):
            pool.submit(return_unpicklable).result(TIMEOUT)
        with pytest.raises((pickle.PicklingError, AttributeError), match="pickle"):
            pool.submit(lambda _: None).result(TIMEOUT)

        assert pool.submit(power, 3, 3).result(TIMEOUT) == 27  # the pool still works
    assert active_children() == []


def test_a_dead_worker_breaks_the_pool_but_loses_no_result() -> None:
    with GameProcessPool(2) as pool:
        finished = [pool.submit(power, 2, number) for number in range(20)]
        assert [future.result(TIMEOUT) for future in finished] == [2**number for number in range(20)]
        lost: list[Future[Any]] = [pool.submit(sleep), pool.submit(exit_process), pool.submit(power, 2, 2)]
        for future in lost:
            with pytest.raises(BrokenExecutor):
                future.result(TIMEOUT)
    assert active_children() == []


def test_leaving_the_block_aborts_running_calls() -> None:
    started = time.monotonic()
    with GameProcessPool(2) as pool:
        pool.submit(power, 1, 1).result(TIMEOUT)
        futures = [pool.submit(sleep) for _ in range(9)]
    assert time.monotonic() - started < 60
    assert all(future.done() for future in futures)
    assert active_children() == []


@pytest.mark.slow
def test_leaving_the_block_ends_idle_workers() -> None:
    with GameProcessPool(2) as pool:
        for future in [pool.submit(pause, 0.3) for _ in range(2)]:  # both at once, so that each needs a worker
            future.result(TIMEOUT)
        assert len(active_children()) == 2
    assert active_children() == []


@pytest.mark.slow
def test_workers_end_while_they_send_large_results() -> None:
    # Half a result in the pipe would block the pool forever.
    for number in range(10):
        with GameProcessPool(2) as pool:
            futures = [pool.submit(return_many_bytes) for _ in range(50)]
            futures[number].result(TIMEOUT)
        assert active_children() == []


def return_many_bytes(players: PlayerPool) -> bytes:
    return b" " * 300_000


PROGRAM = """
import sys, time
from tablemen.match import Match
from tablemen.players import RandomPlayer

created = []

class Sleeping(RandomPlayer):
    def choose(self, game):
        if len(created) > 5:  # in the third game of a worker
            time.sleep(600)
        return super().choose(game)

def sleeping():
    created.append(Sleeping())
    return created[-1]

if __name__ == "__main__":
    player = sleeping if sys.argv[1] == "sleeping" else sys.argv[1]
    games = Match("english", player, "random", games=50).play(concurrency=2)
    print(next(games).played.outcome is not None)
"""


@pytest.mark.slow
@pytest.mark.parametrize("player", ["random", "sleeping"])
def test_a_program_exits_without_closing_its_match(tmp_path: Path, player: str) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    command = [sys.executable, str(program), player]
    completed = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    assert (completed.returncode, completed.stdout, completed.stderr) == (0, "True\n", "")
