"""The colours and characters of the boards, and characters for terminals without colours."""

from __future__ import annotations

import enum

from rich.color import Color
from rich.style import Style

from tablemen.outcome import Side


class Highlight(enum.Enum):
    """A kind of highlight: its background colour, and the characters at the edges if colours are off."""

    CURSOR = "#2b9c93", "><"
    PICKED = "#3f7fb5", "[]"
    TARGET = "#5c8a45", "()"
    HINT = "#8e5fa8", "{}"
    LAST = "#b79a3a", "''"

    def __init__(self, colour: str, edges: str) -> None:
        self.colour = colour
        self.edges = edges


LIGHT, DARK = "#e8d2ac", "#9c6b43"
NUMBER = "#d9b98c"
PIECE = {Side.WHITE: "#fdf8ec", Side.BLACK: "#1d1713"}
CROWN = {Side.WHITE: "#a86a00", Side.BLACK: "#f2c14e"}
WOOD, HOLLOW, RIM, SEED = "#6b4a2f", "#3a281a", "#b98d5e", "#f0d9a8"

# A disc for each height of a square; the width of a square is 2 * height + 1.
DISCS = {
    2: ("▗███▖", "▝███▘"),
    3: (" ▄███▄ ", "▐█████▌", " ▀███▀ "),
    4: (" ▗▄███▄▖ ", "▗███████▖", "▝███████▘", " ▝▀███▀▘ "),
}
RINGS = {
    2: ("╭───╮", "╰───╯"),
    3: ("╭─────╮", "│     │", "╰─────╯"),
    4: ("╭───────╮", "│       │", "│       │", "╰───────╯"),
}
SMALL = "●"
OPEN = {Side.WHITE: "○", Side.BLACK: "●"}  # pieces on terminals without colours
BRACKETS = {Side.WHITE: "()", Side.BLACK: "[]"}


def style(colour: str | None = None, on: str | None = None, *, bold: bool = False) -> Style:
    """Return a style for the terminal."""
    return Style.from_color(
        None if colour is None else Color.parse(colour), None if on is None else Color.parse(on)
    ) + Style(bold=bold or None)
