"""Figures, and tables in plain text."""

from __future__ import annotations


def format_number(value: float) -> str:
    """The digits that mean something.

    >>> [format_number(value) for value in (0.001234, 0.57, 8.2, 47.12, 250.4, 98765.4)]
    ['0.0012', '0.57', '8.2', '47.1', '250', '98,765']
    """
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}" if value >= 1 else f"{value:.2g}"


def about(value: float) -> str:
    """A number in steps so large that noise rarely changes it.

    >>> [about(value) for value in (0.573, 1.44, 9.8, 13.5, 97.2, 254, 423, 9963, 1_391_205)]
    ['0.55', '1.4', '10', '14', '95', '250', '400', '10,000', '1,400,000']
    """
    power = 1.0
    while value / power >= 10:
        power *= 10
    while value / power < 1:
        power /= 10
    digits = value / power
    step = 0.2 if digits < 2 else 0.5
    rounded = round(digits / step) * step * power
    return f"{rounded:,.0f}" if rounded >= 10 else f"{rounded:.2g}"


def align(lines: list[list[str]]) -> list[str]:
    """The cells under each other: the first column to the left, the others to the right."""
    first, *others = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        "  ".join([head.ljust(first), *(cell.rjust(width) for cell, width in zip(cells, others, strict=True))])
        for head, *cells in lines
    ]
