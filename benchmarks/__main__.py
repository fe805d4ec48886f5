"""`python -m benchmarks`: ratios beside other libraries, then ours alone: counting, Kalah, exercises, game files."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict

from benchmarks.exercises import format_exercises, measure_exercises
from benchmarks.kalah import format_kalah, measure_kalah
from benchmarks.libraries import LibraryError
from benchmarks.measure import measure
from benchmarks.native import format_native, measure_native
from benchmarks.pdn import format_results, measure_pdn
from benchmarks.table import format_table

ROUNDS, SECONDS = 5, 0.5
QUICK_ROUNDS, QUICK_SECONDS = 1, 0.1


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one short round: rough figures in less than a minute")
    parser.add_argument("--json", action="store_true", help="the figures in JSON, in seconds, bytes and units a second")
    options = parser.parse_args()
    effort = (QUICK_ROUNDS, QUICK_SECONDS) if options.quick else (ROUNDS, SECONDS)
    try:
        results, native = measure(*effort), measure_native(*effort)
    except LibraryError as error:
        print(f"tablemen could not be measured: {error}", file=sys.stderr)
        return 1
    kalah, exercises, files = measure_kalah(*effort), measure_exercises(*effort), measure_pdn(*effort)
    if options.json:
        figures = {
            "ratios": results.ratios(),
            **asdict(results),
            "native": native,
            "kalah": kalah,
            "exercises": exercises,
            "pdn": files,
        }
        print(json.dumps(figures, indent=2))
    else:
        counting = (format_table(results), format_native(native), format_kalah(kalah))
        print("\n\n".join((*counting, format_exercises(exercises), format_results(files))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
