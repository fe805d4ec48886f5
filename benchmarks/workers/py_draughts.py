"""py-draughts: whole moves on a board that is changed and changed back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import draughts  # type: ignore[import-not-found]
from draughts.engines import TurboEngine  # type: ignore[import-not-found]

from benchmarks.workers.harness import SampledGame, pick, serve

FIRST_TAG = "[Event "


class PyDraughts:
    """International draughts; its American game leaves captures free, which is another game."""

    def start(self, game: str) -> Any:
        """The starting position."""
        assert game == "international"
        return draughts.StandardBoard()

    def perft(self, state: Any, depth: int) -> int:
        """Push, count, pop; the last ply is counted by the length of its list."""
        moves = state.legal_moves
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
        return [draughts.StandardBoard.from_fen(sample["fen"]) for sample in sampled["samples"]]

    def questions(self, states: Sequence[Any]) -> list[Callable[[], Sequence[Any]]]:
        """The property `legal_moves` of each board."""
        return [partial(draughts.StandardBoard.legal_moves.fget, state) for state in states]

    def playout(self, game: str, random: Callable[[], float], longest: int) -> int:
        """A random game: over when it is drawn or no move is left."""
        board = self.start(game)
        for ply in range(longest):
            moves = board.legal_moves
            if not moves or board.is_draw:
                return ply
            board.push(pick(moves, random))
        return longest

    def push_texts(self, game: str, texts: Sequence[str]) -> None:
        """`push_uci`, and a look at whether the game is drawn."""
        board = self.start(game)
        for text in texts:
            board.push_uci(text)
            _ = board.is_draw

    def read_games(self, text: str) -> int:
        """It reads the first game of a text: the file is cut at the first tag of each."""
        games = [FIRST_TAG + part for part in text.split(FIRST_TAG)[1:]]
        return len([draughts.StandardBoard.from_pdn(game) for game in games])

    def search(self, game: str, depth: int) -> Callable[[], int]:
        """The faster of its two engines, new each time."""
        engine = TurboEngine(depth_limit=depth)
        engine.get_best_move(self.start(game))
        return lambda: int(engine.nodes)


if __name__ == "__main__":
    serve(PyDraughts())
