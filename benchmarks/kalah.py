"""`python -m benchmarks.kalah`: random games, counts and solving of Kalah inside the core, beside a native program."""

from __future__ import annotations

from dataclasses import replace
from time import process_time

from benchmarks.table import align, format_number
from tablemen.mancala import KALAH, Position, solve

# Random games a CPU-second of an untuned C++ program on one thread of a present-day server.
NATIVE_GAMES = 1.0e6
GAMES, DEPTH = 50_000, 9  # how much is timed at least
SOLVED = replace(KALAH, name="solved", houses=5, seeds=4)


def measure_kalah(rounds: int, seconds: float) -> dict[str, float]:
    """Games, plies and leaves a CPU-second from the start of the game, and solving; the best of the rounds."""
    best = {"games": 0.0, "plies": 0.0, "leaves": 0.0, "native games": NATIVE_GAMES}
    for _ in range(rounds):
        for name, rate in {**measure_games(seconds), "leaves": measure_leaves(seconds)}.items():
            best[name] = max(best[name], rate)
    return best | measure_solving(rounds)


def measure_games(seconds: float) -> dict[str, float]:
    """Random games and their plies a CPU-second."""
    start, games, plies, begun = Position.start("kalah"), 0, 0, process_time()
    while (spent := process_time() - begun) < seconds or not games:
        plies += sum(start.random_playouts(GAMES, seed=games).lengths)
        games += GAMES
    return {"games": games / spent, "plies": plies / spent}


def measure_leaves(seconds: float) -> float:
    """Leaves of the tree of moves a CPU-second."""
    start, leaves, begun = Position.start("kalah"), 0, process_time()
    while (spent := process_time() - begun) < seconds or not leaves:
        leaves += start.perft(DEPTH)
    return leaves / spent


def measure_solving(rounds: int) -> dict[str, float]:
    """CPU-seconds for a whole game with five houses and four seeds, tables included, and positions searched in one."""
    seconds, rate = float("inf"), 0.0
    for _ in range(rounds):
        begun = process_time()
        nodes = solve(Position.start(SOLVED), each_move=False, cache=False).nodes
        spent = process_time() - begun
        seconds, rate = min(seconds, spent), max(rate, nodes / spent)
    return {"solve seconds": seconds, "solve nodes": rate}


def format_kalah(results: dict[str, float]) -> str:
    """The results as a table."""
    games, native = results["games"], results["native games"]
    lines = [
        ["kalah, one thread", "ours", "native program", "ratio"],
        ["random games, M games/s", format_number(games / 1e6), format_number(native / 1e6), f"{games / native:.2f}"],
        ["random games, M plies/s", format_number(results["plies"] / 1e6), "-", "-"],
        ["perft, M leaves/s", format_number(results["leaves"] / 1e6), "-", "-"],
        ["solving, M positions/s", format_number(results["solve nodes"] / 1e6), "-", "-"],
        ["solving 5 houses, 4 seeds, s", format_number(results["solve seconds"]), "-", "-"],
    ]
    return "\n".join(align(lines))


if __name__ == "__main__":
    print(format_kalah(measure_kalah(5, 0.5)))
