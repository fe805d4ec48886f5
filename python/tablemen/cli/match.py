"""`tablemen match`: play many games between two players, and print the score."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

import click

from tablemen.cli.cluster import TaskDisplay, check_task_options, open_executor, task_options
from tablemen.cli.group import CommandUsageError, SignalHandler, handle_signals
from tablemen.cli.parameters import (
    POSITIVE,
    check_game_file,
    complete_file,
    complete_machine,
    format_count,
    json_option,
    option_parser,
    print_json,
    reported_for,
    seed_option,
    variant_argument,
)
from tablemen.clock import parse_time_control
from tablemen.errors import TablemenError
from tablemen.family import find_variant, get_family
from tablemen.game_files import add_game
from tablemen.match import (
    Match,
    MatchGame,
    MatchResults,
    Openings,
    parse_draw,
    parse_openings,
    parse_resign,
    parse_sprt,
)
from tablemen.match.match import DEFAULT_GAMES_PER_TASK
from tablemen.match.referee import DEFAULT_MAX_PLIES
from tablemen.outcome import Side

EVENT = "tablemen match"
DEFAULT_GAMES, MAX_SPRT_GAMES = 100, 100_000
ORDERS = ("sequential", "random")
TABLEBASE = "tablebase"
ADJUDICATORS = (TABLEBASE,)
MAX_PIECES_WITHOUT_FILES = 3  # positions with this number of pieces need no tablebase files

EXAMPLES = """\b
Examples:
  tablemen match english searcher:level=7 searcher:level=5 --games 20
  tablemen match international searcher:depth=6 minimax --openings random:6
  tablemen match russian searcher minimax --openings book.pdn --concurrency 4
  tablemen match international 'hub:"scan hub"' searcher --clock 1+1
  tablemen match frisian searcher:depth=7 searcher:depth=6 --sprt 0,20
  tablemen match kalah robot random --games 1000 --pdn games.txt --json
  tablemen match english searcher minimax --cluster local:4 --folder games
