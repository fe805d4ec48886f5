"""`tablemen play`: games at the console, a module each."""

from __future__ import annotations

import click

from tablemen.cli.group import TablemenGroup

GAMES = ("kalah",)

EXAMPLES = """\b
Examples:
  tablemen play
  tablemen play kalah
  tablemen play kalah --robot 2 --vertical
  tablemen play kalah --houses 4 --seeds 3 --menu
"""


@click.group(
    cls=TablemenGroup,
    modules=GAMES,
    package=__name__,
    invoke_without_command=True,
    subcommand_metavar="GAME",
    epilog=EXAMPLES,
    short_help="a game at the console",
)
@click.pass_context
def play(context: click.Context) -> None:
    """Plays a GAME on standard input and output; without one, lists what can be played."""
    if context.invoked_subcommand is None:
        for name in GAMES:
            command = play.get_command(context, name)
            if command is not None:
                click.echo(f"tablemen play {name}  {command.get_short_help_str(80)}")
