"""Compact records of positions with the score of a search and the result of their game.

A file starts with a line of JSON: the settings of its games and the number of records. The compressed records follow,
all of the same size. A record is a packed position (`tablemen.draughts.evaluation.pack_position`) with additional bits
in its first byte: bit 0 is the side to move, bits 1 and 2 are the result for that side (0 loss, 1 draw, 2 win), and
bit 3 marks the first record of a game. The last two bytes are the score for the side to move, in hundredths of a man,
as a little-endian number.

Successive positions of a game are similar. Therefore the differences (exclusive or) between each record and the one
before it are compressed, by LZMA. An international game needs about four bytes a position.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

from tablemen.draughts import DraughtsRules
from tablemen.errors import TablemenError

FORMAT = "tablemen positions 3"
RESULT, FIRST_OF_GAME = 1, 3  # bit offsets in the first byte
SCORE_BYTES = 2


def position_size(rules: DraughtsRules) -> int:
    """Return the number of bytes of a packed position on the board of these rules."""
    return 1 + 3 * ((len(rules.mover.squares) + 7) // 8)


def record_size(rules: DraughtsRules) -> int:
    """Return the number of bytes per record on the board of these rules."""
    return position_size(rules) + SCORE_BYTES


def format_file(rules: DraughtsRules, settings: Mapping[str, object], records: bytes) -> bytes:
    """Return the content of a file with these records; the header has the variant and the settings of the games."""
    size = record_size(rules)
    header = {"form": FORMAT, "variant": rules.name, "records": len(records) // size, **settings}
    number = int.from_bytes(records, "little")
    differences = (number ^ number << 8 * size).to_bytes(len(records) + size, "little")[: len(records)]
    return json.dumps(header).encode() + b"\n" + lzma.compress(differences)


def read_settings(path: Path) -> dict[str, object]:
    """Read the settings in the header of a file, and the number of records as `records`.

    Raises `TablemenError` if the header is invalid.
    """
    with path.open("rb") as file:
        return _read_header(file, path)


def read_file(path: Path, rules: DraughtsRules) -> tuple[dict[str, object], bytes]:
    """Read a file and return its settings and records.

    Raises `TablemenError` if the file is damaged or has games of other rules.
    """
    with path.open("rb") as file:
        settings = _read_header(file, path)
        if settings.get("variant") != rules.name:
            raise TablemenError(f"{path}: expected games of {rules.name}, got {settings.get('variant')}")
        try:
            content = lzma.decompress(file.read())
        except lzma.LZMAError as error:
            raise TablemenError(f"{path}: the records are damaged: {error}") from None
    size = record_size(rules)
    if len(content) != int(str(settings.pop("records"))) * size:
        raise TablemenError(f"{path}: the number of records is wrong")
    # Sum up the differences: each step doubles the number of differences in the sums.
    number, shift = int.from_bytes(content, "little"), 8 * size
    while shift < 8 * len(content):
        number = (number ^ number << shift) & ((1 << 8 * len(content)) - 1)
        shift *= 2
    return settings, number.to_bytes(len(content), "little")


def _read_header(file: BinaryIO, path: Path) -> dict[str, object]:
    try:
        settings = json.loads(file.readline())
    except ValueError:
        settings = None
    if (
        not isinstance(settings, dict)
        or settings.pop("form", None) != FORMAT
        or not isinstance(settings.get("records"), int)
    ):
        raise TablemenError(f"{path}: not a file of positions (invalid header)")
    return settings
