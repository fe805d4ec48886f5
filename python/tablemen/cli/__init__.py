"""The command line: `tablemen` and its commands, a module each.

Results go to standard output and talk to standard error. A command ends with 0, with 2 and one line about what was
wrong with the question, or with 128 and the number of the signal that interrupted it: 130 after Ctrl-C. `check` ends
with 1 for a move that is not legal, `pdn` and `analyse` with 1 where something is wrong with a game, `match` with 1
where a player failed, and `transcript run` with 1 where a program does what it should not.
"""

from __future__ import annotations

import io
import sys

import click

from tablemen import __version__
from tablemen.cli.group import TablemenGroup

__all__ = ["main"]

COMMANDS = ("analyse", "variants", "moves", "check", "perft", "pdn", "play", "match", "solve", "transcript")


@click.group(cls=TablemenGroup, modules=COMMANDS, invoke_without_command=True)
@click.version_option(__version__, prog_name="tablemen")
@click.pass_context
def main(context: click.Context) -> None:
    """Draughts of every variant, and Kalah: their rules, legal moves and counts, and games at the console."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # rather an odd × than no answer
    if context.invoked_subcommand is None:
        click.echo(_overview(context))


def _overview(context: click.Context) -> str:
    """What can be done, in a few lines."""
    found = [(name, main.get_command(context, name)) for name in COMMANDS]
    rows = [(_usage(name, command), command.get_short_help_str(80)) for name, command in found if command is not None]
    width = max(len(usage) for usage, _ in rows)
    lines = [
        f"tablemen {__version__}: draughts of every variant, and mancala, from the command line.",
        "",
        *(f"  {usage:<{width}}  {about}" for usage, about in rows),
        "",
        "Try: tablemen play international, or: tablemen moves russian --fen W:Wc3:Bd4",
        "Each command explains itself with --help, and takes --json unless it talks with you.",
    ]
    return "\n".join(lines)


def _usage(name: str, command: click.Command) -> str:
    """How the command is called, without its options."""
    given = [each.human_readable_name for each in command.params if isinstance(each, click.Argument)]
    wanted = command.subcommand_metavar.split()[:1] if isinstance(command, click.Group) else given
    return " ".join(["tablemen", name, *wanted])
