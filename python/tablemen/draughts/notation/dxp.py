"""Positions and moves as messages of DamExchange (DXP) hold them: `Wzzz…ewww`, `061100`, `3214021928`.

Only the strings: the position of a GAMEREQ after its `B`, and a MOVE without its letter and its seconds. Other boards
than ten by ten are written alike. Quiet moves of a king that the rules limit have no place in a position.
"""

from __future__ import annotations

from tablemen._core import Move, Position
from tablemen.draughts.notation.span import Span
from tablemen.draughts.notation.wire import Alphabet, find_move, read_captured, read_number
from tablemen.draughts.rules import DraughtsRules
from tablemen.errors import TablemenError

ALPHABET = Alphabet("W", "Z", "wzWZe")
DIGITS = 2  # of every number in a move
MOST_SQUARES = 10**DIGITS - 1


def format_dxp_position(position: Position) -> str:
    """The side to move, then a letter for each square from 1: men `w` and `z`, kings `W` and `Z`, and `e` for empty.

    >>> from tablemen.draughts import Position
    >>> format_dxp_position(Position.start("frysk"))
    'Wzzzzzeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeewwwww'
    """
    return ALPHABET.write_position(position)


def parse_dxp_position(text: str, rules: DraughtsRules) -> Position:
    """The position that a DXP string gives.

    Raises `NotationError`, pointing at the letter, where the text is no position of this board.
    """
    return ALPHABET.read_position(text, rules)


def format_dxp_move(move: Move) -> str:
    """The start, the end, how many pieces are captured and their squares, with two digits each.

    >>> from tablemen.draughts import Position
    >>> [format_dxp_move(move) for move in Position.from_fen("W:W32:B28,19", "international").legal_moves()]
    ['3214021928']

    Raises `TablemenError` where the board has a hundred squares or more.
    """
    _check_board(move.variant)
    numbers = (move.start, move.end, len(move.captured), *sorted(move.captured))
    return "".join(f"{int(number):0{DIGITS}}" for number in numbers)


def parse_dxp_move(text: str, position: Position) -> Move:
    """The legal move that a DXP string means in a position; the captured squares may come in any order.

    Raises `NotationError` where the text is no move, `IllegalMoveError` where it is not legal.
    """
    rules = position.variant
    _check_board(rules)
    span = Span.of(text).strip()
    words = [Span(text, at, min(at + DIGITS, span.end)) for at in range(span.start, span.end, DIGITS)]
    for word in words:
        if not (len(word) == DIGITS and str(word).isascii() and str(word).isdecimal()):
            raise word.error(f"two digits are expected here, not {word.quoted}")
    if len(words) < 3:
        raise span.cut(len(span)).error("a start, an end and the number of captured pieces are expected")
    start, end, count, *captured = words
    if int(str(count)) != len(captured):
        raise count.error(f"{int(str(count))} captured pieces are announced, and {len(captured)} squares are given")
    return find_move(text, position, read_number(start, rules), read_number(end, rules), read_captured(captured, rules))


def _check_board(rules: DraughtsRules) -> None:
    """That the squares have two digits at most."""
    squares = len(rules.mover.squares)
    if squares > MOST_SQUARES:
        raise TablemenError(f"DXP writes a square with two digits, and {rules.name} has {squares} squares")
