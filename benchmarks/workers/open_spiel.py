"""Worker for OpenSpiel's checkers, which is compiled, has integers as moves and treats every jump as a move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random
from typing import Any

import pyspiel

from benchmarks.workers.harness import SampledGame, pick, serve
from benchmarks.workers.open_spiel_search import alpha_beta
from benchmarks.workers.open_spiel_steps import step_games

GAME = pyspiel.load_game("checkers")


class OpenSpiel:
    """English draughts. OpenSpiel draws the side that moves first at the bottom."""

    def start(self, game: str) -> Any:
        """Return the start position."""
        assert game == "english"
        return GAME.new_initial_state()

    def perft(self, state: Any, depth: int) -> int:
        """Count whole moves: the depth decreases when the other side is to move. The last quiet ply is only listed."""
        actions = state.legal_actions()
        if depth == 1 and actions and not is_jump(actions[0]):
            return len(actions)
        mover = state.current_player()
        leaves = 0
        for action in actions:
            child = state.child(action)
            if child.current_player() == mover:
                leaves += self.perft(child, depth)
            else:
                leaves += self.perft(child, depth - 1) if depth > 1 else 1
        return leaves

    def sample_positions(self, game: str, sampled: SampledGame) -> list[Any]:
        """Return the sampled positions by replaying the game."""
        state = self.start(game)
        sampled_plies = {sample["ply"] for sample in sampled["samples"]}
        reached = []
        for ply, path in enumerate(sampled["moves"], start=1):
            for start, end in pairwise(path):
                state.apply_action(state.string_to_action(square_name(start) + square_name(end)))
            if ply in sampled_plies:
                reached.append(state.clone())
        return reached

    def move_calls(self, states: Sequence[Any]) -> list[Callable[[], Sequence[Any]]]:
        """Return `legal_actions` of each state."""
        return [state.legal_actions for state in states]

    def playout(self, game: str, random: Callable[[], float], max_plies: int) -> int:
        """Play a random game until the library ends it. A series of jumps is one ply."""
        state = self.start(game)
        for ply in range(max_plies):
            mover = state.current_player()
            while state.current_player() == mover:
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


def is_jump(action: int) -> bool:
    """Return whether the action is a jump, given by its lowest bit."""
    return action % 2 == 1


def square_name(number: int) -> str:
    """Return OpenSpiel's name for an English square number. Its board is rotated by 180°."""
    row, place = divmod(number - 1, 4)
    column = 2 * place + (row % 2 == 0)
    return f"{'abcdefgh'[7 - column]}{row + 1}"


if __name__ == "__main__":
    serve(OpenSpiel())
