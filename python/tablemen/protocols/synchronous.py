"""Engines that are asked without asyncio: a loop in the background does it."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import threading
from abc import abstractmethod
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError
from typing import Any, Self, TypeVar

from tablemen.errors import PeerGoneError
from tablemen.game import Game
from tablemen.outcome import Outcome
from tablemen.protocols.background import Background
from tablemen.protocols.engine import Engine

T = TypeVar("T")


class SynchronousEngine(Engine):
    """What the synchronous faces of all protocols share: questions to the loop, and its end."""

    _engine: Any

    def __init__(self, background: Background) -> None:
        self._background = background
        self._is_closed = False
        self._closing = threading.Lock()
        self._asking = threading.Lock()  # for those who want an answer: one comes after the other

    def start(self) -> Self:
        """Do nothing: it has been opened."""
        return self

    def begin_game(self, game: Game[Any, Any]) -> None:
        """Do nothing."""

    def end_game(self, game: Game[Any, Any], outcome: Outcome | None) -> None:
        """Do nothing."""

    @abstractmethod
    async def let_go(self) -> None:
        """Let the program go, in the loop."""

    def run(  # type: ignore[override]
        self, ask: Callable[..., Coroutine[Any, Any, T]], *arguments: Any, **settings: Any
    ) -> T:
        """What comes of a question. Raises `PeerGoneError` where the engine is closed, now or meanwhile."""
        if self._is_closed:
            raise PeerGoneError(self.name, "is closed")
        try:
            return self._background.run(ask(*arguments, **settings))
        except CancelledError as error:
            raise PeerGoneError(self.name, "was closed meanwhile") from error

    def call(self, tell: Callable[..., object], *arguments: Any) -> None:
        """Tell the program something, if it is still there; nothing is waited for."""
        if not self._is_closed:
            with contextlib.suppress(RuntimeError):  # the loop has just ended
                self._background.call(tell, *arguments)

    def close(self) -> None:
        """Let the program go, and wait until it has gone. May be called again."""
        with self._closing:
            if not self._is_closed:
                self._is_closed = True
                try:
                    self._background.run(self.let_go())
                finally:
                    self._background.close()


class Opening:
    """A program that is being opened, which may take long; another thread can give it up."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._give_up: Callable[[], None] | None = None  # while it goes on
        self._is_given_up = False

    def run(self, background: Background, work: Coroutine[Any, Any, T]) -> T:
        """What is opened. Raises `concurrent.futures.CancelledError` where it is given up."""

        async def open_it() -> T:
            task = asyncio.current_task()
            assert task is not None
            with self._lock:
                self._give_up = lambda: background.call(task.cancel)
                if self._is_given_up:
                    task.cancel()
            return await work

        try:
            return background.run(open_it())
        finally:
            with self._lock:
                self._give_up = None
            self._over.set()
            if inspect.getcoroutinestate(work) == inspect.CORO_CREATED:
                work.close()

    def give_up(self) -> None:
        """Nobody wants it any more: whoever waits for it is told, and nothing is left; what is open already stays."""
        with self._lock:
            is_first, self._is_given_up = not self._is_given_up, True
            give_up = self._give_up
            if give_up is not None and is_first:
                give_up()
        if give_up is not None:
            self._over.wait()


def open_in_background(name: str, work: Coroutine[Any, Any, T], opening: Opening | None = None) -> tuple[Background, T]:
    """A loop, and what was opened there; where that cannot be, no loop is left.

    Raises `PeerGoneError` where the opening is given up.
    """
    background = Background(name)
    try:
        return background, background.run(work) if opening is None else opening.run(background, work)
    except CancelledError as error:
        background.close()
        raise PeerGoneError(name, "was given up before it had begun") from error
    except BaseException:
        background.close()
        raise
