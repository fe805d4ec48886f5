"""Playing: people move at the keyboard or with the mouse, computers in threads."""

from __future__ import annotations

import asyncio
import textwrap
from typing import TYPE_CHECKING, Any, cast

from textual import work
from textual.widgets import Input

from tablemen.console import visible
from tablemen.draughts import DraughtsRules
from tablemen.draughts.board import Notation
from tablemen.errors import GameError, GameOverError, TablemenError
from tablemen.move_input import MoveInput
from tablemen.outcome import Outcome
from tablemen.session import Session
from tablemen.threads import run_in_daemon_thread
from tablemen.tui.board import Board
from tablemen.tui.dialogs import Choice
from tablemen.tui.view import TableView
from tablemen.tui.words import move_text, turn_text

if TYPE_CHECKING:
    from tablemen.tui.app import TablemenApp

TICK = 0.25  # seconds between two looks at the clock
WORDS = {  # what can be typed in place of a move, and the action that it stands for
    "?": "help", "help": "help", "hint": "hint", "back": "back", "flip": "flip", "draw": "draw", "resign": "resign",
    "save": "save", "load": "load", "new": "new", "quit": "leave", "q": "leave", "seat": "seat", "now": "hurry",
}  # fmt: skip
FAILED = "p lets it try again, w seats another."
ROOM = 90  # characters of a reason beside the board
RETRY_INTERVAL, OTHER, LOOK = "Play again", "Another game", "Look at the board"


class PlayedTable(TableView):
    """A table that people and computers play at."""

    def __init__(self, session: Session, *, pace: float) -> None:
        super().__init__(session)
        self.pace = pace  # the least seconds that a computer takes for a move, so that people can follow
        self.is_paused = False
        self._is_thinking = False
        self._is_ended = False
        self._problem: str | None = None  # why the game cannot be kept, once that was told

    @property
    def program(self) -> TablemenApp:
        """The program around it, which knows other games."""
        return cast("TablemenApp", self.app)

    def on_mount(self) -> None:
        """The game begins, or goes on."""
        self.board.focus()
        self.set_interval(TICK, self._tick)
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        self.session.resume()
        self.show()
        game = self.session.game
        if not game.outcome() and self.session.is_person(game.position.turn):
            typed = game.legal_moves()[0]
            self.say(f"{turn_text(self.session)}. Arrows and Enter, or the mouse, or type {typed}. ? is help.")
        self._go_on()

    def close(self) -> None:
        """Ends what is going on in threads."""
        self.is_paused = True
        self.session.stop()
        self.evaluator.stop()

    # What goes on

    def _tick(self) -> None:
        if self.session.game.outcome() is None:
            if self.session.check_time() is not None:
                self._changed()
            self._show_clocks()

    def _changed(self) -> None:
        """Something was played, taken back or declared."""
        self._tell_problem()
        self.hint = None
        self.picking = MoveInput.for_game(self.session.game)
        self.show()
        self._go_on()

    def _tell_problem(self) -> None:
        """Says once that the game cannot be kept."""
        problem = None if self.session.keeper is None else self.session.keeper.problem
        if problem is not None and problem != self._problem:
            self.notify(problem, severity="warning", timeout=10, markup=False)
        self._problem = problem

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
        text = f"{self.session.family.describe_outcome(outcome, self.session.game.position)}."
        self.say(text)
        answer = await self.app.push_screen_wait(Choice(text, [RETRY_INTERVAL, OTHER, LOOK]))
        if answer == RETRY_INTERVAL:
            self.program.play_again()
        elif answer == OTHER:
            self.program.choose_game()

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
        is_on = self.is_open and not self.is_paused and game.outcome() is None
        return is_on and not self.session.is_person(game.position.turn)

    async def _think_once(self) -> None:
        """A move of a computer, unless the game has changed meanwhile."""
        revision = self.session.revision
        try:
            choice, _ = await asyncio.gather(run_in_daemon_thread(self.session.choose), asyncio.sleep(self.pace))
        except GameOverError:  # the time ran out
            return
        except Exception as error:  # noqa: BLE001 - a player of one's own may fail in any way
            if not self.is_open or self.is_paused or self.session.revision != revision:
                return  # not every program that is told to move does
            self.is_paused = True
            self.session.pause()
            self._tell_failure(visible(str(error)))
            return
        if not self.is_open or self.is_paused:
            return
        try:
            done = self.session.answer(choice)
        except GameError:  # moves were taken back meanwhile
            return
        self._tell(done)
        self._changed()

    def _tell_failure(self, reason: str) -> None:
        """Says that a player cannot move; the reason in full elsewhere, where it is a long one."""
        short = textwrap.shorten(reason, ROOM, placeholder=" …")
        name = self.session.family.side_name(self.session.game.position.turn)
        self.say(f"{name} fails: {short}. {FAILED}", is_wrong=True)
        if short != reason:
            self.notify(reason, title=f"{name} fails", severity="error", timeout=30, markup=False)

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
        elif self.picking.is_ambiguous:
            self.say("Several captures end there: pick the squares one after the other.", is_wrong=True)
        elif not self.picking.touched and event.place not in before.touched:
            self.say(self._objection(before, event.place), is_wrong=True)
        else:
            self.say(f"{'x'.join(self.picking.touched)} …" if self.picking.touched else turn_text(self.session))
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

    def _objection(self, picking: MoveInput, place: str) -> str:
        """Why a place leads nowhere."""
        position, family = self.session.game.position, self.session.family
        if picking.touched:
            text = f"{picking.touched[-1]}-{place}" if len(picking.touched) == 1 else ""
            return (family.explain_illegal(text, position) if text else None) or "the capture does not go on there"
        return family.explain_place(place, position) or f"{place} cannot be played"

    def _play(self, text: str) -> None:
        """A move of the person whose turn it is."""
        try:
            done = self.session.move(text)
        except TablemenError as error:
            self.say(str(error), is_wrong=True)
            self.picking = MoveInput.for_game(self.session.game)
            return
        self.is_paused = False  # whoever moves wants an answer
        self._tell(done)
        self._changed()

    def expect(self, text: str) -> None:
        """What may begin a move goes into the line for moves, also where it is typed over the board.

        It is told before the text goes anywhere: keys that come in one go shall not overtake each other.
        """
        typed = self.query_one("#typed", Input)
        if self.focused is not typed and (text[:1].isdecimal() or self._is_column(text[:1])):
            typed.value = ""
            self.set_focus(typed)

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
