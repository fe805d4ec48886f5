"""Tasks that tests run in worker processes."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from pathlib import Path

from tablemen.tasks import FileTask, format_rows, has_rows

LOG, MARKER = "attempts.log", "killed-{}"


def create_tasks(
    folder: Path, count: int, *, pause: float = 0.0, killed: frozenset[int] | set[int] = frozenset()
) -> list[FileTask]:
    """Return tasks; those with numbers in `killed` end their process in the first attempt."""
    folder.mkdir(exist_ok=True)
    return [
        FileTask(
            f"the task {number}",
            folder / f"task-{number}.jsonl",
            compute,
            (str(folder), number, pause, number in killed),
            has_rows,
        )
        for number in range(count)
    ]


def compute(folder: str, number: int, pause: float, is_killed: bool) -> bytes:  # noqa: FBT001 - arguments of a task
    log_attempt(folder, number)
    marker = Path(folder, MARKER.format(number))
    if is_killed and not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(pause)
    return format_rows([{"number": number, "square": number**2}])


def kill_always(folder: str, number: int) -> bytes:
    log_attempt(folder, number)
    os.kill(os.getpid(), signal.SIGKILL)
    return b""


def log_attempt(folder: str, number: int) -> None:
    with Path(folder, LOG).open("a", encoding="ascii") as log:
        log.write(f"{number}\n")


def read_attempts(folder: Path) -> Counter[int]:
    """Return the number of attempts of each task."""
    return Counter(map(int, Path(folder, LOG).read_text(encoding="ascii").split()))


def read_files(folder: Path) -> dict[str, bytes]:
    """Return the contents of the files of tasks, temporary ones too."""
    return {
        path.name: path.read_bytes()
        for path in folder.iterdir()
        if path.name != LOG and not path.name.startswith(MARKER.format(""))
    }
