"""Text notations of draughts: FEN, moves, boards as lines of letters, and the formats of the protocols."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tablemen import _core
from tablemen._core import Move, Position
from tablemen.draughts.notation.board_text import (
    format_grid,
    format_rows,
    format_turn,
    list_places,
    parse_grid,
    parse_rows,
    parse_turn,
)
from tablemen.draughts.notation.protocol_text import (
    format_dxp_move,
    format_dxp_position,
    format_hub_move,
    format_hub_position,
    parse_dxp_move,
    parse_dxp_position,
    parse_hub_move,
    parse_hub_position,
)
from tablemen.draughts.rules import DraughtsRules
from tablemen.errors import ArgumentError
from tablemen.outcome import Side

__all__ = [
    "format_dxp_move",
    "format_dxp_position",
    "format_grid",
    "format_hub_move",
    "format_hub_position",
    "format_line",
    "format_move",
    "format_position",
    "format_rows",
    "format_square_lists",
    "format_turn",
    "list_places",
    "parse_dxp_move",
    "parse_dxp_position",
    "parse_grid",
    "parse_hub_move",
    "parse_hub_position",
    "parse_move",
    "parse_move_number",
    "parse_position",
    "parse_rows",
    "parse_square_lists",
    "parse_turn",
]


def format_position(position: Position) -> str:
    """Return the FEN in its normal form: White first, squares in ascending order, no optional parts.

    >>> from tablemen.draughts import Position
    >>> format_position(Position("international", Side.WHITE, white_men=[32, 31], white_kings=[40], black_men=[1]))
    'W:W31,32,K40:B1'
    """
    return position.fen()


def parse_position(text: str, rules: DraughtsRules) -> Position:
    """Parse a FEN on the board of these rules.

    Accepts the forms that other programs write: ranges, either case, either colour first, several lists of a colour,
    blanks, a trailing dot, quotes, a PDN tag or set-up, numbers for algebraic squares, and the counters of Lidraughts.

    >>> from tablemen.draughts import INTERNATIONAL
    >>> parse_position("b:b1-3,k12:w31.", INTERNATIONAL).fen()
    'B:W31:B1,2,3,K12'

    Raises `NotationError`, pointing at the item, if the text is not a position of this board.
    """
    return Position.from_fen(text, rules)


def format_square_lists(position: Position) -> tuple[str, str]:
    """Return Black's squares and White's, each listed as in a FEN.

    >>> from tablemen.draughts import Position
    >>> format_square_lists(Position.from_fen("W:W10,K2:B6,7", "english"))
    ('6,7', 'K2,10')
    """
    return _core.format_square_lists(position)


def parse_square_lists(black: str, white: str, rules: DraughtsRules, turn: Side) -> Position:
    """Parse Black's squares and White's, each listed as in a FEN: `6,7` and `1-12,K20`, kings with a K.

    >>> from tablemen.draughts import ENGLISH
    >>> parse_square_lists("6,7", "10", ENGLISH, Side.WHITE).fen()
    'W:W10:B6,7'

    Raises `NotationError`, pointing at the item, if a square occurs twice or is not on the board.
    """
    return _core.parse_square_lists(black, white, rules, turn)


def format_move(move: Move, *, full: bool = False) -> str:
    """Return the move in its variant's notation: start and end, or its whole path if other moves share both.

    With `full`, always return the whole path.

    >>> from tablemen.draughts import Position
    >>> format_move(Position.from_fen("W:Wc3:Bd4", "russian").legal_moves()[0])
    'c3:e5'
    """
    return _core.format_move(move, full=full)


def parse_move(text: str, position: Position) -> Move:
    """Return the legal move that a text means in a position.

    Accepts moves as people type them: any separator or none, `3228`, `c3d4`, `0611`, leading zeros, capitals, numbers
    for algebraic squares, the whole path of a capture, a part of it or its ends alone, and a strength sign after it.

    >>> from tablemen.draughts import Position
    >>> start = Position.start("international")
    >>> {str(parse_move(text, start)) for text in ("32-28", "32 28", "3228", "032x28!")}
    {'32-28'}

    If several moves match, the separator selects captures or quiet moves, and a whole path selects the move along it.

    Raises `NotationError` if the text is not a move, `IllegalMoveError` if no legal move fits and `AmbiguousMoveError`,
    with the candidates, if several do.
    """
    return position.parse_move(text)


_MOVE_NUMBER = re.compile(r":\s*F\s*([0-9]{1,9})\s*(?=[:.\"'\]/]|$)", re.IGNORECASE)


def parse_move_number(fen: str) -> int:
    """Return the move number of a FEN, which Lidraughts writes as its part F; 1 if it has none.

    >>> parse_move_number("B:W31:B20:H0:F12"), parse_move_number("W:W31:B20")
    (12, 1)
    """
    match = _MOVE_NUMBER.search(fen)
    return int(match[1]) if match else 1


def format_line(start: Position, moves: Iterable[Move | str], number: int = 1) -> str:
    """Return moves from a position on one line, with move numbers; the first one has the given number.

    >>> from tablemen.draughts import Position
    >>> start = Position.start("international")
    >>> format_line(start, ["32-28", "19-23", "28x19", "14x23"])
    '1. 32-28 19-23 2. 28x19 14x23'
    >>> fen = "B:W28,38:B19:H0:F12"
    >>> format_line(Position.from_fen(fen, "international"), ["19-24", "38-33"], parse_move_number(fen))
    '12... 19-24 13. 38-33'

    Raises `IllegalMoveError` for an illegal move, and the errors of `parse_move` for a text.
    """
    if number < 0:
        raise ArgumentError("number", number, "a move number")
    position, words = start, list[str]()
    for each in moves:
        move = position.parse_move(each) if isinstance(each, str) else each
        if not words or position.turn is position.variant.first:
            words.append(format_move_number(number, position.turn, position.variant))
        words.append(format_legal_move(move, position))
        number += position.turn is not position.variant.first
        position = position.play_unchecked(move)
    return " ".join(words)


def format_move_number(number: int, turn: Side, rules: DraughtsRules) -> str:
    """Return a move number before a move of a side, with three dots if the other side moves first in the variant."""
    return f"{number}." if turn is rules.first else f"{number}..."


def format_legal_move(move: Move, position: Position) -> str:
    """Return the short text of a move, or its whole path if the short one would be read as another move or path.

    Raises `IllegalMoveError` if the move is not legal in the position.
    """
    legal = position.listed(move)
    if len(legal.captured) > 1 and not legal.ambiguous:
        (usual,) = position.find_moves([move.start, move.end])
        return format_move(legal, full=usual.path != legal.path)
    return format_move(legal)
