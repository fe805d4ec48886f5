"""`tablemen variants`: list the variants."""

from __future__ import annotations

import shutil
import textwrap

import click

from tablemen.cli.parameters import format_table, json_option, print_json
from tablemen.family import Family, families

EXAMPLES = """\b
Examples:
  tablemen variants
  tablemen variants --notes
  tablemen variants --json | jq -r '.[].name'
  tablemen variants --json | jq '.[] | select(.family == "mancala")'
"""


@click.command(epilog=EXAMPLES)
@click.option("--notes", is_flag=True, help="Add notes: how variants differ, and which rules are disputed.")
@json_option
def variants(*, notes: bool, as_json: bool) -> None:
    """List all variants with their names and titles.

    For draughts the list has the board, the men per side and the PDN GameType; for mancala it has the houses per side
    and the seeds per house. A variant marked * is provisional, because its sources disagree.
    """
    if as_json:
        print_json([family.serialize_variant(rules) for family in families() for rules in family.variants.values()])
        return
    footnotes = []
    for number, family in enumerate(families()):
        if number:
            click.echo()
        _print_table(family, notes=notes)
        if family.footnote and not notes:
            footnotes.append(family.footnote)
    for footnote in footnotes:
        click.echo(f"{footnote}; see --notes", err=True)


def _print_table(family: Family, *, notes: bool) -> None:
    """Print a line for every variant of the family."""
    variants = list(family.variants.values())
    rows = [family.variant_row(rules) for rules in variants]
    alignments = "".join(">" if all(map(str.isdecimal, column)) else "<" for column in zip(*rows, strict=True))
    heading, *lines = format_table([family.headings, *rows], alignments)
    click.echo(heading)
    width = max(shutil.get_terminal_size().columns, 40)
    for rules, line in zip(variants, lines, strict=True):
        click.echo(line)
        if notes and rules.note:
            click.echo(textwrap.fill(rules.note, width, initial_indent="    ", subsequent_indent="    "))
