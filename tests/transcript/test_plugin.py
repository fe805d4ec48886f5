"""The pytest plug-in, in separate pytest runs."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.timeouts import TIMEOUT

ROOT = Path(__file__).parents[2]
GREET = "sh -c 'printf \"Your name? \"; read name; echo Hello, $name!'"
SESSION = ">Your name? \n<Ada\n>Hello, Ada!\n"


def run_pytest(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run pytest with this plug-in and no other."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "tablemen.transcript.plugin", "-p", "no:cacheprovider", *arguments],
        cwd=folder,
        env=os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT / "python"), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
        timeout=TIMEOUT,
    )


def test_a_passing_file_is_a_passing_test(tmp_path: Path) -> None:
    (tmp_path / "greet.transcript").write_text(f"# command: {GREET}\n{SESSION}")
    (tmp_path / "other.txt").write_text("not a transcript")
    done = run_pytest(tmp_path, "-v")
    assert "greet.transcript::greet PASSED" in done.stdout
    assert (done.returncode, "1 passed" in done.stdout) == (0, True)


def test_a_failure_is_shown_as_a_report(tmp_path: Path) -> None:
    file = tmp_path / "greet.transcript"
    file.write_text(f"# command: {GREET}\n{SESSION.replace('Ada!', 'Bob!')}")
    done = run_pytest(tmp_path)
    assert done.returncode == 1
    assert f"{file}: line 4, character 8: " in done.stdout
    assert '  expected: "Hello, Bob!"\n  actual:   "Hello, Ada!"\n' in done.stdout
    assert "Traceback" not in done.stdout
    assert "plugin.py" not in done.stdout


def test_the_settings_are_used(tmp_path: Path) -> None:
    (tmp_path / "greet.transcript").write_text(SESSION)
    settings = tmp_path / "pytest.ini"
    settings.write_text(f"[pytest]\ntranscript_command = {GREET}\n")
    assert run_pytest(tmp_path).returncode == 0
    settings.write_text("[pytest]\ntranscript_command = sleep 100\ntranscript_timeout = 0.2\n")
    assert "0.2 s" in run_pytest(tmp_path).stdout


@pytest.mark.parametrize("timeout", ["soon", "nan", "inf", "0", "-1"])
def test_an_invalid_timeout_is_an_error(tmp_path: Path, timeout: str) -> None:
    (tmp_path / "greet.transcript").write_text(SESSION)
    (tmp_path / "pytest.ini").write_text(f"[pytest]\ntranscript_command = {GREET}\ntranscript_timeout = {timeout}\n")
    done = run_pytest(tmp_path)
    assert done.returncode == 1
    assert re.search(f"transcript_timeout: .*'{timeout}'", done.stdout)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        (SESSION, "transcript_command"),
        ("# command: no-such-program\n", "No such file or directory: no-such-program"),
        ("# command: true\nx\n", "line 2, column 1: "),
    ],
)
def test_errors_are_shown_without_a_traceback(tmp_path: Path, text: str, fact: str) -> None:
    (tmp_path / "greet.transcript").write_text(text)
    done = run_pytest(tmp_path)
    assert done.returncode == 1
    assert fact in done.stdout
    assert "plugin.py" not in done.stdout


def test_the_command_runs_in_the_root_folder(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "here.transcript").write_text(f"# command: pwd -P\n>{tmp_path.resolve()}\n")
    assert run_pytest(tmp_path, "sub").returncode == 0


def test_the_plug_in_does_not_load_the_core(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text("import sys\ndef test_it(): assert 'tablemen._core' not in sys.modules\n")
    done = run_pytest(tmp_path)
    assert (done.returncode, "1 passed" in done.stdout) == (0, True)


def test_the_entry_point_is_the_plug_in() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    # The name is that of the module, so that `-p` with the module does not load it twice.
    assert project["entry-points"]["pytest11"] == {"tablemen.transcript.plugin": "tablemen.transcript.plugin"}
    assert importlib.import_module("tablemen.transcript.plugin").pytest_collect_file
