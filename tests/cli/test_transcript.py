"""`tablemen transcript run`; `tests/transcript` tests recording."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tablemen import NotationError
from tablemen.cli import main
from tablemen.cli import transcript as transcript_module
from tablemen.cli.group import SignalInterrupt
from tablemen.cli.play.kalah import kalah
from tablemen.cli.transcript import KALAH_CONSOLE, NO_COMMAND, find_kalah_command
from tablemen.mancala import KALAH
from tablemen.transcript import parse_transcript, read_transcript
from tests.timeouts import TIMEOUT, ended_when_late

ROOT = Path(__file__).parents[2]

GREET = "sh -c 'printf \"Your name? \"; read name; echo Hello, $name!'"
SESSION = ">Your name? \n<Ada\n>Hello, Ada!\n"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["transcript", "run", *map(str, arguments)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with two files that pass, one in a subfolder, and one that fails."""
    (tmp_path / "deep").mkdir()
    (tmp_path / "a.txt").write_text(f"# command: {GREET}\n{SESSION}")
    (tmp_path / "deep" / "b.transcript").write_text(f"# command: {GREET}\n{SESSION}")
    (tmp_path / "c.txt").write_text(f"# command: {GREET}\n{SESSION.replace('Hello', 'Hallo')}")
    (tmp_path / "notes.md").write_text("not a session")
    return tmp_path


def test_files_that_pass(folder: Path) -> None:
    result = run(folder / "a.txt", folder / "deep")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "2 passed\n", "")


@pytest.mark.parametrize("jobs", ["1", "3"])
def test_failures_are_reported_in_order(folder: Path, jobs: str) -> None:
    result = run(folder, "--jobs", jobs)
    assert result.exit_code == 1
    place, expected, actual, mark, summary = result.stdout.splitlines()
    assert place.startswith(f"{folder / 'c.txt'}: line 4")
    assert '"Hallo, Ada!"' in expected
    assert '"Hello, Ada!"' in actual
    assert mark.index("^") == actual.index("ello")
    assert summary == "2 passed, 1 failed"


def test_command_line_takes_precedence_over_the_file(folder: Path) -> None:
    result = run(folder / "a.txt", "--", "sh", "-c", "printf 'Your name? '; read name; echo H$2", "--", "--", "allo")
    assert result.exit_code == 1
    assert "line 4" in result.stdout
    assert run(folder, "--", "sh", "-c", "printf 'Your name? '; read name; echo Hello, Ada!").stdout.endswith(
        "2 passed, 1 failed\n"
    )


def test_file_given_twice_runs_once(folder: Path) -> None:
    assert run(folder / "a.txt", folder / "a.txt").stdout == "1 passed\n"


def test_json(folder: Path) -> None:
    (folder / "d.txt").write_text("x")
    with pytest.raises(NotationError) as not_a_session:
        parse_transcript("x")
    result = run(folder, "--json")
    assert result.exit_code == 1
    passed = {"passed": True, "status": 0, "failure": None}
    assert json.loads(result.stdout) == [
        {"file": str(folder / "a.txt"), **passed},
        {
            "file": str(folder / "c.txt"),
            "passed": False,
            "status": 0,
            "failure": {
                "problem": "output_differs",
                "line": 4,
                "column": 2,
                "expected": "Hallo, Ada!",
                "actual": "Hello, Ada!",
                "note": "",
                "rest": "",
            },
        },
        {
            "file": str(folder / "d.txt"),
            "passed": False,
            "status": None,
            "failure": None,
            "error": str(not_a_session.value),
        },
        {"file": str(folder / "deep" / "b.transcript"), **passed},
    ]


def test_files_that_cannot_be_run_fail_and_the_rest_runs(folder: Path) -> None:
    (folder / "d.txt").write_text("# command: no-such-program\n>a\n")
    (folder / "e.txt").write_bytes(b">\xff\n")
    result = run(folder / "a.txt", folder / "d.txt", folder / "e.txt")
    assert result.exit_code == 1
    not_found, not_text, summary = result.stdout.splitlines()
    assert not_found.startswith(f"{folder / 'd.txt'}: ")
    assert "no-such-program" in not_found
    assert not_text.startswith(f"{folder / 'e.txt'}: line 1, column 2: ")
    assert summary == "1 passed, 2 failed"


@pytest.mark.parametrize(
    ("arguments", "facts"),
    [
        ([], ["FILE_OR_FOLDER"]),
        (["{folder}", "--jobs", "0"], ["--jobs", "x>=1"]),
        (["{folder}", "--timeout", "0"], ["--timeout", "x>0"]),
    ],
)
def test_invalid_arguments_exit_with_2(folder: Path, arguments: list[str], facts: list[str]) -> None:
    result = run(*(each.replace("{folder}", str(folder)) for each in arguments))
    assert (result.exit_code, result.stdout) == (2, "")
    assert all(fact in result.stderr.splitlines()[-1] for fact in facts)


