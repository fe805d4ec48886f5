"""The three exercises once more, each straight from its own text and on its own board.

Nothing here is shared with the package, nor with the rest of the reference: a board is a dict of places, and the
captures of a side come one by one, so that who asks can stop where they are too many.
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
    """Every turn in ascending order: `44-35` for a step, `71x44x99` for a capture, an x a captured piece."""
    captures = list(turn_captures(board, player))
    most = max(map(len, captures), default=0)
    if captures:
        return sorted("x".join(f"{x}{y}" for x, y in path) for path in captures if len(path) == most)
    return sorted("-".join(f"{x}{y}" for x, y in path) for path in _turn_steps(board, player))


def turn_captures(board: str, player: Side) -> Iterator[Path]:
    """Every capture carried to its end, the largest and the smaller ones, as the squares the piece stood on."""
    cells = _read_grid(board)
    own = "wK" if player is Side.WHITE else "bB"
    for place, letter in cells.items():
        if letter in own:
            yield from _go_on_capturing(cells, letter, (place,), ())


def _read_grid(board: str) -> dict[Place, str]:
    """The dark squares and what stands on them."""
    lines = board.split("\n")
    return {
        (x, y): letter
        for y, line in zip(reversed(range(10)), lines, strict=True)
        for x, letter in enumerate(line)
        if letter != " "
    }


def _go_on_capturing(cells: dict[Place, str], letter: str, path: Path, captured: Path) -> Iterator[Path]:
    """The captures that begin so; captured pieces stay where they are until the turn is over."""
    jumps = list(_turn_jumps(cells, letter, path, captured))
    for victim, landing in jumps:
        yield from _go_on_capturing(cells, letter, (*path, landing), (*captured, victim))
    if captured and not jumps:
        yield path


def _turn_jumps(cells: dict[Place, str], letter: str, path: Path, captured: Path) -> Iterator[tuple[Place, Place]]:
    """The pieces that can be captured next, each with every square to land on."""

    def is_free(place: Place) -> bool:
        return cells[place] == "." or place == path[0]  # the piece has left the square it started from

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
    """The moves without a capture."""
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
    """The squares from here to the edge."""
    across, up = step
    places = ((place[0] + n * across, place[1] + n * up) for n in range(1, 10))
    return list(takewhile(lambda each: each in cells, places))


# Is this move legal: English checkers, squares 1 to 32, White's men go up the board.


def is_legal_move(black: Iterable[int], white: Iterable[int], start: int, end: int) -> bool:
    """Whether the white man on `start` may go to `end`; where both lists name a square, it is black's."""
    theirs = set(black) - {start}
    own = (set(white) - theirs) | {start}
    if any(_jumps_up(theirs, own, man) for man in own):
        return end in _last_landings(theirs, own - {start}, start)
    return any(up == end and end not in theirs | own for up, _ in _ways_up(start))


def _ways_up(square: int) -> Iterator[tuple[int, int | None]]:
    """The next square to the upper left and right, each with the one behind it where the board has one."""
    row, column = _place_of(square)
    for side in (-1, 1):
        near, far = _square_at(row - 1, column + side), _square_at(row - 2, column + 2 * side)
        if near is not None:
            yield near, far


def _place_of(square: int) -> Place:
    """Four squares a row from the top: in the first row they stand on columns 1, 3, 5, 7, in the next on 0, 2, 4, 6."""
    row, index = divmod(square - 1, 4)
    return row, 2 * index + (row + 1) % 2


def _square_at(row: int, column: int) -> int | None:
    return 4 * row + column // 2 + 1 if 0 <= row < 8 and 0 <= column < 8 else None


def _jumps_up(theirs: set[int], own: set[int], man: int) -> list[int]:
    """Where the man can land by one jump."""
    occupied = theirs | own
    return [far for near, far in _ways_up(man) if near in theirs and far is not None and far not in occupied]


def _last_landings(theirs: set[int], others: set[int], man: int) -> set[int]:
    """Where jumps of the man can end: where it can jump on, it must. Forward only, it meets no piece again."""
    landings = _jumps_up(theirs, others, man)
    return {last for landing in landings for last in _last_landings(theirs, others, landing) or {landing}}


# Allowed moves: checkers of any size, kings of one step, crowned in the middle of a capture.


def allowed_moves(board: Sequence[str], color: str) -> list[list[Place]]:
    """Every move in ascending order, as the squares visited."""
    captures = sorted(map(list, move_captures(board, color)))
    return captures or sorted(map(list, _row_steps(_read_rows(board), color, len(board))))


def move_captures(board: Sequence[str], color: str) -> Iterator[Path]:
    """Every capture carried to its end."""
    pieces = _read_rows(board)
    for place, letter in pieces.items():
        if letter.lower() == color:
            others = {other: each for other, each in pieces.items() if other != place}
            yield from _go_on_jumping(others, letter, (place,), len(board))


def _read_rows(board: Sequence[str]) -> dict[Place, str]:
    """The pieces by row and column."""
    cells = chain.from_iterable(
        (((row, column), letter) for column, letter in enumerate(line)) for row, line in enumerate(board)
    )
    return {place: letter for place, letter in cells if letter != "_"}


def _directions(letter: str) -> Iterator[Place]:
    """Where a piece may go: a black disc down, a white disc up, a king anywhere."""
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


def _go_on_jumping(others: dict[Place, str], letter: str, path: Path, size: int) -> Iterator[Path]:
    """The captures that begin so; `others` are all pieces but this one, without those that it has captured."""
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
            yield from _go_on_jumping(rest, letter, (*path, landing), size)
    if ends_here:
        yield path


def _is_on_board(place: Place, size: int) -> bool:
    return min(place) >= 0 and max(place) < size
