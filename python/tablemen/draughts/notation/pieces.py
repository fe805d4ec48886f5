"""The pieces of a side as a list of squares: `31,32,K40`, `1-12`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from tablemen._core import Position
from tablemen.draughts.notation.span import Span
from tablemen.draughts.numbering import Notation, Square, squares_by_text
from tablemen.draughts.piece import Kind, Piece
from tablemen.draughts.rules import DraughtsRules
from tablemen.outcome import Side

CAPTURED = {"G": "man", "P": "king"}  # Lidraughts, for pieces that leave the board when the capture ends

_RUN = re.compile(r"(?P<digit>[0-9])(?P<square>[0-9A-Za-z]+)|(?P<count>[0-9]{1,3})/(?P<apart>[0-9A-Za-z]+)")


def sort_squares(squares: Iterable[Square], notation: Notation) -> list[Square]:
    """The squares in the order of their names: 9 before 10, a3 before b2."""
    if notation is Notation.NUMERIC:
        return sorted(squares)
    return sorted(squares, key=lambda square: (square.name[0], int(square.name[1:])))


def format_pieces(position: Position, side: Side) -> Iterable[str]:
    """The side's squares as the normal form writes them."""
    kings = frozenset(position.squares(side, Kind.KING))
    squares = sort_squares((*position.squares(side, Kind.MAN), *kings), position.variant.notation)
    return (f"K{square.name}" if square in kings else square.name for square in squares)


class PieceReader:
    """The pieces read so far, on the squares of a variant."""

    def __init__(self, rules: DraughtsRules) -> None:
        self.rules = rules
        self.pieces: dict[Square, Piece] = {}
        self.squares = squares_by_text(rules.mover.squares)

    def holding(self, piece: Piece) -> list[Square]:
        """The squares of such pieces."""
        return [square for square, each in self.pieces.items() if each == piece]

    def position(self, turn: Side, runs: Mapping[Side, tuple[Square, int]] | None = None) -> Position:
        """The position with these pieces."""
        return Position(
            self.rules,
            turn,
            white_men=self.holding(Piece(Side.WHITE, Kind.MAN)),
            white_kings=self.holding(Piece(Side.WHITE, Kind.KING)),
            black_men=self.holding(Piece(Side.BLACK, Kind.MAN)),
            black_kings=self.holding(Piece(Side.BLACK, Kind.KING)),
            king_runs=runs,
        )

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
