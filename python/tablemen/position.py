"""Protocols of positions: the members that `Game` needs in every family."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    from tablemen.draws import DrawRule
    from tablemen.outcome import Outcome, Side

P_co = TypeVar("P_co", covariant=True)
P = TypeVar("P")
M = TypeVar("M")


class Variant(Protocol):
    """The part of the rules that a game needs."""

    @property
    def draws(self) -> tuple[DrawRule, ...]:
        """The draw rules."""


@runtime_checkable
class Position(Protocol[P_co, M]):
    """An immutable, hashable position; `P` is the type of the positions after it, `M` that of its moves.

    Two more methods are optional. `explain_illegal(move)` explains why a move, or its text, is not legal, and returns
    None if it is legal: `IllegalMoveError.reason`. `text()` returns the position as text: `Game.text`.
    """

    @property
    def variant(self) -> Variant:
        """The rules."""

    @property
    def turn(self) -> Side:
        """The side to move."""

    def legal_moves(self) -> tuple[M, ...]:
        """Return all legal moves; none if the game is over."""

    def parse_move(self, text: str, /) -> M:
        """Return the legal move that a text describes."""

    def play(self, move: M, /) -> P_co:
        """Return the position after a move. Raises `IllegalMoveError` if it is not legal."""

    def outcome(self) -> Outcome | None:
        """Return the outcome if the game is over in this position, regardless of its history."""

    def __hash__(self) -> int: ...


class DrawCounters(Protocol[P, M]):
    """The counts of some draw rules in a position of a game: an immutable value.

    A position may have a method `draw_counters()`, which returns the counters of a game that begins with it. `Game`
    counts the other rules itself. A position may also have a method `listed(move)`, which returns the legal move that
    equals the given one or raises `IllegalMoveError`; otherwise `Game` searches `legal_moves()`.
    """

    @property
    def rules(self) -> tuple[DrawRule, ...]:
        """The rules that are counted, in the order of the variant's `draws`."""

    @property
    def counts(self) -> tuple[int | None, ...]:
        """The count of each of the rules; None if the rule does not apply."""

    @property
    def is_drawn(self) -> bool:
        """Whether a count has reached its limit."""

    def advance(self, before: P, move: M, after: P, /) -> DrawCounters[P, M]:
        """Return the counters after a legal move, given the positions before and after it."""
