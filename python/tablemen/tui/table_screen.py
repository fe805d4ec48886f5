"""The table screen: the board and panels of a game, moves of people and computers, and a key for every action."""

from __future__ import annotations

import asyncio
import contextlib
import textwrap
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Footer, Input, Static

from tablemen.analysis import MoveAnalysis
from tablemen.console import escape_controls
from tablemen.errors import GameError, GameOverError, TablemenError
from tablemen.family import get_family
from tablemen.game import Game
from tablemen.move_input import MoveInput
from tablemen.outcome import Outcome, Side
from tablemen.paths import expand_user
from tablemen.players import WrittenPlayer, parse_player
from tablemen.session import (
    Session,
    format_clocks,
    format_draw_counts,
    format_loaded,
    format_taken_back,
    parse_seat,
    suggest_command,
)
from tablemen.threads import run_in_daemon_thread
from tablemen.tui.board import BoardView, BoardWidget, TextBoard
from tablemen.tui.draughts_board import DraughtsBoard
from tablemen.tui.mancala_board import MancalaBoard
from tablemen.tui.review import GameReview
from tablemen.tui.widgets import (
    ChoiceDialog,
    EvaluationBar,
    HelpDialog,
    MoveList,
    PlayerLine,
    TextDialog,
)

if TYPE_CHECKING:
    from tablemen.tui.app import TablemenApp

BOARDS: dict[str, type[BoardWidget]] = {"draughts": DraughtsBoard, "mancala": MancalaBoard}  # by name of the family
PARTS = ("#board", "#far", "#moves", "#near", "#meter", "#message")  # the widgets that change with the game
CLOCK_INTERVAL = 0.25  # seconds
MAX_REASON_LENGTH = 90  # maximum length of an error beside the board
GAME_OVER = "The game is over. ← → show the moves, a analyses, n is a new game, u takes back."
NOT_OVER = "The game can be analysed when it is over."
FAILED = "Press p to try again, or w to choose another player."
PAUSED = "Paused. Press p to continue."
NO_CLAIM = "No draw can be claimed now."
SELECT_TARGET = "Now select the target square."
SEVERAL_CAPTURES = "Several captures end there: select each square in turn."
LOOK, ANALYSE, SAVE = "Look through the moves", "Analyse", "Save to a file"
PLAY_AGAIN, OTHER_GAME = "Play again", "Another game"
KEEP_PLAYING, DRAW, RESIGN = "Keep playing", "Draw", "Resign"
COMMANDS = {  # words to type instead of a move, and their actions
    "?": "help", "help": "help", "hint": "hint", "back": "back", "flip": "flip", "draw": "draw", "resign": "resign",
    "save": "save", "load": "load", "new": "new", "quit": "leave", "q": "leave", "seat": "replace_player",
    "now": "move_now", "moves": "list_moves", "clock": "show_clock", "again": "retry", "analyse": "analyse",
}  # fmt: skip
WITH_ARGUMENT = ("save", "load", "replace_player")  # the actions that a word may follow, such as a file
MOUSE_HELP = {"draughts": "click a piece, then its target square", "mancala": "click a house"}
HELP = """\
[b]{title}[/b]
{rules} Possible moves are green, and the last move is yellow.
[b]How to move[/b]
  arrows, Enter  move the cursor, and select; Escape clears the selection
  mouse          {mouse}
  keyboard       type {example}, or a word such as back, and press Enter
[b]Keys[/b]
  t  show a hint          u  take back a move     n  new game
  =  claim or agree draw  r  resign               v  turn the board around
  s  save to a file       o  open a file          m  evaluation on or off
  p  pause or resume      w  change a player      !  computer: move now
  ?  this help            q  quit; game is saved  Ctrl-Z  suspend
[b]After the game[/b]  ← →  step    Home End  first, last    a  analyse, or stop"""


