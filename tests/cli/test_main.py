"""What `tablemen` says of itself, and how its commands end."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tablemen import __version__
from tablemen.cli import COMMANDS, group, main


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """A real run, in a process of its own."""
    return subprocess.run([sys.executable, "-m", "tablemen", *arguments], capture_output=True, text=True, check=False)


def test_alone_it_says_what_can_be_done() -> None:
    result = CliRunner().invoke(main)
    assert result.exit_code == 0
    assert result.stderr == ""
    assert len(result.stdout.splitlines()) <= 15
    assert all(f"tablemen {name}" in result.stdout for name in COMMANDS)


def test_the_version() -> None:
    result = CliRunner().invoke(main, ["--version"])
    assert (result.exit_code, result.stdout) == (0, f"tablemen, version {__version__}\n")


TALKING = {"play"}  # commands that talk with a person


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_examples_and_speaks_json(name: str) -> None:
    result = CliRunner().invoke(main, [name, "--help"])
    assert result.exit_code == 0
    assert "Examples:" in result.stdout
    assert result.stdout.count(f"  tablemen {name}") >= 3
    assert ("--json" in result.stdout) is (name not in TALKING)


def test_an_unknown_command_is_bad_usage() -> None:
    result = CliRunner().invoke(main, ["dissolve"])
    assert result.exit_code == 2
    assert "No such command 'dissolve'" in result.stderr


def test_python_m_tablemen_is_the_same_program() -> None:
    result = run()
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == CliRunner().invoke(main).stdout


def test_a_real_run_keeps_results_and_talk_apart() -> None:
    result = run("perft", "russian", "3")
    assert result.returncode == 0
    assert result.stdout == "302\n"
    assert "leaves in" in result.stderr


def test_a_real_run_ends_with_2_and_no_traceback_on_a_bad_question() -> None:
    result = run("moves", "russian", "--fen", "W:Wc3:Bz9")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == "Error: --fen: line 1, column 8: russian has no square 'z9'\n"


def test_text_that_the_terminal_cannot_show_is_replaced() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "tablemen", "variants", "--notes"],
        capture_output=True,
        encoding="koi8-r",
        check=False,
        env=os.environ | {"PYTHONIOENCODING": "koi8-r"},
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert "Also played on 10?10" in result.stdout


def test_an_interrupted_command_ends_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(group.TablemenGroup, "get_command", interrupt)
    result = CliRunner().invoke(main, ["variants"])
    assert (result.exit_code, result.stderr) == (130, "Interrupted.\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full here")
@pytest.mark.parametrize("arguments", [["moves", "english"], ["play", "kalah"]])
def test_a_full_disk_is_told_in_a_line(arguments: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "tablemen", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stderr) == (1, "Error: No space left on device\n")


def test_a_console_without_input_is_one_whose_input_has_ended() -> None:
    command = f"{shlex.quote(sys.executable)} -m tablemen play kalah <&-"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Game over" in done.stdout
