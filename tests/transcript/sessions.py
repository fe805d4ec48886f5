"""Sessions drawn by hypothesis, and programs that play them back."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from tablemen.console import IO
from tablemen.transcript import Line, Mark, Transcript

# Everything but newlines and half characters, and now and then what a careless reader would take for the end of a line.
characters = st.characters(exclude_characters="\n", exclude_categories=["Cs"]) | st.sampled_from(
    "><# \t\r\v\x85\u2028\\"
)
texts = st.text(characters, max_size=12).filter(lambda text: not text.endswith("\r"))
lines = st.builds(Line, st.sampled_from(Mark), texts)
transcripts = st.lists(lines, max_size=12).map(tuple).map(Transcript)


def play_back(transcript: Transcript, io: IO) -> None:
    """Does what the transcript says: the program that must always pass."""
    for at, step in enumerate(transcript.steps):
        if step.mark is Mark.INPUT:
            assert io.read_from_keyboard("") == step.text
        elif is_prompt(transcript, at):
            io.print(step.text)
        else:
            io.println(step.text)


def written(transcript: Transcript) -> Sequence[tuple[Mark, str]]:
    """What happens in a session, newlines and all."""
    steps = transcript.steps
    return [
        (step.mark, step.text if step.mark is Mark.INPUT or is_prompt(transcript, at) else f"{step.text}\n")
        for at, step in enumerate(steps)
    ]


def is_prompt(transcript: Transcript, at: int) -> bool:
    """Whether the step is the line that input is typed behind."""
    steps = transcript.steps
    return steps[at].mark is Mark.OUTPUT and at + 1 < len(steps) and steps[at + 1].mark is Mark.INPUT


@st.composite
def mutants(draw: st.DrawFn, transcript: Transcript) -> tuple[Transcript, int]:
    """The transcript with one character of its output changed, taken out or put in, and the line of it."""
    at = draw(st.sampled_from([n for n, line in enumerate(transcript.lines) if line.mark is Mark.OUTPUT]))
    text = transcript.lines[at].text
    place = draw(st.integers(0, len(text)))
    # Never a carriage return: at the end of a line it would be part of that.
    new = draw(characters.filter(lambda each: each not in {"\r", text[place : place + 1]}))
    changes = [text[:place] + new + text[place:]]
    if place < len(text):
        changes += [text[:place] + new + text[place + 1 :], text[:place] + text[place + 1 :]]
    changed = draw(st.sampled_from([each for each in changes if not each.endswith("\r")]))
    return Transcript((*transcript.lines[:at], Line(Mark.OUTPUT, changed), *transcript.lines[at + 1 :])), at + 1
