"""Games with random actions, played beside an adapter by `Game` and `ActionEncoding` alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tablemen import ArgumentError, Game, Outcome, Side
from tablemen import draughts as dr
from tablemen import mancala as ma
from tablemen.actions import ActionEncoding
from tablemen.draughts.rules import Promotion, Removal
from tablemen.family import get_family

SIDES = (Side.WHITE, Side.BLACK)
# Every family, every encoding, extra turns, a swap of sides, claimed draws, and pieces that stay during a capture.
CASES = [
    ("english", "slot"),
    ("english", "step"),
    ("international", "from-to"),
    ("international", "step"),
    ("russian", "step"),
    ("turkish", "step"),
    ("breakthrough", "slot"),
    ("kalah", "house"),
    ("kgp", "slot"),
    ("oware", "house"),
]


class Referee:
    """The same game, whose moves are found by `ActionEncoding.decode_steps`."""

    def __init__(self, variant: Any, actions: str, start: Any = None) -> None:
        self.encoding = ActionEncoding(variant, actions)
        family = get_family(self.encoding.variant)
        self.game: Game[Any, Any] = Game(family.start(self.encoding.variant) if start is None else start)
        self.taken: list[int] = []

    def outcome(self) -> Outcome | None:
        """Return the outcome; a draw that can be claimed is one."""
        claims = self.game.claims()
        return claims[0].outcome(self.game.position) if claims else self.game.outcome()

    def rewards(self) -> list[float]:
        outcome = self.outcome()
        if outcome is None or outcome.winner is None:
            return [0, 0]
        return [1 if outcome.winner is side else -1 for side in SIDES]

    def legal_actions(self) -> list[int]:
        if self.outcome() is not None:
            return []
        known = len(self.taken)
        numbers = [self.encoding.encode_steps(self.game.position, move) for move in self.game.legal_moves()]
        return sorted({each[known] for each in numbers if list(each[:known]) == self.taken})

    def play(self, action: int) -> None:
        self.taken.append(action)
        try:
            move = self.encoding.decode_steps(self.game.position, self.taken)
        except ArgumentError:  # several moves begin with these actions
            return
        self.game.push(move)
        self.taken = []

    def observe(self, side: Side) -> npt.NDArray[np.uint8]:
        position = self.game.position
        if isinstance(position, ma.Position):
            pits = [[*position.houses(each), position.stores[each]] for each in (side, side.opponent)]
            return np.array(pits, dtype=np.uint8)
        planes = self._draw_planes(position, side)
        return planes if side is Side.WHITE else np.rot90(planes, 2, axes=(1, 2))

    def _draw_planes(self, position: dr.Position, side: Side) -> npt.NDArray[np.uint8]:
        rules = position.variant
        pieces = position.piece_map()
        is_step = self.encoding.name == "step"
        planes = np.zeros((6 if is_step else 4, rules.rows, rules.columns), dtype=np.uint8)
        if self.taken:
            moves = [
                move
                for move in self.game.legal_moves()
                if list(self.encoding.encode_steps(position, move)[: len(self.taken)]) == self.taken
            ]
            jumps = 0
            while len({move.path[: jumps + 2] for move in moves}) == 1:
                jumps += 1
            move = moves[0]
            piece, place = pieces.pop(move.start), move.path[jumps]
            far = 0 if position.turn is Side.WHITE else rules.rows - 1
            if rules.promotion is Promotion.IN_FLIGHT and far in [square.row for square in move.path[1 : jumps + 1]]:
                piece = dr.Piece(piece.side, dr.Kind.KING)
            for square in move.captured[:jumps]:
                if rules.removal is Removal.AT_ONCE:
                    del pieces[square]
                else:
                    planes[5, square.row, square.column] = 1
            pieces[place] = piece
            planes[4, place.row, place.column] = 1
        for square, piece in pieces.items():
            planes[2 * (piece.side is not side) + (piece.kind is dr.Kind.KING), square.row, square.column] = 1
        return planes
