"""Reference implementations of the three exercises, each written from its own text.

They share no code with the package or with the rest of the reference. A board is a dict of places. Captures are
generated one by one, so that a caller can stop if there are too many.
"""

from __future__ import annotations

from itertools import chain, takewhile
from typing import TYPE_CHECKING, TypeAlias

from tablemen import Side

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Place: TypeAlias = tuple[int, int]  # x and y from the bottom left, or row and column from the top left
Path: TypeAlias = tuple[Place, ...]
DIAGONALS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


# Valid turns: international draughts, 10×10.


def valid_turns(board: str, player: Side) -> list[str]:
    """Return all turns in ascending order: `44-35` for a step, `71x44x99` for a capture of two pieces."""
    captures = list(turn_captures(board, player))
    most = max(map(len, captures), default=0)
    if captures:
        return sorted("x".join(f"{x}{y}" for x, y in path) for path in captures if len(path) == most)
    return sorted("-".join(f"{x}{y}" for x, y in path) for path in _turn_steps(board, player))


def turn_captures(board: str, player: Side) -> Iterator[Path]:
    """Yield all complete captures, not only the largest, as the squares that the piece visits."""
    cells = _read_grid(board)
    own = "wK" if player is Side.WHITE else "bB"
    for place, letter in cells.items():
        if letter in own:
            yield from _continue_turn(cells, letter, (place,), ())


def _read_grid(board: str) -> dict[Place, str]:
    """Return the letters of the dark squares by place."""
    lines = board.split("\n")
    return {
        (x, y): letter
        for y, line in zip(reversed(range(10)), lines, strict=True)
        for x, letter in enumerate(line)
        if letter != " "
    }


def _continue_turn(cells: dict[Place, str], letter: str, path: Path, captured: Path) -> Iterator[Path]:
    """Yield the complete captures that begin with a path; captured pieces stay on the board until the turn ends."""
    jumps = list(_turn_jumps(cells, letter, path, captured))
    for victim, landing in jumps:
        yield from _continue_turn(cells, letter, (*path, landing), (*captured, victim))
    if captured and not jumps:
        yield path


def _turn_jumps(cells: dict[Place, str], letter: str, path: Path, captured: Path) -> Iterator[tuple[Place, Place]]:
    """Yield the pieces that can be captured next, each with every landing square."""

    def is_free(place: Place) -> bool:
        return cells[place] == "." or place == path[0]  # the start square is free during the capture

    is_king = letter in "KB"
    opponents = "bB" if letter in "wK" else "wK"
    for step in DIAGONALS:
        line = _line(cells, path[-1], step)
        before = list(takewhile(is_free, line))
        at_it = line[len(before) :]
        if not at_it or (before and not is_king) or at_it[0] in captured or cells[at_it[0]] not in opponents:
            continue
        behind = list(takewhile(is_free, at_it[1:]))
        for landing in behind if is_king else behind[:1]:
            yield at_it[0], landing


def _turn_steps(board: str, player: Side) -> Iterator[Path]:
    """Yield the moves without a capture."""
    cells = _read_grid(board)
    man, king, forward = ("w", "K", 1) if player is Side.WHITE else ("b", "B", -1)
    for place, letter in cells.items():
        for step in DIAGONALS:
            free = list(takewhile(lambda each: cells[each] == ".", _line(cells, place, step)))
            if letter == king:
                yield from ((place, end) for end in free)
            elif letter == man and step[1] == forward:
                yield from ((place, end) for end in free[:1])


def _line(cells: dict[Place, str], place: Place, step: Place) -> list[Place]:
    """Return the squares from a place to the edge."""
    across, up = step
    places = ((place[0] + n * across, place[1] + n * up) for n in range(1, 10))
    return list(takewhile(lambda each: each in cells, places))


# Is this move legal: English checkers, squares 1 to 32; White's men move up the board.


def is_legal_move(black: Iterable[int], white: Iterable[int], start: int, end: int) -> bool:
    """Return whether the white man on `start` may move to `end`; a square in both lists is Black's."""
    theirs = set(black) - {start}
    own = (set(white) - theirs) | {start}
    if any(_jumps_up(theirs, own, man) for man in own):
        return end in _last_landings(theirs, own - {start}, start)
    return any(up == end and end not in theirs | own for up, _ in _ways_up(start))


