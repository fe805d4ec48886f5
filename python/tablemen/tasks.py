"""Tasks for any `concurrent.futures.Executor`: threads, processes, or the machines of a cluster.

A task takes some ten seconds, reads and writes files in a folder that all workers see, and returns a checksum. The
name of its file follows from its content: everything that determines the result. So a task whose file exists is not
repeated, and the files are the same, byte for byte, with any number of workers.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import socket
import sys
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, wait
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar

from tablemen.clock import format_time
from tablemen.errors import TaskError
from tablemen.paths import remove_stale, write_atomically

__all__ = ["TaskProgress"]

K = TypeVar("K")

POLL_INTERVAL = 0.2  # seconds; Ctrl-C may be noticed only after this time
MAX_QUEUED = 1000  # tasks submitted in advance
MAX_UNREAD = 10_000  # tasks submitted since the first one that is not finished
VISIBLE_TIMEOUT = 60.0  # seconds until a file that a worker has written must be visible here; NFS caches folders
PART_SUFFIX = ".part"
DIGEST_SIZE = 16
FORMAT = "tablemen rows 1"


class TaskQueue(Generic[K]):
    """Calls that an executor makes, each with a key and a name for messages."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._running: dict[Future[Any], tuple[K, str]] = {}
        self._done: SimpleQueue[Future[Any]] = SimpleQueue()

    def __len__(self) -> int:
        return len(self._running)

    @property
    def keys(self) -> list[K]:
        """The keys of the calls that are not finished."""
        return [key for key, _ in self._running.values()]

    def submit(self, key: K, name: str, function: Callable[..., Any], /, *arguments: Any, **options: Any) -> None:
        """Submit a call. Raises `TaskError` if the executor is broken."""
        try:
            future = self._executor.submit(function, *arguments, **options)
        except BrokenExecutor as error:
            raise _lost(name, error) from error
        self._running[future] = key, name
        future.add_done_callback(self._done.put)

    def wait(self) -> list[tuple[K, Any]]:
        """Wait until at least one call is finished, and return the keys and the results of those that are.

        Raises the error of a call, with a note that names it, and `TaskError` if its worker has died.
        """
        done: list[Future[Any]] = []
        while not (done and self._done.empty()):
            with contextlib.suppress(Empty):
                done.append(self._done.get(timeout=POLL_INTERVAL))
        finished = []
        for future in done:
            key, name = self._running.pop(future)
            try:
                finished.append((key, future.result()))
            except (BrokenExecutor, CancelledError) as error:
                raise _lost(name, error) from error
            except Exception as error:
                error.add_note(f"in the task {name!r}")
                raise
        return finished

    def cancel(self, *, wait_for_running: bool = False) -> None:
        """Cancel the calls that have not begun; the others end in the background unless they are waited for."""
        begun = [each for each in self._running if not each.cancel()]
        if wait_for_running:
            wait(begun)


def _lost(name: str, error: Exception) -> TaskError:
    reason = str(error) or "the executor has cancelled it"
    return TaskError(name, f"{reason}; finished tasks are kept, and the same call continues with the others")


@dataclass(frozen=True, slots=True)
class TaskProgress:
    """The progress of tasks: the number finished, of these the number whose files existed, and the number of all.

    `total` is None as long as it is not known.
    """

    done: int
    found: int
    total: int | None
    seconds: float  # since the start

    @property
    def is_over(self) -> bool:
        """Whether all tasks are finished."""
        return self.done == self.total

    def __str__(self) -> str:
        text = f"{self.done} tasks" if self.total is None else f"{self.done} of {self.total} tasks"
        if self.found:
            text += f", {self.found} done before"
        new = self.done - self.found
        if new and self.total is not None and not self.is_over:
            text += f", {format_time(self.seconds / new * (self.total - self.done))} left"
        return text


OnTasks = Callable[[TaskProgress], object]


@dataclass(frozen=True)
class FileTask:
    """A task that writes one file: the bytes that `function` returns, which must be a function of a module.

    `is_complete` returns whether the file exists already and can be used.
    """

    name: str
    path: Path
    function: Callable[..., bytes]
    arguments: tuple[Any, ...]
    is_complete: Callable[[Path], bool]


def run_tasks(
    tasks: Iterable[FileTask], executor: Executor, *, total: int | None = None, on_progress: OnTasks | None = None
) -> Generator[FileTask, None, None]:
    """Run the tasks whose files are not complete; yield all tasks in order, each as soon as its file is complete.

    `total` is their number, if it is known. After an error, or when the iterator is closed, queued tasks are cancelled;
    those that have begun finish their files in the background. Raises `TaskError` if a task is lost because its worker
    died, if a worker has another version of tablemen, and if the folder of a worker is not the one here; also the error
    of a task.
    """
    queue: TaskQueue[int] = TaskQueue(executor)
    submitted: dict[int, FileTask] = {}  # those that have not been yielded
    finished: set[int] = set()
    folders: set[Path] = set()
    began, following, found = time.monotonic(), 0, 0
    coming = iter(tasks)
    try:
        while submitted or total is None or following < total:
            room = min(MAX_QUEUED - len(queue), MAX_UNREAD - len(submitted))
            new = list(islice(coming, room))
            if len(new) < room:
                total = following + len(submitted) + len(new)
            for number, task in enumerate(new, following + len(submitted)):
                submitted[number] = task
                if task.is_complete(task.path):
                    finished.add(number)
                    found += 1
                else:
                    if task.path.parent not in folders:
                        folders.add(task.path.parent)
                        task.path.parent.mkdir(parents=True, exist_ok=True)
                        remove_stale(task.path.parent, f"*{PART_SUFFIX}")
                    arguments = (get_version(), task.name, str(task.path), task.function, task.arguments)
                    queue.submit(number, task.name, run_file_task, *arguments)
            if on_progress is not None:
                on_progress(TaskProgress(following + len(finished), found, total, time.monotonic() - began))
            while following in finished:
                finished.remove(following)
                yield submitted.pop(following)
                following += 1
            for number, digest in queue.wait() if submitted and queue else ():
                _check_file(submitted[number], digest)
                finished.add(number)
    finally:
        queue.cancel()


