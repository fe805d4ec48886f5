"""`tablemen check`: check whether a move is legal."""

from __future__ import annotations

from typing import Any

import click

from tablemen.cli.group import CommandUsageError, typed_option
from tablemen.cli.parameters import json_option, parse_position, position_option, print_json, variant_argument
from tablemen.errors import NotationError
from tablemen.family import get_family
from tablemen.outcome import Side

EXAMPLES = """\b
Examples:
  tablemen check english --black 6,7 --white 10 10 3
  tablemen check english --black 7,14 --white 17 17 10
  tablemen check russian --fen "W:Wc3,e3:Bd4" c3 e5
  tablemen check international 32 28 --json
  tablemen check oware 3
"""


@click.command(epilog=EXAMPLES)
@variant_argument
@click.argument("move", nargs=-1, required=True, metavar="MOVE")
@click.option("--black", metavar="SQUARES", help="Black's pieces, such as 6,7,K12 or 1-12,K20.")
@click.option("--white", metavar="SQUARES", help="White's pieces.")
@position_option
@json_option
@click.pass_context
def check(
    context: click.Context,
    *,
    variant: Any,
    move: tuple[str, ...],
    black: str | None,
    white: str | None,
    position: str | None,
    as_json: bool,
) -> None:
    """Check whether MOVE is legal under the rules of VARIANT and, if it is not, print the reason.

    In draughts MOVE is two squares, START and END: 32 28. In mancala it is the number of a house.

    The position is the start position, unless --fen gives another, or --black and --white list the pieces. With lists,
    the side with a piece on START is to move. The exit status is 0 if the move is legal, and 1 if it is not.
    """
    family = get_family(variant)
    if black is None and white is None:
        place = parse_position(variant, position)
    elif position is None:
        place = _parse_pieces(variant, black or "", white or "", move[0])
    else:
        raise CommandUsageError(f"{typed_option('--fen')} cannot be combined with --black and --white")
    reason = family.explain_illegal_places(move, place)
    if as_json:
        print_json(family.serialize_position(place) | {"legal": reason is None, "reason": reason})
    else:
        click.echo("legal" if reason is None else f"not legal: {reason}")
    context.exit(0 if reason is None else 1)


def _parse_pieces(variant: Any, black: str, white: str, start: str) -> Any:
    """Return the position with these pieces; the side with a piece on `start` is to move."""
    family = get_family(variant)
    option = "--black"
    try:
        # Parse Black's list alone first, so that any later error is in White's list.
        family.parse_pieces({Side.BLACK: black}, variant, start)
        option = "--white"
        return family.parse_pieces({Side.BLACK: black, Side.WHITE: white}, variant, start)
    except NotationError as error:
        raise CommandUsageError(f"{option}: {error}") from error
