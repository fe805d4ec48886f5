"""`tablemen play kalah`: the console of the Kalah exercise, or a game with the usual user interfaces."""

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
@click.option("--houses", metavar="N", type=int, help="Houses per side.")
@click.option("--seeds", metavar="N", type=int, help="Seeds per house at the start.")
@click.option("--vertical", is_flag=True, help="Console for two: draw the board vertically.")
@click.option("--robot", type=click.Choice(list(ROBOTS)), help="Console for two: the player that the computer plays.")
@click.option("--menu", is_flag=True, help="Console for two: offer to save, to load and to begin a new game.")
@click.option(
    "--rules", type=click.Choice(list(RULES)), default=KALAH.name, show_default=True, help="Rules of the game."
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
    """Play Kalah on a full-screen board, against the computer or another player.

    With --plain, --vertical, --robot or --menu, or if input or output is not a terminal, Kalah is a console for two
    players. They type the number of a house, or q to quit; the end of the input also quits. Games on this console are
    not saved. With --south, --north, --clock or --position, Kalah is played like the other games instead, even line by
    line.

    A PLAYER is human, searcher, mcts, minimax, random or robot, with options after a colon: searcher:level=3. Another
    program can connect as a KGP client and play as kgp:HOST:PORT.
    """
    mode = UiMode.from_options(plain=plain, new=new or position is not None, control=control)
    is_exercise = vertical or robot is not None or menu
    is_session = (white, black, mode.control, position) != (None, None, None, None)
    if is_session and is_exercise:
        raise CommandUsageError(
            "--vertical, --robot and --menu cannot be combined with --south, --north, --clock and --position"
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
    """Return the exercise console that the options describe."""
    from tablemen.exercises import Kalah

    start = parse_kalah_start(RULES[rules], houses, seeds, None)
    return Kalah(start, vertical=vertical, robots=ROBOTS[robot] if robot else (), menu=menu)
