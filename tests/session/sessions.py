"""Helpers that create sessions for tests."""

from __future__ import annotations

from typing import Any

from tablemen import Side
from tablemen.clock import GameClock, TimeControl
from tablemen.draughts import Position
from tablemen.players import HumanPlayer, Player
from tablemen.session import Session
from tests.fake_clock import Time

INTERNATIONAL = Position.start("international")


def make_session(
    start: Any = INTERNATIONAL, white: Player | None = None, black: Player | None = None, **options: Any
) -> Session:
    """Return a session; by default, people play."""
    players = {Side.WHITE: white or HumanPlayer(), Side.BLACK: black or HumanPlayer()}
    return Session(start, players, hints="minimax:depth=1", **options)


def timed_session(time: Time, black: Player | None = None, start: Any = INTERNATIONAL) -> Session:
    """Return a session with a minute for each side and an increment of two seconds."""
    session = make_session(start, black=black, control=TimeControl(60, 2))
    session.clock = GameClock(TimeControl(60, 2), now=time)
    return session


def left(session: Session) -> list[float | None]:
    return [session.clock.left(side) for side in Side]
