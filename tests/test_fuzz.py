"""Run every fuzz target of the package for a short time; `python -m fuzz TARGET` runs longer.

`cargo test` runs the targets of the core on their kept inputs.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

pytest.importorskip("atheris", reason="atheris is not installed")

from fuzz.core_targets import CORE_TARGETS, CORPUS, CRATE, PREFIX
from fuzz.targets import TARGETS

ROOT = Path(__file__).parents[1]
RUNS = 5_000


FIRST, *OTHERS = TARGETS


@pytest.mark.parametrize("name", [FIRST, *(pytest.param(name, marks=pytest.mark.slow) for name in OTHERS)])
def test_target_finds_no_defect(name: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "fuzz", name, f"-runs={RUNS}", "-seed=1", f"-artifact_prefix={tmp_path}/"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"Done {RUNS} runs" in done.stderr


@pytest.mark.slow
def test_targets_are_listed_without_arguments() -> None:
    done = subprocess.run([sys.executable, "-m", "fuzz"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert all(name in done.stderr for name in (*TARGETS, *CORE_TARGETS))


def test_every_target_of_the_core_has_a_small_corpus() -> None:
    names = {name.removeprefix(PREFIX) for name in CORE_TARGETS}
    crate = tomllib.loads((CRATE / "Cargo.toml").read_text(encoding="utf-8"))
    assert {each["name"] for each in crate["bin"]} == names
    assert {folder.name for folder in CORPUS.iterdir()} == names
    sizes = {path: path.stat().st_size for path in CORPUS.rglob("*") if path.is_file()}
    assert {path.parent.name for path in sizes} == names
    assert len(sizes) <= 300
    assert sum(sizes.values()) <= 300_000


@pytest.mark.deep  # compiles the core with instrumentation
@pytest.mark.skipif(not (shutil.which("cargo") and shutil.which("c++")), reason="requires cargo and a C++ compiler")
def test_target_of_the_core_runs_in_libfuzzer(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "fuzz", CORE_TARGETS[0], f"-runs={RUNS}", "-seed=1", f"-artifact_prefix={tmp_path}/"]
    environment = {name: value for name, value in os.environ.items() if name != "RUSTUP_TOOLCHAIN"}
    done = subprocess.run(
        words, cwd=ROOT, env=environment, capture_output=True, text=True, errors="replace", check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Done" in done.stderr
