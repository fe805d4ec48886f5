"""Engine players: other programs, connected by the protocols Hub, DXP and KGP."""

from __future__ import annotations

import contextlib
import re
import threading
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from tablemen.errors import ArgumentError, GameError, PeerError, PeerGoneError, TablemenError
from tablemen.game import Game
from tablemen.outcome import Outcome
from tablemen.players.options import NAME, SECONDS, TEXT, WrittenPlayer, option, quote, split_settings, unquote, whole
from tablemen.players.player import RESIGN, open_moves
from tablemen.search import Limit

if TYPE_CHECKING:
    from tablemen.protocols import Engine

END_GAME_TIMEOUT = 2.0  # seconds to wait for a move in progress; after that, the end of the game is not reported
STOPPED_TIME = 0.05  # seconds for the move of a program that is stopped while it starts: `stop` has no effect then
DEFAULT_SECONDS = 1.0
SET = "set-"  # the prefix of options of the program
_NAME = re.compile(r'[^\s,"=]+')
MAX_NUMBER = 999  # of minutes or moves in a DXP message


@dataclass(kw_only=True)
class EnginePlayer(WrittenPlayer):
    """A program that is opened when a game begins or the first move is requested, and reopened after a failure.

    A failure of the program raises `PeerError` and does not modify the game. A player that was closed stays closed: its
    `begin_game` and `choose` raise `PeerGoneError`. Any thread may call the player. A lock serialises the calls that
    need an answer; `stop` and `close` do not wait for it.

    `label`, written `name=`, replaces the name that the program reports.
    """

    subject: ClassVar[str | None] = "address"
    lasts: ClassVar[bool] = True

    address: str = option(TEXT, "")
    depth: int | None = option(whole(1))
    nodes: int | None = option(whole(1))
    time: float | None = option(SECONDS)
    label: str | None = option(NAME, written="name")
    _engine: Engine | None = field(default=None, init=False, repr=False, compare=False)
    _starting: Engine | None = field(
        default=None, init=False, repr=False, compare=False
    )  # the engine while it is opened
    _is_stopped: bool = field(default=False, init=False, repr=False, compare=False)
    _is_closed: bool = field(default=False, init=False, repr=False, compare=False)
    _id: Mapping[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)
    _calling: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False, compare=False)

    @abstractmethod
    def open(self, game: Game[Any, Any]) -> Engine:
        """Create the engine for games of this variant, without starting it."""

    @property
    def limit(self) -> Limit:
        """The limit of a move, in addition to a clock."""
        return Limit(depth=self.depth, nodes=self.nodes, time=self.time)

    @property
    def name(self) -> str:
        """The label, or the name and version that the program has reported, or the text of the player."""
        return self.label or " ".join(filter(None, (self._id.get("name"), self._id.get("version")))) or str(self)

    @property
    def author(self) -> str:
        """The author that the program has reported, unless there is a label."""
        return "" if self.label else self._id.get("author", "")

    def begin_game(self, game: Game[Any, Any]) -> None:
        """Open the program, or prepare an open one for the game; reopen it if it has exited."""
        self.check(game.position)
        with self._calling:
            self._check_open()
            if self._engine is not None:
                try:
                    self._engine.begin_game(game)
                except PeerError:
                    if self._is_closed:  # by another thread
                        raise
                    self._close_engine()  # the program exited after the last game
            if self._engine is None:
                self._start(game)

    def choose(self, game: Game[Any, Any]) -> Any:
        """Return the move of the program."""
        open_moves(game)
        self.check(game.position)
        with self._calling:
            self._check_open()
            self.score = None
            self._is_stopped = False
            engine = self._engine or self._start(game)
            limit = replace(self.limit, time=STOPPED_TIME) if self._is_stopped else self.limit
            try:
                answer = engine.choose(game, limit, clock=self.clock)
            except PeerError:
                self._close_engine()
                raise
            self._id = engine.id  # some programs report it only in a game
            self.score = answer.score
        return RESIGN if answer.move is None else answer.move

    def _check_open(self) -> None:
        if self._is_closed:
            raise PeerGoneError(self.name, "is closed")

    def _start(self, game: Game[Any, Any]) -> Engine:
        """Open the program; raise `PeerGoneError` if another thread closes the player meanwhile."""
        engine: Engine | None = None
        try:
            engine = self._starting = self.open(game)
            if not self._is_closed:
                engine.start()
                self._id = engine.id
            self._engine = engine
        except PeerError:
            if not self._is_closed:
                raise
        except BaseException:  # such as KeyboardInterrupt, perhaps after the engine was opened
            self._close_engine()
            raise
        finally:
            self._starting = None
        if engine is None or self._is_closed:
            self._close_engine()
            raise PeerGoneError(self.name, "was closed while it started")
        return engine

    def stop(self) -> None:
        """Make the program move soon."""
        self._is_stopped = True
        engine = self._engine
        if engine is not None:
            engine.stop()

    def end_game(self, game: Game[Any, Any], outcome: Outcome | None) -> None:
        """Report the end of the game to the program, after its current move."""
        if self._engine is None or not self._calling.acquire(timeout=END_GAME_TIMEOUT):
            return
        try:
            if self._engine is not None:
                self._engine.end_game(game, outcome)
        except PeerError:
            self._close_engine()
        finally:
            self._calling.release()

    def close(self) -> None:
        """Close the program. The player cannot be used any more."""
        self._is_closed = True
        self._close_engine()

    def _close_engine(self) -> None:
        engine, self._engine = self._engine or self._starting, None
        if engine is not None:
            with contextlib.suppress(PeerError):
                engine.close()


