"""The time of the players of a game, each with a time control of its own."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from tablemen import search
from tablemen.clock import GameClock, TimeControl
from tablemen.game import Game
from tablemen.outcome import Side
from tablemen.players import Player
from tablemen.threads import call_after


class Timekeeper:
    """Counts the time that choices take; a side without a time control has all of it."""

    def __init__(
        self,
        controls: Mapping[Side, TimeControl],
        *,
        margin: float = 0.0,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clocks = {side: GameClock(control, margin=margin, now=now) for side, control in controls.items()}
        self._made: Counter[Side] = Counter()

    def choose(self, player: Player, game: Game[Any, Any]) -> Any:
        """What the player to move chooses. It is told its time, and told to stop when that is up."""
        side = game.position.turn
        clock = self._clocks.get(side)
        if clock is None or clock.control is None:
            player.clock = None
            return player.choose(game)
        left = max(0.0, clock.left(side) or 0.0)
        player.clock = search.Clock(left, clock.control.increment, clock.control.moves_to_go(self._made[side]))
        self._made[side] += 1
        clock.run(side)  # before the wait begins, so that nobody is told to stop before the time is up
        try:
            with call_after(player.stop, after=left):
                return player.choose(game)
        finally:
            clock.press(side.opponent, made=self._made[side])
            clock.pause()

    def late(self, side: Side) -> float | None:
        """By how many seconds the side was too late, more than the margin; None where it was not."""
        clock = self._clocks.get(side)
        if clock is None or clock.flagged() is not side:
            return None
        return 0.0 - (clock.left(side) or 0.0)
