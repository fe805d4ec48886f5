"""The Makefile's targets say what they do, and a machine that lacks something is told in one line."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# What the Makefile calls before anything is built.
TOOLS = ("sh", "find", "id", "cargo", "cc")
TARGETS = ("tests", "check", "compile", "page", "play", "bench", "docs", "wheel", "clean", "help")


def make(*arguments: str, path: str | None = None) -> subprocess.CompletedProcess[str]:
    # The tests may themselves run under make, whose flags must not reach this one.
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


def machine_without(tmp_path: Path, missing: str) -> str:
    """A PATH that leads to everything the Makefile calls, less one."""
    for tool in TOOLS:
        found = shutil.which(tool)
        if tool != missing and found is not None:
            (tmp_path / tool).symlink_to(found)
    return str(tmp_path)


def test_help_has_a_line_for_every_target_people_type() -> None:
    listed = dict(line.split(maxsplit=2)[1:] for line in make("help").stdout.splitlines())
    assert set(TARGETS) <= set(listed)
    assert all(listed.values())


def test_make_alone_is_make_tests() -> None:
    plain, tests = make("--dry-run", "--always-make"), make("--dry-run", "--always-make", "tests")
    assert plain.stdout == tests.stdout
    assert '-m "not deep"' in plain.stdout
    assert "cargo test" in plain.stdout


def play_recipe(*arguments: str) -> str:
    """What `make play` does once everything is built."""
    return make("--dry-run", "play", *arguments).stdout.splitlines()[-1]


@pytest.mark.skipif(not (ROOT / ".venv" / "bin" / "tablemen").exists(), reason="nothing was built by make here")
def test_make_play_through_a_pipe_is_kalah() -> None:
    done = subprocess.run(
        ["sh", "-c", play_recipe()], cwd=ROOT, input="3\nq\n", capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[1] == "| P2 | 6[ 4] | 5[ 4] | 4[ 4] | 3[ 4] | 2[ 4] | 1[ 4] |  0 |"
    assert done.stdout.splitlines()[-6] == "Player P1's turn - Specify house number or 'q' to quit: Game over"


def test_make_play_offers_the_games_or_starts_what_one_names() -> None:
    assert "tablemen play ; else " in play_recipe()
    assert play_recipe("GAME=kalah --vertical").count("tablemen play kalah --vertical;") == 2


@pytest.mark.parametrize("missing", ["cargo", "cc"])
def test_what_is_missing_is_said_in_one_line(tmp_path: Path, missing: str) -> None:
    done = make("compile", f"PYTHON={sys.executable}", path=machine_without(tmp_path, missing))
    said = [line for line in done.stderr.splitlines() if not line.startswith("make")]
    assert done.returncode != 0
    assert len(said) == 1
    assert re.fullmatch(rf"tablemen needs .*: install .*\b{missing}\b.*", said[0])
    assert not done.stdout


def test_an_old_python_is_said_in_one_line(tmp_path: Path) -> None:
    old = tmp_path / "python-3.8"
    old.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    old.chmod(0o755)
    done = make("compile", f"PYTHON={old}")
    said = [line for line in done.stderr.splitlines() if not line.startswith("make")]
    assert done.returncode != 0
    assert len(said) == 1
    assert said[0].startswith("tablemen needs Python 3.11 or newer")


@pytest.mark.parametrize(("target", "missing"), [("page", "npm"), ("browser", "Chromium")])
def test_what_only_the_page_needs_is_left_out_with_one_line(tmp_path: Path, target: str, missing: str) -> None:
    done = make(target, path=machine_without(tmp_path, missing))
    assert done.returncode == 0
    assert re.fullmatch(rf"There is no {missing} here, so .*: .*\binstall\b.*\n", done.stderr)
    assert not done.stdout


def test_the_page_is_checked_with_every_run_and_the_browser_comes_with_the_whole_of_it() -> None:
    tests, check = make("--dry-run", "--always-make", "tests"), make("--dry-run", "--always-make", "check")
    assert ("tsc" in tests.stdout) == ("tsc" in check.stdout) == (shutil.which("npm") is not None)
    assert "chromium" in tests.stdout
    assert "chromium" not in check.stdout


def test_continuous_integration_runs_what_the_readme_says() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert script.read_text(encoding="utf-8").splitlines()[-1] == "exec make tests"
    assert "\n$ make tests " in (ROOT / "README.md").read_text(encoding="utf-8")
