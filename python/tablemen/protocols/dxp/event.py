"""What the other program's messages come to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from tablemen.draughts import Move, Position
from tablemen.protocols.dxp.message import Acceptance, ForeignRequest, GameRequest, Reason, Takeback


@dataclass(frozen=True, slots=True)
class Requested:
    """A game is asked for, and must be accepted or declined; without a position it can only be declined."""

    request: GameRequest | ForeignRequest
    position: Position | None
    problem: str = ""  # why there is no position


@dataclass(frozen=True, slots=True)
class Answered:
    """The game that was asked for begins where it was accepted."""

    code: Acceptance
    name: str


@dataclass(frozen=True, slots=True)
class Played:
    """A legal move, which the game has already; the seconds are what the other program says that it took."""

    move: Move
    seconds: int


@dataclass(frozen=True, slots=True)
class PlayedOn:
    """A move in a game that is over by our rules: nothing is changed by it, and it is for us to end the game."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is ended by the other program, and the end is to be confirmed."""

    reason: Reason
    leaves: bool


@dataclass(frozen=True, slots=True)
class Confirmed:
    """The end of the game is confirmed; another may follow, unless somebody leaves."""

    leaves: bool


@dataclass(frozen=True, slots=True)
class Said:
    """Something for whoever sits here; it may have any character of ASCII in it."""

    text: str


@dataclass(frozen=True, slots=True)
class TakebackAsked:
    """Moves are to be taken back, and an answer is due; `ply` is the length of the game that would be left.

    It is None where that is not in the past: then the answer can only be no.
    """

    ply: int | None


@dataclass(frozen=True, slots=True)
class TakebackAnswered:
    """What is said to our question; the game is as it was asked for, where that was accepted."""

    code: Takeback


@dataclass(frozen=True, slots=True)
class Crossed:
    """A message that crossed one of ours, which has settled the matter: it means nothing any more."""


Event: TypeAlias = (
    Requested | Answered | Played | PlayedOn | Ended | Confirmed | Said | TakebackAsked | TakebackAnswered | Crossed
)
