"""Worker for OpenSpiel's mancala, which is compiled and has integers as moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pyspiel

from benchmarks.workers.harness import SampledGame, pick, serve
from benchmarks.workers.open_spiel_search import alpha_beta
from benchmarks.workers.open_spiel_steps import step_games

GAME = pyspiel.load_game("mancala")
HOUSES = 6


class OpenSpielKalah:
    """Kalah with six houses and four seeds; every sowing is a move."""

    def start(self, game: str) -> Any:
        """Return the start position."""
        assert game == "kalah"
        return GAME.new_initial_state()

    def perft(self, state: Any, depth: int) -> int:
        """Count leaves; the last ply is only listed."""
        actions = [] if state.is_terminal() else state.legal_actions()
        if depth == 1:
            return len(actions)
        return sum(self.perft(state.child(action), depth - 1) for action in actions)

    def sample_positions(self, game: str, sampled: SampledGame) -> list[Any]:
        """Return the sampled positions by replaying the game."""
        state = self.start(game)
        sampled_plies = {sample["ply"] for sample in sampled["samples"]}
        reached = []
        for ply, (house,) in enumerate(sampled["moves"], start=1):
            # The first player's houses are 1 to 6, the second player's 8 to 13.
            state.apply_action(house + state.current_player() * (HOUSES + 1))
            if ply in sampled_plies:
                reached.append(state.clone())
        return reached

    def move_calls(self, states: Sequence[Any]) -> list[Callable[[], Sequence[Any]]]:
        """Return `legal_actions` of each state."""
        return [state.legal_actions for state in states]

    def playout(self, game: str, random: Callable[[], float], max_plies: int) -> int:
        """Play a random game until the library ends it."""
        state = self.start(game)
        for ply in range(max_plies):
            if state.is_terminal():
                return ply
            state.apply_action(pick(state.legal_actions(), random))
        return max_plies

    def search(self, game: str, depth: int) -> Callable[[], int]:
        """Search with OpenSpiel's alpha-beta in Python."""
        return alpha_beta(GAME, self.start(game), depth)

    def prepare_steps(self, request: dict[str, Any]) -> Callable[[], int]:
        """Return a function that steps a game."""
        return step_games(GAME, Random(request["seed"]).random)


if __name__ == "__main__":
    serve(OpenSpielKalah())
