"""Long calls of the core release the GIL, signals interrupt them, and work limits bound them."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

import pytest

from tablemen import ArgumentError, Game, IllegalMoveError, Side, WorkLimitError, work_limit
from tablemen.draughts import VARIANTS, Kind, Move, Position
from tablemen.draughts.move_errors import MAX_WORK
from tablemen.draughts.pdn import PdnGame, read_pdn
from tablemen.draughts.pdn.reader import MIN_BATCH_SIZE
from tablemen.search import Limit, Searcher

FILES = sorted((Path(__file__).parent / "pdn").glob("*.pdn"))
ROOT = Path(__file__).parents[2]
TICK_INTERVAL = 0.01  # seconds
# With a white king on 48, in Frisian draughts: 393,304 states of the capture search.
MANY_CAPTURES = "K11,K16,K18,K20,K21,K23,K24,K27,K29,K32,K33,K36,K38,K41,K42,K43,K45,K47,K49,K9"
ALARM_DELAY = 0.3  # seconds
LIMIT = 50_000  # units of work, a hundredth of a second
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


POSITION = endless_position()
FIRST, LAST = RULES.mover.squares[0], RULES.mover.squares[-10]
# The path of no legal capture: it takes one piece, and captures must go on.
SHORT_CAPTURE = Move(RULES, [LAST, LAST - 18], captured=[LAST - 9])
ENDLESS: dict[str, Callable[[], object]] = {
    "legal_moves": POSITION.legal_moves,
    "all paths": partial(POSITION.legal_moves, paths=True),
    "find_moves": partial(POSITION.find_moves, [LAST, FIRST]),
    "parse_move": partial(POSITION.parse_move, f"{LAST}x{FIRST}"),
    "is_legal": partial(POSITION.is_legal, SHORT_CAPTURE),
    "listed": partial(POSITION.listed, SHORT_CAPTURE),
    "play": partial(POSITION.play, SHORT_CAPTURE),
    "push": lambda: Game(POSITION).push(f"{LAST}x{FIRST}"),
    "perft": partial(POSITION.perft, 1),
    "perft on two threads": partial(POSITION.perft, 3, threads=2),
    "divide": partial(POSITION.divide, 2),
    "playouts": partial(POSITION.random_playouts, 3, seed=1),
    "playouts on two threads": partial(POSITION.random_playouts, 40, seed=1, threads=2),
    "game file": lambda: next(read_pdn(endless_pdn(), variant=RULES)),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_work_limits_bound_long_calls(name: str) -> None:
    with work_limit(LIMIT), pytest.raises(WorkLimitError) as caught:
        ENDLESS[name]()
    assert caught.value.units == LIMIT


def test_the_reason_of_an_illegal_move_is_bounded() -> None:
    position = endless_position()
    (king,) = position.squares(Side.WHITE, Kind.KING)
    with pytest.raises(IllegalMoveError) as caught:
        position.play(Move(RULES, [king, king - 1]))
    with work_limit(2 * MAX_WORK):
        assert caught.value.reason.startswith("no legal move goes from")
        assert len(Position.start("english").legal_moves()) == 7  # some of the limit is left
    with pytest.raises(IllegalMoveError) as caught:
        position.play(Move(RULES, [king, king - 1]))
    with work_limit(LIMIT):
        assert caught.value.reason.startswith("no legal move goes from")


def test_calls_in_a_block_share_the_work_limit() -> None:
    start = Position.start("international")
    with work_limit(10):
        for _ in range(10):
            start.legal_moves()
        with pytest.raises(WorkLimitError):
            start.legal_moves()
    start.legal_moves()


def test_inner_work_limits_use_up_the_outer_one() -> None:
    start = Position.start("international")
    with work_limit(10):
        with work_limit(1000), pytest.raises(WorkLimitError) as caught:
            start.perft(4)
        assert caught.value.units == 10
    with work_limit(1000):
        with work_limit(5):
            start.legal_moves()
        for _ in range(999):
            start.legal_moves()
        with pytest.raises(WorkLimitError):
            start.legal_moves()


def test_the_work_limit_of_a_thread_does_not_apply_to_others() -> None:
    start = Position.start("international")
    with ThreadPoolExecutor(1) as executor, work_limit(0):
        assert len(executor.submit(start.legal_moves).result()) == 9


@pytest.mark.parametrize("units", [-1, 1.5, None, True, 2**63])
def test_work_limits_are_whole_numbers(units: Any) -> None:
    with pytest.raises(ArgumentError) as caught, work_limit(units):
        pass
    assert caught.value.name == "units"


def test_work_does_not_depend_on_the_machine() -> None:
    position = Position.from_fen(f"W:WK48:B{MANY_CAPTURES}", "frisian")
    with work_limit(400_000):
        assert position.perft(1) > 0
    with work_limit(390_000), pytest.raises(WorkLimitError):
        position.perft(1)


def test_a_search_without_time_for_its_root_moves_raises() -> None:
    searcher = Searcher(table_mb=1)
    with pytest.raises(WorkLimitError) as caught:
        searcher.choose(POSITION, Limit(time=0.05))
    assert caught.value.units is None
    with searcher.analyse(POSITION) as analysis:
        analysis.stop()
        with pytest.raises(WorkLimitError):
            analysis.result()


def test_a_search_keeps_its_time_limit_below_a_simple_root() -> None:
    """Let White choose among quiet moves, after each of which Black's king has endless captures."""
    squares = {(square.row, square.column): square for square in RULES.mover.squares}
    men = [squares[row, column] for row in range(1, 18, 2) for column in range(2, 19, 2)]
    position = Position(RULES, Side.WHITE, white_men=men, black_kings=[squares[18, 1]])
    result = Searcher(table_mb=1).choose(position, Limit(time=0.05))
    assert result.move in position.legal_moves()


@pytest.mark.skipif(sys.platform != "linux", reason="address space limits are tested on Linux")
def test_too_little_memory_raises() -> None:
    program = (
        "import resource\n"
        "from tests.draughts.test_long_calls import POSITION\n"
        "used = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()\n"
        "resource.setrlimit(resource.RLIMIT_AS, (used + (64 << 20), -1))\n"
        "try:\n"
        "    POSITION.legal_moves()\n"
        "except MemoryError:\n"
        "    print('MemoryError')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.returncode, done.stdout) == (0, "MemoryError\n"), done.stderr


@pytest.mark.parametrize("work", ENDLESS.values(), ids=ENDLESS)
@pytest.mark.usefixtures("alarm")
def test_long_calls_release_the_gil_and_can_be_interrupted(work: Callable[[], object]) -> None:
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
