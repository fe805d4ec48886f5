"""Recording of sessions, and running of the recorded transcripts."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablemen.transcript import Transcript, format_transcript, parse_transcript, read_transcript, run_command
from tablemen.transcript.record import STOPPED
from tests.timeouts import TIMEOUT

pytestmark = pytest.mark.slow  # every test starts programs

SCRIPT = """
total = 0
print("Numbers are added up.")
while (number := input("Number? ")):
    total += int(number)
    print(f"Now it is {total}.")
print("Bye", end="")
"""
SESSION = """\
>Numbers are added up.
>Number? 
<3
>Now it is 3.
>Number? 
<39
>Now it is 42.
>Number? 
<
>Bye
"""  # noqa: W291


class FakeUser:
    """A simulated user at a terminal who records a session."""

    def __init__(self, out: Path, *command: str) -> None:
        self.output = ""
        self._terminal, end = pty.openpty()
        arguments = [sys.executable, "-m", "tablemen", "transcript", "record", str(out), "--", *command]
        # The terminal controls the session of the process, so that Ctrl-C sends SIGINT to it.
        self.process = subprocess.Popen(
            [sys.executable, "-c", LAUNCHER, *arguments], stdin=end, stdout=end, stderr=end, start_new_session=True
        )
        os.close(end)

    def wait_for(self, text: str) -> None:
        """Read until new output contains a text."""
        start = len(self.output)
        while text not in self.output[start:]:
            assert self._read(), f"the program ended after {self.output!r}, without {text!r}"

    def _read(self) -> bool:
        """Read the next output; return whether there is any."""
        assert select.select([self._terminal], [], [], TIMEOUT)[0], f"no output after {self.output!r}"
        try:
            self.output += os.read(self._terminal, 4096).decode().replace("\r\n", "\n")
        except OSError:  # on Linux, if the other end is closed
            return False
        return True

    def type(self, text: str) -> None:
        os.write(self._terminal, text.encode())

    def status(self) -> int:
        """Return the exit status; read the remaining output, so that the process does not block."""
        while self._read():
            pass
        return self.process.wait(TIMEOUT)

    def hang_up(self) -> None:
        """Close the terminal while the process runs."""
        os.close(self._terminal)
        self._terminal = -1

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        if self._terminal >= 0:
            self.hang_up()


LAUNCHER = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    file = tmp_path / "add.py"
    file.write_text(SCRIPT)
    return file


@pytest.fixture
def user(tmp_path: Path, script: Path) -> Iterator[FakeUser]:
    user = FakeUser(tmp_path / "out.transcript", sys.executable, str(script))
    yield user
    user.close()


def answer_prompts(user: FakeUser) -> None:
    for number in ("3", "39", ""):
        user.wait_for("Number? ")
        user.type(f"{number}\n")


def format_steps(transcript: Transcript) -> str:
    """Return the transcript without comments."""
    return "".join(line for line in format_transcript(transcript).splitlines(keepends=True) if line[0] != "#")


def test_a_recorded_session_can_be_run(user: FakeUser, tmp_path: Path) -> None:
    answer_prompts(user)
    assert user.status() == 0
    assert "Number? 39\nNow it is 42.\nNumber? \nBye\n10 lines recorded in " in user.output
    transcript = read_transcript(tmp_path / "out.transcript")
    assert format_steps(transcript) == SESSION
    assert transcript.command == (sys.executable, str(tmp_path / "add.py"))
    assert run_command(transcript, transcript.command).failure is None
    assert run_command(parse_transcript(SESSION.replace("42", "43")), transcript.command).failure is not None


@pytest.mark.parametrize(
    ("key", "status"),
    [pytest.param("\x03", 130, id="Ctrl-C"), pytest.param("\x04", 0, id="Ctrl-D", marks=pytest.mark.slow)],
)
def test_an_interrupted_session_is_written(user: FakeUser, tmp_path: Path, key: str, status: int) -> None:
    user.wait_for("Number? ")
    user.type("3\n")
    user.wait_for("Number? ")
    user.type(key)
    assert user.status() == status
    assert "stopped" in user.output
    *_, last = (tmp_path / "out.transcript").read_text().splitlines()
    assert last == f"#{STOPPED}"
    assert format_steps(read_transcript(tmp_path / "out.transcript")) == SESSION.partition("<39")[0]


def record(out: Path, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tablemen", "transcript", "record", str(out), *arguments]
    return subprocess.run(command, input=typed, capture_output=True, text=True, check=False, timeout=TIMEOUT)


def test_lines_from_a_pipe_are_passed_one_by_one(tmp_path: Path, script: Path) -> None:
    done = record(tmp_path / "out", "--", sys.executable, str(script), typed="3\n39\n\n")
    assert done.returncode == 0
    assert done.stdout == "Numbers are added up.\nNumber? 3\nNow it is 3.\nNumber? 39\nNow it is 42.\nNumber? \nBye"
    assert done.stderr == f"\n10 lines recorded in {tmp_path / 'out'}\n"
    assert format_steps(read_transcript(tmp_path / "out")) == SESSION


def test_a_line_that_is_too_long_ends_the_recording(tmp_path: Path, script: Path) -> None:
    done = record(tmp_path / "out", "--", sys.executable, str(script), typed=f"3\n{'9' * 4095}\n\n")
    assert done.returncode == 1
    assert f"5 lines recorded in {tmp_path / 'out'}\n" in done.stderr
    assert re.search("input: .* 4095 bytes, got '999", done.stderr)
    assert "stopped" in done.stderr
    *_, last = (tmp_path / "out").read_text().splitlines()
    assert last == f"#{STOPPED}"
    assert format_steps(read_transcript(tmp_path / "out")) == SESSION.partition("<39")[0]


def test_a_closed_output_ends_the_recording(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as screen:
        command = [sys.executable, "-m", "tablemen", "transcript", "record", str(tmp_path / "out"), "--", "echo", "a"]
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=screen, stderr=subprocess.PIPE, check=False, timeout=TIMEOUT
        )
    assert done.returncode == 1
    assert b"Broken pipe" in done.stderr
    assert format_steps(read_transcript(tmp_path / "out")) == ">a\n"


def test_an_existing_file_is_overwritten_only_with_force(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_text("existing")
    done = record(out, "--", "echo", "a")
    assert done.returncode == 2
    assert str(out) in done.stderr
    assert "--force" in done.stderr
    assert out.read_text() == "existing"
    assert record(out, "--force", "--", "echo", "a").returncode == 0
    assert out.read_text() == "# command: echo a\n>a\n"


def test_a_recording_needs_a_command_and_a_folder(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = record(out)
    assert (done.returncode, "COMMAND" in done.stderr) == (2, True)
    done = record(out, "--", "no-such-program")
    assert (done.returncode, "No such file or directory: no-such-program" in done.stderr) == (2, True)
    missing = tmp_path / "missing"
    done = record(missing / "out", "--", "echo")
    assert (done.returncode, str(missing) in done.stderr) == (2, True)
    assert not out.exists()


def test_a_failed_status_is_reported(tmp_path: Path) -> None:
    done = record(tmp_path / "out", "--", "sh", "-c", "echo a; exit 3")
    assert (done.returncode, done.stdout) == (0, "a\n")
    assert re.search(r"status\D*3", done.stderr)


def test_a_command_with_newlines_is_left_out(tmp_path: Path) -> None:
    assert record(tmp_path / "out", "--", "sh", "-c", "echo a\necho b").stdout == "a\nb\n"
    transcript = read_transcript(tmp_path / "out")
    assert (transcript.command, format_steps(transcript)) == (None, ">a\n>b\n")


def test_a_command_that_is_not_utf_8_is_left_out(tmp_path: Path) -> None:
    record(tmp_path / "out", "--", "echo", os.fsdecode(b"\xff"))
    transcript = read_transcript(tmp_path / "out")
    assert (transcript.command, format_steps(transcript)) == (None, ">\\xff\n")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_session_ended_by_a_signal_is_written(user: FakeUser, tmp_path: Path, number: signal.Signals) -> None:
    user.wait_for("Number? ")
    user.process.send_signal(number)
    assert user.status() == 128 + number
    *_, last = (tmp_path / "out.transcript").read_text().splitlines()
    assert last == f"#{STOPPED}"


def test_a_session_ended_by_a_hang_up_is_written(user: FakeUser, tmp_path: Path) -> None:
    user.wait_for("Number? ")
    user.hang_up()
    assert user.process.wait(TIMEOUT) == 128 + signal.SIGHUP
    *_, last = (tmp_path / "out.transcript").read_text().splitlines()
    assert last == f"#{STOPPED}"
