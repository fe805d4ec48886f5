"""Worker for tablemen's draughts."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.workers.harness import SampledGame, pick, serve
from benchmarks.workers.ours_steps import step_batch
from tablemen import Game
from tablemen.draughts import Move, Position
from tablemen.draughts.pdn import read_pdn
from tablemen.search import Limit, Searcher


class Tablemen:
    """Draughts with immutable positions: nothing is copied or undone."""

    def start(self, game: str) -> Position:
        """Return the start position."""
        return Position.start(game)

    def perft(self, state: Position, depth: int) -> int:
        """Count leaves in the compiled core, on one thread."""
        return state.perft(depth)

    def sample_positions(self, game: str, sampled: SampledGame) -> list[Position]:
        """Return the sampled positions, parsed from FEN."""
        return [Position.from_fen(sample["fen"], game) for sample in sampled["samples"]]

    def move_calls(self, states: Sequence[Position]) -> list[Callable[[], Sequence[Move]]]:
        """Return `legal_moves` of each position."""
        return [state.legal_moves for state in states]

    def playout(self, game: str, random: Callable[[], float], max_plies: int) -> int:
        """Play a random game until no move is left. `play` checks every move."""
        position = Position.start(game)
        for ply in range(max_plies):
            moves = position.legal_moves()
            if not moves:
                return ply
            position = position.play(pick(moves, random))
        return max_plies

    def push_texts(self, game: str, texts: Sequence[str]) -> None:
        """Play a game with `Game.push`, which also updates the draw rules."""
        played = Game(Position.start(game))
        for text in texts:
            played.push(text)

    def read_games(self, text: str) -> int:
        """Read games with `read_pdn`, which checks every move; the game trees are not built."""
        return len(list(read_pdn(io.StringIO(text))))

    def search(self, game: str, depth: int) -> Callable[[], int]:
        """Search on one thread, with a new transposition table."""
        found = Searcher(table_mb=64).choose(self.start(game), Limit(depth=depth)).lines[0]
        return lambda: found.nodes

    def prepare_steps(self, request: dict[str, Any]) -> Callable[[], int]:
        """Return a function that steps many games at once."""
        return step_batch(request["game"], request)


if __name__ == "__main__":
    serve(Tablemen())
