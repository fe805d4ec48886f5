"""The full-screen program: from the menu to the board and back."""

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
from textual.events import Event, Key, Paste

from tablemen.errors import TablemenError
from tablemen.family import get_family
from tablemen.players import parse_player
from tablemen.saved_games import SavedGame, SavedGames
from tablemen.session import Session
from tablemen.tui.dialogs import Choice
from tablemen.tui.menu import Menu, Setup
from tablemen.tui.program import recall_program, remember_program
from tablemen.tui.table import TableScreen

PACE = 0.6  # seconds that a computer takes at least, so that people can follow
ENDING = ("SIGTERM", "SIGHUP")
PATIENCE = 10.0  # seconds to leave the screen: one whose window was closed may never take what is still to be written


class TablemenApp(App[None]):
    """A menu, tables, and games that are kept.

    Without a session the menu comes first. With one, a kept game of the same rules is offered before it, unless `offer`
    says no.
    """

    TITLE = "tablemen"
    CSS_PATH = Path(__file__).with_name("tablemen.tcss")
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c,ctrl+q", "quit", "Quit", show=False, priority=True, system=True),
    ]

    def __init__(self, session: Session | None, saved: SavedGames, *, offer: bool = True, pace: float = PACE) -> None:
        # With the terminal's own colours they can be left out altogether; others would become greys.
        super().__init__(ansi_color=bool(os.environ.get("NO_COLOR")))
        self.first = session
        self.saved = saved
        self.offer = offer
        self.pace = pace
        self.table: TableScreen | None = None
        self._left: list[Session] = []  # whose players may still be on their way home

    async def on_event(self, event: Event) -> None:
        """Everything that comes from outside; the table hears first of what is typed."""
        if isinstance(event, Key | Paste) and not event.is_forwarded and isinstance(self.screen, TableScreen):
            self.screen.expect((event.text if isinstance(event, Paste) else event.character) or "")
        await super().on_event(event)

    def on_mount(self) -> None:
        """The first screen."""
        loop = asyncio.get_running_loop()
        for name in ENDING:
            with contextlib.suppress(AttributeError, NotImplementedError):  # not every system has them
                number = getattr(signal, name)
                loop.add_signal_handler(number, partial(self._end, 128 + number))
        self._open()

    def _end(self, status: int) -> None:
        """Leaves the screen, or else the program without it: the game is kept with every move."""
        late = threading.Timer(PATIENCE, self._leave, [status])
        late.daemon = True
        late.start()
        self.exit(return_code=status)

    def _leave(self, status: int) -> None:
        with contextlib.suppress(Exception):
            self.close()
        atexit._run_exitfuncs()  # noqa: SLF001 - which end the programs that were started
        os._exit(status)

    @work(group="game", exclusive=True)
    async def _open(self) -> None:
        if self.first is None:
            await self._choose()
            return
        kept = self.saved.list(self.first.game.start.variant) if self.offer and not self.first.game.moves else []
        answers = ["Go on", "New game"]
        if kept and await self.push_screen_wait(Choice(f"Go on with {kept[0].describe()}?", answers)) == answers[0]:
            self._take_up(kept[0])
        else:
            self._begin(self.first)

    @work(group="game", exclusive=True)
    async def choose_game(self) -> None:
        """The menu; the game at hand is kept, and stays where nothing is chosen."""
        self._clear()
        await self._choose()

    async def _choose(self) -> None:
        kept = self.saved.list() if self.offer or self.table is not None else []
        menu = Menu(kept, can_close=self.table is not None, forget=self._forget, program=self._recall())
        chosen = await self.push_screen_wait(menu)
        if isinstance(chosen, SavedGame):
            self._take_up(chosen)
        elif chosen is not None:
            if chosen.program is not None:
                with contextlib.suppress(OSError):  # without a home nothing is remembered
                    remember_program(chosen.program, self.saved.folder)
            self._begin(_session(chosen))

    def _recall(self) -> str:
        try:
            return recall_program(self.saved.folder)
        except OSError:
            return ""

    def play_again(self) -> None:
        """The same game once more, with the same players."""
        if self.table is not None:
            self.table.session.restart()
            self._sit_down(self.table.session)

    def _take_up(self, kept: SavedGame) -> None:
        try:
            session = self.saved.resume(kept)
        except (TablemenError, OSError) as error:  # another program may have taken it in the meantime
            self.notify(str(error), severity="error", markup=False)
            self.choose_game()
            return
        self._sit_down(session)

    def _forget(self, kept: SavedGame) -> bool:
        try:
            self.saved.remove(kept)
        except (TablemenError, OSError) as error:
            self.notify(str(error), severity="error", markup=False)
            return False
        return True

    def _begin(self, session: Session) -> None:
        self.saved.autosave(session)
        self._sit_down(session)

    def _sit_down(self, session: Session) -> None:
        """Shows the session in place of the one before."""
        former, self.table = self.table, TableScreen(session, pace=self.pace)
        if former is None:
            self.push_screen(self.table)
            return
        former.close()
        if former.session is not session:
            former.session.close(wait=False)  # a program may take its time to go
            self._left.append(former.session)
        self._clear(former)
        self.switch_screen(self.table)

    def _clear(self, table: TableScreen | None = None) -> None:
        """Takes away what stands before a table: questions that were left when its time ran out, say."""
        table = table or self.table
        while table in self.screen_stack and self.screen is not table:
            self.pop_screen()

    def close(self) -> None:
        """Ends what is going on, and leaves the game as it is."""
        if self.table is not None:
            self.table.close()
            self.table.session.close()
        for session in self._left:
            session.close()


def _session(setup: Setup) -> Session:
    """The session that somebody chose in the menu."""
    family = get_family(setup.rules)
    players = {side: parse_player(text) for side, text in setup.players.items()}
    return Session(family.start(setup.rules), players, control=setup.control)
