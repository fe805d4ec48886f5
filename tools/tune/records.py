"""Positions with the result of their game, in few bytes.

A file begins with a line of JSON that tells how its games were played; then come records of one size. A record is a
packed position (`tablemen.draughts.evaluation.pack_position`) whose first byte has more to tell: bit 0 is the side to
move, bits 1 and 2 what it came to for that side (0 lost, 1 drawn, 2 won), bit 3 whether a game begins here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

from tablemen.draughts import DraughtsRules, Position
from tablemen.draughts.evaluation import pack_position
from tablemen.errors import TablemenError
from tablemen.outcome import Side

FORM = "tablemen positions 1"
RESULT, BEGINS = 1, 3  # where they are in the first byte


def record_size(rules: DraughtsRules) -> int:
    """The bytes of a record on the board of these rules."""
    return 1 + 3 * ((len(rules.mover.squares) + 7) // 8)


def write_head(file: BinaryIO, rules: DraughtsRules, how: Mapping[str, object]) -> None:
    """Begin a file: which variant was played, and how."""
    file.write(json.dumps({"form": FORM, "variant": rules.name, **how}).encode() + b"\n")


def game_records(positions: list[Position], winner: Side | None) -> bytes:
    """The records of a game."""
    return b"".join(_records(positions, winner))


def _records(positions: list[Position], winner: Side | None) -> Iterator[bytes]:
    for number, position in enumerate(positions):
        packed = pack_position(position)
        result = 1 if winner is None else 2 * (winner is position.turn)
        yield bytes([packed[0] | result << RESULT | (number == 0) << BEGINS]) + packed[1:]


def read_file(path: Path) -> tuple[dict[str, object], bytes]:
    """How the games of a file were played, and its records.

    Raises `TablemenError` where it is no such file.
    """
    with path.open("rb") as file:
        line = file.readline()
        try:
            how = json.loads(line)
        except ValueError:
            how = None
        if not isinstance(how, dict) or how.pop("form", None) != FORM:
            raise TablemenError(f"{path} does not begin like a file of positions")
        return how, file.read()
