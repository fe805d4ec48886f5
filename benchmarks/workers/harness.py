"""What is measured, the same way for every library. CPU time throughout: other work on the machine counts for less."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from random import Random
from time import process_time
from typing import Any, Protocol, TypedDict


class Sample(TypedDict):
    """A position met in a game."""

    ply: int
    fen: str


class SampledGame(TypedDict):
    """A game from the start, every move as the numbers of its squares or of its house, and positions to stop at."""

    moves: list[list[int]]
    samples: list[Sample]


class Library(Protocol):
    """How a library does each thing, by its own public means."""

    def start(self, game: str) -> Any:
        """The starting position."""
        ...

    def perft(self, state: Any, depth: int) -> int:
        """The number of ways to play `depth` whole moves."""
        ...

    def reach(self, game: str, sampled: SampledGame) -> list[Any]:
        """The positions of the samples."""
        ...

    def questions(self, states: Sequence[Any]) -> list[Callable[[], Sequence[Any]]]:
        """For each state a call that lists its moves, with nothing remembered from an earlier call."""
        ...

    def playout(self, game: str, random: Callable[[], float], longest: int) -> int:
        """The length of a random game, broken off at `longest`."""
        ...


class Pushing(Protocol):
    """How a library plays a game from move text."""

    def push_texts(self, game: str, texts: Sequence[str]) -> None:
        """Play a game from the start; every move and the end of the game are checked."""
        ...


class Reading(Protocol):
    """How a library that reads game files does so."""

    def read_games(self, text: str) -> int:
        """The number of games in a PDN file, every move checked."""
        ...


class Searching(Protocol):
    """How a library that can choose a move searches for it."""

    def search(self, game: str, depth: int) -> Callable[[], int]:
        """Searches from the start to a depth, with nothing known before; gives what tells how many positions it saw."""
        ...


class Counting(Protocol):
    """What a core does by itself, in one call from Python."""

    def play_inside(self, games: int) -> int:
        """The plies of so many random games."""
        ...

    def solve(self, houses: int, seeds: int) -> tuple[int, int]:
        """What the first player makes of a board, with nothing known before, and how many positions that took."""
        ...


def pick(moves: Sequence[Any], random: Callable[[], float]) -> Any:
    """One of the moves."""
    return moves[int(random() * len(moves))]


def measure_perft(library: Library, request: dict[str, Any]) -> dict[str, Any]:
    """Leaves a second at the first depth that takes long enough to be timed, and the counts up to there."""
    counts: list[int] = []
    while True:
        state = library.start(request["game"])
        begun = process_time()
        counts.append(library.perft(state, len(counts) + 1))
        spent = process_time() - begun
        if spent >= request["seconds"]:
            return {"leaves": counts[-1] / spent, "counts": counts}


def measure_moves(library: Library, request: dict[str, Any]) -> dict[str, Any]:
    """Seconds a call, and how many moves each position has."""
    states = [state for sampled in request["games"] for state in library.reach(request["game"], sampled)]
    counts = [len(question()) for question in library.questions(states)]
    spent, calls = 0.0, 0
    while spent < request["seconds"]:
        questions = library.questions(states)
        begun = process_time()
        for question in questions:
            question()
        spent += process_time() - begun
        calls += len(questions)
    return {"seconds": spent / calls, "counts": counts}


def measure_playouts(library: Library, request: dict[str, Any]) -> dict[str, Any]:
    """Games and plies a second."""
    random = Random(request["seed"]).random
    games, plies = 0, 0
    begun = process_time()
    spent = 0.0
    while spent < request["seconds"]:
        plies += library.playout(request["game"], random, request["longest"])
        games += 1
        spent = process_time() - begun
    return {"games": games / spent, "plies": plies / spent}


def measure_text(library: Pushing, request: dict[str, Any]) -> dict[str, Any]:
    """Seconds a move of games that are played from the text of their moves."""
    spent, moves = 0.0, 0
    while spent < request["seconds"]:
        begun = process_time()
        for texts in request["texts"]:
            library.push_texts(request["game"], texts)
        spent += process_time() - begun
        moves += sum(map(len, request["texts"]))
    return {"seconds": spent / moves}


def measure_pdn(library: Reading, request: dict[str, Any]) -> dict[str, Any]:
    """Seconds a game of a PDN file, and how many games were read."""
    spent, times, games = 0.0, 0, 0
    while spent < request["seconds"]:
        begun = process_time()
        games = library.read_games(request["text"])
        spent += process_time() - begun
        times += 1
    return {"seconds": spent / times / request["games"], "counts": [games]}


def measure_search(library: Searching, request: dict[str, Any]) -> dict[str, Any]:
    """Positions a second at the first depth that takes long enough to be timed, and does so twice.

    Once is not enough: what is loaded at first, and memory that the system has to find, can take as long.
    """

    def timed(depth: int) -> tuple[float, Callable[[], int]]:
        begun = process_time()
        told = library.search(request["game"], depth)
        return process_time() - begun, told

    library.search(request["game"], 4)
    depth = 0
    while True:
        depth += 1
        spent, told = timed(depth)
        if spent >= request["seconds"]:
            spent = min(spent, timed(depth)[0])
        if spent >= request["seconds"]:
            return {"nodes": told() / spent}


def measure_inside(library: Counting, request: dict[str, Any]) -> dict[str, Any]:
    """Random games a second, the first number of them that takes long enough to be timed."""
    games, spent = 1000, 0.0
    while spent < request["seconds"]:
        games *= 2
        begun = process_time()
        library.play_inside(games)
        spent = process_time() - begun
    return {"games": games / spent}


def measure_solve(library: Counting, request: dict[str, Any]) -> dict[str, Any]:
    """Seconds to solve a board, positions in one of them, and what it is worth."""
    spent, times, nodes, worth = 0.0, 0, 0, 0
    while spent < request["seconds"]:
        begun = process_time()
        worth, searched = library.solve(*request["board"])
        spent += process_time() - begun
        times, nodes = times + 1, nodes + searched
    return {"seconds": spent / times, "nodes": nodes / spent, "counts": [worth]}


MEASURES: dict[str, Callable[[Any, dict[str, Any]], dict[str, Any]]] = {
    "perft": measure_perft,
    "moves": measure_moves,
    "playouts": measure_playouts,
    "text": measure_text,
    "pdn": measure_pdn,
    "search": measure_search,
    "inside": measure_inside,
    "solve": measure_solve,
}


def serve(library: Library) -> None:
    """Answers the request on standard input."""
    request = json.load(sys.stdin)
    json.dump(MEASURES[request["measure"]](library, request), sys.stdout)
