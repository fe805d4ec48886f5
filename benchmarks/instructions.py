"""Instructions that small pieces of work take, compared with the counts that are kept in `instructions.txt`.

The work is `crates/core/examples/instructions`, and valgrind counts. The compiler is told nothing of the processor,
and valgrind shows the same one on most machines, so that a count changes with code and compiler and little else.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.libraries import ROOT, LibraryError, run

KEPT = ROOT / "benchmarks" / "instructions.txt"
TARGET = ROOT / "build" / "instructions"
PROGRAM = TARGET / "release" / "examples" / "instructions"
SOURCE = ROOT / "crates" / "core" / "examples" / "instructions" / "main.rs"
LIMIT = 0.02  # what a count may grow by before it is called a regression
# The solver searches in a thread of its own, whose start and end take some hundred instructions more or less.
DIGITS = 4

COUNTED = "instructions::counted*"
# Where every thread begins. With both names the function above is left out, and what other threads do is counted.
THREAD = "std::sys::backtrace::__rust_begin_short_backtrace*"
THREADED = ("solve kalah",)


@dataclass(frozen=True)
class Counts:
    """Instructions by the name of the work, and what the program was built with."""

    built_with: str
    instructions: dict[str, int] = field(default_factory=dict)

    def change(self, name: str, kept: Counts) -> float | None:
        """By which part a count has grown; None where none is kept."""
        before = kept.instructions.get(name)
        return None if before is None else (self.instructions[name] - before) / before

    def grown(self, kept: Counts) -> list[str]:
        """The work that takes more than the limit allows."""
        return [name for name in self.instructions if (self.change(name, kept) or 0) > LIMIT]


def count_instructions() -> Counts:
    """Builds the program and counts every piece of work. Raises `LibraryError` where that cannot be done."""
    if shutil.which("valgrind") is None:
        raise LibraryError("there is no valgrind here: apt-get install valgrind")
    build()
    names = run([str(PROGRAM)]).splitlines()
    return Counts(built_with(), {name: count(name) for name in names})


def build() -> None:
    """Builds the program for any processor of this kind, in a folder of its own."""
    print("building what is counted: minutes after a change, else a moment …", file=sys.stderr)
    inherited = {name: value for name, value in os.environ.items() if name != "CARGO_ENCODED_RUSTFLAGS"}
    environment = inherited | {"RUSTFLAGS": "", "CARGO_TARGET_DIR": str(TARGET)}
    crate = ["--package", "tablemen-core", "--example", "instructions"]
    run(["cargo", "build", "--release", "--locked", "--quiet", *crate], environment=environment)


def built_with() -> str:
    """The compiler, and for which processors."""
    return f"rustc {run(['rustc', '--version']).split()[1]}, {platform.machine()} without further features"


def count(name: str) -> int:
    """The instructions of a piece of work, to `DIGITS` digits."""
    toggles = (COUNTED, THREAD) if name in THREADED else (COUNTED,)
    tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    # Started from its folder: the length of a path changes where memory is found, and that takes instructions too.
    command = [*tool, *(f"--toggle-collect={each}" for each in toggles), f"./{PROGRAM.name}", name]
    said = run(command, folder=PROGRAM.parent, with_complaints=True)
    found = re.search(r"Collected : (\d+)", said)
    if found is None or int(found[1]) == 0:
        raise LibraryError(f"valgrind counted nothing of {name}")
    return int(float(f"{int(found[1]):.{DIGITS - 1}e}"))


def read_counts(path: Path = KEPT) -> Counts:
    """The counts that are kept, none where there is no file yet."""
    if not path.exists():
        return Counts("nothing")
    first, *lines = path.read_text(encoding="utf-8").splitlines()
    pairs = (line.rsplit(maxsplit=1) for line in lines if line)
    return Counts(first.removeprefix("# "), {name: int(number.replace(",", "")) for name, number in pairs})


def write_counts(counts: Counts, path: Path = KEPT) -> None:
    """Keeps the counts."""
    lines = [f"{name:<28} {number:>12,}" for name, number in counts.instructions.items()]
    path.write_text("\n".join([f"# {counts.built_with}", *lines, ""]), encoding="utf-8")


def format_counts(now: Counts, kept: Counts) -> str:
    """The second table: counts now, those that are kept, and how they differ."""
    lines = ["| work | instructions | kept | difference |", "| --- | ---: | ---: | ---: |"]
    for name, number in now.instructions.items():
        change, before = now.change(name, kept), kept.instructions.get(name)
        difference = "new" if change is None else f"{change:+.2%}" + (" **more**" if change > LIMIT else "")
        lines.append(f"| {name} | {number:,} | {'' if before is None else f'{before:,}'} | {difference} |")
    lines += ["", f"Counted by valgrind, built with {now.built_with}."]
    if now.built_with != kept.built_with:
        lines.append(f"The counts that are kept were built with {kept.built_with}: they say little here.")
    if gone := [name for name in kept.instructions if name not in now.instructions]:
        lines.append(f"No longer there: {', '.join(gone)}.")
    if grown := now.grown(kept):
        lines.append(f"OVER {LIMIT:.0%} MORE than what is kept: {', '.join(grown)}.")
    else:
        lines.append(f"None takes over {LIMIT:.0%} more than what is kept.")
    return "\n".join(lines)
