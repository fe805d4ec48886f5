"""Weights in files: `NAME.weights`, a text, and beside it `NAME.patterns` where there are patterns.

The second file begins with `tablemen patterns 1` and a newline; then come the checksum (CRC-32, four bytes, the lowest
first) of what follows when unpacked, and this, packed by zlib: the tables of all patterns in the order of the text.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path

from tablemen.draughts.rules import DraughtsRules
from tablemen.draughts.weights.model import Weights
from tablemen.draughts.weights.text import format_weights, parse_weights
from tablemen.errors import NotationError, TablemenError

MAGIC = b"tablemen patterns 1\n"
CHECKSUM = 4  # bytes


def write_weights(weights: Weights, rules: DraughtsRules, path: Path) -> None:
    """Write a file of weights, and one beside it for the pattern tables if there are some."""
    path.write_text(format_weights(weights, rules), encoding="utf-8", newline="\n")
    if weights.patterns:
        tables = b"".join(pattern.table for pattern in weights.patterns)
        checksum = zlib.crc32(tables).to_bytes(CHECKSUM, "little")
        path.with_suffix(".patterns").write_bytes(MAGIC + checksum + zlib.compress(tables, 9))


def read_weights(path: Path, rules: DraughtsRules) -> Weights:
    """Read the weights of a file.

    Raises `TablemenError`, with the name of the file and the error, if it is damaged or for other rules.
    """
    try:
        text = path.read_text(encoding="utf-8")
        sizes = [len(line.split()) - 1 for line in text.splitlines() if line.split()[:1] == ["pattern"]]
        return parse_weights(text, rules, list(_tables(path.with_suffix(".patterns"), sizes)) if sizes else ())
    except NotationError as error:
        raise NotationError(f"{path.name}: {error.problem}", error.text, line=error.line) from None
    except UnicodeDecodeError as error:
        raise TablemenError(f"{path.name} is no text: {error}") from None


def _tables(path: Path, sizes: list[int]) -> Iterator[bytes]:
    """Yield the tables of patterns with these numbers of squares."""
    data = path.read_bytes()
    if not data.startswith(MAGIC):
        raise TablemenError(f"{path.name} does not begin with {MAGIC.decode().strip()!r}")
    checksum, packed = data[len(MAGIC) :][:CHECKSUM], data[len(MAGIC) + CHECKSUM :]
    try:
        tables = zlib.decompress(packed)
    except zlib.error as error:
        raise TablemenError(f"{path.name} cannot be unpacked: {error}") from None
    if zlib.crc32(tables).to_bytes(CHECKSUM, "little") != checksum:
        raise TablemenError(f"{path.name} was damaged: its checksum is another")
    expected = sum(4 * 3**size for size in sizes)
    if len(tables) != expected:
        raise TablemenError(f"{path.name} has {len(tables)} bytes of weights, not {expected}")
    for size in sizes:
        table, tables = tables[: 4 * 3**size], tables[4 * 3**size :]
        yield table
