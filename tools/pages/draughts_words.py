"""The rules of a variant of draughts in sentences, from the rule fields alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tablemen import Side
from tablemen.draughts import DraughtsRules, Kind, Position
from tablemen.draughts.board import Corner, Notation, Playable
from tablemen.draughts.rules import Criterion, Direction, KingLanding, MostValue, Promotion, Removal

# Directions that go together, and one by one where only some of them are there.
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
AHEAD = Direction.FORWARD | Direction.FORWARD_DIAGONALS

LANDINGS = {
    KingLanding.ANY: "any free square behind it",
    KingLanding.BEHIND_EACH: "the square right behind it",
    KingLanding.BEHIND_LAST: "any free square behind it, or right behind it where the capture ends there",
    KingLanding.BEHIND_LAST_KING: (
        "any free square behind it; where the last piece of the capture is a king, it stops right behind that"
    ),
}
CRITERIA = {
    Criterion.MOST_PIECES: "the one that takes most pieces",
    Criterion.MOST_KINGS: "the one that takes most kings",
    Criterion.WITH_KING: "one by a king, where there is one",
    Criterion.KINGS_FIRST: "the one that comes to kings earliest",
}
CORNERS = {
    Corner.BOTTOM_LEFT: "lower left",
    Corner.BOTTOM_RIGHT: "lower right",
    Corner.TOP_LEFT: "upper left",
    Corner.TOP_RIGHT: "upper right",
}
COUNTS = {1: "one row", 2: "two rows", 3: "three rows", 4: "four rows", 5: "five rows"}


def tell_board(rules: DraughtsRules) -> Iterator[str]:
    """The board, the men on it and who begins."""
    start = Position.start(rules)
    men = len(start.squares(Side.WHITE, Kind.MAN))
    used = len(rules.mover.squares)
    yield f"The board has {rules.columns} columns and {rules.rows} rows."
    if rules.playable is Playable.ALL:
        yield f"All {used} squares are played on."
    else:
        corner = "is one of them" if rules.corner_playable else "is not one of them"
        yield f"The {used} squares of one colour are played on; the corner at White's left hand {corner}."
    behind = f", with {_rows(rules.start_gap, 'empty')} behind them" if rules.start_gap else ""
    yield f"Each side begins with {men} men on {_rows(rules.start_rows)}{behind}."
    between = rules.rows - 2 * (rules.start_rows + rules.start_gap)
    yield f"Between them {_rows(between)} {'is' if between == 1 else 'are'} empty."
    yield f"{str(rules.first).capitalize()} moves first."


def tell_men(rules: DraughtsRules) -> Iterator[str]:
    """How men move, capture and are crowned."""
    yield f"A man moves one square {directions(rules.man_moves, 'or')}."
    jump = "it jumps over an enemy piece on the next square to the square right behind it, which must be free"
    yield f"It captures {directions(rules.man_captures)}: {jump}."
    yield from _straight_lines(rules, rules.man_moves | rules.man_captures)
    if not rules.men_capture_kings:
        yield "A man cannot capture a king."
    if rules.breakthrough:
        yield "A man that ends its move on the far row wins the game; passing over it in a capture does not count."
        return
    yield "A man that ends its move on the far row becomes a king."
    yield _crowning_in_captures(rules)


def _crowning_in_captures(rules: DraughtsRules) -> str:
    match rules.promotion:
        case Promotion.STOPS:
            return "A capture that brings it there ends there, even where a king could go on."
        case Promotion.IN_FLIGHT:
            return "One that comes there in a capture is a king at once, and captures on as one where it can."
    if rules.man_captures & ~AHEAD:
        return "One that comes there in a capture and can capture on stays a man and does so."
    return "Men capture forward alone, so a capture that comes there ends there."


def tell_kings(rules: DraughtsRules) -> Iterator[str]:
    """How kings move and capture."""
    if rules.breakthrough:
        yield "There are no kings in a game from the start; in positions that are set up they are like this."
    if rules.flying_kings:
        yield f"A king flies: it moves over any number of free squares {directions(rules.king_moves, 'or')}."
        over = "from any distance, over free squares and one enemy piece"
        yield f"It captures {directions(rules.king_captures)}, {over}, and lands on {LANDINGS[rules.king_landing]}."
        if rules.king_landing is not KingLanding.BEHIND_EACH:
            yield "Where it can capture on from some of these squares, it stops on one of those."
    else:
        yield f"A king moves one square {directions(rules.king_moves, 'or')}."
        over = "over an enemy piece on the next square to the free square right behind it"
        yield f"It captures {directions(rules.king_captures)}, {over}."
    yield from _straight_lines(rules, rules.king_moves | rules.king_captures)
    if rules.king_move_limit:
        yield (
            f"A king whose side has men makes at most {rules.king_move_limit} moves in a row without a capture; "
            "after these it may only capture, until it has done so or another piece of its side has moved."
        )


def tell_captures(rules: DraughtsRules) -> Iterator[str]:
    """What must be captured, and how captured pieces leave."""
    yield "Capturing is compulsory." if rules.capture_compulsory else "Capturing is not compulsory."
    yield "A capture goes on while the piece can capture another, and is one move."
    if rules.precedence:
        first, *others = map(criterion, rules.precedence)
        comma = "," if "," in first else ""
        rest = f"; among equals {', then '.join(others)}" if others else ""
        yield f"Of several captures {first}{comma} must be made{rest}."
    else:
        yield "Of several captures any may be made."
    if rules.removal is Removal.AT_END:
        yield (
            "Captured pieces leave the board when the capture is over. Until then they stand in the way, "
            "and none is jumped twice."
        )
    else:
        yield "A captured piece leaves the board at once, and what was behind it lies open for the rest of the capture."
        if rules.flying_kings and not rules.reverse_captures:
            yield "A king does not turn straight back between two jumps."
        elif rules.flying_kings:
            yield "A king may turn straight back between two jumps."
    yield "The square that the capturing piece came from counts as free."


def criterion(each: Criterion | MostValue) -> str:
    """A criterion of precedence, as what must be made."""
    if isinstance(each, MostValue):
        return f"the one whose pieces are worth most, {each.man} for a man and {each.king} for a king"
    return CRITERIA[each]


def tell_end(rules: DraughtsRules) -> Iterator[str]:
    """Who wins, as far as a position shows it."""
    verdict = "wins" if rules.losing else "loses"
    yield f"A side that is to move and cannot, with no pieces left or with all of them blocked, {verdict}."
    if rules.breakthrough:
        yield "The first man that ends its move on the far row wins."
    if rules.lone_piece_loses:
        yield "A side that is left with a single piece loses."
    if rules.lone_man_loses_to_king:
        yield "A single man against a king has lost."


def tell_notation(rules: DraughtsRules) -> Iterator[str]:
    """How squares and moves are written."""
    squares = rules.mover.squares
    corner = f"the {CORNERS[rules.first_square]} corner"
    match rules.notation:
        case Notation.NUMERIC:
            yield f"Squares are numbered from 1 to {len(squares)}, row by row from {corner} as White sees the board."
        case Notation.ALGEBRAIC:
            yield f"Squares have a letter for the column and a number for the row, from {corner} as White sees it."
        case Notation.ALGEBRAIC_VERTICAL:
            yield f"Squares have a letter for the row and a number for the column, from {corner} as White sees it."
    quiet, capture = example_moves(rules)
    yield f"A move is written like `{quiet}`, and a capture like `{capture}`: where it begins and where it ends."
    yield "Where two captures would be written alike, all their squares are."


def example_moves(rules: DraughtsRules) -> tuple[str, str]:
    """A first move, and the first capture that comes when the first legal move is always played."""
    position = Position.start(rules)
    first = str(position.legal_moves()[0])
    while not (move := position.legal_moves()[0]).is_capture:
        position = position.play(move)
    return first, str(move)


def directions(which: Direction, last: str = "and") -> str:
    """Directions in words."""
    if which in WHOLE:
        return WHOLE[which].format(last)
    words = []
    for group, name in GROUPS.items():
        words += [name] if group in which else [SINGLE[each] for each in which & group]
    return listed(words, last)


def listed(words: Iterable[str], last: str = "and") -> str:
    """Words with commas between them, and a word before the last."""
    *most, final = words
    return f"{', '.join(most)} {last} {final}" if most else final


def _straight_lines(rules: DraughtsRules, which: Direction) -> Iterator[str]:
    if rules.playable is Playable.ONE_COLOUR and which & Direction.ORTHOGONALS:
        yield "Along a row or a column the next square is the next one that is played on, two away."


def _rows(count: int, kind: str = "") -> str:
    words = COUNTS.get(count, f"{count} rows")
    number, _, noun = words.partition(" ")
    return f"{number} {kind} {noun}" if kind else words
