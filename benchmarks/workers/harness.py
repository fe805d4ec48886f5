"""The measurements, the same for every library. All times are CPU time, to reduce the effect of other load."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from random import Random
from time import process_time
from typing import Any, Protocol, TypedDict


class Sample(TypedDict):
    """A position reached in a game."""

    ply: int
    fen: str


class SampledGame(TypedDict):
    """A game from the start, each move as the numbers of its squares or its house, and the sampled positions."""

    moves: list[list[int]]
    samples: list[Sample]


class Library(Protocol):
    """The operations of a library that are measured, through its public API."""

    def start(self, game: str) -> Any:
        """Return the start position."""
        ...

    def perft(self, state: Any, depth: int) -> int:
        """Return the number of sequences of `depth` whole moves."""
        ...

    def sample_positions(self, game: str, sampled: SampledGame) -> list[Any]:
        """Return the sampled positions of the game."""
        ...

    def move_calls(self, states: Sequence[Any]) -> list[Callable[[], Sequence[Any]]]:
        """Return for each state a call that lists its moves without using a cache."""
        ...

    def playout(self, game: str, random: Callable[[], float], max_plies: int) -> int:
        """Play a random game of at most `max_plies` plies, and return its length."""
        ...


class Pushing(Protocol):
    """A library that plays games from move text."""

    def push_texts(self, game: str, texts: Sequence[str]) -> None:
        """Play a game from the start, checking every move and the end of the game."""
        ...


class Reading(Protocol):
    """A library that reads PDN files."""

    def read_games(self, text: str) -> int:
        """Read a PDN file, checking every move, and return the number of games."""
        ...


class Searching(Protocol):
    """A library with a search."""

    def search(self, game: str, depth: int) -> Callable[[], int]:
        """Search from the start position with an empty table; return a function that gives the number of nodes."""
        ...


class Counting(Protocol):
    """A library whose core plays games or solves boards in one call from Python."""

    def play_in_core(self, games: int) -> int:
        """Play random games and return the total number of plies."""
        ...

    def solve(self, houses: int, seeds: int) -> tuple[int, int]:
        """Return the value of a board for the first player, and the number of nodes searched, without cached tables."""
        ...


class Stepping(Protocol):
    """A library with an environment."""

    def prepare_steps(self, request: dict[str, Any]) -> Callable[[], int]:
        """Return a function that makes steps, and returns their number."""
        ...


def pick(moves: Sequence[Any], random: Callable[[], float]) -> Any:
    """Return a random move."""
    return moves[int(random() * len(moves))]


def measure_perft(library: Library, request: dict[str, Any]) -> dict[str, Any]:
    """Return leaves per second at the first depth that takes at least the given time, and the counts so far."""
    counts: list[int] = []
    while True:
        state = library.start(request["game"])
        begun = process_time()
        counts.append(library.perft(state, len(counts) + 1))
        spent = process_time() - begun
        if spent >= request["seconds"]:
            return {"leaves": counts[-1] / spent, "counts": counts}


def measure_moves(library: Library, request: dict[str, Any]) -> dict[str, Any]:
    """Return seconds per call, and the number of moves of each position."""
    states = [state for sampled in request["games"] for state in library.sample_positions(request["game"], sampled)]
    counts = [len(list_moves()) for list_moves in library.move_calls(states)]
    spent, calls = 0.0, 0
    while spent < request["seconds"]:
        move_calls = library.move_calls(states)
        begun = process_time()
        for list_moves in move_calls:
            list_moves()
        spent += process_time() - begun
        calls += len(move_calls)
    return {"seconds": spent / calls, "counts": counts}


def measure_playouts(library: Library, request: dict[str, Any]) -> dict[str, Any]:
    """Return games and plies per second."""
    random = Random(request["seed"]).random
    games, plies = 0, 0
    begun = process_time()
    spent = 0.0
    while spent < request["seconds"]:
        plies += library.playout(request["game"], random, request["max_plies"])
        games += 1
        spent = process_time() - begun
    return {"games": games / spent, "plies": plies / spent}


def measure_text(library: Pushing, request: dict[str, Any]) -> dict[str, Any]:
    """Return seconds per move, for games played from move text."""
    spent, moves = 0.0, 0
    while spent < request["seconds"]:
        begun = process_time()
        for texts in request["texts"]:
            library.push_texts(request["game"], texts)
        spent += process_time() - begun
        moves += sum(map(len, request["texts"]))
    return {"seconds": spent / moves}


def measure_pdn(library: Reading, request: dict[str, Any]) -> dict[str, Any]:
    """Return seconds per game of a PDN file, and the number of games read."""
    spent, times, games = 0.0, 0, 0
    while spent < request["seconds"]:
        begun = process_time()
        games = library.read_games(request["text"])
        spent += process_time() - begun
        times += 1
    return {"seconds": spent / times / request["games"], "counts": [games]}


def measure_search(library: Searching, request: dict[str, Any]) -> dict[str, Any]:
    """Return nodes per second at the first depth that takes at least the given time twice in a row.

    One run is not enough: loading code and allocating memory can take that long the first time.
    """

    def timed(depth: int) -> tuple[float, Callable[[], int]]:
        begun = process_time()
        count_nodes = library.search(request["game"], depth)
        return process_time() - begun, count_nodes

    library.search(request["game"], 4)
    depth = 0
    while True:
        depth += 1
        spent, count_nodes = timed(depth)
        if spent >= request["seconds"]:
            spent = min(spent, timed(depth)[0])
        if spent >= request["seconds"]:
            return {"nodes": count_nodes() / spent}


def measure_inside(library: Counting, request: dict[str, Any]) -> dict[str, Any]:
    """Return random games per second, doubling their number until it takes at least the given time."""
    games, spent = 1000, 0.0
    while spent < request["seconds"]:
        games *= 2
        begun = process_time()
        library.play_in_core(games)
        spent = process_time() - begun
    return {"games": games / spent}


def measure_solve(library: Counting, request: dict[str, Any]) -> dict[str, Any]:
    """Return seconds per solution, nodes per second, and the value of the board."""
    spent, times, nodes, value = 0.0, 0, 0, 0
    while spent < request["seconds"]:
        begun = process_time()
        value, searched = library.solve(*request["board"])
        spent += process_time() - begun
        times, nodes = times + 1, nodes + searched
    return {"seconds": spent / times, "nodes": nodes / spent, "counts": [value]}


def measure_steps(library: Stepping, request: dict[str, Any]) -> dict[str, Any]:
    """Return steps per second of CPU time, which is that of all threads together."""
    step = library.prepare_steps(request)
    steps, spent, begun = 0, 0.0, process_time()
    while spent < request["seconds"]:
        steps += step()
        spent = process_time() - begun
    return {"steps": steps / spent}


MEASURES: dict[str, Callable[[Any, dict[str, Any]], dict[str, Any]]] = {
    "perft": measure_perft,
    "moves": measure_moves,
    "playouts": measure_playouts,
    "text": measure_text,
    "pdn": measure_pdn,
    "search": measure_search,
    "inside": measure_inside,
    "solve": measure_solve,
    "steps": measure_steps,
}


def serve(library: Library) -> None:
    """Read the request from stdin, and write the result to stdout."""
    request = json.load(sys.stdin)
    json.dump(MEASURES[request["measure"]](library, request), sys.stdout)
