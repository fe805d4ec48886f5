"""`tablemen play kalah`: the console of the Kalah exercise, or Kalah as other variants are played."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tablemen.cli.group import CommandUsageError
from tablemen.cli.parameters import parse_kalah_start, solvable_variants
from tablemen.cli.play import player_options, position_option
from tablemen.cli.play.start import UiMode, end_prompt, play_from, ui_options
from tablemen.mancala import KALAH, NORTH, SOUTH

if TYPE_CHECKING:
    from tablemen.clock import TimeControl
    from tablemen.exercises import Kalah

RULES = solvable_variants()
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


@click.command(epilog=EXAMPLES, params=[*player_options(KALAH), position_option(), *ui_options()])
@click.option("--houses", metavar="N", type=int, help="Houses of a side.")
@click.option("--seeds", metavar="N", type=int, help="Seeds in every house at the start.")
@click.option("--vertical", is_flag=True, help="Draw the board upright.")
@click.option("--robot", type=click.Choice(list(ROBOTS)), help="The player that the computer plays.")
@click.option("--menu", is_flag=True, help="Offer to save, to load and to begin a new game.")
@click.option(
    "--rules", type=click.Choice(list(RULES)), default=KALAH.name, show_default=True, help="The rules by their name."
)
def kalah(
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
    """Play Kalah: at a terminal on the full screen, against the computer or any other player.

    With --plain, --vertical, --robot or --menu, and if input or output is not a terminal, it is a console for two: a
    player types the number of a house, or q to leave the game; the end of the input leaves it too. Nothing is saved
    there. With --south, --north, --clock or --position it is played as the other games are, also line by line.

    A PLAYER is human, searcher, minimax, random or robot, with options after a colon: searcher:level=3. Another
    program plays as kgp:HOST:PORT, and connects there.
    """
    mode = UiMode.from_options(plain=plain, new=new or position is not None, control=control)
    is_exercise = vertical or robot is not None or menu
    is_session = (white, black, mode.control, position) != (None, None, None, None)
    if is_session and is_exercise:
        raise CommandUsageError(
            "--vertical, --robot and --menu do not go with --south, --north, --clock and --position"
        )
    if is_session or not (is_exercise or mode.is_line_by_line):
        play_from(parse_kalah_start(RULES[rules], houses, seeds, position), white, black, mode)
        return
    from tablemen.console import StandardIO

    game = make_console(houses=houses, seeds=seeds, vertical=vertical, robot=robot, menu=menu, rules=rules)
    console = StandardIO()
    with end_prompt(console):
        game.play(console)


def make_console(
    *, houses: int | None, seeds: int | None, vertical: bool, robot: str | None, menu: bool, rules: str
) -> Kalah:
    """Return the console that the options describe."""
    from tablemen.exercises import Kalah

    start = parse_kalah_start(RULES[rules], houses, seeds, None)
    return Kalah(start, vertical=vertical, robots=ROBOTS[robot] if robot else (), menu=menu)
