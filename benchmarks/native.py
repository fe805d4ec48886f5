"""`python -m benchmarks.native`: compare perft with published figures of native programs."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import Any

from benchmarks.positions import sample_games
from benchmarks.table import align, format_number
from benchmarks.workers.harness import measure_moves, measure_perft
from benchmarks.workers.ours import Tablemen

# Million leaves per CPU-second of native programs, one thread, the last ply counted without playing it.
NATIVE: dict[str, tuple[int, int] | None] = {
    "international": (240, 267),
    "english": (176, 176),
    "frisian": (122, 122),
    "russian": (150, 164),
    "brazilian": (150, 164),
    "italian": (150, 164),
    "canadian": (48, 48),
    "turkish": None,
}


def measure_native(rounds: int, seconds: float) -> dict[str, dict[str, Any]]:
    """Return leaves per second, seconds per call of `legal_moves()` (best of all rounds) and the native figures."""
    results: dict[str, dict[str, Any]] = {
        name: {"leaves": 0.0, "seconds": float("inf"), "native": native} for name, native in NATIVE.items()
    }
    samples = {name: sample_games(name) for name in NATIVE}
    for _ in range(rounds):
        for name, result in results.items():
            request = {"game": name, "seconds": seconds, "games": samples[name]}
            result["leaves"] = max(result["leaves"], measure_perft(Tablemen(), request)["leaves"])
            result["seconds"] = min(result["seconds"], measure_moves(Tablemen(), request)["seconds"])
    return results


def format_native(results: dict[str, dict[str, Any]]) -> str:
    """Return the results as a table."""
    lines = [["one thread", "perft, M leaves/s", "native programs", "ratio", "legal_moves(), µs/call"]]
    for name, result in results.items():
        leaves = result["leaves"] / 1e6
        native = sorted(set(result["native"] or ()))
        ratios = [f"{leaves / each:.2f}" for each in reversed(native)]
        cells = [name, format_number(leaves), span(native), span(ratios), format_number(result["seconds"] * 1e6)]
        lines.append(cells)
    return "\n".join(align(lines))


def span(values: Sequence[object]) -> str:
    """Format a range by its first and last value.

    >>> span([150, 164]), span([48]), span([])
    ('150–164', '48', '-')
    """
    return "–".join(map(str, values)) or "-"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.native", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="measure one short round")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    results = measure_native(1, 0.05) if options.quick else measure_native(5, 0.5)
    print(json.dumps(results, indent=2) if options.json else format_native(results))


if __name__ == "__main__":
    main()
