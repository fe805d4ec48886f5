"""What a position of any family can do: the little that a game needs of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    from tablemen.draws import DrawRule
    from tablemen.outcome import Outcome, Side

P_co = TypeVar("P_co", covariant=True)
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
