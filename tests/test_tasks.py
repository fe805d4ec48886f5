"""Tasks of executors: order, names, interrupted and repeated runs, dead workers, and what tasks compute."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import active_children
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tablemen import ArgumentError, Game, TablemenError, mancala
from tablemen.analysis import GameAnalysis, PositionAnalysis, analyse_game, analyse_games, analyse_pdn
from tablemen.clock import TimeControl
from tablemen.draughts import Position, find_variant
from tablemen.draughts.pdn import parse_pdn, read_pdn
from tablemen.draughts.weights import default_weights, format_weights
from tablemen.errors import TaskError
from tablemen.ground_truth import GroundTruth
from tablemen.mancala import solve_all, solve_in_tasks
from tablemen.match import Match, Openings, parse_draw, parse_openings, parse_resign
from tablemen.process_pool import MAX_ATTEMPTS, RestartingPool
from tablemen.search import Limit
from tablemen.tasks import PART_SUFFIX, TaskProgress, has_rows, name_file, read_rows, run_tasks
from tests.fake_players import First
from tests.mancala.strategies import small_positions
from tests.worker_tasks import create_tasks, kill_always, read_attempts, read_files

EXAMPLES = Path(__file__).parents[1] / "examples"


class RandomExecutor(Executor):
    """An executor that makes the calls in a random order, each when the queue waits for the next one."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.pending: list[tuple[Future[Any], Callable[[], object]]] = []
        self.calls = 0

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.pending.append((future, lambda: function(*args, **kwargs)))
        self.calls += 1
        if len(self.pending) > self.chance.randrange(4):
            self.run_all()
        return future

    def run_all(self) -> None:
        self.chance.shuffle(self.pending)
        for future, call in self.pending:
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(call())
                except Exception as error:  # noqa: BLE001 - passed to the future, as executors do
                    future.set_exception(error)
        self.pending.clear()


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(2) as executor:
        yield executor


