"""Where analysed games go."""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from tablemen.analysis import GameAnalysis, draw_svg, serialize_game_analysis
from tablemen.cli.analyse import STANDARD_INPUT
from tablemen.cli.analyse.files import UTF_8, Written
from tablemen.cli.analyse.forms import list_game
from tablemen.cli.group import BadQuestion
from tablemen.console import visible
from tablemen.errors import TablemenError

STANDARD_OUTPUT = "-"
OPENED_INPUT = Path("/dev/stdin")  # the file that standard input is, where the system tells


class Outputs:
    """Where analysed games go: into a game file, as pictures, to the screen, as JSON.

    Refuses files that would be written over: those with the games, and each other's. One that fails is told, and the
    others go on.
    """

    def __init__(self, source: str, games: str | None, picture: str | None, *, as_json: bool) -> None:
        if [games, picture, STANDARD_OUTPUT if as_json else None].count(STANDARD_OUTPUT) > 1:
            raise BadQuestion("only one of --pdn -, --svg - and --json can go to standard output")
        self.games = _target("--pdn", games)
        self.picture = _target("--svg", picture)
        self._check_targets(OPENED_INPUT if source == STANDARD_INPUT else Path(source))
        self.draws_to_output, self.writes_to_output = picture == STANDARD_OUTPUT, games == STANDARD_OUTPUT
        self.as_json = as_json
        self.count = 0
        self.written = 0
        self.facts: list[dict[str, object]] = []

    def _check_targets(self, source: Path) -> None:
        if self.games is not None and _is_same(self.games, source):
            raise BadQuestion(f"--pdn: {self.games} is the file with the games; write to another")
        if self.picture is None:
            return
        if self.games is not None and _is_picture(self.games, self.picture):
            raise BadQuestion(f"--svg {self.picture} would write over --pdn {self.games}; write to another")
        if _is_picture(source, self.picture):
            raise BadQuestion(f"--svg: {self.picture} would write over the file with the games; write to another")

    def add(self, written: Written, analysis: GameAnalysis[Any]) -> list[str]:
        """Writes a game and tells of it; gives what could not be written, and why."""
        problems = [*self._write(written, analysis), *self._draw(written, analysis)]
        if self.as_json:
            self.facts.append({"game": written.number, "tags": dict(written.tags), **serialize_game_analysis(analysis)})
        elif not (self.draws_to_output or self.writes_to_output):
            lines = (f"Game {written.number}: {written.title}", "", *list_game(analysis, sys.stdout.encoding))
            click.echo(("\n" if self.count else "") + "\n".join(map(visible_lines, lines)))
        self.count += 1
        return problems

    def _write(self, written: Written, analysis: GameAnalysis[Any]) -> Iterator[str]:
        """Adds the game to the file; the first one takes the place of what it had."""
        if self.games is None and not self.writes_to_output:
            return
        try:
            text = written.annotate(analysis)
        except TablemenError as error:
            yield f"not written: {error}"
            return
        text = f"\n{text}" if self.written else text
        if self.games is None:
            _print(text)
        else:
            try:
                with self.games.open("a" if self.written else "w", encoding=UTF_8) as file:
                    file.write(text)
            except OSError as error:
                yield f"not written, nor are those behind it: {_reason(error, self.games)}"
                self.games = None  # half a game may stand there, and nothing can follow that
        self.written += 1

    def _draw(self, written: Written, analysis: GameAnalysis[Any]) -> Iterator[str]:
        """The graph of the first game where it was asked for, others beside it with their numbers."""
        if self.picture is None and not self.draws_to_output:
            return
        picture = draw_svg(analysis, title=f"Game {written.number}: {written.title}") + "\n"
        if self.picture is None:
            _print(picture)
            return
        target = self.picture.with_stem(f"{self.picture.stem}-{written.number}") if self.count else self.picture
        try:
            target.write_text(picture, encoding=UTF_8)
        except OSError as error:
            yield f"not drawn: {_reason(error, target)}"


def _print(text: str) -> None:
    """Writes what is a file to standard output, as it would stand there."""
    with click.open_file(STANDARD_OUTPUT, "w", encoding=UTF_8) as output:
        output.write(text)
        output.flush()


def visible_lines(text: str) -> str:
    """The text without what a terminal would obey, line by line."""
    return "\n".join(map(visible, text.split("\n")))


def _reason(error: OSError, target: Path) -> str:
    """Why a file could not be written; raises the error where only nobody reads on."""
    if error.errno == errno.EPIPE:
        raise error
    return f"{target}: {error.strerror or error}"


def _target(option: str, name: str | None) -> Path | None:
    """The file of an option, which can be written: rather no analysis than one that cannot be kept."""
    if name in (None, STANDARD_OUTPUT):
        return None
    target = Path(str(name))
    if not target.parent.is_dir() or target.is_dir():
        raise BadQuestion(f"{option}: {target} is no file in a folder that there is")
    if not os.access(target if target.exists() else target.parent, os.W_OK):
        raise BadQuestion(f"{option}: {target} may not be written")
    return target


def _is_same(one: Path, other: Path) -> bool:
    """Whether both are one file, or will be."""
    if one.exists() and other.exists():
        return one.samefile(other)
    return one.resolve() == other.resolve()


def _is_picture(path: Path, picture: Path) -> bool:
    """Whether a picture may be written there: the first, or one with a number."""
    numbered = re.compile(rf"{re.escape(picture.stem)}-[0-9]+{re.escape(picture.suffix)}")
    place = path.resolve()
    if place.parent == picture.parent.resolve() and numbered.fullmatch(place.name):
        return True
    others = (each for each in picture.parent.iterdir() if numbered.fullmatch(each.name))
    return any(_is_same(path, each) for each in (picture, *others))
