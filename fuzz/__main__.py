"""`python -m fuzz TARGET [options of libFuzzer]`: mutated texts for one reader, until one breaks it.

`python -m fuzz fen -max_total_time=60` runs for a minute; what breaks a reader is written to a file `crash-…` here.
Without a TARGET it lists them. The seeds are those of `targets.py`; coverage guides the mutations.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["tablemen"]):
    from fuzz.targets import TARGETS


def main(arguments: list[str]) -> None:
    """Runs the target that is named first; the rest is libFuzzer's."""
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
