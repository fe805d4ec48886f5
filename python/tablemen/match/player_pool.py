"""The players of a match, kept from game to game if they start slowly."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Self

from tablemen.errors import TablemenError
from tablemen.players import Player

CLOSE_TIMEOUT = 10.0  # seconds for a game to end after its players were closed; a hanging program is killed sooner
POLL_INTERVAL = 0.02  # seconds


class PlayerPool:
    """Creates the players of each game. Players that last are reused in the next game, the others are closed.

    It serves one game at a time; only `close` may be called from another thread.
    """

    def __init__(self) -> None:
        self._kept: dict[int, Player] = {}  # the players that last, by their number
        self._open: list[Player] = []  # the players that last and are not closed
        self._is_playing = False
        self._is_closed = False

    @contextmanager
    def acquire(self, factories: Sequence[Callable[[], Player]]) -> Iterator[list[Player]]:
        """Provide the players of a game. If the block raises, all of them are closed."""
        self._is_playing = True
        players: list[Player] = []
        try:
            for number, create in enumerate(factories):
                players.append(self._get(number, create))
            yield players
        except BaseException:
            self._kept.clear()
            raise
        finally:
            for player in players:
                if all(player is not kept for kept in self._kept.values()):
                    _close(player)
                    self._open = [each for each in self._open if each is not player]
            self._is_playing = False

    def discard(self, player: Player) -> None:
        """Do not reuse a player: the next game gets a new one."""
        self._kept = {number: kept for number, kept in self._kept.items() if kept is not player}

    def close(self) -> None:
        """Close the players that last, even during a game; no game can begin after that."""
        self._is_closed = True
        deadline = time.monotonic() + CLOSE_TIMEOUT
        while self._open:
            was_playing = self._is_playing  # read first: a game may reopen a player while it is closed, and then end
            for player in list(self._open):
                _close(player)
            # A player that was being opened is open by the next iteration, and one that is being closed needs time.
            if not was_playing or time.monotonic() >= deadline:
                return
            time.sleep(POLL_INTERVAL)

    def _get(self, number: int, create: Callable[[], Player]) -> Player:
        if self._is_closed:
            raise TablemenError("the match is over")
        if number in self._kept:
            return self._kept[number]
        player = create()
        if getattr(player, "lasts", False):
            self._kept[number] = player
            self._open.append(player)
        return player

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _close(player: Player) -> None:
    with suppress(Exception):  # a player that fails to close does not affect the match
        player.close()
