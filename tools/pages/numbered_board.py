"""A picture of an empty board with the names of its squares."""

from __future__ import annotations

from collections.abc import Iterator

from tablemen.draughts import DraughtsRules
from tablemen.draughts.board import Playable
from tablemen.draughts.svg import CELL, DARK, DARKER, EDGE, FRAME, LIGHT, NUMBER
from tablemen.xml import escape


def draw_numbers(rules: DraughtsRules, *, size: int = 400) -> str:
    """Return the board as SVG with White at the bottom; the longer side has `size` pixels."""
    width, height = (2 * EDGE + CELL * number for number in (rules.columns, rules.rows))
    scale = size / max(width, height)
    title = f"The squares of {escape(str(rules))}"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{round(width * scale)}"'
        f' height="{round(height * scale)}" role="img" aria-label="{title}" font-family="sans-serif">'
    )
    return "\n".join(
        [
            head,
            f"<title>{title}</title>",
            f'<rect width="{width}" height="{height}" rx="5" fill="{FRAME}"/>',
            f'<path fill="{LIGHT}" d="M{EDGE} {EDGE}H{width - EDGE}V{height - EDGE}H{EDGE}z"/>',
            *_squares(rules),
            "</svg>",
        ]
    )


def _squares(rules: DraughtsRules) -> Iterator[str]:
    """Yield the squares in use, with their names."""
    for square in rules.mover.squares:
        left, top = EDGE + CELL * square.column, EDGE + CELL * square.row
        shaded = rules.playable is Playable.ALL and (square.row + square.column) % 2
        yield f'<path fill="{DARKER if shaded else DARK}" d="M{left} {top}h{CELL}v{CELL}h-{CELL}z"/>'
        middle = f'x="{left + CELL // 2}" y="{top + CELL // 2 + 5}" text-anchor="middle"'
        yield f'<text {middle} font-size="15" fill="{NUMBER}">{square.name}</text>'
