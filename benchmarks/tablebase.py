"""`python -m benchmarks.tablebase`: measure how fast tablebases are built and probed, and their size.

Each VARIANT:PIECES is built in a process of its own, in a temporary folder, and then probed. The default is all cases
that take minutes; those that take up to an hour must be named. The other programs on the machine affect the results.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks import report
from benchmarks.instructions import build_example
from benchmarks.libraries import ROOT, LibraryError, run
from benchmarks.table import align
from tablemen.draughts import VARIANTS, Position
from tablemen.draughts.tablebase import MAX_PIECES, Tablebase, list_files, random_positions
from tablemen.endgame import Wdl

# The maximum number of seconds on two cores.
TARGETS = {
    ("english", 5): 120,
    ("italian", 5): 120,
    ("russian", 5): 240,
    ("brazilian", 5): 240,
    ("pool", 5): 240,
    ("international", 4): 60,
    ("turkish", 4): 300,
    ("canadian", 4): 300,
    ("english", 6): 3600,
    ("italian", 6): 3600,
    ("international", 5): 3600,
}
DEFAULT = [case for case, seconds in TARGETS.items() if seconds <= 300]
PROBED_IN_CORE = ("english", "international", "brazilian", "russian", "turkish")  # rules that the example has
NATIVE = "-C target-feature=+popcnt,+bmi1,+bmi2,+lzcnt"  # those of the Makefile
POSITIONS = 50_000
ROUNDS = 5


def measure(variant: str, pieces: int, *, distances: bool, threads: int, concurrency: int) -> dict[str, Any]:
    """Build a tablebase in a temporary folder, and return the results: seconds, bytes, positions and nanoseconds."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tablemen", "tablebase", "build", variant, "--pieces", str(pieces)]
        options = ["--folder", folder, "--threads", str(threads), "--concurrency", str(concurrency)]
        options += ["--distances"] if distances else []
        begin = perf_counter()
        with subprocess.Popen([*command, *options], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            assert process.stderr is not None
            message = process.stderr.read().decode()
            _, status, usage = os.wait4(process.pid, 0)
            seconds = perf_counter() - begin
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise LibraryError(message.strip().splitlines()[-1])
        rules = VARIANTS[variant]
        tablebase, files = Tablebase.open(folder, rules), list_files(folder, rules)
        memory_unit = 1 if sys.platform == "darwin" else 1024
        return {
            "variant": variant,
            "pieces": pieces,
            "distances": distances,
            "threads": threads,
            "concurrency": concurrency,
            "seconds": seconds,
            "cpu_seconds": usage.ru_utime + usage.ru_stime,
            "positions": sum(each.positions for each in tablebase.statistics().values()),
            "memory": usage.ru_maxrss * memory_unit,
            "bytes": sum(path.stat().st_size for path in files),
            "probe": measure_probes(tablebase),
            "probe_in_core": measure_core(variant, pieces, files) if variant in PROBED_IN_CORE else None,
        }


def measure_probes(tablebase: Tablebase) -> list[float | None]:
    """Return the nanoseconds of `probe_wdl` in random positions: without and with compulsory captures."""
    quiet: list[Position] = []
    captures: list[Position] = []
    for position in random_positions(tablebase.rules, tablebase.pieces, POSITIONS, seed=1):
        if moves := position.legal_moves():
            is_capture = tablebase.rules.capture_compulsory and moves[0].is_capture
            (captures if is_capture else quiet).append(position)
    return [_time_probes(tablebase.probe_wdl, positions) for positions in (quiet, captures)]


def _time_probes(probe: Callable[[Position], Wdl | None], positions: Sequence[Position]) -> float | None:
    """Return the nanoseconds of a probe in the fastest round, after a round that reads the files."""
    if not positions:
        return None
    times = []
    for _ in range(ROUNDS + 1):
        begin = perf_counter()
        for position in positions:
            probe(position)
        times.append(perf_counter() - begin)
    return min(times[1:]) / len(positions) * 1e9


def measure_core(variant: str, pieces: int, files: Sequence[Path]) -> list[float | None]:
    """Return the same as `measure_probes` for a loop in the core."""
    program = _build_core_program()
    numbers = run([str(program), variant, str(pieces), *map(str, files)]).split()
    return [None if number == "0" else float(number) for number in numbers]


@cache
def _build_core_program() -> Path:
    flags = os.environ.get("RUSTFLAGS", NATIVE if "bmi2" in _read_processor() else "")
    return build_example("probe", ROOT / "build" / "probe", flags=flags)


def _read_processor() -> str:
    information = Path("/proc/cpuinfo")
    return information.read_text(encoding="utf-8") if information.exists() else ""


def round_row(row: dict[str, Any]) -> dict[str, Any]:
    """Return results with at most four digits, except for numbers of positions and bytes."""

    def rounded(value: Any) -> Any:
        if isinstance(value, list):
            return [rounded(each) for each in value]
        return float(f"{value:.4g}") if isinstance(value, float) else value

    return {key: rounded(value) for key, value in row.items()}


def main() -> int:
    """Measure and print. Return 1 if a tablebase cannot be built."""
    options = parse_options()
    rows = []
    try:
        for variant, pieces in options.cases or DEFAULT:
            print(f"building {variant} with {pieces} pieces …", file=sys.stderr)
            results = measure(
                variant,
                pieces,
                distances=options.distances,
                threads=options.threads,
                concurrency=options.concurrency,
            )
            rows.append(round_row({**results, "target": TARGETS.get((variant, pieces))}))
            if options.record:
                report.record_tablebases(rows[-1:])
    except LibraryError as error:
        print(f"cannot measure: {error}", file=sys.stderr)
        return 1
    if options.json:
        print(json.dumps(rows, indent=2))
    else:
        print("\n".join(align([report.TABLEBASE_COLUMNS, *map(report.format_tablebase, rows)])))
    return 0


def parse_options() -> argparse.Namespace:
    """Parse the command line."""

    def case(text: str) -> tuple[str, int]:
        variant, _, pieces = text.partition(":")
        if variant not in VARIANTS or pieces not in map(str, range(2, MAX_PIECES + 1)):
            raise argparse.ArgumentTypeError(f"expected a variant and 2 to {MAX_PIECES} pieces, as in english:5")
        return variant, int(pieces)

    parser = argparse.ArgumentParser(prog="python -m benchmarks.tablebase", description=__doc__)
    parser.add_argument("cases", nargs="*", type=case, metavar="VARIANT:PIECES", help="tablebases, such as english:5")
    parser.add_argument("--distances", action="store_true", help="build distances too")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="number of threads of each process")
    parser.add_argument("--concurrency", type=int, default=1, help="number of processes of a build")
    parser.add_argument("--record", action="store_true", help=f"write the results to {report.PAGE.relative_to(ROOT)}")
    parser.add_argument("--json", action="store_true", help="print JSON, in seconds, bytes and nanoseconds")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
