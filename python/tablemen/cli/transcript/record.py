"""`tablemen transcript record`: a session written down as it happens."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

import click

from tablemen.cli.group import BadQuestion, interrupted_status
from tablemen.cli.transcript.command import CommandWithCommand
from tablemen.transcript import format_transcript
from tablemen.transcript.record import Recording, record_command

EXAMPLES = """\b
Examples:
  tablemen transcript record greeting.transcript -- ./greet
  tablemen transcript record game.transcript --force -- tablemen play kalah
"""


@click.command(cls=CommandWithCommand, epilog=EXAMPLES)
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@click.pass_context
def record(context: click.Context, *, out: Path, force: bool) -> None:
    """Runs COMMAND for you to talk with, and writes the session to OUT: what it wrote, and what you typed.

    The session ends with the program. Ctrl-C ends it early, and so does the end of the input: OUT then has everything
    up to there, and a comment that says so. A line that no terminal takes ends it too, with the status 1.
    """
    command: tuple[str, ...] = context.obj
    if not command:
        raise BadQuestion("a command is missing: tablemen transcript record OUT -- COMMAND...")
    if out.exists() and not force:
        raise BadQuestion(f"{out} is there already; --force writes over it")
    if not os.access(out.parent, os.W_OK):
        raise BadQuestion(f"cannot write to the folder {out.parent}")
    recording = record_command(command, keyboard=sys.stdin.fileno(), show=_show)
    out.write_text(format_transcript(recording.transcript), encoding="utf-8", newline="\n")
    with suppress(OSError):  # the file is written: a terminal that has hung up need not hear of it
        _tell(recording, out)
    if recording.interruption is not None:
        context.exit(interrupted_status(recording.interruption))
    context.exit(1 if recording.problem else 0)


def _tell(recording: Recording, out: Path) -> None:
    """Says what was recorded, and what is to be known of it."""
    if recording.midway:
        click.echo(err=True)  # what follows is said on a line of its own
    lines = len(recording.transcript.steps)
    click.echo(f"{lines} {'line' if lines == 1 else 'lines'} recorded in {out}", err=True)
    if recording.problem:
        click.echo(f"It went no further: {recording.problem}.", err=True)
    if recording.status is None:
        click.echo("The program had not ended, and was stopped.", err=True)
    elif recording.status:
        click.echo(f"Its status was {recording.status}: it will fail when it is run.", err=True)


def _show(text: str) -> None:
    """Shows what the program writes, at once."""
    click.echo(text, nl=False)
