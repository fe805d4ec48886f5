"""The state machines of both ends of Hub, without I/O, threads or clocks: a board (the GUI), and an engine.

`HubBoardProtocol` turns method calls into lines to send, and received lines into events. `HubEngineProtocol` turns
received lines into actions, such as sending a line or starting a search.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tablemen._core import Move, Position
from tablemen.console import escape_controls
from tablemen.draughts.notation import format_hub_move, format_hub_position, parse_hub_move, parse_hub_position
from tablemen.errors import (
    ArgumentError,
    GameOverError,
    InvalidPositionError,
    NotationError,
    ProtocolError,
    TablemenError,
)
from tablemen.game import Game
from tablemen.protocols.hub import hub1
from tablemen.protocols.hub.messages import (
    HUB_VARIANTS,
    NORMAL,
    VARIANT,
    HubMessage,
    Option,
    OptionType,
    build_message,
    format_info,
    format_level,
    format_message,
    format_option,
    parse_level,
    parse_line,
    parse_message,
    parse_option,
)
from tablemen.search import Info, Limit

MAX_OPTIONS = 200
MAX_OPTION_LENGTH = 4096  # characters
MAX_ID_LENGTH = 80  # characters of a name, an author or a country
MAX_MOVES = 1000  # moves that are sent; a longer game is sent from a later position
MAX_MOVE_LENGTH = 80  # characters of an illegal move in an error

ID_FIELDS = ("name", "version", "author", "country")
INFO_FIELDS = ("depth", "score", "nodes", "time", "pv")
NO_POSITION = "no position: the last one was invalid"

_REPLIES = frozenset({"id", "param", "wait", "ready", "info", "done", "pong", "error"})
_HUB1_REPLIES = (_REPLIES - {"id", "param", "done"}) | {"name", "author", "country", "move"}


@dataclass(frozen=True, slots=True)
class Opened:
    """The engine has declared its options."""


@dataclass(frozen=True, slots=True)
class Started:
    """The engine is ready for positions."""


@dataclass(frozen=True, slots=True)
class Ponged:
    """The engine has answered a ping."""


@dataclass(frozen=True, slots=True)
class Informed:
    """The engine has reported `values`, which are merged with those reported earlier in this search."""

    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Finished:
    """The search is over: a legal move, which only an analysis may lack, the expected reply, and reported values."""

    move: Move | None
    ponder: Move | None
    values: Mapping[str, str]


HubEvent: TypeAlias = Opened | Started | Ponged | Informed | Finished


class HubState(enum.Enum):
    """The state of a `HubBoardProtocol`."""

    NEW = "new"
    GREETED = "greeted"  # the engine may send its name and its options
    WAITING = "waiting"  # the engine waits for values of options and `init`
    STARTING = "starting"  # the engine may print anything until it is ready
    READY = "ready"
    SEARCHING = "searching"
    ENDED = "ended"


class SearchMode(enum.StrEnum):
    """The purpose of a search."""

    THINK = "think"
    PONDER = "ponder"
    ANALYSE = "analyze"


@dataclass(slots=True)
class HubBoardProtocol:
    """The state machine of the board. `peer` is the name of the engine in errors.

    When `receive` raises `ProtocolError`, the state becomes `ENDED`.
    """

    peer: str
    is_hub1: bool = False  # whether the engine uses Hub 1; detected from its greeting
    state: HubState = HubState.NEW
    id: dict[str, str] = field(default_factory=dict)
    options: dict[str, Option] = field(default_factory=dict)
    _pings: int = 0
    _position: Position | None = None
    _values: dict[str, str] = field(default_factory=dict)
    _is_stopped: bool = False
    _mode: SearchMode = SearchMode.THINK

    def greet(self) -> tuple[str, ...]:
        """Request the name and the options of the engine. The event `Opened` follows."""
        self._advance(HubState.GREETED, HubState.NEW)
        return self._format(build_message("hub"))

    def set_option(self, name: str, text: str) -> tuple[str, ...]:
        """Set an option, before `start`."""
        self._check(HubState.WAITING, HubState.READY)
        option = self.options.get(name) or Option(name, OptionType.STRING, text)  # Hub 1 declares no options
        self.options[name] = option.with_value(text)
        return self._format(build_message("set-param", name=name, value=text))

    def start(self) -> tuple[str, ...]:
        """Let the engine initialise, or initialise again after a change of options. The event `Started` follows."""
        self._advance(HubState.STARTING, HubState.WAITING, HubState.READY)
        return self._format(build_message("init"))

    def search(self, game: Game[Any, Any], limit: Limit, mode: SearchMode) -> tuple[str, ...]:
        """Start a search in a game that is not over. The event `Finished` follows."""
        self._advance(HubState.SEARCHING, HubState.READY)
        self._position, self._values, self._is_stopped, self._mode = game.position, {}, False, mode
        messages = (format_game(game), format_level(limit), build_message("go", mode))
        return tuple(line for message in messages for line in self._format(message))

    def stop(self) -> tuple[str, ...]:
        """Stop the search, unless it is already stopped."""
        if self.state is not HubState.SEARCHING or self._is_stopped:
            return ()
        self._is_stopped = True
        return self._format(build_message("stop"))

    def ponder_hit(self) -> tuple[str, ...]:
        """Report that the expected move was played."""
        self._mode = SearchMode.THINK
        return self._format(build_message("ponder-hit")) if self.state is HubState.SEARCHING else ()

    def ping(self) -> tuple[str, ...]:
        """Check that the engine responds. The event `Ponged` follows."""
        self._check(HubState.READY, HubState.SEARCHING)
        self._pings += 1
        return self._format(build_message("ping"))

    def new_game(self) -> tuple[str, ...]:
        """Announce another game."""
        self._check(HubState.READY)
        return self._format(build_message("new-game"))

    def quit(self) -> tuple[str, ...]:
        """End the engine, and ignore further lines from it."""
        if self.state is HubState.ENDED:
            return ()
        self.state = HubState.ENDED
        return self._format(build_message("quit"))

    def receive(self, text: str) -> HubEvent | None:
        """Handle a line of the engine, and return its event, if any. Raises `ProtocolError`."""
        if self.state is HubState.ENDED:
            return None
        try:
            return self._receive(text)
        except ProtocolError:
            self.state = HubState.ENDED
            raise

    def _receive(self, text: str) -> HubEvent | None:
        command = next(iter(text.split(maxsplit=1)), "")
        if command in {"name", "id"} and self.state is HubState.GREETED and not self.options:
            self.is_hub1 = command == "name"
        if command not in (_HUB1_REPLIES if self.is_hub1 else _REPLIES):
            return None  # Hub ignores unknown commands
        try:
            message = hub1.parse_reply(text) if self.is_hub1 else parse_message(text)
        except NotationError as error:
            if self.state is HubState.STARTING or command == "info":
                return None
            raise ProtocolError(self.peer, f"sent an invalid line ({error.problem})", text) from error
        return self._react(message, text)

    def _react(self, message: HubMessage, text: str) -> HubEvent | None:  # noqa: C901, PLR0911 - one branch for each case
        match message.command, self.state:
            case "error", _:
                raise ProtocolError(self.peer, "reported an error", message.get("message") or text)
            case "pong", _ if self._pings:
                self._pings -= 1
                return Ponged()
            case "pong", _:
                return None  # a pong without a ping is harmless
            case "ready", HubState.STARTING:
                self.state = HubState.READY
                return Started()
            case _, HubState.STARTING:
                return None
            case "id", HubState.GREETED:
                self.id |= {
                    name: escape_controls(value)[:MAX_ID_LENGTH] for name in ID_FIELDS if (value := message.get(name))
                }
                return None
            case "param", HubState.GREETED:
                self._declare(message, text)
                return None
            case "wait", HubState.GREETED:
                self.state = HubState.WAITING
                return Opened()
            case "info", HubState.SEARCHING:
                self._values |= {name: value for name in INFO_FIELDS if (value := message.get(name)) is not None}
                return Informed(dict(self._values))
            case "info", _:
                return None  # from the previous search
            case "done", HubState.SEARCHING:
                return self._finish(message, text)
        raise ProtocolError(self.peer, f"sent an unexpected `{message.command}`", text)

    def _declare(self, message: HubMessage, text: str) -> None:
        if len(text) > MAX_OPTION_LENGTH:
            raise ProtocolError(self.peer, f"declared an option of more than {MAX_OPTION_LENGTH:,} characters", text)
        try:
            option = parse_option(message)
        except NotationError as error:
            raise ProtocolError(self.peer, f"declared an invalid option ({error.problem})", text) from error
        if len(self.options) == MAX_OPTIONS and option.name not in self.options:
            raise ProtocolError(self.peer, f"declared more than {MAX_OPTIONS} options")
        self.options[option.name] = option

    def _finish(self, message: HubMessage, text: str) -> Finished:
        position, written = self._position, message.get("move")
        assert position is not None
        move = ponder = None
        if written is not None:
            try:
                move = parse_hub_move(written, position)
            except TablemenError as error:
                raise ProtocolError(self.peer, "played an illegal move", text) from error
        elif self._is_stopped:  # the engine may not have chosen a move yet: take the first move of its last line
            move = next(iter(parse_line(self._values.get("pv", ""), position)), None)
        if move is not None:
            ponder = next(iter(parse_line(message.get("ponder") or "", position.play(move))), None)
        elif self._mode is SearchMode.THINK and position.legal_moves():  # Hub cannot express a resignation
            raise ProtocolError(self.peer, "ended its search without a move", text)
        self.state, self._position = HubState.READY, None
        return Finished(move, ponder, self._values)

    def _advance(self, state: HubState, *before: HubState) -> None:
        self._check(*before)
        self.state = state

    def _check(self, *states: HubState) -> None:
        if self.state not in states:
            raise RuntimeError(f"not allowed while the engine is {self.state.value}")

    def _format(self, message: HubMessage) -> tuple[str, ...]:
        return hub1.format_command(message) if self.is_hub1 else (format_message(message),)


def format_game(game: Game[Any, Any]) -> HubMessage:
    """Return the `pos` message for a game: its first position and its moves, so that the engine sees repetitions."""
    first = max(0, len(game.moves) - MAX_MOVES)
    moves = " ".join(format_hub_move(move) for move in game.moves[first:])
    return build_message("pos", pos=format_hub_position(game.positions[first]), moves=moves or None)


@dataclass(frozen=True, slots=True)
class SendLine:
    """Send a line to the board."""

    line: str


@dataclass(frozen=True, slots=True)
class StartSearch:
    """Start a search, and call `finish` when it has ended."""

    game: Game[Any, Any]
    limit: Limit
    ponder: bool = False  # search in the opponent's time, until `PonderHit`
    analyse: bool = False  # the move will not be played


@dataclass(frozen=True, slots=True)
class Prepare:
    """Apply the options that the board has set."""


@dataclass(frozen=True, slots=True)
class StopSearch:
    """End the search."""


@dataclass(frozen=True, slots=True)
class PonderHit:
    """Start the clock of the search, since the expected move was played."""


@dataclass(frozen=True, slots=True)
class ClearSearch:
    """Clear the transposition table before a new game."""


@dataclass(frozen=True, slots=True)
class Quit:
    """Exit the program."""


HubAction: TypeAlias = SendLine | StartSearch | Prepare | StopSearch | PonderHit | ClearSearch | Quit


@dataclass(slots=True)
class HubEngineProtocol:
    """The state machine of the engine. `id` has its name and version, `options` the options that the board can set.

    During a search, a line that does not concern the search stops it, and is held until `finish`. Do not call `receive`
    while a line is held.
    """

    id: Mapping[str, str]
    options: dict[str, Option]
    is_hub1: bool = False  # whether the board uses Hub 1; detected from its commands
    is_searching: bool = False
    held: str | None = None
    _game: Game[Any, Any] | None = None  # the game that the board has set up; None for the start position
    _has_no_position: bool = False  # whether the last `pos` was invalid: the position of the board is unknown
    _limit: Limit = field(default_factory=Limit)
    _is_pondering: bool = False

    def receive(self, text: str) -> list[HubAction]:  # noqa: PLR0911 - one return for each command
        """Handle a line of the board, and return the actions."""
        assert self.held is None
        self.is_hub1 = (self.is_hub1 or hub1.is_hub1_command(text)) and not hub1.is_hub2_command(text)
        try:
            message = hub1.parse_command(text) if self.is_hub1 else parse_message(text)
        except NotationError as error:
            if self.is_searching:
                return self._hold(text)
            problem = f"bad line: {error.problem}" if text.strip() else error.problem
            return self._drop_position(problem) if text.split(maxsplit=1)[:1] == ["pos"] else self.fail(problem)
        if not self.is_searching:
            return self._execute(message)
        match message.command:
            case "ping":
                return self._send(build_message("pong"))
            case "stop":
                return [StopSearch()]
            case "ponder-hit":
                is_pondering, self._is_pondering = self._is_pondering, False
                return [PonderHit()] if is_pondering else []
            case _:
                return self._hold(text)

    def _hold(self, text: str) -> list[HubAction]:
        self.held = text
        return [StopSearch()]

    def inform(self, info: Info[Any]) -> list[HubAction]:
        """Report a result of the search."""
        return self._send(format_info(info))

    def finish(self, move: Move | None, ponder: Move | None = None) -> list[HubAction]:
        """End the search with its move, and execute the line that was held."""
        self.is_searching = False
        self._limit = Limit()
        moves = {"move": move, "ponder": ponder}
        written = {name: format_hub_move(each) for name, each in moves.items() if each is not None}
        actions = self._send(build_message("done", **written))
        if self.held is not None:
            held, self.held = self.held, None
            actions += self.receive(held)
        return actions

    def fail(self, problem: str) -> list[HubAction]:
        """Report an error."""
        return self._send(build_message("error", message=problem.replace('"', "'").replace("\n", " ")))

    def _execute(self, message: HubMessage) -> list[HubAction]:  # noqa: C901, PLR0911 - one branch for each command
        match message.command:
            case "hub":
                options = (format_option(option) for option in self.options.values())
                return self._send(build_message("id", **self.id), *options, build_message("wait"))
            case "set-param":
                return self._set_option(message)
            case "init":
                return [Prepare(), *self._send(build_message("ready"))]
            case "pos":
                return self._set_position(message)
            case "move":  # a command of Hub 1
                if self._has_no_position:
                    return self.fail(NO_POSITION)
                game = Game(self._start_position()) if self._game is None else self._game.copy()
                return self._set_game(game, [message.get("move") or ""])
            case "level":
                try:
                    self._limit = parse_level(message, self._limit)
                except NotationError as error:
                    return self.fail(f"bad level: {error.problem}")
            case "go":
                return self._go(message)
            case "new-game":
                return [ClearSearch()]
            case "ping":
                return self._send(build_message("pong"))
            case "quit":
                return [Quit()]
        return []  # Hub ignores unknown commands

    def _set_option(self, message: HubMessage) -> list[HubAction]:
        name, value = message.get("name"), message.get("value")
        if not name:
            return self.fail("missing option name")
        option = self.options.get(name)
        if option is None:
            return self.fail(f"unknown option {name}")
        try:
            self.options[name] = option.with_value(value or "")
        except ArgumentError as error:
            return self.fail(str(error))
        if name == VARIANT:
            self._game, self._limit, self._has_no_position = None, Limit(), False
        return []

    def _set_position(self, message: HubMessage) -> list[HubAction]:
        written = message.get("pos")
        position = self._start_position()
        try:
            if written is not None:
                position = parse_hub_position(written, position.variant)
        except NotationError as error:
            return self._drop_position(f"bad position: column {error.column}: {error.problem}")
        except InvalidPositionError as error:
            return self._drop_position(f"bad position: {'; '.join(error.problems)}")
        self._limit = Limit()
        return self._set_game(Game(position), (message.get("moves") or "").split())

    def _set_game(self, game: Game[Any, Any], moves: Iterable[str]) -> list[HubAction]:
        """Play moves in a game, and keep it if all are legal. The board may play on after a draw by our rules."""
        for text in moves:
            try:
                move = parse_hub_move(text, game.position)
            except NotationError as error:
                return self._drop_position(f"bad move: {error.problem}")
            except TablemenError:
                return self._drop_position(f"illegal move: {text[:MAX_MOVE_LENGTH]}")
            try:
                game.push(move)
            except GameOverError:
                game = Game(game.position.play(move))
        self._game, self._has_no_position = game, False
        return []

    def _drop_position(self, problem: str) -> list[HubAction]:
        """Report an error, and refuse to search until the next valid position, since that of the board is unknown."""
        self._game, self._has_no_position = None, True
        return self.fail(problem)

    def _start_position(self) -> Position:
        option = self.options.get(VARIANT)
        return Position.start(HUB_VARIANTS[NORMAL if option is None else option.value])

    def _go(self, message: HubMessage) -> list[HubAction]:
        if self._has_no_position:
            return self.fail(NO_POSITION)
        game = self._game or Game(self._start_position())
        moves = game.position.legal_moves()
        if game.outcome() is not None:
            game = Game(game.position)  # the board may have other draw rules
        if game.outcome() is not None or not moves:
            return self.finish(moves[0] if moves else None)
        self.is_searching, self._is_pondering = True, message.has("ponder")
        return [StartSearch(game.copy(), self._limit, message.has("ponder"), message.has("analyze"))]

    def _send(self, *messages: HubMessage) -> list[HubAction]:
        if self.is_hub1:
            return [SendLine(line) for message in messages for line in hub1.format_reply(message)]
        return [SendLine(format_message(message)) for message in messages]
