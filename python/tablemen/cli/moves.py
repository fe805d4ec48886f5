"""`tablemen moves`: the legal moves of a position."""

from __future__ import annotations

import click

from tablemen.cli.parameters import fen_option, json_option, print_json, read_position, square_value, variant_argument
from tablemen.draughts import DraughtsRules, Move, Position
from tablemen.draughts.notation import format_move
from tablemen.outcome import Outcome

EXAMPLES = """\b
Examples:
  tablemen moves international
  tablemen moves russian --fen "W:Wc3,e3:Bd4,Kf8"
  tablemen moves international --fen "W:WK12:B17,18,27,28" --paths
  tablemen moves 21 --json
"""


@click.command(epilog=EXAMPLES, short_help="the legal moves of a position, one a line")
@variant_argument
@fen_option
@click.option("--paths", is_flag=True, help="List every way of a capture, with every square of it.")
@json_option
def moves(*, variant: DraughtsRules, fen: str | None, paths: bool, as_json: bool) -> None:
    """Lists the legal moves of a position, one a line, in the notation of VARIANT: a name, an alias or a PDN GameType.

    Captures that begin and end on the same squares and take the same pieces are one move, unless --paths is given.
    """
    position = read_position(variant, fen)
    legal = position.legal_moves(paths=paths)
    if as_json:
        print_json(_facts(position, legal, full=paths))
        return
    for move in legal:
        click.echo(format_move(move, full=paths))
    outcome = position.outcome()
    if outcome is not None:
        winner = outcome.winner.name.capitalize() if outcome.winner else "nobody"
        click.echo(f"The game is over: {winner} wins, {outcome.termination}.", err=True)


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
