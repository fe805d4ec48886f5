"""What hypothesis draws: rules, known and of one's own, and positions under them.

>>> from hypothesis import given
>>> @given(positions())
... def test_something(position: Position) -> None: ...
"""

from __future__ import annotations

import operator
import random
from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING, NamedTuple

from hypothesis import strategies as st

from tablemen import Side
from tablemen.draughts import INTERNATIONAL, VARIANTS, DraughtsRules, Kind, Piece, Position, Square
from tablemen.draughts.numbering import Corner, Notation, Playable
from tablemen.draughts.rules import Criterion, Direction, KingLanding, MostValue, Promotion, Removal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hypothesis.strategies import DrawFn, SearchStrategy

SIZES = st.one_of(st.integers(4, 12), st.integers(4, 32))  # of a board's sides; mostly those that people play on
WINDOWS = (6, 10, 32)  # edited pieces stand within so many rows and columns: far apart they would never meet
LONGEST_GAME = 120  # plies of random play

SIDES = (Side.WHITE, Side.BLACK)
FLAGS = tuple(Direction)
AHEAD = (Direction.FORWARD, Direction.FORWARD_LEFT, Direction.FORWARD_RIGHT)


class Crowd(NamedTuple):
    """How many pieces an edited board has, and of which kinds."""

    fewest: int
    most: int
    kinds: tuple[Kind, ...]


# Many kings among many pieces make more captures than anybody can list.
CROWDS = (
    Crowd(0, 6, (Kind.MAN, Kind.KING)),
    Crowd(4, 16, (Kind.MAN, Kind.MAN, Kind.MAN, Kind.KING)),
    Crowd(12, 32, (Kind.MAN,) * 8 + (Kind.KING,)),
    Crowd(2, 8, (Kind.KING,)),
)


def variants() -> SearchStrategy[DraughtsRules]:
    """The known variants."""
    return st.sampled_from(tuple(VARIANTS.values()))


@st.composite
def custom_rules(draw: DrawFn) -> DraughtsRules:
    """Rule sets of one's own: anything that `DraughtsRules` allows."""
    rules = replace(
        INTERNATIONAL,
        name="custom",
        man_moves=draw(st.sampled_from(AHEAD)) | draw(directions()),
        man_captures=draw(directions()),
        men_capture_kings=draw(st.booleans()),
        promotion=draw(st.sampled_from(Promotion)),
        king_moves=draw(directions()),
        king_captures=draw(directions()),
        king_move_limit=draw(st.sampled_from((0, 0, 1, 3))),
        capture_compulsory=draw(st.sampled_from((True, True, False))),
        precedence=draw(precedences()),
        removal=draw(st.sampled_from(Removal)),
        lone_piece_loses=draw(st.sampled_from((False, False, False, True))),
        lone_man_loses_to_king=draw(st.sampled_from((False, False, False, True))),
    )
    ending = draw(st.sampled_from(({}, {}, {"losing": True}, {"breakthrough": True})))
    return replace(rules, **draw(boards()), **draw(king_reach(rules.removal)), **ending)


def directions() -> SearchStrategy[Direction]:
    """Any set of directions; those that a variant might have come more often."""
    usual = (Direction.FORWARD_DIAGONALS, Direction.DIAGONALS, Direction.ORTHOGONALS, Direction.ALL)
    any_set = st.sets(st.sampled_from(FLAGS), min_size=1).map(_union)
    return st.one_of(st.sampled_from(usual), any_set)


def precedences() -> SearchStrategy[tuple[Criterion | MostValue, ...]]:
    """Any criteria in any order, except that KINGS_FIRST comes last."""
    values = st.builds(MostValue, man=st.integers(1, 3), king=st.integers(1, 3))
    others = (Criterion.MOST_PIECES, Criterion.MOST_KINGS, Criterion.WITH_KING)
    one = st.one_of(st.sampled_from(others), values)
    some = st.lists(one, max_size=3, unique_by=lambda each: MostValue if isinstance(each, MostValue) else each)
    last = st.sampled_from(((), (Criterion.KINGS_FIRST,)))
    return st.tuples(some, last).map(lambda parts: (*parts[0], *parts[1]))


