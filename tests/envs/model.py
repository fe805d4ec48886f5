"""An environment of one game in plain Python, on top of `Game` and `ActionEncoding`."""

from __future__ import annotations

from itertools import takewhile
from typing import Any

import numpy as np

from tablemen import Game, Side
from tablemen import draughts as dr
from tablemen.actions import ActionEncoding
from tablemen.draughts.rules import Promotion, Removal
from tablemen.outcome import Outcome

SIDES = list(Side)


class GameModel:
    """A game of a `BatchEnv`: its entries in the batch, computed move by move."""

    def __init__(
        self, start: Any, encoding: ActionEncoding, *, max_plies: int | None = None, claim_draws: bool = True
    ) -> None:
        self.game = Game(start)
        self.encoding = encoding
        self.max_plies = max_plies
        self.claim_draws = claim_draws
        self.taken: tuple[int, ...] = ()  # the actions of the move in progress
        self.outcome: Outcome | None = None
        self.is_truncated = False
        self._list_moves()

    @property
    def is_over(self) -> bool:
        """Whether the game has ended by a rule or is truncated."""
        return self.outcome is not None or self.is_truncated

    @property
    def legal_actions(self) -> list[int]:
        """The legal actions in ascending order."""
        if self.is_over:
            return []
        return sorted({actions[len(self.taken)] for actions, _ in self._candidates()})

    def step(self, action: int) -> int:
        """Play an action, and return the reward of the side that made it."""
        mover = self.game.turn
        self.taken = (*self.taken, action)
        ((actions, move), *others) = self._candidates()
        if others or actions != self.taken:
            return 0
        self.game.push(move)
        self.taken = ()
        if self.claim_draws and self.game.claims():
            self.game.claim_draw()
        self.outcome = self.game.outcome()
        self.is_truncated = self.outcome is None and len(self.game.moves) == self.max_plies
        self._list_moves()
        if self.outcome is None or self.outcome.winner is None:
            return 0
        return 1 if self.outcome.winner is mover else -1

    def _list_moves(self) -> None:
        position = self.game.position
        moves = self.game.legal_moves()
        self._moves = [(self.encoding.encode_steps(position, move), move) for move in moves]

    def _candidates(self) -> list[tuple[tuple[int, ...], Any]]:
        return [entry for entry in self._moves if entry[0][: len(self.taken)] == self.taken]

    def observation(self) -> np.ndarray[Any, Any]:
        """Return the observation of the current position."""
        if isinstance(self.game.position, dr.Position):
            return self._planes(self.game.position)
        return self._pits(self.game.position)

    def _pits(self, position: Any) -> np.ndarray[Any, Any]:
        sides = (position.turn, position.turn.opponent)
        return np.array([[*position.houses(side), position.stores[side]] for side in sides], np.uint8)

    def _planes(self, position: dr.Position) -> np.ndarray[Any, Any]:
        rules, is_step = position.variant, self.encoding.name == "step"
        pieces = {square: position.piece_at(square) for square in rules.mover.squares}
        jumped: tuple[dr.Square, ...] = ()
        at = None
        if self.taken:
            paths = [move.path for _, move in self._candidates()]
            common = [squares[0] for squares in takewhile(lambda it: len(set(it)) == 1, zip(*paths, strict=False))]
            at, move = common[-1], self._candidates()[0][1]
            jumped = move.captured[: len(common) - 1]
            piece = pieces[common[0]]
            assert piece is not None
            far_row = 0 if piece.side is Side.WHITE else rules.rows - 1
            if rules.promotion is Promotion.IN_FLIGHT and any(square.row == far_row for square in common[1:]):
                piece = dr.Piece(piece.side, dr.Kind.KING)
            pieces[common[0]] = None
            pieces[at] = piece
            if rules.removal is Removal.AT_ONCE:
                pieces.update(dict.fromkeys(jumped))
                jumped = ()
        planes = np.zeros((6 if is_step else 4, rules.rows, rules.columns), np.uint8)
        for square, found in pieces.items():
            if found is not None:
                planes[
                    2 * (found.side is not position.turn) + (found.kind is dr.Kind.KING), square.row, square.column
                ] = 1
        if at is not None:
            planes[4, at.row, at.column] = 1
            for square in jumped:
                planes[5, square.row, square.column] = 1
        return planes if position.turn is Side.WHITE else planes[:, ::-1, ::-1]
