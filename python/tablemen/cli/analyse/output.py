"""The output of `tablemen analyse`: text with graphs, JSON, game files and pictures."""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from tablemen.analysis import (
    GameAnalysis,
    Mark,
    MoveAnalysis,
    PositionAnalysis,
    draw_graph,
    draw_svg,
    serialize_game_analysis,
)
from tablemen.analysis.graphs import BLOCK_CHARACTERS
from tablemen.analysis.result import describe, format_score
from tablemen.cli.analyse import STANDARD_INPUT
from tablemen.cli.analyse.input import UTF_8, FileGame
from tablemen.cli.group import CommandUsageError, typed_option
from tablemen.cli.parameters import format_count, format_table
from tablemen.console import escape_controls
from tablemen.errors import TablemenError
from tablemen.family import get_family
from tablemen.outcome import Side

STANDARD_OUTPUT = "-"
STDIN_DEVICE = Path("/dev/stdin")  # resolves to the file that standard input reads, on systems that have it
MAX_LINE_MOVES = 8  # moves shown of each line
NOTABLE_LOSS = 0.03  # show a better move if a move lost this share of the points
WIDTH = 80
PLURALS = {Mark.INACCURACY: "inaccuracies", Mark.MISTAKE: "mistakes", Mark.BLUNDER: "blunders"}


def format_moves(found: PositionAnalysis[Any]) -> Iterator[str]:
    """Yield the evaluation of a position, the proven values of its moves, and the moves with their scores, as lines."""
    yield f"{found.position.variant}, {get_family(found.position).side_name(found.turn)} to move"
    yield f"{describe(found)}."
    if found.endgame is not None:
        yield from found.endgame.describe_moves()
    if not found.lines:
        return
    yield ""
    rows = [
        (str(info.line[0]), str(info.score), str(info.depth), " ".join(map(str, info.line[:MAX_LINE_MOVES])))
        for info in found.lines
    ]
    yield from format_table([("move", "score", "depth", "line"), *rows], "<>><")


def _format_game(analysis: GameAnalysis[Any], encoding: str | None) -> Iterator[str]:
    """Yield the moves of a game, the graph and a summary of both sides, as lines."""
    if analysis.moves:
        rows = [_format_move(each) for each in analysis.moves]
        score = get_family(analysis.start.position).side_name(Side.WHITE)
        yield from format_table([("", "move", score, ""), *rows], "<<><")
        yield ""
        yield draw_graph(analysis, width=WIDTH, ascii_only=not _can_encode(BLOCK_CHARACTERS, encoding))
        yield ""
    yield f"{describe(analysis.moves[-1].after if analysis.moves else analysis.start)}."
    for side in Side:
        yield _format_summary(analysis, side)


def _format_move(each: MoveAnalysis[Any]) -> tuple[str, str, str, str]:
    number, move = str(each).split(" ")
    better = ""
    if each.mark is not None or each.lost_chances >= NOTABLE_LOSS:
        better = f"{each.before.best} is better, {format_score(each.before)}"
    return number, move, format_score(each.after), better


def _format_summary(analysis: GameAnalysis[Any], side: Side) -> str:
    """Format the summary of a side: its moves, marks and average loss."""
    summary = analysis.summary(side)
    counts = ((mark, summary.marks[mark]) for mark in Mark)
    marks = ", ".join(f"{count or 'no'} {mark if count == 1 else PLURALS[mark]}" for mark, count in counts)
    name = get_family(analysis.start.position).side_name(side)
    loss = f"{100 * summary.average_loss:.1f} % of the points lost per move"
    return f"{name}: {format_count(summary.moves, 'move')}, {marks}; {loss}"


def _can_encode(text: str, encoding: str | None) -> bool:
    try:
        text.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


