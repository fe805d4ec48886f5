"""Plain retrograde analysis of all positions of a tiny board: won, lost or drawn, and the number of plies.

The analysis starts from the positions in which the game is over. A side that can move to a lost position wins; a side
that can move only to won positions loses. All other positions are drawn. Draw rules are ignored. A limit on the number
of moves would change results; repetition would not, since the shortest win never repeats a position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import combinations, product
from typing import NamedTuple, TypeVar

from tablemen import Outcome, Side
from tablemen.draughts import DraughtsRules, Kind, Piece, Position, Square
from tablemen.draws import DrawRule
from tests.reference.convert import from_core
from tests.reference.moves import legal_moves, play
from tests.reference.outcome import outcome
from tests.reference.position import ReferencePosition

AnyPosition = TypeVar("AnyPosition", Position, ReferencePosition)

PIECES = tuple(Piece(side, kind) for side in Side for kind in Kind)


class Verdict(NamedTuple):
    """Whether the side to move wins with best play, and the number of plies to the end of the game."""

    wins: bool
    plies: int


def tiny(rules: DraughtsRules, size: int, draws: tuple[DrawRule, ...] = ()) -> DraughtsRules:
    """Return the rules on a square board of this size, with other draw rules."""
    return replace(
        rules, name=f"{rules.name} {size}x{size}", columns=size, rows=size, start_rows=1, start_gap=0, draws=draws
    )


def all_positions(rules: DraughtsRules, maximum: int) -> Iterator[Position]:
    """Yield every position with at most this number of pieces, some of each side, and no man on its far row."""
    squares = rules.mover.squares
    for count in range(2, maximum + 1):
        for places in combinations(squares, count):
            for pieces in product(PIECES, repeat=count):
                board = tuple(zip(places, pieces, strict=True))
                if len({piece.side for piece in pieces}) == 2 and not any(
                    _is_uncrowned(rules, *each) for each in board
                ):
                    yield from (_set_up(rules, turn, board) for turn in Side)


def _is_uncrowned(rules: DraughtsRules, square: Square, piece: Piece) -> bool:
    """Return whether the piece is a man on its far row, which does not occur in play."""
    return piece.kind is Kind.MAN and square.row == (0 if piece.side is Side.WHITE else rules.rows - 1)


def _set_up(rules: DraughtsRules, turn: Side, board: tuple[tuple[Square, Piece], ...]) -> Position:
    def squares(side: Side, kind: Kind) -> list[Square]:
        return [square for square, piece in board if piece == Piece(side, kind)]

    return Position(
        rules,
        turn,
        white_men=squares(Side.WHITE, Kind.MAN),
        white_kings=squares(Side.WHITE, Kind.KING),
        black_men=squares(Side.BLACK, Kind.MAN),
        black_kings=squares(Side.BLACK, Kind.KING),
    )


def analyse(positions: Iterable[Position]) -> dict[Position, Verdict | None]:
    """Return the verdicts of these positions and of all that can be reached from them; None for a draw."""

    def after_moves(position: Position) -> set[Position]:
        return {position.play(move) for move in position.legal_moves()}

    return _analyse(positions, after_moves, Position.outcome)


def analyse_reference(positions: Iterable[Position]) -> dict[ReferencePosition, Verdict | None]:
    """Return the same as `analyse`, with the moves and outcomes of the reference instead of those of the core."""

    def after_moves(position: ReferencePosition) -> set[ReferencePosition]:
        return {play(position, move) for move in legal_moves(position)}

    return _analyse(map(from_core, positions), after_moves, outcome)


def _analyse(
    positions: Iterable[AnyPosition],
    after_moves: Callable[[AnyPosition], set[AnyPosition]],
    find_outcome: Callable[[AnyPosition], Outcome | None],
) -> dict[AnyPosition, Verdict | None]:
    successors = _all_successors(list(positions), after_moves)
    predecessors: dict[AnyPosition, list[AnyPosition]] = {position: [] for position in successors}
    for position, afters in successors.items():
        for after in afters:
            predecessors[after].append(position)
    open_moves = {position: len(afters) for position, afters in successors.items()}  # that are not known to lose

    verdicts: dict[AnyPosition, Verdict | None] = dict.fromkeys(successors)
    known = []
    for position in successors:
        if (ended := find_outcome(position)) is not None:
            verdicts[position] = Verdict(ended.winner is position.turn, 0)
            known.append(position)
    plies = 0
    while known:
        plies += 1
        found = []
        for after in known:
            verdict = verdicts[after]
            assert verdict is not None
            for position in predecessors[after]:
                open_moves[position] -= verdict.wins
                if verdicts[position] is None and (not verdict.wins or not open_moves[position]):
                    verdicts[position] = Verdict(not verdict.wins, plies)
                    found.append(position)
        known = found
    return verdicts


def _all_successors(
    positions: list[AnyPosition], after_moves: Callable[[AnyPosition], set[AnyPosition]]
) -> dict[AnyPosition, set[AnyPosition]]:
    """Return all reachable positions, each with the positions after its moves."""
    successors: dict[AnyPosition, set[AnyPosition]] = {}
    while positions:
        position = positions.pop()
        if position not in successors:
            successors[position] = after_moves(position)
            positions.extend(successors[position])
    return successors
