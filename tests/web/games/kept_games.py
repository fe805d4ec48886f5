"""A game to be kept, what can become of it, and where it is kept."""

from __future__ import annotations

from pathlib import Path

from tablemen.web.games.kept import Facts, Standing
from tablemen.web.games.store import Store

FACTS = Facts(
    id="a game",
    variant="kalah",
    houses=6,
    seeds=3,
    position=None,
    opening=1,
    opponent="link",
    level=None,
    white_key=b"\x00white",
    black_key=b"\xffblack",
    created=1.5,
)
STANDING = Standing(revision=7, control="5+3", white_used=1.25, black_added=3.0, draw_offer="white")
OVER = Standing(revision=9, winner="black", termination="RESIGNATION", takeback_offer="black", rematch_offer="white")


def opened(path: Path) -> Store:
    """A database in which games can be kept."""
    store = Store(path)
    store.open()
    return store