"""

Command = TypeVar("Command", bound=Callable[..., object])

_parse_control = option_parser(parse_time_control)

_OPTIONS = (
    click.option(
        "--games",
        metavar="N",
        type=POSITIVE,
        help=f"Number of games. [default: {DEFAULT_GAMES}; with --sprt {MAX_SPRT_GAMES}]",
    ),
    click.option(
        "--openings",
        metavar="FILE",
        shell_complete=complete_file,
        help="Start positions: a file of games, or of positions, one per line; random:PLIES for random moves; "
        "all:PLIES for every position after that number of plies; fairkalah for the boards of FairKalah.",
    ),
    click.option(
        "--openings-order",
        "order",
        type=click.Choice(ORDERS),
        default=ORDERS[0],
        show_default=True,
        help="Order of the openings.",
    ),
    click.option(
        "--clock",
        metavar="MINUTES+SECONDS",
        callback=_parse_control,
        help="Time of each player for a game, and seconds added per move: 5+3 for 5 minutes and 3 seconds, 90s+0.5 for "
        "90 seconds and half a second, 40/5 for 5 minutes for every 40 moves.",
    ),
    click.option(
        "--clock-first", metavar="MINUTES+SECONDS", callback=_parse_control, help="Clock of the first player."
    ),
    click.option(
        "--clock-second", metavar="MINUTES+SECONDS", callback=_parse_control, help="Clock of the second player."
    ),
    click.option(
        "--margin",
        metavar="MS",
        type=click.IntRange(min=0),
        default=0,
        show_default=True,
        help="Milliseconds a move may overrun its limit.",
    ),
    click.option(
        "--resign",
        metavar="SCORE[:MOVES]",
        callback=option_parser(parse_resign),
        help="Adjudicate a loss when a player reports -SCORE or less for MOVES moves in a row. [MOVES: 3]",
    ),
    click.option(
        "--draw",
        metavar="SCORE[:MOVES[:AFTER]]",
        callback=option_parser(parse_draw),
        help="Adjudicate a draw when both players report scores from -SCORE to SCORE for MOVES moves in a row, after "
        "AFTER moves. [MOVES: 10, AFTER: 30]",
    ),
    click.option(
        "--adjudicate",
        type=click.Choice(ADJUDICATORS),
        help="End a game as soon as a tablebase has the position: with its value, unless a draw rule may end the game "
        "before it is won.",
    ),
    click.option(
        "--sprt",
        metavar="ELO0,ELO1[,ALPHA,BETA]",
        callback=option_parser(parse_sprt),
        help="Stop when a sequential probability ratio test decides whether the first player is stronger by ELO1 "
        "rather than ELO0. [ALPHA, BETA: 0.05]",
    ),
    click.option(
        "--longest",
        metavar="PLIES",
        type=POSITIVE,
        default=DEFAULT_MAX_PLIES,
        show_default=True,
        help="Adjudicate a draw after this number of plies.",
    ),
    click.option("--houses", metavar="N", type=int, help="Houses per side, in mancala."),
    click.option("--seeds", metavar="N", type=int, help="Seeds per house at the start, in mancala."),
    seed_option,
)


def _match_options(command: Command) -> Command:
    """Add the options that `_make_match` takes."""
    for add in reversed(_OPTIONS):
        command = add(command)
    return command


@click.command(epilog=EXAMPLES)
@variant_argument
@click.argument("first", metavar="PLAYER", shell_complete=complete_machine)
@click.argument("second", metavar="PLAYER", shell_complete=complete_machine)
@_match_options
@click.option(
    "--concurrency", metavar="N", type=POSITIVE, default=1, show_default=True, help="Number of games at a time."
)
@click.option(
    *("--pdn", "--record", "file"),
    metavar="FILE",
    shell_complete=complete_file,
    help="Append every finished game to this file.",
)
@task_options("games", str(DEFAULT_GAMES_PER_TASK))
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
    cluster: str | None,
    folder: Path | None,
    per_task: int | None,
    as_json: bool,
    houses: int | None,
    seeds: int | None,
    **settings: Any,
) -> None:
    """Play games of VARIANT between two players, and print the score of the first one.

    A PLAYER is searcher, mcts, minimax, random or robot, with options after a colon: searcher:level=3, mcts:time=1; or
    another program: hub:"COMMAND", dxp:HOST:PORT, kgp:HOST:PORT. The players swap sides after every game, and play
    every opening from both sides. The same seed gives the same games for any --concurrency, unless a player has a time
    limit, uses several threads or is another program.

    After each game the score is shown on standard error: wins, draws and losses, the Elo difference with its 95 %
    confidence interval, and the likelihood that the first player is stronger (LOS). Games of draughts are written as
    PDN, games of mancala as lines of text.

    Programs are started before the first game; if that fails, no game is played. Reports and game files have the name
    and version that a program reports, unless its option name= is given.

    A player that fails loses that game, and the exit status will be 1. A program that fails is restarted for the next
    game. The match stops early if a player fails before its first move three times in a row. After Ctrl-C the score of
    the finished games is printed.

    With --cluster, tasks of --per-task games each write files in --folder, and games are printed in order. The same
    command continues an interrupted match, and adds games if --games is larger.
    """
    check_task_options(cluster, folder, per_task)
    if cluster is not None and concurrency > 1:
        raise CommandUsageError("--concurrency cannot be combined with --cluster; local:N uses N processes")
    if per_task is not None and per_task % 2:
        raise CommandUsageError(f"--per-task: expected an even number, for whole pairs of games, got {per_task}")
    variant = _resize(variant, houses, seeds)
    contest = _make_match(variant, first, second, **settings)
    contest.check_concurrency(concurrency if cluster is None else 2)
    if contest.tablebases:
        _print_tablebases(variant)
    path = None if file is None else check_game_file("--pdn", file, variant)
    with handle_signals() as signals, TaskDisplay() as display, contextlib.ExitStack() as stack:
        if cluster is not None:
            executor = stack.enter_context(open_executor(cluster, folder))
            size = per_task or DEFAULT_GAMES_PER_TASK
            played = contest.play(executor=executor, folder=folder, games_per_task=size, on_tasks=display.show)
        else:
            played = contest.play(concurrency=concurrency)
        games = stack.enter_context(closing(played))
        tally = _play(games, contest, path, signals, display, as_json=as_json)
    context.exit(1 if tally.failures else 0)


def _play(
    games: Iterable[MatchGame],
    contest: Match,
    path: Path | None,
    signals: SignalHandler,
    display: TaskDisplay,
    *,
    as_json: bool,
) -> MatchResults:
    """Play the games, and print them and their results, also after an error and after Ctrl-C."""
    tally = MatchResults(contest.sprt)
    interrupted, error = True, None
    try:
        for each in games:
            display.clear()
            with signals.deferred():  # a signal must not separate counting, writing and printing a game
                tally.add(each)
                if path is not None:
                    add_game(path, each.played.sheet(event=EVENT, number=each.number))
                _print_game(each, contest, tally)
        interrupted = False
    except TablemenError as problem:  # not a usage error, since the match has started
        interrupted, error = False, str(problem)
        raise click.ClickException(error) from problem
    finally:
        display.clear()
        if as_json:
            print_json(_serialize_match(contest, tally) | {"interrupted": interrupted, "error": error})
        elif tally.score.games:
            _print_result(contest, tally)
    return tally


def _resize(variant: Any, houses: int | None, seeds: int | None) -> Any:
    """Return the rules on a board of this size."""
    try:
        return get_family(variant).resize(variant, houses=houses, seeds=seeds)
    except TablemenError as error:
        raise CommandUsageError(f"--houses and --seeds: {error}") from error


def _make_match(
    variant: Any,
    first: str,
    second: str,
    *,
    games: int | None,
    openings: str | None,
    order: str,
    clock: Any,
    clock_first: Any,
    clock_second: Any,
    margin: int,
    adjudicate: str | None,
    seed: int,
    sprt: Any,
    **settings: Any,
) -> Match:
    """Return the match that the options describe; `settings` go to `Match` unchanged."""
    positions = Openings() if openings is None else _read_openings(openings, variant)
    return Match(
        variant,
        first,
        second,
        games=games or (DEFAULT_GAMES if sprt is None else MAX_SPRT_GAMES),
        openings=positions.shuffled(seed) if order == "random" else positions,
        controls=(clock_first or clock, clock_second or clock),
        margin=margin / 1000,
        tablebases=adjudicate == TABLEBASE,
        seed=seed,
        sprt=sprt,
        **settings,
    )


def _print_tablebases(variant: Any) -> None:
    """Print for which positions there are tablebases, on standard error."""
    pieces = get_family(variant).tablebase_pieces(variant)
    click.echo(f"adjudication by tablebase: all positions with up to {pieces} pieces", err=True)
    if pieces == MAX_PIECES_WITHOUT_FILES:
        command = f"tablemen tablebase build {variant.name} --pieces {pieces + 1} --distances"
        click.echo(f"  there are no tablebase files of {variant} with more pieces; `{command}` builds them", err=True)


def _read_openings(text: str, variant: Any) -> Openings:
    try:
        with reported_for("--openings", text):
            return parse_openings(text, variant)
    except OSError as error:
        raise CommandUsageError(f"--openings: {text}: {error.strerror}") from error


def _print_game(each: MatchGame, contest: Match, tally: MatchResults) -> None:
    """Print a game's result and the score so far on standard error."""
    family, played = get_family(contest.variant), each.played
    if played.note:
        winner = played.outcome.winner
        result = f"{'Draw' if winner is None else f'{family.side_name(winner)} wins'}: {played.note}"
    else:
        result = family.describe_outcome(played.outcome, played.game.position)
    players = " - ".join(played.players[side] for side in Side)
    click.echo(f"game {each.number} of {contest.games}: {players}: {result}", err=True)
    click.echo(f"  {tally.score}{'' if contest.sprt is None else f', {_format_llr(contest, tally)}'}", err=True)


