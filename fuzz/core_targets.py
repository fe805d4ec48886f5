"""The fuzz targets of the Rust core, run by libFuzzer.

The targets are in `crates/core/tests/fuzz`; `cargo test` replays their inputs, which are kept in `fuzz/corpus`. The
crate `fuzz/core` links them with libFuzzer, which needs a C++ compiler. A nightly compiler, selected with
`RUSTUP_TOOLCHAIN=nightly`, adds AddressSanitizer.

New inputs are written to `target/fuzz/inputs`. `python -m fuzz core-fen -merge=1` replaces the kept inputs by a small
selection of the kept and the new ones that covers as much code as possible. An input that was copied from a file
`crash-…` is always kept.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
CRATE = ROOT / "fuzz" / "core"
CORPUS = ROOT / "fuzz" / "corpus"
BUILD = ROOT / "target" / "fuzz"

PREFIX = "core-"
CRASH = "crash-"
MAX_KEPT = 30  # inputs of a target, besides those that broke a property
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
    program, found, kept = _build(target), BUILD / "inputs" / target, CORPUS / target
    found.mkdir(parents=True, exist_ok=True)
    if "-merge=1" in options:
        _merge(program, [found, kept], kept)
        return 0
    # libFuzzer writes to the first folder, and only reads the others.
    return subprocess.run([program, found, kept, *options], check=False).returncode


def _merge(program: Path, sources: list[Path], kept: Path) -> None:
    """Replace the inputs in a folder by a selection of those in the source folders."""
    with tempfile.TemporaryDirectory() as folder:
        control, merged = Path(folder) / "control", Path(folder) / "merged"
        merged.mkdir()
        subprocess.run([program, "-set_cover_merge=1", f"-merge_control_file={control}", merged, *sources], check=True)
        selected = [(path.name, path.read_bytes()) for path in _select(control.read_text(encoding="utf-8"))]
    for path in kept.iterdir():
        if not path.name.startswith(CRASH):
            path.unlink()
    for name, content in selected:
        (kept / name).write_bytes(content)


def _select(control: str) -> Iterator[Path]:
    """Yield the inputs that cover the most code, from the control file of libFuzzer's merge.

    The file has the number of inputs, a further number, the path of each input, and lines such as `FT 5 17 18`: the
    input with the index 5 has the features 17 and 18, which are counts of executed branches.
    """
    lines = control.splitlines()
    paths = [Path(line) for line in lines[2 : 2 + int(lines[0])]]
    covered: dict[Path, set[str]] = {}
    for words in (line.split() for line in lines if line.startswith("FT ")):
        covered.setdefault(paths[int(words[1])], set()).update(words[2:])
    missing = set().union(*covered.values())
    for _ in range(MAX_KEPT):
        best = max(covered, key=lambda path: (len(covered[path] & missing), -path.stat().st_size))
        if not covered[best] & missing:
            break
        missing -= covered[best]
        yield best


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