@dataclass(kw_only=True)
class HubPlayer(EnginePlayer):
    """A Hub engine, such as Scan, started by a command.

    `depth`, `nodes` and `time` limit its searches, and so does a clock. Without any of them it has one second per move.
    `folder` is the working directory of the program, and `options` are values for options of the program.

    >>> print(HubPlayer(address="scan hub", time=0.5, options={"threads": "2"}))
    hub:"scan hub",time=0.5,set-threads=2
    """

    kind: ClassVar[str] = "hub"
    about: ClassVar[str] = "a Hub engine, started by its command; 1 second a move without depth, nodes or time"

    folder: str | None = option(TEXT)
    options: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.options = dict(self.options)
        given: dict[Any, Any] = self.options
        for name, value in given.items():
            if not isinstance(name, str) or not _NAME.fullmatch(name):
                raise ArgumentError("option", name, "a name without spaces, commas, equals signs or quotes")
            if not isinstance(value, str) or set(value) & set('"\n'):
                raise ArgumentError(name, value, "one line of text without quotes")

    @classmethod
    def read(cls, settings: str) -> WrittenPlayer:
        """Parse the options of the player; those that begin with `set-` are options of the program."""
        if not settings:
            raise TablemenError(f'{cls.kind} needs the command of a program: {cls.kind}:"scan hub"')
        own: list[str] = []
        options: dict[str, str] = {}
        for at, word in enumerate(split_settings(settings)):
            if not at or not word.startswith(SET):
                own.append(word)
                continue
            name, equals, text = (part.strip() for part in word.removeprefix(SET).partition("="))
            if not equals:
                raise TablemenError(f"the option {SET}{name} of {cls.kind} has no value: write {SET}{name}=…")
            if name in options:
                raise TablemenError(f"the option {SET}{name} of {cls.kind} is given twice")
            options[name] = unquote(text)
        player = super().read(",".join(own))
        assert isinstance(player, HubPlayer)
        player.options = options
        player.__post_init__()
        return player

    def __str__(self) -> str:
        options = [f"{SET}{name}={quote(value)}" for name, value in self.options.items()]
        return ",".join([super().__str__(), *options])

    @property
    def limit(self) -> Limit:
        """The limit of a move, one second by default."""
        given = super().limit
        return Limit(time=DEFAULT_SECONDS) if given == Limit() and self.clock is None else given

    def check(self, position: Any) -> None:
        """Raise `TablemenError` if Hub has no name for the variant."""
        from tablemen.protocols.hub.messages import get_hub_name

        get_hub_name(position.variant)

    def open(self, game: Game[Any, Any]) -> Engine:
        """Return the engine of the program, for this variant."""
        from tablemen.protocols.hub import AsyncHubEngine, HubEngine

        variant = game.position.variant
        return HubEngine(AsyncHubEngine.open(self.address, folder=self.folder, variant=variant, options=self.options))