def _print_result(contest: Match, tally: MatchResults) -> None:
    """Print the match's result on standard output."""
    first, second = (
        f"{name} by {author}" if author else name for name, author in zip(tally.names, tally.authors, strict=True)
    )
    variant, family = contest.variant, get_family(contest.variant)
    is_usual = family.board_size(variant) == family.board_size(find_variant(variant.name))
    game = str(variant) if is_usual else f"{variant} with {family.describe_board(variant)}"
    click.echo(f"{first} against {second}, {game}, {format_count(tally.score.games, 'game')}")
    click.echo(str(tally.score))
    if contest.sprt is not None:
        click.echo(f"SPRT {contest.sprt}: {tally.verdict}, {_format_llr(contest, tally)}")


def _format_llr(contest: Match, tally: MatchResults) -> str:
    """Format the log-likelihood ratio of the sequential probability ratio test."""
    assert contest.sprt is not None
    low, high = contest.sprt.bounds
    pairs = format_count(sum(tally.settled.pairs), "pair")
    return f"LLR {contest.sprt.llr(tally.settled):+.2f} [{low:+.2f}, {high:+.2f}] of {pairs}"


def _serialize_match(contest: Match, tally: MatchResults) -> dict[str, object]:
    """Return the match as JSON; an infinite difference in Elo is null."""
    score = tally.score
    return {
        "variant": contest.variant.name,
        **get_family(contest.variant).board_size(contest.variant),
        "players": list(tally.names or contest.names),
        "authors": [author or None for author in tally.authors or ("", "")],
        "player_texts": [contest.first, contest.second],
        "openings": contest.openings.text or None,
        "openings_order": contest.openings.order,
        "seed": contest.seed,
        "longest": contest.longest,
        "clocks": [None if control is None else str(control) for control in contest.controls],
        "margin": contest.margin,
        "resign": None if contest.resign is None else str(contest.resign),
        "draw": None if contest.draw is None else str(contest.draw),
        "adjudicate": TABLEBASE if contest.tablebases else None,
        "games": score.games,
        "wins": score.wins,
        "draws": score.draws,
        "losses": score.losses,
        "pairs": list(score.pairs),
        "ratio": round(score.ratio, 4),
        "ratio_interval": [round(value, 4) for value in score.ratio_interval],
        "elo": _serialize_elo(score.elo),
        "elo_interval": [_serialize_elo(value) for value in score.elo_interval],
        "superiority": round(score.superiority, 4),
        "sprt": _serialize_sprt(contest, tally),
        "terminations": {str(reason): tally.terminations[reason] for reason in sorted(tally.terminations, key=str)},
        "failures": {str(number): tally.failures[number] for number in sorted(tally.failures)},
        "plies": tally.plies,
    }


def _serialize_sprt(contest: Match, tally: MatchResults) -> dict[str, object] | None:
    sprt = contest.sprt
    if sprt is None:
        return None
    return {
        "elo0": sprt.elo0,
        "elo1": sprt.elo1,
        "alpha": sprt.alpha,
        "beta": sprt.beta,
        "bounds": [round(bound, 4) for bound in sprt.bounds],
        "llr": round(sprt.llr(tally.settled), 4),
        "pairs": list(tally.settled.pairs),
        "verdict": tally.verdict.name.lower(),
    }


def _serialize_elo(value: float) -> float | None:
    return None if math.isinf(value) else round(value, 1)
