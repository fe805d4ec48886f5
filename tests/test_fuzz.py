"""Run every fuzz target for a short time; `python -m fuzz TARGET` runs longer."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("atheris", reason="atheris is not installed")

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
    assert all(name in done.stderr for name in TARGETS)
