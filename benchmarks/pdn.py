"""Game files: how fast ours are scanned, checked and built. `python -m benchmarks.pdn`."""

from __future__ import annotations

import argparse
import io
import json
from collections.abc import Callable
from time import process_time

from benchmarks.game_files import sample_file
from benchmarks.table import align, format_number
from tablemen._core import PdnScanner
from tablemen.draughts.pdn import read_pdn

PIECE = 1 << 18


def scan(data: bytes) -> int:
    """Cuts the file into games, and does no more."""
    scanner = PdnScanner()
    games = sum(len(scanner.feed(data[start : start + PIECE])) for start in range(0, len(data), PIECE))
    return games + len(scanner.finish())


def check(data: bytes) -> int:
    """Reads every game and checks every move."""
    return sum(1 for _ in read_pdn(io.BytesIO(data)))


def build(data: bytes) -> int:
    """Reads every game and builds its tree."""
    return len([game.line for game in read_pdn(io.BytesIO(data))])


WORK: dict[str, Callable[[bytes], int]] = {
    "cut into games": scan,
    "every move checked": check,
    "every tree built": build,
}


def measure_pdn(rounds: int, seconds: float) -> dict[str, dict[str, float]]:
    """Bytes and games a second for each kind of work, the best of the rounds."""
    data = sample_file(1000).encode()
    results = {name: {"bytes": 0.0, "games": 0.0} for name in WORK}
    for _ in range(rounds):
        for name, work in WORK.items():
            games, times, begun, spent = 0, 0, process_time(), 0.0
            while spent < seconds:
                games, times = games + work(data), times + 1
                spent = process_time() - begun
            best = results[name]
            best["bytes"] = max(best["bytes"], times * len(data) / spent)
            best["games"] = max(best["games"], games / spent)
    return results


def format_results(results: dict[str, dict[str, float]]) -> str:
    """The results as a table."""
    lines = [["game files", "MB/s", "µs/game"]]
    for name, result in results.items():
        lines.append([name, format_number(result["bytes"] / 1e6), format_number(1e6 / result["games"])])
    return "\n".join(align(lines))


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pdn", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one short round")
    parser.add_argument("--json", action="store_true", help="the figures in JSON")
    options = parser.parse_args()
    results = measure_pdn(1, 0.05) if options.quick else measure_pdn(5, 0.5)
    print(json.dumps(results, indent=2) if options.json else format_results(results))


if __name__ == "__main__":
    main()
