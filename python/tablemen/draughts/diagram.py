"""Positions drawn with letters or symbols, for terminals and tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tablemen._core import Position
from tablemen.draughts.board import Notation
from tablemen.draughts.rules import DraughtsRules
from tablemen.outcome import Side

UNUSED = " "


@dataclass(frozen=True, slots=True)
class Style:
    """What a board is drawn with: a sign for each letter of `Position.letters`, and the frame."""

    signs: Mapping[str, str]
    line: str
    sides: str
    corners: tuple[str, str, str, str]  # top left, top right, bottom left, bottom right


PLAIN = Style({letter: letter for letter in "wbWB."}, "-", "|", ("+", "+", "+", "+"))
# Circles, and not the symbols that Unicode has for draughts: those are in no fixed-width font and do not line up.
UNICODE = Style(dict(zip("wWbB.", "○◎●◉·", strict=True)), "─", "│", ("┌", "┐", "└", "┘"))


def draw(position: Position, *, orientation: Side = Side.WHITE) -> str:
    """The board in letters, and who is to move; `orientation` is the side at the bottom.

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
    return _draw(position, PLAIN, orientation)


def draw_unicode(position: Position, *, orientation: Side = Side.WHITE) -> str:
    """The board as `draw` has it, with lines around it and circles on it: White's are open, Black's are filled.

    >>> from tablemen.draughts import Position
    >>> print(draw_unicode(Position.from_fen("B:Wd2,Ke5:Bc7,Kh8", "russian")))
      ┌─────────────────┐
    8 │   ·   ·   ·   ◉ │
    7 │ ·   ●   ·   ·   │
    6 │   ·   ·   ·   · │
    5 │ ·   ·   ◎   ·   │
    4 │   ·   ·   ·   · │
    3 │ ·   ·   ·   ·   │
    2 │   ·   ○   ·   · │
    1 │ ·   ·   ·   ·   │
      └─────────────────┘
        a b c d e f g h
    Black to move
    """
    return _draw(position, UNICODE, orientation)


def _draw(position: Position, style: Style, orientation: Side) -> str:
    """The lines of a drawing."""
    if not isinstance(orientation, Side):
        raise TypeError(f"the orientation is a Side, not {orientation!r}")
    rules = position.variant
    turn = 1 if orientation is Side.WHITE else -1  # how rows and columns are gone through
    cells = [[UNUSED] * rules.columns for _ in range(rules.rows)]
    for square, letter in zip(rules.mover.squares, position.letters(), strict=True):
        cells[square.row][square.column] = style.signs[letter]
    left, below = edge_labels(rules)
    right = [""] * rules.rows
    if rules.notation is Notation.NUMERIC:
        left, right = outer_numbers(rules)[::turn]
    cell = max(1, *map(len, below))
    margin = max(map(len, left))
    edge = style.line * (rules.columns * (cell + 1) + 1)
    top, bottom = (f"{'':{margin}} {begin}{edge}{end}" for begin, end in (style.corners[:2], style.corners[2:]))
    lines = [top]
    for before, row, after in list(zip(left, cells, right, strict=True))[::turn]:
        inside = " ".join(f"{each:>{cell}}" for each in row[::turn])
        lines.append(f"{before:>{margin}} {style.sides} {inside} {style.sides} {after:>{margin}}".rstrip())
    lines.append(bottom)
    if any(below):
        lines.append(f"{'':{margin}}   {' '.join(f'{each:>{cell}}' for each in below[::turn])}")
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


def outer_numbers(rules: DraughtsRules) -> tuple[list[str], list[str]]:
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
