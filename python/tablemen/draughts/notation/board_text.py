"""Boards drawn as lines of letters, a letter for every square, and moves that name squares by their place.

In a *grid* a blank is a light square and a dot an empty dark one; men are `w` and `b`, a white king is `K` and a black
one `B`. A *turn* names squares by column and row, both counted from 0 at the bottom left: `44-35`, `71x44x99`, with an
x and a landing for every captured piece.

In *rows* a `_` is a square without a piece; men are `b` and `w`, kings `B` and `W`. A *place* is a row and a column,
counted from 0 at the top left.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tablemen._core import Move, Position
from tablemen.draughts.board import Playable, used_columns
from tablemen.draughts.notation.text_span import Span
from tablemen.draughts.rules import MAX_BOARD_SIZE, DraughtsRules
from tablemen.errors import IllegalMoveError, NotationError
from tablemen.outcome import Side

CORE_LETTERS = ".wbWB"  # the letters of `Position.letters`: empty, men, kings
ONE_DIGIT = tuple(str(number) for number in range(10))
TWO_DIGITS = tuple(f"{number:02}" for number in range(MAX_BOARD_SIZE))


@dataclass(frozen=True, slots=True)
class BoardFormat:
    """The letters of a board text."""

    pieces: str  # in the order of CORE_LETTERS
    unused: str  # a square that is not played on
    may_be_stripped: bool = False  # unused squares at the end of a line may be missing

    def parse(self, lines: Sequence[str], rules: DraughtsRules, turn: Side) -> Position:
        """Parse lines, the top row first."""
        if isinstance(lines, str) or not all(isinstance(line, str) for line in lines):
            raise TypeError(f"expected a list of str, not {lines!r}")
        padded = lines
        if self.may_be_stripped:
            padded = [line + self.unused if len(line) == rules.columns - 1 else line for line in lines]
        used, unused = _split_squares(padded, rules)
        has_size = set(map(len, padded)) == {rules.columns} and len(used) + len(unused) == rules.rows * rules.columns
        if not has_size or used.strip(self.pieces) or unused.strip(self.unused):
            raise self._find_error(lines, rules)
        return Position.from_letters(_translate(used, self.pieces, CORE_LETTERS), rules, turn)

    def parse_text(self, text: str, rules: DraughtsRules, turn: Side) -> Position:
        """Parse a text, which may have a newline before and after the board."""
        if not isinstance(text, str):
            raise TypeError(f"expected a str, not {text!r}")
        lines = [line.removesuffix("\r") for line in text.split("\n")]
        if not lines[-1]:
            del lines[-1]
        skipped = 1 if lines and not lines[0] else 0
        try:
            return self.parse(lines[skipped:], rules, turn)
        except NotationError as error:
            raise NotationError(error.problem, text, line=error.line + skipped, column=error.column) from None

    def format(self, position: Position) -> list[str]:
        """Return the lines of a position, the top row first."""
        rules = position.variant
        letters = iter(_translate(position.letters(), CORE_LETTERS, self.pieces))
        lines = []
        for used in used_columns(rules):
            cells = [self.unused] * rules.columns
            for column in range(rules.columns)[used]:
                cells[column] = next(letters)
            lines.append("".join(cells))
        return lines

    def _find_error(self, lines: Sequence[str], rules: DraughtsRules) -> NotationError:
        """Return the first error in the lines."""

        def error(problem: str, row: int, column: int) -> NotationError:
            return NotationError(problem, "\n".join(lines), line=row + 1, column=column + 1)

        expected = f"{', '.join(self.pieces[:-1])} or {self.pieces[-1]}"
        for row, (line, used) in enumerate(zip(lines, used_columns(rules), strict=False)):
            playable = range(rules.columns)[used]
            for column, letter in enumerate(line[: rules.columns]):
                if column in playable and letter not in self.pieces:
                    return error(f"expected {expected}, got {letter!r}", row, column)
                if column not in playable and letter != self.unused:
                    is_piece = letter in self.pieces and letter != self.pieces[0]
                    found = f"the piece {letter!r}" if is_piece else repr(letter)
                    return error(f"expected {self.unused!r} on a light square, got {found}", row, column)
            missing = range(len(line), rules.columns)
            if missing and not (self.may_be_stripped and not any(column in playable for column in missing)):
                return error(f"the line ends after {len(line)} of {rules.columns} squares", row, len(line))
            if len(line) > rules.columns:
                return error(f"the line has more than {rules.columns} squares", row, rules.columns)
        if len(lines) > rules.rows:
            return error(f"there are {len(lines)} lines, but the board has {rules.rows} rows", rules.rows, 0)
        problem = f"the board ends after {len(lines)} of {rules.rows} lines" if lines else "the board is missing"
        return error(problem, len(lines), 0)


GRID = BoardFormat(pieces=".wbKB", unused=" ", may_be_stripped=True)
ROWS = BoardFormat(pieces="_wbWB", unused="_")


def parse_grid(text: str, rules: DraughtsRules, turn: Side) -> Position:
    r"""Parse a grid, White at the bottom.

    There may be a newline before and after it, and lines may lack the blank at their end.

    >>> from tablemen.draughts import find_variant
    >>> parse_grid(" b . \n. . .", find_variant("russian"), Side.WHITE)
    Traceback (most recent call last):
    tablemen.errors.NotationError: line 1, column 6: the line ends after 5 of 8 squares

    Raises `NotationError`, with line and column, if the text is not a board of these rules.
    """
    return GRID.parse_text(text, rules, turn)


def format_grid(position: Position) -> str:
    """Return the position as a grid.

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
    """Return the move as a turn, with every square of its path.

    >>> from tablemen.draughts import Position
    >>> [format_turn(move) for move in Position.from_fen("W:W27:B22,12", "international").legal_moves()]
    ['24x46x28']
    """
    rules = move.variant
    digits, bottom = _digits(rules), rules.rows - 1
    places = [digits[square.column] + digits[bottom - square.row] for square in move.path]
    return ("x" if move.is_capture else "-").join(places)


