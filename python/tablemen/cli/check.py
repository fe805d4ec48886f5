"""`tablemen check`: whether a move is legal, and why not."""

from __future__ import annotations

from typing import Any

import click

from tablemen.cli.group import BadQuestion
from tablemen.cli.parameters import json_option, position_option, print_json, read_position, variant_argument
from tablemen.draughts import DraughtsRules, Position
from tablemen.errors import NotationError, TablemenError
from tablemen.family import get_family

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
    """Says whether MOVE is legal under the rules of VARIANT, and why not.

    A MOVE of draughts is START and END, two squares: 32 28. One of mancala is the number of a house.

    The position is given by --black and --white, and the side with a piece on START is to move; or by --fen; or it is
    the start. The status is 0 when the move is legal and 1 when it is not.
    """
    family = get_family(variant)
    if black is None and white is None:
        place = read_position(variant, position)
    elif not isinstance(variant, DraughtsRules):
        raise BadQuestion(f"--black and --white are for draughts; {variant.name} takes --{family.position_key}")
    elif position is None:
        place = _read_lists(variant, black or "", white or "", move[0])
    else:
        raise BadQuestion("give --fen, or --black and --white, not both")
    try:
        objection = family.explain_illegal_places(move, place)
    except TablemenError as error:
        raise BadQuestion(str(error)) from error
    if as_json:
        print_json(family.serialize_position(place) | {"legal": objection is None, "reason": objection})
    else:
        click.echo("legal" if objection is None else f"not legal: {objection}")
    context.exit(0 if objection is None else 1)


def _read_lists(variant: DraughtsRules, black: str, white: str, start: str) -> Position:
    """The position with these pieces, the owner of the one on `start` to move."""
    from tablemen.draughts.notation import parse_square_lists

    option = "--black"
    try:
        position = parse_square_lists(black, "", variant, variant.first)
        option = "--white"
        position = parse_square_lists(black, white, variant, variant.first)
    except NotationError as error:
        raise BadQuestion(f"{option}: {error}") from error
    piece = position.piece_at(start)
    return position if piece is None else parse_square_lists(black, white, variant, piece.side)
