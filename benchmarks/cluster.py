"""`python -m benchmarks.cluster`: measure what tasks cost on a cluster, and how much faster two workers are than one.

The overhead is measured with tasks that only wait, because it does not depend on what a task does: the time that the
tasks take in addition, and the processor time of the client and the scheduler. The speed-up is measured with searches
of a fixed number of positions. Other programs on the machine affect the speed-up, and hardly the overhead; if they do,
compare the processor time of the searches, which should be the same. Both numbers of workers must write the same files.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks import report
from tablemen import Game
from tablemen.cluster import Cluster, open_cluster
from tablemen.draughts import Position
from tablemen.search import Limit, Searcher
from tablemen.tasks import FileTask, format_rows, has_rows, run_tasks

MAX_OVERHEAD, OVERHEAD_SECONDS = 0.03, 10.0  # of a task of this length
MIN_SPEED_UP = 1.9
PLIES = 6  # of the openings that are searched
CALIBRATION_NODES = 2_000_000


@dataclass(frozen=True)
class Figures:
    """The results: seconds, and the ratios that the targets are for."""

    start: float  # until two workers are connected
    waits: int
    overhead: float  # of each task
    cpu_overhead: float  # of each task, in the client and the scheduler
    overhead_ratio: float  # of a task of `OVERHEAD_SECONDS`
    searches: int
    one_worker: float
    two_workers: float
    speed_up: float
    cpu_ratio: float  # processor time of the searches with two workers, divided by that with one
    digest: str  # of all files


def wait_task(number: int, seconds: float, _log: str) -> bytes:
    """Wait, and return the content of a file."""
    time.sleep(seconds)
    return format_rows([number])


def search_task(number: int, nodes: int, log: str) -> bytes:
    """Search a position, and return its best line; write the processor time to a file of the folder `log`."""
    began = time.process_time()
    game: Game[Any, Any] = Game(Position.start("international"))
    for ply in range(PLIES):
        moves = game.legal_moves()
        game.push(moves[(number + ply) % len(moves)])
    found = Searcher(table_mb=16).analyse(game, Limit(nodes=nodes)).result()
    Path(log, str(number)).write_text(str(time.process_time() - began), encoding="ascii")
    return format_rows([number, found.score.value, *map(str, found.lines[0].line)])


def create_tasks(folder: Path, function: Callable[..., bytes], count: int, amount: float) -> list[FileTask]:
    """Return the tasks of a measurement."""
    log = folder / "times"
    log.mkdir(parents=True)
    return [
        FileTask(
            f"{function.__name__} {number}",
            folder / f"{number}.jsonl",
            function,
            (number, amount, str(log)),
            has_rows,
        )
        for number in range(count)
    ]


def run(tasks: Sequence[FileTask], executor: Cluster) -> float:
    """Run the tasks and return the seconds that they took."""
    began = time.perf_counter()
    for _ in run_tasks(tasks, executor, total=len(tasks)):
        pass
    return time.perf_counter() - began


def calibrate(seconds: float) -> int:
    """Return the number of positions that a search of this many seconds of processor time visits."""
    with TemporaryDirectory() as folder:
        search_task(0, CALIBRATION_NODES, folder)
        return round(seconds * CALIBRATION_NODES / sum_times(Path(folder)))


def sum_times(folder: Path) -> float:
    """Return the processor time of the searches that have written it to a folder."""
    return sum(float(path.read_text(encoding="ascii")) for path in folder.iterdir())


def hash_files(folder: Path) -> str:
    """Return the checksum of all files of a folder."""
    content = b"".join(path.read_bytes() for path in sorted(folder.glob("*.jsonl")))
    return blake2b(content, digest_size=16).hexdigest()


def own_cpu_time() -> float:
    """Return the seconds of processor time of this process."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def measure(folder: Path, *, waits: int, wait: float, searches: int, seconds: float) -> Figures:
    """Measure the overhead of tasks that wait, and the speed-up of tasks that search."""
    nodes = calibrate(seconds)
    times = []
    began = time.perf_counter()
    with open_cluster("local:2", folder=folder) as cluster:
        start = time.perf_counter() - began
        run(create_tasks(folder / "warm", search_task, 4, 1000), cluster)
        times.append(run(create_tasks(folder / "two", search_task, searches, nodes), cluster))
    with open_cluster("local:1", folder=folder) as cluster:
        run(create_tasks(folder / "warm-1", search_task, 2, 1000), cluster)
        times.append(run(create_tasks(folder / "one", search_task, searches, nodes), cluster))
        before = own_cpu_time()
        taken = run(create_tasks(folder / "waits", wait_task, waits, wait), cluster)
        cpu_overhead = (own_cpu_time() - before) / waits
    digest = hash_files(folder / "one")
    if digest != hash_files(folder / "two"):
        raise SystemExit("one worker and two workers have written different files")
    overhead = taken / waits - wait
    two, one = times
    return Figures(
        start=start,
        waits=waits,
        overhead=overhead,
        cpu_overhead=cpu_overhead,
        overhead_ratio=overhead / OVERHEAD_SECONDS,
        searches=searches,
        one_worker=one,
        two_workers=two,
        speed_up=one / two,
        cpu_ratio=sum_times(folder / "two" / "times") / sum_times(folder / "one" / "times"),
        digest=digest,
    )


def format_figures(found: Figures) -> str:
    """Format the figures as lines."""
    lines = (
        f"start of two workers: {found.start:.1f} s",
        f"overhead of a task: {1000 * found.overhead:.1f} ms, {found.overhead_ratio:.2%} of {OVERHEAD_SECONDS:g} s",
        f"  (target: below {MAX_OVERHEAD:.0%}); processor time here: {1000 * found.cpu_overhead:.1f} ms",
        f"{found.searches} searches: {found.one_worker:.1f} s with one worker, {found.two_workers:.1f} s with two:",
        f"  {found.speed_up:.2f} times as fast (target: {MIN_SPEED_UP}), {found.cpu_ratio:.2f} times the CPU time",
        f"  and the same files: {found.digest}",
    )
    return "\n".join(lines)


def main() -> int:
    """Run the benchmark; return 1 if a target is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cluster", description=__doc__)
    parser.add_argument("--waits", type=int, default=30, help="number of tasks that wait")
    parser.add_argument("--wait", type=float, default=0.5, help="seconds of each of these")
    parser.add_argument("--searches", type=int, default=40, help="number of tasks that search")
    parser.add_argument("--seconds", type=float, default=3.0, help="seconds of each of these, about")
    parser.add_argument("--record", action="store_true", help="write the results to docs/benchmarks.md")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        found = measure(
            Path(folder), waits=options.waits, wait=options.wait, searches=options.searches, seconds=options.seconds
        )
    if options.record:
        report.record_cluster(asdict(found))
    print(json.dumps(asdict(found), indent=2) if options.json else format_figures(found))
    return int(found.overhead_ratio >= MAX_OVERHEAD or found.speed_up < MIN_SPEED_UP)


if __name__ == "__main__":
    sys.exit(main())
