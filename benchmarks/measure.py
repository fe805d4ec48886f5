"""Every measurement of every library, in rounds that take turns, so that a busy minute falls on all of them."""

from __future__ import annotations

import sys
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from benchmarks.game_files import sample_file, sample_texts
from benchmarks.libraries import OURS, PEERS, Library, LibraryError
from benchmarks.positions import sample_games
from benchmarks.rows import GROUPS, LONGEST, PDN_GAMES, ROWS, SEED, Row


@dataclass
class Results:
    """What came out, by row and library; the best of the rounds."""

    values: dict[str, dict[str, float]] = field(default_factory=dict)
    counts: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)

    def add(self, key: str, library: str, value: float) -> None:
        """Keeps the value if it is the best so far."""
        best, values = max if ROWS[key].more_is_better else min, self.values.setdefault(key, {})
        values[library] = best(value, values.get(library, value))

    def ratio(self, key: str, library: str) -> float:
        """How many times better ours is."""
        ours, theirs = self.values[key][OURS.name], self.values[key][library]
        return ours / theirs if ROWS[key].more_is_better else theirs / ours


def measure(rounds: int, seconds: float, groups: Collection[str] = GROUPS) -> Results:
    """All rows of the groups, each timing over `seconds` or more. Raises `LibraryError` where ours fails."""
    results = Results()
    # Rows that are parts of one answer are asked for once.
    together: dict[tuple[object, ...], dict[str, str]] = {}
    for key, row in ROWS.items():
        if row.group in groups:
            together.setdefault((row.measure, row.game, row.board), {})[row.part] = key
    for number in range(rounds):
        print(f"round {number + 1} of {rounds} …", file=sys.stderr)
        for parts in together.values():
            row = ROWS[next(iter(parts.values()))]
            for library in (OURS, *PEERS):
                if row.is_measured(library):
                    perform(library, row, parts, seconds, results)
    return results


def perform(library: Library, row: Row, parts: dict[str, str], seconds: float, results: Results) -> None:
    """Adds what the library comes to, unless it has failed before. That a peer fails is a result; ours must not."""
    if library.name in results.missing:
        return
    try:
        answer = answered(library, row, seconds)
    except LibraryError as error:
        if library is OURS:
            raise
        results.missing[library.name] = str(error)
        return
    for part, key in parts.items():
        results.add(key, library.name, answer[part])
        if "counts" in answer:
            results.counts.setdefault(key, {})[library.name] = answer["counts"]


def answered(library: Library, row: Row, seconds: float) -> dict[str, Any]:
    """What the library's program says."""
    match row.measure:
        case "import":
            return {"seconds": library.import_seconds()}
        case "size":
            return library.size()
    more: dict[str, Any] = {"seconds": seconds}
    match row.measure:
        case "moves":
            more["games"] = samples(str(row.game))
        case "playouts":
            more |= {"seed": SEED, "longest": LONGEST}
        case "text":
            more["texts"] = move_texts()
        case "pdn":
            more |= {"text": game_file(), "games": PDN_GAMES}
    return library.ask(row.request | more)


samples = cache(sample_games)


@cache
def move_texts() -> list[list[str]]:
    """The games that are played from the text of their moves."""
    return sample_texts(PDN_GAMES)


@cache
def game_file() -> str:
    """The file that is read."""
    return sample_file(PDN_GAMES)
