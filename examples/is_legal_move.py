"""The exercise "is this move legal": English checkers, squares 1 to 32; White moves up the board."""

from __future__ import annotations

from tablemen.exercises import is_legal_move

# The white man O on 27 can jump either of two black pieces; after the left one it can continue.
BOARD = """
      _   _   _   _      1 -  4
    _   _   _   B        5 -  8
      _   _   _   _      9 - 12
    _   _   B   _       13 - 16
      _   _   _   _     17 - 20
    _   _   B   B       21 - 24
      _   _   O   _     25 - 28
    _   _   _   _       29 - 32
"""
BLACK, WHITE, START = [8, 15, 23, 24], [27], 27


def main() -> None:
    """Print the board and test some target squares for the man."""
    print(BOARD)
    for end in (4, 11, 18, 20, 22):
        answer = "legal" if is_legal_move(BLACK, WHITE, START, end) else "not legal"
        print(f"{START} to {end} is {answer}")


if __name__ == "__main__":
    main()
