"""Neural networks that evaluate positions, and their files.

A network has one hidden layer. Its inputs are the pieces from the point of view of a side: own men, own kings, enemy
men and enemy kings on each relative square (see `tablemen.draughts.weights.relative_squares`). The sums of the hidden
layer are computed from the point of view of the side to move and from that of the opponent, with the same weights,
limited to the range from 0 to 1, and squared. The output is their weighted sum, with weights that depend on the number
of pieces (output buckets).

A file is `NAME.network`. It begins with a text::

    tablemen network 1
    variant english
    made from 20000 games
    full 24
    hidden 256
    buckets 8
    scale 65536
    weights 66000

`made` lines document the origin of the weights: a key and a value. `weights` is the last line of the text and has the
number of bytes that follow. These are a checksum (CRC-32, four bytes, little-endian), and, compressed by zlib, the
lower bytes and then the upper bytes of all weights of 16 bits (the columns of the hidden layer, its biases, the output
weights), then the output biases as little-endian numbers of 32 bits. The checksum is that of the uncompressed bytes.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

from tablemen import _core
from tablemen.draughts.rules import DraughtsRules
from tablemen.draughts.weights import relative_squares
from tablemen.errors import TablemenError

__all__ = ["Network", "read_network", "write_network"]

HEADER = "tablemen network 1"
PLANES = 4  # own men, own kings, enemy men, enemy kings
INPUT_UNIT = 255  # stands for 1 in the hidden layer
MAX_OUTPUT_WEIGHT = 128
SCALE_UNIT = 2**32
CHECKSUM_SIZE = 4  # bytes
LAST_LINE = "weights"
# The lines with a number, and its maximum.
NUMBERS = {"full": 1024, "hidden": 1024, "buckets": 64, "scale": 2**31, LAST_LINE: 2**31}


@dataclass(frozen=True, kw_only=True)
class Network:
    """The weights of a network, as little-endian numbers.

    The value of a position is its output times `scale` / 2**32, in hundredths of a man. In the hidden layer 255 stands
    for 1, so the output is a sum of output weights (at most ±128) times squares of up to 255.
    """

    full: int  # with this number of pieces or more, the last output bucket is used
    hidden: int  # the size of the hidden layer, a multiple of 128
    input: bytes  # 16 bits: for each input a column of `hidden` weights
    input_bias: bytes  # 16 bits
    output: bytes  # 16 bits: for each bucket the weights for the side to move, then those for the opponent
    output_bias: bytes  # 32 bits, one for each bucket
    scale: int
    origin: Mapping[str, str] = field(default_factory=dict)  # how the weights were made: documentation only

    @property
    def buckets(self) -> int:
        """The number of output buckets."""
        return len(self.output_bias) // 4

    def compile(self, rules: DraughtsRules) -> _core.Evaluation:
        """Return the compiled form for searches. Raises `TablemenError` if the weights do not fit the board."""
        return _core.Evaluation.network(
            rules,
            full=self.full,
            hidden=self.hidden,
            input=self.input,
            input_bias=self.input_bias,
            output=self.output,
            output_bias=self.output_bias,
            scale=self.scale,
        )


def write_network(network: Network, rules: DraughtsRules, path: Path) -> None:
    """Write a file."""
    small = network.input + network.input_bias + network.output
    weights = small[::2] + small[1::2] + network.output_bias
    body = zlib.crc32(weights).to_bytes(CHECKSUM_SIZE, "little") + zlib.compress(weights, 9)
    lines = [HEADER, f"variant {rules.name}"]
    lines += [f"made {key} {value}" for key, value in network.origin.items()]
    lines += [f"{name} {getattr(network, name)}" for name in NUMBERS if name != LAST_LINE]
    lines.append(f"{LAST_LINE} {len(body)}")
    path.write_bytes("".join(f"{line}\n" for line in lines).encode() + body)


def read_network(path: Path, rules: DraughtsRules) -> Network:
    """Read a file.

    Raises `TablemenError`, with the name of the file, if the file is damaged or has a network for other rules.
    """
    try:
        return _parse(path.read_bytes(), rules)
    except _FileError as error:
        raise TablemenError(f"{path.name}: {error}") from None


class _FileError(Exception):
    """The file is invalid; the message says why."""


@dataclass
class _Header:
    """The lines before the weights."""

    numbers: dict[str, int] = field(default_factory=dict)
    origin: dict[str, str] = field(default_factory=dict)
    variant: str | None = None

    def add(self, line: str) -> None:
        """Parse a line."""
        name, _, rest = line.partition(" ")
        if name == "made":
            key, _, value = rest.partition(" ")
            self.origin[key] = value
        elif name == "variant":
            self.variant = rest
        elif name not in NUMBERS:
            raise _FileError(f"unknown line {line!r}")
        elif not (rest.isdecimal() and rest.isascii() and 1 <= int(rest) <= NUMBERS[name]):
            raise _FileError(f"expected a whole number from 1 to {NUMBERS[name]} after {name!r}, got {rest!r}")
        else:
            self.numbers[name] = int(rest)

    def check(self, rules: DraughtsRules) -> None:
        """Raise `_FileError` if a line is missing, or the variant is another one."""
        if self.variant != rules.name:
            raise _FileError(f"expected a network for {rules.name}, got one for {self.variant}")
        for name in NUMBERS:
            if name not in self.numbers:
                raise _FileError(f"the line `{name}` is missing")


def _split(data: bytes) -> tuple[_Header, bytes]:
    """Return the header and the bytes after it."""
    first, _, rest = data.partition(b"\n")
    if first != HEADER.encode():
        raise _FileError(f"the first line must be `{HEADER}`")
    header = _Header()
    while LAST_LINE not in header.numbers:
        line, end, rest = rest.partition(b"\n")
        if not end:
            raise _FileError(f"the line `{LAST_LINE}` is missing")
        header.add(line.decode(errors="replace"))
    return header, rest


def _parse(data: bytes, rules: DraughtsRules) -> Network:
    header, body = _split(data)
    header.check(rules)
    numbers = header.numbers
    if len(body) != numbers[LAST_LINE]:
        raise _FileError(f"damaged: expected {numbers[LAST_LINE]} bytes of weights, got {len(body)}")
    hidden, buckets = numbers["hidden"], numbers["buckets"]
    sizes = [2 * PLANES * len(relative_squares(rules)) * hidden, 2 * hidden, 4 * buckets * hidden]
    half = sum(sizes) // 2
    weights = _decompress(body, 2 * half + 4 * buckets)
    small = bytearray(2 * half)
    small[::2], small[1::2] = weights[:half], weights[half : 2 * half]
    parts = BytesIO(small)
    return Network(
        full=numbers["full"],
        hidden=hidden,
        input=parts.read(sizes[0]),
        input_bias=parts.read(sizes[1]),
        output=parts.read(sizes[2]),
        output_bias=weights[2 * half :],
        scale=numbers["scale"],
        origin=header.origin,
    )


def _decompress(body: bytes, size: int) -> bytes:
    """Return the uncompressed weights, which must have this number of bytes."""
    checksum, packed = body[:CHECKSUM_SIZE], body[CHECKSUM_SIZE:]
    decompressor = zlib.decompressobj()
    try:
        weights = decompressor.decompress(packed, size + 1)
    except zlib.error:
        raise _FileError("damaged: the weights cannot be decompressed") from None
    if len(weights) != size:
        raise _FileError(f"damaged: expected {size} bytes of uncompressed weights")
    if zlib.crc32(weights).to_bytes(CHECKSUM_SIZE, "little") != checksum:
        raise _FileError("damaged: the checksum of the weights is wrong")
    return weights
