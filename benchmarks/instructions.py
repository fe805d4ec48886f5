"""Instruction counts of small workloads, compared with those recorded in `instructions.txt`.

The workloads are in `crates/core/examples/instructions`; valgrind counts them. They are compiled without CPU-specific
features, and valgrind emulates the same CPU on most machines, so a count depends on little besides the code and the
compiler.
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

RECORDED = ROOT / "benchmarks" / "instructions.txt"
TARGET = ROOT / "build" / "instructions"
SOURCE = ROOT / "crates" / "core" / "examples" / "instructions" / "main.rs"
LIMIT = 0.02  # growth of a count that is reported as a regression
# The solver runs on its own thread, and the cost of starting and ending one varies by some hundred instructions.
DIGITS = 4

COUNTED = "instructions::counted*"
# The entry point of every thread. If both names are given, counting starts in the new threads instead.
THREAD = "std::sys::backtrace::__rust_begin_short_backtrace*"
THREADED = ("solve kalah",)


@dataclass(frozen=True)
class Counts:
    """Instruction counts by workload, and the compiler that built the program."""

    compiler: str
    instructions: dict[str, int] = field(default_factory=dict)

    def change(self, name: str, recorded: Counts) -> float | None:
        """Return the relative growth of a count, or None if no count is recorded."""
        before = recorded.instructions.get(name)
        return None if before is None else (self.instructions[name] - before) / before

    def regressions(self, recorded: Counts) -> list[str]:
        """Return the workloads whose count grew by more than `LIMIT`."""
        return [name for name in self.instructions if (self.change(name, recorded) or 0) > LIMIT]


def count_instructions() -> Counts:
    """Build the program and count the instructions of every workload.

    Raises `LibraryError` if valgrind is missing or a command fails.
    """
    if shutil.which("valgrind") is None:
        raise LibraryError("valgrind is not installed (apt-get install valgrind)")
    program = build_example("instructions", TARGET, flags="")
    names = run([str(program)]).splitlines()
    return Counts(describe_compiler(), {name: count(program, name) for name in names})


def build_example(name: str, target: Path, *, flags: str) -> Path:
    """Build an example of the core with these compiler flags, in its own target folder, and return the program."""
    print(f"building the program {name} (some minutes after a change) …", file=sys.stderr)
    inherited = {name: value for name, value in os.environ.items() if name != "CARGO_ENCODED_RUSTFLAGS"}
    environment = inherited | {"RUSTFLAGS": flags, "CARGO_TARGET_DIR": str(target)}
    crate = ["--package", "tablemen-core", "--example", name]
    run(["cargo", "build", "--release", "--locked", "--quiet", *crate], environment=environment)
    return target / "release" / "examples" / name


def describe_compiler() -> str:
    """Return the compiler version and the target architecture."""
    return f"rustc {run(['rustc', '--version']).split()[1]}, {platform.machine()} without optional CPU features"


def count(program: Path, name: str) -> int:
    """Return the instruction count of a workload, rounded to `DIGITS` digits."""
    toggles = (COUNTED, THREAD) if name in THREADED else (COUNTED,)
    tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    # Run from the program's folder: the length of its path affects memory alignment, and with it the count.
    command = [*tool, *(f"--toggle-collect={each}" for each in toggles), f"./{program.name}", name]
    output = run(command, folder=program.parent, include_stderr=True)
    found = re.search(r"Collected : (\d+)", output)
    if found is None or int(found[1]) == 0:
        raise LibraryError(f"valgrind counted no instructions for {name}")
    return int(float(f"{int(found[1]):.{DIGITS - 1}e}"))


def read_counts(path: Path = RECORDED) -> Counts:
    """Read the recorded counts; without a file there are none."""
    if not path.exists():
        return Counts("nothing")
    first, *lines = path.read_text(encoding="utf-8").splitlines()
    pairs = (line.rsplit(maxsplit=1) for line in lines if line)
    return Counts(first.removeprefix("# "), {name: int(number.replace(",", "")) for name, number in pairs})


def write_counts(counts: Counts, path: Path = RECORDED) -> None:
    """Write the counts to the file."""
    lines = [f"{name:<28} {number:>12,}" for name, number in counts.instructions.items()]
    path.write_text("\n".join([f"# {counts.compiler}", *lines, ""]), encoding="utf-8")


def format_counts(now: Counts, recorded: Counts) -> str:
    """Return a table of the new counts, the recorded ones and the differences."""
    lines = ["| workload | instructions | recorded | difference |", "| --- | ---: | ---: | ---: |"]
    for name, number in now.instructions.items():
        change, before = now.change(name, recorded), recorded.instructions.get(name)
        difference = "new" if change is None else f"{change:+.2%}" + (" **more**" if change > LIMIT else "")
        lines.append(f"| {name} | {number:,} | {'' if before is None else f'{before:,}'} | {difference} |")
    lines += ["", f"Counted by valgrind, built with {now.compiler}."]
    if now.compiler != recorded.compiler:
        lines.append(f"The recorded counts are not comparable: they were built with {recorded.compiler}.")
    if removed := [name for name in recorded.instructions if name not in now.instructions]:
        lines.append(f"Removed: {', '.join(removed)}.")
    if regressions := now.regressions(recorded):
        lines.append(f"REGRESSIONS of over {LIMIT:.0%}: {', '.join(regressions)}.")
    else:
        lines.append(f"No regressions of over {LIMIT:.0%}.")
    return "\n".join(lines)
