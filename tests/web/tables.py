"""Tables for tests, and who sits at them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from tablemen.outcome import Side
from tablemen.web.games.actions import act
from tablemen.web.games.beginning import new_table
from tablemen.web.games.computer import Computer
from tablemen.web.games.engines import Engine, Engines
from tablemen.web.games.kept import KeptGame
from tablemen.web.games.table import Table
from tablemen.web.models import Action, NewGame
from tests.engines_for_tests import FakePlayer

WHITE, BLACK = frozenset({Side.WHITE}), frozenset({Side.BLACK})
BOTH, NONE = WHITE | BLACK, frozenset[Side]()


def computer() -> Computer:
    """A small one."""
    return Computer(searches=1, table_mb=1, seconds=10, waiting_of_one=50)


def engines(**written: str) -> Engines:
    """Programs by their names."""
    return Engines(written, seconds=10, waiting_of_one=50)


NONE_OF_THEM = engines()


def player_of(engine: Engine | None) -> FakePlayer:
    """Who plays for a program that is made up."""
    assert engine is not None
    assert isinstance(engine._player, FakePlayer)
    return engine._player


def table(now: Callable[[], float] = time.monotonic, **asked: Any) -> Table:
    """A new game between two with a link, unless told otherwise; White is who asks for it."""
    usual = {"variant": "international", "opponent": "link", "side": "white"}
    known = asked.pop("engines", NONE_OF_THEM)
    made, _ = new_table(NewGame(**{**usual, **asked}), computer(), known)
    return again(made, now, known=known)


def again(
    made: Table, now: Callable[[], float] = time.monotonic, *, away: float = 0.0, known: Engines = NONE_OF_THEM
) -> Table:
    """The same table, from what is kept of it."""
    kept = KeptGame(made.facts, made.standing(), tuple(made.moves_from(0)))
    return Table(kept, computer(), known, now=now, away=away)


def move(text: str, ply: int | None = None) -> Action:
    return Action(action="move", move=text, ply=ply)


def action(name: Any) -> Action:
    return Action(action=name)


def play(made: Table, *moves: str) -> None:
    """Both sides move, in turn."""
    for text in moves:
        act(made, move(text), frozenset({made.game.position.turn}))


def moves_of(made: Table) -> list[str]:
    """What was played, as it is written."""
    return [str(each) for each in made.game.moves]
