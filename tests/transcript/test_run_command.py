"""`run_command`: programs that pass, deviate, hang or crash, and their processes."""

from __future__ import annotations

import json
import math
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tablemen.errors import ArgumentError
from tablemen.transcript import (
    Failure,
    Line,
    LineKind,
    Problem,
    Report,
    Transcript,
    parse_transcript,
    run_command,
    run_transcript,
)
from tablemen.transcript.process import PipeProcess, TerminalProcess
from tests.processes import wait_for_end
from tests.timeouts import wait_until
from tests.transcript.fixtures import (
    ASK,
    GREET,
    GREETING,
    HANG_TIMEOUT,
    LONG_TIMEOUT,
    SILENT_TIMEOUT,
    get_events,
    mutants,
    python,
    run,
)

pytestmark = pytest.mark.slow  # every test starts programs


def find_failure(script: str, transcript: Transcript = GREETING, *, timeout: float = LONG_TIMEOUT) -> Failure:
    found = run(script, transcript, timeout=timeout).failure
    assert found is not None
    return found


@pytest.mark.usefixtures("either_channel")
class TestTerminalAndPipes:
    def test_a_correct_program_passes(self) -> None:
        report = run(GREET)
        assert (report.failure, report.status) == (None, 0)

    def test_the_last_line_needs_no_newline(self) -> None:
        assert run(ASK + "printf 'Hello, Ada!'").passed

    def test_lines_may_be_written_in_pieces(self) -> None:
        assert run("printf Your; sleep 0.1; printf ' name? '; read name; printf Hello,; sleep 0.1; echo ' Ada!'").passed

    def test_crlf_ends_a_line(self) -> None:
        assert run(ASK + r"printf 'Hello, Ada!\r'; sleep 0.1; printf '\n'").passed

    def test_a_carriage_return_within_a_line_is_a_character(self) -> None:
        found = find_failure(ASK + r"printf 'Hello,\r Ada!\n'")
        assert (found.problem, found.line, found.column) == (Problem.OUTPUT_DIFFERS, 4, 7)

    def test_a_different_character(self) -> None:
        assert find_failure(ASK + "echo Hallo, Ada!; echo and more; sleep 100") == Failure(
            problem=Problem.OUTPUT_DIFFERS,
            line=4,
            column=2,
            expected="Hello, Ada!",
            actual="Hallo, Ada!",
            rest="and more\n",
        )

    def test_a_line_that_is_too_short(self) -> None:
        found = find_failure(ASK + "echo Hello")
        assert (found.problem, found.line, found.column) == (Problem.LINE_TOO_SHORT, 4, 6)
        assert found.actual == "Hello"

    def test_a_line_that_is_too_long(self) -> None:
        found = find_failure(ASK + "echo Hello, Ada!!")
        assert (found.problem, found.line, found.column) == (Problem.LINE_TOO_LONG, 4, 12)

    def test_a_program_that_ends_too_early(self) -> None:
        found = find_failure(ASK)
        assert (found.problem, found.line, found.expected) == (Problem.ENDED_EARLY, 4, "Hello, Ada!")
        assert "1 more line" in found.note

    def test_a_program_that_ends_within_a_line(self) -> None:
        found = find_failure("printf Your")
        assert (found.problem, found.line, found.actual) == (Problem.ENDED_EARLY, 2, "Your")

    def test_output_after_the_last_line(self) -> None:
        found = find_failure(GREET + "; echo Bye.; echo Really.")
        assert (found.problem, found.line, found.actual, found.rest) == (Problem.DID_NOT_END, 4, "Bye.", "Really.\n")

    def test_input_instead_of_output(self) -> None:
        found = find_failure("read name; " + GREET, timeout=SILENT_TIMEOUT)
        assert (found.problem, found.line, found.expected) == (Problem.SILENT, 2, "Your name? ")
        assert "0.2 s" in found.note

    @pytest.mark.parametrize("script", ["yes", "yes | tr -d '\\n'", "cat /dev/zero", "yes 'Your name?'"])
    def test_endless_output(self, script: str) -> None:
        found = find_failure(script)
        assert found.line == 2
        assert len(found.rest) + len(found.actual or "") <= 4100

    def test_endless_output_after_the_last_line(self) -> None:
        found = find_failure(GREET + "; yes")
        assert (found.problem, found.line, found.actual) == (Problem.DID_NOT_END, 4, "y")

    @pytest.mark.parametrize(("end", "status"), [("exit 3", 3), ("false", 1)])
    def test_an_exit_status_other_than_0(self, end: str, status: int) -> None:
        report = run(f"{GREET}; {end}")
        assert report.status == status
        assert report.failure is not None
        assert (report.failure.problem, report.failure.line) == (Problem.STATUS, 4)
        assert str(status) in report.failure.note

    @pytest.mark.parametrize("name", ["SEGV", "KILL", "TERM"])
    def test_a_program_killed_by_a_signal(self, name: str) -> None:
        report = run(f"{ASK} kill -{name} $$")
        assert report.status == -signal.Signals[f"SIG{name}"]
        assert report.failure is not None
        assert (report.failure.problem, report.failure.line) == (Problem.ENDED_EARLY, 4)
        assert f"SIG{name}" in report.failure.note
        assert "1 more line" in report.failure.note

    def test_the_output_after_a_crash_is_reported(self) -> None:
        found = run_command(GREETING, python("input('Your name? '); [][1]")).failure
        assert found is not None
        assert (found.line, found.actual) == (4, "Traceback (most recent call last):")
        assert "IndexError: list index out of range" in str(found)

    def test_an_unknown_command_is_an_error(self) -> None:
        with pytest.raises(ArgumentError, match="No such file or directory: no-such-program") as caught:
            run_command(GREETING, ["no-such-program", "-x"])
        assert (caught.value.name, caught.value.value) == ("command", ["no-such-program", "-x"])

    def test_invalid_utf_8_is_escaped(self) -> None:
        found = find_failure(r"printf 'Your\377'")
        assert (found.column, found.actual) == (5, r"Your\xff")

    def test_unicode_is_preserved(self) -> None:
        transcript = parse_transcript(">名前? \n<Ādā\n>Ādā 🙂\n")
        assert run('printf "名前? "; read n; echo "$n 🙂"', transcript).passed