def parse_turn(text: str, position: Position) -> Move:
    """Return the legal move that a turn names, with the path of the turn.

    Raises `NotationError` if the text is not a turn of this board, and `IllegalMoveError` if no legal move fits.
    """
    rules = position.variant
    digits, bottom = _digits(rules), rules.rows - 1
    places = {digits[square.column] + digits[bottom - square.row] for square in rules.mover.squares}
    turn = Span.from_text(text).strip()
    if not re.fullmatch("[^-x]*(-[^-x]*|(x[^-x]*)+)", str(turn)):
        raise turn.error(f"expected a turn such as 44-35 or 71x44x99, got {turn.quoted}")
    for place in turn.split("-" if "-" in str(turn) else "x"):
        if str(place) not in places:
            raise place.error(f"expected the column and row of a square of {rules.name}, got {place.quoted}")
    for move in position.legal_moves(paths=True):
        if format_turn(move) == str(turn):
            return move
    raise IllegalMoveError(str(turn), position)


def _digits(rules: DraughtsRules) -> tuple[str, ...]:
    """Return the texts of columns and rows: two digits each if the board has more than ten columns or rows."""
    return TWO_DIGITS if rules.rows > len(ONE_DIGIT) or rules.columns > len(ONE_DIGIT) else ONE_DIGIT


def parse_rows(rows: Sequence[str], rules: DraughtsRules, turn: Side) -> Position:
    """Parse rows, the top row first, White at the bottom.

    Raises `NotationError`, with the row as the line, if they are not a board of these rules.
    """
    return ROWS.parse(rows, rules, turn)


def format_rows(position: Position) -> list[str]:
    """Return the rows of a position, the top row first.

    >>> from tablemen.draughts import Position
    >>> format_rows(Position.from_fen("W:WKa1,b2:Bc7,Ke3", "russian"))[4:]
    ['________', '____B___', '_w______', 'W_______']
    """
    return ROWS.format(position)


def list_places(move: Move) -> list[tuple[int, int]]:
    """Return the row and column of every square in the path of a move.

    >>> from tablemen.draughts import Position
    >>> [list_places(move) for move in Position.from_fen("W:W27:B22,12", "international").legal_moves()]
    [[(5, 2), (3, 4), (1, 2)]]
    """
    return [(square.row, square.column) for square in move.path]


def _translate(letters: str, old: str, new: str) -> str:
    """Replace the letters of one alphabet by those of another."""
    for one, other in zip(old, new, strict=True):
        if one != other:
            letters = letters.replace(one, other)
    return letters


def _split_squares(lines: Sequence[str], rules: DraughtsRules) -> tuple[str, str]:
    """Return the letters of the squares that are played on, row by row, and those of the others."""
    if rules.playable is Playable.ALL:
        return "".join(lines), ""
    # If the length of lines, including a separator, is odd, playable squares are always two characters apart.
    separator = "" if rules.columns % 2 else "\n"
    text = separator.join(lines)
    first = (rules.rows - 1 + (not rules.corner_playable)) % 2
    return text[first::2].replace("\n", ""), text[1 - first :: 2].replace("\n", "")
