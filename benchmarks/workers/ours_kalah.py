"""Worker for tablemen's Kalah, with the rules of OpenSpiel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from benchmarks.workers.harness import SampledGame, pick, serve
from benchmarks.workers.ours_steps import step_batch
from tablemen.mancala import VARIANTS, Move, Position, solve
from tablemen.search import Limit, Searcher

RULES = "open_spiel"


class TablemenKalah:
    """Kalah with immutable positions: nothing is copied or undone."""

    def start(self, game: str) -> Position:
        """Return the start position."""
        assert game == "kalah"
        return Position.start(RULES)

    def perft(self, state: Position, depth: int) -> int:
        """Count leaves in the compiled core, on one thread."""
        return state.perft(depth)

    def sample_positions(self, game: str, sampled: SampledGame) -> list[Position]:
        """Return the sampled positions, parsed from text."""
        assert game == "kalah"
        return [Position.from_text(sample["fen"], RULES) for sample in sampled["samples"]]

    def move_calls(self, states: Sequence[Position]) -> list[Callable[[], Sequence[Move]]]:
        """Return `legal_moves` of each position."""
        return [state.legal_moves for state in states]

    def playout(self, game: str, random: Callable[[], float], max_plies: int) -> int:
        """Play a random game until no move is left. `play` checks every move."""
        position = self.start(game)
        for ply in range(max_plies):
            moves = position.legal_moves()
            if not moves:
                return ply
            position = position.play(pick(moves, random))
        return max_plies

    def search(self, game: str, depth: int) -> Callable[[], int]:
        """Search on one thread, with a new transposition table."""
        found = Searcher(table_mb=64).choose(self.start(game), Limit(depth=depth)).lines[0]
        return lambda: found.nodes

    def play_in_core(self, games: int) -> int:
        """Play random games in the compiled core, on one thread."""
        return sum(Position.start(RULES).random_playouts(games, seed=1).lengths)

    def solve(self, houses: int, seeds: int) -> tuple[int, int]:
        """Solve a board on one thread, without cached tables."""
        rules = replace(VARIANTS[RULES], name="solved", aliases=(), houses=houses, seeds=seeds)
        solution = solve(Position.start(rules), each_move=False, cache=False)
        return solution.value, solution.nodes

    def prepare_steps(self, request: dict[str, Any]) -> Callable[[], int]:
        """Return a function that steps many games at once."""
        return step_batch(RULES, request)


if __name__ == "__main__":
    serve(TablemenKalah())
