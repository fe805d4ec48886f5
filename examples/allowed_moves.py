"""The exercise "allowed moves": checkers on a board of any size, moves as the squares visited, (row, column)."""

from __future__ import annotations

from tablemen.exercises import allowed_moves

CHOICE = [
    "________",
    "__b_____",
    "_w_w____",
    "________",
    "_w______",
    "_____b__",
    "____w___",
    "___w____",
]
CROWNED_ON_ITS_WAY = [
    "________",
    "__b_b___",
    "_w______",
    "______b_",
    "_______b",
    "________",
    "________",
    "________",
]


def main() -> None:
    """Draw two boards and write their moves."""
    for board, color in ((CHOICE, "b"), (CROWNED_ON_ITS_WAY, "w")):
        print("\n".join(board))
        for move in allowed_moves(board, color):
            print(f"{color}: {' -> '.join(map(str, move))}")
        print()


if __name__ == "__main__":
    main()
