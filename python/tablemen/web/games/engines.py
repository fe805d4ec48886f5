"""Other programs as opponents: those that the operator names, each for one game at a time."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from tablemen.errors import ArgumentError, PeerError, PeerGoneError, PeerTimeoutError, ProtocolError, TablemenError
from tablemen.family import families
from tablemen.game import Game
from tablemen.players import HumanPlayer, Player, WrittenPlayer, parse_player
from tablemen.threads import call_after, run_in_daemon_thread
from tablemen.web.games.jobs import Jobs

LONGEST_NAME = 40  # characters
PAUSE = 1.0  # seconds after a failure before it is tried again: nobody shall start programs as fast as pages can ask
GRACE = 5.0  # seconds in which a program that is told to move has done so; else it is let go


class Engine(Jobs):
    """A program with a name. Games that want it take turns, and it is told each by its moves."""

    def __init__(self, name: str, player: WrittenPlayer, *, seconds: float, waiting_of_one: int) -> None:
        super().__init__(1, waiting_of_one=waiting_of_one, name=name)
        self.name = name
        self._player = player
        self._seconds = seconds  # for a move, at most
        self._chooser: EngineSeat | None = None  # for whom it is thinking
        self._lock = threading.Lock()
        self._may_begin_at = 0.0  # by the clock of `time.monotonic`
        self._refused: dict[str, str] = {}  # variants for which it could not be had, and why
        self._possible = [
            rules.name
            for family in families()
            for rules in family.variants.values()
            if self.can_play(family.start(rules))
        ]

    @property
    def variants(self) -> list[str]:
        """What it plays, as far as is known: a program may say only later what it does not."""
        return [name for name in self._possible if name not in self._refused]

    def can_play(self, position: Any) -> bool:
        """Whether it plays games from such a position, as far as is known."""
        if position.variant.name in self._refused:
            return False
        try:
            self._player.check(position)
        except TablemenError:
            return False
        return True

    def check(self, position: Any) -> None:
        """Raises `TablemenError` where it cannot play games from such a position."""
        if not self.can_play(position):
            raise TablemenError(f"{self.name} does not play this game")

    def choose(self, seat: EngineSeat, game: Game[Any, Any]) -> Any:
        """What it plays in the game of a seat."""
        variant = game.position.variant.name
        if variant in self._refused:  # and is not started to say so again
            raise RefusedGameError(self.name, self._refused[variant])
        time.sleep(max(0.0, self._may_begin_at - time.monotonic()))
        with self._lock:
            self._chooser = seat
        is_late = threading.Event()

        def give_up() -> None:
            is_late.set()
            self._player.close()

        stop = partial(self.stop, seat)
        try:
            self._player.clock = seat.clock
            with call_after(stop, after=self._seconds), call_after(give_up, after=self._seconds + GRACE):
                return self._player.choose(game)
        except Exception as error:
            self._may_begin_at = time.monotonic() + PAUSE
            if is_late.is_set() and isinstance(error, PeerError):
                raise PeerTimeoutError(self.name, "did not move", self._seconds + GRACE) from error
            if type(error) is TablemenError:  # it has done nothing wrong, but has no such variant, or no such option
                self._refused[variant] = str(error)
                raise RefusedGameError(self.name, str(error)) from error
            raise
        finally:
            with self._lock:
                self._chooser = None

    def _begin(self, work: Callable[[], Any]) -> asyncio.Future[Any]:
        """In a thread that nobody waits for at the end: a program may take long to begin."""
        return run_in_daemon_thread(work)

    def stop(self, seat: EngineSeat) -> None:
        """It moves at once if it is thinking for this seat."""
        with self._lock:
            if self._chooser is seat:
                self._player.stop()

    async def close(self) -> None:
        """Nothing more is begun, and the program is let go; what it is thinking about ends with it."""
        self.turn_away()
        await asyncio.to_thread(self._player.close)
        await super().close()


class EngineSeat(Player):
    """A program as a player of one game; nobody where the server has no program of this name."""

    def __init__(self, name: str, engine: Engine | None) -> None:
        self._name = name
        self._engine = engine

    @property
    def name(self) -> str:
        """What the operator calls it."""
        return self._name

    def choose(self, game: Game[Any, Any]) -> Any:
        """What it plays. Raises `TablemenError` where it cannot be had, or does what it should not."""
        if self._engine is None:
            raise MissingEngineError(f"this server no longer has {self._name}")
        if self._engine.is_closed:
            raise PeerGoneError(self._name, "is closed")
        try:
            return self._engine.choose(self, game)
        except (PeerError, RefusedGameError):
            raise
        except Exception as error:  # whatever it is, it is not the game that has changed
            raise TablemenError(f"{type(error).__name__}: {error}") from error

    def stop(self) -> None:
        """Tells it to move at once, if it is at this game."""
        if self._engine is not None:
            self._engine.stop(self)


class MissingEngineError(TablemenError):
    """A program that a game is played against, and that the server does not know."""


class RefusedGameError(TablemenError):
    """A program that does not play a variant, or not as the operator wants it to; the `reason` is for the operator."""

    def __init__(self, name: str, reason: str) -> None:
        self.name = name
        self.reason = reason
        super().__init__(name, reason)

    def __str__(self) -> str:
        return f"{self.name} does not play this game: {self.reason}"


class Engines:
    """All of them by their names."""

    def __init__(self, written: Mapping[str, str], *, seconds: float, waiting_of_one: int) -> None:
        """`written` has each as `parse_player` reads it. Raises `TablemenError` where one cannot be."""
        self._known = {
            name: Engine(name, read_engine(name, text), seconds=seconds, waiting_of_one=waiting_of_one)
            for name, text in written.items()
        }

    def __iter__(self) -> Iterator[Engine]:
        return iter(self._known.values())

    def get(self, name: str | None) -> Engine | None:
        """The one of this name, if there is one."""
        return None if name is None else self._known.get(name)

    def find(self, name: str | None) -> Engine:
        """The same; raises `ArgumentError` where there is none."""
        engine = self.get(name)
        if engine is None:
            known = f"one of {', '.join(self._known)}" if self._known else "none, since this server has none,"
            raise ArgumentError("engine", name, known)
        return engine

    async def close(self) -> None:
        """All programs are let go."""
        await asyncio.gather(*(engine.close() for engine in self))


def read_engine(name: str, text: str) -> WrittenPlayer:
    """The player that an operator names. Raises `TablemenError` where the name or the player makes no sense."""
    if not (0 < len(name) <= LONGEST_NAME and name.isprintable() and name == name.strip()):
        raise ArgumentError("name", name, f"a name of at most {LONGEST_NAME} letters")
    player = parse_player(text)
    if isinstance(player, HumanPlayer):
        raise TablemenError("a person cannot be one of the programs")
    return player


def describe_failure(name: str, error: Exception) -> str:
    """What went wrong with a program, for those who play against it; its command is nobody's business there."""
    if isinstance(error, MissingEngineError):
        return str(error)
    if isinstance(error, RefusedGameError):
        return f"{name} does not play this game"
    if isinstance(error, PeerTimeoutError):
        return f"{name} did not answer in time"
    if isinstance(error, ProtocolError):
        return f"{name} said something that makes no sense"
    if isinstance(error, PeerGoneError):
        return f"{name} is not there"
    return f"{name} cannot go on"
