"""`tablemen play kalah`: Kalah for two players, or against a robot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tablemen.cli.group import BadQuestion
from tablemen.cli.kalah_boards import read_start
from tablemen.cli.play.variant import player_options, position_option
from tablemen.cli.play.way import Way, prompts_ended, way_options
from tablemen.mancala import KALAH, NORTH, SOUTH, VARIANTS, KalahRules

if TYPE_CHECKING:
    from tablemen.clock import TimeControl
    from tablemen.exercises import Kalah

RULES = {name: rules for name, rules in VARIANTS.items() if isinstance(rules, KalahRules)}
ROBOTS = {"1": [SOUTH], "2": [NORTH], "both": [SOUTH, NORTH]}

EXAMPLES = """\b
Examples:
  tablemen play kalah
  tablemen play kalah --robot 2 --vertical
  tablemen play kalah --houses 4 --seeds 3 --menu
  printf '3\\n6\\nq\\n' | tablemen play kalah
  tablemen play kalah --plain
  tablemen play kalah --north searcher:level=3
"""


@click.command(epilog=EXAMPLES, params=[*player_options(KALAH), position_option(), *way_options()])
@click.option("--houses", metavar="N", type=int, help="Houses of a side.")
@click.option("--seeds", metavar="N", type=int, help="Seeds in every house at the start.")
@click.option("--vertical", is_flag=True, help="A board that stands upright.")
@click.option("--robot", type=click.Choice(list(ROBOTS)), help="The player that moves by itself.")
@click.option("--menu", is_flag=True, help="Offer to save, to load and to begin anew.")
@click.option(
    "--rules", type=click.Choice(list(RULES)), default=KALAH.name, show_default=True, help="The rules by their name."
)
@click.pass_context
def kalah(
    context: click.Context,
    *,
    white: str | None,
    black: str | None,
    houses: int | None,
    seeds: int | None,
    vertical: bool,
    robot: str | None,
    menu: bool,
    rules: str,
    position: str | None,
    control: TimeControl | None,
    plain: bool,
    new: bool,
) -> None:
    """Plays Kalah: at a terminal on the whole screen, against the computer or any other player.

    With --plain, --vertical, --robot or --menu, and where input or output is no terminal, it is a console for two: a
    player types the number of a house, or q to leave the game; the end of the input leaves it too. Nothing is saved
    there. With --south, --north, --clock or --position it is played as the other games are, also line by line.

    A PLAYER is human, searcher, minimax, random or robot, with options behind a colon: searcher:level=3. Another
    program plays as kgp:HOST:PORT, and connects there.
    """
    way = Way.of(context, plain=plain, new=new or position is not None, control=control)
    has_look = vertical or robot is not None or menu
    is_table = (white, black, way.control, position) != (None, None, None, None)
    if is_table and has_look:
        raise BadQuestion("--vertical, --robot and --menu do not go with --south, --north, --clock and --position")
    if is_table or not (has_look or way.wants_lines):
        from tablemen.cli.play.sitting import play_at_table

        play_at_table(read_start(RULES[rules], houses, seeds, position), white, black, way)
        return
    from tablemen.console import StandardIO

    game = make_game(houses=houses, seeds=seeds, vertical=vertical, robot=robot, menu=menu, rules=rules)
    console = StandardIO()
    with prompts_ended(console):
        game.play(console)


def make_game(
    *, houses: int | None, seeds: int | None, vertical: bool, robot: str | None, menu: bool, rules: str
) -> Kalah:
    """The console that the options describe."""
    from tablemen.exercises import Kalah

    start = read_start(RULES[rules], houses, seeds, None)
    return Kalah(start, vertical=vertical, robots=ROBOTS[robot] if robot else (), menu=menu)
