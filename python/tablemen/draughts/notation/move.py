"""Moves as text: `32-28`, `32x23`, `c3:e5`.

Written in one form; read as people type it: any separator or none, `3228`, `c3d4`, `0611`, leading zeros, capitals,
numbers for algebraic squares, the whole way of a capture, a part of it or its ends alone, a strength sign behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tablemen._core import Move, Position
from tablemen.draughts.notation.span import Span
from tablemen.draughts.numbering import Notation, Square, squares_by_text
from tablemen.draughts.rules import DraughtsRules
from tablemen.errors import AmbiguousMoveError, IllegalMoveError, NotationError

QUIET_SEPARATOR = "-"
DASHES = "-‐‑‒–—−"  # the hyphen, and what printed texts have in its place
CROSSES = "xX×:*"

_SEPARATOR = re.compile(rf"\s*[{CROSSES}{re.escape(DASHES)}]\s*|\s+")
_WORD = re.compile(r"(?![xX])[A-Za-z]?[0-9]+")
_WORD_OR_X = re.compile(r"[A-Za-z]?[0-9]+")  # a board of 24 columns has a square x1


def format_move(move: Move, *, full: bool = False) -> str:
    """The move in its variant's notation: start and end, or every square of its way where they could mean another.

    `full` gives every square in any case.

    >>> from tablemen.draughts import Position
    >>> format_move(Position.from_fen("W:Wc3:Bd4", "russian").legal_moves()[0])
    'c3:e5'
    """
    separator = move.variant.capture_separator if move.is_capture else QUIET_SEPARATOR
    squares = move.path if full or move.ambiguous else (move.start, move.end)
    return separator.join(square.name for square in squares)


def parse_move(text: str, position: Position) -> Move:
    """The legal move that a text means in a position.

    >>> from tablemen.draughts import Position
    >>> start = Position.start("international")
    >>> {str(parse_move(text, start)) for text in ("32-28", "32 28", "3228", "032x28!")}
    {'32-28'}

    Where more than one move fits, a separator prefers captures or other moves, and a whole way the move that goes it.

    Raises `NotationError` where the text is no move at all, `IllegalMoveError` where no legal move fits and
    `AmbiguousMoveError`, with the candidates, where several do.
    """
    if not isinstance(text, str):
        raise TypeError(f"a move as text is a str, not {type(text).__name__}")
    typed = _read(text, position.variant)
    fits: dict[Move, int] = {}  # each move that fits, and how well
    for squares in typed.readings:
        for move in position.find_moves(squares):
            fits[move] = max(fits.get(move, 0), _fit(move, squares))
    candidates = list(fits)
    if typed.captures is not None:
        candidates = [move for move in candidates if move.is_capture is typed.captures] or candidates
    best = max((fits[move] for move in candidates), default=0)
    candidates = [move for move in candidates if fits[move] == best]
    if not candidates:
        raise typed.lone or IllegalMoveError(text, position)
    if len(candidates) > 1:
        meanings = " or ".join(format_move(move, full=True) for move in candidates)
        raise AmbiguousMoveError(f"{Span.of(text).quoted} could mean {meanings}", text, candidates)
    return candidates[0]


def read_squares(text: str, rules: DraughtsRules) -> Sequence[Sequence[Square]]:
    """The squares that a text names, in every way that it can be read, whether or not a move goes that way.

    >>> from tablemen.draughts import INTERNATIONAL
    >>> [[int(square) for square in squares] for squares in read_squares("32x28", INTERNATIONAL)]
    [[32, 28]]

    Raises `NotationError` where the text is no move at all.
    """
    return _read(text, rules).readings


def _fit(move: Move, squares: Sequence[Square]) -> int:
    """2 where the squares are the way of the move, 1 where they are another way of it, 0 where some are left out."""
    return (tuple(squares) == move.path) + (len(squares) == len(move.path))


class _Typed(NamedTuple):
    """What a text says."""

    readings: Sequence[Sequence[Square]]  # its squares, in every way they can be read
    captures: bool | None = None  # whether its separator is one of captures; None where it does not tell
    lone: NotationError | None = None  # what to say where no reading fits and the text is the name of a square


def _read(text: str, rules: DraughtsRules) -> _Typed:
    """The squares and the separators of a text."""
    span = Span.of(text).strip()
    span = _without_strength(span)
    if not span:
        raise span.error("no move stands here")
    words, separators = _split(span, rules)
    if any(each in CROSSES for each in separators):
        captures: bool | None = True
    else:  # a dash says little where captures are written with it too
        captures = False if separators.strip() and rules.capture_separator != QUIET_SEPARATOR else None
    squares = squares_by_text(rules.mover.squares)
    if len(words) == 1:
        return _read_run(words[0], rules, squares)
    return _Typed([[_read_square(word, rules, squares) for word in words]], captures)


def _without_strength(span: Span) -> Span:
    """The text without a strength sign at its end: `!?`, or the same in brackets."""
    text = str(span)
    bare = text.removesuffix(")").rstrip("!?")
    if text.endswith(")"):
        if not bare.endswith("(") or len(bare) + 1 == len(text):
            return span
        bare = bare[:-1]
    return span.cut(0, len(text) - len(bare.rstrip()))


def _split(span: Span, rules: DraughtsRules) -> tuple[list[Span], str]:
    """The words of a text, each a letter with digits or digits alone, and all that stands between them."""
    lettered = rules.notation is not Notation.NUMERIC and any(each.name[0] == "x" for each in rules.mover.squares)
    pattern = _WORD_OR_X if lettered else _WORD
    words, separators, at = [], "", span.start
    while True:
        word = pattern.match(span.whole, at, span.end)
        if word is None:
            rest = Span(span.whole, at, span.end)
            raise rest.error(f"a square is expected here, not {rest.quoted}" if rest else "a square is missing here")
        words.append(Span(span.whole, *word.span()))
        if word.end() == span.end:
            return words, separators
        separator = _SEPARATOR.match(span.whole, word.end(), span.end)
        separators += separator[0] if separator else ""
        at = separator.end() if separator else word.end()


def _read_square(word: Span, rules: DraughtsRules, squares: dict[str, Square]) -> Square:
    """The square of this name or number."""
    square = squares.get(str(word).lower().lstrip("0"))
    if square is None:
        raise word.error(f"{rules.name} has no square {word.quoted}")
    return square


def _read_run(word: Span, rules: DraughtsRules, squares: dict[str, Square]) -> _Typed:
    """A single word as squares: digits without separators."""
    readings = []
    for parts in _cuts(str(word), len(str(len(rules.mover.squares)))):
        names = [part.lstrip("0") for part in parts]
        if all(name in squares for name in names):
            readings.append([squares[name] for name in names])
    if readings and str(word) not in squares:
        return _Typed(readings)
    square = _read_square(word, rules, squares)
    return _Typed(readings, lone=word.error(f"{square} is one square: a move goes from one to another"))


def _cuts(digits: str, width: int) -> Iterator[Sequence[str]]:
    """Digits cut in two anywhere, and into more parts of the same width."""
    if not digits.isdecimal():
        return
    for first in range(max(1, len(digits) - width), min(width, len(digits) - 1) + 1):
        yield digits[:first], digits[first:]
    if len(digits) > 2 * width and len(digits) % width == 0:
        yield [digits[at : at + width] for at in range(0, len(digits), width)]
