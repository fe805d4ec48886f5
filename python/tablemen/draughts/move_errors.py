"""Explanations of why a move is not legal.

Most reasons are found by testing the move under rules that are relaxed in one point: a move that is legal once captures
are not compulsory omits a capture.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from tablemen._core import Move, Position
from tablemen.draughts.board import Kind, Square, squares_by_text
from tablemen.draughts.notation import format_move
from tablemen.draughts.rules import Direction, DraughtsRules
from tablemen.errors import TablemenError
from tablemen.outcome import Side, Termination

LISTED = 4  # so many moves are named, then no more


def explain_illegal(position: Position, start: int | str, end: int | str) -> str | None:
    """Explain why the side to move may not move from `start` to `end`; return None if it may.

    >>> from tablemen.draughts import Position
    >>> explain_illegal(Position.from_fen("W:W17,32:B7,14", "english"), 17, 10)
    'the capture must go on: 17x3'
    >>> explain_illegal(Position.from_fen("W:W17,32:B7,14", "english"), 32, 28)
    'White must capture: 17x3'

    Raises `TablemenError` if the board has no such square.
    """
    if position.find_moves([start, end]):
        return None
    first, last = _squares(position.variant, start, end)
    for reason in (_ended, _misplaced, _captures, _resting, _forbidden, _unreachable):
        objection = reason(position, first, last)
        if objection:
            return objection
    return f"no piece moves from {first} to {last}"


def explain_start(position: Position, start: int | str) -> str | None:
    """Explain why no move of the side to move begins on a square; return None if one does.

    >>> from tablemen.draughts import Position
    >>> explain_start(Position.start("english"), 4)
    'the man on 4 cannot move: nothing is free before it'
    >>> explain_start(Position.from_fen("W:W17,32:B7,14", "english"), 32)
    'White must capture: 17x3'

    Raises `TablemenError` if the board has no such square.
    """
    legal = position.legal_moves()
    (square,) = _squares(position.variant, start)
    if any(move.start == square for move in legal):
        return None
    objection = _ended(position, square, square) or _misplaced(position, square, None)
    if objection:
        return objection
    captures = [move for move in legal if move.is_capture]
    if captures:
        return f"{_name(position.turn)} must capture: {_listed(captures)}"
    king, count = position.king_runs.get(position.turn, (None, 0))
    if king == square and any(move.start == square for move in _relaxed(position).legal_moves()):
        return f"the king on {square} has made {count} quiet moves in a row and must wait"
    kind = Kind.KING if _is_king(position, square) else Kind.MAN
    return f"the {kind} on {square} cannot move: nothing is free {'around' if kind is Kind.KING else 'before'} it"


def _ended(position: Position, _start: Square, _end: Square) -> str | None:
    """That nobody moves any more; a side without a move still made some mistake with this one."""
    outcome = position.outcome()
    if outcome is None or outcome.termination is Termination.NO_MOVE:
        return None
    return f"the game is over: {outcome.termination}"


def _misplaced(position: Position, start: Square, end: Square | None) -> str | None:
    """What is wrong with the squares themselves; where a move ends may be unknown."""
    piece, there = position.piece_at(start), None if end is None else position.piece_at(end)
    if piece is None:
        return f"no piece stands on {start}"
    if piece.side is not position.turn:
        return f"the {piece.kind} on {start} is {_name(piece.side)}'s, and {_name(position.turn)} is to move"
    if start == end:
        return "a move ends on another square"
    return f"a {there.side} {there.kind} stands on {end}" if there else None


def _squares(rules: DraughtsRules, *given: int | str) -> Iterator[Square]:
    """The squares with these numbers or names."""
    squares = squares_by_text(rules.mover.squares)
    for each in given:
        text = each.strip().lower().lstrip("0") if isinstance(each, str) else str(int(each))
        if text not in squares:
            raise TablemenError(f"no square {each} on the board of {rules}")
        yield squares[text]


def _captures(position: Position, start: Square, end: Square) -> str | None:
    """What is wrong with a move that leaves a capture, or a part of it, out."""
    captures = [move for move in position.legal_moves() if move.is_capture]
    if not captures:
        return None
    if _relaxed(position, precedence=()).find_moves([start, end]):
        return f"another capture comes first: {_listed(captures)}"
    if any(move.start == start and end in move.path[1:-1] for move in position.legal_moves(paths=True)):
        with_it = [move for move in captures if move.start == start]
        return f"the capture must go on: {_listed(with_it or captures)}"
    if _relaxed(position, capture_compulsory=False).find_moves([start, end]):
        return f"{_name(position.turn)} must capture: {_listed(captures)}"
    return None


def _resting(position: Position, start: Square, end: Square) -> str | None:
    """That a king has made as many quiet moves in a row as it may."""
    king, count = position.king_runs.get(position.turn, (None, 0))
    if king == start and _relaxed(position).find_moves([start, end]):
        return f"the king on {start} has made {count} quiet moves in a row and must wait"
    return None


def _forbidden(position: Position, start: Square, end: Square) -> str | None:
    """What this kind of piece may not do."""
    rules = position.variant
    if _is_king(position, start):
        return None
    loose = partial(_relaxed, position, capture_compulsory=False, precedence=())
    if not rules.men_capture_kings and loose(men_capture_kings=True).find_moves([start, end]):
        return "a man does not capture a king"
    if loose(man_moves=_both_ways(rules.man_moves)).find_moves([start, end]):
        return "a man does not move backwards"
    if loose(man_captures=_both_ways(rules.man_captures)).find_moves([start, end]):
        return "a man does not capture backwards"
    return None


def _unreachable(position: Position, start: Square, end: Square) -> str | None:
    """What is wrong with the way from square to square."""
    rules = position.variant
    is_king = _is_king(position, start)
    steps = rules.king_moves if is_king else rules.man_moves
    across = {abs(end.row - start.row), abs(end.column - start.column)}
    straight, diagonal = 0 in across, len(across) == 1
    if not ((straight and steps & Direction.ORTHOGONALS) or (diagonal and steps & Direction.DIAGONALS)):
        words = [
            word
            for word, kind in (("diagonal", Direction.DIAGONALS), ("straight", Direction.ORTHOGONALS))
            if steps & kind
        ]
        return f"{start} to {end} is not a {' or '.join(words)} step"
    between = [position.piece_at(square) for square in _between(rules, start, end)]
    pieces = [each for each in between if each is not None]
    own = next((each for each in pieces if each.side is position.turn), None)
    if own is not None:
        return f"a {own.side} {own.kind} of its own is in the way"
    if len(pieces) > 1:
        return "more than one piece is in the way"
    if pieces:
        return f"the {pieces[0].kind} between {start} and {end} cannot be captured so"
    far = f"{start} to {end} is too far for a {Kind.KING if is_king else Kind.MAN}"
    return f"{far}: there is nothing between to capture" if len(between) == 1 else far


def _is_king(position: Position, square: Square) -> bool:
    piece = position.piece_at(square)
    return piece is not None and piece.kind is Kind.KING


def _relaxed(position: Position, **changes: object) -> Position:
    """The same pieces under rules with these fields changed, kings rested."""
    rules = replace(position.variant, **changes)  # type: ignore[arg-type]
    return Position.from_letters(position.letters(), rules, position.turn)


def _both_ways(directions: Direction) -> Direction:
    """The directions, and the same backwards."""
    opposite = {
        Direction.FORWARD: Direction.BACKWARD,
        Direction.FORWARD_LEFT: Direction.BACKWARD_LEFT,
        Direction.FORWARD_RIGHT: Direction.BACKWARD_RIGHT,
    }
    for ahead, back in opposite.items():
        if directions & ahead:
            directions |= back
    return directions


def _between(rules: DraughtsRules, start: Square, end: Square) -> Iterator[Square]:
    """The squares on the line from one to the other."""
    down, right = end.row - start.row, end.column - start.column
    length = max(abs(down), abs(right))
    places = {(square.row, square.column): square for square in rules.mover.squares}
    for step in range(1, length):
        square = places.get((start.row + down * step // length, start.column + right * step // length))
        if square is not None:
            yield square


def _listed(moves: Iterable[Move]) -> str:
    texts = list(dict.fromkeys(format_move(move) for move in moves))
    return ", ".join(texts[:LISTED]) + (" …" if len(texts) > LISTED else "")


def _name(side: Side) -> str:
    return side.name.capitalize()
