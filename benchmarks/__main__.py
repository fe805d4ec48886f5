"""`python -m benchmarks`: compare speed with other libraries, and instruction counts with the recorded ones."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, replace

from benchmarks import instructions, report
from benchmarks.cases import GROUPS
from benchmarks.libraries import LibraryError
from benchmarks.measure import measure

ROUNDS, SECONDS = 5, 0.3
QUICK_ROUNDS, QUICK_SECONDS = 1, 0.1
COUNTS = "instructions"


def main() -> int:
    """Run the benchmarks, print the tables and write the pages.

    Return 1 if a library failed or an instruction count grew too much, otherwise 0.
    """
    options = parse_options()
    wanted = options.only or [*GROUPS, COUNTS]
    effort = (QUICK_ROUNDS, QUICK_SECONDS) if options.quick else (ROUNDS, SECONDS)
    groups = [group for group in GROUPS if group in wanted]
    try:
        results = measure(*effort, groups) if groups else None
    except LibraryError as error:
        print(f"cannot measure tablemen: {error}", file=sys.stderr)
        return 1
    run = None if results is None else report.create_run(results, *effort)
    if run is not None and not options.json:
        print(report.format_table(run), flush=True)
    now = count_instructions() if COUNTS in wanted else None
    recorded = instructions.read_counts()
    if now is not None and not options.json:
        print("\n" + instructions.format_counts(now, recorded))
    if options.json:
        figures = {"run": run and asdict(run), "instructions": now and asdict(now), "recorded": asdict(recorded)}
        print(json.dumps(figures, indent=2, ensure_ascii=False))
    if options.renew and now is not None:
        recorded = now
        instructions.write_counts(now)
    missing = results is not None and bool(results.missing)
    if run is not None and not missing and not options.only and not options.quick:
        published = report.read_run()
        run = replace(
            run,
            tablebases=published.tablebases,
            environments=published.environments,
            cluster=published.cluster,
            strength=published.strength,
        )
        report.write_run(run)
        report.write_pages(run, recorded)
    elif recorded is now:
        report.write_pages(report.read_run(), recorded)
    return int(missing or (now is not None and bool(now.regressions(recorded))))


def count_instructions() -> instructions.Counts | None:
    """Return the instruction counts, or None with a message on stderr if they cannot be measured here."""
    try:
        return instructions.count_instructions()
    except LibraryError as error:
        print(f"cannot count instructions: {error}", file=sys.stderr)
        return None


def parse_options() -> argparse.Namespace:
    """Parse the command line."""

    def names(text: str) -> list[str]:
        known = (*GROUPS, COUNTS)
        if unknown := [name for name in text.split(",") if name not in known]:
            raise argparse.ArgumentTypeError(f"expected some of {', '.join(known)}, got {unknown[0]}")
        return text.split(",")

    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="measure one short round; write no page")
    parser.add_argument(
        "--only", type=names, metavar="NAMES", help=f"measure only some of {','.join((*GROUPS, COUNTS))}; write no page"
    )
    parser.add_argument("--renew", action="store_true", help="record the new instruction counts")
    parser.add_argument("--json", action="store_true", help="print JSON, in seconds, bytes and units per second")
    options = parser.parse_args()
    if options.renew and options.only and COUNTS not in options.only:
        parser.error(f"--renew with --only requires {COUNTS} in the list")
    return options


if __name__ == "__main__":
    sys.exit(main())
