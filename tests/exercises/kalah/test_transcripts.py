"""The Kalah console passes its transcripts, and consoles with wrong rules do not.

Here the console runs in the test process. The pytest plug-in runs the same files as commands.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from inspect import signature
from pathlib import Path

import pytest

from tablemen.cli.play.kalah import kalah, make_console
from tablemen.exercises import Kalah
from tablemen.transcript import Transcript, read_transcript, run_command, run_transcript
from tests.exercises.kalah.mutants import MUTANTS, with_reference
from tests.reference.kalah import KalahPosition

ROOT = Path(__file__).parents[3]
TRANSCRIPTS = [read_transcript(path) for path in sorted((ROOT / "tests" / "transcripts").glob("*.transcript"))]

# Specification files of the course, in a folder beside the project if available
SPECIFICATIONS = ROOT.parent / "shared" / "kalah_specs"
OPTIONS = {"standard": "", "vertical": "--vertical", "robot": "--robot 2", "load_save_new": "--menu"}


def get_name(transcript: Transcript) -> str:
    return Path(transcript.name).stem


def create_game(transcript: Transcript) -> Kalah:
    """Return the console for the command of a transcript."""
    command = transcript.command
    assert command is not None
    assert command[:3] == ("tablemen", "play", "kalah")
    return create_console(command[3:])


def create_console(options: Sequence[str]) -> Kalah:
    """Return the console for options of the command."""
    # Click caches the help option of a command when it first makes a context.
    given = kalah.make_context("kalah", list(options), help_option_names=["-h", "--help"]).params
    return make_console(**{name: given[name] for name in signature(make_console).parameters})


def test_transcripts_are_found() -> None:
    assert len(TRANSCRIPTS) >= 20


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=get_name)
def test_the_console_passes_the_transcript(transcript: Transcript) -> None:
    report = run_transcript(transcript, create_game(transcript).play)
    assert report.passed, str(report)


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=get_name)
def test_the_reference_passes_the_transcript(transcript: Transcript) -> None:
    report = run_transcript(transcript, with_reference(KalahPosition, create_game(transcript)).play)
    assert report.passed, str(report)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.__name__)
def test_a_wrong_rule_is_detected(mutant: type[KalahPosition]) -> None:
    standard = [transcript for transcript in TRANSCRIPTS if create_game(transcript).start == Kalah().start]
    passed = [run_transcript(each, with_reference(mutant, create_game(each)).play).passed for each in standard]
    assert not all(passed)


def read_specifications(folder: str) -> list[Transcript]:
    """Return the specification files of a folder."""
    if not SPECIFICATIONS.is_dir():
        pytest.skip(f"the course's specification files are not at {SPECIFICATIONS}")
    return [read_transcript(path) for path in sorted((SPECIFICATIONS / folder).glob("*.txt"))]


def test_all_specifications_are_found() -> None:
    assert sum(len(read_specifications(folder)) for folder in OPTIONS) == 82


@pytest.mark.parametrize("folder", OPTIONS)
def test_the_console_passes_the_specifications(folder: str) -> None:
    game = create_console(OPTIONS[folder].split())
    failed = [report for each in read_specifications(folder) if not (report := run_transcript(each, game.play)).passed]
    assert not failed, "\n".join(map(str, failed))


@pytest.mark.parametrize("folder", OPTIONS)
def test_the_reference_passes_the_specifications(folder: str) -> None:
    game = with_reference(KalahPosition, create_console(OPTIONS[folder].split()))
    failed = [report for each in read_specifications(folder) if not (report := run_transcript(each, game.play)).passed]
    assert not failed, "\n".join(map(str, failed))


@pytest.mark.slow
@pytest.mark.parametrize("folder", OPTIONS)
def test_the_command_passes_the_specifications(folder: str) -> None:
    command = [sys.executable, "-m", "tablemen", "play", "kalah", *OPTIONS[folder].split()]
    failed = [report for each in read_specifications(folder) if not (report := run_command(each, command)).passed]
    assert not failed, "\n".join(map(str, failed))
