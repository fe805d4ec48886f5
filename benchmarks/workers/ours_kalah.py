"""tablemen's Kalah, by the rules that OpenSpiel plays."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from benchmarks.workers.harness import SampledGame, pick, serve
from tablemen.mancala import Move, Position

RULES = "open_spiel"


class TablemenKalah:
    """Frozen positions: nothing to copy, nothing to take back."""

    def start(self, game: str) -> Position:
        """The starting position."""
        assert game == "kalah"
        return Position.start(RULES)

    def perft(self, state: Position, depth: int) -> int:
        """Counted inside the compiled core, on one thread."""
        return state.perft(depth)

    def reach(self, game: str, sampled: SampledGame) -> list[Position]:
        """The positions of the samples, from text."""
        assert game == "kalah"
        return [Position.from_text(sample["fen"], RULES) for sample in sampled["samples"]]

    def questions(self, states: Sequence[Position]) -> list[Callable[[], Sequence[Move]]]:
        """`legal_moves` of each position."""
        return [state.legal_moves for state in states]

    def playout(self, game: str, random: Callable[[], float], longest: int) -> int:
        """A random game: it is over when no move is left. `play` checks every move."""
        position = self.start(game)
        for ply in range(longest):
            moves = position.legal_moves()
            if not moves:
                return ply
            position = position.play(pick(moves, random))
        return longest

    def read_games(self, text: str) -> int:
        """There are no game files of Kalah."""
        raise NotImplementedError


if __name__ == "__main__":
    serve(TablemenKalah())
