"""Formatting of figures and plain-text tables."""

from __future__ import annotations

import math


def format_number(value: float) -> str:
    """Format a number with its significant digits.

    >>> [format_number(value) for value in (0.001234, 0.57, 8.2, 47.12, 250.4, 98765.4)]
    ['0.0012', '0.57', '8.2', '47.1', '250', '98,765']
    """
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}" if value >= 1 else f"{value:.2g}"


def about(value: float, *, up: bool = False) -> str:
    """Round down, or up, to steps so large that measurement noise rarely changes the result.

    >>> [about(value) for value in (0.573, 1.44, 9.8, 13.5, 97.2, 254, 499, 9963, 1_391_205)]
    ['0.55', '1.4', '9.5', '12', '95', '250', '450', '9,500', '1,200,000']
    >>> [about(value, up=True) for value in (0.573, 1.44, 9.8, 25)]
    ['0.6', '1.6', '10', '25']
    """
    power = 1.0
    while value / power >= 10:
        power *= 10
    while value / power < 1:
        power /= 10
    digits = value / power
    step = 0.2 if digits < 2 else 0.5
    steps = round(digits / step, 6)  # ignore floating-point error
    rounded = (math.ceil(steps) if up else math.floor(steps)) * step * power
    return f"{rounded:,.0f}" if rounded >= 10 else f"{rounded:.2g}"


def align(lines: list[list[str]]) -> list[str]:
    """Pad the cells to columns: the first left-aligned, the others right-aligned."""
    first, *others = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        "  ".join([head.ljust(first), *(cell.rjust(width) for cell, width in zip(cells, others, strict=True))])
        for head, *cells in lines
    ]
