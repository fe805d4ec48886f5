"""OpenSpiel's checkers: compiled, moves are bare integers, and every jump is a move of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import pyspiel  # type: ignore[import-not-found]

from benchmarks.workers.harness import SampledGame, pick, serve
from benchmarks.workers.open_spiel_search import alpha_beta

GAME = pyspiel.load_game("checkers")


class OpenSpiel:
    """English draughts; the side that begins is drawn at the bottom."""

    def start(self, game: str) -> Any:
        """The starting position."""
        assert game == "english"
        return GAME.new_initial_state()

    def perft(self, state: Any, depth: int) -> int:
        """Whole moves: the depth goes down when the other side is to move. The last quiet ply is only listed."""
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

    def reach(self, game: str, sampled: SampledGame) -> list[Any]:
        """The positions of the samples, by playing the game to them."""
        state = self.start(game)
        wanted = {sample["ply"] for sample in sampled["samples"]}
        reached = []
        for ply, path in enumerate(sampled["moves"], start=1):
            for start, end in pairwise(path):
                state.apply_action(state.string_to_action(name(start) + name(end)))
            if ply in wanted:
                reached.append(state.clone())
        return reached

    def questions(self, states: Sequence[Any]) -> list[Callable[[], Sequence[Any]]]:
        """`legal_actions` of each state."""
        return [state.legal_actions for state in states]

    def playout(self, game: str, random: Callable[[], float], longest: int) -> int:
        """A random game: over when the library says so. Jumps in a row are one ply."""
        state = self.start(game)
        for ply in range(longest):
            mover = state.current_player()
            while state.current_player() == mover:
                if state.is_terminal():
                    return ply
                state.apply_action(pick(state.legal_actions(), random))
        return longest

    def search(self, game: str, depth: int) -> Callable[[], int]:
        """Its alpha-beta, in Python."""
        return alpha_beta(GAME, self.start(game), depth)


def is_jump(action: int) -> bool:
    """Whether the action is a jump: the last bit says so."""
    return action % 2 == 1


def name(number: int) -> str:
    """The square with this English number as OpenSpiel names it, the board turned around."""
    row, place = divmod(number - 1, 4)
    column = 2 * place + (row % 2 == 0)
    return f"{'abcdefgh'[7 - column]}{row + 1}"


if __name__ == "__main__":
    serve(OpenSpiel())
