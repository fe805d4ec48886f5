"""`tablemen pdn`: list, check and convert the games of PDN files."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from types import MappingProxyType
from typing import IO, cast

import click

from tablemen.cli.group import CommandUsageError
from tablemen.cli.parameters import complete_draughts, format_count, json_option, print_json, reported_for
from tablemen.console import escape_controls
from tablemen.draughts import DraughtsRules, Position, find_variant
from tablemen.draughts.board import Notation
from tablemen.draughts.notation import format_move
from tablemen.draughts.pdn import Nag, PdnGame, PdnLine, format_pdn, read_pdn
from tablemen.draughts.pdn.game import UNKNOWN_MOVE, Note, Result, get_result, parse_result
from tablemen.draughts.pdn.rename import rename_squares
from tablemen.draughts.pdn.start_position import UNKNOWN_VALUES
from tablemen.errors import PdnError, TablemenError
from tablemen.family import get_family

FILE = click.Path(exists=True, dir_okay=False, allow_dash=True)
STANDARD_INPUT = "-"
MIN_PROGRESS_SIZE = 5_000_000  # bytes; reading a smaller file shows no progress bar
FEN = "fen"

EXAMPLES = """\b
Examples:
  tablemen pdn games.pdn
  tablemen pdn --check *.pdn
  tablemen pdn games.pdn --to jsonl | jq -r .tags.White
  tablemen pdn old.pdn --variant russian --to pdn > new.pdn
  cat games.pdn | tablemen pdn - --to algebraic
