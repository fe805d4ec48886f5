"""The full-screen application, which switches between the menu and the games."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import os
import signal
import threading
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import work
from textual.app import App
from textual.binding import Binding, BindingType
from textual.events import Event, Key, MouseDown, Paste

from tablemen.errors import TablemenError
from tablemen.family import get_family
from tablemen.players import parse_player
from tablemen.saved_games import DamagedGame, SavedGame, SavedGames
from tablemen.session import Session
from tablemen.tui.menu import GameSetup, MenuScreen, read_recent_engine, write_recent_engine
from tablemen.tui.table_screen import TableScreen
from tablemen.tui.widgets import ChoiceDialog

DEFAULT_KEY_TIMEOUT = 0.4  # seconds to type the second letter of a word whose first letter is a key
DEFAULT_PACE = 0.6  # minimum seconds for a move of the computer, so that people can follow
CONTINUE, NEW_GAME = "Continue", "New game"
EXIT_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
EXIT_TIMEOUT = 10.0  # seconds to restore the terminal, which may block for ever if its window was closed


class TablemenApp(App[None]):
    """The application with its menu, games and saved games.

    Without a session it starts with the menu. With one, it first offers a saved game of the same rules, unless `offer`
    is false.
    """

    TITLE = "tablemen"
    CSS_PATH = Path(__file__).with_name("tablemen.tcss")
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "Quit", show=False, priority=True, system=True),
        Binding("ctrl+c", "interrupt", "Interrupt", show=False, priority=True, system=True),
        Binding("ctrl+z", "suspend_process", "Suspend", show=False, priority=True, system=True),
    ]

    def __init__(
        self,
        session: Session | None,
        saved: SavedGames,
        *,
        offer: bool = True,
        pace: float = DEFAULT_PACE,
        key_timeout: float = DEFAULT_KEY_TIMEOUT,
    ) -> None:
        # If colours are off, textual shows its own colours as greys. Colours of the terminal are left out completely.
        super().__init__(ansi_color=bool(os.environ.get("NO_COLOR")))
        self.first_session = session
        self.saved = saved
        self.offer = offer
        self.pace = pace
        self.key_timeout = key_timeout
        self.table: TableScreen | None = None
        self._former_sessions: list[Session] = []  # sessions whose players may still be closing

    async def on_event(self, event: Event) -> None:
        """Handle an event; pass typed and pasted text to the table screen before textual forwards it to a widget.

        A key or a click also ends the animation of a move.
        """
        if isinstance(event, Key | Paste | MouseDown) and isinstance(self.screen, TableScreen) and self.screen.is_open:
            self.screen.board.skip_animation()
        is_handled = False
        if isinstance(event, Key | Paste) and not event.is_forwarded and isinstance(self.screen, TableScreen):
            is_handled = self.screen.route_text((event.text if isinstance(event, Paste) else event.character) or "")
        if not is_handled:
            await super().on_event(event)

    def on_mount(self) -> None:
        """Handle signals, and open the first screen."""
        loop = asyncio.get_running_loop()
        for name in EXIT_SIGNALS:
            with contextlib.suppress(AttributeError, NotImplementedError):  # not every system has these signals
                number = getattr(signal, name)
                loop.add_signal_handler(number, partial(self._exit_by_signal, 128 + number))
        self.app_suspend_signal.subscribe(self, lambda _: self._hold_clock(is_held=True))
        self.app_resume_signal.subscribe(self, lambda _: self._continue_after_suspension())
        self._open()

    def _hold_clock(self, *, is_held: bool) -> None:
        if self.table is not None and not self.table.is_paused:
            if is_held:
                self.table.session.pause()
            else:
                self.table.session.resume()

    def _continue_after_suspension(self) -> None:
        self._hold_clock(is_held=False)
        self.refresh(layout=True)  # Textual repaints by itself only if the terminal has another size than before

    def action_interrupt(self) -> None:
        """Exit as a program does after Ctrl-C; the game stays saved."""
        self.exit(return_code=128 + signal.SIGINT)

    def action_suspend_process(self) -> None:
        """Suspend the process group, as Ctrl-Z does in a shell; the clock stands still."""
        if self._driver is not None and self._driver.can_suspend:
            self.app_suspend_signal.publish(self)
            os.killpg(os.getpgrp(), signal.SIGTSTP)  # a parent such as make stops too

    def _exit_by_signal(self, status: int) -> None:
        """Exit; force it if the terminal cannot be restored in time. The game was saved after every move."""
        timer = threading.Timer(EXIT_TIMEOUT, self._force_exit, [status])
        timer.daemon = True
        timer.start()
        self.exit(return_code=status)

    def _force_exit(self, status: int) -> None:
        with contextlib.suppress(Exception):
            self.close()
        atexit._run_exitfuncs()  # noqa: SLF001 - the exit handlers stop the engines
        os._exit(status)

    @work(group="game", exclusive=True)
    async def _open(self) -> None:
        first = self.first_session
        if first is None:
            await self._show_menu()
            return
        saved = self.saved.list(first.game.start.variant) if self.offer and not first.game.moves else []
        if self.saved.damaged:
            self.notify("A saved game is damaged: the menu (n) says why.", severity="warning")
        question = ChoiceDialog(f"Continue {saved[0].describe()}?", [CONTINUE, NEW_GAME]) if saved else None
        if question is not None and await self.push_screen_wait(question) == CONTINUE:
            self._resume(saved[0])
        else:
            self._start(first)

    @work(group="game", exclusive=True)
    async def choose_game(self) -> None:
        """Open the menu; the current game continues if nothing is chosen."""
        self._close_dialogs()
        await self._show_menu()

    async def _show_menu(self) -> None:
        is_offered = self.offer or self.table is not None
        saved = self.saved.list() if is_offered else []
        damaged = list(self.saved.damaged) if is_offered else []
        if is_offered and self.saved.problem is not None:
            self.notify(self.saved.problem, severity="error", markup=False)
        folder = None
        with contextlib.suppress(OSError):  # the user may have no home folder
            folder = self.saved.folder
        engine = "" if folder is None else read_recent_engine(folder)
        menu = MenuScreen(saved, damaged, can_close=self.table is not None, delete=self._delete, engine=engine)
        chosen = await self.push_screen_wait(menu)
        if isinstance(chosen, SavedGame):
            self._resume(chosen)
        elif chosen is not None:
            if chosen.engine is not None and folder is not None:
                write_recent_engine(chosen.engine, folder)
            self._start(_make_session(chosen))

    def play_again(self) -> None:
        """Start the same game again, with the same players."""
        if self.table is not None:
            self.table.session.restart()
            self._show_session(self.table.session)

    def _resume(self, saved: SavedGame) -> None:
        try:
            session = self.saved.resume(saved)
        except (TablemenError, OSError) as error:  # such as a game that another process plays
            self.notify(str(error), severity="error", markup=False)
            self.choose_game()
            return
        self._show_session(session)

    def _delete(self, saved: SavedGame | DamagedGame) -> bool:
        try:
            self.saved.remove(saved)
        except (TablemenError, OSError) as error:
            self.notify(str(error), severity="error", markup=False)
            return False
        return True

    def _start(self, session: Session) -> None:
        self.saved.autosave(session)
        self._show_session(session)

    def _show_session(self, session: Session) -> None:
        """Show a session in place of the current one."""
        former, self.table = self.table, TableScreen(session, pace=self.pace, key_timeout=self.key_timeout)
        if former is None:
            self.push_screen(self.table)
            return
        former.close()
        if former.session is not session:
            former.session.close(wait=False)  # engines may be slow to quit
            self._former_sessions.append(former.session)
        self._close_dialogs(former)
        self.switch_screen(self.table)

    def _close_dialogs(self, table: TableScreen | None = None) -> None:
        """Close the dialogs above a table screen, such as a question that was open when the time ran out."""
        table = table or self.table
        while table in self.screen_stack and self.screen is not table:
            self.pop_screen()

    def close(self) -> None:
        """Stop the searches and close the sessions; the game stays saved."""
        if self.table is not None:
            self.table.close()
            self.table.session.close()
        for session in self._former_sessions:
            session.close()


def _make_session(setup: GameSetup) -> Session:
    players = {side: parse_player(text) for side, text in setup.players.items()}
    return Session(get_family(setup.rules).start(setup.rules), players, control=setup.control)
