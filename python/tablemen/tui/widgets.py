"""Panels and dialogs of the full-screen interface."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import Click
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Label, Static

from tablemen.analysis.analyse import endgame_score
from tablemen.analysis.win_probability import win_probability
from tablemen.clock import format_time
from tablemen.console import escape_controls
from tablemen.errors import GameError, TablemenError
from tablemen.family import Family, get_family
from tablemen.game import Game
from tablemen.outcome import Side
from tablemen.players import HumanPlayer, Player
from tablemen.players.engine import EnginePlayer
from tablemen.search import Analysis, Limit, Score, Searcher
from tablemen.session import Session, describe_player
from tablemen.threads import run_in_daemon_thread

CLOSE: list[BindingType] = [Binding("escape", "close", "Close", show=False)]
TURN = "▶"
EVALUATION_LIMIT = Limit(nodes=60_000)  # takes about 0.01 s
TABLE_MB = 8
MAX_ROW = 3  # maximum number of answers in a row


class ChoiceDialog(ModalScreen[str | None]):
    """A question with a button for every answer. The result is the answer, or None if the dialog is cancelled."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *CLOSE,
        Binding("left,up", "app.focus_previous", show=False),
        Binding("right,down", "app.focus_next", show=False),
    ]

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (72, "-wide")]  # noqa: RUF012 - as textual declares it

    def __init__(self, question: str, answers: Sequence[str], note: str = "") -> None:
        super().__init__()
        self.question = question
        self.answers = answers
        self.note = note

    def compose(self) -> ComposeResult:
        """Lay out the question and the buttons."""
        with Vertical(classes="dialog"):
            yield Label(self.question, classes="question", markup=False)
            is_long = len(self.answers) > MAX_ROW  # in a row they would be wider than a window of 80 columns
            with Horizontal(classes="answers list" if is_long else "answers"):
                for answer in self.answers:
                    is_first = answer == self.answers[0]
                    yield Button(answer, variant="primary" if is_first else "default", compact=is_long)
            if self.note:
                yield Label(self.note, classes="aside note", markup=False)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Return the answer."""
        self.dismiss(str(event.button.label))

    def action_close(self) -> None:
        """Return None."""
        self.dismiss(None)


class TextDialog(ModalScreen[str | None]):
    """A question that is answered with a line of text.

    `check` returns the problem of an answer, or None. The result is the answer, or None if the dialog is cancelled.
    """

    BINDINGS: ClassVar[list[BindingType]] = CLOSE

    def __init__(self, question: str, proposed: str, check: Callable[[str], str | None] = lambda _: None) -> None:
        super().__init__()
        self.question = question
        self.proposed = proposed
        self.check = check

    def compose(self) -> ComposeResult:
        """Lay out the question and the input."""
        with Vertical(classes="dialog"):
            yield Label(self.question, classes="question", markup=False)
            yield Input(self.proposed, select_on_focus=False)
            yield Static("", id="problem", markup=False)
            yield Label("Enter to confirm, Escape to cancel", classes="aside")

    def on_mount(self) -> None:
        """Hide the line for problems."""
        self.query_one("#problem").display = False

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Return the answer, or show its problem."""
        text = event.value.strip()
        problem = self.check(text) if text else None
        self.query_one("#problem", Static).update(escape_controls(problem or ""))
        self.query_one("#problem").display = problem is not None
        if problem is None:
            self.dismiss(text or None)

    def action_close(self) -> None:
        """Return None."""
        self.dismiss(None)


