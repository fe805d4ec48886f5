"""`tablemen analyse`: what positions and games are worth, move by move."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tablemen.cli.completers import complete_file, complete_variant
from tablemen.cli.group import BadQuestion, ended_by_signals
from tablemen.cli.parameters import POSITIVE, json_option, print_json, read_position, threads_option
from tablemen.errors import UnknownVariantError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from tablemen.search import Limit, Searcher

SUFFIXES = (".pdn", ".txt")
STANDARD_INPUT = "-"
NUMBER = re.compile(r"^[0-9]*[.…]+")  # of a move, alone or before it: 1. 11-15, 1...22-17
OF_POSITIONS = {"fen": "--fen", "moves": "--moves", "lines": "--lines"}
OF_FILES = {"number": "--game", "variant": "--variant", "encoding": "--encoding", "pdn": "--pdn", "svg": "--svg"}

EXAMPLES = """\b
Examples:
  tablemen analyse international
  tablemen analyse russian --fen "W:Wc3,e3:Bd6,f6" --lines 3 --depth 20
  tablemen analyse english --moves "11-15 22-17 15-19"
  tablemen analyse kalah --position "<6,3,5,0,4,1,2,6,0,5,5,0,1,6,4> north"
  tablemen analyse games.pdn --pdn analysed.pdn --svg graph.svg
  tablemen analyse games.pdn --game 3 --nodes 2000000 --json
"""


def _complete(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """The variants whose names begin so, and files."""
    return [*complete_variant(context, parameter, begun), *complete_file(context, parameter, begun)]


@click.command(epilog=EXAMPLES)
@click.argument("subject", metavar="VARIANT|FILE", shell_complete=_complete)
@click.option(
    "--fen", "--position", "fen", metavar="POSITION", help="The position of a VARIANT; without it, the start."
)
@click.option("--moves", metavar="TEXT", help="Moves that are played from there first, with or without numbers.")
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
@click.option("--depth", metavar="PLIES", type=POSITIVE, help="Look so many plies ahead.")
@click.option("--nodes", metavar="N", type=POSITIVE, help="Look at so many positions.")
@click.option("--time", metavar="SECONDS", type=click.FloatRange(min=0), help="Think so long.")
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
    """Tells what moves are worth, in men or in seeds.

    Of a VARIANT: every legal move of a position with its score for the side to move, the best first, and who stands
    better.

    Of a FILE with games, PDN or lines of mancala, or - for standard input: every move with the score for White or
    South after it, and what was better; a graph of the chances; and how well both sides played. A move that throws away
    10 % of the points is an inaccuracy (?!), 20 % a mistake (?) and 30 % a blunder (??). --pdn writes the games with
    all of this, mancala as lines of text; - is standard output, which then has nothing else.

    --depth, --nodes and --time say how hard to think about each position. With one thread and without --time the
    answer is the same every time. A game that cannot be read is told on standard error, and the status is then 1.
    Ctrl-C keeps the games that are finished.
    """
    from tablemen.search import Limit

    given = Limit(depth=depth, nodes=nodes, time=time)
    limit = None if given == Limit() else given
    rules = _find_variant(subject)
    _refuse(options, OF_FILES if rules is not None else OF_POSITIONS, "a file of games" if rules else "a variant")
    with ended_by_signals() as signals:
        if rules is not None:
            _analyse_position(rules, limit, threads, as_json=as_json, **_of(options, OF_POSITIONS))
            return
        from tablemen.cli.analyse.games import analyse_games
        from tablemen.cli.analyse.outputs import Outputs

        asked = _of(options, OF_FILES)
        outputs = Outputs(subject, asked.pop("pdn"), asked.pop("svg"), as_json=as_json)
        status = analyse_games(subject, outputs, limit, threads, signals, **asked)
    context.exit(status)


def _find_variant(subject: str) -> Any:
    """The variant of this name; None where it is a file."""
    from tablemen.family import find_variant

    try:
        return find_variant(subject)
    except UnknownVariantError as error:
        path = Path(subject)
        if path.is_dir():
            raise BadQuestion(f"{subject} is a folder, not a file with games") from error
        if subject == STANDARD_INPUT or path.exists():
            return None
        if subject.endswith(SUFFIXES) or "/" in subject:
            raise BadQuestion(f"there is no file {subject}") from error
        raise BadQuestion(str(error)) from error


def _of(options: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    return {name: options[name] for name in names}


def _refuse(options: dict[str, Any], names: dict[str, str], what: str) -> None:
    """That no option is given that goes with something else."""
    for name, option in names.items():
        if options[name] is not None:
            raise BadQuestion(f"{option} goes with {what}")


def new_searcher(threads: int) -> Searcher:
    """A searcher that knows nothing yet, so that one answer does not change another."""
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
    from tablemen.cli.analyse.forms import list_moves

    game = _read_game(rules, fen, moves)
    found = analyse_position(game, limit or DEFAULT_POSITION_LIMIT, lines=lines, searcher=new_searcher(threads))
    if as_json:
        print_json(serialize_position_analysis(found))
        return
    for line in list_moves(found):
        click.echo(line)


def _read_game(rules: Any, fen: str | None, moves: str | None) -> Any:
    """The position that is asked for, with the moves that led to it."""
    from tablemen.family import get_family
    from tablemen.game import Game

    family = get_family(rules)
    game: Game[Any, Any] = Game(read_position(rules, fen))
    words = (NUMBER.sub("", word) for word in (moves or "").split())
    for number, word in enumerate(filter(None, words), 1):
        objection = family.explain_illegal(word, game.position)
        if game.outcome() is not None:
            objection = "the game is over before it"
        if objection is not None:
            raise BadQuestion(f"--moves: move {number}, {word}: {objection}")
        game.push(word)
    return game
