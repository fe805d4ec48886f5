"""What a client of the Kalah Game Protocol hears and says: a conversation without bytes.

What the server says goes in as messages; what there is to say, and what happened, comes out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from tablemen.errors import ProtocolError, TablemenError
from tablemen.mancala import Position
from tablemen.protocols.kgp.board import Board
from tablemen.protocols.kgp.message import Argument, Message, Word
from tablemen.protocols.kgp.problem import solve_problem
from tablemen.search import Clock

MODES = ("freeplay", "verify", "eval")
MOST_REQUESTS = 64  # that are open at a time; further ones are refused
MOST_FAULTS = 1000  # lines that cannot be read; then it is no server
MOST_SECONDS = 10**6  # on a clock; more is no clock

FREEPLAY, VERIFY, EVAL = MODES


@dataclass(frozen=True, slots=True)
class Asked:
    """The server wants a move, or what the position is worth, as an answer to the message of this number."""

    id: int
    position: Position
    clock: Clock | None = None  # the time that is left for all moves
    seconds: float | None = None  # the time for this one


@dataclass(frozen=True, slots=True)
class Stopped:
    """The server wants no more answers to the message of this number."""

    id: int


@dataclass(frozen=True, slots=True)
class Complained:
    """The server says that something was wrong."""

    text: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The server says goodbye."""


Event: TypeAlias = "Asked | Stopped | Complained | Ended"


