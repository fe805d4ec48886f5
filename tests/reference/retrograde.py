"""Plain retrograde analysis: every position of a tiny board, won, lost or drawn, and in how many plies.

It goes back from the positions where the game is over: who can move to a lost position has won, and who can move to
won ones only has lost. What is never reached in this way is drawn. Draw rules are not looked at. A count of moves would
change verdicts; repetition changes none: who goes the shortest way to the win comes to no position twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations, product
from typing import NamedTuple

from tablemen import Side
from tablemen.draughts import DraughtsRules, Kind, Piece, Position, Square
from tablemen.draws import DrawRule

PIECES = tuple(Piece(side, kind) for side in Side for kind in Kind)


class Verdict(NamedTuple):
    """What the side to move gets with best play, and how many plies are left to the end of the game."""

    wins: bool
    plies: int


def tiny(rules: DraughtsRules, size: int, draws: tuple[DrawRule, ...] = ()) -> DraughtsRules:
    """The rules on a board of so many rows and columns, with other draw rules than their own."""
    return replace(
        rules, name=f"{rules.name} {size}x{size}", columns=size, rows=size, start_rows=1, start_gap=0, draws=draws
    )


def all_positions(rules: DraughtsRules, most: int) -> Iterator[Position]:
    """Every position with at most so many pieces of which both sides have some; no man stands on its far row."""
    squares = rules.mover.squares
    for count in range(2, most + 1):
        for places in combinations(squares, count):
            for pieces in product(PIECES, repeat=count):
                board = tuple(zip(places, pieces, strict=True))
                if len({piece.side for piece in pieces}) == 2 and not any(_is_odd(rules, *each) for each in board):
                    yield from (_set_up(rules, turn, board) for turn in Side)


def _is_odd(rules: DraughtsRules, square: Square, piece: Piece) -> bool:
    """Whether it is a man on its far row, where no man can stand when a move is over."""
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
    """These positions and all that can come of them, each with its verdict; None where it is drawn."""
    successors = _all_successors(list(positions))
    predecessors: dict[Position, list[Position]] = {position: [] for position in successors}
    for position, afters in successors.items():
        for after in afters:
            predecessors[after].append(position)
    ways = {position: len(afters) for position, afters in successors.items()}  # that are not known to lose yet

    verdicts: dict[Position, Verdict | None] = dict.fromkeys(successors)
    known = []
    for position in successors:
        if (outcome := position.outcome()) is not None:
            verdicts[position] = Verdict(outcome.winner is position.turn, 0)
            known.append(position)
    plies = 0
    while known:
        plies += 1
        found = []
        for after in known:
            verdict = verdicts[after]
            assert verdict is not None
            for position in predecessors[after]:
                ways[position] -= verdict.wins
                if verdicts[position] is None and (not verdict.wins or not ways[position]):
                    verdicts[position] = Verdict(not verdict.wins, plies)
                    found.append(position)
        known = found
    return verdicts


def _all_successors(positions: list[Position]) -> dict[Position, tuple[Position, ...]]:
    """What can be reached from these positions, each with the positions after its moves."""
    successors: dict[Position, tuple[Position, ...]] = {}
    while positions:
        position = positions.pop()
        if position not in successors:
            successors[position] = tuple({position.play(move) for move in position.legal_moves()})
            positions.extend(successors[position])
    return successors
