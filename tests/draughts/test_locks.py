"""Long calls of the core release the GIL, and signals interrupt them."""

from __future__ import annotations

import io
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from time import perf_counter, sleep

import pytest

from tablemen import Side
from tablemen.draughts import VARIANTS, Position
from tablemen.draughts.pdn import PdnGame, read_pdn
from tablemen.draughts.pdn.reader import MIN_BATCH_SIZE

FILES = sorted((Path(__file__).parent / "pdn").glob("*.pdn"))
TICK_INTERVAL = 0.01  # seconds
ALARM_DELAY = 0.5  # seconds
RULES = replace(VARIANTS["brazilian"], name="custom", columns=20, rows=20, precedence=())


class Alarm(Exception):  # noqa: N818 - it is not an error
    """Raised by the signal handler."""


@pytest.fixture
def alarm() -> Iterator[None]:
    def raise_alarm(*_: object) -> None:
        raise Alarm

    previous = signal.signal(signal.SIGALRM, raise_alarm)
    signal.setitimer(signal.ITIMER_REAL, ALARM_DELAY)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def endless_position() -> Position:
    """Return a king among 81 men that can be captured in any order: listing all captures would never end."""
    squares = {(square.row, square.column): square for square in RULES.mover.squares}
    men = [squares[row, column] for row in range(1, 18, 2) for column in range(2, 19, 2)]
    return Position(RULES, Side.WHITE, white_kings=[squares[18, 1]], black_men=men)


def endless_pdn() -> io.StringIO:
    squares = [str(square) for square in RULES.mover.squares]
    return io.StringIO(f'[FEN "{endless_position().fen()}"] 1. {squares[-10]}x{squares[0]} *')


def read_endless_game() -> None:
    next(read_pdn(endless_pdn(), variant=RULES))


def list_endless_moves() -> None:
    endless_position().legal_moves()


@pytest.mark.parametrize("work", [list_endless_moves, read_endless_game])
@pytest.mark.usefixtures("alarm")
def test_long_calls_release_the_gil_and_can_be_interrupted(work: Callable[[], None]) -> None:
    ticks: list[float] = []
    done = threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks.append(perf_counter())
            sleep(TICK_INTERVAL)

    with ThreadPoolExecutor(1) as executor:
        executor.submit(tick)
        try:
            with pytest.raises(Alarm):
                work()
        finally:
            done.set()
    # If the GIL were held, there would be only one or two ticks.
    assert len(ticks) > ALARM_DELAY / TICK_INTERVAL / 5


def test_games_before_an_endless_one_are_read() -> None:
    file = io.StringIO("1. ... * " * MIN_BATCH_SIZE + endless_pdn().getvalue())
    assert next(read_pdn(file, variant=RULES)).moves == ("...",)


def test_threads_read_files_in_parallel() -> None:
    def read(path: Path) -> list[PdnGame]:
        return list(read_pdn(path, on_error=lambda _: None))

    with ThreadPoolExecutor(4) as executor:
        assert list(executor.map(read, FILES)) == [read(path) for path in FILES]
