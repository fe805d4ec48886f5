"""The benchmark cases, one for each row of the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from benchmarks.libraries import OURS, Library

MAX_PLIES = 150  # plies per random game
SEED = 1
GAMES = ("international", "english", "kalah")
ONLY_OURS = ("frisian", "russian", "brazilian", "italian", "canadian", "turkish")  # no other library here counts these
SEARCH_ONLY_OURS = ("frisian", "russian", "turkish")
BOARDS = ((4, 3), (4, 4), (5, 3), (5, 4), (6, 3))
BASELINE_BOARDS = ((4, 3), (4, 4), (5, 3))  # on the other boards the baseline takes minutes, or too much memory
PDN_GAMES = 10  # games in the PDN file


@dataclass(frozen=True)
class Case:
    """A row of the table: what is measured, the game (if any) and the unit."""

    group: str  # the name for `--only`
    measure: str  # the measurement that a worker is asked to make
    part: str  # the key of the value in the worker's result
    what: str
    unit: str
    scale: float
    game: str | None = None
    board: tuple[int, int] | None = None

    @property
    def more_is_better(self) -> bool:
        """Whether the value is a rate."""
        return self.unit.endswith("/s")

    @property
    def title(self) -> str:
        """The measurement and the game."""
        if self.board is not None:
            return f"{self.what}, {self.board[0]} houses, {self.board[1]} seeds"
        return f"{self.what}, {self.game}" if self.game else self.what

    @property
    def request(self) -> dict[str, Any]:
        """The request for a worker, without the fields that are the same for all cases."""
        return {"measure": self.measure, "game": self.game, "board": self.board}

    def is_measured(self, library: Library) -> bool:
        """Return whether the library can be measured."""
        if self.board is not None and self.board not in BASELINE_BOARDS:
            return library is OURS
        return library.measures(self.measure, self.game)


def list_cases() -> dict[str, Case]:
    """Return the cases by key, in the order of the table."""
    cases: dict[str, Case] = {}
    for game in (*GAMES[:2], *ONLY_OURS, "kalah"):
        group = "kalah" if game == "kalah" else "draughts"
        cases[f"perft {game}"] = Case(group, "perft", "leaves", "perft", "M leaves/s", 1e-6, game)
    for game in GAMES:
        group = "kalah" if game == "kalah" else "draughts"
        cases[f"moves {game}"] = Case(group, "moves", "seconds", "legal moves", "µs/call", 1e6, game)
        for part in ("games", "plies"):
            cases[f"{part} {game}"] = Case(group, "playouts", part, "random games", f"{part}/s", 1, game)
    cases["text international"] = Case(
        "draughts", "text", "seconds", "games from move text", "µs/move", 1e6, "international"
    )
    cases["inside kalah"] = Case("kalah", "inside", "games", "random games in the core", "games/s", 1, "kalah")
    cases["pdn international"] = Case("pdn", "pdn", "seconds", "game file", "µs/game", 1e6, "international")
    for game in (*GAMES, *SEARCH_ONLY_OURS):
        cases[f"search {game}"] = Case("search", "search", "nodes", "search", "M positions/s", 1e-6, game)
    for board in BOARDS:
        key = "solve {}, {}".format(*board)
        cases[key] = Case("solver", "solve", "seconds", "solve kalah", "ms", 1e3, "kalah", board)
    cases["solver"] = Case("solver", "solve", "nodes", "solve kalah", "M positions/s", 1e-6, "kalah", (5, 4))
    cases["import"] = Case("package", "import", "seconds", "import", "ms", 1e3)
    cases["size"] = Case("package", "size", "own", "installed size, alone", "MB", 1e-6)
    cases["size with dependencies"] = Case("package", "size", "all", "installed size, with dependencies", "MB", 1e-6)
    groups = ("draughts", "pdn", "kalah", "search", "solver", "package")
    return dict(sorted(cases.items(), key=lambda pair: groups.index(pair[1].group)))


CASES = list_cases()
GROUPS = tuple(dict.fromkeys(case.group for case in CASES.values()))
