"""`tablemen analyse`: evaluate the moves of a position or of games."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tablemen.cli.cluster import TaskDisplay, check_task_options, open_executor, task_options
from tablemen.cli.group import CommandUsageError, SignalHandler, handle_signals, typed_option
from tablemen.cli.parameters import (
    POSITIVE,
    StatusLine,
    complete_file,
    complete_variant,
    json_option,
    parse_position,
    print_json,
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
MOVE_NUMBER = re.compile(r"^[0-9]*[.…]+")  # separate or attached to a move: 1. 11-15, 1...22-17
POSITION_OPTIONS = {"fen": "--fen", "moves": "--moves", "lines": "--lines"}
FILE_OPTIONS = {
    "number": "--game",
    "variant": "--variant",
    "encoding": "--encoding",
    "pdn": "--pdn",
    "svg": "--svg",
    "cluster": "--cluster",
    "folder": "--folder",
    "per_task": "--per-task",
}

EXAMPLES = """\b
Examples:
  tablemen analyse international
  tablemen analyse russian --fen "W:Wc3,e3:Bd6,f6" --lines 3 --depth 20
  tablemen analyse english --moves "11-15 22-17 15-19"
  tablemen analyse kalah --position "<6,3,5,0,4,1,2,6,0,5,5,0,1,6,4> north"
  tablemen analyse games.pdn --pdn analysed.pdn --svg graph.svg
  tablemen analyse games.pdn --game 3 --nodes 2000000 --json
  tablemen analyse games.pdn --pdn new.pdn --cluster local:4 --folder tasks
"""


def _complete(context: click.Context, parameter: click.Parameter, prefix: str) -> list[CompletionItem]:
    """Complete variants and files."""
    return [*complete_variant(context, parameter, prefix), *complete_file(context, parameter, prefix)]


@click.command(epilog=EXAMPLES)
@click.argument("subject", metavar="VARIANT|FILE", shell_complete=_complete)
@click.option("--fen", "--position", "fen", metavar="POSITION", help="Position of the VARIANT. [default: the start]")
@click.option("--moves", metavar="TEXT", help="Play these moves first; they may have move numbers.")
@click.option("--lines", metavar="N", type=POSITIVE, help="List only the N best moves.")
@click.option("--game", "number", metavar="N", type=POSITIVE, help="Analyse only game N of the FILE.")
@click.option(
    "--variant",
    metavar="VARIANT",
    shell_complete=complete_variant,
    help="Variant of games in the FILE that do not name one.",
)
@click.option("--encoding", metavar="NAME", help="Encoding of the FILE. [default: UTF-8]")
@click.option(
    *("--pdn", "--record", "pdn"),
    metavar="FILE",
    shell_complete=complete_file,
    help="Write the annotated games to this file.",
)
@click.option(
    "--svg",
    metavar="FILE",
    shell_complete=complete_file,
    help="Write the graph to this file; further games get a number in the file name.",
)
@click.option("--depth", metavar="PLIES", type=POSITIVE, help="Search to this depth.")
@click.option("--nodes", metavar="N", type=POSITIVE, help="Search this number of positions.")
@click.option("--time", metavar="SECONDS", type=click.FloatRange(min=0), help="Search for this time.")
@threads_option
@task_options("games", "as many as take about 20 s")
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
    """Evaluate the moves of a position or of games. Scores are in men, or in seeds for mancala.

    For a VARIANT: list the legal moves of a position, best first, with their scores for the side to move. If a
    tablebase has the position, the exact value of each move is listed too.

    For a FILE of games, in PDN or as lines of text for mancala, or - for standard input: list the moves of each game
    with the score for White or South after the move, and better moves; draw a graph of the winning chances; and
    summarise how well both sides played. A move that loses 10 % of the points is an inaccuracy (?!), 20 % a mistake (?)
    and 30 % a blunder (??). With --pdn - or --svg - the games or the graph are the only output.

    --depth, --nodes and --time limit the search of each position. With one thread, without --time and with the same
    tablebases the result is always the same. A game that cannot be read is reported on standard error, and the exit
    status will be 1. Ctrl-C keeps the games that are finished. With --cluster, tasks analyse the games of a FILE, and
    write the results to --folder; the same command continues an interrupted analysis.
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
        cluster = {name: options[name] for name in ("cluster", "folder", "per_task")}
        check_task_options(**cluster)
        analyser = _analyse_here if cluster["cluster"] is None else partial(_analyse_in_tasks, **cluster)
        status = _analyse_games(subject, output, partial(analyser, limit, threads), signals, **chosen)
    context.exit(status)


