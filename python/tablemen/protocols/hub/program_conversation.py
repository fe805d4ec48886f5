"""The program's side of a conversation in Hub: what a board says, and what is to be done then.

No bytes, no threads: lines come in, and acts come out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tablemen._core import Move, Position
from tablemen.draughts.notation import format_hub_move, parse_hub_move, parse_hub_position
from tablemen.errors import ArgumentError, GameOverError, InvalidPositionError, NotationError, TablemenError
from tablemen.game import Game
from tablemen.protocols.hub import hub1
from tablemen.protocols.hub.info import format_info
from tablemen.protocols.hub.level import combine, parse_level
from tablemen.protocols.hub.message import Message, format_message, message, parse_message
from tablemen.protocols.hub.options import Option, format_option
from tablemen.protocols.hub.variants import HUB_VARIANTS, NORMAL, VARIANT
from tablemen.search import Info, Limit

MOST_TOLD = 80  # characters of a move that is not legal
LOST = "there is no position: the last one made no sense"


@dataclass(frozen=True, slots=True)
class Say:
    """A line for the board."""

    line: str


@dataclass(frozen=True, slots=True)
class Begin:
    """A search is to begin; `finish` is told when it has ended."""

    game: Game[Any, Any]
    limit: Limit
    ponder: bool = False  # in the opponent's time, until `Hit`
    analyse: bool = False  # nobody will play the move


@dataclass(frozen=True, slots=True)
class Prepare:
    """The board has set its options: what they ask for is to be there."""


@dataclass(frozen=True, slots=True)
class Stop:
    """The search is to end."""


@dataclass(frozen=True, slots=True)
class Hit:
    """The expected move was played."""


@dataclass(frozen=True, slots=True)
class Forget:
    """Another game begins."""


@dataclass(frozen=True, slots=True)
class Quit:
    """The board has no more to say."""


Act = Say | Begin | Prepare | Stop | Hit | Forget | Quit


@dataclass(slots=True)
class ProgramConversation:
    """A conversation with a board. `facts` are what the program says of itself, and `options` what can be changed.

    While a search goes on, a line that is not for it ends it, and is obeyed afterwards: it is held till `finish`, and
    no other may be heard as long as it is.
    """

    facts: Mapping[str, str]
    options: dict[str, Option]
    first: bool = False  # whether the board speaks the first Hub; it is seen where it does
    is_searching: bool = False
    held: str | None = None
    _game: Game[Any, Any] | None = None  # what was set up last; where there was nothing yet, the start
    _is_lost: bool = False  # whether what was set up last made no sense: nobody knows what the board shows
    _limit: Limit = field(default_factory=Limit)
    _is_pondering: bool = False

    def hear(self, text: str) -> list[Act]:
        """What a line asks for."""
        assert self.held is None
        try:
            order = self._read(text)
        except NotationError as error:
            return self._hold(text) if self.is_searching else self._object(text, error)
        if not self.is_searching:
            return self._obey(order)
        match order.command:
            case "ping":
                return self._say(message("pong"))
            case "stop":
                return [Stop()]
            case "ponder-hit":
                is_pondering, self._is_pondering = self._is_pondering, False
                return [Hit()] if is_pondering else []
        return self._hold(text)

    def _object(self, text: str, error: NotationError) -> list[Act]:
        """A line that cannot be read."""
        problem = _complaint(text, error)
        return self._lose(problem) if text.split(maxsplit=1)[:1] == ["pos"] else self.fail(problem)

    def _hold(self, text: str) -> list[Act]:
        """A line that is not for the search ends it."""
        self.held = text
        return [Stop()]

    def inform(self, info: Info[Any]) -> list[Act]:
        """The search has found something."""
        return self._say(format_info(info))

    def finish(self, move: Move | None, ponder: Move | None = None) -> list[Act]:
        """The search has ended: the board is told, and what it said meanwhile is obeyed."""
        self.is_searching = False
        self._limit = Limit()
        moves = {"move": move, "ponder": ponder}
        told = {name: format_hub_move(each) for name, each in moves.items() if each is not None}
        acts = self._say(message("done", **told))
        if self.held is not None:
            held, self.held = self.held, None
            acts += self.hear(held)
        return acts

    def fail(self, problem: str) -> list[Act]:
        """Something cannot be done, and the board is told why."""
        return self._say(message("error", message=problem.replace('"', "'").replace("\n", " ")))

    def _read(self, text: str) -> Message:
        self.first = (self.first or hub1.is_first_order(text)) and not hub1.is_second_order(text)
        return hub1.parse_order(text) if self.first else parse_message(text)

    def _obey(self, order: Message) -> list[Act]:  # noqa: C901, PLR0911 - a case each
        match order.command:
            case "hub":
                lines = [message("id", **self.facts), *(format_option(each) for each in self.options.values())]
                return self._say(*lines, message("wait"))
            case "set-param":
                return self._set_option(order)
            case "init":
                return [Prepare(), *self._say(message("ready"))]
            case "pos":
                return self._set_up(order)
            case "move":  # of the first Hub
                return self._move(order)
            case "level":
                return self._set_limit(order)
            case "go":
                return self._go(order)
            case "new-game":
                return [Forget()]
            case "ping":
                return self._say(message("pong"))
            case "quit":
                return [Quit()]
        return []  # as Hub has it: what one does not know means nothing

    def _set_option(self, order: Message) -> list[Act]:
        name, value = order.get("name"), order.get("value")
        if not name:
            return self.fail("missing name")
        option = self.options.get(name)
        if option is None:
            return self.fail(f"unknown option {name}")
        try:
            self.options[name] = option.having(value or "")
        except ArgumentError as error:
            return self.fail(str(error))
        if name == VARIANT:
            self._game, self._limit, self._is_lost = None, Limit(), False
        return []

    def _set_up(self, order: Message) -> list[Act]:
        written = order.get("pos")
        try:
            position = self._start() if written is None else parse_hub_position(written, self._start().variant)
        except NotationError as error:
            return self._lose(f"bad position: column {error.column}: {error.problem}")
        except InvalidPositionError as error:
            return self._lose(f"bad position: {'; '.join(error.problems)}")
        self._limit = Limit()
        return self._play(Game(position), (order.get("moves") or "").split())

    def _move(self, order: Message) -> list[Act]:
        if self._is_lost:
            return self.fail(LOST)
        game = Game(self._start()) if self._game is None else self._game.copy()
        return self._play(game, [order.get("move") or ""])

    def _play(self, game: Game[Any, Any], moves: Iterable[str]) -> list[Act]:
        """Plays moves, and sets up what they come to, if all are legal.

        A board may play on where our rules see a draw.
        """
        for text in moves:
            try:
                move = parse_hub_move(text, game.position)
            except NotationError as error:
                return self._lose(f"bad move: {error.problem}")
            except TablemenError:
                return self._lose(f"illegal move: {text[:MOST_TOLD]}")
            try:
                game.push(move)
            except GameOverError:
                game = Game(game.position.play(move))
        self._game, self._is_lost = game, False
        return []

    def _lose(self, problem: str) -> list[Act]:
        """There is no position from now on: better no search than one of what the board does not show."""
        self._game, self._is_lost = None, True
        return self.fail(problem)

    def _start(self) -> Position:
        option = self.options.get(VARIANT)
        return Position.start(HUB_VARIANTS[NORMAL if option is None else option.value])

    def _set_limit(self, order: Message) -> list[Act]:
        try:
            before = Limit() if order.has("infinite") else self._limit
            self._limit = combine(before, parse_level(order))
        except NotationError as error:
            return self.fail(f"bad level: {error.problem}")
        return []

    def _go(self, order: Message) -> list[Act]:
        if self._is_lost:
            return self.fail(LOST)
        game = self._game or Game(self._start())
        moves = game.position.legal_moves()
        if game.outcome() is not None:
            game = Game(game.position)  # a draw of ours need not be one of the board's
        if game.outcome() is not None or not moves:
            return self.finish(moves[0] if moves else None)
        self.is_searching, self._is_pondering = True, order.has("ponder")
        return [Begin(game.copy(), self._limit, order.has("ponder"), order.has("analyze"))]

    def _say(self, *messages: Message) -> list[Act]:
        if self.first:
            return [Say(line) for each in messages for line in hub1.format_answer(each)]
        return [Say(format_message(each)) for each in messages]


def _complaint(text: str, error: NotationError) -> str:
    return "missing command" if not text.strip() else f"bad line: {error.problem}"
