"""Test `make play` through a pipe, and the error messages for missing tools."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# The programs that the Makefile calls before it builds anything.
TOOLS = ("sh", "find", "id", "cargo", "cc")


def make(*arguments: str, path: str | None = None) -> subprocess.CompletedProcess[str]:
    # Remove the flags of an outer make.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    program = shutil.which("make")
    assert program is not None
    return subprocess.run(
        [program, "-C", str(ROOT), "--no-print-directory", *arguments],
        env=environment | ({} if path is None else {"PATH": path}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def path_without(tmp_path: Path, missing: str) -> str:
    """Return a PATH with all programs that the Makefile calls, except one."""
    for tool in TOOLS:
        found = shutil.which(tool)
        if tool != missing and found is not None:
            (tmp_path / tool).symlink_to(found)
    return str(tmp_path)


@pytest.mark.skipif(not (ROOT / ".venv" / "bin" / "tablemen").exists(), reason="requires `make compile`")
def test_make_play_through_a_pipe_is_kalah() -> None:
    recipe = make("--dry-run", "play").stdout.splitlines()[-1]
    done = subprocess.run(["sh", "-c", recipe], cwd=ROOT, input="3\nq\n", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[1] == "| P2 | 6[ 4] | 5[ 4] | 4[ 4] | 3[ 4] | 2[ 4] | 1[ 4] |  0 |"
    assert done.stdout.splitlines()[-6] == "Player P1's turn - Specify house number or 'q' to quit: Game over"


@pytest.mark.parametrize("missing", ["cargo", "cc"])
def test_missing_tool_is_reported_on_one_line(tmp_path: Path, missing: str) -> None:
    done = make("compile", f"PYTHON={sys.executable}", path=path_without(tmp_path, missing))
    errors = [line for line in done.stderr.splitlines() if not line.startswith("make")]
    assert done.returncode != 0
    assert len(errors) == 1
    assert re.search(rf": install .*\b{missing}\b", errors[0])
    assert not done.stdout


def test_old_python_is_reported_on_one_line(tmp_path: Path) -> None:
    old = tmp_path / "python-3.8"
    old.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    old.chmod(0o755)
    done = make("compile", f"PYTHON={old}")
    errors = [line for line in done.stderr.splitlines() if not line.startswith("make")]
    assert done.returncode != 0
    assert len(errors) == 1
    assert "Python 3.11 or newer" in errors[0]


@pytest.mark.parametrize(("target", "missing"), [("page", "npm"), ("browser", "Chromium")])
def test_missing_tool_of_the_page_is_not_an_error(tmp_path: Path, target: str, missing: str) -> None:
    done = make(target, path=path_without(tmp_path, missing))
    assert done.returncode == 0
    assert re.fullmatch(rf"{missing} .*; skipping .*\binstall\b.*\n", done.stderr)
    assert not done.stdout
