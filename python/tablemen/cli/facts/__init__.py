"""What the commands tell of variants, positions and moves, a module for each family."""

from __future__ import annotations

from abc import ABC, abstractmethod
from importlib import import_module
from typing import Any, ClassVar

from tablemen.family import get_family
from tablemen.outcome import Outcome


class Facts(ABC):
    """How a family is told: in columns, and as JSON has it."""

    headings: ClassVar[tuple[str, ...]]  # of the table of variants
    position_name: ClassVar[str]  # what a position as text is called
    has_paths: ClassVar[bool]  # whether a move can be made in several ways

    @abstractmethod
    def row(self, rules: Any) -> tuple[str, ...]:
        """The line of a variant in the table, in columns."""

    @abstractmethod
    def tell_variant(self, rules: Any) -> dict[str, object]:
        """A variant."""

    @abstractmethod
    def tell_move(self, move: Any, *, full: bool) -> dict[str, object]:
        """A move; `full` names every square of its way."""

    @abstractmethod
    def format_move(self, move: Any, *, full: bool) -> str:
        """A move as text."""

    @abstractmethod
    def find_objection(self, position: Any, words: tuple[str, ...]) -> str | None:
        """Why the move that somebody wrote in words is not legal; raises `BadQuestion` where they are no move."""

    def tell_position(self, position: Any) -> dict[str, object]:
        """A position, with its variant."""
        text = get_family(position).format_position(position)
        return {"variant": position.variant.name, self.position_name: text}

    def tell_outcome(self, outcome: Outcome | None, position: Any) -> dict[str, object] | None:
        """Who won and why; nothing while the game goes on."""
        if outcome is None:
            return None
        winner = None if outcome.winner is None else get_family(position).sides[outcome.winner]
        return {"winner": winner, "termination": str(outcome.termination)}


def facts_of(subject: Any) -> Facts:
    """How the family of rules, or of a position, is told."""
    facts = import_module(f"{__name__}.{get_family(subject).name}").FACTS
    assert isinstance(facts, Facts)
    return facts
