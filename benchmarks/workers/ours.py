"""tablemen itself."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence

from benchmarks.workers.harness import SampledGame, pick, serve
from tablemen import Game
from tablemen.draughts import Move, Position
from tablemen.draughts.pdn import read_pdn
from tablemen.search import Limit, Searcher


class Tablemen:
    """Frozen positions: nothing to copy, nothing to take back."""

    def start(self, game: str) -> Position:
        """The starting position."""
        return Position.start(game)

    def perft(self, state: Position, depth: int) -> int:
        """Counted inside the compiled core, on one thread."""
        return state.perft(depth)

    def reach(self, game: str, sampled: SampledGame) -> list[Position]:
        """The positions of the samples, from FEN."""
        return [Position.from_fen(sample["fen"], game) for sample in sampled["samples"]]

    def questions(self, states: Sequence[Position]) -> list[Callable[[], Sequence[Move]]]:
        """`legal_moves` of each position."""
        return [state.legal_moves for state in states]

    def playout(self, game: str, random: Callable[[], float], longest: int) -> int:
        """A random game: it is over when no move is left. `play` checks every move."""
        position = Position.start(game)
        for ply in range(longest):
            moves = position.legal_moves()
            if not moves:
                return ply
            position = position.play(pick(moves, random))
        return longest

    def push_texts(self, game: str, texts: Sequence[str]) -> None:
        """`Game.push`, which also counts for the draw rules."""
        played = Game(Position.start(game))
        for text in texts:
            played.push(text)

    def read_games(self, text: str) -> int:
        """`read_pdn` checks every move; the trees are not asked for."""
        return len(list(read_pdn(io.StringIO(text))))

    def search(self, game: str, depth: int) -> Callable[[], int]:
        """A searcher with a table of its own, on one thread."""
        found = Searcher(table_mb=64).choose(self.start(game), Limit(depth=depth)).lines[0]
        return lambda: found.nodes


if __name__ == "__main__":
    serve(Tablemen())
