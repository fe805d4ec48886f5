"""Boards drawn with blanks and dots, and turns that name squares by their place.

A blank is a light square and a dot an empty dark one; men are `w` and `b`, a white king is `K` and a black one `B`. A
square is called by its column and its row, both counted from 0 at the bottom left: `44-35`, `71x44x99`, with an x
and a landing for every captured piece.
"""

from __future__ import annotations

import re

from tablemen._core import Move, Position
from tablemen.draughts.notation.lines import Form
from tablemen.draughts.notation.span import Span
from tablemen.draughts.rules import LARGEST_BOARD, DraughtsRules
from tablemen.errors import IllegalMoveError
from tablemen.outcome import Side

GRID = Form(pieces=".wbKB", unused=" ", may_be_stripped=True)
ONE_DIGIT = tuple(str(number) for number in range(10))
TWO_DIGITS = tuple(f"{number:02}" for number in range(LARGEST_BOARD))


def parse_grid(text: str, rules: DraughtsRules, turn: Side) -> Position:
    r"""The position that a drawing shows, White at the bottom.

    A newline before and after it, and lines without the blank at their end, are fine.

    >>> from tablemen.draughts import find_variant
    >>> parse_grid(" b . \n. . .", find_variant("russian"), Side.WHITE)
    Traceback (most recent call last):
    tablemen.errors.NotationError: line 1, column 6: the line ends after 5 of 8 squares

    Raises `NotationError`, with line and column, where the text is no board of these rules.
    """
    return GRID.parse_text(text, rules, turn)


def format_grid(position: Position) -> str:
    """The position drawn with blanks and dots.

    >>> from tablemen.draughts import Position
    >>> print(format_grid(Position.from_fen("W:WKa1,b2:Bc7,Ke3", "russian")).replace(" ", "~"))
    ~.~.~.~.
    .~b~.~.~
    ~.~.~.~.
    .~.~.~.~
    ~.~.~.~.
    .~.~B~.~
    ~w~.~.~.
    K~.~.~.~
    """
    return "\n".join(GRID.format(position))


def format_turn(move: Move) -> str:
    """The move with the place of every square that the piece stands on.

    >>> from tablemen.draughts import Position
    >>> [format_turn(move) for move in Position.from_fen("W:W27:B22,12", "international").legal_moves()]
    ['24x46x28']
    """
    rules = move.variant
    digits, bottom = _digits(rules), rules.rows - 1
    places = [digits[square.column] + digits[bottom - square.row] for square in move.path]
    return ("x" if move.is_capture else "-").join(places)


def parse_turn(text: str, position: Position) -> Move:
    """The legal move that a turn names, with the way that it goes.

    Raises `NotationError` where the text is no turn of this board, and `IllegalMoveError` where there is no such move.
    """
    rules = position.variant
    digits, bottom = _digits(rules), rules.rows - 1
    places = {digits[square.column] + digits[bottom - square.row] for square in rules.mover.squares}
    turn = Span.of(text).strip()
    if not re.fullmatch("[^-x]*(-[^-x]*|(x[^-x]*)+)", str(turn)):
        raise turn.error(f"{turn.quoted} is no turn: one like 44-35 or 71x44x99 is expected")
    for place in turn.split("-" if "-" in str(turn) else "x"):
        if str(place) not in places:
            raise place.error(f"{place.quoted} is no square of {rules.name} by column and row")
    for move in position.legal_moves(paths=True):
        if format_turn(move) == str(turn):
            return move
    raise IllegalMoveError(str(turn), position)


def _digits(rules: DraughtsRules) -> tuple[str, ...]:
    """How a column or row is written: all with two digits where one has to be."""
    return TWO_DIGITS if rules.rows > len(ONE_DIGIT) or rules.columns > len(ONE_DIGIT) else ONE_DIGIT