def test_a_prompt_must_not_end_its_line() -> None:
    found = find_failure("echo 'Your name? '; read name; echo Hello, Ada!")
    assert (found.problem, found.line) == (Problem.OUTPUT_NOT_INPUT, 3)
    assert "line 2" in found.note


# Waits for input, and does not read it.
WAIT = "import select; print('Your name? ', end='', flush=True); select.select([0], [], []); "


def test_output_before_the_input_is_read() -> None:
    found = run_command(
        GREETING, python(WAIT + "print('Hello, Ada!', flush=True); select.select([], [], [], 100)")
    ).failure
    assert found is not None
    assert (found.problem, found.line, found.actual) == (Problem.OUTPUT_NOT_INPUT, 3, "Hello, Ada!")


def test_a_program_that_ends_without_reading() -> None:
    found = run_command(GREETING, python(WAIT)).failure
    assert found is not None
    assert (found.problem, found.line) == (Problem.ENDED_EARLY, 3)
    assert "'Ada'" in found.note


KEY = "import os; key = lambda: os.read(0, 1).decode(); ask = lambda text: print(text, end='', flush=True); "


def test_a_program_that_reads_single_keys_gets_the_newline_too() -> None:
    transcript = parse_transcript(">More? \n<y\n>y\n>Sure? \n<n\n>n\n")
    once = "ask('More? '); ask(key() + chr(10)); "
    again = "ask('Sure? '); os.read(0, 1); ask(key() + chr(10))"
    assert run_command(transcript, python(KEY + once + again)).failure is None
    # The newline that was not read is the next key, as it would be for a person.
    found = run_command(transcript, python(KEY + once + again.replace("os.read(0, 1); ", ""))).failure
    assert found is not None
    assert (found.problem, found.line) == (Problem.OUTPUT_NOT_INPUT, 5)


def test_a_program_that_reads_a_key_and_hangs() -> None:
    script = "printf '? '; dd bs=1 count=1 > /dev/null 2>&1; printf a; sleep 100"
    found = find_failure(script, parse_transcript(">? \n<yes\n>a\n<no\n"), timeout=HANG_TIMEOUT)
    assert (found.problem, found.line) == (Problem.SILENT, 2)
    assert "'yes'" in found.note
    assert "all of" in found.note


def test_a_program_that_does_not_end() -> None:
    report = run(GREET + "; read more", timeout=HANG_TIMEOUT)
    assert report.status is None
    assert report.failure is not None
    assert (report.failure.problem, report.failure.line) == (Problem.DID_NOT_END, 4)


def test_a_program_that_hangs_without_reading() -> None:
    found = find_failure("printf 'Your name? '; sleep 100", timeout=HANG_TIMEOUT)
    assert (found.problem, found.line) == (Problem.SILENT, 3)
    assert "'Ada'" in found.note
    assert "all of" not in found.note


