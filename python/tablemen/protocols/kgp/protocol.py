"""The state machines of the Kalah Game Protocol, without I/O: a client, and a server with one client.

`receive` turns a received message into events; `take_outgoing` returns the messages to send.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from tablemen.errors import ProtocolError, TablemenError
from tablemen.mancala import Position
from tablemen.protocols.kgp.messages import (
    Argument,
    KgpBoard,
    KgpMessage,
    ProblemSolution,
    Word,
    parse_flag,
    solve_problem,
)
from tablemen.search import Clock

VERSION = (1, 0, 1)
SERVER_NAME = "tablemen"
MODES = FREEPLAY, VERIFY, EVAL = ("freeplay", "verify", "eval")
_SERVER_MODES = {FREEPLAY: FREEPLAY, VERIFY: VERIFY, "go-kgp:verify": VERIFY}  # a known client uses the last name

MAX_SERVER_REQUESTS = 64  # simultaneous requests that a client accepts from a server
MAX_CLIENT_REQUESTS = 8  # simultaneous requests to a client; our server sends one at a time
MAX_SERVER_ERRORS = 1000  # malformed lines after which a client disconnects
MAX_CLIENT_ERRORS = 50  # errors after which a server disconnects a client
MAX_CLOCK = 10**6  # seconds; a client ignores larger values
MAX_INFO_LENGTH = 80  # characters of each text about a client

_TOKEN_KEY = secrets.token_bytes(16)  # random, so that token hashes are useless outside this process


@dataclass(frozen=True, slots=True)
class SearchRequested:
    """The server requests a move or an evaluation, as the answer to the message with the number `id`."""

    id: int
    position: Position
    clock: Clock | None = None  # the time for all remaining moves
    seconds: float | None = None  # the time for this move


@dataclass(frozen=True, slots=True)
class SearchStopped:
    """The server accepts no more answers to the message with the number `id`."""

    id: int


@dataclass(frozen=True, slots=True)
class ErrorReceived:
    """The server reports an error."""

    text: str


@dataclass(frozen=True, slots=True)
class ServerLeft:
    """The server ends the connection."""


ClientEvent: TypeAlias = "SearchRequested | SearchStopped | ErrorReceived | ServerLeft"


@dataclass(frozen=True, slots=True)
class ModeChosen:
    """The client has chosen its mode: games or problems."""

    mode: str


@dataclass(frozen=True, slots=True)
class MoveReceived:
    """The client has sent its best move so far."""

    id: int
    house: int


@dataclass(frozen=True, slots=True)
class Yielded:
    """The client has ended its search; its last move, if any, is final."""

    id: int


@dataclass(frozen=True, slots=True)
class SolutionReceived:
    """The client has answered a problem; `solution` is None if the answer is malformed."""

    id: int
    answer_id: int | None
    solution: ProblemSolution | None


@dataclass(frozen=True, slots=True)
class ClientLeft:
    """The client ends the connection."""


ServerEvent: TypeAlias = "ModeChosen | MoveReceived | Yielded | SolutionReceived | ClientLeft"


class KgpProtocol:
    """Base of both state machines: numbered outgoing messages."""

    def __init__(self, peer: str, *, first_id: int) -> None:
        self.peer = peer
        self.is_over = False
        self._outgoing: list[KgpMessage] = []
        self._next_id = first_id
        self._errors = 0

    def take_outgoing(self) -> list[KgpMessage]:
        """Return the messages to send and clear the queue."""
        outgoing, self._outgoing = self._outgoing, []
        return outgoing

    def send_ping(self) -> None:
        """Send a ping, which the peer must answer."""
        self._send("ping")

    def _send(self, command: str, *arguments: Argument, ref: int | None = None) -> int:
        number = self._next_id
        self._next_id += 2  # clients use odd numbers, servers even ones
        self._outgoing.append(KgpMessage(command, arguments, id=number, ref=ref))
        return number

    def _answer_ping(self, message: KgpMessage) -> None:
        number = message.integer(0)
        self._send(
            "pong", *(() if number is None else (number,)), ref=message.id
        )  # some peers expect their number in the answer


class KgpClientProtocol(KgpProtocol):
    """The state machine of a client. `options` such as `info:name` are sent after the greeting."""

    def __init__(self, peer: str, mode: str = FREEPLAY, options: Mapping[str, str] | None = None) -> None:
        super().__init__(peer, first_id=1)
        self.mode = mode
        self.options = dict(options or {})
        self.is_greeted = False
        self.solved = 0  # number of solved problems
        self._requests: dict[int, Position] = {}
        self._time_mode = "none"
        self._clock: int | None = None
        # How the server counts houses and writes flags in problems, inferred from its errors.
        self._counts_from_zero = False
        self._is_count_certain = False
        self._uses_words = False
        self._solution_ids: dict[int, None] = {}  # numbers of the latest solutions, in order

    @property
    def open_requests(self) -> tuple[int, ...]:
        """The numbers of the requests without a final answer."""
        return tuple(self._requests)

    def receive(self, message: KgpMessage) -> list[ClientEvent]:
        """Handle a message of the server and return the events.

        Raises `ProtocolError` if the server uses another protocol, or another version.
        """
        if self.is_over:
            return []
        if self.is_greeted:
            return self._dispatch(message)
        self._receive_greeting(message)
        return []

    def _dispatch(self, message: KgpMessage) -> list[ClientEvent]:
        events: list[ClientEvent] = []
        match message.verb:
            case "state":
                events += self._receive_state(message)
            case "stop":
                events += self._receive_stop(message)
            case "problem":
                self._receive_problem(message)
            case "ping":
                self._answer_ping(message)
            case "set":
                self._receive_option(message)
            case "error":
                events.append(self._receive_error(message))
            case "goodbye":
                self._close()
                events.append(ServerLeft())
            case "ok" | "pong" | "kgp":
                pass
            case _:
                self._send("error", "unknown command", ref=message.id)
        return events

    def report_error(self, problem: str) -> None:
        """Report a malformed message to the server. Raises `ProtocolError` after too many of them."""
        self._errors += 1
        if not self.is_greeted:
            raise ProtocolError(self.peer, f"does not use KGP: {problem}")
        if self._errors > MAX_SERVER_ERRORS:
            problem = f"sent more than {MAX_SERVER_ERRORS} invalid messages (last error: {problem})"
            raise ProtocolError(self.peer, problem)
        self._send("error", problem)

    def send_move(self, number: int, house: int) -> bool:
        """Send the best move so far. Return whether the request is still open."""
        if number in self._requests:
            self._send("move", house, ref=number)
        return number in self._requests

    def send_evaluation(self, number: int, value: float) -> None:
        """Send the value of the position for South."""
        if number in self._requests:
            self._send("eval", float(value), ref=number)

    def finish(self, number: int) -> None:
        """End a request: the last answer is final."""
        if self._requests.pop(number, None) is not None and self.mode == FREEPLAY:
            self._send("yield", ref=number)

    def leave(self) -> None:
        """Say goodbye, once."""
        if not self.is_over:
            self._close()
            self._send("goodbye")

    def _close(self) -> None:
        self.is_over = True
        self._requests.clear()

    def _receive_greeting(self, message: KgpMessage) -> None:
        if message.verb != "kgp":
            if message.verb in {"error", "goodbye"}:
                raise ProtocolError(self.peer, "refused the connection", message.text(0) or "")
            raise ProtocolError(self.peer, "did not begin with the KGP greeting", message.command)
        if message.integer(0) != 1:
            version = " ".join(map(str, message.arguments))
            raise ProtocolError(self.peer, "uses another version of KGP than 1", version)
        self.is_greeted = True
        for name, value in self.options.items():
            self._send("set", Word(name), value)
        self._send("mode", Word(self.mode))

    def _receive_state(self, message: KgpMessage) -> list[ClientEvent]:
        board, number = message.board(0), message.id
        if board is None or number is None:
            self._send("error", "a state needs a number and a board", ref=number)
        elif self.mode == VERIFY:
            self._send("error", "states are not allowed in mode verify", ref=number)
        elif number in self._requests:
            self._send("error", "this number is in use", ref=number)
        elif len(self._requests) >= MAX_SERVER_REQUESTS:
            self._send("error", "too many open states", ref=number)
        else:
            return self._open_request(number, board)
        return []

    def _open_request(self, number: int, board: KgpBoard) -> list[ClientEvent]:
        try:
            position = board.playable_position()
        except TablemenError as error:
            self._send("error", str(error), ref=number)
            return []
        if position is None:  # South cannot move
            if self.mode == FREEPLAY:
                self._send("yield", ref=number)
            else:
                self._send("eval", float(board.swept().south_store - board.swept().north_store), ref=number)
            return []
        self._requests[number] = position
        if self._clock is None or self._time_mode == "none":
            return [SearchRequested(number, position)]
        if self._time_mode == "absolute":
            return [SearchRequested(number, position, clock=Clock(float(self._clock)))]
        return [SearchRequested(number, position, seconds=float(self._clock))]

    def _receive_stop(self, message: KgpMessage) -> list[ClientEvent]:
        """Stop one request, or all if the message has no reference."""
        numbers = self.open_requests if message.ref is None else (message.ref,)
        return [SearchStopped(number) for number in numbers if self._requests.pop(number, None) is not None]

    def _receive_option(self, message: KgpMessage) -> None:
        value = message.argument(1)
        match (message.text(0) or "").lower():
            case "time:mode":
                mode = str(value).lower()
                self._time_mode = mode if mode in {"absolute", "relative"} else "none"
            case "time:clock":
                self._clock = value if isinstance(value, int) and 0 < value <= MAX_CLOCK else None

    def _receive_problem(self, message: KgpMessage) -> None:
        board, number, ref = message.board(0), message.integer(1), message.id
        if board is None or number is None or ref is None:
            self._send("error", "a problem needs a number, a board and a house", ref=ref)
            return
        solutions = {is_zero: solve_problem(board, number + is_zero) for is_zero in (False, True)}
        possible = [is_zero for is_zero, solution in solutions.items() if solution is not None]
        if len(possible) == 1:
            (self._counts_from_zero,) = possible
            self._is_count_certain = True
        solution = solutions[self._counts_from_zero]
        if solution is None:
            self._send("error", "the house cannot be played", ref=ref)
            return
        flag: Argument = Word(str(solution.repeats).lower()) if self._uses_words else int(solution.repeats)
        self._solution_ids[self._send("solution", solution.board, flag, ref=ref)] = None
        self.solved += 1
        if len(self._solution_ids) > MAX_SERVER_REQUESTS:
            del self._solution_ids[next(iter(self._solution_ids))]

    def _receive_error(self, message: KgpMessage) -> ClientEvent:
        """Return the event of an error. If it rejects a solution, use the other notation from now on."""
        text = message.text(0) or ""
        if message.ref in self._solution_ids:
            self._solution_ids.clear()  # further errors about earlier solutions must not change the notation again
            if "<" in text and not self._is_count_certain:
                self._counts_from_zero = not self._counts_from_zero
            else:
                self._uses_words = not self._uses_words
        return ErrorReceived(text)


@dataclass(slots=True)
class ClientInfo:
    """What a client has sent about itself, in texts of limited length; the token is stored as a hash."""

    name: str = ""
    authors: str = ""
    description: str = ""
    comment: str = ""
    token: bytes = b""


class KgpServerProtocol(KgpProtocol):
    """The state machine of a server for one client."""

    def __init__(self, peer: str) -> None:
        super().__init__(peer, first_id=2)
        self.info = ClientInfo()
        self.mode: str | None = None
        self._states: set[int] = set()
        self._problems: set[int] = set()

    def greet(self, seconds: float | None = None) -> None:
        """Send the protocol's version and the time for a move."""
        self._send("kgp", *VERSION)
        self._send("set", Word("info:name"), SERVER_NAME)
        if seconds is not None and seconds >= 1:  # the protocol allows only whole seconds
            self._send("set", Word("time:mode"), "relative")  # a known client requires the quotes
            self._send("set", Word("time:clock"), int(seconds))

    def announce_game(self, game: str, opponent: str) -> None:
        """Send the game's number and the opponent's name."""
        self._send("set", Word("game:id"), game)
        self._send("set", Word("game:opponent"), opponent)

    def request_move(self, position: Position) -> int:
        """Request a move. Return the number of the request."""
        assert len(self._states) < MAX_CLIENT_REQUESTS
        number = self._send("state", KgpBoard.from_position(position))
        self._states.add(number)
        return number

    def stop(self, number: int) -> None:
        """End a request; later answers to it are ignored."""
        if number in self._states:
            self._states.remove(number)
            self._send("stop", ref=number)

    def send_problem(self, board: KgpBoard, house: int) -> int:
        """Send a problem. Return the number of the request."""
        assert len(self._problems) < MAX_CLIENT_REQUESTS
        number = self._send("problem", board, house)
        self._problems.add(number)
        return number

    def send_verdict(self, answer_id: int | None, error: str | None) -> None:
        """Accept a solution, or report what is wrong with it."""
        if error is None:
            self._send("ok", ref=answer_id)
        else:
            self._send("error", error, ref=answer_id)

    def leave(self, problem: str = "") -> None:
        """Say goodbye, once, with the reason if there is one."""
        if not self.is_over:
            self.is_over = True
            self._states.clear()
            self._problems.clear()
            if problem:
                self._send("error", problem)
            self._outgoing.append(KgpMessage("goodbye"))

    def receive(self, message: KgpMessage) -> list[ServerEvent]:
        """Handle a message of the client and return the events.

        Raises `ProtocolError` after too many errors, or if the client requests an unknown mode.
        """
        if self.is_over:
            return []
        events: list[ServerEvent] = []
        match message.verb:
            case "mode":
                events += self._receive_mode(message)
            case "set":
                self._receive_option(message)
            case "move":
                events += self._receive_move(message)
            case "yield":
                number = self._find_request(message)
                events += [] if number is None else [Yielded(number)]
            case "solution":
                events += self._receive_solution(message)
            case "ping":
                self._answer_ping(message)
            case "goodbye":
                self.is_over = True
                events.append(ClientLeft())
            case "ok" | "pong" | "error" | "kgp":
                pass
            case _:
                self.report_error("unknown command", message.id)
        return events

    def report_error(self, problem: str, ref: int | None = None) -> None:
        """Report an error to the client. Raises `ProtocolError` after too many of them."""
        self._errors += 1
        if self._errors > MAX_CLIENT_ERRORS:
            self.leave("too many errors")
            raise ProtocolError(
                self.peer, f"sent more than {MAX_CLIENT_ERRORS} invalid messages (last error: {problem})"
            )
        self._send("error", problem, ref=ref)

    def _receive_mode(self, message: KgpMessage) -> list[ServerEvent]:
        mode = (message.text(0) or "").lower()
        if self.mode is not None:
            self.report_error("the mode is already set", message.id)
            return []
        if mode not in _SERVER_MODES:
            self.leave("Unsupported activity")
            raise ProtocolError(self.peer, "requested a mode other than freeplay and verify", mode)
        self.mode = _SERVER_MODES[mode]
        self._send("ok", ref=message.id)
        return [ModeChosen(self.mode)]

    def _receive_option(self, message: KgpMessage) -> None:
        """Store the options that describe the client; ignore others."""
        value = str(message.arguments[1]) if len(message.arguments) > 1 else ""
        text = " ".join(value.split())[:MAX_INFO_LENGTH]
        match (message.text(0) or "").lower():
            case "info:name" if self.mode is None:  # the results have one name for each client
                self.info.name = text
            case "info:authors" | "info:author":
                self.info.authors = text
            case "info:description":
                self.info.description = text
            case "info:comment":
                self.info.comment = text
            case "auth:token" if self.mode is None and value:
                self.info.token = hashlib.blake2b(value.encode(), key=_TOKEN_KEY, digest_size=16).digest()

    def _find_request(self, message: KgpMessage) -> int | None:
        """Return the request that a message answers; without a reference, the only open one."""
        if message.ref in self._states:
            return message.ref
        if message.ref is None and len(self._states) == 1:
            return next(iter(self._states))
        if message.ref is None or message.ref >= self._next_id or message.ref % 2:
            self.report_error("no state has this number", message.id)
        return None  # the specification says to ignore late answers

    def _receive_move(self, message: KgpMessage) -> list[ServerEvent]:
        house = message.integer(0)
        if house is None:
            self.report_error("a move needs the number of a house", message.id)
            return []
        number = self._find_request(message)
        return [] if number is None else [MoveReceived(number, house)]

    def _receive_solution(self, message: KgpMessage) -> list[ServerEvent]:
        number = message.ref
        if number is None and len(self._problems) == 1:
            number = next(iter(self._problems))
        if number is None or number not in self._problems:
            self.report_error("no open problem has this number", message.id)
            return []
        self._problems.remove(number)
        board, flag = message.board(0), parse_flag(message.argument(1))
        solution = None if board is None or flag is None else ProblemSolution(board, flag)
        return [SolutionReceived(number, message.id, solution)]
