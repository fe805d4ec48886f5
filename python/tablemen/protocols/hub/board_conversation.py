"""The board's side of a conversation in Hub: what it may say when, and what it makes of what it hears.

No bytes, no clocks: what is to be sent comes out as lines, and what happened as events.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import Any

from tablemen._core import Position
from tablemen.console import visible
from tablemen.draughts.notation import format_hub_move, format_hub_position, parse_hub_move
from tablemen.errors import NotationError, ProtocolError, TablemenError
from tablemen.game import Game
from tablemen.protocols.hub import hub1
from tablemen.protocols.hub.event import Event, Finished, Informed, Opened, Ponged, Started
from tablemen.protocols.hub.info import KNOWN, read_line
from tablemen.protocols.hub.level import format_level
from tablemen.protocols.hub.message import Message, format_message, message, parse_message
from tablemen.protocols.hub.options import Option, OptionType, parse_option
from tablemen.search import Limit

MOST_OPTIONS = 200
LONGEST_OPTION = 4096  # characters
LONGEST_FACT = 80  # characters of a name, an author or a country
FACTS = ("name", "version", "author", "country")
MOST_MOVES = 1000  # that are sent; a longer game is told from a later position on


class State(enum.Enum):
    """How far the conversation has come."""

    NEW = "new"
    GREETED = "greeted"  # it tells who it is, and its options
    WAITING = "waiting"  # for options, and to be told to begin
    STARTING = "starting"  # it says what it likes until it is ready
    READY = "ready"
    SEARCHING = "searching"
    ENDED = "ended"


class Mode(enum.StrEnum):
    """What a search is for."""

    THINK = "think"
    PONDER = "ponder"
    ANALYSE = "analyze"


_HEARD = frozenset({"id", "param", "wait", "ready", "info", "done", "pong", "error"})
_HEARD_FIRST = (_HEARD - {"id", "param", "done"}) | {"name", "author", "country", "move"}  # in the first Hub


@dataclass(slots=True)
class BoardConversation:
    """A conversation with a program. `peer` is what it is called in errors.

    Where `hear` raises `ProtocolError`, it has ended.
    """

    peer: str
    first: bool = False  # whether it speaks the first Hub; it is seen where it does
    state: State = State.NEW
    facts: dict[str, str] = field(default_factory=dict)
    options: dict[str, Option] = field(default_factory=dict)
    _pings: int = 0
    _position: Position | None = None
    _told: dict[str, str] = field(default_factory=dict)
    _is_stopped: bool = False
    _mode: Mode = Mode.THINK

    def greet(self) -> tuple[str, ...]:
        """Ask it who it is; it is `Opened` then."""
        self._go_on(State.GREETED, State.NEW)
        return self._say(message("hub"))

    def set_option(self, name: str, text: str) -> tuple[str, ...]:
        """Give an option a value, before it is told to begin, or to begin anew."""
        self._check(State.WAITING, State.READY)
        option = self.options.get(name) or Option(name, OptionType.STRING, text)  # the first Hub declares none
        self.options[name] = option.having(text)
        return self._say(message("set-param", name=name, value=text))

    def start(self) -> tuple[str, ...]:
        """Tell it to begin, or to begin anew with other options; it is `Started` then."""
        self._go_on(State.STARTING, State.WAITING, State.READY)
        return self._say(message("init"))

    def search(self, game: Game[Any, Any], limit: Limit, mode: Mode) -> tuple[str, ...]:
        """Ask for a search in a game that goes on; it is `Finished` in the end."""
        self._go_on(State.SEARCHING, State.READY)
        self._position, self._told, self._is_stopped, self._mode = game.position, {}, False, mode
        return (
            *self._say(tell_game(game)),
            *self._say(format_level(limit)),
            *self._say(message("go", mode)),
        )

    def stop(self) -> tuple[str, ...]:
        """Tell it to end its search; once is enough."""
        if self.state is not State.SEARCHING or self._is_stopped:
            return ()
        self._is_stopped = True
        return self._say(message("stop"))

    def hit(self) -> tuple[str, ...]:
        """Tell it that the expected move was played."""
        self._mode = Mode.THINK
        return self._say(message("ponder-hit")) if self.state is State.SEARCHING else ()

    def ping(self) -> tuple[str, ...]:
        """Ask whether it is there; it has `Ponged` then."""
        self._check(State.READY, State.SEARCHING)
        self._pings += 1
        return self._say(message("ping"))

    def forget(self) -> tuple[str, ...]:
        """Tell it that another game begins."""
        self._check(State.READY)
        return self._say(message("new-game"))

    def quit(self) -> tuple[str, ...]:
        """Tell it to go; nothing that it says matters any more."""
        if self.state is State.ENDED:
            return ()
        self.end()
        return self._say(message("quit"))

    def end(self) -> None:
        """The conversation is over."""
        self.state = State.ENDED

    def hear(self, text: str) -> Event | None:
        """What a line of the program comes to; None where it means nothing. Raises `ProtocolError`."""
        if self.state is State.ENDED:
            return None
        try:
            return self._take(text)
        except ProtocolError:
            self.end()
            raise

    def _take(self, text: str) -> Event | None:
        word = next(iter(text.split(maxsplit=1)), "")
        if word in {"name", "id"} and self.state is State.GREETED and not self.options:
            self.first = word == "name"
        if word not in (_HEARD_FIRST if self.first else _HEARD):
            return None  # as Hub has it: what one does not know means nothing
        try:
            said = hub1.parse_answer(text) if self.first else parse_message(text)
        except NotationError as error:
            if self.state is State.STARTING or word == "info":  # which changes nothing
                return None
            raise ProtocolError(self.peer, f"said what cannot be read ({error.problem})", text) from error
        return self._react(said, text)

    def _react(self, said: Message, text: str) -> Event | None:  # noqa: C901, PLR0911 - a case each
        match said.command, self.state:
            case "error", _:
                raise ProtocolError(self.peer, "reports an error", said.get("message") or text)
            case "pong", _ if self._pings:
                self._pings -= 1
                return Ponged()
            case "pong", _:
                return None  # one too many does no harm
            case "ready", State.STARTING:
                self.state = State.READY
                return Started()
            case _, State.STARTING:
                return None  # it may say what it likes until it is ready
            case "id", State.GREETED:
                self._learn(said)
                return None
            case "param", State.GREETED:
                self._declare(said, text)
                return None
            case "wait", State.GREETED:
                self.state = State.WAITING
                return Opened()
            case "info", State.SEARCHING:
                self._told |= {name: value for name in KNOWN if (value := said.get(name)) is not None}
                return Informed(dict(self._told))
            case "info", _:
                return None  # from a search that is over: it changes nothing
            case "done", State.SEARCHING:
                return self._finish(said, text)
        raise ProtocolError(self.peer, f"said {said.command} without being asked", text)

    def _learn(self, said: Message) -> None:
        for name in FACTS:
            if value := said.get(name):
                self.facts[name] = visible(value)[:LONGEST_FACT]

    def _declare(self, said: Message, text: str) -> None:
        if len(text) > LONGEST_OPTION:
            raise ProtocolError(self.peer, f"declares an option with more than {LONGEST_OPTION:,} characters", text)
        try:
            option = parse_option(said)
        except NotationError as error:
            raise ProtocolError(self.peer, f"declares an option that makes no sense ({error.problem})", text) from error
        if len(self.options) == MOST_OPTIONS and option.name not in self.options:
            raise ProtocolError(self.peer, f"declares more than {MOST_OPTIONS} options")
        self.options[option.name] = option

    def _finish(self, said: Message, text: str) -> Finished:
        position, written = self._position, said.get("move")
        assert position is not None
        move = ponder = None
        if written is not None:
            try:
                move = parse_hub_move(written, position)
            except TablemenError as error:
                raise ProtocolError(self.peer, "played a move that is not legal", text) from error
        elif self._is_stopped:  # perhaps before it had thought of any; what it told of is as good
            move = next(iter(read_line(self._told.get("pv", ""), position)), None)
        if move is not None:
            ponder = next(iter(read_line(said.get("ponder") or "", position.play(move))), None)
        elif self._mode is Mode.THINK and position.legal_moves():  # Hub has no word for giving up
            raise ProtocolError(self.peer, "ended its search without a move", text)
        self.state, self._position = State.READY, None
        return Finished(move, ponder, self._told)

    def _go_on(self, state: State, *before: State) -> None:
        self._check(*before)
        self.state = state

    def _check(self, *states: State) -> None:
        if self.state not in states:
            raise RuntimeError(f"this cannot be said to a program that is {self.state.value}")

    def _say(self, said: Message) -> tuple[str, ...]:
        return hub1.format_order(said) if self.first else (format_message(said),)


def tell_game(game: Game[Any, Any]) -> Message:
    """The position that a game began with and its moves, so that repetitions are seen."""
    begin = max(0, len(game.moves) - MOST_MOVES)
    moves = " ".join(format_hub_move(move) for move in game.moves[begin:])
    return message("pos", pos=format_hub_position(game.positions[begin]), moves=moves or None)
