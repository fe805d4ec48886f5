"""`tablemen moves`: the legal moves of a position."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TextIO

import click

from tablemen.cli.group import BadQuestion
from tablemen.cli.parameters import fen_option, json_option, print_json, read_position, square_value, variant_argument
from tablemen.draughts import DraughtsRules, Move, Position
from tablemen.draughts.notation import format_move, format_turn, list_places
from tablemen.draughts.notation.grid import GRID
from tablemen.draughts.notation.rows import ROWS
from tablemen.errors import NotationError
from tablemen.outcome import Outcome, Side

EXAMPLES = """\b
Examples:
  tablemen moves international
  tablemen moves russian --fen "W:Wc3,e3:Bd4,Kf8"
  tablemen moves international --fen "W:WK12:B17,18,27,28" --paths
  tablemen moves 21 --json
  tablemen moves international --board board.txt --turn black
"""


@click.command(epilog=EXAMPLES, short_help="the legal moves of a position, one a line")
@variant_argument
@fen_option
@click.option("--board", type=click.File(), help="A file with the board drawn, or - for standard input.")
@click.option("--turn", type=click.Choice([str(side) for side in Side]), help="Who is to move on --board.")
@click.option("--paths", is_flag=True, help="List every way of a capture, with every square of it.")
@json_option
def moves(
    *,
    variant: DraughtsRules,
    fen: str | None,
    board: TextIO | None,
    turn: str | None,
    paths: bool,
    as_json: bool,
) -> None:
    """Lists the legal moves of a position, one a line, in the notation of VARIANT: a name, an alias or a PDN GameType.

    Captures that begin and end on the same squares and take the same pieces are one move, unless --paths is given.

    A --board is drawn with blanks and dots, men w and b, kings K and B; its moves are listed by column and row from
    the bottom left, every way of a capture: 44-35, 71x44x99. Or it is rows of _ b B w W; its moves are then listed as
    rows and columns from the top left: [(1, 2), (3, 0), (5, 2)].
    """
    if turn is not None and board is None:
        raise BadQuestion("--turn belongs to --board: a FEN says itself who is to move")
    if board is not None and fen is not None:
        raise BadQuestion("give --fen or --board, not both")
    drawn = None if board is None else _read_board(board, variant, variant.first if turn is None else Side(turn))
    position = read_position(variant, fen) if drawn is None else drawn.position
    legal = position.legal_moves(paths=paths or drawn is not None)
    if as_json:
        print_json(_facts(position, legal, full=paths or drawn is not None))
        return
    for text in drawn.list_moves(legal) if drawn else [format_move(move, full=paths) for move in legal]:
        click.echo(text)
    outcome = position.outcome()
    if outcome is not None:
        winner = outcome.winner.name.capitalize() if outcome.winner else "nobody"
        click.echo(f"The game is over: {winner} wins, {outcome.termination}.", err=True)


@dataclass(frozen=True)
class Drawn:
    """A position that was drawn, and how moves are written beside such a drawing."""

    position: Position
    in_rows: bool

    def list_moves(self, legal: Iterable[Move]) -> list[str]:
        """The moves in ascending order."""
        if self.in_rows:
            return [str(places) for places in sorted(list_places(move) for move in legal)]
        return sorted({format_turn(move) for move in legal})


def _read_board(file: TextIO, variant: DraughtsRules, turn: Side) -> Drawn:
    """The position drawn in a file, in either form: only rows have a `_`."""
    try:
        text = file.read()
    except UnicodeDecodeError as error:
        raise BadQuestion(f"--board: {file.name} is not a text: {error}") from error
    in_rows = "_" in text
    try:
        position = (ROWS if in_rows else GRID).parse_text(text, variant, turn)
    except NotationError as error:
        raise BadQuestion(f"--board: {error}") from error
    return Drawn(position, in_rows)


def _facts(position: Position, legal: tuple[Move, ...], *, full: bool) -> dict[str, object]:
    """The position and its moves as JSON has them."""
    return {
        "variant": position.variant.name,
        "fen": position.fen(),
        "moves": [_move_facts(move, full=full) for move in legal],
        "outcome": _outcome_facts(position.outcome()),
    }


def _outcome_facts(outcome: Outcome | None) -> dict[str, str | None] | None:
    """Who won and why; nothing while the game goes on."""
    if outcome is None:
        return None
    winner = None if outcome.winner is None else str(outcome.winner)
    return {"winner": winner, "termination": str(outcome.termination)}


def _move_facts(move: Move, *, full: bool) -> dict[str, object]:
    return {
        "text": format_move(move, full=full),
        "start": square_value(move.start),
        "end": square_value(move.end),
        "path": [square_value(square) for square in move.path],
        "captured": [square_value(square) for square in move.captured],
        "crowns": move.crowns,
    }
