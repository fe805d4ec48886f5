"""The screen with the board: a session, seen and played."""

from __future__ import annotations

import asyncio
from datetime import date
from typing import Any, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.events import Key
from textual.screen import Screen
from textual.widgets import Footer, Input, Static

from tablemen.analysis.chances import winning_chances
from tablemen.draughts import DraughtsRules
from tablemen.draughts.numbering import Notation
from tablemen.errors import GameError, TablemenError
from tablemen.game import Game
from tablemen.outcome import Outcome, Side
from tablemen.picking import Picking
from tablemen.search import Score
from tablemen.session import Session
from tablemen.tui.board import Board, View
from tablemen.tui.dialogs import AskFile, Choice, Help
from tablemen.tui.draughts_board import DraughtsBoard
from tablemen.tui.help import help_text
from tablemen.tui.mancala_board import MancalaBoard
from tablemen.tui.panels import EvaluationBar, MoveList, PlayerLine
from tablemen.tui.threads import Evaluator, in_thread
from tablemen.tui.words import move_text, seat_name, turn_text

TICK = 0.25  # seconds between two looks at the clock
WORDS = {  # what can be typed in place of a move, and the action that it stands for
    "?": "help", "help": "help", "hint": "hint", "back": "back", "flip": "flip", "draw": "draw", "resign": "resign",
    "save": "save", "load": "load", "new": "new", "quit": "leave", "q": "leave",
}  # fmt: skip