@st.composite
def boards(draw: DrawFn) -> dict[str, object]:
    """The fields that say what the board is like, how its squares are called and where the men start."""
    columns, rows = draw(SIZES), draw(SIZES)
    gap = draw(st.integers(0, 1))
    notation = draw(st.sampled_from(Notation))
    return {
        "columns": columns,
        "rows": rows,
        "playable": draw(st.sampled_from(Playable)),
        "corner_playable": draw(st.booleans()),
        "start_gap": gap,
        "start_rows": draw(st.integers(1, min(4, rows // 2 - gap))),
        "first": draw(st.sampled_from(SIDES)),
        "notation": notation if max(columns, rows) <= 26 else Notation.NUMERIC,
        "first_square": draw(st.sampled_from(Corner)),
    }


@st.composite
def king_reach(draw: DrawFn, removal: Removal) -> dict[str, object]:
    """The fields that only some kings can have: flying ones, and those that turn back over removed pieces."""
    if not draw(st.sampled_from((True, True, False))):
        return {"flying_kings": False}
    reverse = draw(st.booleans()) if removal is Removal.AT_ONCE else False
    return {"flying_kings": True, "king_landing": draw(st.sampled_from(KingLanding)), "reverse_captures": reverse}


def rule_sets() -> SearchStrategy[DraughtsRules]:
    """Known variants and rule sets of one's own."""
    return st.one_of(variants(), custom_rules())


@st.composite
def played_positions(draw: DrawFn, rules: SearchStrategy[DraughtsRules]) -> Position:
    """Positions reached from the start by random moves."""
    position = Position.start(draw(rules))
    chance = random.Random(draw(st.integers(0, 2**32 - 1)))
    for _ in range(draw(st.integers(0, LONGEST_GAME))):
        moves = position.legal_moves()
        if not moves:
            break
        position = position.play(chance.choice(moves))
    return position


@st.composite
def edited_positions(draw: DrawFn, rules: SearchStrategy[DraughtsRules]) -> Position:
    """Positions that no game need lead to: few pieces or many, men or kings, men on the far row too."""
    chosen = draw(rules)
    squares = draw(windows(chosen))
    crowd = draw(st.sampled_from(CROWDS))
    count = min(len(squares), draw(st.integers(crowd.fewest, crowd.most)))
    taken = draw(st.lists(st.sampled_from(squares), min_size=count, max_size=count, unique=True))
    board = {square: Piece(draw(st.sampled_from(SIDES)), draw(st.sampled_from(crowd.kinds))) for square in taken}
    return Position(
        chosen,
        draw(st.sampled_from(SIDES)),
        white_men=_squares(board, Side.WHITE, Kind.MAN),
        white_kings=_squares(board, Side.WHITE, Kind.KING),
        black_men=_squares(board, Side.BLACK, Kind.MAN),
        black_kings=_squares(board, Side.BLACK, Kind.KING),
        king_runs=draw(king_runs(chosen, board)),
    )


def positions(rules: SearchStrategy[DraughtsRules] | None = None) -> SearchStrategy[Position]:
    """Positions by play and edited ones, under the given rules or under any."""
    rules = rule_sets() if rules is None else rules
    return st.one_of(played_positions(rules), edited_positions(rules))


@st.composite
def windows(draw: DrawFn, rules: DraughtsRules) -> list[Square]:
    """The squares of a part of the board, or all of them."""
    size = draw(st.sampled_from(WINDOWS))
    top = draw(st.integers(0, max(0, rules.rows - size)))
    left = draw(st.integers(0, max(0, rules.columns - size)))
    rows, columns = range(top, top + size), range(left, left + size)
    return [square for square in rules.mover.squares if square.row in rows and square.column in columns]


@st.composite
def king_runs(draw: DrawFn, rules: DraughtsRules, board: dict[Square, Piece]) -> dict[Side, tuple[Square, int]]:
    """Quiet moves that a king of each side has made, where the rules count them and the side has a man."""
    runs = {}
    for side in SIDES if rules.king_move_limit else ():
        kings = _squares(board, side, Kind.KING)
        moves = draw(st.integers(0, rules.king_move_limit))
        if kings and moves and _squares(board, side, Kind.MAN):
            runs[side] = (draw(st.sampled_from(kings)), moves)
    return runs


def _squares(board: dict[Square, Piece], side: Side, kind: Kind) -> list[Square]:
    return [square for square, piece in board.items() if piece == Piece(side, kind)]


def _union(flags: Iterable[Direction]) -> Direction:
    return reduce(operator.or_, flags)
