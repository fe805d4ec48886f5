"""Positions drawn with letters, for terminals and tests."""

from __future__ import annotations

from tablemen._core import Position
from tablemen.draughts.numbering import Notation
from tablemen.draughts.rules import DraughtsRules
from tablemen.outcome import Side

EMPTY, UNUSED = ".", " "


def draw(position: Position) -> str:
    """The board with White at the bottom, and who is to move.

    Men are `w` and `b`, kings `W` and `B`. Beside each row stand the numbers of its outer squares; where squares are
    algebraic, letters and digits stand at the edges.

    >>> from tablemen.draughts import Position
    >>> print(draw(Position.start("russian")))
      +-----------------+
    8 |   b   b   b   b |
    7 | b   b   b   b   |
    6 |   b   b   b   b |
    5 | .   .   .   .   |
    4 |   .   .   .   . |
    3 | w   w   w   w   |
    2 |   w   w   w   w |
    1 | w   w   w   w   |
      +-----------------+
        a b c d e f g h
    White to move
    """
    rules = position.variant
    cells = [[UNUSED] * rules.columns for _ in range(rules.rows)]
    for square in rules.mover.squares:
        cells[square.row][square.column] = str(position.piece_at(square) or EMPTY)
    left, below = edge_labels(rules)
    right = [""] * rules.rows
    if rules.notation is Notation.NUMERIC:
        left, right = _outer_numbers(rules)
    cell = max(1, *map(len, below))
    margin = max(map(len, left))
    frame = f"{'':{margin}} +{'-' * (rules.columns * (cell + 1) + 1)}+"
    lines = [frame]
    for before, row, after in zip(left, cells, right, strict=True):
        lines.append(f"{before:>{margin}} | {' '.join(f'{each:>{cell}}' for each in row)} | {after:>{margin}}".rstrip())
    lines.append(frame)
    if any(below):
        lines.append(f"{'':{margin}}   {' '.join(f'{each:>{cell}}' for each in below)}")
    return "\n".join([*lines, _last_line(position)])


def edge_labels(rules: DraughtsRules) -> tuple[list[str], list[str]]:
    """What stands beside the rows and below the columns of an algebraic board; empty texts on a numeric one."""
    rows, columns = [""] * rules.rows, [""] * rules.columns
    if rules.notation is not Notation.NUMERIC:
        for square in rules.mover.squares:
            letter, digits = square.name[0], square.name[1:]
            across = rules.notation is Notation.ALGEBRAIC
            rows[square.row], columns[square.column] = (digits, letter) if across else (letter, digits)
    return rows, columns


def _outer_numbers(rules: DraughtsRules) -> tuple[list[str], list[str]]:
    """The numbers of the first and of the last square of each row."""
    by_row: list[list[str]] = [[] for _ in range(rules.rows)]
    for square in rules.mover.squares:
        by_row[square.row].append(square.name)
    return [names[0] for names in by_row], [names[-1] for names in by_row]


def _last_line(position: Position) -> str:
    """Who is to move, and how long kings have gone on where that is limited."""
    runs = [
        f"{side.name.capitalize()}'s king on {square} has made {count} quiet move{'s' if count > 1 else ''} in a row"
        for side, (square, count) in sorted(position.king_runs.items(), key=lambda each: each[0] is Side.BLACK)
    ]
    return "; ".join([f"{position.turn.name.capitalize()} to move", *runs])
