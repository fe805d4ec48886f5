"""The exercise "valid draughts moves": list the turns of a side on a drawn board as text."""

from __future__ import annotations

from tablemen import Side
from tablemen.exercises import valid_turns

BOARD = """
 K . . . .
. b . . .
 . . b . .
. . . . b
 . . . b .
. . . w .
 . . . . b
. . w b w
 . . . . .
. B w . .
"""


def main() -> None:
    """Print the board and the turns of both sides."""
    print(BOARD)
    for player in Side:
        print(f"{player} can play {', '.join(valid_turns(BOARD, player))}")


if __name__ == "__main__":
    main()
