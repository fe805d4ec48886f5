"""What a session can go back to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tablemen.clock import GameClock
from tablemen.game import Game


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a session was at a moment; its clock runs on as if nothing had happened since."""

    game: Game[Any, Any]
    clock: GameClock
    is_timed: bool
