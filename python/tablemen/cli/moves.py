"""`tablemen moves`: list the legal moves of a position."""

from __future__ import annotations

from typing import Any, TextIO

import click

from tablemen.cli.group import CommandUsageError, typed_option
from tablemen.cli.parameters import json_option, parse_position, position_option, print_json, variant_argument
from tablemen.errors import NotationError
from tablemen.family import get_family
from tablemen.outcome import Side

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
@click.option("--board", type=click.File(), help="Read a drawn board from this file, or from standard input (-).")
@click.option("--turn", type=click.Choice([str(side) for side in Side]), help="The side to move on --board.")
@click.option("--paths", is_flag=True, help="List every path of a capture separately, with all its squares.")
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
    """List the legal moves of a position, one per line, in the notation of VARIANT.

    VARIANT is a name, an alias or a PDN GameType. Captures that begin and end on the same squares and take the same
    pieces count as one move, unless --paths is given. A move in mancala is the number of a house, starting from 1.

    A --board can be drawn in two ways. With blanks and dots, men w and b, and kings K and B, moves are listed by column
    and row from the bottom left, with every path of a capture: 44-35, 71x44x99. As rows of _ b B w W, moves are listed
    as rows and columns from the top left: [(1, 2), (3, 0), (5, 2)].
    """
    family = get_family(variant)
    if (board is not None or paths) and not family.has_paths:
        raise CommandUsageError("--board and --paths are only for draughts")
    if turn is not None and board is None:
        raise CommandUsageError(f"--turn needs --board; --{family.position_key} includes the side to move")
    if board is not None and position is not None:
        raise CommandUsageError(f"{typed_option('--fen')} cannot be combined with --board")
    if board is None:
        place = parse_position(variant, position)
        legal = place.legal_moves(paths=True) if paths else place.legal_moves()
        texts = [family.format_move(move, full=paths) for move in legal]
    else:
        place, texts = _read_board(board, variant, turn)
        legal = place.legal_moves(paths=True)
    outcome = place.outcome()
    if as_json:
        full = paths or board is not None
        found = {"moves": [family.serialize_move(move, full=full) for move in legal]}
        print_json(family.serialize_position(place) | found | {"outcome": family.serialize_outcome(outcome, place)})
        return
    for text in texts:
        click.echo(text)
    if outcome is not None:
        click.echo(f"The game is over. {family.describe_outcome(outcome, place)}.", err=True)


def _read_board(file: TextIO, variant: Any, turn: str | None) -> tuple[Any, list[str]]:
    """Read a drawn board; return the position, and its moves in the notation of the drawing."""
    family = get_family(variant)
    try:
        return family.parse_drawing(file.read(), variant, family.start(variant).turn if turn is None else Side(turn))
    except UnicodeDecodeError as error:
        raise CommandUsageError(f"--board: {file.name} is not a text file: {error}") from error
    except NotationError as error:
        raise CommandUsageError(f"--board: {error}") from error
