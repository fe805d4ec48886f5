"""The games of PDN files, and what is wrong with them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import IO

import click

from tablemen.console import visible
from tablemen.draughts import DraughtsRules
from tablemen.draughts.pdn import PdnGame, read_pdn
from tablemen.errors import PdnError

LARGE = 5_000_000  # bytes from which on a bar shows how far it has come
STANDARD_INPUT = "-"


class Source:
    """The games of all files, and the problems met on the way."""

    def __init__(self, files: tuple[str, ...], variant: DraughtsRules | None, encoding: str) -> None:
        self.files = files
        self.variant = variant
        self.encoding = encoding
        self.games = 0
        self.problems = 0
        self.unreadable: list[dict[str, object]] = []
        self.on_problem: Callable[[dict[str, object]], None] = lambda problem: click.echo(sentence(problem), err=True)

    def __iter__(self) -> Iterator[tuple[str, int, PdnGame]]:
        """File, number and game of each."""
        for name in self.files:
            try:
                yield from self._games_of(name)
            except UnreadableError as error:
                self.problems += 1
                self.unreadable.append({"file": name, "problem": f"cannot be read: {error}"})
                click.echo(visible(f"{name}: cannot be read: {error}"), err=True)

    def _games_of(self, name: str) -> Iterator[tuple[str, int, PdnGame]]:
        with WatchedFile(name) as file:
            on_error = partial(self.tell_error, name)
            reader = read_pdn(file, variant=self.variant, encoding=self.encoding, on_error=on_error)
            try:
                for game in reader:
                    self.games += 1
                    yield name, reader.games_read, game
            except PdnError as error:
                raise UnreadableError(error.problem) from error

    @property
    def status(self) -> int:
        """How the command ends: 2 where nothing could be read, 1 where something was wrong."""
        if len(self.unreadable) == len(self.files):
            return 2
        return 1 if self.problems else 0

    def tell_error(self, name: str, error: PdnError) -> None:
        """Tells of a game that cannot be read."""
        self.games += 1
        place = {"line": error.line, "column": error.column}
        self.tell({"file": name, "game": error.game, **place, "problem": error.problem})

    def tell(self, problem: dict[str, object]) -> None:
        """Tells of a problem, and counts it."""
        self.problems += 1
        self.on_problem(problem)


def sentence(problem: dict[str, object]) -> str:
    """A problem in words, with its place."""
    place = f", line {problem['line']}, column {problem['column']}" if "line" in problem else ""
    return visible(f"{problem['file']}: game {problem['game']}{place}: {problem['problem']}")


class UnreadableError(Exception):
    """A file that cannot be read, or no further; what is wrong with it, in words."""


class WatchedFile:
    """A file that moves a bar on the terminal while it is read, if it is large."""

    def __init__(self, name: str) -> None:
        if name == STANDARD_INPUT and sys.stdin is None:
            raise UnreadableError("standard input is closed")
        try:
            self.file: IO[bytes] = click.open_file(name, "rb")
            size = Path(name).stat().st_size if name != STANDARD_INPUT else 0
        except OSError as error:
            raise UnreadableError(error.strerror) from error
        self.bar = None
        if size >= LARGE and sys.stderr.isatty() and not sys.stdout.isatty():
            self.bar = click.progressbar(length=size, label=Path(name).name, file=sys.stderr)

    def read(self, size: int) -> bytes:
        """The next bytes, so many at most; raises `UnreadableError`."""
        try:
            data = self.file.read(size)
        except OSError as error:
            raise UnreadableError(error.strerror) from error
        if self.bar is not None:
            self.bar.update(len(data))
        return data

    def __enter__(self) -> IO[bytes]:
        return self  # type: ignore[return-value]

    def __exit__(self, *_error: object) -> None:
        self.file.close()
        if self.bar is not None:
            self.bar.render_finish()
