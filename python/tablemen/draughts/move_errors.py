"""Explanations of why a move is not legal.

Most reasons are found by testing the move under rules that are relaxed in one point: a move that is legal once captures
are not compulsory omits a capture.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from tablemen._core import Move, Position
from tablemen.draughts.board import Kind, Square, squares_by_text
from tablemen.draughts.notation import format_move
from tablemen.draughts.rules import Direction, DraughtsRules
from tablemen.errors import IllegalMoveError, TablemenError, WorkLimitError
from tablemen.outcome import Side, Termination
from tablemen.work import work_limit

MAX_LISTED = 4  # moves in an explanation
MAX_WORK = 200_000  # units of work for an explanation: some hundredths of a second


def explain_move(position: Position, move: Move | str) -> str | None:
    """Explain why a move, given as such or as text, is not legal; return None if it is.

    >>> from tablemen.draughts import Position
    >>> explain_move(Position.from_fen("W:W17,32:B7,14", "english"), "32-28")
    'White must capture: 17x3'

    Raises `NotationError` if the text is not a move.
    """
    if isinstance(move, str):
        try:
            position.parse_move(move)
        except IllegalMoveError:
            return _explain_path(position, position.variant.mover.parse_squares(move)[0])
        return None
    if position.is_legal(move):
        return None
    if move.variant != position.variant:
        return f"it is a move of {move.variant}, not of {position.variant}"
    return _explain_path(position, move.path)


def _explain_path(position: Position, path: Sequence[Square]) -> str:
    """Explain why no legal move has this path, within `MAX_WORK`."""
    start, end = path[0], path[-1]
    try:
        with work_limit(MAX_WORK):
            reason = explain_illegal(position, start.name, end.name)
            legal = () if reason else position.find_moves([start, end])
    except WorkLimitError:
        return f"no legal move goes from {start} to {end} in this way"
    if reason is not None:
        return reason
    if not any(move.is_capture for move in legal):
        return f"the legal move is {_format_moves(legal)}, with another capture or crowning"
    paths = ", ".join(format_move(move, full=True) for move in legal)
    return f"no capture has this path; the legal ones are {paths}"


def explain_illegal(position: Position, start: int | str, end: int | str) -> str | None:
    """Explain why the side to move may not move from `start` to `end`; return None if it can.

    >>> from tablemen.draughts import Position
    >>> explain_illegal(Position.from_fen("W:W17,32:B7,14", "english"), 17, 10)
    'the capture must go on: 17x3'
    >>> explain_illegal(Position.from_fen("W:W17,32:B7,14", "english"), 32, 28)
    'White must capture: 17x3'

    Raises `TablemenError` if the board has no such square.
    """
    if position.find_moves([start, end]):
        return None
    first, last = _find_squares(position.variant, start, end)
    explanation = (
        _explain_game_over(position)
        or _explain_squares(position, first, last)
        or _explain_captures(position, first, last)
        or _explain_king_limit(position, first, last)
        or _explain_man(position, first, last)
        or _explain_distance(position, first, last)
    )
    return explanation or f"no legal move goes from {first} to {last}"


def explain_start(position: Position, start: int | str) -> str | None:
    """Explain why no move of the side to move begins on a square; return None if one does.

    >>> from tablemen.draughts import Position
    >>> explain_start(Position.start("english"), 4)
    'the man on 4 cannot move: no square in front of it is free'
    >>> explain_start(Position.from_fen("W:W17,32:B7,14", "english"), 32)
    'White must capture: 17x3'

    Raises `TablemenError` if the board has no such square.
    """
    legal = position.legal_moves()
    (square,) = _find_squares(position.variant, start)
    if any(move.start == square for move in legal):
        return None
    explanation = _explain_game_over(position) or _explain_squares(position, square, None)
    if explanation:
        return explanation
    captures = [move for move in legal if move.is_capture]
    if captures:
        return f"{_name(position.turn)} must capture: {_format_moves(captures)}"
    king, count = position.king_runs.get(position.turn, (None, 0))
    if king == square and any(move.start == square for move in _relax(position).legal_moves()):
        return f"the king on {square} has made {count} quiet moves in a row and must wait"
    if _is_king(position, square):
        return f"the king on {square} cannot move: no square around it is free"
    return f"the man on {square} cannot move: no square in front of it is free"


def _explain_game_over(position: Position) -> str | None:
    """Explain that the game is over, unless for lack of a legal move: then the other checks explain more."""
    outcome = position.outcome()
    if outcome is None or outcome.termination is Termination.NO_MOVE:
        return None
    return f"the game is over: {outcome.termination}"


def _explain_squares(position: Position, start: Square, end: Square | None) -> str | None:
    """Explain what is wrong with the start square, or with the end square if it is given."""
    piece = position.piece_at(start)
    if piece is None:
        return f"no piece stands on {start}"
    if piece.side is not position.turn:
        return f"the {piece.kind} on {start} is {_name(piece.side)}'s, and {_name(position.turn)} is to move"
    if start == end:
        return "a move must end on another square"
    blocker = None if end is None else position.piece_at(end)
    return f"a {blocker.side} {blocker.kind} stands on {end}" if blocker else None


def _find_squares(rules: DraughtsRules, *given: int | str) -> Iterator[Square]:
    """Yield the squares with these numbers or names. Raises `TablemenError` if there is no such square."""
    squares = squares_by_text(rules.mover.squares)
    for each in given:
        text = each.strip().lower().lstrip("0") if isinstance(each, str) else str(int(each))
        if text not in squares:
            raise TablemenError(f"no square {each} on the board of {rules}")
        yield squares[text]


def _explain_captures(position: Position, start: Square, end: Square) -> str | None:
    """Explain that a move omits a capture or a part of one."""
    captures = [move for move in position.legal_moves() if move.is_capture]
    if not captures:
        return None
    if _relax(position, precedence=()).find_moves([start, end]):
        return f"another capture has precedence: {_format_moves(captures)}"
    if any(move.start == start and end in move.path[1:-1] for move in position.legal_moves(paths=True)):
        from_start = [move for move in captures if move.start == start]
        return f"the capture must go on: {_format_moves(from_start or captures)}"
    if _relax(position, capture_compulsory=False).find_moves([start, end]):
        return f"{_name(position.turn)} must capture: {_format_moves(captures)}"
    return None


def _explain_king_limit(position: Position, start: Square, end: Square) -> str | None:
    """Explain that a king has made the maximum number of quiet moves in a row."""
    king, count = position.king_runs.get(position.turn, (None, 0))
    if king == start and _relax(position).find_moves([start, end]):
        return f"the king on {start} has made {count} quiet moves in a row and must wait"
    return None


def _explain_man(position: Position, start: Square, end: Square) -> str | None:
    """Explain which rule for men the move breaks."""
    rules = position.variant
    if _is_king(position, start):
        return None
    relax = partial(_relax, position, capture_compulsory=False, precedence=())
    if not rules.men_capture_kings and relax(men_capture_kings=True).find_moves([start, end]):
        return "a man cannot capture a king"
    if relax(man_moves=_add_backward(rules.man_moves)).find_moves([start, end]):
        return "a man cannot move backwards"
    if relax(man_captures=_add_backward(rules.man_captures)).find_moves([start, end]):
        return "a man cannot capture backwards"
    return None


def _explain_distance(position: Position, start: Square, end: Square) -> str | None:
    """Explain what is wrong with the direction, the pieces between the squares, or the distance."""
    rules = position.variant
    is_king = _is_king(position, start)
    directions = rules.king_moves if is_king else rules.man_moves
    distances = {abs(end.row - start.row), abs(end.column - start.column)}
    is_straight, is_diagonal = 0 in distances, len(distances) == 1
    if not ((is_straight and directions & Direction.ORTHOGONALS) or (is_diagonal and directions & Direction.DIAGONALS)):
        kinds = (("diagonal", Direction.DIAGONALS), ("straight", Direction.ORTHOGONALS))
        words = [word for word, kind in kinds if directions & kind]
        return f"{start} to {end} is not a {' or '.join(words)} step"
    between = [position.piece_at(square) for square in _squares_between(rules, start, end)]
    pieces = [piece for piece in between if piece is not None]
    own = next((piece for piece in pieces if piece.side is position.turn), None)
    if own is not None:
        return f"a {own.side} {own.kind} is in the way"
    if len(pieces) > 1:
        return "more than one piece is in the way"
    if pieces:
        return f"the {pieces[0].kind} between {start} and {end} cannot be captured this way"
    problem = f"{start} to {end} is too far for a {Kind.KING if is_king else Kind.MAN}"
    return f"{problem}: there is no piece between them to capture" if len(between) == 1 else problem


def _is_king(position: Position, square: Square) -> bool:
    piece = position.piece_at(square)
    return piece is not None and piece.kind is Kind.KING


def _relax(position: Position, **changes: object) -> Position:
    """Return the position under rules with these fields changed, and with no quiet moves of kings counted."""
    rules = replace(position.variant, **changes)  # type: ignore[arg-type]
    return Position.from_letters(position.letters(), rules, position.turn)


def _add_backward(directions: Direction) -> Direction:
    """Add the opposite of each forward direction."""
    opposite = {
        Direction.FORWARD: Direction.BACKWARD,
        Direction.FORWARD_LEFT: Direction.BACKWARD_LEFT,
        Direction.FORWARD_RIGHT: Direction.BACKWARD_RIGHT,
    }
    for forward, backward in opposite.items():
        if directions & forward:
            directions |= backward
    return directions


def _squares_between(rules: DraughtsRules, start: Square, end: Square) -> Iterator[Square]:
    """Yield the squares on the line between two squares."""
    down, right = end.row - start.row, end.column - start.column
    length = max(abs(down), abs(right))
    places = {(square.row, square.column): square for square in rules.mover.squares}
    for step in range(1, length):
        square = places.get((start.row + down * step // length, start.column + right * step // length))
        if square is not None:
            yield square


def _format_moves(moves: Iterable[Move]) -> str:
    texts = list(dict.fromkeys(format_move(move) for move in moves))
    return ", ".join(texts[:MAX_LISTED]) + (" …" if len(texts) > MAX_LISTED else "")


def _name(side: Side) -> str:
    return side.name.capitalize()
