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
from collections.abc import Mapping

from tablemen._core import Position
from tablemen.draughts.notation.pieces import PieceReader, format_pieces
from tablemen.draughts.notation.span import Span
from tablemen.draughts.numbering import Square
from tablemen.draughts.rules import DraughtsRules
from tablemen.outcome import Side

SIDE_LETTERS: Mapping[str, Side] = {"W": Side.WHITE, "B": Side.BLACK}
COUNTERS = ("H", "F")  # Lidraughts: plies without progress, number of the move; both are the game's, not the position's

# From the outside in; quotes may still be escaped, as in a string of a program or of JSON.
_WRAPPERS = (
    re.compile(r'\[\s*FEN\s*(\\?"[^"\\]*\\?")\s*\]', re.IGNORECASE),
    re.compile(r'/\s*FEN\s*(\\?"[^"\\]*\\?")\s*/', re.IGNORECASE),
    re.compile(r'\\?"([^"\\]*)\\?"'),
    re.compile(r"'([^']*)'"),
)


def format_position(position: Position) -> str:
    """The position in its normal form: White first, squares in ascending order, nothing that is not needed.

    >>> from tablemen.draughts import Position
    >>> format_position(Position("international", Side.WHITE, white_men=[32, 31], white_kings=[40], black_men=[1]))
    'W:W31,32,K40:B1'
    """
    turn = "W" if position.turn is Side.WHITE else "B"
    sides = (f":{letter}{','.join(format_pieces(position, side))}" for letter, side in SIDE_LETTERS.items())
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
    board = PieceReader(rules)
    for letter, colour in SIDE_LETTERS.items():
        for part in by_letter[letter]:
            board.read_pieces(part.cut(1), colour)
    runs = board.read_runs(by_letter["+"][0]) if by_letter["+"] else {}
    return board.position(turn, runs)


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
