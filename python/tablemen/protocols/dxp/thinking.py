"""A player that chooses in a thread of its own, so that the connection is heard meanwhile."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

from tablemen.errors import TablemenError
from tablemen.game import Game
from tablemen.protocols.stopping import stop_until_done
from tablemen.threads import run_in_daemon_thread

if TYPE_CHECKING:
    from tablemen.players import Player

STOPPING = 30.0  # seconds that a player may take to stop; most need none


class Thinking:
    """A choice in the making; `choice` is done with it, or with what the player raised.

    The thread does not keep the program from ending.
    """

    def __init__(self, player: Player, game: Game[Any, Any]) -> None:
        self._player = player
        self.choice: asyncio.Future[Any] = run_in_daemon_thread(partial(player.choose, game.copy()))

    async def stop(self) -> None:
        """Wait until the player has stopped; what it chose is there then. Raises `TablemenError` where it does not."""
        if not await stop_until_done(self.choice, self._player.stop, STOPPING):
            self.choice.cancel()
            raise TablemenError(f"{self._player.name} does not stop thinking")
        self.choice.exception()  # somebody has looked
