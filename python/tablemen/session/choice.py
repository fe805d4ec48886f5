"""What a player of a session chose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tablemen.outcome import Side


@dataclass(frozen=True, slots=True)
class Choice:
    """What a player chose: a move, `RESIGN`, or None for a draw that is claimed; and in which state of the session."""

    move: Any
    side: Side
    revision: int