def _ways_up(square: int) -> Iterator[tuple[int, int | None]]:
    """Yield the next squares to the upper left and right, each with the square behind it or None."""
    row, column = _place_of(square)
    for side in (-1, 1):
        near, far = _square_at(row - 1, column + side), _square_at(row - 2, column + 2 * side)
        if near is not None:
            yield near, far


def _place_of(square: int) -> Place:
    """Return row and column: each row has four squares, alternately on odd and even columns."""
    row, index = divmod(square - 1, 4)
    return row, 2 * index + (row + 1) % 2


def _square_at(row: int, column: int) -> int | None:
    return 4 * row + column // 2 + 1 if 0 <= row < 8 and 0 <= column < 8 else None


def _jumps_up(theirs: set[int], own: set[int], man: int) -> list[int]:
    """Return the squares on which the man can land after one jump."""
    occupied = theirs | own
    return [far for near, far in _ways_up(man) if near in theirs and far is not None and far not in occupied]


def _last_landings(theirs: set[int], others: set[int], man: int) -> set[int]:
    """Return the squares on which captures of the man can end.

    It must jump as often as it can. It only moves forward, so it never meets a captured piece again.
    """
    landings = _jumps_up(theirs, others, man)
    return {last for landing in landings for last in _last_landings(theirs, others, landing) or {landing}}


# Allowed moves: checkers on a board of any size, with short kings and crowning during a capture.


def allowed_moves(board: Sequence[str], color: str) -> list[list[Place]]:
    """Return all moves in ascending order, as the squares that the piece visits."""
    captures = sorted(map(list, move_captures(board, color)))
    return captures or sorted(map(list, _row_steps(_read_rows(board), color, len(board))))


def move_captures(board: Sequence[str], color: str) -> Iterator[Path]:
    """Yield all complete captures."""
    pieces = _read_rows(board)
    for place, letter in pieces.items():
        if letter.lower() == color:
            others = {other: each for other, each in pieces.items() if other != place}
            yield from _continue_capture(others, letter, (place,), len(board))


def _read_rows(board: Sequence[str]) -> dict[Place, str]:
    """Return the pieces by row and column."""
    cells = chain.from_iterable(
        (((row, column), letter) for column, letter in enumerate(line)) for row, line in enumerate(board)
    )
    return {place: letter for place, letter in cells if letter != "_"}


def _directions(letter: str) -> Iterator[Place]:
    """Yield the directions of a piece: a black disc moves down, a white disc up, a king both."""
    for down, right in DIAGONALS:
        if letter.isupper() or down == (1 if letter == "b" else -1):
            yield down, right


def _row_steps(pieces: dict[Place, str], color: str, size: int) -> Iterator[Path]:
    for (row, column), letter in pieces.items():
        if letter.lower() == color:
            for down, right in _directions(letter):
                end = (row + down, column + right)
                if _is_on_board(end, size) and end not in pieces:
                    yield (row, column), end


def _continue_capture(others: dict[Place, str], letter: str, path: Path, size: int) -> Iterator[Path]:
    """Yield the complete captures that begin with a path; `others` are all other pieces that are not captured yet."""
    row, column = path[-1]
    far_row = size - 1 if letter == "b" else 0
    if len(path) > 1 and row == far_row:
        letter = letter.upper()
    ends_here = len(path) > 1
    for down, right in _directions(letter):
        victim, landing = (row + down, column + right), (row + 2 * down, column + 2 * right)
        taken = others.get(victim, letter).lower() != letter.lower()
        if taken and _is_on_board(landing, size) and landing not in others:
            ends_here = False
            rest = {place: each for place, each in others.items() if place != victim}
            yield from _continue_capture(rest, letter, (*path, landing), size)
    if ends_here:
        yield path


def _is_on_board(place: Place, size: int) -> bool:
    return min(place) >= 0 and max(place) < size
