"""Players of the server's own, whose time ends or who are not waited for any more."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from tablemen import Game
from tablemen.mancala import Position
from tablemen.protocols.kgp.server.seats import PlayerSeat
from tests.patience import LONG, run_in_time
from tests.players_for_tests import First


class Deaf(First):
    """Thinks until it is told to stop for the second time, as one does that had not begun when it was told first."""

    name = "deaf"

    def __init__(self) -> None:
        self.told = 0
        self.thinks, self.stopped = threading.Event(), threading.Event()

    def choose(self, game: Game[Any, Any]) -> Any:
        self.thinks.set()
        assert self.stopped.wait(2 * LONG)
        return super().choose(game)

    def stop(self) -> None:
        self.told += 1
        if self.told == 2:
            self.stopped.set()


def test_a_player_whose_time_is_over_is_told_until_it_stops() -> None:
    assert run_in_time(PlayerSeat("own", Deaf(), 0.01).choose(Game(Position.start("kgp")))).house == 1


def test_a_player_that_is_not_waited_for_any_more_is_told_until_it_stops() -> None:
    player = Deaf()

    async def run() -> None:
        choosing = asyncio.create_task(PlayerSeat("own", player, 1000).choose(Game(Position.start("kgp"))))
        assert await asyncio.to_thread(player.thinks.wait, LONG)
        choosing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await choosing
        assert player.stopped.is_set()

    run_in_time(run())
