"""The full-screen board for terminals. It needs the extra `tui`: `pip install 'tablemen[tui]'`."""

from __future__ import annotations

import contextlib
import os
import sys

from tablemen.saved_games import SavedGames
from tablemen.session import Session
from tablemen.tui.app import TablemenApp

__all__ = ["TablemenApp", "run"]


def run(session: Session | None, saved: SavedGames, *, offer: bool = True) -> None:
    """Play on the whole screen until everybody has left: a session, or what is chosen from the menu.

    A kept game of the same rules is offered first, unless `offer` says no.
    """
    if os.environ.get("NO_COLOR") == "":
        del os.environ["NO_COLOR"]  # set to nothing it means nothing, and textual takes it for a wish
    app = TablemenApp(session, saved, offer=offer)
    try:
        app.run()
    finally:
        app.close()
    if app.table is not None and app.table.session.autosave is not None and app.table.session.autosave.is_saved:
        with contextlib.suppress(OSError):  # a terminal that has hung up takes no more
            print("The game is kept: `tablemen play` goes on with it.", file=sys.stderr)
    if app.return_code:
        raise SystemExit(app.return_code)
