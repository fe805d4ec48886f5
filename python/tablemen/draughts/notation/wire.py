"""What the strings of Hub and DXP have in common: a letter for every square, and captures told by what they take.

Squares go by their numbers and in the order of their numbers; where players use letters, the numbers count from the
top left.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tablemen._core import Move, Position
from tablemen.draughts.notation.move import format_move
from tablemen.draughts.notation.span import Span
from tablemen.draughts.numbering import Square
from tablemen.draughts.rules import DraughtsRules
from tablemen.errors import AmbiguousMoveError, IllegalMoveError
from tablemen.outcome import Side

LETTERS = "wbWB."  # those of `Position.letters`


@dataclass(frozen=True, slots=True)
class Alphabet:
    """The letters of a protocol: `pieces` are White's man, Black's, White's king, Black's, and an empty square."""

    white: str
    black: str
    pieces: str

    def write_position(self, position: Position) -> str:
        """The side to move and a letter for every square."""
        letters = position.letters().translate(str.maketrans(LETTERS, self.pieces))
        turn = self.white if position.turn is Side.WHITE else self.black
        return turn + "".join(letters[index] for index in _order(position.variant.mover.squares))

    def read_position(self, text: str, rules: DraughtsRules) -> Position:
        """The position that such letters give."""
        span = Span.of(text).strip()
        if not span:
            raise span.error("no position stands here")
        turn, board = self._read_turn(span.cut(0, len(span) - 1)), span.cut(1)
        order = _order(rules.mover.squares)
        for at, letter in enumerate(str(board)[: len(order)]):
            if letter not in self.pieces:
                raise board.cut(at).error(f"{letter!r} is no square: one of {' '.join(self.pieces)} is expected")
        if len(board) != len(order):
            known = min(len(board), len(order))
            raise board.cut(known).error(f"{len(board)} squares are given, and {rules.name} has {len(order)}")
        letters = [""] * len(order)
        for index, letter in zip(order, str(board), strict=True):
            letters[index] = LETTERS[self.pieces.index(letter)]
        return Position.from_letters("".join(letters), rules, turn)

    def _read_turn(self, letter: Span) -> Side:
        """The side to move, which may be a small letter."""
        sides = {self.white: Side.WHITE, self.black: Side.BLACK}
        if str(letter).upper() not in sides:
            raise letter.error(f"unknown side to move {letter.quoted}: {self.white} or {self.black} is expected")
        return sides[str(letter).upper()]


def _order(squares: Sequence[Square]) -> list[int]:
    """Where the squares stand in `Position.letters`, in the order of their numbers."""
    return sorted(range(len(squares)), key=squares.__getitem__)


def read_number(word: Span, rules: DraughtsRules) -> Square:
    """The square with this number."""
    text = str(word)
    if text.isascii() and text.isdecimal():
        for square in rules.mover.squares:
            if str(int(square)) == text.lstrip("0"):
                return square
    raise word.error(f"{rules.name} has no square {word.quoted}" if word else "a square is missing here")


def read_captured(words: Iterable[Span], rules: DraughtsRules) -> list[Square]:
    """The squares of captured pieces, each named once."""
    captured: list[Square] = []
    for word in words:
        square = read_number(word, rules)
        if square in captured:
            raise word.error(f"square {int(square)} is captured twice")
        captured.append(square)
    return captured


def find_move(text: str, position: Position, start: Square, end: Square, captured: Iterable[Square]) -> Move:
    """The legal move with this start, this end and these captured squares; `text` is what an error speaks of."""
    taken = set(captured)
    candidates = [move for move in position.find_moves((start, end)) if set(move.captured) == taken]
    if not candidates:
        raise IllegalMoveError(text, position)
    if len(candidates) > 1:  # under some rules one way crowns the man and another does not
        meanings = " or ".join(format_move(move, full=True) for move in candidates)
        raise AmbiguousMoveError(f"{Span.of(text).quoted} could mean {meanings}", text, candidates)
    return candidates[0]
