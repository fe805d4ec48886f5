"""`tablemen match`: many games between two players, and what they are worth."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path
from typing import Any

import click

from tablemen.cli.completers import complete_file, complete_machine
from tablemen.cli.group import BadQuestion, ended_by_signals
from tablemen.cli.parameters import json_option, print_json, variant_argument
from tablemen.errors import TablemenError
from tablemen.families import family_of
from tablemen.game_files import add_game, check_game_file
from tablemen.match import Match, MatchScore, Openings, Round, parse_openings
from tablemen.match.referee import LONGEST
from tablemen.outcome import Side, Termination

EVENT = "tablemen match"
POSITIVE = click.IntRange(min=1)

EXAMPLES = """\b
Examples:
  tablemen match english searcher:level=7 searcher:level=5 --games 20
  tablemen match international searcher:depth=6 minimax --openings random:6
  tablemen match russian searcher minimax --openings begun.pdn --concurrency 4
  tablemen match kalah robot random --games 1000 --pdn games.txt --json
"""


@click.command(epilog=EXAMPLES)
@variant_argument
@click.argument("first", metavar="PLAYER", shell_complete=complete_machine)
@click.argument("second", metavar="PLAYER", shell_complete=complete_machine)
@click.option("--games", metavar="N", type=POSITIVE, default=100, show_default=True, help="How many games.")
@click.option(
    "--openings",
    metavar="FILE",
    shell_complete=complete_file,
    help="A file of games, or of positions, one a line; or random:PLIES by chance.",
)
@click.option(
    "--seed", metavar="N", type=click.IntRange(min=0), default=0, show_default=True, help="What chance begins with."
)
@click.option(
    "--concurrency", metavar="N", type=POSITIVE, default=1, show_default=True, help="Play in so many processes."
)
@click.option(
    "--longest", metavar="PLIES", type=POSITIVE, default=LONGEST, show_default=True, help="A longer game is a draw."
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
    *,
    variant: Any,
    first: str,
    second: str,
    games: int,
    openings: str | None,
    seed: int,
    concurrency: int,
    longest: int,
    file: str | None,
    as_json: bool,
) -> None:
    """Lets two players play games of VARIANT, and tells the score of the first one.

    A PLAYER is searcher, minimax, random or robot, with options behind a colon: searcher:level=3, searcher:depth=6.
    They change sides after every game, and play every opening from either side. The same seed gives the same games in
    any number of processes, unless a player is limited by time or thinks in several threads.

    The running score is told on standard error: wins, draws and losses, and the difference in Elo with the range in
    which it lies with 95 %. Games are written as PDN, those of mancala as lines of text. A player that fails loses that
    game, and the status is then 1. Ctrl-C ends the match with the games that are over.
    """
    begins = Openings() if openings is None else _read_openings(openings, variant)
    contest = Match(variant, first, second, games=games, openings=begins, seed=seed, longest=longest)
    if file is not None:
        _try_out(file, variant)
    rounds: list[Round] = []
    interrupted = True
    try:
        with ended_by_signals() as signals:
            for each in contest.play(concurrency=concurrency):
                with signals.held():  # a game is counted, written and told, or none of these
                    rounds.append(each)
                    if file is not None:
                        add_game(Path(file), each.played.sheet(event=EVENT, number=each.number))
                    _tell(each, contest, rounds)
        interrupted = False
    finally:
        if rounds or not interrupted:
            _print_result(contest, rounds, as_json=as_json, interrupted=interrupted)
    context.exit(1 if _failures(rounds) else 0)


def _read_openings(text: str, variant: Any) -> Openings:
    try:
        return parse_openings(text, variant)
    except TablemenError as error:
        raise BadQuestion(f"--openings: {error}") from error
    except OSError as error:
        raise BadQuestion(f"--openings: {text}: {error.strerror}") from error


def _try_out(file: str, variant: Any) -> None:
    """Rather no match than one that cannot be written."""
    try:
        check_game_file(Path(file), family_of(variant))
    except TablemenError as error:
        raise BadQuestion(f"--pdn: {error}") from error
    except OSError as error:
        raise BadQuestion(f"--pdn: {file}: {error.strerror}") from error


def _tell(each: Round, contest: Match, rounds: list[Round]) -> None:
    """Says how a game ended and how the match stands."""
    family, played = family_of(contest.variant), each.played
    result = "draw" if played.outcome.winner is None else f"{family.name_of(played.outcome.winner)} wins"
    reason = played.note or str(played.outcome.termination)
    score = MatchScore.of(one.points for one in rounds)
    players = " - ".join(played.players[side] for side in Side)
    click.echo(f"game {each.number} of {contest.games}: {players}: {result}, {reason}", err=True)
    click.echo(f"  {score}", err=True)


def _failures(rounds: list[Round]) -> list[Round]:
    return [each for each in rounds if each.played.outcome.termination is Termination.FORFEIT]


def _print_result(contest: Match, rounds: list[Round], *, as_json: bool, interrupted: bool) -> None:
    score = MatchScore.of(each.points for each in rounds)
    if as_json:
        print_json(_facts(contest, rounds, score) | {"interrupted": interrupted})
        return
    first, second = contest.names
    click.echo(f"{first} against {second}, {contest.variant}, {_games(len(rounds))}")
    click.echo(str(score))


def _games(number: int) -> str:
    return "1 game" if number == 1 else f"{number} games"


def _facts(contest: Match, rounds: list[Round], score: MatchScore) -> dict[str, object]:
    """The match as JSON has it; null where a difference in Elo is infinite."""
    ends = Counter(str(each.played.outcome.termination) for each in rounds)
    return {
        "variant": contest.variant.name,
        "players": list(contest.names),
        "openings": contest.openings.text or None,
        "seed": contest.seed,
        "longest": contest.longest,
        "games": score.games,
        "wins": score.wins,
        "draws": score.draws,
        "losses": score.losses,
        "ratio": round(score.ratio, 4),
        "ratio_interval": [round(value, 4) for value in score.ratio_interval],
        "elo": _finite(score.elo),
        "elo_interval": [_finite(value) for value in score.elo_interval],
        "superiority": round(score.superiority, 4),
        "terminations": dict(sorted(ends.items())),
        "failures": {str(each.number): each.played.note for each in _failures(rounds)},
        "plies": sum(len(each.played.game.moves) for each in rounds),
    }


def _finite(value: float) -> float | None:
    return None if math.isinf(value) else round(value, 1)