BOARD = """\
>+----+-------+-------+----+
>| P2 | 2[ 3] | 1[ 3] |  0 |
>|    |-------+-------|    |
>|  0 | 1[ 3] | 2[ 3] | P1 |
>+----+-------+-------+----+
"""
SIZE = ["--houses", "2", "--seeds", "3"]
UPRIGHT = """\
>+---------------+
>|       | P2  0 |
>+-------+-------+
>| 1[ 4] | 1[ 4] |
>+-------+-------+
>| P1  0 |       |
>+---------------+
"""


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (BOARD, SIZE),
        (BOARD.replace("1[ 3] | 2[", "1[ 3] | 2[ 4"), []),
        (BOARD.replace("|  0 | 1[ 3]", "|  1 | 1[ 2]"), []),
        (BOARD.replace("3]", "0]"), []),
        (">Welcome.\n" + BOARD, []),
        (UPRIGHT, ["--houses", "1", "--vertical"]),
        (UPRIGHT.replace("P1  0", "P1  1"), ["--vertical"]),
        (BOARD + ">Player P2 (Robot) chooses house #1 because …\n", [*SIZE, "--robot", "2"]),
        (BOARD + ">Player P1 (Robot) chooses\n>Player P2 (Robot) chooses\n", [*SIZE, "--robot", "both"]),
        (BOARD + ">Player P1 (Robot) chooses\n", [*SIZE, "--robot", "1"]),
        (UPRIGHT + ">Choice:\n<q\n", ["--houses", "1", "--vertical", "--menu"]),
    ],
)
def test_kalah_command_is_inferred_from_the_board(text: str, options: list[str]) -> None:
    assert find_kalah_command(parse_transcript(text)) == [*KALAH_CONSOLE, *options]


@pytest.mark.parametrize(
    "path", sorted((ROOT / "tests" / "transcripts").glob("*.transcript")), ids=lambda path: path.stem
)
def test_inferred_kalah_command_agrees_with_the_file(path: Path) -> None:
    session = read_transcript(path)
    found = find_kalah_command(session)
    assert found is not None
    assert session.command is not None
    named, guessed = (
        kalah.make_context("kalah", list(words)).params for words in (session.command[3:], found[len(KALAH_CONSOLE) :])
    )
    sizes = {"houses": KALAH.houses, "seeds": KALAH.seeds}  # defaults
    given = {name: value for name, value in named.items() if name != "rules" and value is not None}
    inferred = {name: value for name, value in guessed.items() if name != "rules" and value is not None}
    assert sizes | inferred == sizes | given


@pytest.mark.parametrize("text", ["", ">Hi\n", ">+----+-------+----+\n", "<1[ 4]\n", ">Player P1 (Robot)\n>Choice:\n"])
def test_file_without_command_and_board_fails(folder: Path, text: str) -> None:
    (folder / "d.txt").write_text(text)
    result = run(folder / "d.txt")
    assert (result.exit_code, result.stdout) == (1, f"{folder / 'd.txt'}: {NO_COMMAND}\n0 passed, 1 failed\n")


def test_inferred_console_is_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "d.txt").write_text(BOARD + ">--seeds 3\n")
    monkeypatch.setattr(
        transcript_module, "KALAH_CONSOLE", ("sh", "-c", f"printf '{BOARD.replace('>', '')}'; echo $2 $3")
    )
    assert run(folder / "d.txt").stdout == "1 passed\n"


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_signal_stops_the_programs(tmp_path: Path, number: signal.Signals, status: int) -> None:
    started = tmp_path / "started"
    script = f'trap "" {"HUP" if number == signal.SIGHUP else "TERM"}; echo $$ > {started}; exec sleep 100'
    (tmp_path / "a.txt").write_text(f"# command: sh -c '{script}'\n>a\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "tablemen", "transcript", "run", str(tmp_path), "--timeout", "60"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with ended_when_late(process):
        while not started.exists() or not started.read_text().endswith("\n"):
            assert process.poll() is None
            time.sleep(0.01)
        program = int(started.read_text())
        process.send_signal(number)
        process.send_signal(number)  # the second must not disturb the cleanup after the first
        output, errors = process.communicate(timeout=TIMEOUT)
    assert (process.returncode, output, errors) == (status, "", f"{SignalInterrupt(number)}\n")
    with pytest.raises(ProcessLookupError):
        os.kill(program, 0)


def test_signal_handlers_are_restored(folder: Path) -> None:
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    handlers = [signal.getsignal(number) for number in numbers]
    run(folder)
    assert [signal.getsignal(number) for number in numbers] == handlers
