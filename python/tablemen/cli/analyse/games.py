"""The games of a file, analysed one after the other."""

from __future__ import annotations

import sys
from typing import Any, Self

from tablemen.analysis import MoveAnalysis
from tablemen.analysis.analyse import DEFAULT_GAME_LIMIT
from tablemen.cli.analyse import new_searcher
from tablemen.cli.analyse.files import UTF_8, GameFile, Written
from tablemen.cli.analyse.outputs import Outputs
from tablemen.cli.group import BadQuestion, Signals
from tablemen.cli.parameters import print_json
from tablemen.cli.status_line import StatusLine
from tablemen.family import find_variant
from tablemen.search import Limit


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
                analysis = written.analyse(
                    limit or DEFAULT_GAME_LIMIT, searcher=new_searcher(threads), on_move=display.show
                )
            with signals.held():  # a game is told and written, or neither
                for problem in outputs.add(written, analysis):
                    file.tell(f"game {written.number}: {problem}")
    finally:
        if outputs.as_json and (outputs.count or file.problems):
            print_json(outputs.facts)
    if not outputs.count and not file.problems:
        raise BadQuestion(f"{name} has no games" if number is None else f"{name} has no game {number}")
    return 1 if file.problems else 0


class _Display(StatusLine):
    """Says at which move of a game it is, where standard error is a terminal."""

    def __init__(self, written: Written) -> None:
        super().__init__()
        self.written = written
        self.is_shown = sys.stderr.isatty()

    def __enter__(self) -> Self:
        self._tell(f"{self.written.length} moves")
        return self

    def show(self, each: MoveAnalysis[Any]) -> None:
        """Writes the line anew."""
        self._tell(f"move {each.index + 1} of {self.written.length}")

    def _tell(self, how_far: str) -> None:
        if self.is_shown:
            self.write(f"game {self.written.number}: {how_far}")
