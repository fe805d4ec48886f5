"""`python -m benchmarks.pdn`: measure how fast PDN files are scanned, checked and built.

With `--threads`: measure how much longer two threads take to read two files than one thread takes to read one. The same
ratio for work without any lock shows what the machine allows.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import tempfile
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path
from time import perf_counter, process_time

from benchmarks.game_files import sample_file
from benchmarks.table import align, format_number
from tablemen._core import PdnScanner
from tablemen.draughts.pdn import read_pdn

PIECE = 1 << 18
GAMES = 20_000  # games in each file of `--threads`
DIFFERENT_GAMES = 1000
SKIPPED_PLIES = 10  # plies before the start of games with a FEN


def scan(data: bytes) -> int:
    """Split the file into games, without replaying them."""
    scanner = PdnScanner()
    games = sum(len(scanner.feed(data[start : start + PIECE])) for start in range(0, len(data), PIECE))
    return games + len(scanner.finish())


def check(data: bytes) -> int:
    """Read every game and check every move."""
    return sum(1 for _ in read_pdn(io.BytesIO(data)))


def build(data: bytes) -> int:
    """Read every game and build its tree."""
    return len([game.line for game in read_pdn(io.BytesIO(data))])


NO_FEN, WITH_FEN, WITHOUT_TYPE = "no FEN", "FEN", "FEN, but no GameType"  # the tags of the files

WORK: dict[str, tuple[Callable[[bytes], int], str]] = {
    "split into games": (scan, NO_FEN),
    "every move checked": (check, NO_FEN),
    "every move checked, FEN tags": (check, WITH_FEN),
    "every move checked, FEN tags, no GameType": (check, WITHOUT_TYPE),
    "every tree built": (build, NO_FEN),
}


def measure_pdn(rounds: int, seconds: float) -> dict[str, dict[str, float]]:
    """Return bytes and games per second for each kind of work, best of all rounds."""
    with_fen = sample_file(DIFFERENT_GAMES, SKIPPED_PLIES)
    files = {
        NO_FEN: sample_file(DIFFERENT_GAMES).encode(),
        WITH_FEN: with_fen.encode(),
        WITHOUT_TYPE: with_fen.replace('[GameType "20"]\n', "").encode(),
    }
    results = {name: {"bytes": 0.0, "games": 0.0} for name in WORK}
    for _ in range(rounds):
        for name, (work, tags) in WORK.items():
            data = files[tags]
            games, times, begun, spent = 0, 0, process_time(), 0.0
            while spent < seconds:
                games, times = games + work(data), times + 1
                spent = process_time() - begun
            best = results[name]
            best["bytes"] = max(best["bytes"], times * len(data) / spent)
            best["games"] = max(best["games"], games / spent)
    return results


def measure_threads(rounds: int, games: int = GAMES) -> dict[str, float]:
    """Return the time for two threads with two files, for one with one, and their ratio; best of all rounds."""
    text = sample_file(min(games, DIFFERENT_GAMES)) + "\n"
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as executor:
        paths = [Path(folder) / f"{number}.pdn" for number in (1, 2)]
        for path in paths:
            path.write_text(text * max(1, games // DIFFERENT_GAMES), encoding="utf-8")
        read_file(paths[0])
        reading = [_thread_times(executor, read_file, paths) for _ in range(rounds)]
        hashing = [_thread_times(executor, hash_file, paths) for _ in range(rounds)]
    one, two = (min(times) for times in zip(*reading, strict=True))
    hash_one, hash_two = (min(times) for times in zip(*hashing, strict=True))
    return {
        "one thread, one file (s)": one,
        "two threads, two files (s)": two,
        "ratio": two / one,
        "ratio without a lock": hash_two / hash_one,
    }


def _thread_times(executor: Executor, work: Callable[[Path], object], paths: list[Path]) -> tuple[float, float]:
    """Return the seconds for the first path alone, and for all paths in parallel."""
    times = []
    for chosen in (paths[:1], paths):
        begun = perf_counter()
        list(executor.map(work, chosen))
        times.append(perf_counter() - begun)
    return times[0], times[1]


def hash_file(path: Path) -> bytes:
    """Hash a file repeatedly; hashing releases the GIL."""
    return hashlib.pbkdf2_hmac("sha256", path.read_bytes(), b"", 200_000)


def read_file(path: Path) -> int:
    """Read a file and check every move."""
    return sum(1 for _ in read_pdn(path))


def format_threads(results: dict[str, float]) -> str:
    """Return the times and their ratio as lines."""
    return "\n".join(f"{name}: {format_number(number)}" for name, number in results.items())


def format_results(results: dict[str, dict[str, float]]) -> str:
    """Return the results as a table."""
    lines = [["game files", "MB/s", "µs/game"]]
    for name, result in results.items():
        lines.append([name, format_number(result["bytes"] / 1e6), format_number(1e6 / result["games"])])
    return "\n".join(align(lines))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pdn", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="measure one short round")
    parser.add_argument("--threads", action="store_true", help="compare two threads reading two files with one thread")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    if options.threads:
        times = measure_threads(1, 2000) if options.quick else measure_threads(7)
        print(json.dumps(times, indent=2) if options.json else format_threads(times))
        return
    results = measure_pdn(1, 0.05) if options.quick else measure_pdn(5, 0.5)
    print(json.dumps(results, indent=2) if options.json else format_results(results))


if __name__ == "__main__":
    main()
