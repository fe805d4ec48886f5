"""`tablemen match`: many games between two players, and what they are worth."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import click

from tablemen.cli.completers import complete_file, complete_machine
from tablemen.cli.group import ended_by_signals
from tablemen.cli.match.options import make_match, match_options
from tablemen.cli.match.report import print_result, tell_round
from tablemen.cli.parameters import POSITIVE, json_option, try_out, variant_argument
from tablemen.errors import TablemenError
from tablemen.game_files import add_game
from tablemen.match import Match, MatchResults

EVENT = "tablemen match"

EXAMPLES = """\b
Examples:
  tablemen match english searcher:level=7 searcher:level=5 --games 20
  tablemen match international searcher:depth=6 minimax --openings random:6
  tablemen match russian searcher minimax --openings begun.pdn --concurrency 4
  tablemen match international 'hub:"scan hub"' searcher --clock 1+1
  tablemen match frisian searcher:depth=7 searcher:depth=6 --sprt 0,20
  tablemen match kalah robot random --games 1000 --pdn games.txt --json
"""


@click.command(epilog=EXAMPLES)
@variant_argument
@click.argument("first", metavar="PLAYER", shell_complete=complete_machine)
@click.argument("second", metavar="PLAYER", shell_complete=complete_machine)
@match_options
@click.option(
    "--concurrency", metavar="N", type=POSITIVE, default=1, show_default=True, help="Play in so many processes."
)
@click.option(
    *("--pdn", "--record", "file"),
    metavar="FILE",
    shell_complete=complete_file,
    help="Add every game to this file as soon as it is over.",
)
@json_option
@click.pass_context
def match(
    context: click.Context,
    /,
    *,
    variant: Any,
    first: str,
    second: str,
    concurrency: int,
    file: str | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Lets two players play games of VARIANT, and tells the score of the first one.

    A PLAYER is searcher, minimax, random or robot, with options behind a colon: searcher:level=3, searcher:depth=6; or
    another program: hub:"COMMAND", dxp:HOST:PORT, kgp:HOST:PORT. They change sides after every game, and play every
    opening from either side. The same seed gives the same games in any number of processes, unless a player is limited
    by time, thinks in several threads or is another program.

    The running score is told on standard error: wins, draws and losses, the difference in Elo with the range in which
    it lies with 95 %, and how likely it is that the first player is the stronger one (LOS). Games are written as PDN,
    those of mancala as lines of text.

    A player that fails loses that game, and the status is then 1; another program is started anew for the next one. The
    match ends when a player fails before its first move three times in a row. Ctrl-C ends it with the games that are
    over.
    """
    contest = make_match(variant, first, second, **settings)
    contest.check_concurrency(concurrency)
    path = None if file is None else try_out("--pdn", file, variant)
    tally = MatchResults(contest.sprt)
    interrupted, error = True, None
    try:
        _play(contest, concurrency, path, tally)
        interrupted = False
    except TablemenError as problem:  # the question made sense: something went wrong on the way
        interrupted, error = False, str(problem)
        raise click.ClickException(error) from problem
    finally:
        if as_json or tally.score.games or not interrupted:
            print_result(contest, tally, as_json=as_json, interrupted=interrupted, error=error)
    context.exit(1 if tally.failures else 0)


def _play(contest: Match, concurrency: int, path: Path | None, tally: MatchResults) -> None:
    with ended_by_signals() as signals, closing(contest.play(concurrency=concurrency)) as rounds:
        for each in rounds:
            with signals.held():  # a game is counted, written and told, or none of these
                tally.add(each)
                if path is not None:
                    add_game(path, each.played.sheet(event=EVENT, number=each.number))
                tell_round(each, contest, tally)
