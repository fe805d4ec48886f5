"""The games of a file to analyse: PDN, or mancala as lines of text."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import click

from tablemen.analysis import GameAnalysis, analyse_game, analyse_pdn, annotate_pdn, annotate_record
from tablemen.cli.analyse import STANDARD_INPUT
from tablemen.cli.group import CommandUsageError
from tablemen.cli.parameters import reported_for
from tablemen.cli.pdn import find_contradiction
from tablemen.console import escape_controls
from tablemen.draughts.pdn import PdnGame, format_pdn, read_pdn
from tablemen.errors import PdnError
from tablemen.family import get_family
from tablemen.mancala.notation import Record, read_records
from tablemen.outcome import Side

UTF_8 = "utf-8"

_RECORD = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*[A-Za-z]+:"
)  # a file of mancala games begins with a tag, such as South: Ann


@dataclass(frozen=True)
class FileGame:
    """A game of a file.

    `analyse` takes the same arguments as `analyse_game`, without the game. `annotate` returns the text of the annotated
    game for a file; it raises `TablemenError` if the game cannot be written.
    """

    number: int
    game: Any
    rules: Any
    tags: Mapping[str, str]
    length: int
    analyse: Callable[..., GameAnalysis[Any]]
    annotate: Callable[[GameAnalysis[Any]], str]

    @property
    def title(self) -> str:
        """The players, the result and the variant."""
        players = " - ".join(self.tags.get(get_family(self.rules).side_name(side)) or "?" for side in Side)
        return f"{players}  {self.tags.get('Result', '*')}  {self.rules.name}"


class AnalysisInput:
    """The games of a file, or only the one with `number`; unreadable games are reported and counted."""

    def __init__(self, name: str, variant: Any, encoding: str, number: int | None) -> None:
        self.name = name
        self.variant = variant
        self.encoding = encoding
        self.number = number
        self.problems = 0
        with reported_for("--encoding", encoding):
            read_pdn(io.BytesIO(), encoding=encoding)  # raises if the encoding is unknown

    def __iter__(self) -> Iterator[FileGame]:
        if self.name == STANDARD_INPUT and sys.stdin is None:
            raise CommandUsageError("standard input is closed")
        try:
            with click.open_file(self.name, "rb") as file:
                data = file.read()
        except OSError as error:
            raise CommandUsageError(f"{self.name}: {error.strerror}") from error
        for game in self._read_pdn(data) if self._is_pdn(data) else self._read_records(data):
            if self._is_chosen(game.number):
                yield game
            if game.number == self.number:
                return

    def _is_pdn(self, data: bytes) -> bool:
        if self.variant is None:
            return _RECORD.match(data) is None
        return get_family(self.variant).file_suffix == "pdn"

    def report(self, problem: str) -> None:
        """Print a problem, and count it."""
        self.problems += 1
        self._print(problem)

    def _print(self, message: str) -> None:
        click.echo(escape_controls(f"{self.name}: {message}"), err=True)

    def _is_chosen(self, number: int | None) -> bool:
        return self.number in (None, number)

    def _read_pdn(self, data: bytes) -> Iterator[FileGame]:
        def on_error(error: PdnError) -> None:
            if self._is_chosen(error.game):
                self.report(str(error))

        def annotate(game: PdnGame, analysis: GameAnalysis[Any]) -> str:
            return format_pdn(annotate_pdn(game, analysis))

        with read_pdn(io.BytesIO(data), variant=self.variant, encoding=self.encoding, on_error=on_error) as reader:
            for game in reader:
                number, contradiction = reader.games_read, find_contradiction(game)
                for warning in game.warnings if self._is_chosen(number) else ():
                    self._print(str(warning))
                if contradiction is not None and self._is_chosen(number):
                    self._print(f"game {number}: {contradiction}; the tag is used")
                analyse = partial(analyse_pdn, game)
                yield FileGame(number, game, game.variant, game.tags, len(game.nodes), analyse, partial(annotate, game))

    def _read_records(self, data: bytes) -> Iterator[FileGame]:
        """Yield the games of a mancala file; each is parsed separately, so that an error affects only one game."""
        try:
            text = data.decode("utf-8-sig" if self.encoding == UTF_8 else self.encoding)
        except UnicodeDecodeError as error:
            raise CommandUsageError(f"{self.name} is not a text file: {error}") from error
        for number, found in enumerate(read_records(text, self.variant), 1):
            if isinstance(found, Record):
                game, tags = found
                analyse, annotate = partial(analyse_game, game), partial(annotate_record, game, tags)
                yield FileGame(number, game, game.start.variant, tags, len(game.moves), analyse, annotate)
            elif self._is_chosen(number):
                self.report(f"game {number}, line {found.line}: {found.problem}")
