"""`tablemen analyse`: evaluate the moves of positions and games."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tablemen.cli.group import CommandUsageError, SignalHandler, handle_signals
from tablemen.cli.output import StatusLine, print_json
from tablemen.cli.parameters import (
    POSITIVE,
    complete_file,
    complete_variant,
    json_option,
    parse_position,
    threads_option,
)
from tablemen.errors import UnknownVariantError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from tablemen.analysis import GameAnalysis, MoveAnalysis
    from tablemen.cli.analyse.input import FileGame
    from tablemen.cli.analyse.output import AnalysisOutput
    from tablemen.search import Limit, Searcher

SUFFIXES = (".pdn", ".txt")
STANDARD_INPUT = "-"
MOVE_NUMBER = re.compile(r"^[0-9]*[.…]+")  # alone or before a move: 1. 11-15, 1...22-17
POSITION_OPTIONS = {"fen": "--fen", "moves": "--moves", "lines": "--lines"}
FILE_OPTIONS = {"number": "--game", "variant": "--variant", "encoding": "--encoding", "pdn": "--pdn", "svg": "--svg"}

EXAMPLES = """\b
Examples:
  tablemen analyse international
  tablemen analyse russian --fen "W:Wc3,e3:Bd6,f6" --lines 3 --depth 20
  tablemen analyse english --moves "11-15 22-17 15-19"
  tablemen analyse kalah --position "<6,3,5,0,4,1,2,6,0,5,5,0,1,6,4> north"
  tablemen analyse games.pdn --pdn analysed.pdn --svg graph.svg
  tablemen analyse games.pdn --game 3 --nodes 2000000 --json
