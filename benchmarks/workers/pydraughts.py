"""Worker for pydraughts, which lists whole moves, each path separately, on a mutable board with push and pop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import draughts  # type: ignore[import-not-found]
from draughts.PDN import PDNReader  # type: ignore[import-not-found]

from benchmarks.workers.harness import SampledGame, pick, serve


class Pydraughts:
    """International draughts."""

    def start(self, game: str) -> Any:
        """Return the start position."""
        assert game == "international"
        return draughts.Board(variant="standard")

    def perft(self, state: Any, depth: int) -> int:
        """Count with push and pop; the last ply is counted by the length of its list."""
        moves = state.legal_moves()
        if depth == 1:
            return len(moves)
        leaves = 0
        for move in moves:
            state.push(move)
            leaves += self.perft(state, depth - 1)
            state.pop()
        return leaves

    def sample_positions(self, game: str, sampled: SampledGame) -> list[Any]:
        """Return the sampled positions, parsed from FEN."""
        assert game == "international"
        return [draughts.Board(variant="standard", fen=sample["fen"]) for sample in sampled["samples"]]

    def move_calls(self, states: Sequence[Any]) -> list[Callable[[], Sequence[Any]]]:
        """Return `legal_moves` of new boards, because a board caches its moves."""
        return [draughts.Board(variant="standard", fen=state.fen).legal_moves for state in states]

    def playout(self, game: str, random: Callable[[], float], max_plies: int) -> int:
        """Play a random game until the library ends it."""
        board = self.start(game)
        for ply in range(max_plies):
            if board.is_over():
                return ply
            board.push(pick(board.legal_moves(), random))
        return max_plies

    def read_games(self, text: str) -> int:
        """Read move texts with the library's reader, and check them on a board."""
        games = PDNReader(text).games
        for game in games:
            board = self.start("international")
            for move in game.moves:
                board.push(draughts.Move(board, pdn_move=move))
        return len(games)


if __name__ == "__main__":
    serve(Pydraughts())