@pytest.mark.parametrize("seed", range(10))
def test_tasks_are_yielded_in_order_and_only_missing_ones_are_run(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = Random(seed)
    executor = RandomExecutor(seed)
    monkeypatch.setattr("tablemen.tasks.MAX_QUEUED", chance.choice([1, 3, 1000]))
    monkeypatch.setattr("tablemen.tasks.MAX_UNREAD", chance.choice([3, 10_000]))
    tasks = create_tasks(tmp_path, chance.randrange(1, 8))

    def run(total: int | None = None) -> list[TaskProgress]:
        seen: list[TaskProgress] = []

        def report(progress: TaskProgress) -> None:
            seen.append(progress)
            executor.run_all()

        found = list(run_tasks(iter(tasks), executor, total=total, on_progress=report))
        assert found == tasks
        assert all(has_rows(task.path) for task in tasks)
        assert [each.done for each in seen] == sorted(each.done for each in seen)
        assert seen[-1].is_over
        return seen

    run()
    files = read_files(tmp_path)
    assert executor.calls == len(files) == len(tasks)
    assert run(len(tasks))[-1].found == len(tasks)
    assert executor.calls == len(tasks)
    missing = [task for task in tasks if chance.random() < 0.5]
    for task in missing:  # removed or damaged
        if chance.random() < 0.5:
            task.path.unlink()
        else:
            content = task.path.read_bytes()
            task.path.write_bytes(content[: chance.randrange(len(content))])
    run()
    assert executor.calls == len(tasks) + len(missing)
    assert read_files(tmp_path) == files


def test_names_follow_from_the_content_and_the_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = [{"a": 1, "b": [2, "ä"]}, {"b": [2, "ä"], "a": 1}, {"a": 1, "b": [2, "a"]}]
    one, same, other = (name_file(tmp_path, "match", each) for each in settings)
    assert one == same != other
    monkeypatch.setattr("tablemen.__version__", "0.0.1")
    assert name_file(tmp_path, "match", settings[0]) != one


def test_closing_cancels_queued_tasks_and_keeps_finished_ones(tmp_path: Path) -> None:
    tasks = create_tasks(tmp_path, 6, pause=0.05)
    with ThreadPoolExecutor(1) as executor:
        running = run_tasks(tasks, executor)
        assert next(running) == tasks[0]
        running.close()
    finished = read_files(tmp_path)
    assert 0 < len(finished) < len(tasks)
    with ThreadPoolExecutor(1) as executor:
        assert list(run_tasks(tasks, executor)) == tasks
    assert read_files(tmp_path).items() >= finished.items()
    assert sum(read_attempts(tmp_path).values()) == len(tasks)


def test_the_error_of_a_task_names_it(tmp_path: Path, threads: ThreadPoolExecutor) -> None:
    (task,) = create_tasks(tmp_path, 1)
    with pytest.raises(ZeroDivisionError) as caught:
        list(run_tasks([replace(task, function=divide, arguments=(0,))], threads))
    assert caught.value.__notes__ == [f"in the task {task.name!r}"]
    assert read_files(tmp_path) == {}


def divide(number: int) -> bytes:
    return bytes(1 // number)


class OtherWorker(ThreadPoolExecutor):
    """An executor that changes an argument of the call, as if the worker were another machine."""

    def __init__(self, index: int, value: str) -> None:
        super().__init__(1)
        self.index, self.value = index, value

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        changed = [*args]
        changed[self.index] = self.value
        return super().submit(function, *changed, **kwargs)


@pytest.mark.parametrize(
    ("index", "value", "words"),
    [(0, "0.0.1", "0.0.1"), (2, "missing/task.jsonl", "no folder missing"), (2, "task.jsonl", "same folder")],
)
def test_workers_with_another_version_or_folder_are_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, index: int, value: str, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tablemen.tasks.VISIBLE_TIMEOUT", 0.0)
    (task,) = create_tasks(tmp_path / "here", 1)
    with OtherWorker(index, value) as executor, pytest.raises(TaskError, match=words) as caught:
        list(run_tasks([task], executor))
    assert caught.value.task == task.name


def test_a_file_may_become_visible_later(tmp_path: Path) -> None:
    def show(path: Path) -> None:
        time.sleep(0.1)
        path.with_suffix(".hidden").rename(path)

    class Delayed(ThreadPoolExecutor):
        def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            future = super().submit(function, *args, **kwargs)
            future.result()
            path = Path(args[2])
            path.rename(path.with_suffix(".hidden"))
            super().submit(show, path)
            return future

    tasks = create_tasks(tmp_path, 2)
    with Delayed(1) as executor:
        assert list(run_tasks(tasks, executor)) == tasks


# Processes that die.


@pytest.mark.slow
def test_a_killed_process_costs_its_task_only(tmp_path: Path) -> None:
    expected = create_tasks(tmp_path / "expected", 6)
    with ThreadPoolExecutor(1) as executor:
        list(run_tasks(expected, executor))
    tasks = create_tasks(tmp_path / "killed", 6, killed={1, 4})
    with RestartingPool(2) as pool:
        assert list(run_tasks(tasks, pool)) == tasks
    assert active_children() == []
    parts = {name for name in read_files(tmp_path / "killed") if name.endswith(PART_SUFFIX)}  # of killed processes
    for name in parts:
        (tmp_path / "killed" / name).unlink()
    assert read_files(tmp_path / "killed") == read_files(tmp_path / "expected")
    attempts = read_attempts(tmp_path / "killed")
    assert (attempts[1], attempts[4]) >= (2, 2)
    assert sum(attempts.values()) <= 6 + 2 * 2  # each death ends at most the two calls in progress
    with RestartingPool(1) as pool:
        list(run_tasks(tasks, pool))
    assert read_attempts(tmp_path / "killed") == attempts


@pytest.mark.slow
def test_a_task_that_always_ends_its_worker_is_named(tmp_path: Path) -> None:
    tasks = create_tasks(tmp_path, 4, pause=0.3)
    bad = replace(tasks[1], function=kill_always, arguments=(str(tmp_path), 1))
    with RestartingPool(2) as pool, pytest.raises(TaskError) as caught:
        list(run_tasks([tasks[0], bad, *tasks[2:]], pool))
    assert caught.value.task == bad.name
    assert isinstance(caught.value.__cause__, BrokenExecutor)
    attempts = read_attempts(tmp_path)
    assert attempts[1] == MAX_ATTEMPTS
    assert active_children() == []


@pytest.mark.slow
def test_closing_the_pool_ends_its_calls_at_once() -> None:
    with RestartingPool(1) as pool:
        assert pool.submit(divmod, 7, 2).result() == (3, 1)
        with pytest.raises(ZeroDivisionError):
            pool.submit(divmod, 7, 0).result()
        running, queued = pool.submit(time.sleep, 600), pool.submit(time.sleep, 600)
        while not running.running():
            time.sleep(0.01)
    assert isinstance(running.exception(), BrokenExecutor)
    assert queued.cancelled()
    assert active_children() == []
    with pytest.raises(RuntimeError):
        pool.submit(int)


@pytest.mark.parametrize(("kind", "attempts"), [(BrokenExecutor, MAX_ATTEMPTS), (OSError, 1)])
def test_a_pool_that_cannot_start_processes_fails(
    monkeypatch: pytest.MonkeyPatch, kind: type[Exception], attempts: int
) -> None:
    opened: list[int] = []

    def fail(size: int) -> None:
        opened.append(size)
        raise kind

    monkeypatch.setattr("tablemen.process_pool.ProcessPool", fail)
    with RestartingPool(2) as pool, pytest.raises(kind):
        pool.submit(int).result()
    assert opened == [2] * attempts


# What tasks compute.

LINES = parse_openings("all:2", "kalah").lines[:5]
MATCHES = {
    "draughts": Match("english", "minimax:depth=1", "random", games=9, openings=Openings(plies=4), seed=3),
    "kalah": Match("kalah", "robot", "random", games=14, openings=Openings(LINES), longest=30),
    "swap": Match("fairkalah", "minimax:depth=2", "random:seed=4", games=4),
    "frisian": Match("frisian", "random", "random:seed=2", games=4, longest=250),
    "adjudicated": Match(
        "russian",
        "searcher:nodes=200,table=1",
        "searcher:depth=1,table=1",
        games=6,
        openings=Openings(plies=6),
        controls=(TimeControl(3600), None),
        resign=parse_resign("3:1"),
        draw=parse_draw("0.3:2:5"),
        tablebases=True,
    ),
}


@pytest.mark.parametrize("name", MATCHES)
def test_a_match_in_tasks_has_the_same_games(name: str, tmp_path: Path, threads: ThreadPoolExecutor) -> None:
    match = MATCHES[name]
    games = list(match.play())
    assert list(match.play(executor=threads, folder=tmp_path, games_per_task=4)) == games
    files = read_files(tmp_path)
    assert len(files) == -(-match.games // 4)
    executor = RandomExecutor(0)
    more = replace(match, games=4 * (match.games // 4) + 4)
    again = list(more.play(executor=executor, folder=tmp_path, games_per_task=4, on_tasks=lambda _: executor.run_all()))
    assert again[: match.games] == games
    assert executor.calls == 1 or match.games % 4 == 0
    assert executor.calls <= 1


def test_matches_are_named_by_their_settings_and_the_files_of_their_players(
    tmp_path: Path, threads: ThreadPoolExecutor
) -> None:
    weights = tmp_path / "own.weights"

    def count(match: Match) -> int:
        assert len(list(match.play(executor=threads, folder=tmp_path / "tasks"))) == match.games
        return len(read_files(tmp_path / "tasks"))

    rules = find_variant("italian")
    text = format_weights(default_weights(rules), rules)
    weights.write_text(text, encoding="utf-8")
    match = Match("italian", f"searcher:depth=1,evaluation={weights}", "random", games=2, longest=10)
    assert [count(match), count(replace(match, games=4)), count(match)] == [1, 2, 2]
    for number, other in enumerate([replace(match, seed=1), replace(match, longest=9), replace(match, margin=1.0)], 3):
        assert count(other) == number
    weights.write_text(f"{text}\n", encoding="utf-8")
    assert count(match) == 6


def test_matches_that_cannot_be_divided_into_tasks_are_refused(tmp_path: Path, threads: ThreadPoolExecutor) -> None:
    match = MATCHES["draughts"]
    for size in (0, 3, True):
        with pytest.raises(ArgumentError) as caught:
            next(match.play(executor=threads, folder=tmp_path, games_per_task=size))
        assert caught.value.name == "games_per_task"
    with pytest.raises(ArgumentError) as caught:
        next(match.play(folder=tmp_path))
    assert caught.value.name == "executor"
    with pytest.raises(ArgumentError) as caught:
        next(replace(match, first=First).play(executor=threads, folder=tmp_path))
    assert caught.value.name == "player"


def strip(analysis: GameAnalysis[Any]) -> GameAnalysis[Any]:
    """Return the analysis without nodes and times."""

    def change(found: PositionAnalysis[Any]) -> PositionAnalysis[Any]:
        return replace(found, lines=tuple(replace(info, nodes=0, time=0.0) for info in found.lines))

    moves = tuple(replace(each, before=change(each.before), after=change(each.after)) for each in analysis.moves)
    return replace(analysis, start=change(analysis.start), moves=moves)


def list_games() -> list[Any]:
    games: list[Any] = list(read_pdn(EXAMPLES / "games.pdn", on_error=lambda _: None))
    texts = [
        '[FEN "W:W27,32:B18,K5"] [GameType "20"] 1. 32-28 ... ... 2. ... 18-23',
        '[GameType "20"] [FEN "W:WK29,38,42,45:B27,35,K47"] 1. 29-7 27-32 *',
        '[GameType "40"] 1. 32-28 18-23 *',
        '[GameType "20"] [FEN "W:WK46,K47:BK5"] 1. 47-33 5-41 *',
        '[GameType "20"] 1. 32-28 {[%setup W:W31:B1]} 19-23 *',
        '[GameType "21"] *',
    ]
    games += map(parse_pdn, texts)
    for name, plies in (("kalah", 12), ("frisian", 40), ("fairkalah", 6), ("oware", 20)):
        games += [each.played.game for each in Match(name, "random", "random", games=2, longest=plies).play()]
    return games


def test_an_analysis_in_tasks_is_the_same(tmp_path: Path, threads: ThreadPoolExecutor) -> None:
    games, limit = list_games(), Limit(nodes=300)
    expected = [
        strip(analyse_game(each, limit) if isinstance(each, Game) else analyse_pdn(each, limit)) for each in games
    ]
    assert any(move.after.endgame for each in expected for move in each.moves)
    found = list(analyse_games(games, limit, executor=threads, folder=tmp_path, games_per_task=3))
    assert found == expected
    executor = RandomExecutor(0)
    options: dict[str, Any] = {"executor": executor, "folder": tmp_path, "games_per_task": 3}
    assert list(analyse_games(iter(games), limit, **options)) == expected
    assert executor.calls == 0
    sizes = [len(read_rows(path)) for path in tmp_path.glob("analysis-*")]
    assert sum(sizes) == len(games)
    assert max(sizes) == 3


def test_analyses_have_tasks_of_similar_length(tmp_path: Path, threads: ThreadPoolExecutor) -> None:
    games = [Game(Position.start("english"), "9-14") for _ in range(20)]  # each with two steps, of 1 s
    analyses = analyse_games(games, Limit(nodes=5_000_000, depth=1), executor=threads, folder=tmp_path)
    assert len(list(analyses)) == 20
    assert sorted(len(read_rows(path)) for path in tmp_path.glob("analysis-*")) == [10]  # of both
    with pytest.raises(ArgumentError):
        next(analyse_games([1], executor=threads, folder=tmp_path))  # type: ignore[list-item]


def test_solutions_in_tasks_are_the_same(tmp_path: Path, threads: ThreadPoolExecutor) -> None:
    start = mancala.Position.start(replace(mancala.KALAH, name="small", houses=4, seeds=3))
    positions = [start, *(start.play(move) for move in start.legal_moves())]
    positions += [
        mancala.Position.from_text("<2,0,0,2,1,0,3> north", replace(mancala.KALAH, houses=2)),
        mancala.Position.from_text("<2,5,1,0,0,2,0> south", replace(mancala.KALAH, houses=2)),
    ]
    for each_move in (True, False):
        options: dict[str, Any] = {"each_move": each_move, "cache": False}
        expected = [replace(each, nodes=0, time=0) for each in solve_all(positions, **options)]
        tasks: dict[str, Any] = {"folder": tmp_path, "positions_per_task": 3, **options}
        found = solve_in_tasks(positions, executor=threads, **tasks)
        assert [each.value for each in found] == [each.value for each in expected]
        if each_move:
            assert [replace(each, time=0) for each in found] == expected
        executor = RandomExecutor(0)
        again = solve_in_tasks(positions, executor=executor, **tasks)
        assert [replace(each, time=0) for each in again] == [replace(each, time=0) for each in found]
        assert executor.calls == 0
    assert Counter(path.name.partition("-")[0] for path in tmp_path.iterdir()) == {"input": 3, "solution": 6}
    with pytest.raises(TablemenError):
        solve_in_tasks([mancala.Position.start("oware")], executor=threads, folder=tmp_path)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(positions=st.lists(small_positions(st.integers(1, 4)), max_size=8))
def test_exact_values_in_tasks_are_the_same(
    positions: list[mancala.Position], tmp_path: Path, threads: ThreadPoolExecutor
) -> None:
    """Rules, turns and the right to swap differ from position to position."""
    expected = GroundTruth.find(positions, threads=1)
    assert GroundTruth.find(positions, executor=threads, folder=tmp_path) == expected
    with pytest.raises(ArgumentError):
        GroundTruth.find(positions, folder=tmp_path)