class TableScreen(Screen[None]):
    """A board with everything around it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("t", "hint", "Hint"),
        Binding("u", "back", "Take back"),
        Binding("n", "new", "New game"),
        Binding("q", "leave", "Quit"),
        Binding("v", "flip", "Turn board"),
        Binding("equals_sign", "draw", "Draw", key_display="="),
        Binding("r", "resign", "Resign"),
        Binding("s", "save", "Save"),
        Binding("o", "load", "Open"),
        Binding("m", "meter", "Meter"),
        Binding("p", "pause", "Pause"),
        Binding("escape", "put_back", "Put back", show=False),
    ]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (78, "-wide"), (116, "-broad")]  # noqa: RUF012 - as textual declares it
    VERTICAL_BREAKPOINTS = [(0, "-short"), (20, "-tall")]  # noqa: RUF012

    def __init__(self, session: Session, *, pace: float) -> None:
        super().__init__()
        self.session = session
        self.pace = pace  # the least seconds that a computer takes for a move, so that people can follow
        self.picking = Picking.of(session.game)
        self.hint: Any = None
        self.score: tuple[Game[Any, Any], Score | None] | None = None
        self.evaluator = Evaluator(self._show_score)
        self.is_paused = False
        self._is_thinking = False
        self._is_ended = False

    # What is seen

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
                yield Static(id="message")
                yield Input(id="typed", placeholder="or type a move here", compact=True, select_on_focus=False)
        yield Footer()

    @property
    def board(self) -> Board:
        """The board."""
        return self.query_one("#board", Board)

    def on_mount(self) -> None:
        """The game begins, or goes on."""
        self.board.focus()
        self.set_interval(TICK, self._tick)
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        self.show()
        if not self.session.game.outcome() and self.session.has_people:
            typed = "3" if isinstance(self.board, MancalaBoard) else str(self.session.game.legal_moves()[0])
            self.say(f"{turn_text(self.session)}. Arrows and Enter, or the mouse, or type {typed}. ? is help.")
        self._go_on()

    def on_resize(self) -> None:
        """Everything in its new place."""
        self.call_after_refresh(self.show)

    def show(self) -> None:
        """Shows the game as it is now."""
        session = self.session
        picking = self.picking if session.is_person(session.game.position.turn) else Picking(())
        self.board.show(View(session.game, session.orientation, picking, self.hint))
        self._show_clocks()
        first = session.game.start.turn
        self.query_one(MoveList).show(session.game, (session.family.name_of(first), session.family.name_of(first.opponent)))
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
        who = "" if score.value == 0 else self.session.family.name_of(game.position.turn)
        bar.show(chances if is_near else 1 - chances, f"{who} {score}".strip())

    @work(group="evaluation")
    async def _evaluate(self) -> None:
        await self.evaluator.evaluate(self.session.game)

    def _show_score(self, game: Game[Any, Any], score: Score | None) -> None:
        if self.is_mounted:
            self.score = (game, score)
            self._show_meter()

    # What goes on

    def _tick(self) -> None:
        if self.session.game.outcome() is None:
            if self.session.check_time() is not None:
                self._changed()
            self._show_clocks()

    def _changed(self) -> None:
        """Something was played, taken back or declared."""
        self.hint = None
        self.picking = Picking.of(self.session.game)
        self.show()
        self._go_on()

    def _go_on(self) -> None:
        """Lets a computer think, waits for a person, or tells how the game ended."""
        game = self.session.game
        outcome = game.outcome()
        if outcome is None:
            self._is_ended = False
            if not self.session.is_person(game.position.turn):
                self._let_think()
        elif not self._is_ended:
            self._is_ended = True
            self._tell_end(outcome)

    @work(group="end")
    async def _tell_end(self, outcome: Outcome) -> None:
        text = f"{self.session.family.describe(outcome, self.session.game.position)}."
        self.say(text)
        answers = ["Play again", "Another game", "Look at the board"]
        answer = await self.app.push_screen_wait(Choice(text, answers))
        if answer == answers[0]:
            self.app.play_again(self.session)
        elif answer == answers[1]:
            self.app.choose_game()

    @work(group="thinking")
    async def _let_think(self) -> None:
        """The moves of computers, one after the other, until a person is to move."""
        if self._is_thinking:
            return  # it sees by itself that the game has changed
        self._is_thinking = True
        try:
            while self._is_computers_turn():
                self.say(turn_text(self.session))
                await self._think_once()
        finally:
            self._is_thinking = False

    def _is_computers_turn(self) -> bool:
        game = self.session.game
        is_on = self.is_mounted and not self.is_paused and game.outcome() is None
        return is_on and not self.session.is_person(game.position.turn)

    async def _think_once(self) -> None:
        """A move of a computer, unless the game has changed meanwhile."""
        game, before = self.session.game, len(self.session.game.moves)
        choice, _ = await asyncio.gather(in_thread(self.session.choose), asyncio.sleep(self.pace))
        if not self.is_mounted or self.session.game is not game or len(game.moves) != before or self.is_paused:
            return
        done = self.session.answer(choice)
        self._tell(done)
        self._changed()

    def _tell(self, done: Any) -> None:
        """What was done, and whose turn it is now."""
        if isinstance(done, Outcome):
            return
        game = self.session.game
        told = move_text(game)
        self.say(told if game.outcome() else f"{told}. {turn_text(self.session)}.")

    # What a person does

    def on_board_touched(self, event: Board.Touched) -> None:
        """A place on the board was picked."""
        if not self._may_move():
            return
        self.hint = None
        before = self.picking
        self.picking = before.touch(event.place)
        if self.picking.move is not None:
            self._play(str(self.picking.move))
        elif self.picking.several:
            self.say("Several captures end there: pick the squares one after the other.", is_wrong=True)
        elif not self.picking.picked and event.place not in before.picked:
            self.say(self._objection(before, event.place), is_wrong=True)
        elif self.picking.picked:
            self.say(f"{'x'.join(self.picking.picked)} …")
        self.show()

    def _may_move(self) -> bool:
        game = self.session.game
        if game.outcome():
            self.say("The game is over: n begins a new one, u takes moves back.", is_wrong=True)
        elif not self.session.is_person(game.position.turn):
            self.say(turn_text(self.session))
        else:
            return True
        return False

    def _objection(self, picking: Picking, place: str) -> str:
        """Why a place leads nowhere."""
        position, family = self.session.game.position, self.session.family
        if picking.picked:
            text = f"{picking.picked[-1]}-{place}" if len(picking.picked) == 1 else ""
            return (family.find_objection(text, position) if text else None) or "the capture does not go on there"
        return family.find_place_objection(place, position) or f"{place} cannot be played"

    def _play(self, text: str) -> None:
        """A move of the person whose turn it is."""
        try:
            done = self.session.move(text)
        except TablemenError as error:
            self.say(str(error), is_wrong=True)
            self.picking = Picking.of(self.session.game)
            return
        self._tell(done)
        self._changed()

    def on_key(self, event: Key) -> None:
        """What may begin a move, typed over the board, goes into the line for moves."""
        typed = self.query_one("#typed", Input)
        sign = event.character or ""
        if self.focused is not typed and len(sign) == 1 and (sign.isdecimal() or self._is_column(sign)):
            event.stop()
            typed.focus()
            typed.value = sign
            typed.cursor_position = 1

    def _is_column(self, sign: str) -> bool:
        rules = self.session.game.position.variant
        return isinstance(rules, DraughtsRules) and rules.notation is not Notation.NUMERIC and "a" <= sign <= "l"

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """A move or a word was typed."""
        text = event.value.strip()
        event.input.value = ""
        self.board.focus()
        if action := WORDS.get(text.casefold()):
            self.run_worker(self.run_action(action), exclusive=False)
        elif text and self._may_move():
            self._play(text)
            self.show()

    def action_put_back(self) -> None:
        """Nothing is picked any more."""
        self.picking = Picking.of(self.session.game)
        self.hint = None
        self.query_one("#typed", Input).value = ""
        self.board.focus()
        self.show()

    # What else can be done

    def action_help(self) -> None:
        """Says how it is played."""
        self.app.push_screen(Help(help_text(self.session)))

    @work(group="hint", exclusive=True)
    async def action_hint(self) -> None:
        """Shows a good move."""
        if not self._may_move():
            return
        game, before = self.session.game, len(self.session.game.moves)
        hint = await in_thread(self.session.hint)
        if self.session.game is game and len(game.moves) == before:
            self.hint = hint
            self.say(f"Try {hint}.")
            self.show()

    def action_back(self) -> None:
        """Takes the last move of a person back, and what was answered."""
        self.session.stop()
        try:
            count = self.session.back()
        except GameError as error:
            self.say(f"{error}", is_wrong=True)
            self._go_on()
            return
        taken = {0: "the result", 1: "a move"}.get(count, f"{count} moves")
        self._changed()
        self.say(f"Took back {taken}. {turn_text(self.session)}.")

    def action_flip(self) -> None:
        """Turns the board around."""
        self.session.flip()
        self.show()

    def action_meter(self) -> None:
        """Shows or hides who stands better."""
        bar = self.query_one(EvaluationBar)
        bar.display = not bar.display
        self.call_after_refresh(self.show)

    def action_pause(self) -> None:
        """Lets computers wait, or go on."""
        self.is_paused = not self.is_paused
        self.session.stop()
        self.say("Paused: p goes on." if self.is_paused else turn_text(self.session))
        self._go_on()

    @work(group="question", exclusive=True)
    async def action_draw(self) -> None:
        """Claims a draw, or agrees on one."""
        game = self.session.game
        if game.outcome():
            self._may_move()
            return
        if game.claims() and self.session.is_person(game.position.turn):
            self.session.claim_draw()
            self._changed()
        elif all(map(self.session.is_person, Side)):
            if await self.app.push_screen_wait(Choice("Do both players agree on a draw?", ["Draw", "Play on"])) == "Draw":
                self.session.agree_draw()
                self._changed()
        else:
            counts = "; ".join(f"{count} of {rule.limit}: {rule}" for rule, count in game.draw_counts().items())
            self.say(f"No draw can be claimed now. {counts}", is_wrong=True)

    @work(group="question", exclusive=True)
    async def action_resign(self) -> None:
        """Gives the game up, after a question."""
        game = self.session.game
        if not self._may_move():
            return
        side = seat_name(self.session, game.position.turn)
        if await self.app.push_screen_wait(Choice(f"{side}: give up?", ["Play on", "Resign"])) == "Resign":
            if game.outcome() is None:
                self.session.resign()
            self._changed()

    @work(group="question", exclusive=True)
    async def action_save(self) -> None:
        """Adds the game to a file."""
        rules = self.session.game.position.variant
        ending = "pdn" if isinstance(rules, DraughtsRules) else "txt"
        proposed = f"{rules.name}-{date.today().isoformat()}.{ending}"
        file = await self.app.push_screen_wait(AskFile("Add the game to the file", proposed))
        if file is not None:
            self._with_file(file, self.session.save)
            self.say(f"Saved in {file}.")

    @work(group="question", exclusive=True)
    async def action_load(self) -> None:
        """Goes on with the last game of a file."""
        file = await self.app.push_screen_wait(AskFile("Go on with the last game of the file", ""))
        if file is None:
            return
        self.session.stop()
        games = self._with_file(file, self.session.load)
        if games is not None:
            self._changed()
            self.say(f"Opened {file}{f', the last of {games} games' if games > 1 else ''}.")

    def action_new(self) -> None:
        """Another game; the one here is kept."""
        self.app.choose_game()

    def action_leave(self) -> None:
        """Leaves the program; the game is kept."""
        self.app.exit()

    def close(self) -> None:
        """Ends what is going on in threads."""
        self.is_paused = True
        self.session.stop()
        self.evaluator.stop()
