"""What stands beside the board: players and their clocks, the moves, and who stands better."""

from __future__ import annotations

from typing import Any

from rich.text import Text
from textual.containers import VerticalScroll
from textual.widgets import Static

from tablemen.clock import format_time
from tablemen.game import Game
from tablemen.outcome import Side
from tablemen.session import Session
from tablemen.tui.words import captured_text, move_rows, seat_name

TURN = "▶"
FULL, EMPTY = "█", "░"


class PlayerLine(Static):
    """A player: who it is, what it has won, its time, and whether it is to move."""

    def show(self, session: Session, side: Side) -> None:
        """Says all that of a side."""
        game = session.game
        is_turn = game.outcome() is None and game.position.turn is side
        left, used = session.clock.left(side), session.clock.used(side)
        time = format_time(used if left is None else left)
        won = captured_text(game, side)
        is_tall = self.size.height > 1
        beside = "" if is_tall or not won else f"{won}  "
        line = Text(f"{TURN if is_turn else ' '} {seat_name(session, side)}", style="bold" if is_turn else "")
        room = self.size.width - len(beside) - len(time)
        line.truncate(max(room - 1, 0), overflow="ellipsis")
        line.pad_right(max(room - line.cell_len, 1))
        line.append(beside)
        line.append(time, style="bold reverse" if is_turn and left is not None else "")
        if is_tall:
            line.append(f"\n  {won}", style="not bold")
        self.update(line)


class MoveList(VerticalScroll, can_focus=False):
    """The moves of the game in two columns."""

    def compose(self) -> Any:
        """One text for all of them."""
        yield Static(id="written")

    def show(self, game: Game[Any, Any], names: tuple[str, str]) -> None:
        """Lists the moves under the names of the sides, the last one marked."""
        rows = move_rows(game)
        number = len(str(max(len(rows), 1))) + 1
        width = max(map(len, (names[0], *(row[0] for row in rows))))
        text = Text(f"{'':{number}} {names[0]:<{width}}  {names[1]}", style="bold")
        for place, (one, other) in enumerate(rows, start=1):
            text.append(f"\n{f'{place}.':>{number}} ", style="dim")
            is_last = place == len(rows)
            text.append(f"{one:<{width}}  ", style="bold" if is_last and not other else "not bold")
            text.append(other, style="bold" if is_last and other else "not bold")
        self.query_one("#written", Static).update(text)
        self.scroll_end(animate=False)


class EvaluationBar(Static):
    """Who stands better: a bar of the chances of the side at the bottom, and the score."""

    def show(self, chances: float | None, text: str) -> None:
        """Shows chances from 0 to 1; None while nothing is known."""
        room = max(self.size.width - len(text) - 1, 0)
        filled = 0 if chances is None else round(room * chances)
        self.update(f"{FULL * filled}{EMPTY * (room - filled)} {text}")