"""


def _complete(context: click.Context, parameter: click.Parameter, prefix: str) -> list[CompletionItem]:
    """Complete variants and files."""
    return [*complete_variant(context, parameter, prefix), *complete_file(context, parameter, prefix)]


@click.command(epilog=EXAMPLES)
@click.argument("subject", metavar="VARIANT|FILE", shell_complete=_complete)
@click.option(
    "--fen", "--position", "fen", metavar="POSITION", help="The position of a VARIANT; without it, the start."
)
@click.option("--moves", metavar="TEXT", help="Moves to play from there first, with or without numbers.")
@click.option("--lines", metavar="N", type=POSITIVE, help="Only the N best moves.")
@click.option("--game", "number", metavar="N", type=POSITIVE, help="Only this game of the FILE.")
@click.option(
    "--variant",
    metavar="VARIANT",
    shell_complete=complete_variant,
    help="The variant of games in the FILE that name none.",
)
@click.option("--encoding", metavar="NAME", help="The encoding of the FILE; without it, UTF-8.")
@click.option(
    *("--pdn", "--record", "pdn"),
    metavar="FILE",
    shell_complete=complete_file,
    help="Write the games here with their scores and marks.",
)
@click.option(
    "--svg",
    metavar="FILE",
    shell_complete=complete_file,
    help="Write the graph here; those of further games beside it, numbered.",
)
@click.option("--depth", metavar="PLIES", type=POSITIVE, help="Search to this depth.")
@click.option("--nodes", metavar="N", type=POSITIVE, help="Search this number of positions.")
@click.option("--time", metavar="SECONDS", type=click.FloatRange(min=0), help="Search for this time.")
@threads_option
@json_option
@click.pass_context
def analyse(
    context: click.Context,
    /,
    *,
    subject: str,
    depth: int | None,
    nodes: int | None,
    time: float | None,
    threads: int,
    as_json: bool,
    **options: Any,
) -> None:
    """Evaluate moves, in men or in seeds.

    Of a VARIANT: every legal move of a position with its score for the side to move, the best first, and which side is
    better.

    Of a FILE with games, PDN or lines of mancala, or - for standard input: every move with the score for White or
    South after it, and what was better; a graph of the chances; and how well both sides played. A move that throws away
    10 % of the points is an inaccuracy (?!), 20 % a mistake (?) and 30 % a blunder (??). --pdn writes the games with
    all of this, mancala as lines of text; - is standard output, which then has nothing else.

    --depth, --nodes and --time limit the search of each position. With one thread and without --time the answer is the
    same every time. A game that cannot be read is reported on standard error, and the status is then 1. Ctrl-C keeps
    the games that are finished.
    """
    from tablemen.search import Limit

    given = Limit(depth=depth, nodes=nodes, time=time)
    limit = None if given == Limit() else given
    rules = _find_variant(subject)
    if rules is not None:
        _refuse(options, FILE_OPTIONS, "a file of games")
        chosen = {name: options[name] for name in POSITION_OPTIONS}
        with handle_signals():
            _analyse_position(rules, limit, threads, as_json=as_json, **chosen)
        return
    _refuse(options, POSITION_OPTIONS, "a variant")
    with handle_signals() as signals:
        from tablemen.cli.analyse.output import AnalysisOutput

        output = AnalysisOutput(subject, options["pdn"], options["svg"], as_json=as_json)
        chosen = {name: options[name] for name in ("number", "variant", "encoding")}
        status = _analyse_games(subject, output, limit, threads, signals, **chosen)
    context.exit(status)


def _find_variant(subject: str) -> Any:
    """Return the variant of this name; None if it is a file."""
    from tablemen.family import find_variant

    try:
        return find_variant(subject)
    except UnknownVariantError as error:
        path = Path(subject)
        if path.is_dir():
            raise CommandUsageError(f"{subject} is a folder, not a file with games") from error
        if subject == STANDARD_INPUT or path.exists():
            return None
        if subject.endswith(SUFFIXES) or "/" in subject:
            raise CommandUsageError(f"there is no file {subject}") from error
        raise CommandUsageError(str(error)) from error


def _refuse(options: dict[str, Any], names: dict[str, str], subject: str) -> None:
    """Raise `CommandUsageError` if one of these options is given."""
    for name, option in names.items():
        if options[name] is not None:
            raise CommandUsageError(f"{option} goes with {subject}")


def _new_searcher(threads: int) -> Searcher:
    """Return a searcher with an empty table, so that one answer does not change another."""
    from tablemen.analysis.analyse import TABLE_MB
    from tablemen.search import Searcher

    return Searcher(table_mb=TABLE_MB, threads=threads)


def _analyse_position(
    rules: Any,
    limit: Limit | None,
    threads: int,
    *,
    fen: str | None,
    moves: str | None,
    lines: int | None,
    as_json: bool,
) -> None:
    from tablemen.analysis import analyse_position, serialize_position_analysis
    from tablemen.analysis.analyse import DEFAULT_POSITION_LIMIT
    from tablemen.cli.analyse.output import format_moves

    game = _parse_game(rules, fen, moves)
    found = analyse_position(game, limit or DEFAULT_POSITION_LIMIT, lines=lines, searcher=_new_searcher(threads))
    if as_json:
        print_json(serialize_position_analysis(found))
        return
    for line in format_moves(found):
        click.echo(line)


def _parse_game(rules: Any, fen: str | None, moves: str | None) -> Any:
    """Return the game with these moves from the position."""
    from tablemen.family import get_family
    from tablemen.game import Game

    family = get_family(rules)
    game: Game[Any, Any] = Game(parse_position(rules, fen))
    words = (MOVE_NUMBER.sub("", word) for word in (moves or "").split())
    for number, word in enumerate(filter(None, words), 1):
        problem = family.explain_illegal(word, game.position)
        if game.outcome() is not None:
            problem = "the game is over before it"
        if problem is not None:
            raise CommandUsageError(f"--moves: move {number}, {word}: {problem}")
        game.push(word)
    return game


def _analyse_games(
    name: str,
    output: AnalysisOutput,
    limit: Limit | None,
    threads: int,
    signals: SignalHandler,
    *,
    number: int | None,
    variant: str | None,
    encoding: str | None,
) -> int:
    """Analyse the games of a file, or one of them; return the exit status."""
    from tablemen.analysis.analyse import DEFAULT_GAME_LIMIT
    from tablemen.cli.analyse.input import UTF_8, AnalysisInput
    from tablemen.family import find_variant

    file = AnalysisInput(name, None if variant is None else find_variant(variant), encoding or UTF_8, number)
    try:
        for game in file:
            analysis = _analyse_game(game, limit or DEFAULT_GAME_LIMIT, threads)
            with signals.deferred():  # print and write a game, or neither
                for problem in output.add(game, analysis):
                    file.report(f"game {game.number}: {problem}")
    finally:
        if output.as_json and (output.count or file.problems):
            print_json(output.facts)
    if not output.count and not file.problems:
        raise CommandUsageError(f"{name} has no games" if number is None else f"{name} has no game {number}")
    return 1 if file.problems else 0


def _analyse_game(game: FileGame, limit: Limit, threads: int) -> GameAnalysis[Any]:
    """Analyse a game, with a status line."""
    with StatusLine() as status:
        status.write(f"game {game.number}: {game.length} moves")

        def show(each: MoveAnalysis[Any]) -> None:
            status.write(f"game {game.number}: move {each.index + 1} of {game.length}")

        return game.analyse(limit, searcher=_new_searcher(threads), on_move=show)