class TableScreen(Screen[None]):
    """The screen of a session: it plays the moves of computers, and handles the moves and commands of people."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("left", "step(-1)", "Previous", key_display="←"),
        Binding("right", "step(1)", "Next", key_display="→"),
        Binding("home", "go_to_start", "First move", show=False),
        Binding("end", "go_to_end", "Last move", show=False),
        Binding("a", "analyse", "Analyse"),
        Binding("t", "hint", "Hint"),
        Binding("u", "back", "Take back"),
        Binding("n", "new", "New game"),
        Binding("q", "leave", "Quit"),
        Binding("v", "flip", "Turn board"),
        Binding("equals_sign", "draw", "Draw", key_display="="),
        Binding("r", "resign", "Resign"),
        Binding("s", "save", "Save"),
        Binding("o", "load", "Open"),
        Binding("m", "meter", "Evaluation"),
        Binding("p", "pause", "Pause"),
        Binding("w", "replace_player", "Players"),
        Binding("exclamation_mark", "move_now", "Move now", key_display="!"),
        Binding("escape", "cancel_pick", "Cancel", show=False),
    ]
    KEYS: ClassVar[dict[str, str]] = {  # the letters that are keys, and their actions
        each.key: each.action for each in BINDINGS if isinstance(each, Binding) and len(each.key) == 1
    }
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (78, "-wide"), (116, "-broad")]  # noqa: RUF012 - as textual declares it
    VERTICAL_BREAKPOINTS = [(0, "-short"), (20, "-tall")]  # noqa: RUF012

    def __init__(self, session: Session, *, pace: float, key_timeout: float) -> None:
        super().__init__()
        self.session = session
        self.pace = pace  # minimum seconds for a move of the computer, so that people can follow
        self.key_timeout = key_timeout  # seconds after which a letter is a key and not the beginning of a word
        self.move_input = MoveInput.for_game(session.game)
        self.hint: Any = None
        self.is_paused = False
        self.meter = EvaluationBar(session, id="meter")
        self.meter.display = not all(map(session.is_person, Side))  # no help in a game between two people
        self._is_thinking = False
        self._is_end_shown = False
        self._autosave_problem: str | None = None  # the last problem that was shown
        self._pending: Timer | None = None  # waits for the second letter of a word
        self.review: GameReview | None = None  # of a finished game

    # The view

    def compose(self) -> ComposeResult:
        """Lay out the board, and the panel beside or below it."""
        game = self.session.game
        board = BOARDS.get(self.session.family.name, TextBoard)
        with Horizontal(id="table"):
            yield board(BoardView(game), id="board")
            with Vertical(id="panel"):
                yield Static(str(game.position.variant), id="title")
                yield PlayerLine(id="far")
                yield MoveList(id="moves")
                yield PlayerLine(id="near")
                yield self.meter
                yield Static(id="message", markup=False)  # messages may contain file names and typed text
                yield Input(id="typed", placeholder="move or command", compact=True, select_on_focus=False)
        yield Footer()

    @property
    def main_app(self) -> TablemenApp:
        """The app, which starts other games."""
        return cast("TablemenApp", self.app)

    @property
    def is_open(self) -> bool:
        """Whether all widgets exist; a search may end while the screen is being removed."""
        return self.is_attached and len(self.query(", ".join(PARTS))) == len(PARTS)

    @property
    def board(self) -> BoardWidget:
        """The board."""
        return cast("BoardWidget", self.query_one("#board"))

    def on_resize(self) -> None:
        """Draw the screen in its new size."""
        self.call_after_refresh(self.show)

    def show(self) -> None:
        """Show the current state of the session."""
        session, review, game = self.session, self.review, self.shown_game
        move_input = self.move_input if self._is_persons_turn() else MoveInput(())
        hint = self.hint
        if review is not None and review.shown is not None:
            hint = review.shown.best
        self.board.show(BoardView(game, session.orientation, move_input, hint, is_over=review is not None))
        self._show_clocks()
        self.query_one(MoveList).show(session.game, len(game.moves), {} if review is None else review.signs())
        self.meter.show(game)

    @property
    def shown_game(self) -> Game[Any, Any]:
        """The game up to the position that is shown."""
        return self.session.game if self.review is None else self.review.game

    def say(self, text: str, *, is_wrong: bool = False) -> None:
        """Show a message below the players."""
        message = self.query_one("#message", Static)
        message.set_class(is_wrong, "wrong")
        message.update(text)

    def _show_clocks(self) -> None:
        near = self.session.orientation
        self.query_one("#far", PlayerLine).show(self.session, near.opponent, self.shown_game)
        self.query_one("#near", PlayerLine).show(self.session, near, self.shown_game)

    def describe_turn(self) -> str:
        """Return whose turn it is, with any duty that the rules impose."""
        session = self.session
        side = session.game.position.turn
        name = session.family.side_name(side)
        if not session.is_person(side):
            return f"{name} is thinking …"
        whose = f"{name}'s move" if session.is_person(side.opponent) else "Your move"
        return f"{whose}{session.family.describe_duty(session.game)}"

    # The game loop

    def on_mount(self) -> None:
        """Start the game, or continue it."""
        self.board.focus()
        self.set_interval(CLOCK_INTERVAL, self._check_clock)
        self.call_after_refresh(self._start)

    def _start(self) -> None:
        self.session.resume()
        self.show()
        game = self.session.game
        if not game.outcome() and self._is_persons_turn():
            example = game.legal_moves()[0]
            self.say(f"{self.describe_turn()}. Click, use arrows and Enter, or type {example}. Press ? for help.")
        self._continue()

    def close(self) -> None:
        """Stop the searches."""
        self.is_paused = True
        self.session.stop()
        self.meter.stop()
        self._end_review()

    def _is_persons_turn(self) -> bool:
        return self.session.is_person(self.session.game.position.turn)

    def _check_clock(self) -> None:
        if self.session.game.outcome() is None:
            if self.session.check_time() is not None:
                self._update()
            self._show_clocks()

    def _update(self) -> None:
        """Show the game after a change, and continue it."""
        problem = None if self.session.autosave is None else self.session.autosave.problem
        if problem is not None and problem != self._autosave_problem:
            self.notify(problem, severity="warning", timeout=10, markup=False)
        self._autosave_problem = problem
        self.hint = None
        self.move_input = MoveInput.for_game(self.session.game)
        self._end_review()
        self.show()
        self._continue()

    def _end_review(self) -> None:
        if self.review is not None:
            self.review.cancel()
            self.review = None
            self.refresh_bindings()

    def _continue(self) -> None:
        """Let a computer think if it is to move, or show the result once."""
        outcome = self.session.game.outcome()
        if outcome is not None and self.review is None:
            self.review = GameReview(self.session.game)
            self.show()
            self.refresh_bindings()
        if outcome is None:
            self._is_end_shown = False
            if not self._is_persons_turn():
                self._think()
        elif not self._is_end_shown:
            self._is_end_shown = True
            self._show_end(outcome)

    @work(group="end")
    async def _show_end(self, outcome: Outcome) -> None:
        text = f"{self.session.family.describe_outcome(outcome, self.session.game.position)}."
        self.say(text)
        revision = self.session.revision
        await self.board.wait_for_animation()
        if self.session.revision != revision or not self.is_open:
            return
        answers = [LOOK, ANALYSE, SAVE, PLAY_AGAIN, OTHER_GAME]
        answer = await self.app.push_screen_wait(ChoiceDialog(text, answers, self._describe_kept()))
        if answer == PLAY_AGAIN:
            self.main_app.play_again()
        elif answer == OTHER_GAME:
            self.main_app.choose_game()
        elif answer == SAVE:
            self.action_save()
        elif answer == ANALYSE:
            self.action_analyse()
        else:
            self.say(f"{text} {GAME_OVER}")

    def _describe_kept(self) -> str:
        """Return where the finished game is kept."""
        autosave = self.session.autosave
        if autosave is not None and autosave.problem is not None:
            return f"{autosave.problem}. Save it to a file to keep it."
        return "" if autosave is None or autosave.finished_file is None else f"Kept in {autosave.finished_file}"

    @work(group="thinking")
    async def _think(self) -> None:
        """Play the moves of computers until a person is to move."""
        if self._is_thinking:
            return  # the running worker checks the new state after its current move
        self._is_thinking = True
        try:
            while self._can_play() and self.session.game.outcome() is None and not self._is_persons_turn():
                self.say(self.describe_turn())
                await self._play_computer_move()
        finally:
            self._is_thinking = False

    def _can_play(self) -> bool:
        return self.is_open and not self.is_paused

    async def _play_computer_move(self) -> None:
        """Play one move of a computer, unless the game changes while it thinks."""
        revision = self.session.revision
        try:
            thinking = run_in_daemon_thread(self.session.choose)
            choice, *_ = await asyncio.gather(thinking, asyncio.sleep(self.pace), self.board.wait_for_animation())
        except GameOverError:  # the time ran out
            return
        except Exception as error:  # noqa: BLE001 - a player can raise any error
            if self._can_play() and self.session.revision == revision:  # otherwise it failed because it was stopped
                self.is_paused = True
                self.session.pause()
                self._show_failure(escape_controls(str(error)))
            return
        if not self._can_play():
            return
        try:
            done = self.session.answer(choice)
        except GameError:  # the game has changed in the meantime
            return
        self._show_move(done)
        self._update()

    def _show_failure(self, reason: str) -> None:
        """Show that a player cannot move; show a long reason in full as a notification."""
        short = textwrap.shorten(reason, MAX_REASON_LENGTH, placeholder=" …")
        name = self.session.family.side_name(self.session.game.position.turn)
        self.say(f"{name} cannot move: {short}. {FAILED}", is_wrong=True)
        if short != reason:
            self.notify(reason, title=f"{name} cannot move", severity="error", timeout=30, markup=False)

    def _show_move(self, done: Any) -> None:
        """Describe the last move and whose turn it is; `done` is a move, or an outcome that a dialog shows."""
        if not isinstance(done, Outcome):
            game = self.session.game
            move = self.session.family.describe_last_move(game)
            self.say(move if game.outcome() else f"{move}. {self.describe_turn()}.")

    # Moves of a person

    def on_board_widget_touched(self, event: BoardWidget.Touched) -> None:
        """Add a place to the move, and play the move if it is complete."""
        if not self._check_turn():
            return
        self.hint = None
        before = self.move_input
        self.move_input = before.touch(event.place)
        if self.move_input.move is not None:
            self._play(str(self.move_input.move))
        elif self.move_input.is_ambiguous:
            self.say(SEVERAL_CAPTURES, is_wrong=True)
        elif not self.move_input.touched and event.place not in before.touched:
            self.say(self._explain_place(before.touched, event.place), is_wrong=True)
        else:
            selected = "x".join(self.move_input.touched)
            self.say(f"Selected {selected}. {SELECT_TARGET}" if selected else self.describe_turn())
        self.show()

    def _check_turn(self) -> bool:
        """Return whether a person may move now; show a message if not."""
        if self.session.game.outcome():
            self.say(GAME_OVER, is_wrong=True)
        elif not self._is_persons_turn():
            self.say(self.describe_turn())
        else:
            return True
        return False

    def _explain_place(self, picked: tuple[str, ...], place: str) -> str:
        """Return why a place does not continue a move."""
        position, family = self.session.game.position, self.session.family
        if not picked:
            return family.explain_place(place, position) or f"{place} cannot be played"
        reason = family.explain_illegal(f"{picked[0]}-{place}", position) if len(picked) == 1 else None
        return reason or "the capture cannot continue there"

    def _play(self, text: str) -> None:
        try:
            done = self.session.move(text)
        except TablemenError as error:
            self.say(str(error), is_wrong=True)
            self.move_input = MoveInput.for_game(self.session.game)
            return
        self.is_paused = False
        self._show_move(done)
        self._update()

    def route_text(self, text: str) -> bool:
        """Focus the input if a typed or pasted text may begin a move or a word; return whether the text is handled.

        The app calls this before it forwards the text, so that keys that arrive together keep their order. A letter
        that is also a key, such as `n`, waits in the input: it is a word if the next letter comes soon.
        """
        typed = self.query_one("#typed", Input)
        if self._pending is not None:
            if text.isalpha() or (text and not text.isprintable()):  # such as Enter or Escape
                self._pending.stop()
                self._pending = None
            else:
                self._press_pending()
        if self.focused is typed and text == "\r":
            typed.call_later(self._submit_typed)  # after the keys before it, and before those after it
            return True
        if self.focused is typed or not text:
            return False
        is_move = self._starts_move(text)
        is_key = len(text) == 1 and text in self.KEYS and not is_move
        can_wait = self.key_timeout > 0 and any(word.startswith(text) for word in COMMANDS)
        if is_move or (can_wait if is_key else text.isalpha()):
            typed.value = text if is_key else ""
            typed.cursor_position = len(typed.value)
            self.set_focus(typed)
            if is_key:
                self._pending = self.set_timer(self.key_timeout, self._press_pending)
                return True
        return False

    def _starts_move(self, text: str) -> bool:
        rules = self.session.game.position.variant
        return text[0].isdecimal() or (self.review is None and self.session.family.starts_move_text(text[0], rules))

    def _press_pending(self) -> None:
        """Run the action of a letter that is not followed by the rest of a word."""
        if self._pending is not None:
            self._pending.stop()
            self._pending = None
            typed = self.query_one("#typed", Input)
            key, typed.value = typed.value, ""
            self.set_focus(self.board)  # at once, for the next key
            if key in self.KEYS and self.app.screen is self:
                self._run(self.KEYS[key])

    def _run(self, action: str, *arguments: str) -> None:
        getattr(self, f"action_{action}")(*arguments)

    def on_input_submitted(self) -> None:
        """Run a typed command, or play a typed move."""
        self._submit_typed()

    def _submit_typed(self) -> None:
        typed = self.query_one("#typed", Input)
        text, typed.value = typed.value.strip(), ""
        self.call_later(self._submit, text)

    def _submit(self, text: str) -> None:
        if not self.query_one("#typed", Input).value:  # otherwise the next line is being typed
            self.set_focus(self.board)
        word, _, rest = text.partition(" ")
        action = COMMANDS.get(word.casefold()) or self.KEYS.get(text)
        if action is not None and not rest:
            self._run(action)
        elif action is not None:
            if action in WITH_ARGUMENT:
                self._run(action, rest.strip())
            else:
                self.say(f"{word} takes no argument", is_wrong=True)
        elif text and not any(map(str.isdecimal, text)) and self._is_illegal(text):
            self.say(suggest_command(text, COMMANDS), is_wrong=True)
        elif text and self._check_turn():
            self._play(text)
            self.show()

    def _is_illegal(self, text: str) -> bool:
        return self.session.family.explain_illegal(text, self.session.game.position) is not None

    def action_cancel_pick(self) -> None:
        """Clear the selected places and the typed text."""
        self.move_input = MoveInput.for_game(self.session.game)
        self.hint = None
        self.query_one("#typed", Input).value = ""
        self.board.focus()
        if self.review is not None:
            self.review.cancel()
            self.say(GAME_OVER)
        else:
            self.say(self.describe_turn())
        self.show()

    # Other actions

    def action_help(self) -> None:
        """Show the help page."""
        self.app.push_screen(HelpDialog(format_help(self.session.game)))

    @work(group="hint", exclusive=True)
    async def action_hint(self) -> None:
        """Show a good move."""
        if not self._check_turn():
            return
        game, before = self.session.game, len(self.session.game.moves)
        with self._showing_errors():  # the time may run out in the meantime
            hint = await run_in_daemon_thread(self.session.hint)
            if self.is_open and self.session.game is game and len(game.moves) == before:
                self.hint = hint.move
                self.say(f"{hint}.")
                self.show()

    def action_back(self) -> None:
        """Take back the last move of a person, and the replies to it."""
        self.session.stop()
        try:
            count = self.session.back()
        except GameError as error:
            self.say(str(error), is_wrong=True)
            self._continue()
            return
        self._update()
        self.say(f"{format_taken_back(count)}. {self.describe_turn()}.")

    def action_flip(self) -> None:
        """Turn the board around."""
        self.session.flip()
        self.show()

    def action_meter(self) -> None:
        """Show or hide the evaluation."""
        self.meter.display = not self.meter.display
        self.call_after_refresh(self.show)

    def action_pause(self) -> None:
        """Pause computers and the clock, or resume them."""
        if self.session.game.outcome():
            self._check_turn()
            return
        self.is_paused = not self.is_paused
        self.session.stop()
        if self.is_paused:
            self.session.pause()
        else:
            self.session.resume()
        self.say(PAUSED if self.is_paused else self.describe_turn())
        self._continue()

    def action_retry(self) -> None:
        """Let a player that failed try again."""
        if self.is_paused:
            self.action_pause()
        else:
            self.say("no player has failed", is_wrong=True)

    def action_list_moves(self) -> None:
        """List the legal moves."""
        self.say(" ".join(map(str, self.shown_game.legal_moves())) or GAME_OVER)

    def action_show_clock(self) -> None:
        """Show the time left for each side."""
        self.say(format_clocks(self.session))

    # After the game

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enable the keys that step through the moves, and the analysis, when the game is over."""
        if action in {"step", "go_to_start", "go_to_end", "analyse"}:
            return self.review is not None
        return super().check_action(action, parameters)

    def action_step(self, count: int) -> None:
        """Show the position some moves later, or earlier if the number is negative."""
        if self.review is not None:
            self._go_to(self.review.ply + count)

    def action_go_to_start(self) -> None:
        """Show the position before the first move."""
        self._go_to(0)

    def action_go_to_end(self) -> None:
        """Show the position after the last move."""
        self._go_to(len(self.session.game.moves))

    def _go_to(self, ply: int) -> None:
        if self.review is not None:
            self.review.go_to(ply)
            self.say(self.review.describe())
            self.show()

    class Analysed(Message):
        """The message that a move was analysed."""

        def __init__(self, review: GameReview, move: MoveAnalysis[Any]) -> None:
            super().__init__()
            self.review = review
            self.move = move

    @work(group="analysis")
    async def action_analyse(self) -> None:
        """Analyse the moves of the finished game, or stop the analysis."""
        review = self.review
        if review is None:
            self.say(NOT_OVER, is_wrong=True)
            return
        if review.is_analysing:
            review.cancel()
            return
        if not review.is_analysed:
            self.say(f"Analysing {review.length} moves. Press a to stop.")
            with self._showing_errors():
                await review.analyse(lambda move: self.post_message(self.Analysed(review, move)))
        self.call_after_refresh(self._show_analysis, review)

    def on_table_screen_analysed(self, message: Analysed) -> None:
        """Show the analysis of a move."""
        message.review.moves.append(message.move)
        if message.review is self.review and self.is_open:
            progress = f"Analysed {len(self.review.moves)} of {self.review.length} moves. Press a to stop."
            self.say(progress if self.review.is_at_end else self.review.describe())
            self.show()

    def _show_analysis(self, review: GameReview) -> None:
        if review is self.review and self.is_open and review.moves:
            text = review.summarise() if review.is_analysed else f"Stopped after {len(review.moves)} moves."
            self.say(f"{text} Step with ← →." if review.is_at_end else review.describe())
            self.show()

    def action_move_now(self) -> None:
        """Let the computer play the best move that it has found so far."""
        if not self._is_persons_turn():
            self.session.stop()

    @work(group="question", exclusive=True)
    async def action_replace_player(self, text: str | None = None) -> None:
        """Replace the player of a side: `black random`; ask for them if they are not given."""
        session = self.session
        if text is not None:
            with self._showing_errors():
                side, player_text = parse_seat(text, session.family)
                self._replace_player(side, player_text)
            return
        sides = {session.family.side_name(side): side for side in Side}
        computers = [name for name, side in sides.items() if not session.is_person(side)]
        if len(computers) == 1:
            name = computers[0]
        else:
            question = ChoiceDialog("Change the player of which side?", [*sides])
            answer = await self.app.push_screen_wait(question)
            if answer is None:
                return
            name = answer
        player = session.players[sides[name]]
        proposed = str(player) if isinstance(player, WrittenPlayer) else ""
        text = await self.app.push_screen_wait(TextDialog(f"Who plays {name}?", proposed, self._check_player))
        if text is not None:
            self._replace_player(sides[name], text)

    def _replace_player(self, side: Side, text: str) -> None:
        self.session.replace_player(side, parse_player(text))
        self.is_paused = False
        self.session.resume()
        self._update()
        self.say(self.describe_turn())

    def _check_player(self, text: str) -> str | None:
        """Return why a player cannot play this game, or None."""
        try:
            parse_player(text).check(self.session.game.position)
        except TablemenError as error:
            return str(error)
        return None

    @work(group="question", exclusive=True)
    async def action_draw(self) -> None:
        """Claim a draw, or agree on one."""
        game = self.session.game
        if game.outcome():
            self._check_turn()
        elif self._is_persons_turn() and (game.claims() or await self._is_proven_draw()):
            self._end_game(self.session.claim_draw)
        elif all(map(self.session.is_person, Side)):
            question = ChoiceDialog("Do both players agree on a draw?", [DRAW, KEEP_PLAYING])
            if await self.app.push_screen_wait(question) == DRAW:
                self._end_game(self.session.agree_draw)
        else:
            counts = "; ".join(format_draw_counts(game))
            self.say(f"{NO_CLAIM} Counts: {counts}" if counts else NO_CLAIM, is_wrong=True)

    async def _is_proven_draw(self) -> bool:
        """Return whether a tablebase proves a draw of the current game."""
        revision, is_drawn = self.session.revision, False
        with self._showing_errors():
            is_drawn = await run_in_daemon_thread(self.session.is_proven_draw)
        return is_drawn and self.is_open and self.session.revision == revision

    @work(group="question", exclusive=True)
    async def action_resign(self) -> None:
        """Resign after a confirmation."""
        if self._check_turn():
            name = self.session.family.side_name(self.session.game.position.turn)
            question = ChoiceDialog(f"Resign as {name}?", [KEEP_PLAYING, RESIGN])
            if await self.app.push_screen_wait(question) == RESIGN:
                self._end_game(self.session.resign)

    def _end_game(self, end: Callable[[], Outcome]) -> None:
        with contextlib.suppress(GameError):  # the time may have run out during the question
            end()
        self._update()

    @work(group="question", exclusive=True)
    async def action_save(self, file: str | None = None) -> None:
        """Append the game to a file; ask for it if it is not given."""
        rules = self.session.game.position.variant
        if file is None:
            proposed = f"{rules.name}-{datetime.now().astimezone():%Y-%m-%d}.{self.session.family.file_suffix}"
            file = await self.app.push_screen_wait(TextDialog("Add the game to this file:", proposed))
        if file is not None:
            with self._showing_errors():
                self.session.save(expand_user(file))
                self.say(f"Saved to {file}.")

    @work(group="question", exclusive=True)
    async def action_load(self, file: str | None = None) -> None:
        """Continue the last game of a file; ask for it if it is not given."""
        if file is None:
            file = await self.app.push_screen_wait(TextDialog("Continue the last game of this file:", ""))
        if file is None:
            return
        self.session.stop()
        with self._showing_errors():
            games = self.session.load(expand_user(file))
            self._update()
            self.say(f"Opened {file}{format_loaded(games)}.")
        self._continue()

    @contextlib.contextmanager
    def _showing_errors(self) -> Iterator[None]:
        """Show an error of the block as a message."""
        try:
            yield
        except (TablemenError, OSError) as error:
            text = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else str(error)
            if self.is_open:
                self.say(text, is_wrong=True)

    def action_new(self) -> None:
        """Open the menu; this game stays saved."""
        self.main_app.choose_game()

    def action_leave(self) -> None:
        """Leave the program; the game stays saved."""
        self.app.exit()


def format_help(game: Game[Any, Any]) -> str:
    """Return the help page of a game: its rules in a few lines, and the keys."""
    rules = game.position.variant
    moves = game.legal_moves()
    family = get_family(rules)
    summary = family.summarise_rules(rules)
    mouse = MOUSE_HELP.get(family.name, "click the places of the move")
    return HELP.format(title=rules, rules=summary, mouse=mouse, example=moves[0] if moves else "32-28")
