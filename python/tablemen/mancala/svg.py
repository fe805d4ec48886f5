"""Positions as SVG pictures, for notebooks and web pages.

A picture is self-contained: it has no style sheet, script, font or identifier that could clash with others on a page.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, sin, sqrt

from tablemen._core import MancalaMove as Move
from tablemen._core import MancalaPosition as Position
from tablemen.errors import TablemenError
from tablemen.mancala.rules import NAMES, SOUTH
from tablemen.outcome import Side
from tablemen.xml import escape

CELL = 60  # the width of a pit in SVG units, the scale of everything else
EDGE, RADIUS, LABELS = 10, 24, 16  # width of the frame, radius of a house, height of the house numbers
HEIGHT = 2 * (EDGE + LABELS + CELL)
SEED, MAX_DRAWN = 4, 30  # radius of a seed; a pit with more seeds shows only this many, and the number

WOOD, HOLLOW, RIM = "#b58a60", "#8a6240", "#4b382a"
SEEDS, SEED_RIM, NUMBER, LABEL, MARK = "#e9d8b9", "#6f5a3a", "#fffdf6", "#3b2a1c", "#f4d03f"


def draw(position: Position, *, last_move: Move | None = None, orientation: Side | None = None, size: int = 600) -> str:
    """Draw the board as SVG, `size` pixels wide.

    The house of `last_move` is marked. `orientation` is the side at the bottom, South by default.

    >>> from tablemen.mancala import Position
    >>> start = Position.start("kalah")
    >>> move = start.parse_move("3")
    >>> draw(start.play(move), last_move=move).count('class="last-move"')
    1

    Raises `TablemenError` if the last move is of another variant or the size is below 1.
    """
    if orientation is not None and not isinstance(orientation, Side):
        raise TypeError(f"orientation must be a Side or None, not {orientation!r}")
    near = SOUTH if orientation is None else orientation
    if size < 1:
        raise TablemenError(f"size must be at least 1 pixel, not {size}")
    if last_move is not None and last_move.variant != position.variant:
        raise TablemenError(
            f"the last move is of {last_move.variant.name}, but the position is of {position.variant.name}"
        )
    width = 2 * EDGE + CELL * (position.variant.houses + 2)
    description = escape(f"{position.variant}, {position.text()}")
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" width="{size}"'
        f' height="{round(HEIGHT * size / width)}" role="img" aria-label="{description}" font-family="sans-serif">'
    )
    lines = [
        head,
        f"<title>{escape(str(position.variant))}, {NAMES[position.turn]} to move</title>",
        f'<rect width="{width}" height="{HEIGHT}" rx="18" fill="{WOOD}" stroke="{RIM}"/>',
        *_stores(position, near, width),
        *_houses(position, near, _origin(position, last_move)),
        "</svg>",
    ]
    return "\n".join(lines)


def _origin(position: Position, last_move: Move | None) -> tuple[Side, int] | None:
    """Return the side and the house that the last move was played from."""
    if last_move is None or last_move.is_swap:
        return None
    return (position.turn if last_move.extra_turn else position.turn.opponent), last_move.house


def _stores(position: Position, orientation: Side, width: int) -> Iterator[str]:
    """Draw the stores, each on the right of its owner."""
    for side, x in ((orientation.opponent, EDGE + CELL // 2), (orientation, width - EDGE - CELL // 2)):
        top, height = EDGE + LABELS, HEIGHT - 2 * (EDGE + LABELS)
        yield (
            f'<rect class="store" x="{x - RADIUS}" y="{top}" width="{2 * RADIUS}" height="{height}" rx="{RADIUS}"'
            f' fill="{HOLLOW}" stroke="{RIM}"/>'
        )
        yield from _seeds(position.stores[side], x, HEIGHT // 2, tall=2)
        label = f'<text x="{x}" y="{HEIGHT - EDGE}" font-size="12" fill="{LABEL}" text-anchor="middle">'
        yield f"{label}{NAMES[side]}</text>"


def _houses(position: Position, orientation: Side, origin: tuple[Side, int] | None) -> Iterator[str]:
    """Draw both rows of houses with their numbers."""
    rows = ((orientation, HEIGHT // 2 + CELL // 2, HEIGHT - EDGE), (orientation.opponent, HEIGHT // 2 - CELL // 2, 20))
    for side, y, label_y in rows:
        counts = position.houses(side)
        for house, seeds in enumerate(counts, start=1):
            place = house if side is orientation else len(counts) + 1 - house
            x = EDGE + CELL * place + CELL // 2
            yield f'<circle class="house" cx="{x}" cy="{y}" r="{RADIUS}" fill="{HOLLOW}" stroke="{RIM}"/>'
            if (side, house) == origin:
                ring = f'fill="none" stroke="{MARK}" stroke-width="4"'
                yield f'<circle class="last-move" cx="{x}" cy="{y}" r="{RADIUS}" {ring}/>'
            yield from _seeds(seeds, x, y)
            label = f'<text x="{x}" y="{label_y}" font-size="12" fill="{LABEL}" text-anchor="middle">'
            yield f"{label}{house}</text>"


def _seeds(count: int, x: int, y: int, *, tall: int = 1) -> Iterator[str]:
    """Draw the seeds of a pit on a spiral from its centre, at most `MAX_DRAWN`, and their number."""
    turn = pi * (3 - sqrt(5))  # the golden angle: no two seeds on one ray
    spread = (RADIUS - SEED - 2) / sqrt(max(12, min(count, MAX_DRAWN)))
    dots = []
    for number in range(min(count, MAX_DRAWN)):
        distance, angle = spread * sqrt(number + 0.5), turn * number
        dots.append(f"M{x + distance * cos(angle):.1f} {y + tall * distance * sin(angle):.1f}h0")
    if dots:
        for colour, width in ((SEED_RIM, 2 * SEED + 1), (SEEDS, 2 * SEED - 1)):
            yield f'<path stroke="{colour}" stroke-width="{width}" stroke-linecap="round" d="{"".join(dots)}"/>'
    # An outline keeps the digits readable on the seeds.
    style = f'font-size="15" font-weight="bold" fill="{NUMBER}" stroke="{RIM}" stroke-width="3" paint-order="stroke"'
    yield f'<text class="seeds" x="{x}" y="{y + 5}" text-anchor="middle" {style}>{count}</text>'
