"""imparaai-checkers: plain Python, boards are copied, and every jump is a move of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from checkers.game import Game  # type: ignore[import-not-found]

from benchmarks.workers.harness import SampledGame, pick, serve


class Imparaai:
    """English draughts."""

    def start(self, game: str) -> Any:
        """The board of a new game."""
        assert game == "english"
        return Game().board

    def perft(self, state: Any, depth: int) -> int:
        """Whole moves: the depth goes down when the other side is to move. The last quiet ply is only listed."""
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

    def reach(self, game: str, sampled: SampledGame) -> list[Any]:
        """The positions of the samples, by playing the game to them."""
        assert game == "english"
        played = Game()
        wanted = {sample["ply"] for sample in sampled["samples"]}
        reached = []
        for ply, path in enumerate(sampled["moves"], start=1):
            for start, end in pairwise(path):
                played.move([start, end])
            if ply in wanted:
                reached.append(played.board)
        return reached

    def questions(self, states: Sequence[Any]) -> list[Callable[[], Sequence[Any]]]:
        """`get_possible_moves` of each board, made to forget what it remembers."""
        for board in states:
            board.pieces = board.pieces
        return [board.get_possible_moves for board in states]

    def playout(self, game: str, random: Callable[[], float], longest: int) -> int:
        """A random game: over when the library says so. Jumps in a row are one ply."""
        assert game == "english"
        played = Game()
        for ply in range(longest):
            mover = played.whose_turn()
            while played.whose_turn() == mover:
                if played.is_over():
                    return ply
                played.move(pick(played.get_possible_moves(), random))
        return longest


if __name__ == "__main__":
    serve(Imparaai())
