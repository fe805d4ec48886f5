"""The two players, under their names in mancala."""

from __future__ import annotations

from typing import Final

from tablemen.outcome import Side

SOUTH: Final = Side.WHITE  # at the bottom; moves first
NORTH: Final = Side.BLACK

NAMES = {SOUTH: "south", NORTH: "north"}
