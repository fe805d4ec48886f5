"""Positions as text: the FEN of draughts, `W:W31,32,K40:B1,2`.

The side to move, White's squares and Black's, kings with a K. Written in one normal form; read as other programs write
it too: ranges, either case, either colour first, several lists of a colour, blanks, a trailing dot, quotes around it, a
PDN tag or set-up, numbers for algebraic squares, and the counters of Lidraughts.

Where the rules limit a king's quiet moves and one has been made, a last part tells of them, Black's king first, as
Lidraughts does: in `:+0+328` White's king on 28 has made 3 of them. A count of two digits, which no known variant
needs, stands apart from the square: `+12/28`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from tablemen._core import Position
from tablemen.draughts.notation.span import Span
from tablemen.draughts.numbering import Notation, Square, squares_by_text
from tablemen.draughts.piece import Kind, Piece
from tablemen.draughts.rules import DraughtsRules
from tablemen.outcome import Side

SIDE_LETTERS: Mapping[str, Side] = {"W": Side.WHITE, "B": Side.BLACK}
COUNTERS = ("H", "F")  # Lidraughts: plies without progress, number of the move; both are the game's, not the position's

CAPTURED = {"G": "man", "P": "king"}  # Lidraughts, for pieces that leave the board when the capture ends

# From the outside in; quotes may still be escaped, as in a string of a program or of JSON.
_WRAPPERS = (
    re.compile(r'\[\s*FEN\s*(\\?"[^"\\]*\\?")\s*\]', re.IGNORECASE),
    re.compile(r'/\s*FEN\s*(\\?"[^"\\]*\\?")\s*/', re.IGNORECASE),
    re.compile(r'\\?"([^"\\]*)\\?"'),
    re.compile(r"'([^']*)'"),
)
_RUN = re.compile(r"(?P<digit>[0-9])(?P<square>[0-9A-Za-z]+)|(?P<count>[0-9]{1,3})/(?P<apart>[0-9A-Za-z]+)")


def format_position(position: Position) -> str:
    """The position in its normal form: White first, squares in ascending order, nothing that is not needed.

    >>> from tablemen.draughts import Position
    >>> format_position(Position("international", Side.WHITE, white_men=[32, 31], white_kings=[40], black_men=[1]))
    'W:W31,32,K40:B1'
    """
    turn = "W" if position.turn is Side.WHITE else "B"
    sides = (f":{letter}{','.join(_items(position, side))}" for letter, side in SIDE_LETTERS.items())
    return turn + "".join(sides) + _format_runs(position.king_runs)


def parse_position(text: str, rules: DraughtsRules) -> Position:
    """The position that a text gives, on the board of these rules.

    >>> from tablemen.draughts import INTERNATIONAL
    >>> parse_position("b:b1-3,k12:w31.", INTERNATIONAL).fen()
    'B:W31:B1,2,3,K12'

    Raises `NotationError`, pointing at the item, where the text is no position of this board.
    """
    if not isinstance(text, str):
        raise TypeError(f"a FEN is a str, not {type(text).__name__}")
    body = _unwrap(Span.of(text))
    if not body:
        raise body.error("the FEN is empty")
    side, *parts = (part.strip() for part in body.split(":"))
    turn = _read_turn(side)
    by_letter = _sort_parts(parts, body)
    for letter in COUNTERS:
        for part in by_letter[letter]:
            _check_counter(part)
    board = _Board(rules)
    for letter, colour in SIDE_LETTERS.items():
        for part in by_letter[letter]:
            board.read_pieces(part.cut(1), colour)
    runs = board.read_runs(by_letter["+"][0]) if by_letter["+"] else {}
    return Position(
        rules,
        turn,
        white_men=board.holding(Piece(Side.WHITE, Kind.MAN)),
        white_kings=board.holding(Piece(Side.WHITE, Kind.KING)),
        black_men=board.holding(Piece(Side.BLACK, Kind.MAN)),
        black_kings=board.holding(Piece(Side.BLACK, Kind.KING)),
        king_runs=runs,
    )


def sort_squares(squares: Iterable[Square], notation: Notation) -> list[Square]:
    """The squares in the order of their names: 9 before 10, a3 before b2."""
    if notation is Notation.NUMERIC:
        return sorted(squares)
    return sorted(squares, key=lambda square: (square.name[0], int(square.name[1:])))


def _items(position: Position, side: Side) -> Iterable[str]:
    """The side's squares as the normal form writes them."""
    kings = frozenset(position.squares(side, Kind.KING))
    squares = sort_squares((*position.squares(side, Kind.MAN), *kings), position.variant.notation)
    return (f"K{square.name}" if square in kings else square.name for square in squares)


def _format_runs(runs: Mapping[Side, tuple[Square, int]]) -> str:
    """The part that tells of quiet king moves; empty where there are none."""
    if not runs:
        return ""
    return ":" + "".join(_format_run(*runs[side]) if side in runs else "+0" for side in (Side.BLACK, Side.WHITE))


def _format_run(square: Square, count: int) -> str:
    return f"+{count}{'/' if count > 9 else ''}{square.name}"


def _unwrap(span: Span) -> Span:
    """What stands inside a PDN tag, quotes and blanks, without a trailing dot."""
    span = span.strip()
    for wrapper in _WRAPPERS:
        match = wrapper.fullmatch(span.whole, span.start, span.end)
        if match:
            span = Span(span.whole, *match.span(1)).strip()
    return span.cut(0, 1).strip() if str(span).endswith(".") else span


