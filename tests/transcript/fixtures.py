"""Fixtures: a greeting program, transcripts drawn by hypothesis, and programs that play them back."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from hypothesis import strategies as st

from tablemen.console import IO
from tablemen.transcript import Line, LineKind, Report, Transcript, parse_transcript, run_command

GREETING = parse_transcript("# A greeting.\n>Your name? \n<Ada\n>Hello, Ada!\n", name="greeting.txt")
ASK = "printf 'Your name? '; read name; "
GREET = ASK + 'echo "Hello, $name!"'
AT_ONCE = 0.2  # timeout (s) for a program that writes nothing
SOON = 1.0  # timeout (s) for a program that hangs after some output
LATE = 60.0  # timeout (s) that no program should reach


def run(script: str, transcript: Transcript = GREETING, *, timeout: float = LATE) -> Report:
    return run_command(transcript, ["sh", "-c", script], timeout=timeout)


def python(script: str) -> list[str]:
    return [sys.executable, "-c", script]


# All characters but newlines and surrogates, with a preference for those that a careless reader takes for a newline.
characters = st.characters(exclude_characters="\n", exclude_categories=["Cs"]) | st.sampled_from(
    "><# \t\r\v\x85\u2028\\"
)
texts = st.text(characters, max_size=12).filter(lambda text: not text.endswith("\r"))
lines = st.builds(Line, st.sampled_from(LineKind), texts)
transcripts = st.lists(lines, max_size=12).map(tuple).map(Transcript)


def play_back(transcript: Transcript, io: IO) -> None:
    """Do what the transcript says; this program must always pass."""
    for at, step in enumerate(transcript.steps):
        if step.kind is LineKind.INPUT:
            assert io.read_from_keyboard("") == step.text
        elif is_prompt(transcript, at):
            io.print(step.text)
        else:
            io.println(step.text)


def written(transcript: Transcript) -> Sequence[tuple[LineKind, str]]:
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
    # Never a carriage return: at the end of a line it is part of the line ending.
    new = draw(characters.filter(lambda each: each not in {"\r", text[place : place + 1]}))
    changes = [text[:place] + new + text[place:]]
    if place < len(text):
        changes += [text[:place] + new + text[place + 1 :], text[:place] + text[place + 1 :]]
    changed = draw(st.sampled_from([each for each in changes if not each.endswith("\r")]))
    return Transcript((*transcript.lines[:at], Line(LineKind.OUTPUT, changed), *transcript.lines[at + 1 :])), at + 1
