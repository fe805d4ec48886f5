"""What is measured: the lines of the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from benchmarks.libraries import OURS, Library

LONGEST = 150  # plies of a random game
SEED = 1
GAMES = ("international", "english", "kalah")
ALONE = ("frisian", "russian", "brazilian", "italian", "canadian", "turkish")  # counted by nobody else here
SEARCHED_ALONE = ("frisian", "russian", "turkish")
BOARDS = ((4, 3), (4, 4), (5, 3), (5, 4), (6, 3))
PLAIN_BOARDS = ((4, 3), (4, 4), (5, 3))  # the others take a plain program minutes, or more memory than there is
PDN_GAMES = 10  # how many games the file has


@dataclass(frozen=True)
class Row:
    """A line of the table: what is measured, with which game if any, in which unit."""

    group: str  # what `--only` names
    measure: str  # what a library's program is asked for
    part: str  # which part of its answer is meant
    what: str
    unit: str
    scale: float
    game: str | None = None
    board: tuple[int, int] | None = None

    @property
    def more_is_better(self) -> bool:
        """Whether it is a rate."""
        return self.unit.endswith("/s")

    @property
    def title(self) -> str:
        """What is measured, and with which game."""
        if self.board is not None:
            return f"{self.what}, {self.board[0]} houses, {self.board[1]} seeds"
        return f"{self.what}, {self.game}" if self.game else self.what

    @property
    def request(self) -> dict[str, Any]:
        """What a library's program is told, but for what all are told."""
        return {"measure": self.measure, "game": self.game, "board": self.board}

    def is_measured(self, library: Library) -> bool:
        """Whether the library can do it."""
        if self.board is not None and self.board not in PLAIN_BOARDS:
            return library is OURS
        return library.measures(self.measure, self.game)


def declare() -> dict[str, Row]:
    """Every line by its key, in order."""
    rows: dict[str, Row] = {}
    for game in (*GAMES[:2], *ALONE, "kalah"):
        group = "kalah" if game == "kalah" else "draughts"
        rows[f"perft {game}"] = Row(group, "perft", "leaves", "perft", "M leaves/s", 1e-6, game)
    for game in GAMES:
        group = "kalah" if game == "kalah" else "draughts"
        rows[f"moves {game}"] = Row(group, "moves", "seconds", "legal moves", "µs/call", 1e6, game)
        for part in ("games", "plies"):
            rows[f"{part} {game}"] = Row(group, "playouts", part, "random games", f"{part}/s", 1, game)
    rows["text international"] = Row(
        "draughts", "text", "seconds", "games from move text", "µs/move", 1e6, "international"
    )
    rows["inside kalah"] = Row("kalah", "inside", "games", "random games in the core", "games/s", 1, "kalah")
    rows["pdn international"] = Row("pdn", "pdn", "seconds", "game file", "µs/game", 1e6, "international")
    for game in (*GAMES, *SEARCHED_ALONE):
        rows[f"search {game}"] = Row("search", "search", "nodes", "search", "M positions/s", 1e-6, game)
    for board in BOARDS:
        key = "solve {}, {}".format(*board)
        rows[key] = Row("solver", "solve", "seconds", "solve kalah", "ms", 1e3, "kalah", board)
    rows["solver"] = Row("solver", "solve", "nodes", "solve kalah", "M positions/s", 1e-6, "kalah", (5, 4))
    rows["import"] = Row("package", "import", "seconds", "import", "ms", 1e3)
    rows["size"] = Row("package", "size", "own", "installed size, alone", "MB", 1e-6)
    rows["size with needs"] = Row("package", "size", "all", "installed size, with dependencies", "MB", 1e-6)
    groups = ("draughts", "pdn", "kalah", "search", "solver", "package")
    return dict(sorted(rows.items(), key=lambda pair: groups.index(pair[1].group)))


ROWS = declare()
GROUPS = tuple(dict.fromkeys(row.group for row in ROWS.values()))
