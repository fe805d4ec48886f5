"""Engines that are asked without asyncio: a loop in the background does it."""

from __future__ import annotations

import contextlib
from abc import abstractmethod
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError
from typing import Any, TypeVar

from tablemen.errors import PeerGoneError
from tablemen.protocols.background import Background
from tablemen.protocols.engine import Engine

T = TypeVar("T")


class SynchronousEngine(Engine):
    """What the synchronous faces of all protocols share: questions to the loop, and its end."""

    def __init__(self, background: Background) -> None:
        self._background = background
        self._is_closed = False

    @abstractmethod
    async def let_go(self) -> None:
        """Let the program go, in the loop."""

    def run(self, ask: Callable[..., Coroutine[Any, Any, T]], *arguments: Any, **settings: Any) -> T:
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
        if not self._is_closed:
            self._is_closed = True
            try:
                self._background.run(self.let_go())
            finally:
                self._background.close()


def open_in_background(name: str, opening: Coroutine[Any, Any, T]) -> tuple[Background, T]:
    """A loop, and what was opened there; where that cannot be, no loop is left."""
    background = Background(name)
    try:
        return background, background.run(opening)
    except BaseException:
        background.close()
        raise
