"""The full-screen interface for terminals. It needs the extra `tui`: `pip install 'tablemen[tui]'`."""

from __future__ import annotations

import contextlib
import os
import sys

from tablemen.saved_games import SavedGames
from tablemen.session import Session
from tablemen.tui.app import TablemenApp

__all__ = ["TablemenApp", "run"]


def run(session: Session | None, saved: SavedGames, *, offer: bool = True) -> None:
    """Run the full-screen interface with a session, or with the menu if it is None, until the user quits.

    A saved game of the same rules is offered first, unless `offer` is false.
    """
    if os.environ.get("NO_COLOR") == "":
        del os.environ["NO_COLOR"]  # textual treats an empty value as set, but by no-color.org it is not
    app = TablemenApp(session, saved, offer=offer)
    try:
        app.run()
    finally:
        app.close()
    autosave = None if app.table is None else app.table.session.autosave
    if autosave is not None:
        with contextlib.suppress(OSError):  # the terminal may have hung up
            if autosave.is_saved:
                print("The game is saved. Continue it with `tablemen play`.", file=sys.stderr)
            elif autosave.finished_file is not None:
                print(f"The game is kept in {autosave.finished_file}", file=sys.stderr)
    if app.return_code:
        raise SystemExit(app.return_code)
