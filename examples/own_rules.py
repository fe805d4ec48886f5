"""Run perft for custom rules: international draughts on a small board, where men capture only forward."""

from __future__ import annotations

import time
from dataclasses import replace

from tablemen.draughts import INTERNATIONAL, Position
from tablemen.draughts.rules import Direction

FORWARD_ONLY = replace(
    INTERNATIONAL,
    name="forward only",
    columns=8,
    rows=8,
    start_rows=3,
    man_captures=Direction.FORWARD_DIAGONALS,
)


def main(max_depth: int = 8) -> None:
    """Print the number of leaves at every depth, and the speed."""
    position = Position.start(FORWARD_ONLY)
    print(position)
    for depth in range(1, max_depth + 1):
        begin = time.perf_counter()
        leaves = position.perft(depth)
        seconds = time.perf_counter() - begin
        print(f"{depth:2} {leaves:>12,} leaves {leaves / seconds / 1e6:>8.1f} million a second")


if __name__ == "__main__":
    main()
