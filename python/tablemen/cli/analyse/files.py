"""The games of a file, PDN or lines of mancala, to be analysed."""

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
from tablemen.cli.group import BadQuestion
from tablemen.cli.pdn.forms import contradiction
from tablemen.console import visible
from tablemen.draughts import DraughtsRules
from tablemen.draughts.pdn import PdnGame, format_pdn, read_pdn
from tablemen.errors import PdnError
from tablemen.family import get_family
from tablemen.mancala import MancalaRules
from tablemen.mancala.game_record import Record, read_records
from tablemen.outcome import Side

UTF_8 = "utf-8"

_RECORD = re.compile(rb"(?:\xef\xbb\xbf)?\s*[A-Za-z]+:")  # how a file of lines begins: South: Ann


@dataclass(frozen=True)
class Written:
    """A game of a file.

    `analyse` takes what `analyse_game` takes behind the game. `annotate` gives the game as a file has it, with what was
    found, and raises `TablemenError` where that cannot be written.
    """

    number: int
    rules: DraughtsRules | MancalaRules
    tags: Mapping[str, str]
    length: int
    analyse: Callable[..., GameAnalysis[Any]]
    annotate: Callable[[GameAnalysis[Any]], str]

    @property
    def title(self) -> str:
        """Who played, how it ended, and by which rules."""
        players = " - ".join(self.tags.get(get_family(self.rules).side_name(side)) or "?" for side in Side)
        return f"{players}  {self.tags.get('Result', '*')}  {self.rules.name}"


def _of_pdn(number: int, game: PdnGame) -> Written:
    def annotate(analysis: GameAnalysis[Any]) -> str:
        return format_pdn(annotate_pdn(game, analysis))

    return Written(number, game.variant, game.tags, len(game.nodes), partial(analyse_pdn, game), annotate)


def _of_record(number: int, record: Record) -> Written:
    game, tags = record
    annotate = partial(annotate_record, game, tags)
    return Written(number, game.start.variant, tags, len(game.moves), partial(analyse_game, game), annotate)


class GameFile:
    """The games of a file, or the one with a number; those that cannot be read are told, and counted."""

    def __init__(
        self, name: str, variant: DraughtsRules | MancalaRules | None, encoding: str, number: int | None
    ) -> None:
        self.name = name
        self.variant = variant
        self.encoding = encoding
        self.number = number
        self.problems = 0
        read_pdn(io.BytesIO(), encoding=encoding)  # refuses an encoding that there is not

    def __iter__(self) -> Iterator[Written]:
        if self.name == STANDARD_INPUT and sys.stdin is None:
            raise BadQuestion("standard input is closed")
        try:
            with click.open_file(self.name, "rb") as file:
                data = file.read()
        except OSError as error:
            raise BadQuestion(f"{self.name}: {error.strerror}") from error
        is_lines = isinstance(self.variant, MancalaRules) or (self.variant is None and _RECORD.match(data))
        for written in self._read_lines(data) if is_lines else self._read_pdn(data):
            if self.number in (None, written.number):
                yield written
            if written.number == self.number:
                return

    def tell(self, problem: str) -> None:
        """Tells of a problem, and counts it."""
        self.problems += 1
        self.mention(problem)

    def mention(self, what: str) -> None:
        """Tells of something that is worth knowing and no problem."""
        click.echo(visible(f"{self.name}: {what}"), err=True)

    def _read_pdn(self, data: bytes) -> Iterator[Written]:
        def on_error(error: PdnError) -> None:
            if self.number in (None, error.game):
                self.tell(str(error))

        variant = self.variant if isinstance(self.variant, DraughtsRules) else None
        with read_pdn(io.BytesIO(data), variant=variant, encoding=self.encoding, on_error=on_error) as reader:
            for game in reader:
                written = _of_pdn(reader.games_read, game)
                twice = contradiction(game)
                if twice is not None and self.number in (None, written.number):
                    self.mention(f"game {written.number}: {twice}; the tag counts")
                yield written

    def _read_lines(self, data: bytes) -> Iterator[Written]:
        """The games of a file of lines, each read by itself: a bad one spoils no other."""
        try:
            text = data.decode("utf-8-sig" if self.encoding == UTF_8 else self.encoding)
        except UnicodeDecodeError as error:
            raise BadQuestion(f"{self.name} is not a text: {error}") from error
        variant = self.variant if isinstance(self.variant, MancalaRules) else None
        for number, found in enumerate(read_records(text, variant), 1):
            if isinstance(found, Record):
                yield _of_record(number, found)
            elif self.number in (None, number):
                self.tell(f"game {number}, line {found.line}: {found.problem}")