@dataclass(slots=True)
class ClientConversation:
    """A client of one server. `options` are told after the greeting: names such as `info:name`, and their texts."""

    peer: str
    mode: str = FREEPLAY
    options: Mapping[str, str] = field(default_factory=dict)
    is_greeted: bool = False
    is_over: bool = False
    solved: int = 0  # problems
    _said: list[Message] = field(default_factory=list)
    _number: int = 1
    _faults: int = 0
    _open: dict[int, Position] = field(default_factory=dict)
    _time_mode: str = "none"
    _clock: int | None = None
    # How the server writes problems, as far as it is known.
    _counts_from_zero: bool = False
    _is_count_certain: bool = False
    _says_words: bool = False
    _solutions: dict[int, None] = field(default_factory=dict)  # their numbers, the last few

    def take_said(self) -> list[Message]:
        """What there is to say, once."""
        said, self._said = self._said, []
        return said

    def hear(self, message: Message) -> list[Event]:
        """What the server said.

        Raises `ProtocolError` where no conversation is possible: another protocol, or another version of it.
        """
        if self.is_over:
            return []
        if not self.is_greeted:
            return self._greet(message)
        takers: Mapping[str, Callable[[Message], list[Event]]] = {
            "state": self._take_state,
            "stop": self._take_stop,
            "problem": self._take_problem,
            "ping": self._take_ping,
            "set": self._take_option,
            "error": self._take_error,
            "goodbye": self._take_goodbye,
            "ok": _pass_over,
            "pong": _pass_over,
            "kgp": _pass_over,
        }
        return takers.get(message.verb, self._take_unknown)(message)

    def object(self, problem: str) -> None:
        """Something that the server said could not be read. Raises `ProtocolError` where that is so too often."""
        self._faults += 1
        if not self.is_greeted or self._faults > MOST_FAULTS:
            raise ProtocolError(self.peer, f"does not speak KGP: {problem}")
        self._say("error", problem)

    def move(self, number: int, house: int) -> bool:
        """Answers a request with a house, the best so far; whether it is still open."""
        if number in self._open:
            self._say("move", house, ref=number)
        return number in self._open

    def finish(self, number: int) -> None:
        """Says that no better move will come."""
        if self._open.pop(number, None) is not None and self.mode == FREEPLAY:
            self._say("yield", ref=number)

    def evaluate(self, number: int, value: float) -> None:
        """Answers a request with what the position is worth to South."""
        if number in self._open:
            self._say("eval", float(value), ref=number)

    def ping(self) -> None:
        """Asks for a sign of life; whatever the server says is one."""
        self._say("ping")

    def leave(self) -> None:
        """Says goodbye."""
        if not self.is_over:
            self.is_over = True
            self._open.clear()
            self._say("goodbye")

    @property
    def open_requests(self) -> tuple[int, ...]:
        """The numbers of those that are still to be answered."""
        return tuple(self._open)

    def _say(self, command: str, *arguments: Argument, ref: int | None = None) -> int:
        number = self._number
        self._number += 2  # those of a server are even
        self._said.append(Message(command, arguments, id=number, ref=ref))
        return number

    def _greet(self, message: Message) -> list[Event]:
        if message.verb != "kgp":
            if message.verb in {"error", "goodbye"}:
                raise ProtocolError(self.peer, "does not want to play", message.text(0) or "")
            raise ProtocolError(self.peer, "does not begin with the greeting of KGP", message.command)
        if message.whole(0) != 1:
            raise ProtocolError(self.peer, f"speaks another version of KGP than 1: {message.whole(0)}")
        self.is_greeted = True
        for name, value in self.options.items():
            self._say("set", Word(name), value)
        self._say("mode", Word(self.mode))
        return []

    def _take_state(self, message: Message) -> list[Event]:
        board, number = message.board(0), message.id
        if board is None or number is None:
            self._say("error", "a state has a number and a board", ref=number)
        elif self.mode == VERIFY:
            self._say("error", "this is not the mode for states", ref=number)
        elif number in self._open:
            self._say("error", "this number is in use", ref=number)
        elif len(self._open) >= MOST_REQUESTS:
            self._say("error", "too many states at a time", ref=number)
        else:
            return self._ask(number, board)
        return []

    def _ask(self, number: int, board: Board) -> list[Event]:
        try:
            position = board.playable()
        except TablemenError as error:
            self._say("error", str(error), ref=number)
            return []
        if position is None:  # South has nothing to play
            if self.mode == FREEPLAY:
                self._say("yield", ref=number)
            else:
                self._say("eval", float(board.swept().south_store - board.swept().north_store), ref=number)
            return []
        self._open[number] = position
        left = self._clock
        if left is None or self._time_mode == "none":
            return [Asked(number, position)]
        if self._time_mode == "absolute":
            return [Asked(number, position, clock=Clock(float(left)))]
        return [Asked(number, position, seconds=float(left))]

    def _take_stop(self, message: Message) -> list[Event]:
        """One request is over; all of them, where it does not say which."""
        numbers = self.open_requests if message.ref is None else (message.ref,)
        return [Stopped(number) for number in numbers if self._open.pop(number, None) is not None]

    def _take_ping(self, message: Message) -> list[Event]:
        number = message.whole(0)
        self._say("pong", *(() if number is None else (number,)), ref=message.id)  # some want it back
        return []

    def _take_goodbye(self, _message: Message) -> list[Event]:
        self.is_over = True
        self._open.clear()
        return [Ended()]

    def _take_unknown(self, message: Message) -> list[Event]:
        self._say("error", "unknown command", ref=message.id)
        return []

    def _take_option(self, message: Message) -> list[Event]:
        name, value = message.text(0), message.arguments[1] if len(message.arguments) > 1 else None
        match (name or "").lower():
            case "time:mode":
                self._time_mode = str(value).lower() if str(value).lower() in {"absolute", "relative"} else "none"
            case "time:clock":
                self._clock = value if isinstance(value, int) and 0 < value <= MOST_SECONDS else None
        return []

    def _take_problem(self, message: Message) -> list[Event]:
        board, number, ref = message.board(0), message.whole(1), message.id
        if board is None or number is None or ref is None:
            self._say("error", "a problem has a number, a board and a house", ref=ref)
            return []
        solutions = {is_zero: solve_problem(board, number + is_zero) for is_zero in (False, True)}
        possible = [is_zero for is_zero, solution in solutions.items() if solution is not None]
        if len(possible) == 1:
            (self._counts_from_zero,) = possible
            self._is_count_certain = True
        solution = solutions[self._counts_from_zero]
        if solution is None:
            self._say("error", "that house cannot be played", ref=ref)
            return []
        words = {True: Word("true"), False: Word("false")}
        flag: Argument = words[solution.repeats] if self._says_words else int(solution.repeats)
        self._solutions[self._say("solution", solution.board, flag, ref=ref)] = None
        self.solved += 1
        if len(self._solutions) > MOST_REQUESTS:
            del self._solutions[next(iter(self._solutions))]
        return []

    def _take_error(self, message: Message) -> list[Event]:
        """What the server complains of; a solution that it does not accept was perhaps written in the other way."""
        told = message.text(0) or ""
        if message.ref in self._solutions:
            self._solutions.clear()  # one change for all that were sent before it
            if "<" in told and not self._is_count_certain:
                self._counts_from_zero = not self._counts_from_zero
            else:
                self._says_words = not self._says_words
        return [Complained(told)]


def _pass_over(_message: Message) -> list[Event]:
    return []
