"""The exercise "valid draughts moves": draw a board, ask whose turn it is, get every turn as text."""

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
    """Draw the board and write the turns of both sides."""
    print(BOARD)
    for player in Side:
        print(f"{player} can play {', '.join(valid_turns(BOARD, player))}")


if __name__ == "__main__":
    main()
