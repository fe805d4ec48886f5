"""Recorded sessions, and that they can be run again."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablemen.transcript import Transcript, format_transcript, parse_transcript, read_transcript, run_command
from tests.timeouts import TIMEOUT

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


class Person:
    """A simulated user at a terminal who records a session."""

    def __init__(self, out: Path, *command: str) -> None:
        self.seen = ""
        self._terminal, end = pty.openpty()
        arguments = [sys.executable, "-m", "tablemen", "transcript", "record", str(out), "--", *command]
        # The terminal is the process's own, so that Ctrl-C comes through it.
        self.process = subprocess.Popen(
            [sys.executable, "-c", LEADER, *arguments], stdin=end, stdout=end, stderr=end, start_new_session=True
        )
        os.close(end)

    def wait_for(self, sign: str) -> None:
        """Read until a text appears after the last one."""
        start = len(self.seen)
        while sign not in self.seen[start:]:
            assert self._see(), f"the program ended after {self.seen!r}, without {sign!r}"

    def _see(self) -> bool:
        """Read the next output; return whether there is any."""
        assert select.select([self._terminal], [], [], TIMEOUT)[0], f"nothing came after {self.seen!r}"
        try:
            self.seen += os.read(self._terminal, 4096).decode().replace("\r\n", "\n")
        except OSError:  # Linux: the other end is closed
            return False
        return True

    def type(self, text: str) -> None:
        os.write(self._terminal, text.encode())

    def status(self) -> int:
        """Return the exit status; read the remaining output, so that the process does not block."""
        while self._see():
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


LEADER = """
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
def person(tmp_path: Path, script: Path) -> Iterator[Person]:
    person = Person(tmp_path / "out.transcript", sys.executable, str(script))
    yield person
    person.close()


def talk(person: Person) -> None:
    for number in ("3", "39", ""):
        person.wait_for("Number? ")
        person.type(f"{number}\n")


def steps_only(transcript: Transcript) -> str:
    """Return the transcript without comments."""
    return "".join(line for line in format_transcript(transcript).splitlines(keepends=True) if line[0] != "#")


def test_a_recorded_session_can_be_run(person: Person, tmp_path: Path) -> None:
    talk(person)
    assert person.status() == 0
    assert "Number? 39\nNow it is 42.\nNumber? \nBye\n10 lines recorded in " in person.seen
    transcript = read_transcript(tmp_path / "out.transcript")
    assert steps_only(transcript) == SESSION
    assert transcript.command == (sys.executable, str(tmp_path / "add.py"))
    assert run_command(transcript, transcript.command).failure is None
    assert run_command(parse_transcript(SESSION.replace("42", "43")), transcript.command).failure is not None


@pytest.mark.parametrize(
    ("key", "status"),
    [pytest.param("\x03", 130, id="Ctrl-C"), pytest.param("\x04", 0, id="Ctrl-D", marks=pytest.mark.slow)],
)
def test_an_interrupted_session_is_kept(person: Person, tmp_path: Path, key: str, status: int) -> None:
    person.wait_for("Number? ")
    person.type("3\n")
    person.wait_for("Number? ")
    person.type(key)
    assert person.status() == status
    assert "The program had not ended, and was stopped." in person.seen
    *_, last = (tmp_path / "out.transcript").read_text().splitlines()
    assert last == "# The recording was stopped here: the program had not ended."
    assert steps_only(read_transcript(tmp_path / "out.transcript")) == SESSION.partition("<39")[0]


