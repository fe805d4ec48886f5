"""The processes of commands: nothing is left behind, the terminal, signals."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tablemen.errors import ArgumentError
from tablemen.transcript import parse_transcript, run_command
from tablemen.transcript.process import PipeProcess, TerminalProcess
from tests.patience import wait_until
from tests.processes import wait_for_end
from tests.transcript.greeting import AT_ONCE, GREET, GREETING, LATE, SOON, python, run


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Every process that is started; all must have been waited for."""
    processes: list[subprocess.Popen[bytes]] = []

    class Noted(subprocess.Popen[bytes]):
        def __init__(self, *args: Any, **settings: Any) -> None:
            super().__init__(*args, **settings)
            processes.append(self)

    monkeypatch.setattr(subprocess, "Popen", Noted)
    yield processes
    assert processes
    assert all(process.returncode is not None for process in processes)


LEFT = "sh -c 'trap \"\" TERM HUP; echo $$ > {file}; exec sleep 100' & while ! test -s {file}; do sleep 0.01; done; "


@pytest.mark.usefixtures("either_channel")
@pytest.mark.parametrize(
    ("either_channel", "script", "passes"),
    [
        (TerminalProcess, GREET, True),
        pytest.param(TerminalProcess, GREET + "; sleep 100", False, marks=pytest.mark.slow),
        (TerminalProcess, "yes", False),
        pytest.param(TerminalProcess, "trap '' TERM; yes", False, marks=pytest.mark.slow),
        (TerminalProcess, "echo no; kill -KILL $$", False),
        (PipeProcess, GREET, True),
        (PipeProcess, "yes", False),
    ],
    indirect=["either_channel"],
)
def test_nothing_is_left_running(
    script: str, *, passes: bool, tmp_path: Path, started: list[subprocess.Popen[bytes]]
) -> None:
    file = tmp_path / "process"
    report = run(
        LEFT.replace("{file}", shlex.quote(str(file))) + script, timeout=SOON * 2 if "sleep" in script else LATE
    )
    assert report.passed is passes
    (process,) = started
    wait_for_end(process.pid)
    wait_for_end(int(file.read_text()))


RUNNER = """
import sys
from tablemen.transcript import parse_transcript, run_command
run_command(parse_transcript(">a"), ["sh", "-c", sys.argv[1]], timeout=60)
"""


def test_nothing_is_left_running_where_the_runner_is_killed(tmp_path: Path) -> None:
    file = tmp_path / "started"
    # Ignored here, as under nohup: a program at a terminal is hung up all the same.
    runner = subprocess.Popen(
        ["sh", "-c", 'trap "" HUP; exec "$@"', "sh", *python(RUNNER), f"sleep 100 & echo $$ $! > {file}; wait"]
    )
    try:
        wait_until(lambda: file.exists() and file.read_text().endswith("\n"), "nothing was written")
        programs = list(map(int, file.read_text().split()))
    finally:
        runner.kill()
        runner.wait()
    assert len(programs) == 2
    for program in programs:
        wait_for_end(program)


def test_the_terminal_is_that_of_the_session() -> None:
    transcript = parse_transcript(">Your name? \n<A\x03\x04da\n>Hello, 'A\\x03\\x04da'\n")
    script = "f = open('/dev/tty', 'r+b', 0); f.write(b'Your name? '); n = f.readline().decode().rstrip()"
    assert run_command(transcript, python(f"{script}; print(f'Hello, {{n!r}}')")).failure is None


def test_signals_are_those_that_a_program_expects() -> None:
    script = "import signal; print(*(signal.getsignal(n).name for n in (signal.SIGHUP, signal.SIGTERM)))"
    assert run_command(parse_transcript(">SIG_DFL SIG_DFL\n"), python(script)).failure is None
    assert run("yes | head -n 1; echo $?", parse_transcript(">y\n>0\n")).passed
    # Of the signals that are ignored, SIGHUP, SIGPIPE and SIGXFSZ are none; others are not ours to know.
    ignored = "0x$(sed -n 's/^SigIgn:.//p' /proc/self/status)"
    assert run(f"echo $(({ignored} & 0x1001001))", parse_transcript(">0\n")).passed


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs a system that lists open files under /proc")
@pytest.mark.usefixtures("either_channel")
def test_nothing_is_left_open() -> None:
    def count() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    before = count()
    for script in (GREET, "yes", "exit 3"):
        run(script)
    run("sleep 100", timeout=AT_ONCE)
    with pytest.raises(ArgumentError):
        run_command(GREETING, ["no-such-program"])
    wait_until(lambda: count() == before, "something was left behind")
