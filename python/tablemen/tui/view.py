"""What is seen of a game: the board, and beside or below it the rest."""

from __future__ import annotations

from typing import Any, cast

from textual import work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Footer, Input, Static

from tablemen.analysis.chances import winning_chances
from tablemen.draughts import DraughtsRules
from tablemen.game import Game
from tablemen.move_input import MoveInput
from tablemen.search import Score
from tablemen.session import Session
from tablemen.tui.board import Board, View
from tablemen.tui.draughts_board import DraughtsBoard
from tablemen.tui.evaluator import Evaluator
from tablemen.tui.mancala_board import MancalaBoard
from tablemen.tui.panels import EvaluationBar, MoveList, PlayerLine

PARTS = ("#board", "#far", "#moves", "#near", "#meter", "#message")  # what is shown anew when something happens


class TableView(Screen[None]):
    """Shows a session; who plays it comes on top of that."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (78, "-wide"), (116, "-broad")]  # noqa: RUF012 - as textual declares it
    VERTICAL_BREAKPOINTS = [(0, "-short"), (20, "-tall")]  # noqa: RUF012

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.picking = MoveInput.for_game(session.game)
        self.hint: Any = None
        self.score: tuple[Game[Any, Any], Score | None] | None = None
        self.evaluator = Evaluator(self._show_score)

    def compose(self) -> ComposeResult:
        """The board, and beside or below it who plays, what was played, and what can be said."""
        kind = DraughtsBoard if isinstance(self.session.game.position.variant, DraughtsRules) else MancalaBoard
        with Horizontal(id="table"):
            yield kind(View(self.session.game), id="board")
            with Vertical(id="panel"):
                yield Static(str(self.session.game.position.variant), id="title")
                yield PlayerLine(id="far")
                yield MoveList(id="moves")
                yield PlayerLine(id="near")
                yield EvaluationBar(id="meter")
                yield Static(id="message", markup=False)  # it may name files, and what was typed
                yield Input(id="typed", placeholder="or type a move here", compact=True, select_on_focus=False)
        yield Footer()

    @property
    def is_open(self) -> bool:
        """Whether there is something to show things on; a search may end while the screen is taken down."""
        return self.is_attached and len(self.query(", ".join(PARTS))) == len(PARTS)

    @property
    def board(self) -> Board:
        """The board."""
        return cast("Board", self.query_one("#board"))

    def on_resize(self) -> None:
        """Everything in its new place."""
        self.call_after_refresh(self.show)

    def show(self) -> None:
        """Shows the game as it is now."""
        session = self.session
        picking = self.picking if session.is_person(session.game.position.turn) else MoveInput(())
        self.board.show(View(session.game, session.orientation, picking, self.hint))
        self._show_clocks()
        first = session.game.start.turn
        self.query_one(MoveList).show(
            session.game, (session.family.side_name(first), session.family.side_name(first.opponent))
        )
        self._show_meter()

    def say(self, text: str, *, is_wrong: bool = False) -> None:
        """Says something below the players."""
        message = self.query_one("#message", Static)
        message.set_class(is_wrong, "wrong")
        message.update(text)

    def _show_clocks(self) -> None:
        near = self.session.orientation
        self.query_one("#far", PlayerLine).show(self.session, near.opponent)
        self.query_one("#near", PlayerLine).show(self.session, near)

    def _show_meter(self) -> None:
        bar = self.query_one(EvaluationBar)
        if not bar.display:
            return
        if self.score is None or self.score[0] != self.session.game:
            bar.show(None, "…")
            self._evaluate()
            return
        game, score = self.score
        near = self.session.orientation
        outcome = game.outcome()
        if score is None:
            winner = None if outcome is None else outcome.winner
            bar.show(0.5 if winner is None else float(winner is near), "over")
            return
        chances = winning_chances(score, self.session.family.name)
        is_near = game.position.turn is near
        who = "" if score.value == 0 else self.session.family.side_name(game.position.turn)
        bar.show(chances if is_near else 1 - chances, f"{who} {score}".strip())

    @work(group="evaluation")
    async def _evaluate(self) -> None:
        await self.evaluator.evaluate(self.session.game)

    def _show_score(self, game: Game[Any, Any], score: Score | None) -> None:
        if self.is_open:
            self.score = (game, score)
            self._show_meter()
