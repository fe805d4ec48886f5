"""The command line: `tablemen` and its commands, one module each.

Results go to standard output, messages to standard error. Exit statuses: 0 on success; 1 if the answer is no or
something fails (`check` finds a move illegal, `pdn` or `analyse` finds a problem with a game, a player fails in a
`match`, a program fails in `transcript run`, the disk is full); 2 for a usage error, such as an unknown name or an
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
        "play": CommandInfo("[GAME]", "play against the computer or another player", is_prominent=True),
        "serve": CommandInfo("", "play and analyse in the browser", is_prominent=True),
        "analyse": CommandInfo("VARIANT|FILE", "evaluate the moves of a position or of games", is_prominent=True),
        "variants": CommandInfo("", "list the variants and their boards", is_prominent=True),
        "moves": CommandInfo("VARIANT", "list the legal moves of a position", is_prominent=True),
        "match": CommandInfo("VARIANT PLAYER PLAYER", "find the stronger of two players", is_prominent=True),
        "pdn": CommandInfo("FILE...", "list, check or convert the games of PDN files"),
        "solve": CommandInfo("GAME", "find the winner of a Kalah game under perfect play"),
        "tablebase": CommandInfo("COMMAND", "build and use endgame tablebases of draughts"),
        "engine": CommandInfo("PROTOCOL", "play as an engine for other programs: Hub, DXP, KGP"),
        "kgp-server": CommandInfo("", "host games over the Kalah Game Protocol (KGP)"),
        "check": CommandInfo("VARIANT MOVE", "check whether a move is legal"),
        "perft": CommandInfo("VARIANT DEPTH", "count the move sequences of a given length (perft)"),
        "transcript": CommandInfo("COMMAND", "run and record sessions of console programs"),
        "completion": CommandInfo("SHELL", "print a script for completion with the Tab key"),
    }
)

EPILOG = """\b
Exit status: 0 on success; 1 if the answer is no or something fails;
2 for a usage error; 130 after Ctrl-C.
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
            return f"did you mean `tablemen play {find_variant(name).name}`?"
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
    """Play and analyse draughts of every variant, and mancala."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # replace × and the like if they cannot be encoded
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
            f"Also {' '.join(bold[name] for name in COMMANDS if name not in prominent)}.",
            "Try `tablemen play international`, or `tablemen COMMAND --help` for details.",
        ]
    )
