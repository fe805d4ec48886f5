"""OpenSpiel's mancala: compiled, and moves are bare integers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pyspiel  # type: ignore[import-not-found]

from benchmarks.workers.harness import SampledGame, pick, serve
from benchmarks.workers.open_spiel_search import alpha_beta

GAME = pyspiel.load_game("mancala")
HOUSES = 6


class OpenSpielKalah:
    """Kalah with six houses of four seeds; every sowing is a move."""

    def start(self, game: str) -> Any:
        """The starting position."""
        assert game == "kalah"
        return GAME.new_initial_state()

    def perft(self, state: Any, depth: int) -> int:
        """The last ply is only listed."""
        actions = [] if state.is_terminal() else state.legal_actions()
        if depth == 1:
            return len(actions)
        return sum(self.perft(state.child(action), depth - 1) for action in actions)

    def reach(self, game: str, sampled: SampledGame) -> list[Any]:
        """The positions of the samples, by playing the game to them."""
        state = self.start(game)
        wanted = {sample["ply"] for sample in sampled["samples"]}
        reached = []
        for ply, (house,) in enumerate(sampled["moves"], start=1):
            # The first player's houses are 1 to 6, the second player's 8 to 13.
            state.apply_action(house + state.current_player() * (HOUSES + 1))
            if ply in wanted:
                reached.append(state.clone())
        return reached

    def questions(self, states: Sequence[Any]) -> list[Callable[[], Sequence[Any]]]:
        """`legal_actions` of each state."""
        return [state.legal_actions for state in states]

    def playout(self, game: str, random: Callable[[], float], longest: int) -> int:
        """A random game: over when the library says so."""
        state = self.start(game)
        for ply in range(longest):
            if state.is_terminal():
                return ply
            state.apply_action(pick(state.legal_actions(), random))
        return longest

    def search(self, game: str, depth: int) -> Callable[[], int]:
        """Its alpha-beta, in Python."""
        return alpha_beta(GAME, self.start(game), depth)


if __name__ == "__main__":
    serve(OpenSpielKalah())
