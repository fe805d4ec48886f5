"""`tablemen play`: every game on the whole screen or line by line, and Kalah as its course has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tablemen.cli.group import BadQuestion, TablemenGroup
from tablemen.cli.play.variant import variant_command
from tablemen.cli.play.way import Way, is_at_terminal, way_options
from tablemen.errors import UnknownVariantError
from tablemen.family import families, find_variant

if TYPE_CHECKING:
    from tablemen.clock import TimeControl

OWN_CONSOLES = ("kalah",)  # games with a module of their own
TITLES = {name: str(rules) for family in families() for name, rules in family.variants.items()}
GAMES = tuple(dict.fromkeys((*OWN_CONSOLES, *TITLES)))

EXAMPLES = """\b
Examples:
  tablemen play
  tablemen play --plain
  tablemen play international
  tablemen play english --white searcher:level=2 --black human
  tablemen play oware --north minimax:depth=3
  tablemen play kalah --robot 2 --vertical
"""


class PlayGroup(TablemenGroup):
    """A command for every variant, under any of its names."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Everything that can be played."""
        return list(GAMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The game of this name."""
        try:
            rules = find_variant(cmd_name)
        except UnknownVariantError as error:
            if ctx.resilient_parsing:
                return None
            raise BadQuestion(str(error)) from error
        return super().get_command(ctx, rules.name) or variant_command(rules)


@click.group(
    cls=PlayGroup,
    modules=OWN_CONSOLES,
    abouts=TITLES,
    package=__name__,
    invoke_without_command=True,
    subcommand_metavar="[GAME]",
    epilog=EXAMPLES,
    params=way_options(),
)
@click.pass_context
def play(context: click.Context, *, control: TimeControl | None, plain: bool, new: bool) -> None:
    """Plays a GAME: at a terminal on the whole screen, and otherwise, or with --plain, line by line.

    A GAME is the name of a variant of draughts or mancala, an alias or a PDN GameType. Without one, a menu offers them
    all, and the games that were left; where input or output is no terminal, they are listed. The menu of the whole
    screen asks for the clock itself.
    """
    if context.invoked_subcommand is not None:
        return
    if is_at_terminal():
        from tablemen.cli.play.menu import choose_game

        choose_game(GAMES, Way(plain=plain, new=new, control=control))
        return
    width = max(map(len, GAMES))
    for name in GAMES:
        click.echo(f"tablemen play {name:<{width}}  {TITLES[name]}")