@dataclass(kw_only=True)
class DxpPlayer(EnginePlayer):
    """A DXP engine at an address, or started by a command that contains `{address}` or `{port}`.

    With `listen=1` the program connects to us, at that address. `minutes` is the time of each side for a game, and
    `moves` its length (0: no limit). DXP has no other limits: for `time` seconds per move, we send the minutes of 60
    moves, and the program fails if a move takes much longer.

    >>> print(DxpPlayer(address="localhost:27531", minutes=10))
    dxp:localhost:27531,minutes=10
    """

    kind: ClassVar[str] = "dxp"
    about: ClassVar[str] = "a DamExchange (DXP) engine, at host:port or started by a command"

    listen: int = option(whole(0, 1), 0)
    minutes: int | None = option(whole(1, MAX_NUMBER))
    moves: int = option(whole(0, MAX_NUMBER), 0)
    # Options of other engines that DXP cannot transmit:
    depth: None = field(default=None, init=False, repr=False, compare=False)
    nodes: None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        from tablemen.protocols.transport.process import check_endpoint

        check_endpoint(self.address)

    @property
    def is_single(self) -> bool:
        """Whether only one such player can exist: yes for a fixed address, no for a command."""
        from tablemen.protocols.transport.process import is_command

        return not is_command(self.address)

    def check(self, position: Any) -> None:
        """Raise `TablemenError` if DXP cannot express the position."""
        from tablemen.protocols.dxp.messages import check_rules, format_start

        check_rules(position.variant)
        format_start(position)

    def open(self, game: Game[Any, Any]) -> Engine:  # noqa: ARG002 - one connection is for games of any variant
        """Return the engine of the program."""
        from tablemen.protocols.dxp import AsyncDxpEngine, DxpEngine

        return DxpEngine(
            AsyncDxpEngine.open(self.address, listen=bool(self.listen), minutes=self.minutes, moves=self.moves)
        )


@dataclass(kw_only=True)
class KgpPlayer(EnginePlayer):
    """A KGP engine, which connects to us by the Kalah Game Protocol.

    `address` is the `host:port` where we listen, or a command with `{address}` or `{port}` that is started with a free
    local port in its place. `time` is the seconds for a move, 1 by default.

    >>> print(KgpPlayer(address="localhost:2671", time=2))
    kgp:localhost:2671,time=2
    """

    kind: ClassVar[str] = "kgp"
    about: ClassVar[str] = "a Kalah Game Protocol (KGP) engine, which connects to host:port or is started by a command"

    depth: None = field(default=None, init=False, repr=False, compare=False)  # the protocol does not have these limits
    nodes: None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        from tablemen.protocols.transport.process import check_endpoint

        check_endpoint(self.address.removeprefix("ws://").rstrip("/"))

    @property
    def is_single(self) -> bool:
        """Whether only one such player can exist: yes for a fixed address, no for a command."""
        from tablemen.protocols.transport.process import is_command

        return not is_command(self.address)

    def check(self, position: Any) -> None:
        """Raise `GameError` if the protocol does not support the position."""
        from tablemen.protocols.kgp.messages import explain_unsupported

        if problem := explain_unsupported(position):
            raise GameError(f"{problem}, but this is {position.variant}")

    def open(self, game: Game[Any, Any]) -> Engine:  # noqa: ARG002 - any game that passes `check`
        """Return the engine, which waits for the program to connect when it is started."""
        from tablemen.protocols.kgp import AsyncKgpEngine, KgpEngine

        return KgpEngine(AsyncKgpEngine.open(self.address, time=self.time))
