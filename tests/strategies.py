"""Hypothesis strategies for draughts: known and custom rules, and positions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from random import Random
from string import ascii_lowercase
from typing import TYPE_CHECKING, TypeAlias

from hypothesis import strategies as st

from tablemen import Side
from tablemen.draughts import INTERNATIONAL, VARIANTS, DraughtsRules, Kind, Piece, Position, Square
from tablemen.draughts.board import Corner, Notation, Playable
from tablemen.draughts.rules import Criterion, Direction, KingLanding, MostValue, Promotion, Removal

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

SIZES = st.one_of(st.integers(4, 12), st.integers(4, 32))  # numbers of rows and columns, mostly realistic ones
SEEDS = st.integers(0, 2**32 - 1)
MAX_PLIES = 120  # of a random game

OFTEN = st.sampled_from((True,) * 5 + (False,))
SELDOM = st.sampled_from((False,) * 5 + (True,))
EITHER = st.booleans()
SIDES = (Side.WHITE, Side.BLACK)
FORWARD_DIRECTIONS = (Direction.FORWARD, Direction.FORWARD_LEFT, Direction.FORWARD_RIGHT)

Board: TypeAlias = dict[Square, Piece]
Edit: TypeAlias = Callable[[Random, Sequence[Square], Side], Board]  # from the squares and the side to move


def variants() -> SearchStrategy[DraughtsRules]:
    """Return a strategy for the known variants."""
    return by_name(VARIANTS.values())


def by_name(rules: Iterable[DraughtsRules]) -> SearchStrategy[DraughtsRules]:
    """Return a strategy for these rules that samples their names, so that its repr is short."""
    named = {each.name: each for each in rules}
    return st.sampled_from(list(named)).map(lambda name: named[name])


def _directions() -> SearchStrategy[Direction]:
    usual = (Direction.FORWARD_DIAGONALS, Direction.DIAGONALS, Direction.ORTHOGONALS, Direction.ALL)
    any_set = st.integers(1, Direction.ALL.value).map(Direction)
    return st.one_of(st.sampled_from(usual), st.sampled_from(usual), any_set)


def _precedences() -> SearchStrategy[tuple[Criterion | MostValue, ...]]:
    values = st.builds(MostValue, man=st.integers(1, 3), king=st.integers(1, 3))
    others = (Criterion.MOST_PIECES, Criterion.MOST_KINGS, Criterion.WITH_KING)
    one = st.one_of(st.sampled_from(others), values)
    some = st.lists(one, max_size=3, unique_by=lambda each: MostValue if isinstance(each, MostValue) else each)
    last = st.sampled_from(((), (Criterion.KINGS_FIRST,)))
    return st.tuples(some, last).map(lambda parts: (*parts[0], *parts[1]))


# These strategies are created once, since creating them takes longer than drawing from them.
DIRECTIONS = _directions()  # any set; the realistic ones are more frequent
PRECEDENCES = _precedences()  # any criteria in any order, but KINGS_FIRST only at the end
FORWARD, REMOVALS, PROMOTIONS = (
    st.sampled_from(FORWARD_DIRECTIONS),
    st.sampled_from(Removal),
    st.sampled_from(Promotion),
)
LANDINGS, MOVE_LIMITS = st.sampled_from(KingLanding), st.sampled_from((0, 0, 1, 3))
GAPS, FEWER_ROWS = st.integers(0, 1), st.integers(0, 2)
PLAYABLE, CORNERS, TURNS = st.sampled_from(Playable), st.sampled_from(Corner), st.sampled_from(SIDES)
NOTATIONS, NUMBERS = st.sampled_from(Notation), st.just(Notation.NUMERIC)
DRAWS = st.sampled_from(list(VARIANTS)).map(lambda name: VARIANTS[name].draws)


@st.composite
def custom_rules(draw: DrawFn) -> DraughtsRules:
    """Generate custom rules: anything that `DraughtsRules` allows, on any board, with any notation."""
    flying, removal = draw(OFTEN), draw(REMOVALS)
    losing = draw(SELDOM)
    columns, rows = draw(SIZES), draw(SIZES)
    gap = draw(GAPS)
    return replace(
        INTERNATIONAL,
        name="custom",
        columns=columns,
        rows=rows,
        playable=draw(PLAYABLE),
        corner_playable=draw(EITHER),
        start_gap=gap,
        start_rows=max(1, rows // 2 - gap - draw(FEWER_ROWS)),
        first=draw(TURNS),
        notation=draw(NOTATIONS if max(columns, rows) <= len(ascii_lowercase) else NUMBERS),
        first_square=draw(CORNERS),
        man_moves=draw(FORWARD) | draw(DIRECTIONS),
        man_captures=draw(DIRECTIONS),
        men_capture_kings=draw(EITHER),
        promotion=draw(PROMOTIONS),
        flying_kings=flying,
        king_moves=draw(DIRECTIONS),
        king_captures=draw(DIRECTIONS),
        king_landing=draw(LANDINGS) if flying else KingLanding.ANY,
        king_move_limit=draw(MOVE_LIMITS),
        capture_compulsory=draw(OFTEN),
        precedence=draw(PRECEDENCES),
        removal=removal,
        reverse_captures=flying and removal is Removal.AT_ONCE and draw(EITHER),
        losing=losing,
        breakthrough=not losing and draw(SELDOM),
        lone_piece_loses=draw(SELDOM),
        lone_man_loses_to_king=draw(SELDOM),
        draws=draw(DRAWS),
    )


def rule_sets() -> SearchStrategy[DraughtsRules]:
    """Return a strategy for known variants and custom rules."""
    return st.one_of(variants(), custom_rules())


@st.composite
def played_positions(draw: DrawFn, rules: SearchStrategy[DraughtsRules]) -> Position:
    """Generate positions of random games."""
    chosen = draw(rules)
    chance = Random(draw(SEEDS))
    start = Position.start(chosen)
    men = {square: Piece(side, Kind.MAN) for side in SIDES for square in start.squares(side, Kind.MAN)}
    game = [_set_up(chosen, start.turn, _thin_out(chance, chosen, men))]
    while len(game) <= MAX_PLIES and (moves := game[-1].legal_moves()):
        after = game[-1].play(chance.choice(moves))
        if is_too_crowded(after):
            break
        game.append(after)
    return chance.choice(game)


def few_pieces(chance: Random, squares: Sequence[Square], turn: Side) -> Board:
    """Place at most six pieces of any kind."""
    return _scatter(chance, _area(chance, squares), chance.choice((0, 1, 2, 2, 3, 3, 4, 4, 5, 6)), kings=0.5)


def half_full(chance: Random, squares: Sequence[Square], turn: Side) -> Board:
    """Place pieces on a fifth to a half of the squares."""
    area = _area(chance, squares)
    return _scatter(chance, area, round(len(area) * chance.uniform(0.2, 0.5)), kings=0.2)


def crowded(chance: Random, squares: Sequence[Square], turn: Side) -> Board:
    """Place pieces, mostly men, on more than half of the squares."""
    area = _area(chance, squares)
    return _scatter(chance, area, round(len(area) * chance.uniform(0.5, 0.9)), kings=0.1)


def kings_only(chance: Random, squares: Sequence[Square], turn: Side) -> Board:
    """Place two to eight kings."""
    return _scatter(chance, _area(chance, squares), chance.randint(2, 8), kings=1)


def long_captures(chance: Random, squares: Sequence[Square], turn: Side) -> Board:
    """Place a few pieces of the side to move, and many opponents with free squares between them."""
    return _place_spaced(chance, _area(chance, squares), turn, kings=0.6)


def short_captures(chance: Random, squares: Sequence[Square], turn: Side) -> Board:
    """Place a few pieces of the side to move on every second row and column, and many opponents between them."""
    area = _area(chance, squares)
    corner = chance.choice(area)
    spaced = _spaced(area, corner.row, corner.column)
    between = [square for square in area if square not in spaced]
    count, their_kings = round(len(between) * chance.uniform(0.1, 0.6)), chance.choice((0.0, 0.5, 1.0))
    board = _scatter(chance, between, count, kings=their_kings, sides=(turn.opponent,))
    return board | _scatter(chance, spaced, chance.randint(1, 4), kings=0.5, sides=(turn,))


def crowning_captures(chance: Random, squares: Sequence[Square], turn: Side) -> Board:
    """Place a few men of the side to move near their far row, and many opponents with free squares between them."""
    far_row = (squares[0] if turn is Side.WHITE else squares[-1]).row
    near = [square for square in squares if abs(square.row - far_row) <= 1]
    return _place_spaced(chance, _area(chance, squares, near), turn, kings=0.1)


def _area(chance: Random, squares: Sequence[Square], centres: Sequence[Square] | None = None) -> list[Square]:
    """Return the squares around one of the centres: all over a large board, pieces would never meet."""
    centre, reach = chance.choice(centres or squares), chance.choice((3, 4, 5))
    return [
        square
        for square in squares
        if abs(square.row - centre.row) <= reach and abs(square.column - centre.column) <= reach
    ]


def _place_spaced(chance: Random, squares: list[Square], turn: Side, *, kings: float) -> Board:
    """Place one to three pieces of the side to move, and opponents on every second row and column.

    `kings` is the share of kings among the pieces of the side to move.
    """
    spaced = _spaced(squares, chance.randrange(2), chance.randrange(2))
    others = [square for square in squares if square not in spaced]
    count, their_kings = round(len(spaced) * chance.uniform(0.4, 0.9)), chance.choice((0.0, 0.5, 1.0))
    board = _scatter(chance, spaced, count, kings=their_kings, sides=(turn.opponent,))
    return board | _scatter(chance, others, chance.randint(1, 3), kings=kings, sides=(turn,))


def _spaced(squares: list[Square], row: int, column: int) -> list[Square]:
    """Return the squares on every second row and column, counted from these."""
    return [square for square in squares if (square.row - row) % 2 == (square.column - column) % 2 == 0]


def _scatter(
    chance: Random, squares: list[Square], count: int, *, kings: float, sides: tuple[Side, ...] = SIDES
) -> Board:
    """Place this number of pieces on random squares; `kings` is the share of kings."""
    taken = chance.sample(squares, min(count, len(squares)))
    return {square: Piece(chance.choice(sides), Kind.KING if chance.random() < kings else Kind.MAN) for square in taken}


EDITS: tuple[Edit, ...] = (few_pieces, half_full, crowded, kings_only, long_captures, crowning_captures)


@st.composite
def edited_positions(draw: DrawFn, rules: SearchStrategy[DraughtsRules], edits: Sequence[Edit] = EDITS) -> Position:
    """Generate positions that need not occur in a game: few pieces or many, men or kings, also men on the far row."""
    chosen, turn = draw(rules), draw(TURNS)
    chance = Random(draw(SEEDS))
    board = _thin_out(chance, chosen, chance.choice(edits)(chance, chosen.mover.squares, turn))
    runs = {}
    for side in SIDES if chosen.king_move_limit else ():
        kings, moves = _find_squares(board, Piece(side, Kind.KING)), chance.randint(0, chosen.king_move_limit)
        if kings and moves and _find_squares(board, Piece(side, Kind.MAN)):
            runs[side] = (chance.choice(kings), moves)
    return _set_up(chosen, turn, board, runs)


def _set_up(
    rules: DraughtsRules, turn: Side, board: Board, king_runs: dict[Side, tuple[Square, int]] | None = None
) -> Position:
    return Position(
        rules,
        turn,
        white_men=_find_squares(board, Piece(Side.WHITE, Kind.MAN)),
        white_kings=_find_squares(board, Piece(Side.WHITE, Kind.KING)),
        black_men=_find_squares(board, Piece(Side.BLACK, Kind.MAN)),
        black_kings=_find_squares(board, Piece(Side.BLACK, Kind.KING)),
        king_runs=king_runs,
    )


def _find_squares(board: Board, piece: Piece) -> list[Square]:
    return [square for square, other in board.items() if other == piece]


def is_too_crowded(position: Position) -> bool:
    """Return whether a side may have too many captures to list."""

    def count(side: Side) -> int:
        return sum(len(position.squares(side, kind)) for kind in Kind)

    return any(
        count(side.opponent) > _max_opponents(position.variant, has_king=bool(position.squares(side, Kind.KING)))
        for side in SIDES
    )


def _thin_out(chance: Random, rules: DraughtsRules, board: Board) -> Board:
    """Remove random pieces until neither side has too many captures to list."""
    board = dict(board)
    for side in SIDES:
        opponents = [square for square, piece in board.items() if piece.side is side.opponent]
        maximum = _max_opponents(rules, has_king=bool(_find_squares(board, Piece(side, Kind.KING))))
        for square in chance.sample(opponents, max(0, len(opponents) - maximum)):
            del board[square]
    return board


def _max_opponents(rules: DraughtsRules, *, has_king: bool) -> int:
    """Return the maximum number of opponents of a side in generated positions.

    Among more of them, a flying king can have more captures than fit into memory, especially if their order matters.
    Under the known variants, generated positions have at most some hundreds of captures.
    """
    may_fly = rules.flying_kings and (has_king or rules.promotion is Promotion.IN_FLIGHT)
    if not may_fly or VARIANTS.get(rules.name) == rules:
        return rules.columns * rules.rows
    return 7 if Criterion.KINGS_FIRST in rules.precedence else 10


def positions(rules: SearchStrategy[DraughtsRules] | None = None) -> SearchStrategy[Position]:
    """Return a strategy for played and edited positions, under the given rules or under any."""
    rules = rule_sets() if rules is None else rules
    return st.one_of(played_positions(rules), edited_positions(rules))
