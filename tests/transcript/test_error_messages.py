"""The error messages and reports of transcripts, in golden files."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tablemen.console import IO
from tablemen.errors import ArgumentError, NotationError
from tablemen.transcript import (
    Line,
    LineKind,
    Report,
    Transcript,
    parse_transcript,
    read_transcript,
    run_command,
    run_transcript,
)
from tests.golden import check_errors, check_golden
from tests.transcript.fixtures import ASK, GREET, GREETING, HANG_TIMEOUT, LONG_TIMEOUT, SILENT_TIMEOUT, run
from tests.transcript.test_run_command import WAIT


@pytest.mark.golden
def test_error_messages(tmp_path: Path) -> None:
    undecodable = tmp_path / "undecodable.transcript"
    undecodable.write_bytes(b">a\n>b\xff\n")
    notations = {
        "empty line": lambda: parse_transcript(">a\n\n>b\n"),
        "line without a mark": lambda: parse_transcript(">a\nb\n"),
        "surrogate": lambda: parse_transcript("<b\ud800\n"),
        "not UTF-8": lambda: read_transcript(undecodable),
        "unclosed quote": lambda: parse_transcript(">x\n# command: 'a\n").command,
        "empty command": lambda: parse_transcript("# command: \n").command,
        "second command": lambda: parse_transcript("# command: a\n# command: a\n").command,
    }
    arguments = {
        "kind": lambda: Line(">", "a"),  # type: ignore[arg-type]
        "text": lambda: Line(LineKind.OUTPUT, None),  # type: ignore[arg-type]
        "newline": lambda: Line(LineKind.OUTPUT, "a\nb"),
        "surrogate in a line": lambda: Line(LineKind.INPUT, "a\udcff"),
        "lines": lambda: Transcript(">a"),  # type: ignore[arg-type]
        "transcript": lambda: run_transcript(">a", lambda _: None),  # type: ignore[arg-type]
        "timeout": lambda: run_transcript(GREETING, lambda _: None, timeout=0),
        "command": lambda: run_command(GREETING, "echo"),
        "unknown program": lambda: run_command(GREETING, ["no-such-program"]),
        "long input": lambda: run_command(parse_transcript("<" + "x" * 4095 + "\n"), ["true"]),
    }
    check_errors(
        Path(__file__).with_name("error_messages.txt"),
        {
            **{name: (NotationError, call) for name, call in notations.items()},
            **{name: (ArgumentError, call) for name, call in arguments.items()},
        },
    )


def run_function(program: Callable[[IO], object]) -> Report:
    return run_transcript(GREETING, program, timeout=LONG_TIMEOUT)


def read_after_the_end(io: IO) -> None:
    greet(io)
    io.read_from_keyboard("")


def write_after_the_end(io: IO) -> None:
    greet(io)
    io.println()


def write_empty_texts(io: IO) -> None:
    while True:
        io.print("")


def greet(io: IO) -> None:
    io.println(f"Hello, {io.read_from_keyboard('Your name? ')}!")


@pytest.mark.golden
def test_reports() -> None:
    reports = {
        "different output": run_function(lambda io: io.print("My")),
        "short line": run_function(lambda io: io.println("Your")),
        "long line": run_function(lambda io: io.print("Your name? Please")),
        "ended line of a prompt": run_function(lambda io: io.println("Your name? ")),
        "read too early": run_function(lambda io: io.read_from_keyboard("Your")),
        "early end": run_function(lambda io: io.read_from_keyboard("Your name? ")),
        "read after the end": run_function(read_after_the_end),
        "line after the end": run_function(write_after_the_end),
        "newline in a text": run_function(lambda io: io.print("Your\nname? ")),
        "not a text": run_function(lambda io: io.print(3)),  # type: ignore[arg-type]
        "empty texts": run_function(write_empty_texts),
        "exit": run_function(lambda _: sys.exit(3)),
        "output after the end": run(GREET + "; echo Bye."),
        "silence": run("sleep 100", timeout=SILENT_TIMEOUT),
        "unread input": run("printf 'Your name? '; sleep 100", timeout=HANG_TIMEOUT),
        "partly read input": run(
            "printf '? '; dd bs=1 count=1 > /dev/null 2>&1; sleep 100",
            parse_transcript(">? \n<yes\n>a\n"),
            timeout=HANG_TIMEOUT,
        ),
        "no end": run(GREET + "; read more", timeout=HANG_TIMEOUT),
        "ignored input": run_command(GREETING, [sys.executable, "-c", WAIT]),
        "exit status": run(GREET + "; exit 3"),
        "signal": run(ASK + "kill -KILL $$"),
    }
    check_golden(Path(__file__).with_name("reports.txt"), {name: str(report) for name, report in reports.items()})
