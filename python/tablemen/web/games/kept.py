"""What is kept of a game: a row of a table, and its moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from tablemen.outcome import Outcome, Side, Termination
from tablemen.session import Session

DRAW, TAKEBACK, REMATCH = "draw", "takeback", "rematch"

Stage: TypeAlias = Literal["new", "played", "over"]  # new as long as no person has moved


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What a game is from its beginning to its end; a field a column. Keys are kept as their hashes."""

    id: str
    variant: str
    houses: int | None
    seeds: int | None
    position: str | None  # None for the start of the variant
    opening: int  # moves that it began with
    opponent: str
    level: int | None
    white_key: bytes | None
    black_key: bytes | None
    created: float
    engine: str | None = None  # the name of the program that plays


@dataclass(frozen=True, kw_only=True)
class Standing:
    """What changes in the course of a game, its moves aside; a field a column."""

    revision: int = 0
    stage: Stage = "new"
    control: str | None = None
    winner: str | None = None
    termination: str | None = None  # of a result that was declared
    white_used: float = 0.0
    black_used: float = 0.0
    white_added: float = 0.0
    black_added: float = 0.0
    draw_offer: str | None = None
    takeback_offer: str | None = None
    rematch_offer: str | None = None
    next: str | None = None  # the game that follows it

    @property
    def declared(self) -> Outcome | None:
        """The result that was declared."""
        if self.termination is None:
            return None
        return Outcome(None if self.winner is None else Side(self.winner), Termination[self.termination])

    @property
    def offers(self) -> dict[str, Side]:
        """What is offered, and by whom."""
        offers = {DRAW: self.draw_offer, TAKEBACK: self.takeback_offer, REMATCH: self.rematch_offer}
        return {kind: Side(side) for kind, side in offers.items() if side is not None}


class KeptGame(NamedTuple):
    """All that is kept of a game."""

    facts: Facts
    standing: Standing
    moves: tuple[str, ...]


def standing_of(
    session: Session, offers: Mapping[str, Side], *, revision: int, stage: Stage, following: str | None
) -> Standing:
    """What is to be kept of a game that is played, beside its moves."""
    declared, clock = session.game.declared, session.clock
    return Standing(
        revision=revision,
        stage=stage,
        control=None if clock.control is None else str(clock.control),
        winner=None if declared is None else _name(declared.winner),
        termination=None if declared is None else declared.termination.name,
        white_used=clock.used(Side.WHITE),
        black_used=clock.used(Side.BLACK),
        white_added=clock.added(Side.WHITE),
        black_added=clock.added(Side.BLACK),
        draw_offer=_name(offers.get(DRAW)),
        takeback_offer=_name(offers.get(TAKEBACK)),
        rematch_offer=_name(offers.get(REMATCH)),
        next=following,
    )


def _name(side: Side | None) -> str | None:
    return None if side is None else str(side)
