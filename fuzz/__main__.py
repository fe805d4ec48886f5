"""`python -m fuzz TARGET [libFuzzer options]`: run a fuzz target until an input breaks a parser.

`python -m fuzz fen -max_total_time=60` runs for a minute. An input that breaks a parser is written to a file `crash-…`
in the current folder. Without a TARGET, the targets are listed. The seeds are in `targets.py`; coverage guides the
mutations.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["tablemen"]):
    from fuzz.targets import TARGETS


def main(arguments: list[str]) -> None:
    """Run the target named by the first argument; the other arguments are passed to libFuzzer."""
    if not arguments or arguments[0] not in TARGETS:
        sys.exit(f"usage: python -m fuzz TARGET [options]\ntargets: {', '.join(TARGETS)}")
    name, *options = arguments
    target = TARGETS[name]
    with tempfile.TemporaryDirectory() as seeds:
        for number, seed in enumerate(target.seeds):
            (Path(seeds) / str(number)).write_bytes(seed)
        atheris.Setup([sys.argv[0], seeds, *options], target.check)
        atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1:])
