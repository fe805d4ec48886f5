"""The two players as mancala calls them."""

from __future__ import annotations

from typing import Final

from tablemen.outcome import Side

SOUTH: Final = Side.WHITE  # sits at the bottom, and begins
NORTH: Final = Side.BLACK

NAMES = {SOUTH: "south", NORTH: "north"}
