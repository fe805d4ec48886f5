"""Processes that answer, fail, leave, and end with whoever started them."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from concurrent.futures import BrokenExecutor, Future
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest

from tablemen.match.workers import start_workers
from tests.patience import LONG


class UnreadableError(Exception):
    """Can be written, and not read: its class asks for two arguments."""

    def __init__(self, one: int, other: int) -> None:
        super().__init__(f"{one} and {other}")


def fail(error: Exception) -> None:
    raise error


def fail_unreadably() -> None:
    raise UnreadableError(1, 2)


def give_what_cannot_be_sent() -> object:
    return lambda: None


def test_what_a_process_answers() -> None:
    with start_workers(1) as workers:
        assert [workers.submit(pow, 2, number).result(LONG) for number in range(3)] == [1, 2, 4]
        assert workers.submit(os.getpid).result(LONG) != os.getpid()

        with pytest.raises(LookupError, match="no such game") as told:
            workers.submit(fail, LookupError("no such game")).result(LONG)
        assert "in fail" in told.value.__notes__[0]
        with pytest.raises(RuntimeError, match="UnreadableError: 1 and 2"):
            workers.submit(fail_unreadably).result(LONG)
        with pytest.raises((pickle.PicklingError, AttributeError), match="pickle"):
            workers.submit(give_what_cannot_be_sent).result(LONG)
        with pytest.raises((pickle.PicklingError, AttributeError), match="pickle"):
            workers.submit(lambda: None).result(LONG)

        assert workers.submit(pow, 3, 3).result(LONG) == 27  # none of that was the end of it
    assert active_children() == []


def test_a_process_that_leaves_answers_nothing_more() -> None:
    with start_workers(1) as workers:
        lost: list[Future[Any]] = [workers.submit(os._exit, 0), workers.submit(pow, 2, 2)]
        for future in lost:
            with pytest.raises(BrokenExecutor):
                future.result(LONG)


@pytest.mark.slow
def test_who_is_asked_nothing_ends_too() -> None:
    with start_workers(2):
        assert len(active_children()) == 2
    assert active_children() == []


@pytest.mark.slow
def test_a_program_that_leaves_its_match_lying_ends(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text("""
from tablemen.match import Match

if __name__ == "__main__":
    rounds = Match("english", "random", "random", games=50).play(concurrency=2)
    print(next(rounds).played.outcome is not None)
""")
    ended = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=LONG, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "True\n", "")