class HelpDialog(ModalScreen[None]):
    """A dialog with a page of text."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,space,q,question_mark", "close", "Close", show=False)
    ]

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def compose(self) -> ComposeResult:
        """Lay out the text."""
        with VerticalScroll(classes="dialog help"):
            yield Static(self.text)
            yield Label("Press Escape to close.", classes="aside")

    @on(Click)
    def action_close(self) -> None:
        """Close the page."""
        self.dismiss()


FULL, EMPTY = "█", "░"
EVEN = str(Score(0.0))


def player_name(player: Player, *, alone: bool) -> str:
    """Return a short name of a player; a person who plays `alone`, against a computer, is "you"."""
    if isinstance(player, HumanPlayer):
        return "you" if alone else "player"
    if isinstance(player, EnginePlayer):
        program, *words = player.address.split()
        return escape_controls(" ".join((Path(program).name, *words)))
    return describe_player(player).removeprefix("computer, ")


def describe_side(session: Session, side: Side) -> str:
    """Describe a side and its player: `White, you`."""
    alone = not all(map(session.is_person, Side))
    name = session.family.side_name(side)
    player = player_name(session.players[side], alone=alone)
    return name if player == "player" else f"{name}, {player}"


class PlayerLine(Static):
    """A line about a side: its player, captures and time, and a mark if it is to move."""

    def show(self, session: Session, side: Side, game: Game[Any, Any]) -> None:
        """Show a side of a session in a position of its game."""
        is_turn = game.outcome() is None and game.position.turn is side
        left, used = session.clock.left(side), session.clock.used(side)
        time = format_time(used if left is None else left)
        captures = session.family.describe_captures(game, side)
        is_tall = self.size.height > 1
        beside = "" if is_tall or not captures else f"{captures}  "
        line = Text(f"{TURN if is_turn else ' '} {describe_side(session, side)}", style="bold" if is_turn else "")
        room = self.size.width - len(beside) - len(time)
        line.truncate(max(room - 1, 0), overflow="ellipsis")
        line.pad_right(max(room - line.cell_len, 1))
        line.append(beside)
        line.append(time, style="bold reverse" if is_turn and left is not None else "")
        if is_tall:
            line.append(f"\n  {captures}", style="not bold")
        self.update(line)


class MoveList(VerticalScroll, can_focus=False):
    """The moves of the game in two columns."""

    def compose(self) -> ComposeResult:
        """Create one widget for the text of all moves."""
        yield Static(id="written")

    def show(self, game: Game[Any, Any], ply: int, signs: Mapping[int, str]) -> None:
        """List the moves under the names of the sides, with the one before the shown position in bold.

        `signs` are the signs of bad moves, by the index of the move.
        """
        first, family = game.start.turn, get_family(game.start)
        names = family.side_name(first), family.side_name(first.opponent)
        rows = _move_rows(game)
        texts = [[" ".join(f"{game.moves[i]}{signs.get(i, '')}" for i in cell) for cell in row] for row in rows]
        number = len(str(max(len(rows), 1))) + 1
        width = max(map(len, (names[0], *(one for one, _ in texts))))
        text = Text(f"{'':{number}} {names[0]:<{width}}  {names[1]}", style="bold")
        shown = 0
        for place, (row, cells) in enumerate(zip(rows, texts, strict=True), start=1):
            text.append(f"\n{f'{place}.':>{number}} ", style="dim")
            for indices, cell, room in zip(row, cells, (width + 2, 0), strict=True):
                is_shown = ply - 1 in indices
                text.append(f"{cell:<{room}}", style="bold" if is_shown else "not bold")
                shown = place if is_shown else shown
        self.query_one("#written", Static).update(text)
        if ply == len(game.moves):
            self.scroll_end(animate=False)
        else:
            self.scroll_to(y=shown - self.size.height // 2, animate=False)


def _move_rows(game: Game[Any, Any]) -> list[tuple[list[int], list[int]]]:
    """Return rows with the indices of the moves of both sides; a cell has several moves if a side moved again."""
    first = game.start.turn
    rows: list[tuple[list[int], list[int]]] = []
    last = first.opponent
    for index, position in enumerate(game.positions[:-1]):
        if position.turn is first and last is not first:
            rows.append(([], []))
        rows[-1][position.turn is not first].append(index)
        last = position.turn
    return rows


def format_score(score: Score, turn: Side, family: Family) -> str:
    """Format a score of the side to move with the name of the side that leads: `White +0.3`."""
    leader = turn if score.value > 0 else turn.opponent
    text = str(replace(score, value=abs(score.value))).replace("win", "wins")
    return "even" if text == EVEN else text if score.is_draw else f"{family.side_name(leader)} {text}"


def _probe_score(game: Game[Any, Any]) -> Score | None:
    """Return the score that a tablebase proves; None if it has none, or a draw rule may end the game first."""
    try:
        endgame = get_family(game.position).probe_endgame(game)
    except (TablemenError, OSError):  # the hint and the analysis report a damaged file
        return None
    return None if endgame is None or endgame.drawn_by else endgame_score(endgame.wdl, endgame.distance)


class EvaluationBar(Static):
    """A bar with the winning chances of the side at the bottom, and the score.

    The score is that of a tablebase or of a short search, in a thread.
    """

    def __init__(self, session: Session, **settings: Any) -> None:
        super().__init__(**settings)
        self.session = session
        self.game = session.game  # the game up to the shown position
        self.score: tuple[Game[Any, Any], Score | None] | None = None  # the last evaluated game, and its score
        self._searcher = Searcher(table_mb=TABLE_MB)
        self._wanted: Game[Any, Any] | None = None
        self._analysis: Analysis[Any] | None = None
        self._is_searching = False

    def show(self, game: Game[Any, Any] | None = None) -> None:
        """Show the score of a game, by default that of the last call, or search for it."""
        self.game = self.game if game is None else game
        if not self.display:
            return
        if self.score is None or self.score[0] != self.game:
            self._draw(0, "…")
            self._evaluate()
            return
        game, score = self.score
        near = self.session.orientation
        if score is None:
            outcome = game.outcome()
            winner = None if outcome is None else outcome.winner
            self._draw(0.5 if winner is None else float(winner is near), "game over")
            return
        chances = win_probability(score, self.session.family.score_scale)
        turn = game.position.turn
        self._draw(chances if turn is near else 1 - chances, format_score(score, turn, self.session.family))

    def _draw(self, chances: float, text: str) -> None:
        room = max(self.size.width - len(text) - 1, 0)
        filled = round(room * chances)
        self.update(f"{FULL * filled}{EMPTY * (room - filled)} {text}" if room else text)

    @work(group="evaluation")
    async def _evaluate(self) -> None:
        """Search the current game, and stop a search of an older one."""
        if self._is_searching and self._wanted == self.game:
            return
        self._wanted = self.game.copy()
        self.stop()
        if self._is_searching:
            return  # the running worker continues with the new game
        self._is_searching = True
        try:
            while (game := self._wanted) is not None:
                score = await self._search(game)
                if self._wanted is game:
                    self._wanted = None
                    self.set_score(game, score)
        finally:
            self._is_searching = False

    async def _search(self, game: Game[Any, Any]) -> Score | None:
        if game.outcome():
            return None
        proven = await run_in_daemon_thread(lambda: _probe_score(game))
        if proven is not None:
            return proven
        try:
            self._analysis = self._searcher.analyse(game, EVALUATION_LIMIT)
        except GameError:  # the core does not support the family
            self.display = False
            self._wanted = None
            return None
        return (await run_in_daemon_thread(self._analysis.result)).score

    def set_score(self, game: Game[Any, Any], score: Score | None) -> None:
        """Show a score for the side to move of a game; None if the game is over."""
        if self.is_attached:  # a search may end while the screen is being removed
            self.score = (game, score)
            self.show()

    def stop(self) -> None:
        """Stop the search."""
        if self._analysis is not None:
            self._analysis.stop()