class AnalysisOutput:
    """The targets for analysed games: a game file, pictures, and text or JSON on standard output.

    The constructor refuses targets that would overwrite the input file or each other. If writing to one target fails,
    that is reported, and the other targets are still written.
    """

    def __init__(self, source: str, games: str | None, picture: str | None, *, as_json: bool) -> None:
        if [games, picture, STANDARD_OUTPUT if as_json else None].count(STANDARD_OUTPUT) > 1:
            option = typed_option("--pdn")
            raise CommandUsageError(f"only one of {option} -, --svg - and --json can write to standard output")
        self._games = _check_target("--pdn", games)
        self._picture = _check_target("--svg", picture)
        self._check_overwriting(STDIN_DEVICE if source == STANDARD_INPUT else Path(source))
        self._prints_games, self._prints_picture = games == STANDARD_OUTPUT, picture == STANDARD_OUTPUT
        self.as_json = as_json
        self.count = 0
        self._written = 0
        self.facts: list[dict[str, object]] = []

    def _check_overwriting(self, source: Path) -> None:
        if self._games is not None and _is_same_file(self._games, source):
            raise CommandUsageError(f"{typed_option('--pdn')}: {self._games} is the input file; choose another file")
        if self._picture is None:
            return
        if self._games is not None and _is_picture(self._games, self._picture):
            option = typed_option("--pdn")
            raise CommandUsageError(
                f"--svg {self._picture} would overwrite {option} {self._games}; choose another file"
            )
        if _is_picture(source, self._picture):
            raise CommandUsageError(f"--svg {self._picture} would overwrite the input file; choose another file")

    def add(self, game: FileGame, analysis: GameAnalysis[Any]) -> list[str]:
        """Write and print a game; return the problems."""
        problems = [*self._write(game, analysis), *self._draw(game, analysis)]
        if self.as_json:
            self.facts.append({"game": game.number, "tags": dict(game.tags), **serialize_game_analysis(analysis)})
        elif not (self._prints_games or self._prints_picture):
            lines = (f"Game {game.number}: {game.title}", "", *_format_game(analysis, sys.stdout.encoding))
            text = "\n".join(escape_controls(line) for each in lines for line in each.split("\n"))
            click.echo(("\n" if self.count else "") + text)
        self.count += 1
        return problems

    def _write(self, game: FileGame, analysis: GameAnalysis[Any]) -> Iterator[str]:
        """Write the game: the first truncates the file, later ones append."""
        if self._games is None and not self._prints_games:
            return
        try:
            text = game.annotate(analysis)
        except TablemenError as error:
            yield f"not written: {error}"
            return
        text = f"\n{text}" if self._written else text
        if self._games is None:
            _print_file(text)
        else:
            try:
                with self._games.open("a" if self._written else "w", encoding=UTF_8) as file:
                    file.write(text)
            except OSError as error:
                yield f"this and later games are not written: {_format_error(error, self._games)}"
                self._games = None  # the file may end with an incomplete game
        self._written += 1

    def _draw(self, game: FileGame, analysis: GameAnalysis[Any]) -> Iterator[str]:
        """Write the graph: the first to the given file, later ones to files with a number in their names."""
        if self._picture is None and not self._prints_picture:
            return
        picture = draw_svg(analysis, title=f"Game {game.number}: {game.title}") + "\n"
        if self._picture is None:
            _print_file(picture)
            return
        target = self._picture.with_stem(f"{self._picture.stem}-{game.number}") if self.count else self._picture
        try:
            target.write_text(picture, encoding=UTF_8)
        except OSError as error:
            yield f"graph not written: {_format_error(error, target)}"


def _print_file(text: str) -> None:
    """Write text to standard output in UTF-8, the encoding of the files."""
    with click.open_file(STANDARD_OUTPUT, "w", encoding=UTF_8) as output:
        output.write(text)
        output.flush()


def _format_error(error: OSError, target: Path) -> str:
    """Return why a file could not be written; raise the error if it is a closed pipe."""
    if error.errno == errno.EPIPE:
        raise error
    return f"{target}: {error.strerror or error}"


def _check_target(option: str, name: str | None) -> Path | None:
    """Check that the file of an option can be written, and return its path; None for standard output."""
    if name in (None, STANDARD_OUTPUT):
        return None
    option = typed_option(option)
    target = Path(str(name))
    if not target.parent.is_dir():
        raise CommandUsageError(f"{option}: the folder {target.parent} does not exist")
    if target.is_dir():
        raise CommandUsageError(f"{option}: {target} is a folder, not a file")
    if not os.access(target if target.exists() else target.parent, os.W_OK):
        raise CommandUsageError(f"{option}: {target} is not writable")
    return target


def _is_same_file(one: Path, other: Path) -> bool:
    """Return whether two paths are the same file; files that do not exist are compared by path."""
    if one.exists() and other.exists():
        return one.samefile(other)
    return one.resolve() == other.resolve()


def _is_picture(path: Path, picture: Path) -> bool:
    """Return whether the graph of a game would be written to this path: `picture`, or `picture` with a number."""
    numbered = re.compile(rf"{re.escape(picture.stem)}-[0-9]+{re.escape(picture.suffix)}")
    place = path.resolve()
    if place.parent == picture.parent.resolve() and numbered.fullmatch(place.name):
        return True
    others = (each for each in picture.parent.iterdir() if numbered.fullmatch(each.name))
    return any(_is_same_file(path, each) for each in (picture, *others))