def test_a_program_that_hangs_at_the_start() -> None:
    found = find_failure("sleep 100", timeout=SILENT_TIMEOUT)
    assert (found.problem, found.line) == (Problem.SILENT, 2)


def test_the_program_has_a_terminal() -> None:
    transcript = parse_transcript(">0 1 2\n>80 24\n>dumb\n")
    script = "import os; print(*filter(os.isatty, range(3))); print(*os.get_terminal_size()); print(os.environ['TERM'])"
    assert run_command(transcript, python(script)).failure is None


@pytest.mark.parametrize("script", ["input('Your name? ')", "import readline; input('Your name? ')"])
def test_prompts_of_python_programs(script: str) -> None:
    assert run_command(GREETING, python(f"{script}; print('Hello, Ada!')")).failure is None


def test_several_lines_of_input_in_a_row() -> None:
    transcript = parse_transcript("<a\n<b\n<\n<d\n>a-b--d\n")
    assert run('read a; read b; read c; read d; echo "$a-$b-$c-$d"', transcript).passed


def test_control_characters_are_input() -> None:
    typed = "".join(map(chr, range(32))).replace("\n", "").replace("\r", "") + "\x7f\x80\xa0é"
    transcript = Transcript((Line(LineKind.INPUT, typed), Line(LineKind.OUTPUT, ascii(typed))))
    script = r"import sys; sys.stdin.reconfigure(newline='\n'); print(ascii(sys.stdin.readline().removesuffix('\n')))"
    assert run_command(transcript, python(script)).failure is None


def test_the_length_of_a_line_is_limited() -> None:
    transcript = parse_transcript("<" + "x" * 4094 + "\n>4094\n")
    assert run_command(transcript, python("print(len(input()))")).failure is None
    with pytest.raises(ArgumentError) as caught:
        run_command(parse_transcript("#\n<" + "x" * 4095 + "\n"), ["true"])
    assert (caught.value.name, caught.value.value) == ("line 2", "x" * 4095)
    assert run_command(parse_transcript(">" + "x" * 9000 + "\n"), python("print('x' * 9000)")).failure is None


@pytest.mark.parametrize("command", [[], "", "echo", b"echo", [""], [1], ["echo", None], [b"echo"], 3, None])
def test_a_command_must_be_a_list(command: Any) -> None:
    with pytest.raises(ArgumentError) as caught:
        run_command(GREETING, command)
    assert (caught.value.name, caught.value.value) == ("command", command)


def test_a_command_may_be_a_path(tmp_path: Path) -> None:
    program = tmp_path / "greet"
    program.write_text(f"#!/bin/sh\n{GREET}\n")
    program.chmod(0o755)
    assert run_command(GREETING, [program]).passed  # type: ignore[list-item]


@pytest.mark.parametrize("timeout", [None, "x", 0, -1, math.nan, math.inf, 1e300, 10**400, True])
def test_a_timeout_must_be_positive_and_finite(timeout: Any) -> None:
    with pytest.raises(ArgumentError) as caught:
        run_command(GREETING, ["true"], timeout=timeout)
    assert caught.value.name == "timeout"
    with pytest.raises(ArgumentError) as caught:
        run_transcript(GREETING, lambda _: None, timeout=timeout)
    assert caught.value.name == "timeout"


@pytest.mark.parametrize("transcript", [">a\n", None, [Line(LineKind.OUTPUT, "a")]])
def test_the_type_of_the_transcript_is_checked(transcript: Any) -> None:
    with pytest.raises(ArgumentError) as caught:
        run_command(transcript, ["true"])
    assert caught.value.name == "transcript"
    with pytest.raises(ArgumentError) as caught:
        run_transcript(transcript, lambda _: None)
    assert caught.value.name == "transcript"


def test_the_command_runs_in_its_folder(tmp_path: Path) -> None:
    transcript = parse_transcript(f">{tmp_path.resolve()}\n")
    assert run_command(transcript, ["pwd", "-P"], folder=tmp_path).failure is None
    with pytest.raises(ArgumentError, match="missing"):
        run_command(transcript, ["pwd"], folder=tmp_path / "missing")


def test_another_thread_can_cancel() -> None:
    cancel = threading.Event()
    threading.Timer(0.2, cancel.set).start()
    found = run_command(GREETING, ["sleep", "100"], timeout=LONG_TIMEOUT, cancel=cancel).failure
    assert found is not None
    assert found.problem is Problem.STOPPED


