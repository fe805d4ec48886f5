"""The screen where a game is played, with everything that can be done at it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType
from textual.widgets import Input

from tablemen.draughts import DraughtsRules
from tablemen.errors import GameError, TablemenError
from tablemen.move_input import MoveInput
from tablemen.outcome import Outcome, Side
from tablemen.paths import expand_user
from tablemen.players import WrittenPlayer, parse_player
from tablemen.session.words import among_text, draw_texts, taken_back_text
from tablemen.threads import run_in_daemon_thread
from tablemen.tui.dialogs import AskText, Choice, Help
from tablemen.tui.help import help_text
from tablemen.tui.panels import EvaluationBar
from tablemen.tui.play import PlayedTable
from tablemen.tui.words import seat_name, turn_text


class TableScreen(PlayedTable):
    """A table, and a key for everything but the moves."""

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
        Binding("w", "seat", "Who plays"),
        Binding("exclamation_mark", "hurry", "Move now", key_display="!"),
        Binding("escape", "put_back", "Put back", show=False),
    ]

    def action_put_back(self) -> None:
        """Nothing is picked any more."""
        self.picking = MoveInput.for_game(self.session.game)
        self.hint = None
        self.query_one("#typed", Input).value = ""
        self.board.focus()
        if not self.session.game.outcome():
            self.say(turn_text(self.session))
        self.show()

    def action_help(self) -> None:
        """Says how it is played."""
        self.app.push_screen(Help(help_text(self.session)))

    @work(group="hint", exclusive=True)
    async def action_hint(self) -> None:
        """Shows a good move."""
        if not self._may_move():
            return
        game, before = self.session.game, len(self.session.game.moves)
        with self._telling_problems():  # the time may run out meanwhile
            hint = await run_in_daemon_thread(self.session.hint)
            if not self.is_open or self.session.game is not game or len(game.moves) != before:
                return
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
        self._changed()
        self.say(f"{taken_back_text(count)}. {turn_text(self.session)}.")

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
        """Lets computers and the clock wait, or go on."""
        if self.session.game.outcome():
            self._may_move()
            return
        self.is_paused = not self.is_paused
        self.session.stop()
        if self.is_paused:
            self.session.pause()
        else:
            self.session.resume()
        self.say("Paused: p goes on." if self.is_paused else turn_text(self.session))
        self._go_on()

    def action_hurry(self) -> None:
        """Whoever is thinking plays what it has found so far."""
        if not self.session.is_person(self.session.game.position.turn):
            self.session.stop()

    @work(group="question", exclusive=True)
    async def action_seat(self) -> None:
        """Somebody else plays a side."""
        session = self.session
        names = {session.family.side_name(side): side for side in Side}
        others = [name for name, side in names.items() if not session.is_person(side)]
        name = others[0] if len(others) == 1 else await self.app.push_screen_wait(Choice("Which side?", [*names]))
        if name is None:
            return
        side = names[name]
        player = session.players[side]
        written = str(player) if isinstance(player, WrittenPlayer) else ""
        text = await self.app.push_screen_wait(AskText(f"Who plays {name}?", written, self._find_objection_to))
        if text is not None:
            session.seat(side, parse_player(text))
            self.is_paused = False
            session.resume()
            self._changed()
            self.say(turn_text(session))

    def _find_objection_to(self, player: str) -> str | None:
        """Why nobody who is written so can play this game."""
        try:
            parse_player(player).check(self.session.game.position)
        except TablemenError as error:
            return str(error)
        return None

    @work(group="question", exclusive=True)
    async def action_draw(self) -> None:
        """Claims a draw, or agrees on one."""
        game = self.session.game
        if game.outcome():
            self._may_move()
            return
        if game.claims() and self.session.is_person(game.position.turn):
            self._declare(self.session.claim_draw)
        elif all(map(self.session.is_person, Side)):
            question = Choice("Do both players agree on a draw?", ["Draw", "Play on"])
            if await self.app.push_screen_wait(question) == "Draw":
                self._declare(self.session.agree_draw)
        else:
            self.say(f"No draw can be claimed now. {'; '.join(draw_texts(game))}", is_wrong=True)

    @work(group="question", exclusive=True)
    async def action_resign(self) -> None:
        """Gives the game up, after a question."""
        game = self.session.game
        if not self._may_move():
            return
        side = seat_name(self.session, game.position.turn)
        if await self.app.push_screen_wait(Choice(f"{side}: give up?", ["Play on", "Resign"])) == "Resign":
            self._declare(self.session.resign)

    def _declare(self, declare: Callable[[], Outcome]) -> None:
        """Ends the game, unless its time ran out while that was asked."""
        with contextlib.suppress(GameError):
            declare()
        self._changed()

    @work(group="question", exclusive=True)
    async def action_save(self) -> None:
        """Adds the game to a file."""
        rules = self.session.game.position.variant
        ending = "pdn" if isinstance(rules, DraughtsRules) else "txt"
        proposed = f"{rules.name}-{datetime.now().astimezone():%Y-%m-%d}.{ending}"
        file = await self.app.push_screen_wait(AskText("Add the game to the file", proposed))
        if file is not None:
            with self._telling_problems():
                self.session.save(expand_user(file))
                self.say(f"Saved in {file}.")

    @work(group="question", exclusive=True)
    async def action_load(self) -> None:
        """Goes on with the last game of a file."""
        file = await self.app.push_screen_wait(AskText("Go on with the last game of the file", ""))
        if file is None:
            return
        self.session.stop()
        with self._telling_problems():
            games = self.session.load(expand_user(file))
            self._changed()
            self.say(f"Opened {file}{among_text(games)}.")
        self._go_on()

    @contextlib.contextmanager
    def _telling_problems(self) -> Iterator[None]:
        """What cannot be done in the block ends it, and is said."""
        try:
            yield
        except (TablemenError, OSError) as error:
            told = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else str(error)
            if self.is_open:
                self.say(told, is_wrong=True)

    def action_new(self) -> None:
        """Another game; the one here is kept."""
        self.program.choose_game()

    def action_leave(self) -> None:
        """Leaves the program; the game is kept."""
        self.app.exit()
