"""The seven messages of DamExchange, as values.

They are specified at mesander.nl/damexchange for ten by ten squares. Positions of other boards are written alike, as
far as a message has room for them: one has at most 127 bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from tablemen.enums import Named
from tablemen.outcome import Side
from tablemen.protocols.dxp.fields import fit_text

VERSION = 1
NAME = 32  # characters of a name
MOST = 127  # characters of a message
MOST_CHAT = MOST - 1
MOST_MINUTES = MOST_MOVES = 999
MOST_SECONDS = 9999
SQUARES = "wzWZe"
MOST_SQUARES = 83  # that a request has room for


class Acceptance(Named):
    """What somebody says to a game that it is asked for."""

    ACCEPTED = "0"
    WRONG_VERSION = "1"
    NOT_THIS_GAME = "2"
    NO_GAMES = "3"


class Reason(Named):
    """Why a game ends, as the one sees it who ends it."""

    UNKNOWN = "0"
    LOST = "1"
    DRAWN = "2"
    WON = "3"


class Takeback(Named):
    """What somebody says to moves that it is asked to take back."""

    ACCEPTED = "0"
    NOT_SUPPORTED = "1"
    REFUSED = "2"


@dataclass(frozen=True, slots=True)
class GameRequest:
    """GAMEREQ: the initiator asks for a game.

    `follower` is the side of the one who is asked. Without a `position` the game begins as usual; with one, that is who
    moves and a letter for every square, as `format_dxp_position` writes them. No `moves` are no limit.
    """

    name: str
    follower: Side
    minutes: int
    moves: int = 0
    position: str | None = None


@dataclass(frozen=True, slots=True)
class ForeignRequest:
    """A GAMEREQ of another version of the protocol, which can be read no further; it is answered, and never sent."""

    version: int


@dataclass(frozen=True, slots=True)
class GameAcceptance:
    """GAMEACC: what the follower says to a request."""

    name: str
    code: Acceptance


@dataclass(frozen=True, slots=True)
class Move:
    """MOVE: the seconds that were used, and where a piece went; captured pieces come in any order."""

    seconds: int
    start: int
    end: int
    captured: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """The move without the seconds, as `parse_dxp_move` reads it."""
        return "".join(f"{number:02}" for number in (self.start, self.end, len(self.captured), *self.captured))


@dataclass(frozen=True, slots=True)
class GameEnd:
    """GAMEEND: the game ends, or its end is confirmed; `leaves` says that no other is wanted."""

    reason: Reason = Reason.UNKNOWN
    leaves: bool = False


@dataclass(frozen=True, slots=True)
class Chat:
    """CHAT: a text for whoever sits there."""

    text: str


@dataclass(frozen=True, slots=True)
class TakebackRequest:
    """BACKREQ: back to where the side was about to make its move of this number, counted from 1."""

    number: int
    side: Side


@dataclass(frozen=True, slots=True)
class TakebackAnswer:
    """BACKACC: what is said to that."""

    code: Takeback


Message: TypeAlias = (
    GameRequest | ForeignRequest | GameAcceptance | Move | GameEnd | Chat | TakebackRequest | TakebackAnswer
)


def fit_name(name: str) -> str:
    """The name as a message can have it: printable ASCII, at most 32 characters, the first no blank.

    >>> fit_name(" Tornado – für Windows, die vierte Auflage")
    'Tornado ? f?r Windows, die viert'
    """
    return fit_text(name, NAME).strip() or "?"


def fit_chat(text: str) -> str:
    """The text as a message can have it."""
    return fit_text(text, MOST_CHAT) or "?"
