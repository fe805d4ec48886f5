"""`python -m fuzz TARGET [libFuzzer options]`: run a fuzz target until an input breaks one of its properties.

`python -m fuzz fen -max_total_time=60` runs for a minute. An input that breaks a property is written to a file
`crash-…` in the current folder. The target `all` runs every target in turn. Without a TARGET, the targets are listed.
Coverage guides the mutations.

The targets of the package and their seeds are in `targets.py`. Those of the Rust core have the prefix `core-`: see
`core_targets.py`.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from fuzz.core_targets import CORE_TARGETS, run_core_target


def main(arguments: list[str]) -> None:
    """Run the target named by the first argument; the other arguments are passed to libFuzzer."""
    name, *options = arguments or [""]
    if name in CORE_TARGETS:
        sys.exit(run_core_target(name, options))
    import atheris  # noqa: PLC0415 - the targets of the core do not need it

    with atheris.instrument_imports(include=["tablemen"]):
        from fuzz.targets import TARGETS  # noqa: PLC0415 - imported in instrumented form

    if name == "all":
        for each in (*TARGETS, *CORE_TARGETS):
            print(f"Fuzzing {each} …", flush=True)
            subprocess.run([sys.executable, "-m", "fuzz", each, *options], check=True)
    elif name in TARGETS:
        target = TARGETS[name]
        with tempfile.TemporaryDirectory() as seeds:
            for number, seed in enumerate(target.seeds):
                (Path(seeds) / str(number)).write_bytes(seed)
            atheris.Setup([sys.argv[0], seeds, *options], target.check)
            atheris.Fuzz()
    else:
        sys.exit(f"usage: python -m fuzz TARGET [options]\ntargets: all, {', '.join((*TARGETS, *CORE_TARGETS))}")


if __name__ == "__main__":
    main(sys.argv[1:])
