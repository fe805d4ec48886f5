"""Tables of what positions with few seeds are worth: built once, kept in files, and mapped into memory when read.

A file holds a layer, all positions with as many seeds in the houses: a line of text that says whose it is, with a
checksum, and a signed byte a position. Games that differ in their start, their swap or their name share files.
"""

from __future__ import annotations

import contextlib
import hashlib
import math
import mmap
import os
import threading
import warnings
from collections.abc import Callable
from pathlib import Path

from tablemen._core import MancalaPosition as Position
from tablemen._core import MancalaTables
from tablemen.folders import cache_folder
from tablemen.mancala.rules import KalahRules, MancalaRules

LEAST = 1 << 14  # positions: a smaller layer is built sooner than a file is read

_MAGIC = b"tablemen table "
_VERSION = 1
_HEADER = 256  # bytes


class TableWarning(UserWarning):
    """A table that could not be read or kept. What is solved is right all the same."""


def prepare_tables(
    position: Position, *, threads: int, cache: bool, most: int | None, on_layer: Callable[[int, int], None]
) -> MancalaTables | None:
    """The tables that help to solve a position, from files or built; None where there can be none.

    They hold `most` positions, a byte each. `on_layer` is told before each layer how many are there, and how many there
    will be unless they become too large.
    """
    tables = MancalaTables.of(position.variant)
    if tables is None:
        return None
    shelf = None
    wanted = tables.wanted(position)
    left = math.inf if most is None else most
    while tables.layers < wanted and tables.next_size() <= left:
        left -= tables.next_size()
        on_layer(tables.layers, wanted)
        if cache and shelf is None and tables.next_size() >= LEAST:  # layers only grow
            shelf = _open_shelf(position.variant)
            cache = shelf is not None
        if shelf is None or not shelf.fetch(tables):
            tables.grow(threads=threads)
            if shelf is not None:
                shelf.keep(tables)
    return tables


def _open_shelf(rules: MancalaRules) -> Shelf | None:
    try:
        return Shelf(rules)
    except OSError as error:
        _warn(f"tables are not kept: {error}")
        return None


class Shelf:
    """The files of a rule set. Raises `OSError` where there is no place for them."""

    def __init__(self, rules: MancalaRules) -> None:
        assert isinstance(rules, KalahRules)  # no others have tables
        self._words = (str(rules.houses), rules.capture.name, rules.end.name, rules.rest.name)
        self._folder = cache_folder()
        self._takes_more = True

    def path(self, seeds: int) -> Path:
        """The file of the layer with so many seeds."""
        return self._folder / f"{'-'.join(('kalah', *self._words, str(seeds))).lower()}.table"

    def fetch(self, tables: MancalaTables) -> bool:
        """Adds the next layer to the tables where there is a sound file of it."""
        path = self.path(tables.layers)
        try:
            with path.open("rb") as file:
                mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except FileNotFoundError:
            return False
        except (OSError, ValueError) as error:  # a ValueError where it is empty
            _warn(f"{path} cannot be read and is built anew: {error}")
            return False
        problem = self._problem(mapped, tables)
        if problem is None and tables.add(mapped, _HEADER):
            return True
        _warn(f"{path} {problem or 'has another size'} and is built anew")
        return False

    def keep(self, tables: MancalaTables) -> None:
        """Writes the last layer of the tables to its file, whole or not at all."""
        layer, path = tables.last(), self.path(tables.layers - 1)
        if layer is None or not self._takes_more:
            return
        try:
            _write(path, self._header(tables.layers - 1, layer) + layer)
        except OSError as error:
            self._takes_more = False
            _warn(f"tables are not kept in {self._folder}: {error.strerror or error}")

    def _header(self, seeds: int, layer: bytes | memoryview) -> bytes:
        checksum = hashlib.blake2b(layer, digest_size=16).hexdigest()
        line = self._title(seeds) + f"{len(layer)} {checksum}".encode()
        return line.ljust(_HEADER - 1) + b"\n"

    def _title(self, seeds: int) -> bytes:
        return _MAGIC + f"{_VERSION} kalah {' '.join(self._words)} {seeds} ".lower().encode()

    def _problem(self, mapped: mmap.mmap, tables: MancalaTables) -> str | None:
        """What is wrong with a file, in words."""
        title = self._title(tables.layers)
        if mapped[: len(_MAGIC)] != _MAGIC:
            return "is not a table"
        if mapped[: len(title)] != title:
            return "is a table of other rules or of another version"
        if len(mapped) != _HEADER + tables.next_size():
            return "has another size than it should"
        with memoryview(mapped) as whole, whole[_HEADER:] as layer:
            return None if mapped[:_HEADER] == self._header(tables.layers, layer) else "is damaged"


def _write(path: Path, content: bytes) -> None:
    """Puts a file in its place at once, so that whoever reads it finds the old one or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.stem}-{os.getpid()}-{threading.get_ident()}.part")
    try:
        part.write_bytes(content)
        part.replace(path)
    except BaseException:  # Ctrl-C too
        with contextlib.suppress(OSError):
            part.unlink()
        raise


def _warn(message: str) -> None:
    warnings.warn(message, TableWarning, stacklevel=2)
