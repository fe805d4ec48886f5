"""Positions and moves as the protocols Hub and DamExchange (DXP) write them.

A position has a letter for the side to move and one for every square: `Wbbb…ewww` in Hub, `Wzzz…ewww` in DXP. A move
has its start, its end and the captured squares: `32-28` and `28x19x23` in Hub, `322800` and `3214021928` in DXP.
Squares are numbers, and captured squares are in ascending order; algebraic boards are numbered from the top left.

Both protocols are specified for ten by ten squares; other boards have the same form. Some rules limit the quiet moves
that a king makes in a row. Positions do not contain their number: the protocols send the moves of the game instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tablemen._core import Move, Position, format_move
from tablemen.draughts.board import Square
from tablemen.draughts.notation.text_span import Span
from tablemen.draughts.rules import DraughtsRules
from tablemen.errors import AmbiguousMoveError, IllegalMoveError, TablemenError
from tablemen.outcome import Side

CORE_LETTERS = "wbWB."  # the letters of `Position.letters`
DXP_DIGITS = 2  # digits of every number in a move
MAX_DXP_SQUARES = 10**DXP_DIGITS - 1


@dataclass(frozen=True, slots=True)
class Alphabet:
    """The letters of a protocol: `pieces` are White's man, Black's, White's king, Black's, and an empty square."""

    white: str
    black: str
    pieces: str

    def format_position(self, position: Position) -> str:
        """Return the letter of the side to move and a letter for every square."""
        letters = position.letters().translate(str.maketrans(CORE_LETTERS, self.pieces))
        turn = self.white if position.turn is Side.WHITE else self.black
        return turn + "".join(letters[index] for index in _order(position.variant.mover.squares))

    def parse_position(self, text: str, rules: DraughtsRules) -> Position:
        """Parse the letter of the side to move and a letter for every square."""
        span = Span.from_text(text).strip()
        if not span:
            raise span.error("the position is missing")
        turn, board = self._parse_turn(span.cut(0, len(span) - 1)), span.cut(1)
        order = _order(rules.mover.squares)
        for index, letter in enumerate(str(board)[: len(order)]):
            if letter not in self.pieces:
                raise board.cut(index).error(f"expected one of {' '.join(self.pieces)}, got {letter!r}")
        if len(board) != len(order):
            known = min(len(board), len(order))
            raise board.cut(known).error(f"expected {len(order)} squares for {rules.name}, got {len(board)}")
        letters = [""] * len(order)
        for index, letter in zip(order, str(board), strict=True):
            letters[index] = CORE_LETTERS[self.pieces.index(letter)]
        return Position.from_letters("".join(letters), rules, turn)

    def _parse_turn(self, letter: Span) -> Side:
        """Parse the side to move, in either case."""
        sides = {self.white: Side.WHITE, self.black: Side.BLACK}
        if str(letter).upper() not in sides:
            raise letter.error(f"unknown side to move: expected {self.white} or {self.black}, got {letter.quoted}")
        return sides[str(letter).upper()]


HUB_ALPHABET = Alphabet("W", "B", "wbWBe")
DXP_ALPHABET = Alphabet("W", "Z", "wzWZe")


def format_hub_position(position: Position) -> str:
    """Return the side to move and a letter for each square: men `w` and `b`, kings `W` and `B`, and `e` for empty.

    >>> from tablemen.draughts import Position
    >>> format_hub_position(Position.start("frysk"))
    'Wbbbbbeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeewwwww'
    """
    return HUB_ALPHABET.format_position(position)


def parse_hub_position(text: str, rules: DraughtsRules) -> Position:
    """Parse a Hub position; the side to move may be in lower case, as in the first version of Hub.

    Raises `NotationError`, pointing at the letter, if the text is not a position of this board.
    """
    return HUB_ALPHABET.parse_position(text, rules)


def format_hub_move(move: Move) -> str:
    """Return the start and the end of a move, and the captured squares after them.

    >>> from tablemen.draughts import Position
    >>> [format_hub_move(move) for move in Position.from_fen("W:W32:B28,19", "international").legal_moves()]
    ['32x14x19x28']
    """
    if not move.is_capture:
        return f"{int(move.start)}-{int(move.end)}"
    return "x".join(str(int(square)) for square in (move.start, move.end, *sorted(move.captured)))


def parse_hub_move(text: str, position: Position) -> Move:
    """Return the legal move that a Hub string means; the captured squares may be in any order.

    Raises `NotationError` if the text is not a move, `IllegalMoveError` if it is not legal.
    """
    span = Span.from_text(text).strip()
    words = span.split("x") if "x" in str(span) else span.split("-")
    if len(words) < 2 or ("x" in str(span)) != (len(words) > 2):
        raise span.error(f"expected a move such as 32-28 or 28x19x23, got {span.quoted}")
    start, end = (parse_number(word, position.variant) for word in words[:2])
    return find_move(text, position, start, end, parse_captured(words[2:], position.variant))


def format_dxp_position(position: Position) -> str:
    """Return the side to move and a letter for each square: men `w` and `z`, kings `W` and `Z`, and `e` for empty.

    >>> from tablemen.draughts import Position
    >>> format_dxp_position(Position.start("frysk"))
    'Wzzzzzeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeewwwww'
    """
    return DXP_ALPHABET.format_position(position)


def parse_dxp_position(text: str, rules: DraughtsRules) -> Position:
    """Parse a DXP position, which is the part of a GAMEREQ after its `B`.

    Raises `NotationError`, pointing at the letter, if the text is not a position of this board.
    """
    return DXP_ALPHABET.parse_position(text, rules)


def format_dxp_move(move: Move) -> str:
    """Return the start, the end, the number of captured pieces and their squares, with two digits each.

    >>> from tablemen.draughts import Position
    >>> [format_dxp_move(move) for move in Position.from_fen("W:W32:B28,19", "international").legal_moves()]
    ['3214021928']

    Raises `TablemenError` if the board has a hundred squares or more.
    """
    _check_board(move.variant)
    numbers = (move.start, move.end, len(move.captured), *sorted(move.captured))
    return "".join(f"{int(number):0{DXP_DIGITS}}" for number in numbers)


def parse_dxp_move(text: str, position: Position) -> Move:
    """Return the legal move that a DXP string means; the captured squares may be in any order.

    The string is that of a MOVE without its letter and its seconds.

    Raises `NotationError` if the text is not a move, `IllegalMoveError` if it is not legal.
    """
    rules = position.variant
    _check_board(rules)
    span = Span.from_text(text).strip()
    starts = range(span.start, span.end, DXP_DIGITS)
    words = [Span(text, start, min(start + DXP_DIGITS, span.end)) for start in starts]
    for word in words:
        if not (len(word) == DXP_DIGITS and str(word).isascii() and str(word).isdecimal()):
            raise word.error(f"expected two digits, got {word.quoted}")
    if len(words) < 3:
        raise span.cut(len(span)).error("expected a start, an end and the number of captured pieces")
    start, end, count, *captured = words
    if int(str(count)) != len(captured):
        raise count.error(f"expected {int(str(count))} captured squares, got {len(captured)}")
    return find_move(
        text, position, parse_number(start, rules), parse_number(end, rules), parse_captured(captured, rules)
    )


def _check_board(rules: DraughtsRules) -> None:
    """Raise `TablemenError` if the number of a square can have more than two digits."""
    squares = len(rules.mover.squares)
    if squares > MAX_DXP_SQUARES:
        raise TablemenError(f"DXP supports at most {MAX_DXP_SQUARES} squares, but {rules.name} has {squares}")


def _order(squares: Sequence[Square]) -> list[int]:
    """Return the indices of the squares in `Position.letters`, in the order of their numbers."""
    return sorted(range(len(squares)), key=squares.__getitem__)


def parse_number(word: Span, rules: DraughtsRules) -> Square:
    """Parse the number of a square."""
    text = str(word)
    if text.isascii() and text.isdecimal():
        for square in rules.mover.squares:
            if str(int(square)) == text.lstrip("0"):
                return square
    raise word.error(f"{rules.name} has no square {word.quoted}" if word else "a square is missing here")


def parse_captured(words: Iterable[Span], rules: DraughtsRules) -> list[Square]:
    """Parse the squares of captured pieces. Raises `NotationError` if a square occurs twice."""
    captured: list[Square] = []
    for word in words:
        square = parse_number(word, rules)
        if square in captured:
            raise word.error(f"square {int(square)} is captured twice")
        captured.append(square)
    return captured


def find_move(text: str, position: Position, start: Square, end: Square, captured: Iterable[Square]) -> Move:
    """Return the legal move with this start, this end and these captured squares; `text` is for the error."""
    expected = set(captured)
    candidates = [move for move in position.find_moves((start, end)) if set(move.captured) == expected]
    if not candidates:
        raise IllegalMoveError(text, position)
    if len(candidates) > 1:  # under some rules only one of two paths crowns the man
        meanings = " or ".join(format_move(move, full=True) for move in candidates)
        raise AmbiguousMoveError(f"{Span.from_text(text).quoted} could mean {meanings}", text, candidates)
    return candidates[0]
