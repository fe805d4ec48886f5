"""Positions and moves as the Hub protocol writes them: `Wbbb…ewww`, `32-28`, `28x19x23`.

Hub is specified for ten by ten squares; other boards are written alike. A position has no room for the quiet moves that
a king has made where the rules limit them: Hub tells those by sending the moves.
"""

from __future__ import annotations

from tablemen._core import Move, Position
from tablemen.draughts.notation.span import Span
from tablemen.draughts.notation.wire import Alphabet, find_move, read_captured, read_number
from tablemen.draughts.rules import DraughtsRules

ALPHABET = Alphabet("W", "B", "wbWBe")


def format_hub_position(position: Position) -> str:
    """The side to move, then a letter for each square from 1: men `w` and `b`, kings `W` and `B`, and `e` for empty.

    >>> from tablemen.draughts import Position
    >>> format_hub_position(Position.start("frysk"))
    'Wbbbbbeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeewwwww'
    """
    return ALPHABET.write_position(position)


def parse_hub_position(text: str, rules: DraughtsRules) -> Position:
    """The position that a Hub string gives; the side to move may be a small letter, as the first Hub wrote it.

    Raises `NotationError`, pointing at the letter, where the text is no position of this board.
    """
    return ALPHABET.read_position(text, rules)


def format_hub_move(move: Move) -> str:
    """The start and the end, and for a capture the captured squares behind them.

    >>> from tablemen.draughts import Position
    >>> [format_hub_move(move) for move in Position.from_fen("W:W32:B28,19", "international").legal_moves()]
    ['32x14x19x28']
    """
    if not move.is_capture:
        return f"{int(move.start)}-{int(move.end)}"
    return "x".join(str(int(square)) for square in (move.start, move.end, *sorted(move.captured)))


def parse_hub_move(text: str, position: Position) -> Move:
    """The legal move that a Hub string means in a position; the captured squares may come in any order.

    Raises `NotationError` where the text is no move, `IllegalMoveError` where it is not legal.
    """
    span = Span.of(text).strip()
    words = span.split("x") if "x" in str(span) else span.split("-")
    if len(words) < 2 or ("x" in str(span)) != (len(words) > 2):
        raise span.error(f"{span.quoted} is no move: one like 32-28 or 28x19x23 is expected")
    start, end = (read_number(word, position.variant) for word in words[:2])
    return find_move(text, position, start, end, read_captured(words[2:], position.variant))
