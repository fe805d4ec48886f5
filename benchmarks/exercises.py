"""`python -m benchmarks.exercises`: time each exercise function, from board text to move texts."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

from tablemen import Side
from tablemen.draughts import INTERNATIONAL, VARIANTS, Position
from tablemen.draughts.notation import format_grid, format_rows
from tablemen.exercises import allowed_moves, is_legal_move, valid_turns

GRID = format_grid(Position.start(INTERNATIONAL))
ROWS = format_rows(Position.start(VARIANTS["interview"]))
BLACK, WHITE = range(1, 13), range(21, 33)

CALLS: dict[str, Callable[[], object]] = {
    "valid_turns": lambda: valid_turns(GRID, Side.WHITE),
    "is_legal_move": lambda: is_legal_move(BLACK, WHITE, 22, 18),
    "allowed_moves": lambda: allowed_moves(ROWS, "b"),
}


def measure_exercises(rounds: int, seconds: float) -> dict[str, float]:
    """Return the seconds per call on the start position, best of all rounds."""
    return {name: min(_seconds_per_call(call, seconds) for _ in range(rounds)) for name, call in CALLS.items()}


def _seconds_per_call(call: Callable[[], object], seconds: float) -> float:
    calls, spent = 100, 0.0
    while spent < seconds:
        calls *= 2
        begun = process_time()
        for _ in range(calls):
            call()
        spent = process_time() - begun
    return spent / calls


def format_exercises(values: dict[str, float]) -> str:
    """Return one line per exercise."""
    lines = [f"{name:<14} {value * 1e6:5.1f}" for name, value in values.items()]
    return "\n".join(["exercises, start position, board text to move texts (µs per call)", *lines])


if __name__ == "__main__":
    print(format_exercises(measure_exercises(5, 0.2)))
