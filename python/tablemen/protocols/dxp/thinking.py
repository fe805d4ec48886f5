"""A player that chooses in a thread of its own, so that the connection is heard meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from typing import TYPE_CHECKING, Any

from tablemen.errors import TablemenError
from tablemen.game import Game

if TYPE_CHECKING:
    from tablemen.players import Player

STOPPING = 30.0  # seconds that a player may take to stop; most need none
AGAIN = 0.05  # seconds, after which it is told once more: perhaps it had not begun


class Thinking:
    """A choice in the making; `choice` is done with it, or with what the player raised.

    The thread does not keep the program from ending.
    """

    def __init__(self, player: Player, game: Game[Any, Any]) -> None:
        self._player = player
        self._loop = asyncio.get_running_loop()
        self.choice: asyncio.Future[Any] = self._loop.create_future()
        threading.Thread(target=self._think, args=(game.copy(),), name="thinking", daemon=True).start()

    def _think(self, game: Game[Any, Any]) -> None:
        choice, failure = None, None
        try:
            choice = self._player.choose(game)
        except Exception as error:  # noqa: BLE001 - whatever a player does, it is told to those who wait
            failure = error
        with contextlib.suppress(RuntimeError):  # nobody waits any more
            self._loop.call_soon_threadsafe(self._tell, choice, failure)

    def _tell(self, choice: Any, failure: Exception | None) -> None:
        if self.choice.cancelled():
            return
        if failure is None:
            self.choice.set_result(choice)
        else:
            self.choice.set_exception(failure)

    async def stop(self) -> None:
        """Wait until the player has stopped; what it chose is there then. Raises `TablemenError` where it does not."""
        end = self._loop.time() + STOPPING
        while not self.choice.done():
            if self._loop.time() > end:
                self.choice.cancel()
                raise TablemenError(f"{self._player.name} does not stop thinking")
            self._player.stop()
            await asyncio.wait({self.choice}, timeout=AGAIN)
        self.choice.exception()  # somebody has looked