def record(out: Path, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tablemen", "transcript", "record", str(out), *arguments]
    return subprocess.run(command, input=typed, capture_output=True, text=True, check=False, timeout=TIMEOUT)


def test_lines_from_a_pipe_are_passed_one_by_one(tmp_path: Path, script: Path) -> None:
    done = record(tmp_path / "out", "--", sys.executable, str(script), typed="3\n39\n\n")
    assert done.returncode == 0
    assert done.stdout == "Numbers are added up.\nNumber? 3\nNow it is 3.\nNumber? 39\nNow it is 42.\nNumber? \nBye"
    assert done.stderr == f"\n10 lines recorded in {tmp_path / 'out'}\n"
    assert steps_only(read_transcript(tmp_path / "out")) == SESSION


def test_a_line_that_is_too_long_ends_the_session(tmp_path: Path, script: Path) -> None:
    done = record(tmp_path / "out", "--", sys.executable, str(script), typed=f"3\n{'9' * 4095}\n\n")
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert lines[1] == f"5 lines recorded in {tmp_path / 'out'}"
    assert lines[2].startswith("It went no further: input is '999")
    assert lines[2].endswith("a line of less than 4095 bytes is expected.")
    assert lines[3:] == ["The program had not ended, and was stopped."]
    *_, last = (tmp_path / "out").read_text().splitlines()
    assert last == "# The recording was stopped here: the program had not ended."
    assert steps_only(read_transcript(tmp_path / "out")) == SESSION.partition("<39")[0]


def test_a_closed_output_ends_the_session(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as screen:
        command = [sys.executable, "-m", "tablemen", "transcript", "record", str(tmp_path / "out"), "--", "echo", "a"]
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=screen, stderr=subprocess.PIPE, check=False, timeout=TIMEOUT
        )
    assert done.returncode == 1
    assert b"It went no further: [Errno 32] Broken pipe.\n" in done.stderr
    assert steps_only(read_transcript(tmp_path / "out")) == ">a\n"


def test_a_file_is_not_overwritten_by_accident(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_text("precious")
    done = record(out, "--", "echo", "a")
    assert (done.returncode, done.stderr) == (2, f"Error: {out} already exists; --force overwrites it\n")
    assert out.read_text() == "precious"
    assert record(out, "--force", "--", "echo", "a").returncode == 0
    assert out.read_text() == "# command: echo a\n>a\n"


def test_recording_errors(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert record(out).stderr == "Error: a command is missing: tablemen transcript record OUT -- COMMAND...\n"
    assert "No such file or directory: no-such-program" in record(out, "--", "no-such-program").stderr
    away = tmp_path / "nowhere" / "out"
    assert record(away, "--", "echo").stderr == f"Error: cannot write to the folder {away.parent}\n"
    assert not out.exists()


def test_a_failed_status_is_reported(tmp_path: Path) -> None:
    done = record(tmp_path / "out", "--", "sh", "-c", "echo a; exit 3")
    assert (done.returncode, done.stdout) == (0, "a\n")
    assert done.stderr.endswith("Its status was 3: it will fail when it is run.\n")


def test_a_command_of_several_lines_is_not_in_the_file(tmp_path: Path) -> None:
    assert record(tmp_path / "out", "--", "sh", "-c", "echo a\necho b").stdout == "a\nb\n"
    transcript = read_transcript(tmp_path / "out")
    assert (transcript.command, steps_only(transcript)) == (None, ">a\n>b\n")


def test_a_command_that_is_not_text_is_not_in_the_file(tmp_path: Path) -> None:
    record(tmp_path / "out", "--", "echo", os.fsdecode(b"\xff"))
    transcript = read_transcript(tmp_path / "out")
    assert (transcript.command, steps_only(transcript)) == (None, ">\\xff\n")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_session_and_keeps_it(person: Person, tmp_path: Path, number: signal.Signals) -> None:
    person.wait_for("Number? ")
    person.process.send_signal(number)
    assert person.status() == 128 + number
    *_, last = (tmp_path / "out.transcript").read_text().splitlines()
    assert last == "# The recording was stopped here: the program had not ended."


def test_a_terminal_that_hangs_up_ends_the_session_and_keeps_it(person: Person, tmp_path: Path) -> None:
    person.wait_for("Number? ")
    person.hang_up()
    assert person.process.wait(TIMEOUT) == 128 + signal.SIGHUP
    *_, last = (tmp_path / "out.transcript").read_text().splitlines()
    assert last == "# The recording was stopped here: the program had not ended."
