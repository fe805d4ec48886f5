"""Colour at a terminal, and none where nobody sees it or wants it."""

from __future__ import annotations

import os

import click


def colours() -> bool | None:
    """False where the user wants no colour: `NO_COLOR` says anything, or the terminal is a dumb one.

    None else, which leaves it to click: terminals get colours, files and pipes do not.
    """
    return False if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" else None


def bold(text: str) -> str:
    """The text in bold letters; `click.echo` takes them out again where there is no colour."""
    return click.style(text, bold=True)
