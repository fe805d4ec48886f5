"""The command line: `tablemen` and its commands, a module each.

Results go to standard output and talk to standard error. A command ends with 0; with 1 where the answer is no: a move
that `check` finds not legal, a game in which `pdn` or `analyse` finds something wrong, a player that fails in a
`match`, a program that fails in `transcript run`, or a disk that is full; with 2 where the question makes no sense: a
name that there is not, a file that cannot be read; or with 128 and the number of the signal that interrupted it: 130
after Ctrl-C.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import click

from tablemen import __version__
from tablemen.cli.colour import bold
from tablemen.cli.group import TablemenGroup

__all__ = ["main"]


class Listed(NamedTuple):
    """A command as lists show it: they are read before it is imported."""

    usage: str  # what is written behind its name, options aside
    about: str
    is_prominent: bool = False  # has a line of its own where `tablemen` says what can be done


COMMANDS: Mapping[str, Listed] = MappingProxyType(
    {
        "play": Listed("[GAME]", "a game against the computer, or anybody else", is_prominent=True),
        "serve": Listed("", "play and analyse in the browser", is_prominent=True),
        "analyse": Listed("VARIANT|FILE", "what moves are worth, and where games went wrong", is_prominent=True),
        "variants": Listed("", "what can be played, and on which boards", is_prominent=True),
        "moves": Listed("VARIANT", "the legal moves of a position", is_prominent=True),
        "match": Listed("VARIANT PLAYER PLAYER", "many games between two players: who is stronger?", is_prominent=True),
        "pdn": Listed("FILE...", "list, check or convert the games of PDN files"),
        "solve": Listed("GAME", "who wins a game of Kalah when nobody errs"),
        "engine": Listed("PROTOCOL", "the computer behind other programs' boards: Hub, DXP, KGP"),
        "kgp-server": Listed("", "games between programs that speak the Kalah Game Protocol"),
        "check": Listed("VARIANT MOVE", "whether a move is legal, and why not"),
        "perft": Listed("VARIANT DEPTH", "in how many ways a game can go on"),
        "transcript": Listed("COMMAND", "sessions of console programs: run them, record them"),
        "completion": Listed("SHELL", "commands and names that the Tab key completes"),
    }
)

STATUSES = """\b
The status is 0; 1 where the answer is no, or something fails on the way;
2 where the question makes no sense; 130 after Ctrl-C.
\b
Examples:
  tablemen play
  tablemen play international
  tablemen moves russian --fen W:Wc3:Bd4
"""


class MainGroup(TablemenGroup):
    """All commands; the name of a game is not one, but nearly."""

    def hint(self, ctx: click.Context, name: str) -> str:
        """A near command, or how the game of this name is played."""
        from tablemen.errors import UnknownVariantError
        from tablemen.family import find_variant

        try:
            return f"`tablemen play {find_variant(name).name}` plays {find_variant(name)}"
        except UnknownVariantError:
            return super().hint(ctx, name)


@click.group(
    cls=MainGroup,
    modules=COMMANDS,
    abouts={name: each.about for name, each in COMMANDS.items()},
    invoke_without_command=True,
    epilog=STATUSES,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="tablemen")
@click.pass_context
def main(context: click.Context) -> None:
    """Draughts of every variant, and mancala: games to play, legal moves, counts, matches and game files."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # rather an odd × than no answer
    if context.invoked_subcommand is None:
        click.echo(_overview())


def _overview() -> str:
    """What can be done, in ten lines at most."""
    prominent = {name: each for name, each in COMMANDS.items() if each.is_prominent}
    usages = {name: f"{name} {each.usage}".rstrip() for name, each in prominent.items()}
    width = max(map(len, usages.values()))
    return "\n".join(
        [
            f"{bold(f'tablemen {__version__}')}: draughts of every variant, and mancala. Commands:",
            "",
            *(
                f"  {bold(name)}{usages[name][len(name) :]:<{width - len(name)}}  {each.about}"
                for name, each in prominent.items()
            ),
            f"Also {', '.join(bold(name) for name in COMMANDS if name not in prominent)}.",
            "Try: tablemen play international. Each command explains itself with --help.",
        ]
    )
