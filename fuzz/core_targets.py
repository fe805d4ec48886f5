"""The fuzz targets of the Rust core, run by libFuzzer.

The targets are in `crates/core/tests/fuzz`; `cargo test` replays their inputs, which are kept in `fuzz/corpus`. The
crate `fuzz/core` links them with libFuzzer, which needs a C++ compiler. A nightly compiler, selected with
`RUSTUP_TOOLCHAIN=nightly`, adds AddressSanitizer.

New inputs are written to `target/fuzz/inputs`. `python -m fuzz core-fen -merge=1` adds those to the kept inputs that
increase the coverage.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]
CRATE = ROOT / "fuzz" / "core"
CORPUS = ROOT / "fuzz" / "corpus"
BUILD = ROOT / "target" / "fuzz"

PREFIX = "core-"
CORE_TARGETS = tuple(PREFIX + path.stem for path in sorted(CRATE.glob("fuzz_targets/*.rs")))

# Instrumentation for coverage, in the form that libFuzzer reads. Stable compilers support these options.
COVERAGE = (
    "--cfg=fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
)
ADDRESS_SANITIZER = "-Zsanitizer=address"


def run_core_target(name: str, options: list[str]) -> int:
    """Build a target and run it with these libFuzzer options; return its exit status."""
    target = name.removeprefix(PREFIX)
    found, kept = BUILD / "inputs" / target, CORPUS / target
    found.mkdir(parents=True, exist_ok=True)
    # libFuzzer writes to the first folder, and only reads the others.
    folders = [kept, found] if "-merge=1" in options else [found, kept]
    return subprocess.run([_build(target), *folders, *options], check=False).returncode


def _build(target: str) -> Path:
    """Build a target with instrumentation, and return the program."""
    version = subprocess.run(["rustc", "-vV"], capture_output=True, text=True, check=True).stdout
    facts = dict(line.split(": ", 1) for line in version.splitlines() if ": " in line)
    is_nightly = "nightly" in facts["release"]
    flags = [*COVERAGE, ADDRESS_SANITIZER] if is_nightly else COVERAGE
    folder = BUILD / ("nightly" if is_nightly else "stable")
    # With an explicit target, build scripts are not instrumented.
    words = ["cargo", "build", "--release", "--locked", "--quiet", "--bin", target, "--target", facts["host"]]
    subprocess.run(
        [*words, "--manifest-path", CRATE / "Cargo.toml", "--target-dir", folder],
        env=os.environ | {"RUSTFLAGS": " ".join(flags)},
        check=True,
    )
    return folder / facts["host"] / "release" / target
