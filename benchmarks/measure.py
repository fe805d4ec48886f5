"""Every measurement of every library, in rounds that take turns, so that a busy minute falls on all of them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from benchmarks.game_files import sample_file
from benchmarks.libraries import OURS, PEER_LIBRARIES, Library, LibraryError
from benchmarks.positions import sample_games

LONGEST = 150  # plies of a random game
SEED = 1
GAMES = ("international", "english", "kalah")
PDN_GAME, PDN_GAMES = "international", 10  # which game files are read, and how many games they have


@dataclass(frozen=True)
class Row:
    """A line of the table: what is measured, with which game if any, in which unit, and whether more is better."""

    what: str
    unit: str
    scale: float
    more_is_better: bool
    game: str | None = None

    @property
    def title(self) -> str:
        """What is measured, and with which game."""
        return f"{self.what}, {self.game}" if self.game else self.what


ROWS = {
    **{f"perft {game}": Row("perft", "M leaves/s", 1e-6, more_is_better=True, game=game) for game in GAMES},
    **{f"moves {game}": Row("legal moves", "µs/call", 1e6, more_is_better=False, game=game) for game in GAMES},
    **{
        f"{unit} {game}": Row("random playouts", f"{unit}/s", 1, more_is_better=True, game=game)
        for game in GAMES
        for unit in ("games", "plies")
    },
    "pdn international": Row("PDN, every move checked", "µs/game", 1e6, more_is_better=False, game="international"),
    "import": Row("import", "ms", 1e3, more_is_better=False),
    "size": Row("installed size, alone", "MB", 1e-6, more_is_better=False),
    "size with needs": Row("installed size, with dependencies", "MB", 1e-6, more_is_better=False),
}


@dataclass
class Results:
    """What came out, by row and library; the best of the rounds."""

    values: dict[str, dict[str, float]] = field(default_factory=lambda: {key: {} for key in ROWS})
    counts: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)

    def add(self, key: str, library: str, value: float) -> None:
        """Keeps the value if it is the best so far."""
        best = max if ROWS[key].more_is_better else min
        self.values[key][library] = best(value, self.values[key].get(library, value))

    def ratio(self, key: str, library: str) -> float:
        """How many times better ours is."""
        ours, theirs = self.values[key][OURS.name], self.values[key][library]
        return ours / theirs if ROWS[key].more_is_better else theirs / ours

    def ratios(self) -> dict[str, dict[str, float]]:
        """Every ratio there is, by row and library."""
        return {
            key: {name: self.ratio(key, name) for name in values if name != OURS.name}
            for key, values in self.values.items()
        }


Task = Callable[[Results], None]


def measure(rounds: int, seconds: float) -> Results:
    """All that can be measured, each timing over `seconds` or more. Raises `LibraryError` where ours fails."""
    results = Results()
    samples = {game: sample_games(game) for game in GAMES}
    libraries = (OURS, *PEER_LIBRARIES)
    for number in range(rounds):
        print(f"round {number + 1} of {rounds} …", file=sys.stderr)
        for library, task in tasks(libraries, samples, seconds):
            perform(library, task, results)
    return results


def perform(library: Library, task: Task, results: Results) -> None:
    """Does the task, unless the library has failed before. That a peer fails is a result; that ours fails is raised."""
    if library.name in results.missing:
        return
    try:
        task(results)
    except LibraryError as error:
        if library is OURS:
            raise
        results.missing[library.name] = str(error)


def tasks(libraries: Sequence[Library], samples: dict[str, Any], seconds: float) -> Iterator[tuple[Library, Task]]:
    """The measurements of a round; the libraries take turns within each."""
    for library in libraries:
        yield library, partial(measure_import, library)
    for game in GAMES:
        common = {"game": game, "seconds": seconds}
        requests: tuple[tuple[dict[str, Any], dict[str, str]], ...] = (
            ({"measure": "perft", **common}, {"leaves": f"perft {game}"}),
            ({"measure": "moves", "games": samples[game], **common}, {"seconds": f"moves {game}"}),
            (
                {"measure": "playouts", "seed": SEED, "longest": LONGEST, **common},
                {what: f"{what} {game}" for what in ("games", "plies")},
            ),
        )
        if game == PDN_GAME:
            file = {"measure": "pdn", "text": sample_file(PDN_GAMES), "games": PDN_GAMES, **common}
            requests += ((file, {"seconds": f"pdn {game}"}),)
        for request, keys in requests:
            for library in libraries:
                if game in library.games:
                    yield library, partial(measure_answer, library, request, keys)
    for library in libraries:
        yield library, partial(measure_size, library)


def measure_import(library: Library, results: Results) -> None:
    """Adds the time of an import."""
    results.add("import", library.name, library.import_seconds())


def measure_size(library: Library, results: Results) -> None:
    """Adds the size on disk."""
    size = library.size()
    results.add("size", library.name, size["own"])
    results.add("size with needs", library.name, size["all"])


def measure_answer(library: Library, request: dict[str, Any], keys: dict[str, str], results: Results) -> None:
    """Adds the named parts of what the library's program answers."""
    answer = library.ask(request)
    for part, key in keys.items():
        results.add(key, library.name, answer[part])
        if "counts" in answer:
            results.counts.setdefault(key, {})[library.name] = answer["counts"]
