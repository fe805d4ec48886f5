"""`tablemen check`: whether a move is legal, and why not."""

from __future__ import annotations

from typing import Any

import click

from tablemen.cli.group import CommandUsageError
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
@click.option("--black", metavar="SQUARES", help="Black's pieces, such as 6,7,K12; ranges such as 1-12 too.")
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
    """Say whether MOVE is legal under the rules of VARIANT, and why not.

    A MOVE of draughts is START and END, two squares: 32 28. One of mancala is the number of a house.

    The position is given by --black and --white, and the side with a piece on START is to move; or by --fen; or it is
    the start. The status is 0 when the move is legal and 1 when it is not.
    """
    family = get_family(variant)
    if black is None and white is None:
        place = parse_position(variant, position)
    elif position is None:
        place = _parse_pieces(variant, black or "", white or "", move[0])
    else:
        raise CommandUsageError(f"give --{family.position_key}, or --black and --white, not both")
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
        family.parse_pieces(
            {Side.BLACK: black}, variant, start
        )  # first, so that an error is in White's list afterwards
        option = "--white"
        return family.parse_pieces({Side.BLACK: black, Side.WHITE: white}, variant, start)
    except NotationError as error:
        raise CommandUsageError(f"{option}: {error}") from error
