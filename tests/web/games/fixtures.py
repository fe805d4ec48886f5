"""Hosted games for tests, sets of sides, and rows of the database."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tablemen.outcome import Side
from tablemen.web.games.hosted_game import HostedGame
from tablemen.web.games.opponents import Computer, Engines, SharedEngine
from tablemen.web.games.rooms import create_game
from tablemen.web.games.store import GameInfo, GameStatus, Store, StoredGame, StoredMove
from tablemen.web.models import Action, NewGame
from tests.fake_engines import FakePlayer

WHITE, BLACK = frozenset({Side.WHITE}), frozenset({Side.BLACK})
BOTH, NONE = WHITE | BLACK, frozenset[Side]()

INFO = GameInfo(
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
STATUS = GameStatus(revision=7, control="5+3", white_used=1.25, black_added=3.0, draw_offer="white")
OVER = GameStatus(revision=9, winner="black", termination="RESIGNATION", takeback_offer="black", rematch_offer="white")


def list_moves(*texts: str) -> tuple[StoredMove, ...]:
    """Return moves without clock times, as the database stores them."""
    return tuple(map(StoredMove, texts))


def open_store(path: Path) -> Store:
    """Return an open store."""
    store = Store(path)
    store.open()
    return store


def computer() -> Computer:
    """Return a computer with one small searcher."""
    return Computer(searches=1, table_mb=1, seconds=10, waiting_of_one=50)


def engines(**written: str) -> Engines:
    """Return engines by their names."""
    return Engines(written, seconds=10, waiting_of_one=50)


NO_ENGINES = engines()


def get_player(engine: SharedEngine | None) -> FakePlayer:
    """Return the player behind a fake engine."""
    assert engine is not None
    assert isinstance(engine._player, FakePlayer)
    return engine._player


def host(now: Callable[[], float] = time.monotonic, **request: Any) -> HostedGame:
    """Return a new game, by default by link and created by White."""
    known = request.pop("engines", NO_ENGINES)
    stored, _ = create_game(
        NewGame(**{"variant": "international", "opponent": "link", "side": "white", **request}), known
    )
    return HostedGame(stored, computer(), known, now=now)


def stored(hosted: HostedGame) -> StoredGame:
    """Return the rows of the game in the database."""
    return StoredGame(hosted.info, hosted.status(), tuple(hosted.stored_moves(0)))


def reload(hosted: HostedGame, now: Callable[[], float] = time.monotonic, *, away: float = 0.0) -> HostedGame:
    """Return the game after a round trip through the database, on a server without engines."""
    return HostedGame(stored(hosted), computer(), NO_ENGINES, now=now, away=away)


def move(text: str, ply: int | None = None) -> Action:
    return Action(action="move", move=text, ply=ply)


def action(name: Any) -> Action:
    return Action(action=name)


def play(hosted: HostedGame, *moves: str) -> None:
    """Play moves for the side to move."""
    for text in moves:
        hosted.act(move(text), frozenset({hosted.game.position.turn}))


def get_moves(hosted: HostedGame) -> list[str]:
    """Return the texts of the moves."""
    return [str(each) for each in hosted.game.moves]
