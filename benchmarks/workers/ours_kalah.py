"""tablemen's Kalah, by the rules that OpenSpiel plays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from benchmarks.workers.harness import SampledGame, pick, serve
from tablemen.mancala import VARIANTS, Move, Position, solve
from tablemen.search import Limit, Searcher

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

    def search(self, game: str, depth: int) -> Callable[[], int]:
        """A searcher with a table of its own, on one thread."""
        found = Searcher(table_mb=64).choose(self.start(game), Limit(depth=depth)).lines[0]
        return lambda: found.nodes

    def play_inside(self, games: int) -> int:
        """Played inside the compiled core, on one thread."""
        return sum(Position.start(RULES).random_playouts(games, seed=1).lengths)

    def solve(self, houses: int, seeds: int) -> tuple[int, int]:
        """The value alone, tables built anew, on one thread."""
        rules = replace(VARIANTS[RULES], name="solved", aliases=(), houses=houses, seeds=seeds)
        solution = solve(Position.start(rules), each_move=False, cache=False)
        return solution.value, solution.nodes


if __name__ == "__main__":
    serve(TablemenKalah())
