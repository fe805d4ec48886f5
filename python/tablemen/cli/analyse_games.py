"""The games of a file, analysed one after the other."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, Self

import click

from tablemen.analysis import GameAnalysis, MoveAnalysis, draw_svg, game_facts
from tablemen.analysis.game import USUAL_LIMIT
from tablemen.cli.analyse import new_searcher
from tablemen.cli.analyse_files import UTF_8, GameFile, Written
from tablemen.cli.analyse_forms import list_game
from tablemen.cli.group import BadQuestion, Signals
from tablemen.cli.parameters import print_json
from tablemen.cli.pdn_forms import visible
from tablemen.errors import TablemenError
from tablemen.families import find_variant
from tablemen.search import Limit

STANDARD_OUTPUT = "-"


def analyse_games(
    name: str,
    outputs: Outputs,
    limit: Limit | None,
    threads: int,
    signals: Signals,
    *,
    number: int | None,
    variant: str | None,
    encoding: str | None,
) -> int:
    """Analyses the games of a file, or one of them, and gives the status of the command."""
    file = GameFile(name, None if variant is None else find_variant(variant), encoding or UTF_8, number)
    try:
        for written in file:
            with _Display(written) as display:
                analysis = written.analyse(limit or USUAL_LIMIT, searcher=new_searcher(threads), on_move=display.show)
            with signals.held():  # a game is told and written, or neither
                problem = outputs.add(written, analysis)
            if problem is not None:
                file.tell(f"game {written.number}: not written: {problem}")
    finally:
        if outputs.as_json and (outputs.count or file.problems):
            print_json(outputs.facts)
    if not outputs.count and not file.problems:
        raise BadQuestion(f"{name} has no games" if number is None else f"{name} has no game {number}")
    return 1 if file.problems else 0


class Outputs:
    """Where analysed games go: to the screen, as JSON, into a game file, and as pictures."""

    def __init__(self, source: str, games: str | None, picture: str | None, *, as_json: bool) -> None:
        for option, name in (("--pdn", games), ("--svg", picture)):
            if name not in (None, STANDARD_OUTPUT):
                _check_target(option, Path(str(name)), Path(source))
        if [games, picture, "-" if as_json else None].count(STANDARD_OUTPUT) > 1:
            raise BadQuestion("only one of --pdn -, --svg - and --json can go to standard output")
        self.games = games
        self.picture = picture
        self.as_json = as_json
        self.is_quiet = STANDARD_OUTPUT in (games, picture)
        self.count = 0
        self.facts: list[dict[str, object]] = []
        self.written = 0

    def add(self, written: Written, analysis: GameAnalysis[Any]) -> str | None:
        """Tells of a game and writes it; says why where it cannot be written."""
        if self.as_json:
            self.facts.append({"game": written.number, "tags": dict(written.tags), **game_facts(analysis)})
        elif not self.is_quiet:
            lines = (f"Game {written.number}: {written.title}", "", *list_game(analysis, sys.stdout.encoding))
            click.echo(("\n" if self.count else "") + "\n".join(map(visible_lines, lines)))
        if self.picture is not None:
            self._draw(written, analysis)
        problem = self._write(written, analysis)
        self.count += 1
        return problem

    def _write(self, written: Written, analysis: GameAnalysis[Any]) -> str | None:
        """Adds the game to the file; the first one takes the place of what it had."""
        if self.games is None:
            return None
        try:
            text = written.annotate(analysis)
        except TablemenError as error:
            return str(error)
        with click.open_file(self.games, "a" if self.written else "w", encoding=UTF_8) as file:
            file.write(f"\n{text}" if self.written else text)
        self.written += 1
        return None

    def _draw(self, written: Written, analysis: GameAnalysis[Any]) -> None:
        """The graph of the first game where it was asked for, others beside it with their numbers."""
        picture = draw_svg(analysis, title=f"Game {written.number}: {written.title}") + "\n"
        if self.picture == STANDARD_OUTPUT:
            click.echo(picture, nl=False)
            return
        path = Path(str(self.picture))
        target = path if not self.count else path.with_stem(f"{path.stem}-{written.number}")
        target.write_text(picture, encoding=UTF_8)


def visible_lines(text: str) -> str:
    """The text without what a terminal would obey, line by line."""
    return "\n".join(map(visible, text.split("\n")))


def _check_target(option: str, target: Path, source: Path) -> None:
    """That a file can be written: rather no analysis than one that cannot be kept."""
    if not target.parent.is_dir() or target.is_dir():
        raise BadQuestion(f"{option}: {target} is no file in a folder that there is")
    if not os.access(target if target.exists() else target.parent, os.W_OK):
        raise BadQuestion(f"{option}: {target} may not be written")
    if target.exists() and source.exists() and target.samefile(source):
        raise BadQuestion(f"{option}: {target} is the file with the games; write to another")


class _Display:
    """A line on standard error that says how far it has come, where that is a terminal, and is gone in the end."""

    def __init__(self, written: Written) -> None:
        self.written = written
        self.is_shown = sys.stderr.isatty()
        self.width = 0

    def __enter__(self) -> Self:
        self._write(f"game {self.written.number}: {self.written.length} moves")
        return self

    def __exit__(self, *_error: object) -> None:
        self._write("")
        self._write("\r")

    def show(self, each: MoveAnalysis[Any]) -> None:
        """Writes the line anew."""
        self._write(f"game {self.written.number}: move {each.index + 1} of {self.written.length}")

    def _write(self, line: str) -> None:
        if self.is_shown:
            click.echo(f"\r{line:<{self.width}}", nl=False, err=True)
            self.width = len(line)
