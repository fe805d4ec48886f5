"""What a server tells of: who comes and goes, and what was played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from tablemen.game import Game
from tablemen.mancala import Move, Position
from tablemen.outcome import Outcome, Side


@dataclass(frozen=True, slots=True)
class Joined:
    """A client has come, and said what it wants."""

    name: str
    mode: str
    peer: str


@dataclass(frozen=True, slots=True)
class Parted:
    """A client has gone, or could not stay."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class GameEnded:
    """A game is over; `note` is what there is to say of an end that the rules do not know."""

    number: int
    game: Game[Position, Move]
    names: Mapping[Side, str]
    outcome: Outcome
    note: str


@dataclass(frozen=True, slots=True)
class Verified:
    """A client has been asked all problems."""

    name: str
    solved: int
    asked: int


Event: TypeAlias = "Joined | Parted | GameEnded | Verified"
