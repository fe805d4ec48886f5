"""Endgame tables of the solver: built once, and stored in cache files.

A file has one layer, the positions with the same number of seeds in the houses: a header line with the rules and a
checksum, then one signed byte per position. Rules that differ only in start, swap or name share files. Files are read
and not memory-mapped, because another program may truncate them, which would end this one with SIGBUS.
"""

from __future__ import annotations

import hashlib
import math
import os
import threading
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

from tablemen._core import MancalaPosition as Position
from tablemen._core import MancalaTables
from tablemen.mancala.rules import KalahRules, MancalaRules
from tablemen.paths import cache_folder, remove_stale, write_atomically

MIN_STORED = 1 << 14  # positions: building a smaller layer is faster than reading a file

_MAGIC = b"tablemen table "
_VERSION = 1
_HEADER_SIZE = 256  # bytes


class TableWarning(UserWarning):
    """A cache file that could not be read or written. Solutions are correct nevertheless."""


def prepare_tables(
    positions: Sequence[Position],
    *,
    threads: int,
    cache: bool,
    max_size: int | None,
    on_layer: Callable[[int, int], None],
) -> MancalaTables | None:
    """Return endgame tables for solving positions of one rule set, read from files or built.

    None if the rules do not support them.

    The tables have at most `max_size` positions, a byte each. `on_layer` is called before each layer with the number of
    layers so far and the number that is planned, which the size limit may reduce.
    """
    rules = positions[0].variant
    tables = MancalaTables.of(rules)
    if tables is None:
        return None
    files = None
    planned = max(map(tables.wanted, positions))
    left = math.inf if max_size is None else max_size
    while tables.layers < planned and tables.next_size() <= left:
        left -= tables.next_size()
        on_layer(tables.layers, planned)
        if cache and files is None and tables.next_size() >= MIN_STORED:  # layers only grow
            files = _open_files(rules)
            cache = files is not None
        if files is None or not files.read_next(tables):
            tables.grow(threads=threads)
            if files is not None:
                files.write_last(tables)
    return tables


def _open_files(rules: MancalaRules) -> TablebaseCache | None:
    try:
        return TablebaseCache(rules)
    except OSError as error:
        _warn(f"tables cannot be cached: {error}")
        return None


class TablebaseCache:
    """Cache files with the layers of a rule set. Raises `OSError` if there is no cache folder."""

    def __init__(self, rules: MancalaRules) -> None:
        assert isinstance(rules, KalahRules)  # other rules have no tables
        self._rule_words = (str(rules.houses), rules.capture.name, rules.end.name, rules.rest.name)
        self._folder = cache_folder()
        self._is_writable = True

    def path(self, seeds: int) -> Path:
        """Return the path of the layer with this number of seeds."""
        return self._folder / f"{'-'.join(('kalah', *self._rule_words, str(seeds))).lower()}.table"

    def read_next(self, tables: MancalaTables) -> bool:
        """Add the next layer to the tables from its file; return False if there is no valid file."""
        path = self.path(tables.layers)
        try:
            with path.open("rb") as file:
                # Read a byte more than is expected, but not all of a large file.
                content = file.read(_HEADER_SIZE + tables.next_size() + 1)
        except FileNotFoundError:
            return False
        except OSError as error:
            _warn(f"{path} cannot be read ({error}); the table is built again")
            return False
        problem = self._find_problem(content, tables)
        if problem is None and tables.add(content, _HEADER_SIZE):
            return True
        _warn(f"{path} {problem or 'has the wrong size'}; the table is built again")
        return False

    def write_last(self, tables: MancalaTables) -> None:
        """Write the last layer of the tables to its file, atomically."""
        layer, path = tables.last(), self.path(tables.layers - 1)
        if layer is None or not self._is_writable:
            return
        try:
            _write(path, self._header(tables.layers - 1, layer) + layer)
        except OSError as error:
            self._is_writable = False
            _warn(f"tables cannot be cached in {self._folder}: {error.strerror or error}")

    def _header(self, seeds: int, layer: bytes | memoryview) -> bytes:
        checksum = hashlib.blake2b(layer, digest_size=16).hexdigest()
        line = self._title(seeds) + f"{len(layer)} {checksum}".encode()
        return line.ljust(_HEADER_SIZE - 1) + b"\n"

    def _title(self, seeds: int) -> bytes:
        return _MAGIC + f"{_VERSION} kalah {' '.join(self._rule_words)} {seeds} ".lower().encode()

    def _find_problem(self, content: bytes, tables: MancalaTables) -> str | None:
        """Return what is wrong with a file, or None."""
        title = self._title(tables.layers)
        if not content.startswith(_MAGIC):
            return "is not a table"
        if not content.startswith(title):
            return "is a table of other rules or another version"
        if len(content) != _HEADER_SIZE + tables.next_size():
            return "has the wrong size"
        layer = memoryview(content)[_HEADER_SIZE:]  # without a copy
        return None if content[:_HEADER_SIZE] == self._header(tables.layers, layer) else "is damaged"


def _write(path: Path, content: bytes) -> None:
    """Write a file atomically, so that other processes read either the old content or the new."""
    path.parent.mkdir(parents=True, exist_ok=True)
    remove_stale(path.parent, ".kalah-*.part")
    write_atomically(path, content, path.with_name(f".{path.stem}-{os.getpid()}-{threading.get_ident()}.part"))


def _warn(message: str) -> None:
    warnings.warn(message, TableWarning, stacklevel=2)
