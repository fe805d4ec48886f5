"""`check_position`: games that keep their promises pass, and every broken promise is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import pytest

from tablemen import IllegalMoveError, NotationError, Outcome, Side, Termination, draughts
from tablemen.draws import DrawRule, Repetition
from tablemen.testing import check_position


@dataclass(frozen=True)
class NimRules:
    """The rules of a third party's game."""

    draws: tuple[DrawRule, ...] = (Repetition(3),)


@dataclass(frozen=True)
class Take:
    """Take so many matches."""

    matches: int

    def __str__(self) -> str:
        return str(self.matches)


@dataclass(frozen=True)
class Nim:
    """Matches on a heap: take one to three; who takes the last one wins."""

    heap: int
    turn: Side = Side.WHITE
    variant: ClassVar[NimRules] = NimRules()

    def legal_moves(self) -> tuple[Take, ...]:
        return tuple(Take(matches) for matches in range(1, min(3, self.heap) + 1))

    def parse_move(self, text: str) -> Take:
        if not text.isdecimal():
            raise NotationError("not a number of matches", text)
        return Take(int(text))

    def play(self, move: Take) -> Nim:
        if move not in self.legal_moves():
            raise IllegalMoveError(move, self)
        return replace(self, heap=self.heap - move.matches, turn=self.turn.opponent)

    def outcome(self) -> Outcome | None:
        return None if self.heap else Outcome(self.turn.opponent, Termination.NO_PIECES)


@pytest.mark.parametrize("heap", range(8))
def test_a_game_of_ones_own_passes(heap: int) -> None:
    check_position(Nim(heap), plies=3)


@pytest.mark.parametrize("name", draughts.VARIANTS)
def test_draughts_pass(name: str) -> None:
    check_position(draughts.Position.start(name), plies=1)


def forget(position: Nim, move: Take) -> Nim:
    """The position after a move, which changes the one before it too."""
    after = Nim.play(position, move)
    object.__setattr__(position, "heap", position.heap + 1)
    return after


def take_any(position: Nim, move: Take) -> Nim:
    """The position after any move."""
    return type(position)(position.heap - move.matches, position.turn.opponent)


def same(one: object, other: object) -> bool:
    """Whether they are one thing."""
    return one is other


def broken(**changes: Callable[..., Any]) -> Nim:
    """Nim with something done in another way."""
    kind = type("Nim", (Nim,), {**changes, "__module__": __name__, "__qualname__": "Broken"})
    globals()["Broken"] = kind
    position: Nim = kind(5)
    return position


def test_a_turn_is_a_side() -> None:
    with pytest.raises(AssertionError, match="turn is not a Side"):
        check_position(Nim(5, "white"))  # type: ignore[arg-type]


def test_a_position_has_all_members() -> None:
    with pytest.raises(AssertionError, match="lacks a member"):
        check_position(Take(1))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"variant": NimRules(draws=["never"])}, "variant.draws is not a tuple"),  # type: ignore[arg-type]
        ({"variant": NimRules(draws=("never",))}, "not a DrawRule"),  # type: ignore[arg-type]
        ({"legal_moves": lambda *_: [Take(1)]}, r"legal_moves\(\) is not a tuple"),
        ({"legal_moves": lambda *_: (Take(1), Take(1))}, "contains a move twice"),
        ({"outcome": lambda *_: "won"}, "neither None nor an Outcome"),
        ({"outcome": lambda *_: Outcome(None, Termination.AGREEMENT)}, "the game is over, but there are legal moves"),
        ({"legal_moves": lambda *_: ()}, "there are no legal moves"),
        ({"play": forget}, "leads to different positions"),
        ({"parse_move": lambda *_: Take(9)}, "does not return the move for its text"),
        ({"play": take_any}, "accepts an illegal move"),
        ({"__eq__": lambda *_: True, "__hash__": lambda *_: 1}, "is equal to an object of another type"),
        (
            {"__eq__": same, "__hash__": lambda *_: 1},
            "leads to different positions|not equal to its",
        ),
        ({"__repr__": lambda *_: "<Nim>"}, "cannot be evaluated"),
        ({"__repr__": lambda *_: "Take(1)"}, "not equal to its evaluated copy"),
    ],
)
def test_a_broken_promise_is_found(changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(AssertionError, match=problem):
        check_position(broken(**changes))
