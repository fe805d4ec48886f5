"""`tablemen variants`: what can be played."""

from __future__ import annotations

import shutil
import textwrap

import click

from tablemen.cli.parameters import json_option, print_json
from tablemen.draughts import VARIANTS, DraughtsRules, Kind, Position

PROVISIONAL = "*"
HEADINGS = ("name", "title", "board", "men", "GameType")

EXAMPLES = """\b
Examples:
  tablemen variants
  tablemen variants --notes
  tablemen variants --json | jq -r '.[].name'
"""


@click.command(epilog=EXAMPLES, short_help="every variant, its board and its PDN GameType")
@click.option("--notes", is_flag=True, help="Say what is disputed about provisional variants.")
@json_option
def variants(*, notes: bool, as_json: bool) -> None:
    """Lists every variant: its name and title, its board, the men of a side, and its GameType in PDN.

    A variant marked * is provisional: its sources disagree.
    """
    if as_json:
        print_json([_facts(rules) for rules in VARIANTS.values()])
        return
    rows = [_row(rules) for rules in VARIANTS.values()]
    widths = [max(map(len, column)) for column in zip(HEADINGS, *rows, strict=True)]
    click.echo(_line(HEADINGS, widths))
    for rules, row in zip(VARIANTS.values(), rows, strict=True):
        click.echo(_line(row, widths))
        if notes and rules.note:
            click.echo(_note(rules))
    if not notes:
        click.echo(f"{PROVISIONAL} provisional: the sources disagree; --notes says on what", err=True)


def _row(rules: DraughtsRules) -> tuple[str, ...]:
    """The variant's line of the table, in columns."""
    name = f"{rules.name} {PROVISIONAL}" if rules.provisional else rules.name
    board = f"{rules.columns}x{rules.rows}, {len(rules.mover.squares)} squares"
    return name, str(rules), board, str(_men(rules)), rules.game_type_tag or "-"


def _line(row: tuple[str, ...], widths: list[int]) -> str:
    name, title, board, men, game_type = (f"{each:<{width}}" for each, width in zip(row, widths, strict=True))
    return f"{name}  {title}  {board}  {men.strip():>{widths[3]}}  {game_type}".rstrip()


def _note(rules: DraughtsRules) -> str:
    """What is disputed, below the variant's line and as wide as the terminal."""
    width = shutil.get_terminal_size().columns
    return textwrap.fill(rules.note, max(width, 40), initial_indent="    ", subsequent_indent="    ")


def _men(rules: DraughtsRules) -> int:
    """How many men a side begins with."""
    return len(Position.start(rules).squares(rules.first, Kind.MAN))


def _facts(rules: DraughtsRules) -> dict[str, object]:
    """The variant as JSON has it."""
    return {
        "name": rules.name,
        "title": str(rules),
        "aliases": rules.aliases,
        "columns": rules.columns,
        "rows": rules.rows,
        "squares": len(rules.mover.squares),
        "men": _men(rules),
        "first": str(rules.first),
        "game_type": rules.game_type_tag,
        "provisional": rules.provisional,
        "note": rules.note,
        "sources": rules.sources,
    }
