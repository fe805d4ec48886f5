"""What the commands tell of draughts."""

from __future__ import annotations

from typing import ClassVar

from tablemen.cli.facts import Facts
from tablemen.cli.group import CommandUsageError
from tablemen.draughts import DraughtsRules, Kind, Move, Position, Square

PROVISIONAL = "*"


class DraughtsFacts(Facts):
    """Boards and squares."""

    headings: ClassVar[tuple[str, ...]] = ("name", "title", "board", "men", "GameType")
    position_name: ClassVar[str] = "fen"
    has_paths: ClassVar[bool] = True

    def row(self, rules: DraughtsRules) -> tuple[str, ...]:
        """Name, title, board, men of a side and GameType."""
        name = f"{rules.name} {PROVISIONAL}" if rules.provisional else rules.name
        board = f"{rules.columns}x{rules.rows}, {len(rules.mover.squares)} squares"
        return name, str(rules), board, str(_men(rules)), rules.game_type_tag or "-"

    def tell_variant(self, rules: DraughtsRules) -> dict[str, object]:
        """Its names, its board, and where it comes from."""
        return {
            "name": rules.name,
            "family": "draughts",
            "title": str(rules),
            "aliases": rules.aliases,
            "columns": rules.columns,
            "rows": rules.rows,
            "squares": len(rules.mover.squares),
            "men": _men(rules),
            "first": str(rules.first),
            "game_type": rules.game_type_tag,
            "provisional": rules.provisional,
            "note": rules.note,
            "sources": rules.sources,
        }

    def tell_move(self, move: Move, *, full: bool) -> dict[str, object]:
        """Its way, and what it takes."""
        return {
            "text": self.format_move(move, full=full),
            "start": _square(move.start),
            "end": _square(move.end),
            "path": [_square(square) for square in move.path],
            "captured": [_square(square) for square in move.captured],
            "crowns": move.crowns,
        }

    def format_move(self, move: Move, *, full: bool) -> str:
        """The move in the notation of its variant."""
        from tablemen.draughts.notation import format_move

        return format_move(move, full=full)

    def find_objection(self, position: Position, words: tuple[str, ...]) -> str | None:
        """Why a piece may not go from one square to another."""
        from tablemen.draughts.objections import find_objection

        if len(words) != 2:
            raise CommandUsageError(f"a move of {position.variant.name} is START and END, two squares")
        start, end = words
        return find_objection(position, start, end)


def _men(rules: DraughtsRules) -> int:
    """How many men a side begins with."""
    return len(Position.start(rules).squares(rules.first, Kind.MAN))


def _square(square: Square) -> int | str:
    """The square as JSON has it: a number where players number squares, else its name."""
    return int(square) if square.name.isdecimal() else square.name


FACTS = DraughtsFacts()
