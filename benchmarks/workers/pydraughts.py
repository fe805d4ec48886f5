"""pydraughts: whole moves, every path on its own, on a board that is changed and changed back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import draughts  # type: ignore[import-not-found]
from draughts.PDN import PDNReader  # type: ignore[import-not-found]

from benchmarks.workers.harness import SampledGame, pick, serve


class Pydraughts:
    """International draughts."""

    def start(self, game: str) -> Any:
        """The starting position."""
        assert game == "international"
        return draughts.Board(variant="standard")

    def perft(self, state: Any, depth: int) -> int:
        """Push, count, pop; the last ply is counted by the length of its list."""
        moves = state.legal_moves()
        if depth == 1:
            return len(moves)
        leaves = 0
        for move in moves:
            state.push(move)
            leaves += self.perft(state, depth - 1)
            state.pop()
        return leaves

    def reach(self, game: str, sampled: SampledGame) -> list[Any]:
        """The positions of the samples, from FEN."""
        assert game == "international"
        return [draughts.Board(variant="standard", fen=sample["fen"]) for sample in sampled["samples"]]

    def questions(self, states: Sequence[Any]) -> list[Callable[[], Sequence[Any]]]:
        """`legal_moves` of a new board for each, because a board remembers."""
        return [draughts.Board(variant="standard", fen=state.fen).legal_moves for state in states]

    def playout(self, game: str, random: Callable[[], float], longest: int) -> int:
        """A random game: over when the library says so."""
        board = self.start(game)
        for ply in range(longest):
            if board.is_over():
                return ply
            board.push(pick(board.legal_moves(), random))
        return longest

    def read_games(self, text: str) -> int:
        """Its reader gives texts of moves; a board checks them."""
        games = PDNReader(text).games
        for game in games:
            board = self.start("international")
            for move in game.moves:
                board.push(draughts.Move(board, pdn_move=move))
        return len(games)


if __name__ == "__main__":
    serve(Pydraughts())
