"""Fixtures: a greeting program, hypothesis strategies for transcripts, and programs that replay them."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from hypothesis import strategies as st

from tablemen.console import IO
from tablemen.transcript import Line, LineKind, Report, Transcript, parse_transcript, run_command

GREETING = parse_transcript("# A greeting.\n>Your name? \n<Ada\n>Hello, Ada!\n", name="greeting.txt")
ASK = "printf 'Your name? '; read name; "
GREET = ASK + 'echo "Hello, $name!"'
# Timeouts in seconds
SILENT_TIMEOUT = 0.2  # for a program that writes nothing
HANG_TIMEOUT = 1.0  # for a program that hangs after some output
LONG_TIMEOUT = 60.0  # for programs that do not hang


def run(script: str, transcript: Transcript = GREETING, *, timeout: float = LONG_TIMEOUT) -> Report:
    return run_command(transcript, ["sh", "-c", script], timeout=timeout)


def python(script: str) -> list[str]:
    return [sys.executable, "-c", script]


# All characters except newlines and surrogates; characters that resemble a newline or a mark are more frequent.
characters = st.characters(exclude_characters="\n", exclude_categories=["Cs"]) | st.sampled_from(
    "><# \t\r\v\x85\u2028\\"
)
texts = st.text(characters, max_size=12).filter(lambda text: not text.endswith("\r"))
lines = st.builds(Line, st.sampled_from(LineKind), texts)
transcripts = st.lists(lines, max_size=12).map(tuple).map(Transcript)


def replay(transcript: Transcript, io: IO) -> None:
    """Write the output and read the input of the transcript; this program must always pass."""
    for at, step in enumerate(transcript.steps):
        if step.kind is LineKind.INPUT:
            assert io.read_from_keyboard("") == step.text
        elif is_prompt(transcript, at):
            io.print(step.text)
        else:
            io.println(step.text)


def get_events(transcript: Transcript) -> Sequence[tuple[LineKind, str]]:
    """Return the events of a session, with newlines."""
    steps = transcript.steps
    return [
        (step.kind, step.text if step.kind is LineKind.INPUT or is_prompt(transcript, at) else f"{step.text}\n")
        for at, step in enumerate(steps)
    ]


def is_prompt(transcript: Transcript, at: int) -> bool:
    """Return whether a step is a prompt."""
    steps = transcript.steps
    return steps[at].kind is LineKind.OUTPUT and at + 1 < len(steps) and steps[at + 1].kind is LineKind.INPUT


@st.composite
def mutants(draw: st.DrawFn, transcript: Transcript) -> tuple[Transcript, int]:
    """Draw a transcript with one character of its output changed, removed or inserted, and the line number."""
    at = draw(st.sampled_from([n for n, line in enumerate(transcript.lines) if line.kind is LineKind.OUTPUT]))
    text = transcript.lines[at].text
    place = draw(st.integers(0, len(text)))
    # No carriage return: at the end of a line it would be part of the line ending.
    new = draw(characters.filter(lambda each: each not in {"\r", text[place : place + 1]}))
    changes = [text[:place] + new + text[place:]]
    if place < len(text):
        changes += [text[:place] + new + text[place + 1 :], text[:place] + text[place + 1 :]]
    changed = draw(st.sampled_from([each for each in changes if not each.endswith("\r")]))
    return Transcript((*transcript.lines[:at], Line(LineKind.OUTPUT, changed), *transcript.lines[at + 1 :])), at + 1
