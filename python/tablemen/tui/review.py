"""A finished game that is looked through move by move, and its analysis in a thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tablemen.analysis import Mark, MoveAnalysis, PositionAnalysis, analyse_game
from tablemen.analysis.analyse import DEFAULT_GAME_LIMIT
from tablemen.family import get_family
from tablemen.game import Game
from tablemen.search import Limit
from tablemen.threads import run_in_daemon_thread
from tablemen.tui.widgets import format_score

ANALYSIS_LIMIT: Limit = DEFAULT_GAME_LIMIT  # for each position


def _format_count(number: int, mark: Mark) -> str:
    plural = {Mark.INACCURACY: "inaccuracies"}.get(mark, f"{mark}s")
    return f"{number} {mark if number == 1 else plural}"


class _CancelledError(Exception):
    """Raised in the thread of an analysis to end it."""


class GameReview:
    """The position of a game that is shown, and the analysed moves so far."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self.whole = game.copy()
        self.game = game  # up to the shown position
        self.ply = len(game.moves)
        self.moves: list[MoveAnalysis[Any]] = []
        self.is_analysing = False
        self._is_cancelled = False

    @property
    def length(self) -> int:
        """The number of moves."""
        return len(self.whole.moves)

    @property
    def is_at_end(self) -> bool:
        """Whether the last position is shown."""
        return self.ply == self.length

    @property
    def is_analysed(self) -> bool:
        """Whether all moves are analysed."""
        return 0 < self.length == len(self.moves)

    @property
    def shown(self) -> PositionAnalysis[Any] | None:
        """The analysis of the shown position, if it is known."""
        if self.ply < len(self.moves):
            return self.moves[self.ply].before
        return self.moves[-1].after if 0 < self.ply == len(self.moves) else None

    def go_to(self, ply: int) -> None:
        """Show the position after a number of moves, limited to those of the game."""
        self.ply = min(max(ply, 0), self.length)
        self.game = self.whole if self.is_at_end else Game(self.whole.start, self.whole.moves[: self.ply])

    def describe(self) -> str:
        """Describe the shown position: the last move and, if they are known, the score and the best move."""
        family = get_family(self.whole.start)
        if not self.ply:
            text = f"Start of {self.length} moves."
        else:
            sign = self._mark(self.ply - 1)
            text = f"Move {self.ply} of {self.length}: {family.describe_last_move(self.game)}{sign}."
            if sign:
                text += f" Better was {self.moves[self.ply - 1].before.best}."
        known = self.shown
        if known is None or known.best is None:
            return text
        if known.endgame is not None:
            return f"{text} Best is {known.best}: {known.endgame.describe(family.side_name(known.turn))}."
        score = format_score(known.score, known.turn, family)
        return f"{text} {score[0].upper()}{score[1:]}, best is {known.best}."

    def signs(self) -> dict[int, str]:
        """Return the signs of bad moves, such as `??`, by the index of the move."""
        return {index: sign for index in range(len(self.moves)) if (sign := self._mark(index))}

    def _mark(self, index: int) -> str:
        mark = self.moves[index].mark if index < len(self.moves) else None
        return "" if mark is None else str(mark.value)

    def summarise(self) -> str:
        """Count the bad moves of each side, as in `White: 2 mistakes, 1 blunder. Black: no bad moves.`.

        The analysis must be complete.
        """
        family = get_family(self.whole.start)
        counts = []
        for side in family.sides:
            marks = [each.mark for each in self.moves if each.turn is side and each.mark is not None]
            found = [_format_count(marks.count(mark), mark) for mark in Mark if mark in marks]
            counts.append(f"{family.side_name(side)}: {', '.join(found) or 'no bad moves'}")
        return f"{'. '.join(counts)}."

    async def analyse(self, on_move: Callable[[MoveAnalysis[Any]], object]) -> None:
        """Analyse all moves in a thread, until `cancel`; `on_move` is called in that thread.

        Raises `GameError` if the search does not support the family.
        """
        self.moves.clear()
        self._is_cancelled = False
        self.is_analysing = True

        def check(analysed: MoveAnalysis[Any]) -> None:
            if self._is_cancelled:
                raise _CancelledError
            on_move(analysed)

        try:
            await run_in_daemon_thread(lambda: analyse_game(self.whole, ANALYSIS_LIMIT, on_move=check))
        except _CancelledError:
            return
        finally:
            self.is_analysing = False

    def cancel(self) -> None:
        """End the analysis after the current position, which takes a fraction of a second."""
        self._is_cancelled = True
