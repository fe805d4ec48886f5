"""`python -m benchmarks.search`: measure the speed of the search and the depth it reaches."""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

from benchmarks.table import align, format_number
from tablemen import draughts, mancala
from tablemen.search import Limit, Searcher

# Million nodes per second of the best native engines, one thread.
NATIVE = {"international": (10, 12)}
DRAUGHTS = ("international", "frisian", "russian", "english", "turkish", "canadian")
MANCALA = ("kalah", "oware")


def measure_search(nodes: int, rounds: int) -> dict[str, dict[str, Any]]:
    """Search from the start position on one thread; return nodes per CPU-second (best of all rounds) and depth."""
    starts: dict[str, Any] = {name: draughts.Position.start(name) for name in DRAUGHTS}
    starts |= {name: mancala.Position.start(name) for name in MANCALA}
    results: dict[str, dict[str, Any]] = {name: {"nodes": 0.0, "native": NATIVE.get(name)} for name in starts}
    for _ in range(rounds):
        for name, result in results.items():
            searcher = Searcher(table_mb=64)
            began = time.process_time()
            info = searcher.choose(starts[name], Limit(nodes=nodes)).lines[0]
            result["nodes"] = max(result["nodes"], info.nodes / (time.process_time() - began))
            result["depth"] = info.depth
    return results


def format_search(results: dict[str, dict[str, Any]], nodes: int) -> str:
    """Return the results as a table."""
    lines = [["one thread", "M nodes/s", "native engines", f"depth after {nodes:,} nodes"]]
    for name, result in results.items():
        native = "–".join(map(str, result["native"] or ())) or "-"
        lines.append([name, format_number(result["nodes"] / 1e6), native, str(result["depth"])])
    return "\n".join(align(lines))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.search", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="measure one short round")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    nodes, rounds = (100_000, 1) if options.quick else (5_000_000, 3)
    results = measure_search(nodes, rounds)
    print(json.dumps(results, indent=2) if options.json else format_search(results, nodes))


if __name__ == "__main__":
    main()
