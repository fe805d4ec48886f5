"""Compact records of positions with the result of their game.

A file starts with a line of JSON, the settings of its games; records of equal size follow. A record is a packed
position (`tablemen.draughts.evaluation.pack_position`) with additional bits in its first byte: bit 0 is the side to
move, bits 1 and 2 are the result for that side (0 loss, 1 draw, 2 win), and bit 3 marks the first record of a game.
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

FORMAT = "tablemen positions 1"
RESULT, FIRST_OF_GAME = 1, 3  # bit offsets in the first byte


def record_size(rules: DraughtsRules) -> int:
    """Return the number of bytes per record on the board of these rules."""
    return 1 + 3 * ((len(rules.mover.squares) + 7) // 8)


def write_header(file: BinaryIO, rules: DraughtsRules, settings: Mapping[str, object]) -> None:
    """Write the header: the variant and the settings of the games."""
    file.write(json.dumps({"form": FORMAT, "variant": rules.name, **settings}).encode() + b"\n")


def game_records(positions: list[Position], winner: Side | None) -> bytes:
    """Return the records of a game."""
    return b"".join(_records(positions, winner))


def _records(positions: list[Position], winner: Side | None) -> Iterator[bytes]:
    for number, position in enumerate(positions):
        packed = pack_position(position)
        result = 1 if winner is None else 2 * (winner is position.turn)
        yield bytes([packed[0] | result << RESULT | (number == 0) << FIRST_OF_GAME]) + packed[1:]


def read_file(path: Path) -> tuple[dict[str, object], bytes]:
    """Read a file and return its settings and records.

    Raises `TablemenError` if the header is invalid.
    """
    with path.open("rb") as file:
        line = file.readline()
        try:
            settings = json.loads(line)
        except ValueError:
            settings = None
        if not isinstance(settings, dict) or settings.pop("form", None) != FORMAT:
            raise TablemenError(f"{path}: not a file of positions (invalid header)")
        return settings, file.read()
