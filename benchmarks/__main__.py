"""`python -m benchmarks`: speed beside other libraries as one table, and instructions beside those that are kept."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict

from benchmarks import instructions, report
from benchmarks.libraries import LibraryError
from benchmarks.measure import measure
from benchmarks.rows import GROUPS

ROUNDS, SECONDS = 5, 0.3
QUICK_ROUNDS, QUICK_SECONDS = 1, 0.1
COUNTS = "instructions"


def main() -> int:
    """Measures, prints and writes; the status is 1 where something failed or takes more instructions than it should."""
    options = parse()
    wanted = options.only or [*GROUPS, COUNTS]
    effort = (QUICK_ROUNDS, QUICK_SECONDS) if options.quick else (ROUNDS, SECONDS)
    groups = [group for group in GROUPS if group in wanted]
    try:
        results = measure(*effort, groups) if groups else None
    except LibraryError as error:
        print(f"tablemen could not be measured: {error}", file=sys.stderr)
        return 1
    run = None if results is None else report.finish(results, *effort)
    if run is not None and not options.json:
        print(report.format_table(run), flush=True)
    now = count_instructions() if COUNTS in wanted else None
    kept = instructions.read_counts()
    if now is not None and not options.json:
        print("\n" + instructions.format_counts(now, kept))
    if options.json:
        figures = {"run": run and asdict(run), "instructions": now and asdict(now), "kept": asdict(kept)}
        print(json.dumps(figures, indent=2, ensure_ascii=False))
    if options.renew and now is not None:
        kept = now
        instructions.write_counts(now)
    missing = results is not None and bool(results.missing)
    if run is not None and not missing and not options.only and not options.quick:
        report.write_run(run)
        report.write_pages(run, kept)
    elif kept is now:
        report.write_pages(report.read_run(), kept)
    return int(missing or (now is not None and bool(now.grown(kept))))


def count_instructions() -> instructions.Counts | None:
    """The counts; None, and a line that says why, where they cannot be had here, which is no fault."""
    try:
        return instructions.count_instructions()
    except LibraryError as error:
        print(f"instructions are not counted: {error}", file=sys.stderr)
        return None


def parse() -> argparse.Namespace:
    """What is asked for."""

    def names(text: str) -> list[str]:
        known = (*GROUPS, COUNTS)
        if unknown := [name for name in text.split(",") if name not in known]:
            raise argparse.ArgumentTypeError(f"{unknown[0]} is none of {', '.join(known)}")
        return text.split(",")

    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one short round: rough figures, and no page is written")
    parser.add_argument(
        "--only", type=names, metavar="NAMES", help=f"some of {','.join((*GROUPS, COUNTS))}; writes no page"
    )
    parser.add_argument("--renew", action="store_true", help="keep the new counts of instructions")
    parser.add_argument("--json", action="store_true", help="the figures in JSON, in seconds, bytes and units a second")
    options = parser.parse_args()
    if options.renew and options.only and COUNTS not in options.only:
        parser.error(f"--renew needs {COUNTS} among --only")
    return options


if __name__ == "__main__":
    sys.exit(main())
