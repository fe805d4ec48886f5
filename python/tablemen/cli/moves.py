"""`tablemen moves`: the legal moves of a position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TextIO

import click

from tablemen.cli.group import BadQuestion
from tablemen.cli.parameters import json_option, position_option, print_json, read_position, variant_argument
from tablemen.family import get_family
from tablemen.outcome import Side

if TYPE_CHECKING:
    from tablemen.cli.boards import Drawn

EXAMPLES = """\b
Examples:
  tablemen moves international
  tablemen moves russian --fen "W:Wc3,e3:Bd4,Kf8"
  tablemen moves international --fen "W:WK12:B17,18,27,28" --paths
  tablemen moves 21 --json
  tablemen moves international --board board.txt --turn black
  tablemen moves kalah --position "<6,0,1,4,4,0,5,5,5,4,4,4,4,4,4> north"
"""


@click.command(epilog=EXAMPLES)
@variant_argument
@position_option
@click.option("--board", type=click.File(), help="A file with the board drawn, or - for standard input.")
@click.option("--turn", type=click.Choice([str(side) for side in Side]), help="Who is to move on --board.")
@click.option("--paths", is_flag=True, help="List every way of a capture, with every square of it.")
@json_option
def moves(
    *,
    variant: Any,
    position: str | None,
    board: TextIO | None,
    turn: str | None,
    paths: bool,
    as_json: bool,
) -> None:
    """Lists the legal moves of a position, one a line, in the notation of VARIANT: a name, an alias or a PDN GameType.

    Captures that begin and end on the same squares and take the same pieces are one move, unless --paths is given. A
    move of mancala is the number of a house, from 1 on.

    A --board is drawn with blanks and dots, men w and b, kings K and B; its moves are listed by column and row from
    the bottom left, every way of a capture: 44-35, 71x44x99. Or it is rows of _ b B w W; its moves are then listed as
    rows and columns from the top left: [(1, 2), (3, 0), (5, 2)].
    """
    family = get_family(variant)
    if (board is not None or paths) and not family.has_paths:
        raise BadQuestion("--board and --paths are for draughts")
    if turn is not None and board is None:
        raise BadQuestion(f"--turn belongs to --board: a --{family.position_key} says itself who is to move")
    if board is not None and position is not None:
        raise BadQuestion("give --fen or --board, not both")
    drawn = None if board is None else _read_board(board, variant, turn)
    place = read_position(variant, position) if drawn is None else drawn.position
    full = paths or drawn is not None
    legal = place.legal_moves(paths=True) if full else place.legal_moves()
    outcome = place.outcome()
    if as_json:
        told = {"moves": [family.serialize_move(move, full=full) for move in legal]}
        print_json(family.serialize_position(place) | told | {"outcome": family.serialize_outcome(outcome, place)})
        return
    for text in drawn.list_moves(legal) if drawn else [family.format_move(move, full=paths) for move in legal]:
        click.echo(text)
    if outcome is not None:
        click.echo(f"The game is over. {family.describe_outcome(outcome, place)}.", err=True)


def _read_board(file: TextIO, variant: Any, turn: str | None) -> Drawn:
    from tablemen.cli.boards import read_board

    return read_board(file, variant, variant.first if turn is None else Side(turn))