REPLAY = """
import json, sys
for kind, text in json.load(open(sys.argv[1])):
    if kind == "<":
        sys.stdin.readline()
    else:
        sys.stdout.write(text)
        sys.stdout.flush()
"""
plain = st.builds(Line, st.sampled_from(LineKind), st.text("ab é\t\\", max_size=4))


@pytest.mark.slow
@settings(max_examples=25)
@given(st.data())
def test_a_replayed_transcript_passes_and_a_changed_one_fails(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    transcript = Transcript(tuple(data.draw(st.lists(plain, max_size=6))))
    assume(any(line.kind is LineKind.OUTPUT for line in transcript.lines))
    mutant, line = data.draw(mutants(transcript))
    folder = tmp_path_factory.mktemp("replay")
    (folder / "replay.py").write_text(REPLAY)

    def play(played: Transcript, timeout: float) -> Report:
        events = [(kind.value, text) for kind, text in get_events(played)]
        (folder / "events").write_text(json.dumps(events))
        environment = [sys.executable, "-X", "utf8", "-S", "replay.py", "events"]
        return run_command(transcript, environment, folder=folder, timeout=timeout)

    assert play(transcript, LONG_TIMEOUT).failure is None
    found = play(mutant, HANG_TIMEOUT).failure
    assert found is not None
    # A changed prompt may be written after its input was typed, and then fails at the next line.
    assert found.line >= line or found.problem is Problem.SILENT


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Collect the started processes, and check that all have been waited for."""
    processes: list[subprocess.Popen[bytes]] = []

    class RecordedProcess(subprocess.Popen[bytes]):
        def __init__(self, *args: Any, **settings: Any) -> None:
            super().__init__(*args, **settings)
            processes.append(self)

    monkeypatch.setattr(subprocess, "Popen", RecordedProcess)
    yield processes
    assert processes
    assert all(process.returncode is not None for process in processes)


CHILD = "sh -c 'trap \"\" TERM HUP; echo $$ > {file}; exec sleep 100' & while ! test -s {file}; do sleep 0.01; done; "


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
def test_child_processes_are_killed(
    script: str, *, passes: bool, tmp_path: Path, started: list[subprocess.Popen[bytes]]
) -> None:
    file = tmp_path / "process"
    report = run(
        CHILD.replace("{file}", shlex.quote(str(file))) + script,
        timeout=HANG_TIMEOUT * 2 if "sleep" in script else LONG_TIMEOUT,
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


def test_programs_are_killed_with_their_runner(tmp_path: Path) -> None:
    file = tmp_path / "started"
    # The runner ignores SIGHUP, as under nohup; the program must not.
    runner = subprocess.Popen(
        ["sh", "-c", 'trap "" HUP; exec "$@"', "sh", *python(RUNNER), f"sleep 100 & echo $$ $! > {file}; wait"]
    )
    try:
        wait_until(lambda: file.exists() and file.read_text().endswith("\n"), "the file was not written")
        programs = list(map(int, file.read_text().split()))
    finally:
        runner.kill()
        runner.wait()
    assert len(programs) == 2
    for program in programs:
        wait_for_end(program)


def test_the_program_has_a_controlling_terminal() -> None:
    transcript = parse_transcript(">Your name? \n<A\x03\x04da\n>Hello, 'A\\x03\\x04da'\n")
    script = "f = open('/dev/tty', 'r+b', 0); f.write(b'Your name? '); n = f.readline().decode().rstrip()"
    assert run_command(transcript, python(f"{script}; print(f'Hello, {{n!r}}')")).failure is None


def test_signals_have_default_actions() -> None:
    script = "import signal; print(*(signal.getsignal(n).name for n in (signal.SIGHUP, signal.SIGTERM)))"
    assert run_command(parse_transcript(">SIG_DFL SIG_DFL\n"), python(script)).failure is None
    assert run("yes | head -n 1; echo $?", parse_transcript(">y\n>0\n")).passed
    # The mask of SIGHUP, SIGPIPE and SIGXFSZ
    ignored = "0x$(sed -n 's/^SigIgn:.//p' /proc/self/status)"
    assert run(f"echo $(({ignored} & 0x1001001))", parse_transcript(">0\n")).passed


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs a system that lists open files under /proc")
@pytest.mark.usefixtures("either_channel")
def test_all_files_are_closed() -> None:
    def count() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    before = count()
    for script in (GREET, "yes", "exit 3"):
        run(script)
    run("sleep 100", timeout=SILENT_TIMEOUT)
    with pytest.raises(ArgumentError):
        run_command(GREETING, ["no-such-program"])
    wait_until(lambda: count() == before, "a file was left open")
