"""The command line: `tablemen` and its commands, one module each.

Results go to standard output, messages to standard error. Exit statuses: 0 on success; 1 if the answer is no or
something fails on the way (`check` finds a move illegal, `pdn` or `analyse` finds a mistake in a game, a player fails
in a `match`, a program fails in `transcript run`, the disk is full); 2 for a usage error, such as an unknown name or an
unreadable file; 128 + signal number after an interruption, which is 130 after Ctrl-C.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import click

from tablemen import __version__
from tablemen.cli.group import TablemenGroup

__all__ = ["main"]


class CommandInfo(NamedTuple):
    """The entry of a command in lists, which are shown without importing the command."""

    usage: str  # the arguments, without options
    about: str
    is_prominent: bool = False  # has its own line in the overview that `tablemen` prints


COMMANDS: Mapping[str, CommandInfo] = MappingProxyType(
    {
        "play": CommandInfo("[GAME]", "a game against the computer, or anybody else", is_prominent=True),
        "serve": CommandInfo("", "play and analyse in the browser", is_prominent=True),
        "analyse": CommandInfo("VARIANT|FILE", "what moves are worth, and where games went wrong", is_prominent=True),
        "variants": CommandInfo("", "what can be played, and on which boards", is_prominent=True),
        "moves": CommandInfo("VARIANT", "the legal moves of a position", is_prominent=True),
        "match": CommandInfo(
            "VARIANT PLAYER PLAYER", "many games between two players: who is stronger?", is_prominent=True
        ),
        "pdn": CommandInfo("FILE...", "list, check or convert the games of PDN files"),
        "solve": CommandInfo("GAME", "who wins a game of Kalah with perfect play"),
        "engine": CommandInfo("PROTOCOL", "the computer behind other programs' boards: Hub, DXP, KGP"),
        "kgp-server": CommandInfo("", "games between programs that speak the Kalah Game Protocol"),
        "check": CommandInfo("VARIANT MOVE", "whether a move is legal, and why not"),
        "perft": CommandInfo("VARIANT DEPTH", "in how many ways a game can go on"),
        "transcript": CommandInfo("COMMAND", "sessions of console programs: run them, record them"),
        "completion": CommandInfo("SHELL", "commands and names that the Tab key completes"),
    }
)

EPILOG = """\b
The status is 0; 1 if the answer is no, or something fails on the way;
2 if the command line is wrong; 130 after Ctrl-C.
\b
Examples:
  tablemen play
  tablemen play international
  tablemen moves russian --fen W:Wc3:Bd4
"""


class MainGroup(TablemenGroup):
    """The group of all commands."""

    def hint(self, ctx: click.Context, name: str) -> str:
        """Suggest a similar command, or `play` if the name is that of a variant."""
        from tablemen.errors import UnknownVariantError
        from tablemen.family import find_variant

        try:
            return f"`tablemen play {find_variant(name).name}` plays {find_variant(name)}"
        except UnknownVariantError:
            return super().hint(ctx, name)


@click.group(
    cls=MainGroup,
    abouts={name: each.about for name, each in COMMANDS.items()},
    invoke_without_command=True,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="tablemen")
@click.pass_context
def main(context: click.Context) -> None:
    """Draughts of every variant, and mancala: games to play, legal moves, counts, matches and game files."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a replaced × is better than no answer
    if context.invoked_subcommand is None:
        click.echo(_overview())


def _overview() -> str:
    """Return the list of commands, in ten lines at most."""
    prominent = {name: each for name, each in COMMANDS.items() if each.is_prominent}
    usages = {name: f"{name} {each.usage}".rstrip() for name, each in prominent.items()}
    width = max(map(len, usages.values()))
    bold = {name: click.style(name, bold=True) for name in COMMANDS}
    return "\n".join(
        [
            f"{click.style(f'tablemen {__version__}', bold=True)}: draughts of every variant, and mancala. Commands:",
            "",
            *(
                f"  {bold[name]}{usages[name][len(name) :]:<{width - len(name)}}  {each.about}"
                for name, each in prominent.items()
            ),
            f"Also {', '.join(bold[name] for name in COMMANDS if name not in prominent)}.",
            "Try: tablemen play international. Each command explains itself with --help.",
        ]
    )
