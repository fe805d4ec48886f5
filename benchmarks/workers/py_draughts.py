"""Worker for py-draughts, which lists whole moves, on a mutable board with push and pop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import draughts  # type: ignore[import-not-found]
from draughts.engines import TurboEngine  # type: ignore[import-not-found]

from benchmarks.workers.harness import SampledGame, pick, serve

FIRST_TAG = "[Event "


class PyDraughts:
    """International draughts. In the library's American game captures are optional, so it is not compared."""

    def start(self, game: str) -> Any:
        """Return the start position."""
        assert game == "international"
        return draughts.StandardBoard()

    def perft(self, state: Any, depth: int) -> int:
        """Count with push and pop; the last ply is counted by the length of its list."""
        moves = state.legal_moves
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
        return [draughts.StandardBoard.from_fen(sample["fen"]) for sample in sampled["samples"]]

    def move_calls(self, states: Sequence[Any]) -> list[Callable[[], Sequence[Any]]]:
        """Return the property `legal_moves` of each board."""
        return [partial(draughts.StandardBoard.legal_moves.fget, state) for state in states]

    def playout(self, game: str, random: Callable[[], float], max_plies: int) -> int:
        """Play a random game until it is drawn or no move is left."""
        board = self.start(game)
        for ply in range(max_plies):
            moves = board.legal_moves
            if not moves or board.is_draw:
                return ply
            board.push(pick(moves, random))
        return max_plies

    def push_texts(self, game: str, texts: Sequence[str]) -> None:
        """Play a game with `push_uci`, checking for a draw after every move."""
        board = self.start(game)
        for text in texts:
            board.push_uci(text)
            _ = board.is_draw

    def read_games(self, text: str) -> int:
        """Split the file before the first tag of each game: `from_pdn` reads only one game."""
        games = [FIRST_TAG + part for part in text.split(FIRST_TAG)[1:]]
        return len([draughts.StandardBoard.from_pdn(game) for game in games])

    def search(self, game: str, depth: int) -> Callable[[], int]:
        """Search with a new instance of the faster of the library's two engines."""
        engine = TurboEngine(depth_limit=depth)
        engine.get_best_move(self.start(game))
        return lambda: int(engine.nodes)


if __name__ == "__main__":
    serve(PyDraughts())