def run_file_task(
    version: str, name: str, path: str, function: Callable[..., bytes], arguments: tuple[Any, ...]
) -> str:
    """Run a task in a worker: write its file and return its checksum."""
    if version != get_version():
        problem = f"the worker on {socket.gethostname()} has tablemen {get_version()}, but this is {version}"
        raise TaskError(name, f"{problem}: install the same version on all machines")
    target = Path(path)
    if not target.parent.is_dir():
        problem = f"the worker on {socket.gethostname()} has no folder {target.parent}"
        raise TaskError(name, f"{problem}: all workers must have the same folder under this path")
    content = function(*arguments)
    write_file(target, content)
    return get_digest(content)


def get_version() -> str:
    """Return the version of tablemen, which workers must have too."""
    version: str = sys.modules["tablemen"].__version__  # the package imports this module, not vice versa
    return version


def _check_file(task: FileTask, digest: str) -> None:
    """Raise `TaskError` if the file that a worker has written does not become visible here."""
    ends = time.monotonic() + VISIBLE_TIMEOUT
    while True:
        with contextlib.suppress(OSError):
            os.listdir(task.path.parent)  # noqa: PTH208 - reading the folder renews what NFS has cached of it
            if get_digest(task.path.read_bytes()) == digest:
                return
        if time.monotonic() > ends:
            break
        time.sleep(POLL_INTERVAL)
    if not task.is_complete(task.path):  # a second attempt may have replaced it, with other results if they are timed
        problem = f"a worker has written {task.path}, but the file is not here"
        raise TaskError(task.name, f"{problem}: all machines must have the same folder under this path")


def write_file(path: Path, content: bytes) -> None:
    """Write a file atomically, by way of a temporary file with a name of its own.

    Raises `OSError`, which names the disk if it is full.
    """
    # Processes on several machines can have the same number.
    temporary = path.with_name(f"{path.stem}-{os.urandom(8).hex()}{PART_SUFFIX}")
    try:
        write_atomically(path, content, temporary)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        disk = next(each for each in path.absolute().parents if os.path.ismount(each))
        problem = f"no space is left on the disk {disk} for {len(content):,} bytes"
        raise OSError(errno.ENOSPC, problem, str(path)) from error


def get_digest(content: bytes) -> str:
    """Return the checksum of a content, in hexadecimal digits."""
    return blake2b(content, digest_size=DIGEST_SIZE).hexdigest()


def name_file(folder: Path, kind: str, settings: object) -> Path:
    """Return the path of the file of a task: its kind, and a checksum of the version and of all that it depends on.

    `settings` are JSON values.
    """
    text = json.dumps([get_version(), settings], sort_keys=True, ensure_ascii=False)
    return folder.absolute() / f"{kind}-{get_digest(text.encode())}.jsonl"


def format_rows(rows: Iterable[object]) -> bytes:
    """Format JSON values as lines, after a line with their checksum.

    >>> print(format_rows([{"value": 1}]).decode(), end="")
    {"form": "tablemen rows 1", "checksum": "699b35b8d35f57692953401ee2721344"}
    {"value": 1}
    """
    body = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows).encode()
    return f"{json.dumps({'form': FORMAT, 'checksum': get_digest(body)})}\n".encode() + body


def read_rows(path: Path) -> list[Any]:
    """Return the JSON values of a file. Raises `OSError`, and `ValueError` if the file is damaged."""
    head, _, body = path.read_bytes().partition(b"\n")
    if json.loads(head) != {"form": FORMAT, "checksum": get_digest(body)}:
        raise ValueError(f"{path} is damaged")
    return [json.loads(line) for line in body.splitlines()]


def has_rows(path: Path) -> bool:
    """Return whether a file of rows exists and is not damaged."""
    try:
        read_rows(path)
    except (OSError, ValueError):
        return False
    return True


def write_input(folder: Path, rows: Sequence[object]) -> Path:
    """Write the input of a task, unless it exists, and return its path, which follows from the content."""
    path = name_file(folder, "input", rows)
    if not has_rows(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, format_rows(rows))
    return path


def split(items: Sequence[K], size: int) -> list[Sequence[K]]:
    """Split a sequence into parts with up to `size` items."""
    return [items[at : at + size] for at in range(0, len(items), size)]
