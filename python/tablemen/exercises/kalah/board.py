"""The boards of the Kalah console, lying and standing, as lines.

A number has room for every seed there is, and two characters at least, so a board keeps its width for the whole game.
"""

from __future__ import annotations

from tablemen.mancala import NORTH, SOUTH, Position
from tablemen.outcome import Side

LABELS = {SOUTH: "P1", NORTH: "P2"}


def draw_horizontal(position: Position) -> list[str]:
    r"""Player 2's houses on top, from right to left, and player 1's below, from left to right.

    >>> print(*draw_horizontal(Position.start("kalah")), sep="\n")
    +----+-------+-------+-------+-------+-------+-------+----+
    | P2 | 6[ 4] | 5[ 4] | 4[ 4] | 3[ 4] | 2[ 4] | 1[ 4] |  0 |
    |    |-------+-------+-------+-------+-------+-------|    |
    |  0 | 1[ 4] | 2[ 4] | 3[ 4] | 4[ 4] | 5[ 4] | 6[ 4] | P1 |
    +----+-------+-------+-------+-------+-------+-------+----+
    """
    digits = _digits(position)
    top, bottom = _cells(position, NORTH)[::-1], _cells(position, SOUTH)
    dashes = "+".join("-" * (len(cell) + 2) for cell in bottom)
    edge = "-" * (digits + 2)
    frame = f"+{edge}+{dashes}+{edge}+"
    label = {side: f"{text:>{digits}}" for side, text in LABELS.items()}
    store = {side: f"{count:>{digits}}" for side, count in position.stores.items()}
    return [
        frame,
        f"| {' | '.join([label[NORTH], *top, store[SOUTH]])} |",
        f"|{' ' * len(edge)}|{dashes}|{' ' * len(edge)}|",
        f"| {' | '.join([store[NORTH], *bottom, label[SOUTH]])} |",
        frame,
    ]


def draw_vertical(position: Position) -> list[str]:
    r"""Player 1's houses on the left, downwards, and player 2's on the right, upwards.

    >>> print(*draw_vertical(Position.start("kalah")), sep="\n")
    +---------------+
    |       | P2  0 |
    +-------+-------+
    | 1[ 4] | 6[ 4] |
    | 2[ 4] | 5[ 4] |
    | 3[ 4] | 4[ 4] |
    | 4[ 4] | 3[ 4] |
    | 5[ 4] | 2[ 4] |
    | 6[ 4] | 1[ 4] |
    +-------+-------+
    | P1  0 |       |
    +---------------+
    """
    left, right = _cells(position, SOUTH), _cells(position, NORTH)[::-1]
    width = len(left[0])
    store = {side: f"{text}{position.stores[side]:>{width - len(text)}}" for side, text in LABELS.items()}
    frame = f"+{'-' * (2 * width + 5)}+"
    middle = f"+{'-' * (width + 2)}+{'-' * (width + 2)}+"
    return [
        frame,
        f"| {' ' * width} | {store[NORTH]} |",
        middle,
        *(f"| {own} | {other} |" for own, other in zip(left, right, strict=True)),
        middle,
        f"| {store[SOUTH]} | {' ' * width} |",
        frame,
    ]


def _cells(position: Position, side: Side) -> list[str]:
    """The houses of a side in their order, each with its number: `6[ 4]`."""
    houses = position.houses(side)
    wide, digits = len(str(len(houses))), _digits(position)
    return [f"{number:>{wide}}[{count:>{digits}}]" for number, count in enumerate(houses, 1)]


def _digits(position: Position) -> int:
    seeds = sum(position.stores[side] + sum(position.houses(side)) for side in LABELS)
    return max(2, len(str(seeds)))
