"""What a server of the Kalah Game Protocol hears from one client, and says to it: a conversation without bytes."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from tablemen.errors import ProtocolError
from tablemen.mancala import Position
from tablemen.protocols.kgp.board import Board
from tablemen.protocols.kgp.client_conversation import FREEPLAY, VERIFY
from tablemen.protocols.kgp.message import Argument, Message, Word
from tablemen.protocols.kgp.problem import Solution, read_flag

VERSION = (1, 0, 1)
NAME = "tablemen"
SPELLINGS = {FREEPLAY: FREEPLAY, VERIFY: VERIFY, "go-kgp:verify": VERIFY}  # of modes: a known client has its own

MOST_TEXT = 80  # characters of what a client says about itself, of each thing
MOST_FAULTS = 50  # that a client is told of; then it has to go
MOST_REQUESTS = 8  # that are open at a time: we never ask for more than one

_KEY = secrets.token_bytes(16)  # so that what is kept of a token is worth nothing elsewhere


@dataclass(frozen=True, slots=True)
class Ready:
    """The client wants to play, or to be asked problems."""

    mode: str


@dataclass(frozen=True, slots=True)
class Moved:
    """The client would play a house now; it may think again."""

    id: int
    house: int


@dataclass(frozen=True, slots=True)
class Yielded:
    """The client is content with its last move, if there was one."""

    id: int


@dataclass(frozen=True, slots=True)
class Solved:
    """The client has solved a problem, or says something that is no solution."""

    id: int
    answer_id: int | None
    solution: Solution | None


@dataclass(frozen=True, slots=True)
class Alive:
    """The client has answered a ping."""


@dataclass(frozen=True, slots=True)
class Left:
    """The client says goodbye."""


Event: TypeAlias = "Ready | Moved | Yielded | Solved | Alive | Left"


@dataclass(slots=True)
class About:
    """What a client says about itself, cut where it is long; the token is kept as a hash alone."""

    name: str = ""
    authors: str = ""
    description: str = ""
    comment: str = ""
    token: bytes = b""


@dataclass(slots=True)
class HostConversation:
    """A server with one of its clients."""

    peer: str
    about: About = field(default_factory=About)
    mode: str | None = None
    is_over: bool = False
    _said: list[Message] = field(default_factory=list)
    _number: int = 0
    _faults: int = 0
    _states: set[int] = field(default_factory=set)
    _problems: set[int] = field(default_factory=set)

    def take_said(self) -> list[Message]:
        """What there is to say, once."""
        said, self._said = self._said, []
        return said

    def greet(self, seconds: float | None = None) -> None:
        """Says which protocol this is, and how many seconds there are for a move."""
        self._say("kgp", *VERSION)
        self._say("set", Word("info:name"), NAME)
        if seconds is not None and seconds >= 1:  # whole seconds alone can be said
            self._say("set", Word("time:mode"), "relative")  # in quotes: a known client reads nothing else
            self._say("set", Word("time:clock"), int(seconds))

    def announce(self, game: str, opponent: str) -> None:
        """Says which game the next states are of, and who else plays it."""
        self._say("set", Word("game:id"), game)
        self._say("set", Word("game:opponent"), opponent)

    def ask(self, position: Position) -> int:
        """Asks for a move; answers bear the number that is given back."""
        assert len(self._states) < MOST_REQUESTS
        number = self._say("state", Board.of(position))
        self._states.add(number)
        return number

    def stop(self, number: int) -> None:
        """Wants no more answers to a request; what still comes is passed over."""
        if number in self._states:
            self._states.remove(number)
            self._say("stop", ref=number)

    def pose(self, board: Board, house: int) -> int:
        """Asks a problem; the answer bears the number that is given back."""
        assert len(self._problems) < MOST_REQUESTS
        number = self._say("problem", board, house)
        self._problems.add(number)
        return number

    def judge(self, answer_id: int | None, objection: str | None) -> None:
        """Says whether a solution was right, or what is wrong with it."""
        if objection is None:
            self._say("ok", ref=answer_id)
        else:
            self._say("error", objection, ref=answer_id)

    def ping(self) -> None:
        """Asks for a sign of life."""
        self._say("ping")

    def leave(self, problem: str = "") -> None:
        """Says goodbye, and why."""
        if not self.is_over:
            self.is_over = True
            self._states.clear()
            self._problems.clear()
            if problem:
                self._say("error", problem)
            self._said.append(Message("goodbye"))

    def hear(self, message: Message) -> list[Event]:
        """What the client said.

        Raises `ProtocolError` where it has been wrong too often, or wants what there is not.
        """
        if self.is_over:
            return []
        takers: Mapping[str, Callable[[Message], list[Event]]] = {
            "mode": self._take_mode,
            "set": self._take_option,
            "move": self._take_move,
            "yield": self._take_yield,
            "solution": self._take_solution,
            "ping": self._take_ping,
            "pong": lambda _: [Alive()],
            "goodbye": self._take_goodbye,
            "ok": lambda _: [],
            "error": lambda _: [],
            "kgp": lambda _: [],
        }
        return takers.get(message.verb, self._take_unknown)(message)

    def object(self, problem: str, ref: int | None = None) -> None:
        """Tells the client that something makes no sense. Raises `ProtocolError` after too many of these."""
        self._faults += 1
        if self._faults > MOST_FAULTS:
            self.leave("too many mistakes")
            raise ProtocolError(self.peer, "said too much that makes no sense", problem)
        self._say("error", problem, ref=ref)

    def _say(self, command: str, *arguments: Argument, ref: int | None = None) -> int:
        self._number += 2  # those of a client are odd
        self._said.append(Message(command, arguments, id=self._number, ref=ref))
        return self._number

    def _take_mode(self, message: Message) -> list[Event]:
        wanted = (message.text(0) or "").lower()
        if self.mode is not None:
            self.object("there is a mode already", message.id)
            return []
        if wanted not in SPELLINGS:
            self.leave("Unsupported activity")
            raise ProtocolError(self.peer, "wants another mode than freeplay or verify", wanted)
        self.mode = SPELLINGS[wanted]
        self._say("ok", ref=message.id)
        return [Ready(self.mode)]

    def _take_ping(self, message: Message) -> list[Event]:
        number = message.whole(0)
        self._say("pong", *(() if number is None else (number,)), ref=message.id)  # some want it back
        return []

    def _take_goodbye(self, _message: Message) -> list[Event]:
        self.is_over = True
        return [Left()]

    def _take_unknown(self, message: Message) -> list[Event]:
        self.object("unknown command", message.id)
        return []

    def _take_option(self, message: Message) -> list[Event]:
        """What a client says about itself; other options are passed over."""
        name = (message.text(0) or "").lower()
        given = message.arguments[1] if len(message.arguments) > 1 else ""
        text = " ".join(str(given).split())[:MOST_TEXT]
        match name:
            case "info:name" if self.mode is None:  # later it would be another row of the table
                self.about.name = text
            case "info:authors" | "info:author":
                self.about.authors = text
            case "info:description":
                self.about.description = text
            case "info:comment":
                self.about.comment = text
            case "auth:token" if self.mode is None and str(given):
                self.about.token = hashlib.blake2b(str(given).encode(), key=_KEY, digest_size=16).digest()
        return []

    def _request_of(self, message: Message) -> int | None:
        """The request that an answer is for: the one that is open, where it does not say."""
        if message.ref in self._states:
            return message.ref
        if message.ref is None and len(self._states) == 1:
            return next(iter(self._states))
        if message.ref is None or message.ref > self._number or message.ref % 2:
            self.object("there is no state of this number", message.id)
        return None  # else it comes late, and is passed over as the specification wants

    def _take_yield(self, message: Message) -> list[Event]:
        number = self._request_of(message)
        return [] if number is None else [Yielded(number)]

    def _take_move(self, message: Message) -> list[Event]:
        house = message.whole(0)
        if house is None:
            self.object("a move is the number of a house", message.id)
            return []
        number = self._request_of(message)
        return [] if number is None else [Moved(number, house)]

    def _take_solution(self, message: Message) -> list[Event]:
        number = message.ref
        if number is None and len(self._problems) == 1:
            number = next(iter(self._problems))
        if number not in self._problems:
            self.object("there is no problem of this number", message.id)
            return []
        assert number is not None
        self._problems.remove(number)
        board, flag = message.board(0), read_flag(message.arguments[1] if len(message.arguments) > 1 else None)
        solution = None if board is None or flag is None else Solution(board, flag)
        return [Solved(number, message.id, solution)]
