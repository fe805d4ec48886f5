"""`python -m benchmarks.environments`: measure the steps of `BatchEnv`, and those of OpenSpiel's games in the same run.

A step is a random legal action, with the observation, the mask of legal actions and the reward that follow, and with
the start of a new game if one is over. `BatchEnv` steps many games in one call, and the arrays are copied as a program
that trains would do. OpenSpiel's games are driven one by one from Python.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import Any

from benchmarks import report
from benchmarks.libraries import OPEN_SPIEL, OURS, LibraryError
from benchmarks.table import align

# The minimum number of million steps a second on two cores.
TARGETS = {"english": 5, "international": 3, "kalah": 20}
GAMES, GAMES_PER_THREAD = 1024, 4096  # on one thread, and on each of several
ROUNDS, SECONDS = 5, 0.5
SEED = 1


def measure(game: str, threads: int) -> dict[str, Any]:
    """Return the steps per second of CPU time: on one thread, on all threads together, and of OpenSpiel."""
    request = {"measure": "steps", "game": game, "games": GAMES, "seconds": SECONDS, "seed": SEED}
    found: dict[str, float] = {}
    for _ in range(ROUNDS):
        steps = {
            "steps": OURS.request({**request, "threads": 1})["steps"],
        }
        parallel = OURS.request({**request, "threads": threads, "games": GAMES_PER_THREAD * threads})
        steps["parallel"] = threads * parallel["steps"]
        if game in OPEN_SPIEL.games:
            steps["open_spiel"] = OPEN_SPIEL.request(request)["steps"]
        for name, value in steps.items():
            found[name] = max(float(f"{value:.4g}"), found.get(name, 0.0))
    sizes = {"games": GAMES, "games_per_thread": GAMES_PER_THREAD, "threads": threads}
    return {"game": game, **sizes, "target": TARGETS[game], **found}


def main() -> int:
    """Measure and print. Return 1 if OpenSpiel cannot be installed or run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.environments", description=__doc__)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="number of threads besides one")
    parser.add_argument("--record", action="store_true", help="write the results to docs/benchmarks.md")
    parser.add_argument("--json", action="store_true", help="print JSON, in steps per second")
    options = parser.parse_args()
    try:
        rows = [measure(game, options.threads) for game in TARGETS]
    except LibraryError as error:
        print(f"cannot measure: {error}", file=sys.stderr)
        return 1
    if options.record:
        report.record_environments(rows)
    if options.json:
        print(json.dumps(rows, indent=2))
    else:
        print("\n".join(align([report.ENVIRONMENT_COLUMNS, *map(report.format_environment, rows)])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
