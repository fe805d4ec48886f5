"""Where players wait between the games of a match."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Self

from tablemen.errors import TablemenError
from tablemen.players import Player

PATIENCE = 10.0  # seconds for a game to notice that its players are gone; a program that hangs is killed sooner
PAUSE = 0.02  # seconds between two looks


class Bench:
    """Makes the players of each game. Those that last play the next one too, in the same seat; others are closed.

    One game is played at a time; only `close` may come from another thread.
    """

    def __init__(self) -> None:
        self._kept: dict[int, Player] = {}  # those that last, by their seats
        self._open: list[Player] = []  # those that last and have not been closed
        self._is_playing = False
        self._is_closed = False

    @contextmanager
    def seat(self, makers: Sequence[Callable[[], Player]]) -> Iterator[list[Player]]:
        """The players of a game, for as long as it goes on. After an error they are all sent home."""
        self._is_playing = True
        seated: list[Player] = []
        try:
            for number, make in enumerate(makers):
                seated.append(self._take(number, make))
            yield seated
        except BaseException:
            self._kept.clear()
            raise
        finally:
            for player in seated:
                if all(player is not kept for kept in self._kept.values()):
                    self._send_home(player)
            self._is_playing = False

    def dismiss(self, player: Player) -> None:
        """The player is not wanted for another game: somebody like it is made anew for that."""
        self._kept = {number: kept for number, kept in self._kept.items() if kept is not player}

    def close(self) -> None:
        """Sends home those that last, also from another thread while they play; no game begins after that."""
        self._is_closed = True
        until = time.monotonic() + PATIENCE
        while self._open:
            was_playing = self._is_playing  # before: a game may open them again while they are closed, and then end
            for player in list(self._open):
                _close(player)
            # One that was just being opened is open now, and one that is being closed needs its time.
            if not was_playing or time.monotonic() >= until:
                return
            time.sleep(PAUSE)

    def _take(self, number: int, make: Callable[[], Player]) -> Player:
        if self._is_closed:
            raise TablemenError("the match is over")
        if number in self._kept:
            return self._kept[number]
        player = make()
        if getattr(player, "lasts", False):
            self._kept[number] = player
            self._open.append(player)
        return player

    def _send_home(self, player: Player) -> None:
        _close(player)
        self._open = [each for each in self._open if each is not player]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _close(player: Player) -> None:
    with suppress(Exception):  # what becomes of it is no part of the match
        player.close()
