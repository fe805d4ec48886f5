"""The pieces of draughts."""

from __future__ import annotations

from dataclasses import dataclass

from tablemen.named import Named
from tablemen.outcome import Side


class Kind(Named):
    """A man or a king."""

    MAN = "man"
    KING = "king"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Piece:
    """A man or a king of a side.

    >>> str(Piece(Side.WHITE, Kind.KING))
    'W'
    """

    side: Side
    kind: Kind

    def __str__(self) -> str:
        letter = "w" if self.side is Side.WHITE else "b"
        return letter.upper() if self.kind is Kind.KING else letter
