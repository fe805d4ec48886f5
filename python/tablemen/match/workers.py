"""Players and processes of a match: players that are reused between games, and a process pool."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Any, Self, TypeVar

from tablemen.errors import TablemenError
from tablemen.players import Player
from tablemen.process_pool import ProcessPool

T = TypeVar("T")


class PlayerPool:
    """The players of successive games. Those whose `lasts` is true are reused in the next game, the others are closed.

    A pool serves one game at a time; only `close` may be called from another thread.
    """

    def __init__(self) -> None:
        self._reusable: dict[int, Player] = {}  # reusable players, by their number
        self._open: list[Player] = []  # reusable players that are not closed
        self._is_closed = False

    @contextmanager
    def acquire(self, factories: Sequence[Callable[[], Player]]) -> Iterator[list[Player]]:
        """Provide the players of a game. If the block raises, all of them are closed."""
        players: list[Player] = []
        try:
            for number, create in enumerate(factories):
                players.append(self._get(number, create))
            yield players
        except BaseException:
            self._reusable.clear()
            raise
        finally:
            for player in players:
                if all(player is not each for each in self._reusable.values()):
                    _close(player)
                    self._open = [each for each in self._open if each is not player]

    def discard(self, player: Player) -> None:
        """Do not reuse a player: the next game gets a new one."""
        self._reusable = {number: each for number, each in self._reusable.items() if each is not player}

    def close(self) -> None:
        """Close the reusable players, even during a game, and for good; no game can begin after that."""
        self._is_closed = True
        for player in list(self._open):
            _close(player)

    def _get(self, number: int, create: Callable[[], Player]) -> Player:
        if number in self._reusable and not self._is_closed:
            return self._reusable[number]
        player = create()
        if getattr(player, "lasts", False):
            self._reusable[number] = player
            self._open.append(player)
        if self._is_closed:  # checked last, since another thread may call `close` at the same time
            _close(player)
            raise TablemenError("the match is over")
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


class GameProcessPool(ProcessPool):
    """Worker processes that call functions with their `PlayerPool` as the last argument.

    The workers close their players before they exit.
    """

    def __init__(self, size: int) -> None:
        super().__init__(size, on_exit=_close_players)

    def submit(self, function: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Call a function in a worker."""
        return super().submit(_call_with_players, function, *args, **kwargs)


# The code below runs in the worker processes.

_players = PlayerPool()


def _close_players() -> None:
    _players.close()


def _call_with_players(function: Callable[..., T], *args: Any, **kwargs: Any) -> T:
    return function(*args, _players, **kwargs)