def _find_variant(subject: str) -> Any:
    """Return the variant with this name; None if it is a file."""
    from tablemen.family import find_variant

    try:
        return find_variant(subject)
    except UnknownVariantError as error:
        path = Path(subject)
        if path.is_dir():
            raise CommandUsageError(f"{subject} is a folder, not a file of games") from error
        if subject == STANDARD_INPUT or path.exists():
            return None
        if subject.endswith(SUFFIXES) or "/" in subject:
            raise CommandUsageError(f"the file {subject} does not exist") from error
        raise CommandUsageError(str(error)) from error


def _refuse(options: dict[str, Any], names: dict[str, str], subject: str) -> None:
    """Raise `CommandUsageError` if one of these options is given."""
    for name, option in names.items():
        if options[name] is not None:
            raise CommandUsageError(f"{typed_option(option)} is only for {subject}")


def _new_searcher(threads: int) -> Searcher:
    """Return a searcher with an empty transposition table, so that earlier searches do not influence the result."""
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
    from tablemen.family import get_family

    game = _parse_game(rules, fen, moves)
    found = analyse_position(game, limit or DEFAULT_POSITION_LIMIT, lines=lines, searcher=_new_searcher(threads))
    if as_json:
        print_json(serialize_position_analysis(found))
        return
    for line in format_moves(found):
        click.echo(line)
    if found.outcome is None and found.endgame is None:
        command = get_family(rules).suggest_tablebase(game.position)
        if command is not None:
            click.echo(f"`{command}` builds a tablebase that has this position.", err=True)


def _parse_game(rules: Any, fen: str | None, moves: str | None) -> Any:
    """Return a game that starts with the position and has these moves."""
    from tablemen.family import get_family
    from tablemen.game import Game

    family = get_family(rules)
    game: Game[Any, Any] = Game(parse_position(rules, fen))
    words = (MOVE_NUMBER.sub("", word) for word in (moves or "").split())
    for number, word in enumerate(filter(None, words), 1):
        problem = family.explain_illegal(word, game.position)
        if game.outcome() is not None:
            problem = "the game is already over"
        if problem is not None:
            raise CommandUsageError(f"--moves: move {number}, {word}: {problem}")
        game.push(word)
    return game


def _analyse_games(
    name: str,
    output: AnalysisOutput,
    analyser: Callable[[Iterable[FileGame]], Generator[tuple[FileGame, GameAnalysis[Any]], None, None]],
    signals: SignalHandler,
    *,
    number: int | None,
    variant: str | None,
    encoding: str | None,
) -> int:
    """Analyse the games of a file, or one of them; return the exit status."""
    from tablemen.cli.analyse.input import UTF_8, AnalysisInput
    from tablemen.family import find_variant

    file = AnalysisInput(name, None if variant is None else find_variant(variant), encoding or UTF_8, number)
    try:
        with closing(analyser(file)) as analyses:
            for game, analysis in analyses:
                with signals.deferred():  # a signal must not separate printing and writing a game
                    for problem in output.add(game, analysis):
                        file.report(f"game {game.number}: {problem}")
    finally:
        if output.as_json and (output.count or file.problems):
            print_json(output.facts)
    if not output.count and not file.problems:
        raise CommandUsageError(f"{name} contains no games" if number is None else f"{name} has no game {number}")
    return 1 if file.problems else 0


def _analyse_here(
    limit: Limit | None, threads: int, games: Iterable[FileGame]
) -> Generator[tuple[FileGame, GameAnalysis[Any]], None, None]:
    """Analyse games one after the other, with a status line."""
    from tablemen.analysis.analyse import DEFAULT_GAME_LIMIT

    for game in games:
        with StatusLine() as status:
            status.write(f"game {game.number}: {game.length} moves")

            def show(each: MoveAnalysis[Any], game: FileGame = game, status: StatusLine = status) -> None:
                status.write(f"game {game.number}: move {each.index + 1} of {game.length}")

            found = game.analyse(limit or DEFAULT_GAME_LIMIT, searcher=_new_searcher(threads), on_move=show)
        yield game, found


def _analyse_in_tasks(
    limit: Limit | None,
    threads: int,
    games: Iterable[FileGame],
    *,
    cluster: str,
    folder: Path,
    per_task: int | None,
) -> Generator[tuple[FileGame, GameAnalysis[Any]], None, None]:
    """Analyse games by tasks of a cluster."""
    from tablemen.analysis import analyse_games
    from tablemen.analysis.analyse import DEFAULT_GAME_LIMIT

    waiting: deque[FileGame] = deque()

    def read_games() -> Iterator[Any]:
        for game in games:
            waiting.append(game)
            yield game.game

    with TaskDisplay() as display, open_executor(cluster, folder) as executor:
        for analysis in analyse_games(
            read_games(),
            limit or DEFAULT_GAME_LIMIT,
            executor=executor,
            folder=folder,
            threads=threads,
            games_per_task=per_task,
            on_tasks=display.show,
        ):
            display.clear()
            yield waiting.popleft(), analysis
