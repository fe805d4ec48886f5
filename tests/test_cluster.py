"""Clusters: Dask's scheduler with two processes on this machine, one of which is killed; and the errors of a set-up."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest
from click.testing import CliRunner, Result

import tablemen
from tablemen import ArgumentError, TablemenError
from tablemen.cli import main
from tablemen.cluster import Cluster, find_problem, open_cluster
from tablemen.draughts.tablebase import build
from tablemen.errors import TaskError
from tablemen.match import Match, Openings
from tablemen.tasks import has_rows, run_tasks
from tests.processes import is_running
from tests.timeouts import TIMEOUT, ended_when_late, wait_until
from tests.worker_tasks import create_tasks, kill_always, read_attempts, read_files

EXAMPLES = Path(__file__).parents[1] / "examples"
ATTEMPTS = 2


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    dask = pytest.importorskip("dask", reason="clusters require Dask: pip install distributed")
    with dask.config.set({"distributed.scheduler.allowed-failures": ATTEMPTS - 1}), open_cluster("local:2") as opened:
        yield opened


@pytest.mark.slow
def test_a_killed_worker_costs_its_task_only(tmp_path: Path, cluster: Cluster) -> None:
    assert cluster.workers == 2
    tasks = create_tasks(tmp_path / "one", 5)
    with ThreadPoolExecutor(1) as executor:
        list(run_tasks(tasks, executor))
    expected = read_files(tmp_path / "one")
    tasks = create_tasks(tmp_path / "two", 5, killed={1})
    assert list(run_tasks(tasks, cluster)) == tasks
    assert {name: text for name, text in read_files(tmp_path / "two").items() if name in expected} == expected
    attempts = read_attempts(tmp_path / "two")
    assert attempts[1] == 2
    assert sum(attempts.values()) <= 5 + 2
    assert list(run_tasks(tasks, cluster)) == tasks
    assert read_attempts(tmp_path / "two") == attempts


@pytest.mark.slow
def test_a_task_that_always_ends_its_worker_is_named(tmp_path: Path, cluster: Cluster) -> None:
    good, task = create_tasks(tmp_path, 2)
    bad = replace(task, function=kill_always, arguments=(str(tmp_path), 1))
    with pytest.raises(TaskError) as caught:
        list(run_tasks([bad], cluster))
    assert caught.value.task == bad.name
    assert isinstance(caught.value.__cause__, BrokenExecutor)
    assert read_attempts(tmp_path)[1] == ATTEMPTS
    assert list(run_tasks([good, task], cluster)) == [good, task]


@pytest.mark.slow
def test_an_interrupted_match_continues_with_the_same_games(tmp_path: Path, cluster: Cluster) -> None:
    match = Match("english", "minimax:depth=1", "random", games=12, openings=Openings(plies=4), seed=3)
    expected = list(match.play())
    options: dict[str, Any] = {"executor": cluster, "folder": tmp_path, "games_per_task": 2}
    games = match.play(**options)
    assert next(games) == expected[0]
    games.close()
    finished = read_results(tmp_path)  # tasks that have begun may still write their files
    assert finished
    assert list(match.play(**options)) == expected
    files = read_results(tmp_path)
    assert files.items() >= finished.items()
    with ThreadPoolExecutor(1) as executor:
        list(match.play(executor=executor, folder=tmp_path / "one", games_per_task=2))
    assert read_files(tmp_path / "one") == files


def read_results(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("*.jsonl")}


@pytest.mark.slow
def test_a_tablebase_and_its_errors(tmp_path: Path, cluster: Cluster) -> None:
    built = build("english", 2, folder=tmp_path / "two", executor=cluster)
    build("english", 2, folder=tmp_path / "one")
    assert built.pieces == 2
    assert read_files(tmp_path / "one" / "english") == read_files(tmp_path / "two" / "english")
    call = cluster.submit(divmod, 1, 0)
    with pytest.raises(ZeroDivisionError):
        call.result(TIMEOUT)
    assert cluster.submit(sum, [1, 2], start=3).result(TIMEOUT) == 6


@pytest.mark.slow
def test_versions_and_folders_are_checked(tmp_path: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    cluster.check_versions()
    cluster.check_folder(tmp_path / "new")
    assert list((tmp_path / "new").iterdir()) == []
    with monkeypatch.context() as patch:
        patch.setattr("tablemen.cluster.find_problem", _find_no_folder)
        with pytest.raises(TablemenError, match=re.escape(str(tmp_path))):
            cluster.check_folder(tmp_path)
    assert list(tmp_path.iterdir()) == [tmp_path / "new"]
    monkeypatch.setattr(tablemen, "__version__", "0.0.1")
    with pytest.raises(TablemenError, match=r"0\.0\.1.*pip|0\.0\.1.*same version"):
        cluster.check_versions()
    with pytest.raises(TablemenError, match=r"0\.0\.1"):
        cluster.submit(int).result(TIMEOUT)


def _find_no_folder(path: str, token: str) -> str | None:
    return find_problem("/nowhere" + path, token)


@pytest.mark.slow
def test_ctrl_c_ends_the_processes_and_keeps_finished_games(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="clusters require Dask: pip install distributed")
    words = ["match", "english", "random", "minimax", "--games", "1000", "--per-task", "2", "--openings"]
    command = [sys.executable, "-m", "tablemen", *words, "random:4", "--cluster", "local:1", "--folder", str(tmp_path)]
    pipe = subprocess.PIPE
    with (
        subprocess.Popen(command, stdout=pipe, stderr=pipe, encoding="utf-8", start_new_session=True) as program,
        ended_when_late(program),
    ):
        assert program.stderr is not None
        while not program.stderr.readline().startswith("game 1 of 1000: "):
            assert program.poll() is None
        children = list_children(program.pid)
        os.killpg(program.pid, signal.SIGINT)  # as a terminal does
        output, errors = program.communicate()
    assert program.returncode == 130
    assert re.match(r"random against minimax, English draughts, \d+ games?\n", output)
    assert "Traceback" not in errors
    assert errors.endswith("Interrupted.\n")
    assert all(map(has_rows, tmp_path.glob("match-*")))
    for pid in children:
        wait_until(lambda pid=pid: not is_running(pid), f"process {pid} still runs")  # type: ignore[misc]


def list_children(pid: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]


# The commands, with threads instead of a cluster.


class Threads(ThreadPoolExecutor):
    """Threads that are used as a cluster, with the addresses and folders that were given."""

    workers = 2
    opened: ClassVar[list[tuple[str, Path]]] = []
    submitted = 0

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        Threads.submitted += 1
        return super().submit(function, *args, **kwargs)


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> type[Threads]:
    def open_threads(address: str, *, folder: Path) -> Threads:
        Threads.opened.append((address, folder))
        return Threads(2)

    Threads.opened, Threads.submitted = [], 0
    monkeypatch.setattr("tablemen.cluster.open_cluster", open_threads)
    return Threads


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


COMMANDS = {
    "match": ["match", "kalah", "robot", "random", "--games", "6", "--per-task", "4", "--json"],
    "analyse": ["analyse", str(EXAMPLES / "games.pdn"), "--nodes", "200", "--json"],
    "solve": ["solve", "kalah", "--positions", "positions.txt", "--moves"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_commands_print_the_same_on_a_cluster(
    name: str, tmp_path: Path, threads: type[Threads], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = "<2,0,0,2,1,0,3> north\n\n<2,5,1,0,0,2,0> south\n<2,1,0,2,1,0,3> south\n"
    Path("positions.txt").write_text(lines, encoding="ascii")
    words = COMMANDS[name]
    here = run(*(word for word in words if word not in {"--per-task", "4"}))
    options = ["--cluster", "local:2", "--folder", "tasks"]
    first, second = run(*words, *options), run(*words, *options)
    assert first.stdout == second.stdout == here.stdout != ""
    assert [each.exit_code for each in (first, second)] == [here.exit_code] * 2
    assert threads.opened == [("local:2", Path("tasks"))] * 2
    count = {"match": 2, "analyse": 1, "solve": 1}[name]
    assert threads.submitted == count
    assert f"{count} of {count} tasks, {count} done before" in second.stderr


def test_a_tablebase_is_built_on_a_cluster(tmp_path: Path, threads: type[Threads]) -> None:
    words = ["tablebase", "build", "english", "--pieces", "2", "--folder", str(tmp_path)]
    assert run(*words, "--cluster", "tcp://host:8786").exit_code == 0
    assert threads.opened == [("tcp://host:8786", tmp_path / "english")]
    assert threads.submitted > 0


def test_positions_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "positions.txt"
    path.write_text("<2,0,0,2,1,0,3> north\n<2,5,1,0,0,2,0> south\n", encoding="ascii")
    result = run("solve", "kalah", "--positions", str(path), "--moves")
    assert (result.exit_code, result.stdout) == (
        0,
        "<2,0,0,2,1,0,3> north: +2: . +2\n<2,5,1,0,0,2,0> south: +2\n",
    )


# Errors.


def test_dask_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(TablemenError, match=re.escape('pip install "tablemen[cluster]"')):
        open_cluster("local:1")


@pytest.mark.parametrize("address", ["", "host:8786", "local:0", "local:", "no-such-file.json", "local:-1"])
def test_addresses_are_checked(address: str) -> None:
    pytest.importorskip("distributed", reason="clusters require Dask: pip install distributed")
    with pytest.raises(ArgumentError) as caught:
        open_cluster(address)
    assert (caught.value.name, caught.value.value) == ("cluster", address)


@pytest.mark.slow
def test_a_scheduler_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="clusters require Dask: pip install distributed")
    monkeypatch.setattr("tablemen.cluster.CONNECT_TIMEOUT", 0.2)
    with pytest.raises(TablemenError, match=r"tcp://127\.0\.0\.1:9"):
        open_cluster("tcp://127.0.0.1:9")


def test_folders_of_workers(tmp_path: Path) -> None:
    path = tmp_path / "one.check"
    assert "does not exist" in str(find_problem(str(path), "token"))
    path.write_text("other", encoding="ascii")
    assert "other files" in str(find_problem(str(path), "token"))
    path.write_text("token", encoding="ascii")
    assert find_problem(str(path), "token") is None
    assert list(tmp_path.iterdir()) == [path]
