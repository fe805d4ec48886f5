"""A session that programs should hold, and programs of a line that do."""

from __future__ import annotations

import sys

from tablemen.transcript import Report, Transcript, parse_transcript, run_command

GREETING = parse_transcript("# A greeting.\n>Your name? \n<Ada\n>Hello, Ada!\n", name="greeting.txt")
ASK = "printf 'Your name? '; read name; "
GREET = ASK + 'echo "Hello, $name!"'
AT_ONCE = 0.2  # seconds of silence after which a program is given up that never says anything
SOON = 1.0  # the same for one that does, at first
LATE = 60.0  # more than any program takes that does not


def run(script: str, transcript: Transcript = GREETING, *, timeout: float = LATE) -> Report:
    return run_command(transcript, ["sh", "-c", script], timeout=timeout)


def python(script: str) -> list[str]:
    return [sys.executable, "-c", script]
