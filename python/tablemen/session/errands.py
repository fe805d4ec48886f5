"""What players are told at the end of a game, and how they go home, while nobody waits for them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from tablemen.game import Game
from tablemen.outcome import Outcome
from tablemen.players import Player

PATIENCE = 20.0  # seconds in which a player has gone home; another program has time-outs of its own, and shorter ones


class Errands:
    """Errands of players, each in a thread of its own: another program may take its time.

    A player that plays both sides is told once. What a player does wrong here is nobody's business any more.
    """

    def __init__(self) -> None:
        self._threads: list[threading.Thread] = []

    def tell_end(self, players: Iterable[Player], game: Game[Any, Any], outcome: Outcome | None) -> None:
        """Tells players that a game has ended, or is left where the outcome is None."""
        for player in _each_once(players):
            player.stop()  # or it would hear of it only when it has chosen
            self._run(player.end_game, game.copy(), outcome)

    def send_home(self, players: Iterable[Player], game: Game[Any, Any] | None) -> None:
        """Sends players home; the game that they were playing, if there is one, is left."""
        for player in _each_once(players):
            player.stop()
            if game is None:
                self._run(player.close)
            else:
                self._run(_leave_game, player, game.copy())

    def wait(self) -> None:
        """Waits until all is done, and for none of it too long."""
        for thread in self._threads:
            thread.join(PATIENCE)

    def _run(self, errand: Callable[..., None], *arguments: Any) -> None:
        self._threads = [each for each in self._threads if each.is_alive()]
        self._threads.append(threading.Thread(target=_run, args=(errand, *arguments), name="errand", daemon=True))
        self._threads[-1].start()


def _each_once(players: Iterable[Player]) -> Iterable[Player]:
    return {id(each): each for each in players}.values()


def _leave_game(player: Player, game: Game[Any, Any]) -> None:
    try:
        player.end_game(game, None)
    finally:
        player.close()


def _run(errand: Callable[..., None], *arguments: Any) -> None:
    with suppress(Exception):
        errand(*arguments)
