"""What a position of any family can do: the little that a game needs of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    from tablemen.draws import DrawRule
    from tablemen.outcome import Outcome, Side

P_co = TypeVar("P_co", covariant=True)
P = TypeVar("P")
M = TypeVar("M")


class Variant(Protocol):
    """The rules of a position, as far as a game asks for them."""

    @property
    def draws(self) -> tuple[DrawRule, ...]:
        """What ends a game in a draw."""


@runtime_checkable
class Position(Protocol[P_co, M]):
    """A frozen value with equality by the rules; `P` is the type of positions after it, `M` that of its moves."""

    @property
    def variant(self) -> Variant:
        """The rules that it is played by."""

    @property
    def turn(self) -> Side:
        """The side to move."""

    def legal_moves(self) -> tuple[M, ...]:
        """Every legal move; none when the game is over."""

    def parse_move(self, text: str, /) -> M:
        """The legal move that a text means."""

    def play(self, move: M, /) -> P_co:
        """The position after a legal move; any other raises `IllegalMoveError`."""

    def outcome(self) -> Outcome | None:
        """How the game ended, as far as the position shows it."""

    def __hash__(self) -> int: ...


class DrawCounters(Protocol[P, M]):
    """The counts of some draw rules in a position of a game: a frozen value.

    A position may have a method `draw_counters()`, which returns those of a game that begins with it. `Game` counts the
    other rules itself. It may also have a method `listed(move)`, which returns the legal move that equals the given one
    or raises `IllegalMoveError`; otherwise `Game` looks through `legal_moves()`.
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