def _read_turn(part: Span) -> Side:
    """The side to move."""
    letter = str(part).upper()
    if letter in SIDE_LETTERS:
        return SIDE_LETTERS[letter]
    if letter == "?":
        raise part.error("the side to move is unknown: W or B is expected in place of '?'")
    if not letter or re.match(r"[WB].*[0-9]", letter):
        raise part.error("the side to move is missing: a FEN begins with W: or B:")
    raise part.error(f"unknown side to move {part.quoted}: W or B is expected")


def _sort_parts(parts: list[Span], body: Span) -> dict[str, list[Span]]:
    """The parts after the side to move by their first letter; both sides are there, nothing else comes twice."""
    by_letter: dict[str, list[Span]] = {letter: [] for letter in (*SIDE_LETTERS, *COUNTERS, "+")}
    for part in parts:
        letter = str(part)[:1].upper()
        if not letter:
            raise part.error("nothing stands here: pieces of W or B are expected")
        if letter not in by_letter:
            raise part.error(f"{part.quoted} is neither pieces of W or B nor a counter")
        if by_letter[letter] and letter not in SIDE_LETTERS:
            said = f"the counter {letter} is" if letter in COUNTERS else "the quiet king moves are"
            raise part.error(f"{said} given twice")
        by_letter[letter].append(part)
    for letter, side in SIDE_LETTERS.items():
        if not by_letter[letter]:
            owner = f"{side.name.capitalize()}'s pieces are"
            raise body.cut(len(body)).error(f"{owner} missing: write :{letter} if there are none")
    return by_letter


def _check_counter(part: Span) -> None:
    """Counters are read and dropped, but they have to be counters."""
    if not re.fullmatch("[0-9]+", str(part.cut(1).strip())):
        raise part.error(f"{part.quoted} is no counter: {str(part)[0].upper()} and a number are expected")


class _Board:
    """The pieces read so far, on the squares of a variant."""

    def __init__(self, rules: DraughtsRules) -> None:
        self.rules = rules
        self.pieces: dict[Square, Piece] = {}
        self.squares = squares_by_text(rules.mover.squares)

    def holding(self, piece: Piece) -> list[Square]:
        """The squares of such pieces."""
        return [square for square, each in self.pieces.items() if each == piece]

    def read_pieces(self, part: Span, side: Side) -> None:
        """Adds the pieces of a side, given between commas."""
        if not part.strip():
            return
        for item in (each.strip() for each in part.split(",")):
            kind, named = self.read_kind(item)
            for square in self.read_squares(named):
                if square in self.pieces:
                    there = self.pieces[square]
                    raise item.error(f"square {square} is named twice, first for a {there.side} {there.kind}")
                self.pieces[square] = Piece(side, kind)

    def read_kind(self, item: Span) -> tuple[Kind, Span]:
        """The kind of piece that an item speaks of, and the rest of the item."""
        text = str(item)
        name, number = text.lower(), text[1:]
        if text[:1].upper() in CAPTURED and name not in self.squares and number.strip() in self.squares:
            taken = f"a {CAPTURED[text[0].upper()]} on {number.strip()} that is captured but still stands there"
            raise item.error(f"{item.quoted} is {taken}: in the middle of a capture there is no position")
        if text[:1] not in ("K", "k") or text in self.squares:  # a board of eleven columns has a square k1
            return Kind.MAN, item
        if name in self.squares and number in self.squares:
            king = f"K{self.squares[number]}"
            raise item.error(f"{text} is square {name} or a king on {number}: write {name} or {king}")
        return Kind.KING, item.cut(1).strip()

    def read_squares(self, named: Span) -> Iterable[Square]:
        """The square, or the range of squares, that is named."""
        first, *rest = (each.strip() for each in named.split("-"))
        start = self.read_square(first)
        if not rest:
            return (start,)
        if len(rest) > 1:
            raise named.error(f"{named.quoted} is no range: two numbers are expected")
        end = self.read_square(rest[0])
        if not (str(first).isdecimal() and str(rest[0]).isdecimal()):
            raise named.error(f"{named.quoted} is no range: two numbers are expected")
        if end < start:
            raise named.error(f"the range {named.quoted} runs backwards")
        return (self.squares[str(number)] for number in range(start, end + 1))

    def read_square(self, named: Span) -> Square:
        """The square of this name or number."""
        if not named:
            raise named.error("a square is missing here")
        name = str(named).lower()
        square = self.squares.get(name.lstrip("0") if name.isdecimal() else name)
        if square is None:
            raise named.error(f"{self.rules.name} has no square {named.quoted}")
        return square

    def read_runs(self, part: Span) -> dict[Side, tuple[Square, int]]:
        """The quiet king moves of both sides; those of a side without men are dropped, as no rule asks for them."""
        groups = [each.strip() for each in part.cut(1).split("+")]
        if len(groups) != 2:
            raise part.error(f"{part.quoted} is not Black's and White's quiet king moves, as in +0+328")
        runs = {}
        for side, group in zip((Side.BLACK, Side.WHITE), groups, strict=True):
            if str(group) == "0":
                continue
            square, count = self.read_run(group)
            if self.pieces.get(square) != Piece(side, Kind.KING):
                raise group.error(f"no {side} king stands on {square}")
            if self.holding(Piece(side, Kind.MAN)):
                runs[side] = square, count
        return runs

    def read_run(self, group: Span) -> tuple[Square, int]:
        """The king's square and the number of its quiet moves."""
        match = _RUN.fullmatch(str(group))
        if match is None:
            raise group.error(f"{group.quoted} is not a number of quiet moves and the king's square, as in 328")
        count, limit = int(match["digit"] or match["count"]), self.rules.king_move_limit
        if not 0 < count <= limit:
            allowed = f"1 to {limit} are possible in" if limit else "they are not counted in"
            raise group.error(f"{count} quiet moves of a king: {allowed} {self.rules.name}")
        return self.read_square(group.cut(match.start("square" if match["square"] else "apart"))), count
