"""The core compiles for WebAssembly, if the target is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TARGET = "wasm32-unknown-unknown"


def _has_target() -> bool:
    rustc = shutil.which("rustc")
    if rustc is None:
        return False
    sysroot = subprocess.run([rustc, "--print", "sysroot"], capture_output=True, text=True, check=True).stdout.strip()
    return (Path(sysroot) / "lib" / "rustlib" / TARGET / "lib").is_dir()


@pytest.mark.slow
def test_core_compiles_for_webassembly() -> None:
    if not _has_target():
        pytest.skip(f"the target {TARGET} is not installed: rustup target add {TARGET}")
    command = ["cargo", "check", "--locked", "--quiet", "--package", "tablemen-core", "--target", TARGET]
    environment = {name: value for name, value in os.environ.items() if name not in ("RUSTFLAGS", "PYO3_PYTHON")}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
