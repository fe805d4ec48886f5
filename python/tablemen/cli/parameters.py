"""The parameters that commands share, and JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from tablemen import families
from tablemen.cli.group import BadQuestion
from tablemen.draughts import VARIANTS, DraughtsRules, Position, Square, find_variant
from tablemen.errors import TablemenError, UnknownVariantError

Command = TypeVar("Command", bound=Callable[..., object])


def _read_variant(_context: click.Context, _parameter: click.Parameter, name: str) -> DraughtsRules:
    """The variant with this name, alias or PDN GameType."""
    try:
        return find_variant(name)
    except UnknownVariantError as error:
        raise BadQuestion(str(error)) from error


def _complete_variant(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """The names that begin so, for the shell's completion."""
    return [CompletionItem(name, help=str(rules)) for name, rules in VARIANTS.items() if name.startswith(begun)]


def variant_argument(command: Command) -> Command:
    """Adds VARIANT, given to the command as `variant`."""
    return click.argument("variant", callback=_read_variant, shell_complete=_complete_variant)(command)


def any_variant_argument(command: Command) -> Command:
    """Adds VARIANT of any family, given to the command as `variant`."""
    return click.argument("variant", callback=_read_any_variant, shell_complete=_complete_any_variant)(command)


def _read_any_variant(_context: click.Context, _parameter: click.Parameter, name: str) -> Any:
    try:
        return families.find_variant(name)
    except UnknownVariantError as error:
        raise BadQuestion(str(error)) from error


def _complete_any_variant(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    known = {name: rules for family in families.FAMILIES for name, rules in family.variants.items()}
    return [CompletionItem(name, help=str(rules)) for name, rules in known.items() if name.startswith(begun)]


def fen_option(command: Command) -> Command:
    """Adds --fen, given to the command as `fen`."""
    about = "The position, such as W:W31,K40:B1,2; without it, the start."
    return click.option("--fen", metavar="FEN", help=about)(command)


def json_option(command: Command) -> Command:
    """Adds --json, given to the command as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command)


def read_position(variant: DraughtsRules, fen: str | None) -> Position:
    """The position that the command speaks of."""
    if fen is None:
        return Position.start(variant)
    try:
        return Position.from_fen(fen, variant)
    except TablemenError as error:
        raise BadQuestion(f"--fen: {error}") from error


def square_value(square: Square) -> int | str:
    """The square as JSON has it: a number where players number squares, else its name."""
    return int(square) if square.name.isdecimal() else square.name


def print_json(value: object) -> None:
    """Prints a value as indented JSON."""
    click.echo(json.dumps(value, indent=2))
