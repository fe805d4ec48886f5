"""A line on standard error that says how far something has come."""

from __future__ import annotations

from typing import Self

import click


class StatusLine:
    """A line that is written over itself, and is gone in the end."""

    def __init__(self) -> None:
        self._width = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        if self._width:
            self.write("")
            self.write("\r")

    def write(self, line: str) -> None:
        """Writes the line in place of what stands there."""
        click.echo(f"\r{line:<{self._width}}", nl=False, err=True)
        self._width = len(line)
