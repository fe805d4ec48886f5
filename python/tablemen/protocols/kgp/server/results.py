"""What the clients of a server have come to: a row for each of them."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field

from tablemen.console import visible
from tablemen.errors import TablemenError

MOST_ROWS = 1000  # of which one may be that of all others
ANONYMOUS = "anonymous"
OTHERS = "all others"
_HEAD = ("name", "games", "won", "drawn", "lost", "points")
_SOLVED = "solved"


@dataclass(slots=True)
class Row:
    """Who it is, its games, and its problems of the mode `verify`."""

    name: str
    won: int = 0
    drawn: int = 0
    lost: int = 0
    asked: int = 0  # problems
    solved: int = 0

    @property
    def games(self) -> int:
        """How many games it has played."""
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        """One for a win, a half for a draw."""
        return self.won + self.drawn / 2


@dataclass(slots=True)
class Results:
    """A row for every player, by a key that stays the same.

    >>> results = Results()
    >>> ann, bob = results.enter("Ann"), results.enter("Bob")
    >>> results.add_game(ann, bob)
    >>> print(results.table())
    name  games  won  drawn  lost  points
    Ann       1    1      0     0     1.0
    Bob       1    0      0     1     0.0
    """

    rows: dict[str, Row] = field(default_factory=dict)

    def enter(self, name: str, *, token: bytes = b"", present: Container[str] = ()) -> str:
        """The key of a player: that of the same token, or of the same name where nobody present has it.

        Where there are too many rows, one of those who have gone is added to a row for all others. Raises
        `TablemenError` where nobody has.
        """
        shown = visible(name).strip() or ANONYMOUS
        key = f"token {token.hex()}" if token else f"name {shown}"
        number = 1
        while not token and key in present:
            number += 1
            key = f"name {shown} ({number})"
        if key in self.rows:
            if token and name:
                self.rows[key].name = self._free_name(shown, key)
            return key
        if len(self.rows) >= MOST_ROWS:
            self._make_room(present)
        self.rows[key] = Row(self._free_name(shown if number == 1 else f"{shown} ({number})", key))
        return key

    def _make_room(self, present: Container[str]) -> None:
        """Adds the row with the fewest games to that of all others."""
        gone = [key for key in self.rows if key not in present and key != OTHERS]
        if not gone:
            raise TablemenError(f"there are {MOST_ROWS:,} players already")
        row = self.rows.pop(min(gone, key=lambda key: (self.rows[key].games, self.rows[key].asked)))
        others = self.rows.setdefault(OTHERS, Row(self._free_name(OTHERS, OTHERS)))
        for name in ("won", "drawn", "lost", "asked", "solved"):
            setattr(others, name, getattr(others, name) + getattr(row, name))

    def _free_name(self, name: str, key: str) -> str:
        """The name, numbered where another player is called so."""
        taken = {row.name for other, row in self.rows.items() if other != key}
        free, number = name, 1
        while free in taken:
            number += 1
            free = f"{name} ({number})"
        return free

    def name_of(self, key: str) -> str:
        """What a player is called in the table."""
        return self.rows[key].name

    def forget_idle(self, key: str) -> None:
        """Drops the row of somebody who has done nothing."""
        row = self.rows.get(key)
        if row is not None and not row.games and not row.asked:
            del self.rows[key]

    def add_game(self, winner: str, loser: str, *, is_draw: bool = False) -> None:
        """Counts a game."""
        if is_draw:
            self.rows[winner].drawn += 1
            self.rows[loser].drawn += 1
        else:
            self.rows[winner].won += 1
            self.rows[loser].lost += 1

    def add_problem(self, key: str, *, is_solved: bool) -> None:
        """Counts a problem."""
        self.rows[key].asked += 1
        self.rows[key].solved += is_solved

    def ranking(self) -> list[Row]:
        """Those who have done something: most points first, then fewest games, then by name."""
        rows = [row for row in self.rows.values() if row.games or row.asked]
        return sorted(rows, key=lambda row: (-row.points, row.games, row.name))

    def table(self) -> str:
        """The rows as text, with a head."""
        ranking = self.ranking()
        has_problems = any(row.asked for row in ranking)
        lines = [_HEAD + ((_SOLVED,) if has_problems else ())]
        for row in ranking:
            numbers = (row.name, str(row.games), str(row.won), str(row.drawn), str(row.lost), f"{row.points:.1f}")
            lines.append(numbers + ((f"{row.solved} of {row.asked}" if row.asked else "",) if has_problems else ()))
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join(
            "  ".join(
                word.ljust(width) if at == 0 else word.rjust(width)
                for at, (word, width) in enumerate(zip(line, widths, strict=True))
            ).rstrip()
            for line in lines
        )

    def facts(self) -> list[dict[str, object]]:
        """The rows as JSON has them."""
        return [
            {
                "name": row.name,
                "games": row.games,
                "won": row.won,
                "drawn": row.drawn,
                "lost": row.lost,
                "points": row.points,
                "problems": row.asked,
                "solved": row.solved,
            }
            for row in self.ranking()
        ]
