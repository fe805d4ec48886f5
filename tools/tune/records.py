"""Compact records of positions with the score of a search and the result of their game.

A file starts with a line of JSON, the settings of its games; records of equal size follow. A record is a packed
position (`tablemen.draughts.evaluation.pack_position`) with additional bits in its first byte: bit 0 is the side to
move, bits 1 and 2 are the result for that side (0 loss, 1 draw, 2 win), and bit 3 marks the first record of a game. The
last two bytes are the score for the side to move, in hundredths of a man, as a little-endian number.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

from tablemen.draughts import DraughtsRules
from tablemen.errors import TablemenError

FORMAT = "tablemen positions 2"
RESULT, FIRST_OF_GAME = 1, 3  # bit offsets in the first byte
SCORE_BYTES = 2


def position_size(rules: DraughtsRules) -> int:
    """Return the number of bytes of a packed position on the board of these rules."""
    return 1 + 3 * ((len(rules.mover.squares) + 7) // 8)


def record_size(rules: DraughtsRules) -> int:
    """Return the number of bytes per record on the board of these rules."""
    return position_size(rules) + SCORE_BYTES


def write_header(file: BinaryIO, rules: DraughtsRules, settings: Mapping[str, object]) -> None:
    """Write the header: the variant and the settings of the games."""
    file.write(json.dumps({"form": FORMAT, "variant": rules.name, **settings}).encode() + b"\n")


def read_settings(path: Path) -> dict[str, object]:
    """Read the settings in the header of a file. Raises `TablemenError` if the header is invalid."""
    with path.open("rb") as file:
        return _read_header(file, path)


def read_file(path: Path) -> tuple[dict[str, object], bytes]:
    """Read a file and return its settings and records. Raises `TablemenError` if the header is invalid."""
    with path.open("rb") as file:
        return _read_header(file, path), file.read()


def _read_header(file: BinaryIO, path: Path) -> dict[str, object]:
    try:
        settings = json.loads(file.readline())
    except ValueError:
        settings = None
    if not isinstance(settings, dict) or settings.pop("form", None) != FORMAT:
        raise TablemenError(f"{path}: not a file of positions (invalid header)")
    return settings
