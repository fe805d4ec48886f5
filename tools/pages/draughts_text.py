"""Descriptions of the rules of draughts variants, generated from the rule fields."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tablemen import Side
from tablemen.draughts import DraughtsRules, Kind, Position
from tablemen.draughts.board import Corner, Notation, Playable
from tablemen.draughts.rules import Criterion, Direction, KingLanding, MostValue, Promotion, Removal

# Pairs of directions with one name; `SINGLE` has the names of single directions.
GROUPS = {
    Direction.FORWARD: "straight forward",
    Direction.FORWARD_DIAGONALS: "diagonally forward",
    Direction.SIDEWAYS: "sideways",
    Direction.BACKWARD: "straight backward",
    Direction.BACKWARD_DIAGONALS: "diagonally backward",
}
SINGLE = {
    Direction.FORWARD_LEFT: "diagonally forward to the left",
    Direction.FORWARD_RIGHT: "diagonally forward to the right",
    Direction.LEFT: "to the left",
    Direction.RIGHT: "to the right",
    Direction.BACKWARD_LEFT: "diagonally backward to the left",
    Direction.BACKWARD_RIGHT: "diagonally backward to the right",
}
WHOLE = {
    Direction.ALL: "in all eight directions",
    Direction.DIAGONALS: "diagonally, forward {} backward",
    Direction.ORTHOGONALS: "along rows {} columns",
}
FORWARD_DIRECTIONS = Direction.FORWARD | Direction.FORWARD_DIAGONALS

LANDINGS = {
    KingLanding.ANY: "any free square behind it",
    KingLanding.BEHIND_EACH: "the square right behind it",
    KingLanding.BEHIND_LAST: "any free square behind it; after the last piece, on the square right behind it",
    KingLanding.BEHIND_LAST_KING: (
        "any free square behind it; if the last captured piece is a king, on the square right behind that king"
    ),
}
CRITERIA = {
    Criterion.MOST_PIECES: "one that takes the most pieces",
    Criterion.MOST_KINGS: "one that takes the most kings",
    Criterion.WITH_KING: "one with a king, if possible",
    Criterion.KINGS_FIRST: "one that takes kings as early as possible",
}
CORNERS = {
    Corner.BOTTOM_LEFT: "lower left",
    Corner.BOTTOM_RIGHT: "lower right",
    Corner.TOP_LEFT: "upper left",
    Corner.TOP_RIGHT: "upper right",
}
COUNTS = {1: "one row", 2: "two rows", 3: "three rows", 4: "four rows", 5: "five rows"}


def describe_board(rules: DraughtsRules) -> Iterator[str]:
    """Describe the board, the initial men and the side that moves first."""
    start = Position.start(rules)
    men = len(start.squares(Side.WHITE, Kind.MAN))
    used = len(rules.mover.squares)
    yield f"The board has {rules.columns} columns and {rules.rows} rows."
    if rules.playable is Playable.ALL:
        yield f"All {used} squares are used."
    else:
        corner = "is one of them" if rules.corner_playable else "is not one of them"
        yield f"Only the {used} squares of one colour are used; the corner on White's left {corner}."
    behind = f", with {_rows(rules.start_gap, 'empty')} behind them" if rules.start_gap else ""
    yield f"Each side starts with {men} men on {_rows(rules.start_rows)}{behind}."
    between = rules.rows - 2 * (rules.start_rows + rules.start_gap)
    yield f"The {_rows(between, 'middle').removeprefix('one ')} {'is' if between == 1 else 'are'} empty."
    yield f"{str(rules.first).capitalize()} moves first."


def describe_men(rules: DraughtsRules) -> Iterator[str]:
    """Describe how men move, capture and are crowned."""
    yield f"A man moves one square {join_directions(rules.man_moves, 'or')}."
    jump = "it jumps over an adjacent enemy piece to the square right behind it, which must be free"
    yield f"It captures {join_directions(rules.man_captures)}: {jump}."
    yield from _describe_orthogonals(rules, rules.man_moves | rules.man_captures)
    if not rules.men_capture_kings:
        yield "A man cannot capture a king."
    if rules.breakthrough:
        yield "A man that ends its move on the far row wins the game; crossing the row during a capture does not count."
        return
    yield "A man that ends its move on the far row becomes a king."
    yield _describe_promotion(rules)


def _describe_promotion(rules: DraughtsRules) -> str:
    match rules.promotion:
        case Promotion.STOPS:
            return "If a capture reaches the far row, it ends there, even if a king could continue."
        case Promotion.IN_FLIGHT:
            return (
                "If a capture reaches the far row, the man becomes a king at once, and continues as a king if it can."
            )
    if rules.man_captures & ~FORWARD_DIRECTIONS:
        return "If a capture reaches the far row and can continue, the piece continues and remains a man."
    return "Because men capture only forward, a capture that reaches the far row ends there."


def describe_kings(rules: DraughtsRules) -> Iterator[str]:
    """Describe how kings move and capture."""
    if rules.breakthrough:
        yield "There are no kings in normal games. In positions with kings, these rules apply."
    if rules.flying_kings:
        moves = join_directions(rules.king_moves, "or")
        yield f"Kings are flying kings: a king moves any number of free squares {moves}."
        jump = "it jumps over an enemy piece at any distance, if all squares between them are free"
        landing = LANDINGS[rules.king_landing]
        yield f"It captures {join_directions(rules.king_captures)}: {jump}, and lands on {landing}."
        if rules.king_landing is not KingLanding.BEHIND_EACH:
            yield "If it can continue the capture from some of the landing squares, it must choose one of them."
    else:
        yield f"A king moves one square {join_directions(rules.king_moves, 'or')}."
        jump = "it jumps over an adjacent enemy piece to the free square right behind it"
        yield f"It captures {join_directions(rules.king_captures)}: {jump}."
    yield from _describe_orthogonals(rules, rules.king_moves | rules.king_captures)
    if rules.king_move_limit:
        yield (
            f"While its side has men, a king can make at most {rules.king_move_limit} moves in a row without a "
            "capture. It can then only capture, until it has captured or another piece of its side has moved."
        )


def describe_captures(rules: DraughtsRules) -> Iterator[str]:
    """Describe which captures are compulsory, and when captured pieces are removed."""
    yield "Capturing is compulsory." if rules.capture_compulsory else "Capturing is not compulsory."
    yield "A capture continues as long as the piece can capture another one; all its jumps are one move."
    if rules.precedence:
        first, *others = map(describe_criterion, rules.precedence)
        rest = f"; among those, {'; then '.join(others)}" if others else ""
        yield f"If there are several captures, the player must choose {first}{rest}."
    else:
        yield "If there are several captures, the player can choose any of them."
    if rules.removal is Removal.AT_END:
        yield (
            "Captured pieces are removed when the capture is over. Until then they block their squares, "
            "and no piece can be jumped twice."
        )
    else:
        yield "A captured piece is removed at once, so its square is free for the rest of the capture."
        if rules.flying_kings and not rules.reverse_captures:
            yield "A king cannot reverse its direction between two jumps."
        elif rules.flying_kings:
            yield "A king can reverse its direction between two jumps."
    yield "The square where the capturing piece started counts as free."


def describe_criterion(each: Criterion | MostValue) -> str:
    """Describe a criterion of precedence."""
    if isinstance(each, MostValue):
        return f"one with the highest total value (a man counts {each.man}, a king {each.king})"
    return CRITERIA[each]


def describe_end(rules: DraughtsRules) -> Iterator[str]:
    """Describe the endings that depend only on the position."""
    verdict = "wins" if rules.losing else "loses"
    yield f"A player who cannot move, because no pieces are left or all are blocked, {verdict}."
    if rules.breakthrough:
        yield "The first man that ends its move on the far row wins."
    if rules.lone_piece_loses:
        yield "A side with only one piece left loses."
    if rules.lone_man_loses_to_king:
        yield "A side with a single man loses against a king."


def describe_notation(rules: DraughtsRules) -> Iterator[str]:
    """Describe how squares and moves are written."""
    squares = rules.mover.squares
    corner = f"the {CORNERS[rules.first_square]} corner"
    match rules.notation:
        case Notation.NUMERIC:
            yield f"Squares are numbered from 1 to {len(squares)}, row by row from {corner} as seen by White."
        case Notation.ALGEBRAIC:
            yield f"Squares have a letter for the column and a number for the row, from {corner} as seen by White."
        case Notation.ALGEBRAIC_VERTICAL:
            yield f"Squares have a letter for the row and a number for the column, from {corner} as seen by White."
    quiet, capture = example_moves(rules)
    yield f"A move is written as its first and last square, such as `{quiet}`, and a capture such as `{capture}`."
    yield "If that is ambiguous, a capture is written with all its squares."


def example_moves(rules: DraughtsRules) -> tuple[str, str]:
    """Return the first legal move, and the first capture if the first legal move is always played."""
    position = Position.start(rules)
    first = str(position.legal_moves()[0])
    while not (move := position.legal_moves()[0]).is_capture:
        position = position.play(move)
    return first, str(move)


def join_directions(which: Direction, last: str = "and") -> str:
    """Return the directions as text."""
    if which in WHOLE:
        return WHOLE[which].format(last)
    words = []
    for group, name in GROUPS.items():
        words += [name] if group in which else [SINGLE[each] for each in which & group]
    return join_words(words, last)


def join_words(words: Iterable[str], last: str = "and") -> str:
    """Join words with commas, and the last one with a conjunction."""
    *others, final = words
    return f"{', '.join(others)} {last} {final}" if others else final


def _describe_orthogonals(rules: DraughtsRules, which: Direction) -> Iterator[str]:
    if rules.playable is Playable.ONE_COLOUR and which & Direction.ORTHOGONALS:
        yield "Along rows and columns, only squares in use count: the next one is two squares away."


def _rows(count: int, kind: str = "") -> str:
    words = COUNTS.get(count, f"{count} rows")
    number, _, noun = words.partition(" ")
    return f"{number} {kind} {noun}" if kind else words
