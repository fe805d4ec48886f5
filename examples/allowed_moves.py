"""The exercise "allowed moves": checkers on a board of any size; a move is a list of squares (row, column)."""

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
CROWNED_DURING_CAPTURE = [
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
    """Print two boards and their moves."""
    for board, color in ((CHOICE, "b"), (CROWNED_DURING_CAPTURE, "w")):
        print("\n".join(board))
        for move in allowed_moves(board, color):
            print(f"{color}: {' -> '.join(map(str, move))}")
        print()


if __name__ == "__main__":
    main()
