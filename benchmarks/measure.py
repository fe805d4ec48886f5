"""Run every measurement of every library, in interleaved rounds, so that load on the machine affects all of them."""

from __future__ import annotations

import sys
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from benchmarks.cases import CASES, GROUPS, MAX_PLIES, PDN_GAMES, SEED, Case
from benchmarks.game_files import sample_file, sample_texts
from benchmarks.libraries import OURS, PEERS, Library, LibraryError
from benchmarks.positions import sample_games


@dataclass
class Results:
    """The best value of all rounds, by case and library."""

    values: dict[str, dict[str, float]] = field(default_factory=dict)
    counts: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)

    def add(self, key: str, library: str, value: float) -> None:
        """Record the value if it is the best so far."""
        best, values = max if CASES[key].more_is_better else min, self.values.setdefault(key, {})
        values[library] = best(value, values.get(library, value))

    def ratio(self, key: str, library: str) -> float:
        """Return how many times better tablemen is."""
        ours, theirs = self.values[key][OURS.name], self.values[key][library]
        return ours / theirs if CASES[key].more_is_better else theirs / ours


def measure(rounds: int, seconds: float, groups: Collection[str] = GROUPS) -> Results:
    """Measure all cases of the groups, each for at least `seconds`. Raises `LibraryError` if tablemen fails."""
    results = Results()
    # Cases that are parts of one result are measured together.
    grouped: dict[tuple[object, ...], dict[str, str]] = {}
    for key, case in CASES.items():
        if case.group in groups:
            grouped.setdefault((case.measure, case.game, case.board), {})[case.part] = key
    for number in range(rounds):
        print(f"round {number + 1} of {rounds} …", file=sys.stderr)
        for parts in grouped.values():
            case = CASES[next(iter(parts.values()))]
            for library in (OURS, *PEERS):
                if case.is_measured(library):
                    measure_case(library, case, parts, seconds, results)
    return results


def measure_case(library: Library, case: Case, parts: dict[str, str], seconds: float, results: Results) -> None:
    """Measure a library and add the result, unless the library has failed before.

    If another library fails, the error is recorded; if tablemen fails, it is raised.
    """
    if library.name in results.missing:
        return
    try:
        result = run_case(library, case, seconds)
    except LibraryError as error:
        if library is OURS:
            raise
        results.missing[library.name] = str(error)
        return
    for part, key in parts.items():
        results.add(key, library.name, result[part])
        if "counts" in result:
            results.counts.setdefault(key, {})[library.name] = result["counts"]


def run_case(library: Library, case: Case, seconds: float) -> dict[str, Any]:
    """Run the measurement and return its result."""
    match case.measure:
        case "import":
            return {"seconds": library.import_seconds()}
        case "size":
            return library.size()
    more: dict[str, Any] = {"seconds": seconds}
    match case.measure:
        case "moves":
            more["games"] = samples(str(case.game))
        case "playouts":
            more |= {"seed": SEED, "max_plies": MAX_PLIES}
        case "text":
            more["texts"] = move_texts()
        case "pdn":
            more |= {"text": game_file(), "games": PDN_GAMES}
    return library.request(case.request | more)


samples = cache(sample_games)


@cache
def move_texts() -> list[list[str]]:
    """Return the games to play from move text."""
    return sample_texts(PDN_GAMES)


@cache
def game_file() -> str:
    """Return the PDN file to read."""
    return sample_file(PDN_GAMES)
