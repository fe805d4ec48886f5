"""Positions as text diagrams, for terminals and tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tablemen._core import Position
from tablemen.draughts.board import Notation
from tablemen.draughts.rules import DraughtsRules
from tablemen.outcome import Side

UNUSED = " "  # a square that is not playable


@dataclass(frozen=True, slots=True)
class Style:
    """The characters of a diagram: one for each letter of `Position.letters`, and those of the frame."""

    symbols: Mapping[str, str]
    horizontal: str
    vertical: str
    corners: tuple[str, str, str, str]  # top left, top right, bottom left, bottom right


ASCII = Style({letter: letter for letter in "wbWB."}, "-", "|", ("+", "+", "+", "+"))
# Circles, since fixed-width fonts lack Unicode's draughts symbols, and substitutes would break the columns.
UNICODE = Style(dict(zip("wWbB.", "○◎●◉·", strict=True)), "─", "│", ("┌", "┐", "└", "┘"))


def draw(position: Position, *, orientation: Side = Side.WHITE) -> str:
    """Draw the board in ASCII, with the side to move; `orientation` is the side at the bottom.

    Men are `w` and `b`, kings `W` and `B`. The numbers of the first and last square are beside each row. An
    algebraic board has letters and digits at the edges instead.

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
    return _draw(position, ASCII, orientation)


def draw_unicode(position: Position, *, orientation: Side = Side.WHITE) -> str:
    """Draw the board like `draw`, with box-drawing characters and circles: open for White, filled for Black.

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
    if not isinstance(orientation, Side):
        raise TypeError(f"orientation must be a Side, not {orientation!r}")
    rules = position.variant
    step = 1 if orientation is Side.WHITE else -1  # the order of rows and columns
    cells = [[UNUSED] * rules.columns for _ in range(rules.rows)]
    for square, letter in zip(rules.mover.squares, position.letters(), strict=True):
        cells[square.row][square.column] = style.symbols[letter]
    left, below = edge_labels(rules)
    right = [""] * rules.rows
    if rules.notation is Notation.NUMERIC:
        left, right = outer_numbers(rules)[::step]
    width = max(1, *map(len, below))  # of a cell
    margin = max(map(len, left))
    edge = style.horizontal * (rules.columns * (width + 1) + 1)
    top, bottom = (f"{'':{margin}} {start}{edge}{end}" for start, end in (style.corners[:2], style.corners[2:]))
    lines = [top]
    for label, row, right_label in list(zip(left, cells, right, strict=True))[::step]:
        inside = " ".join(f"{cell:>{width}}" for cell in row[::step])
        framed = f"{style.vertical} {inside} {style.vertical}"
        lines.append(f"{label:>{margin}} {framed} {right_label:>{margin}}".rstrip())
    lines.append(bottom)
    if any(below):
        lines.append(f"{'':{margin}}   {' '.join(f'{label:>{width}}' for label in below[::step])}")
    return "\n".join([*lines, _describe_turn(position)])


def edge_labels(rules: DraughtsRules) -> tuple[list[str], list[str]]:
    """Return the labels of the rows and columns of an algebraic board; on a numeric board they are empty."""
    rows, columns = [""] * rules.rows, [""] * rules.columns
    if rules.notation is not Notation.NUMERIC:
        for square in rules.mover.squares:
            letter, digits = square.name[0], square.name[1:]
            is_lettered_column = rules.notation is Notation.ALGEBRAIC
            rows[square.row], columns[square.column] = (digits, letter) if is_lettered_column else (letter, digits)
    return rows, columns


def outer_numbers(rules: DraughtsRules) -> tuple[list[str], list[str]]:
    """Return the numbers of the first and of the last square of each row."""
    by_row: list[list[str]] = [[] for _ in range(rules.rows)]
    for square in rules.mover.squares:
        by_row[square.row].append(square.name)
    return [names[0] for names in by_row], [names[-1] for names in by_row]


def _describe_turn(position: Position) -> str:
    """Name the side to move, and the number of quiet moves in a row of kings if the rules limit it."""
    runs = [
        f"{side.name.capitalize()}'s king on {square} has made {count} quiet move{'s' if count > 1 else ''} in a row"
        for side, (square, count) in sorted(position.king_runs.items(), key=lambda item: item[0] is Side.BLACK)
    ]
    return "; ".join([f"{position.turn.name.capitalize()} to move", *runs])
