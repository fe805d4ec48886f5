"""List the legal moves of any variant: `python examples/list_moves.py russian "W:Wc3,e3:Bd4"`."""

from __future__ import annotations

import sys

from tablemen import TablemenError
from tablemen.draughts import Position


def main(variant: str = "international", fen: str | None = None) -> None:
    """Print the position and its moves, one per line."""
    position = Position.start(variant) if fen is None else Position.from_fen(fen, variant)
    print(position)
    for move in position.legal_moves():
        captured = f"  takes {', '.join(square.name for square in move.captured)}" if move.is_capture else ""
        print(f"{move}{captured}{'  and is crowned' if move.crowns else ''}")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:3])
    except TablemenError as error:
        sys.exit(str(error))
