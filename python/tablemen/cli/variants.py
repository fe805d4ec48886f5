"""`tablemen variants`: what can be played."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterable
from typing import Any

import click

from tablemen.cli.parameters import json_option, print_json
from tablemen.draughts.family import PROVISIONAL
from tablemen.family import Family, families

EXAMPLES = """\b
Examples:
  tablemen variants
  tablemen variants --notes
  tablemen variants --json | jq -r '.[].name'
  tablemen variants --json | jq '.[] | select(.family == "mancala")'
"""


@click.command(epilog=EXAMPLES)
@click.option("--notes", is_flag=True, help="Say what is disputed about variants, and what they differ in.")
@json_option
def variants(*, notes: bool, as_json: bool) -> None:
    """Lists every variant by its name and title.

    Variants of draughts are told with their board, the men of a side and their GameType in PDN, those of mancala with
    the houses of a side and the seeds in each. A variant marked * is provisional: its sources disagree.
    """
    if as_json:
        print_json([family.serialize_variant(rules) for family in families() for rules in family.variants.values()])
        return
    for number, family in enumerate(families()):
        if number:
            click.echo()
        _print_table(family, notes=notes)
    if not notes:
        click.echo(f"{PROVISIONAL} provisional: the sources disagree; --notes says on what", err=True)


def _print_table(family: Family, *, notes: bool) -> None:
    """A line for every variant of the family, in columns."""
    known = list(family.variants.values())
    rows = [family.variant_row(rules) for rules in known]
    columns = [_aligned(column) for column in zip(family.headings, *rows, strict=True)]
    heading, *lines = ("  ".join(cells).rstrip() for cells in zip(*columns, strict=True))
    click.echo(heading)
    for rules, line in zip(known, lines, strict=True):
        click.echo(line)
        if notes and rules.note:
            click.echo(_note(rules))


def _aligned(column: Iterable[str]) -> list[str]:
    """The cells of a column as wide as the widest; numbers stand at the right."""
    heading, *cells = column
    width = max(map(len, (heading, *cells)))
    sign = ">" if all(cell.isdecimal() for cell in cells) else "<"
    return [f"{cell:{sign}{width}}" for cell in (heading, *cells)]


def _note(rules: Any) -> str:
    """What is disputed, below the variant's line and as wide as the terminal."""
    width = shutil.get_terminal_size().columns
    return textwrap.fill(rules.note, max(width, 40), initial_indent="    ", subsequent_indent="    ")
