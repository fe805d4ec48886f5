"""`check_position`: correct games pass, and every violation of the contract is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import pytest

from tablemen import IllegalMoveError, NotationError, Outcome, Side, Termination, draughts
from tablemen.draws import DrawRule, Repetition
from tablemen.testing import check_position
from tests.golden import check_errors


@dataclass(frozen=True)
class NimRules:
    """The rules of a custom game."""

    draws: tuple[DrawRule, ...] = (Repetition(3),)


@dataclass(frozen=True)
class Take:
    """A move: the number of matches to take."""

    matches: int

    def __str__(self) -> str:
        return str(self.matches)


@dataclass(frozen=True)
class Nim:
    """A heap of matches: take one to three; the side that takes the last match wins."""

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
def test_a_custom_game_passes(heap: int) -> None:
    check_position(Nim(heap), plies=3)


@pytest.mark.parametrize("name", draughts.VARIANTS)
def test_draughts_positions_pass(name: str) -> None:
    check_position(draughts.Position.start(name), plies=1)


def play_in_place(position: Nim, move: Take) -> Nim:
    """Play a move, and change the position before it too."""
    after = Nim.play(position, move)
    object.__setattr__(position, "heap", position.heap + 1)
    return after


def take_any(position: Nim, move: Take) -> Nim:
    """Play any move, legal or not."""
    return type(position)(position.heap - move.matches, position.turn.opponent)


def is_same(one: object, other: object) -> bool:
    return one is other


def broken(**changes: Callable[..., Any]) -> Nim:
    """Return a position of Nim with some members replaced."""
    kind = type("Nim", (Nim,), {**changes, "__module__": __name__, "__qualname__": "Broken"})
    globals()["Broken"] = kind
    position: Nim = kind(5)
    return position


def test_the_turn_must_be_a_side() -> None:
    with pytest.raises(AssertionError, match=r"turn.*'white'"):
        check_position(Nim(5, "white"))  # type: ignore[arg-type]


def test_a_position_must_have_all_members() -> None:
    with pytest.raises(AssertionError, match=r"Take\(matches=1\)"):
        check_position(Take(1))  # type: ignore[arg-type]


VIOLATIONS: dict[str, dict[str, Any]] = {
    "list of draws": {"variant": NimRules(draws=["never"])},  # type: ignore[arg-type]
    "not a draw rule": {"variant": NimRules(draws=("never",))},  # type: ignore[arg-type]
    "list of moves": {"legal_moves": lambda *_: [Take(1)]},
    "duplicate move": {"legal_moves": lambda *_: (Take(1), Take(1))},
    "text as outcome": {"outcome": lambda *_: "won"},
    "moves after the end": {"outcome": lambda *_: Outcome(None, Termination.AGREEMENT)},
    "no moves before the end": {"legal_moves": lambda *_: ()},
    "play changes the position": {"play": play_in_place},
    "wrong move parsed": {"parse_move": lambda *_: Take(9)},
    "illegal move played": {"play": take_any},
    "equal to everything": {"__eq__": lambda *_: True, "__hash__": lambda *_: 1},
    "equal only to itself": {"__eq__": is_same, "__hash__": lambda *_: 1},
    "repr is not an expression": {"__repr__": lambda *_: "<Nim>"},
    "repr of another value": {"__repr__": lambda *_: "Take(1)"},
}


def check_broken(changes: dict[str, Any]) -> None:
    check_position(broken(**changes))


@pytest.mark.golden
def test_every_violation_is_found() -> None:
    """Compare the messages: each violation must be found by its own check."""
    cases = {name: (AssertionError, partial(check_broken, changes)) for name, changes in VIOLATIONS.items()}
    check_errors(Path(__file__).with_name("position_violations.txt"), cases)
