"""Output that commands share: JSON, tables, counts and a status line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from typing import Self

import click


def print_json(value: object) -> None:
    """Print a value as indented JSON."""
    click.echo(json.dumps(value, indent=2))


def format_table(rows: Iterable[tuple[str, ...]], alignments: str) -> Iterator[str]:
    """Format rows as lines with aligned columns; `alignments` has `<` or `>` for each column."""
    listed = list(rows)
    widths = [max(map(len, column)) for column in zip(*listed, strict=True)]
    for row in listed:
        cells = (f"{cell:{side}{width}}" for cell, side, width in zip(row, alignments, widths, strict=True))
        yield "  ".join(cells).rstrip()


def format_count(number: int, noun: str, plural: str | None = None, *, spec: str = "") -> str:
    """Format a number with a noun.

    >>> format_count(1, "game"), format_count(3, "leaf", "leaves"), format_count(2500, "position", spec=",")
    ('1 game', '3 leaves', '2,500 positions')
    """
    return f"{number:{spec}} {noun if number == 1 else plural or f'{noun}s'}"


class StatusLine:
    """A line on standard error that is overwritten by each update and erased at the end, if that is a terminal."""

    def __init__(self) -> None:
        self.is_shown = sys.stderr.isatty()
        self._width = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        if self._width:
            self.write("")
            self.write("\r")

    def write(self, line: str) -> None:
        """Replace the line."""
        if self.is_shown:
            click.echo(f"\r{line:<{self._width}}", nl=False, err=True)
            self._width = len(line)
