"""What the commands tell of mancala."""

from __future__ import annotations

from typing import ClassVar

from tablemen.cli.facts import Facts
from tablemen.cli.group import BadQuestion
from tablemen.errors import IllegalMoveError, NotationError
from tablemen.family import get_family
from tablemen.mancala import SOUTH, MancalaRules, Move, Position
from tablemen.mancala.sides import NAMES


class MancalaFacts(Facts):
    """Houses and seeds."""

    headings: ClassVar[tuple[str, ...]] = ("name", "title", "houses", "seeds")
    position_name: ClassVar[str] = "position"
    has_paths: ClassVar[bool] = False

    def row(self, rules: MancalaRules) -> tuple[str, ...]:
        """Name, title, houses of a side and seeds in each of them."""
        return rules.name, str(rules), str(rules.houses), str(rules.seeds)

    def tell_variant(self, rules: MancalaRules) -> dict[str, object]:
        """Its names, its board, and where it comes from."""
        return {
            "name": rules.name,
            "family": "mancala",
            "title": str(rules),
            "aliases": rules.aliases,
            "houses": rules.houses,
            "seeds": rules.seeds,
            "first": NAMES[SOUTH],
            "note": rules.note,
            "sources": rules.sources,
        }

    def tell_move(self, move: Move, *, full: bool) -> dict[str, object]:  # noqa: ARG002 - a house is the whole of it
        """The house, and what its seeds do."""
        return {
            "text": str(move),
            "house": move.house,
            "sown": move.sown,
            "captured": move.captured,
            "extra_turn": move.extra_turn,
        }

    def format_move(self, move: Move, *, full: bool) -> str:  # noqa: ARG002 - a house is the whole of it
        """The number of the house."""
        return str(move)

    def find_objection(self, position: Position, words: tuple[str, ...]) -> str | None:
        """Why a house may not be played."""
        if len(words) != 1:
            raise BadQuestion(f"a move of {position.variant.name} is HOUSE, a number")
        (house,) = words
        try:
            position.parse_move(house)
        except NotationError as error:
            raise BadQuestion(error.problem) from error
        except IllegalMoveError:
            return get_family(position).explain_illegal(house, position)
        return None


FACTS = MancalaFacts()
