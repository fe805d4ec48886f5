"""Building tablebases by several workers: the same files, order, errors, and interrupted and simultaneous builds."""

from __future__ import annotations

import errno
import os
import random
import shutil
import signal
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Any

import pytest

from tablemen import ArgumentError, TablemenError
from tablemen.draughts.tablebase import SUFFIX, Progress, Slice, Tablebase, build
from tablemen.errors import TablebaseError, TaskError
from tablemen.tasks import TaskQueue
from tests.draughts.test_tablebase import SMALL

PIECES = 3
build_small = partial(build, SMALL, PIECES, distances=True)


def read_files(folder: Path) -> dict[str, bytes]:
    """Return the contents of all files of the tablebase, temporary ones too."""
    return {path.name: path.read_bytes() for path in (folder / "small").iterdir()}


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the tablebase, built slice by slice from the core, without `build`."""
    place = tmp_path_factory.mktemp("reference") / "small"
    place.mkdir()
    tablebase = Tablebase(SMALL)
    for part in tablebase.missing(PIECES):
        for built, content in tablebase.build_slice(part, distances=True, threads=1):
            path = place / f"{built}{SUFFIX}"
            path.write_bytes(content)
            tablebase.add_file(path)
    return place.parent


class RecordingExecutor(ThreadPoolExecutor):
    """An executor that keeps the futures of all calls."""

    def __init__(self, workers: int) -> None:
        super().__init__(workers)
        self.futures: list[Future[Any]] = []

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.futures.append(super().submit(function, *args, **kwargs))
        return self.futures[-1]


class RandomExecutor(Executor):
    """An executor that runs the calls in a random order, one whenever `build` waits.

    It checks that all slices that a call needs are finished when it is submitted, and that each is built once.
    """

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.chance = random.Random(seed)
        self.pending: list[tuple[Future[Any], Callable[[], object]]] = []
        self.most_pending = 0
        self.parts: set[Slice] = set()

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        (part,) = args
        finished = set(read_files(self.folder))
        assert finished >= {f"{each}{SUFFIX}" for each in Tablebase(SMALL).dependencies(part)}
        assert not {part, part.twin} & self.parts
        self.parts |= {part, part.twin}
        future: Future[Any] = Future()
        self.pending.append((future, partial(function, *args, **kwargs)))
        self.most_pending = max(self.most_pending, len(self.pending))
        return future

    def run_one(self) -> None:
        future, call = self.pending.pop(self.chance.randrange(len(self.pending)))
        future.set_result(call())


@pytest.mark.parametrize("seed", range(20))
def test_tasks_begin_after_those_that_they_depend_on(
    reference: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    chance = random.Random(seed)
    place = tmp_path / "small"
    place.mkdir()
    contents = read_files(reference)
    present = chance.sample(sorted(contents), chance.choice([0, 0, 5, 12]))  # some may be there without those they need
    for name in present:
        (place / name).write_bytes(contents[name])
    executor = RandomExecutor(tmp_path, seed)

    wait = TaskQueue.wait

    def run_one_and_wait(queue: TaskQueue[Slice]) -> list[tuple[Slice, Any]]:
        executor.run_one()
        return wait(queue)

    monkeypatch.setattr(TaskQueue, "wait", run_one_and_wait)
    limit = chance.choice([None, 1, 2, 3])
    seen: list[Progress] = []
    build_small(folder=tmp_path, executor=executor, concurrency=limit, on_progress=seen.append)
    assert read_files(tmp_path) == contents
    built = {f"{each}{SUFFIX}" for each in executor.parts}
    assert built >= contents.keys() - set(present)
    assert executor.most_pending <= (limit or len(contents))
    assert limit is not None or executor.most_pending > 1
    assert [each.done for each in seen] == sorted(each.done for each in seen)
    assert all(each.done < each.total == seen[0].total for each in seen)


@pytest.mark.parametrize("threads", [None, 1, 2])
def test_files_do_not_depend_on_threads(reference: Path, tmp_path: Path, threads: int | None) -> None:
    built = build_small(folder=tmp_path / "alone", threads=threads)
    assert (built.pieces, built.has_distances) == (PIECES, True)
    with ThreadPoolExecutor(3) as executor:
        build_small(folder=tmp_path / "pool", threads=threads, executor=executor)
    assert read_files(tmp_path / "alone") == read_files(tmp_path / "pool") == read_files(reference)


def test_a_killed_process_costs_only_its_slices(reference: Path, tmp_path: Path) -> None:
    context = get_context("spawn")

    def kill(progress: Progress) -> None:
        if progress.done and workers:
            os.kill(workers[0], signal.SIGKILL)
            workers.clear()

    with ProcessPoolExecutor(2, context) as executor:
        # A pool of Python 3.11 can deadlock if a worker dies while another one is started, so start both first.
        workers = [each.result() for each in [executor.submit(os.getpid) for _ in range(2)]]
        with pytest.raises(TablemenError) as caught:
            build_small(folder=tmp_path, executor=executor, on_progress=kill)
    assert isinstance(caught.value.__cause__, BrokenProcessPool)
    assert isinstance(caught.value, TaskError)
    assert caught.value.task.startswith("small ")
    finished = {name: content for name, content in read_files(tmp_path).items() if name.endswith(SUFFIX)}
    assert 0 < len(finished) < len(read_files(reference))
    assert finished.items() <= read_files(reference).items()
    with ProcessPoolExecutor(2, context) as executor:
        build_small(folder=tmp_path, executor=executor)
    assert read_files(tmp_path).items() >= read_files(reference).items()


def test_own_processes_end_with_the_build(reference: Path, tmp_path: Path) -> None:
    class StoppedError(Exception):
        pass

    def stop(progress: Progress) -> None:
        if progress.done:
            raise StoppedError

    def kill(progress: Progress) -> None:
        if progress.done and not killed:
            killed.append(active_children()[0])
            os.kill(killed[0].pid or 0, signal.SIGKILL)

    killed: list[Any] = []
    with pytest.raises(StoppedError):
        build_small(folder=tmp_path / "stopped", concurrency=2, on_progress=stop)
    assert active_children() == []
    build_small(folder=tmp_path / "killed", concurrency=2, on_progress=kill)  # repeats the slices of that process
    assert killed
    assert active_children() == []
    build_small(folder=tmp_path / "stopped", concurrency=2)
    for place in ("stopped", "killed"):
        assert read_files(tmp_path / place).items() >= read_files(reference).items()


def test_an_error_cancels_queued_tasks_and_waits_for_the_others(reference: Path, tmp_path: Path) -> None:
    class StoppedError(Exception):
        pass

    def stop(progress: Progress) -> None:
        if executor.futures and len(executor.futures) > 2:
            raise StoppedError

    with RecordingExecutor(1) as executor:
        with pytest.raises(StoppedError):
            build_small(folder=tmp_path, executor=executor, on_progress=stop)
        assert all(future.done() for future in executor.futures)
        finished = read_files(tmp_path)
        assert executor.submit(len, "").result() == 0  # nothing that was queued before it has run
        assert read_files(tmp_path) == finished
    assert finished.items() < read_files(reference).items()


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
def test_an_error_of_the_disk_leaves_only_complete_files(
    reference: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    written: list[int] = []

    def fsync(descriptor: int) -> None:
        written.append(descriptor)
        if len(written) > 5:
            raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch, ThreadPoolExecutor(2) as executor:
        patch.setattr(os, "fsync", fsync)
        with pytest.raises(OSError, match=os.strerror(errno.EIO) if number == errno.EIO else "disk") as caught:
            build_small(folder=tmp_path, executor=executor)
    assert caught.value.errno == number
    path = Path(caught.value.filename)
    assert (path.parent, path.suffix, path.exists()) == (tmp_path / "small", SUFFIX, False)
    assert read_files(tmp_path).items() < read_files(reference).items()
    build_small(folder=tmp_path)
    assert read_files(tmp_path) == read_files(reference)


def test_builds_at_the_same_time_use_each_others_files(reference: Path, tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as builders, ThreadPoolExecutor(4) as executor:
        for each in [builders.submit(build_small, folder=tmp_path, executor=executor) for _ in range(4)]:
            each.result()
    assert read_files(tmp_path) == read_files(reference)


@pytest.mark.parametrize("hook", ["on_progress", "build_slice"])
def test_files_with_distances_are_not_replaced_by_files_without(
    reference: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hook: str
) -> None:
    shutil.copytree(reference, tmp_path / "copy")
    build_slice = Tablebase.build_slice

    def finish(*_: object) -> None:
        """Add all files with distances, as another build would."""
        for path in (tmp_path / "copy" / "small").iterdir():
            path.replace(tmp_path / "small" / path.name)

    def finish_and_build(*args: Any, **kwargs: Any) -> list[tuple[Slice, bytes]]:
        built = build_slice(*args, **kwargs)
        finish()
        return built

    if hook == "build_slice":
        monkeypatch.setattr(Tablebase, "build_slice", finish_and_build)
    build(SMALL, PIECES, folder=tmp_path, on_progress=finish if hook == "on_progress" else None)
    assert read_files(tmp_path) == read_files(reference)


def test_only_old_temporary_files_are_removed(tmp_path: Path) -> None:
    place = tmp_path / "small"
    place.mkdir()
    new, old = place / "K-K-new.part", place / "K-K-old.part"
    for path in (new, old):
        path.write_bytes(b"tablemen")
    os.utime(old, (time.time() - 4000,) * 2)
    build(SMALL, 2, folder=tmp_path)
    assert (new.exists(), old.exists()) == (True, False)


def test_a_damaged_file_is_named_and_can_be_replaced(reference: Path, tmp_path: Path) -> None:
    build(SMALL, 2, folder=tmp_path, distances=True)
    path = tmp_path / "small" / f"K-K{SUFFIX}"
    content = path.read_bytes()
    path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    with ProcessPoolExecutor(1, get_context("spawn")) as executor:
        for _ in range(2):
            with pytest.raises(TablebaseError) as caught:
                build_small(folder=tmp_path, executor=executor)
            assert caught.value.path == path
        path.write_bytes(content)
        build_small(folder=tmp_path, executor=executor)
    assert read_files(tmp_path) == read_files(reference)


def test_workers_with_another_folder_are_noticed(reference: Path, tmp_path: Path) -> None:
    class OtherFolderExecutor(ThreadPoolExecutor):
        def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            _, rules = function.args
            return super().submit(function.func, str(tmp_path), rules, *args, **function.keywords, **kwargs)

    with OtherFolderExecutor(1) as executor, pytest.raises(FileNotFoundError) as caught:
        build_small(folder=tmp_path, executor=executor)
    assert Path(caught.value.filename).parent == tmp_path / "small"


@pytest.mark.parametrize("name", ["threads", "concurrency"])
@pytest.mark.parametrize("number", [0, -1, True, 1.5])
def test_numbers_of_workers_are_checked(tmp_path: Path, name: str, number: Any) -> None:
    with pytest.raises(ArgumentError) as caught:
        build(SMALL, 2, folder=tmp_path, **{name: number})
    assert caught.value.name == name
    assert list(tmp_path.iterdir()) == []