"""


def _format_fen(game: PdnGame, _number: int) -> str:
    """Format the last position; a question mark if it is unknown."""
    end = game.end()
    return "?" if end is None else end.fen()


def _format_json(game: PdnGame, number: int) -> str:
    """Format the whole game as one line of JSON."""
    facts: dict[str, object] = {"game": number, "variant": game.variant.name}
    if game.is_variant_guessed:
        facts["guessed"] = True
    facts |= {"tags": dict(game.tags), **_serialize_line(game.line)}
    return json.dumps(facts, ensure_ascii=False)


def _serialize_line(line: PdnLine) -> dict[str, object]:
    facts: dict[str, object] = {"start": None if line.start is None else line.start.fen()}
    if line.notes:
        facts["notes"] = [_serialize_note(note) for note in line.notes]
    moves: list[dict[str, object]] = []
    for node in line.nodes:
        moves.append({"move": node.move if isinstance(node.move, str) else format_move(node.move)})
        if node.strength:
            moves[-1]["strength"] = node.strength
        if node.notes:
            moves[-1]["notes"] = [_serialize_note(note) for note in node.notes]
    return facts | {"moves": moves}


def _serialize_note(note: Note) -> dict[str, object]:
    if isinstance(note, PdnLine):
        return {"variation": _serialize_line(note)}
    if isinstance(note, Position):
        return {"setup": note.fen()}
    return {"nag": int(note)} if isinstance(note, Nag) else {"comment": note}


FORMATS: Mapping[str, Callable[[PdnGame, int], str]] = MappingProxyType(
    {
        FEN: _format_fen,
        "jsonl": _format_json,
        "pdn": lambda game, _number: format_pdn(game) + "\n",
        "numeric": lambda game, _number: format_pdn(rename_squares(game, Notation.NUMERIC)) + "\n",
        "algebraic": lambda game, _number: format_pdn(rename_squares(game, Notation.ALGEBRAIC)) + "\n",
    }
)


@click.command(epilog=EXAMPLES)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=FILE)
@click.option(
    "--check",
    "is_check",
    is_flag=True,
    help="Print only problems: unreadable games, illegal or missing moves, wrong results, missing terminators.",
)
@click.option("--to", "target", type=click.Choice(tuple(FORMATS)), help="Print every game in this format.")
@click.option(
    "--variant",
    metavar="VARIANT",
    shell_complete=complete_draughts,
    help="Variant of games without a known GameType. [default: the first variant that allows most of these games]",
)
@click.option("--encoding", default="utf-8", show_default=True, help="Encoding of the files.")
@json_option
@click.pass_context
def pdn(
    context: click.Context,
    *,
    files: tuple[str, ...],
    is_check: bool,
    target: str | None,
    variant: str | None,
    encoding: str,
    as_json: bool,
) -> None:
    """List the games of PDN files, one per line, or check or convert them; - is standard input.

    --to converts games to one of these formats: fen, the last position of each game; jsonl, one line of JSON per game
    with everything; pdn, strict PDN; numeric and algebraic, PDN with squares in that notation.

    Games that cannot be read are reported on standard error with line and column. The exit status is 1 if there was
    any problem, and 2 if no file can be read.
    """
    if is_check and target:
        raise CommandUsageError("--check cannot be combined with --to")
    if as_json and target:
        raise CommandUsageError("--json cannot be combined with --to; use --to jsonl")
    if files.count(STANDARD_INPUT) > 1:
        raise CommandUsageError("standard input (-) can be given only once")
    with reported_for("--encoding", encoding):
        read_pdn(io.BytesIO(), encoding=encoding)  # raises if the encoding is unknown, before anything is printed
    games = PdnFiles(files, None if variant is None else find_variant(variant), encoding)
    if is_check:
        _check(games, as_json=as_json)
    elif target:
        _convert(games, target)
    else:
        _list(games, as_json=as_json)
    context.exit(games.status)


class _UnreadableFileError(Exception):
    """A file cannot be read, or not to its end; the message is the reason."""


class PdnFiles:
    """The games of all files, and the problems found while they are read."""

    def __init__(self, files: tuple[str, ...], variant: DraughtsRules | None, encoding: str) -> None:
        self.files = files
        self.variant = variant
        self.encoding = encoding
        self.games = 0
        self.problems = 0
        self.unreadable: list[dict[str, object]] = []
        self.on_problem: Callable[[dict[str, object]], None] = lambda each: click.echo(_format_problem(each), err=True)

    def __iter__(self) -> Iterator[tuple[str, int, PdnGame]]:
        """Yield the file name, the number in the file and the game."""
        for name in self.files:
            try:
                yield from self._read(name)
            except _UnreadableFileError as error:
                self.problems += 1
                self.unreadable.append({"file": name, "problem": f"cannot be read: {error}"})
                click.echo(escape_controls(f"{name}: cannot be read: {error}"), err=True)

    def _read(self, name: str) -> Iterator[tuple[str, int, PdnGame]]:
        def report(error: PdnError) -> None:
            self.games += 1
            self.report(name, error.game, error.problem, line=error.line, column=error.column)

        with closing(_ProgressFile(name)) as file:
            reader = read_pdn(cast("IO[bytes]", file), variant=self.variant, encoding=self.encoding, on_error=report)
            try:
                for game in reader:
                    self.games += 1
                    for warning in game.warnings:
                        self.report(name, warning.game, warning.problem, line=warning.line, column=warning.column)
                    yield name, reader.games_read, game
            except PdnError as error:
                raise _UnreadableFileError(error.problem) from error

    @property
    def status(self) -> int:
        """The exit status: 2 if no file could be read, 1 if there was any problem."""
        if len(self.unreadable) == len(self.files):
            return 2
        return 1 if self.problems else 0

    def report(self, name: str, number: int | None, problem: str, **place: int | None) -> None:
        """Report a problem with a game, and count it."""
        self.problems += 1
        self.on_problem({"file": name, "game": number, **place, "problem": problem})


class _ProgressFile:
    """A binary file that updates a progress bar on standard error while it is read, if it is large."""

    def __init__(self, name: str) -> None:
        if name == STANDARD_INPUT and sys.stdin is None:
            raise _UnreadableFileError("standard input is closed")
        try:
            self._file: IO[bytes] = click.open_file(name, "rb")
            size = Path(name).stat().st_size if name != STANDARD_INPUT else 0
        except OSError as error:
            raise _UnreadableFileError(error.strerror) from error
        self._bar = None
        if size >= MIN_PROGRESS_SIZE and sys.stderr.isatty() and not sys.stdout.isatty():
            self._bar = click.progressbar(length=size, label=Path(name).name, file=sys.stderr)

    def read(self, size: int) -> bytes:
        """Read at most this number of bytes."""
        try:
            data = self._file.read(size)
        except OSError as error:
            raise _UnreadableFileError(error.strerror) from error
        if self._bar is not None:
            self._bar.update(len(data))
        return data

    def close(self) -> None:
        """Close the file, and end the progress bar."""
        self._file.close()
        if self._bar is not None:
            self._bar.render_finish()


def _format_problem(problem: dict[str, object]) -> str:
    """Format a problem with its place."""
    place = f", line {problem['line']}, column {problem['column']}" if "line" in problem else ""
    return escape_controls(f"{problem['file']}: game {problem['game']}{place}: {problem['problem']}")


def _list(games: PdnFiles, *, as_json: bool) -> None:
    """Print a line for each game."""
    if as_json:
        print_json([{"file": name, "game": number, **_summarize(game)} for name, number, game in games])
        return
    for name, number, game in games:
        prefix = f"{name}: " if len(games.files) > 1 else ""
        summary = _summarize(game)
        players = f"{summary['white']} - {summary['black']}"
        event = [game.tags[tag] for tag in ("Event", "Site", "Date") if game.tags.get(tag, "?").strip("?. ")]
        line = f"{prefix}{number:>4}  {players}  {summary['result']}  {summary['variant']}  {', '.join(event)}"
        click.echo(escape_controls(line.rstrip()))


def _summarize(game: PdnGame) -> dict[str, str]:
    return {
        "white": game.tags.get("White", "?") or "?",
        "black": game.tags.get("Black", "?") or "?",
        "result": game.tags.get("Result", "*"),
        "variant": game.variant.name,
    }


def _convert(games: PdnFiles, target: str) -> None:
    """Print every game in another format; report contradictory results and games that cannot be converted."""
    for name, number, game in games:
        contradiction = find_contradiction(game) if target != FEN else None
        if contradiction is not None:
            games.report(name, number, f"{contradiction}; the tag is used")
        try:
            text = FORMATS[target](game, number)
        except TablemenError as error:
            games.report(name, number, f"not converted: {error}")
        else:
            click.echo(text, nl=not text.endswith("\n"))


def _check(games: PdnFiles, *, as_json: bool) -> None:
    """Print the problems, and the number of games."""
    problems: list[dict[str, object]] = []
    games.on_problem = problems.append if as_json else lambda problem: click.echo(_format_problem(problem))
    for name, number, game in games:
        for missing in game.find_missing():
            games.report(name, number, missing.problem, line=missing.line, column=missing.column)
        for problem in (_find_missing_moves(game), _find_wrong_result(game)):
            if problem is not None:
                games.report(name, number, problem)
    if as_json:
        print_json({"games": games.games, "problems": problems + games.unreadable})
    else:
        found = format_count(games.problems, "problem") if games.problems else "no problems"
        click.echo(f"{format_count(games.games, 'game', spec=',')}, {found}", err=True)


def _find_missing_moves(game: PdnGame) -> str | None:
    """Explain which moves of the main line are missing besides those between move numbers; None if there are none."""
    if UNKNOWN_MOVE in game.moves:
        return f"moves are missing: the main line has {UNKNOWN_MOVE} at ply {game.moves.index(UNKNOWN_MOVE) + 1}"
    plies = game.tags.get("PlyCount", "").strip()
    if plies.isdecimal() and int(plies) != len(game.moves):
        return f"the tag PlyCount says {plies}, but the game has {format_count(len(game.moves), 'ply', 'plies')}"
    is_game = game.start == Position.start(game.variant)  # a problem can have a result without moves
    if not game.moves and is_game and _tag_result(game) is not Result.NONE:
        return f"the game has a result, {game.tags['Result'].strip()}, but no moves"
    return None


def _tag_result(game: PdnGame) -> Result | None:
    """Return the result in the tag Result; None if it is not a valid result."""
    return Result.NONE if game.tags.get("Result", "").strip() in UNKNOWN_VALUES else game.result


def find_contradiction(game: PdnGame) -> str | None:
    """Explain how the tag Result and the result after the moves differ; return None if they agree."""
    by_tag = _tag_result(game)
    written = Result.NONE if game.written_result is None else parse_result(game.written_result)
    if by_tag is written or Result.NONE in (by_tag, written):
        return None
    return f"the tag Result says {game.tags['Result'].strip()}, but the result after the moves is {game.written_result}"


def _find_wrong_result(game: PdnGame) -> str | None:
    """Explain a result that is invalid, contradictory, or differs from the outcome on the board."""
    by_tag, tag = _tag_result(game), game.tags.get("Result", "").strip()
    if by_tag is None:
        return f"the tag Result says {tag}, which is not a result"
    contradiction = find_contradiction(game)
    if contradiction is not None:
        return contradiction
    end = game.end()
    outcome = None if end is None else end.outcome()
    if outcome is None or by_tag is get_result(outcome.winner):
        return None
    is_draw = outcome.winner is None
    actual = f"the game is drawn: {outcome.termination}" if is_draw else get_family(end).describe_outcome(outcome, end)
    missing = "the result is missing" if by_tag is Result.NONE else f"the result is {tag}"
    return f"{missing}, but {actual}"
