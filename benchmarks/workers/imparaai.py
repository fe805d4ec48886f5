"""Worker for imparaai-checkers, a pure Python library that copies boards and treats every jump as a move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from checkers.game import Game  # type: ignore[import-not-found]

from benchmarks.workers.harness import SampledGame, pick, serve


class Imparaai:
    """English draughts."""

    def start(self, game: str) -> Any:
        """Return the board of a new game."""
        assert game == "english"
        return Game().board

    def perft(self, state: Any, depth: int) -> int:
        """Count whole moves: the depth decreases when the other side is to move. The last quiet ply is only listed."""
        jumps = state.get_possible_capture_moves()
        moves = jumps or state.get_possible_positional_moves()
        if depth == 1 and not jumps:
            return len(moves)
        leaves = 0
        for move in moves:
            child = state.create_new_board_from_move(move)
            if child.player_turn == state.player_turn:
                leaves += self.perft(child, depth)
            else:
                leaves += self.perft(child, depth - 1) if depth > 1 else 1
        return leaves

    def sample_positions(self, game: str, sampled: SampledGame) -> list[Any]:
        """Return the sampled positions by replaying the game."""
        assert game == "english"
        played = Game()
        sampled_plies = {sample["ply"] for sample in sampled["samples"]}
        reached = []
        for ply, path in enumerate(sampled["moves"], start=1):
            for start, end in pairwise(path):
                played.move([start, end])
            if ply in sampled_plies:
                reached.append(played.board)
        return reached

    def move_calls(self, states: Sequence[Any]) -> list[Callable[[], Sequence[Any]]]:
        """Return `get_possible_moves` of each board, with its cache cleared."""
        for board in states:
            board.pieces = board.pieces
        return [board.get_possible_moves for board in states]

    def playout(self, game: str, random: Callable[[], float], max_plies: int) -> int:
        """Play a random game until the library ends it. A series of jumps is one ply."""
        assert game == "english"
        played = Game()
        for ply in range(max_plies):
            mover = played.whose_turn()
            while played.whose_turn() == mover:
                if played.is_over():
                    return ply
                played.move(pick(played.get_possible_moves(), random))
        return max_plies


if __name__ == "__main__":
    serve(Imparaai())
