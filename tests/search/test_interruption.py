"""Stopping a search."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from tablemen import mancala
from tablemen.draughts import Move, Position
from tablemen.search import Info, Limit, Searcher, SearchResult
from tests.processes import interrupt
from tests.timeouts import TIMEOUT, wait_until

ENDLESS = """
from tablemen.draughts import Position
from tablemen.search import Limit, Searcher

analysis = Searcher(table_mb=1, threads={threads}).analyse(Position.start("international"), Limit())
for info in analysis:
    if info.depth == 4:
        print("thinking", flush=True)
"""


def test_stop_from_another_thread_ends_the_search() -> None:
    position = Position.start("international")
    analysis = Searcher(table_mb=1).analyse(position, Limit())
    results: list[SearchResult[Move]] = []
    waiting = threading.Thread(target=lambda: results.append(analysis.result()), daemon=True)
    waiting.start()
    next(iter(analysis))
    assert waiting.is_alive()
    analysis.stop()
    waiting.join(TIMEOUT)
    assert [result.move in position.legal_moves() for result in results] == [True]


def test_a_search_stopped_at_once_returns_a_legal_move() -> None:
    position = Position.start("canadian")
    analysis = Searcher(table_mb=1).analyse(position, Limit())
    analysis.stop()
    assert analysis.result().move in position.legal_moves()


def test_stop_may_be_called_twice_and_after_the_end() -> None:
    analysis = Searcher(table_mb=1).analyse(Position.start("english"), Limit(depth=2))
    result = analysis.result()
    analysis.stop()
    analysis.stop()
    assert analysis.result() == result


def test_leaving_the_context_stops_the_search() -> None:
    threads = threading.active_count()
    with Searcher(table_mb=1).analyse(Position.start("english"), Limit()) as analysis:
        next(iter(analysis))
    assert analysis.result().move in Position.start("english").legal_moves()
    assert threading.active_count() == threads


def test_an_error_in_the_context_stops_the_search() -> None:
    with (
        pytest.raises(RuntimeError),
        Searcher(table_mb=1).analyse(Position.start("english"), Limit()) as analysis,
    ):
        raise RuntimeError
    assert analysis.result().move in Position.start("english").legal_moves()


@pytest.mark.parametrize("position", [Position.start("international"), mancala.Position.start("kalah")], ids=str)
def test_several_threads_find_a_legal_move(position: Position) -> None:
    result = Searcher(table_mb=1, threads=2).choose(position, Limit(nodes=20_000))
    assert result.move in position.legal_moves()
    assert result.lines[0].line[0] == result.move


def test_parallel_searchers_do_not_affect_each_other() -> None:
    names, limit = ("international", "english", "russian", "turkish"), Limit(nodes=5000)

    def choose(name: str) -> tuple[str, float, int]:
        result = Searcher(table_mb=1).choose(Position.start(name), limit)
        return str(result.move), result.score.value, result.lines[0].nodes

    alone = [choose(name) for name in names]
    with ThreadPoolExecutor(len(names)) as pool:
        assert list(pool.map(choose, names)) == alone


def test_one_searcher_runs_searches_one_after_the_other() -> None:
    """Start a second search while the first one runs, and check both results."""
    one = Searcher(table_mb=1)
    english, russian = Position.start("english"), Position.start("russian")
    with one.analyse(english, Limit()) as first:
        first.stop()
        assert one.choose(russian, Limit(depth=3)).move in russian.legal_moves()
        assert first.result().move in english.legal_moves()


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_the_search(threads: int) -> None:
    assert interrupt(ENDLESS.format(threads=threads), "thinking")[-1] == "KeyboardInterrupt"


def test_async_for_reads_the_same_results() -> None:
    position, limit = Position.start("international"), Limit(depth=9)
    analysis = Searcher(table_mb=1).analyse(position, limit, multipv=2)

    async def collect() -> list[Info[Move]]:
        return [info async for info in analysis]

    infos = asyncio.run(collect())
    expected = list(Searcher(table_mb=1).analyse(position, limit, multipv=2))
    assert [(info.depth, info.rank, info.line) for info in infos] == [
        (info.depth, info.rank, info.line) for info in expected
    ]
    assert analysis.result().lines[0].line == infos[-2].line


def test_cancelling_a_task_stops_its_search_and_ends_its_thread() -> None:
    threads = threading.active_count()
    searcher = Searcher(table_mb=1)
    analysis = searcher.analyse(Position.start("international"))
    infos: list[Info[Move]] = []

    async def run() -> None:
        async def read() -> None:
            async for info in analysis:
                infos.append(info)  # noqa: PERF401 - the list is complete only if the search ends

        reading = asyncio.create_task(read())
        while len(infos) < 12:  # from then on, an iteration takes long
            await asyncio.sleep(0.001)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading

    asyncio.run(run())
    wait_until(lambda: threading.active_count() == threads, "the waiting thread still runs")
    depths = [info.depth for info in [*infos, *analysis]]
    assert depths == list(range(1, len(depths) + 1))
    assert analysis.result().lines[0].line[0] == analysis.result().move
    english = Position.start("english")
    assert searcher.choose(english, Limit(depth=2)).move in english.legal_moves()


FORK = """
import os, sys
from tablemen import TablemenError
from tablemen.draughts import Position
from tablemen.search import Limit, Searcher

position = Position.start("international")
searcher, other = Searcher(table_mb=1), Searcher(table_mb=1)
finished = other.analyse(position, Limit(depth=2))
finished.result()
running = searcher.analyse(position)
next(running)
if sys.argv[1] == "stopped":
    running.stop()
child = os.fork()
if child == 0:
    for read in (running.result, running.__next__):
        try:
            read()
        except TablemenError as error:
            print("fork" in str(error))
    print(finished.result().move in position.legal_moves())
    print(searcher.choose(position, Limit(depth=2)).move in position.legal_moves())
    sys.stdout.flush()
    os._exit(0)
print(os.waitpid(child, 0)[1])
running.stop()
print(running.result().move in position.legal_moves())
"""


@pytest.mark.slow
@pytest.mark.parametrize("state", ["running", "stopped"])
def test_a_forked_process_cannot_read_the_results_but_can_search(state: str) -> None:
    command = [sys.executable, "-c", FORK, state]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    assert (done.stdout.split(), done.stderr) == (["True"] * 4 + ["0", "True"], "")
