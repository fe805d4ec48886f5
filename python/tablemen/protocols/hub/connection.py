"""The wire to a program: what is said, what is heard, and how it ends."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Iterable
from typing import Any

from tablemen.errors import PeerError, PeerGoneError, PeerTimeoutError
from tablemen.protocols.hub.board_conversation import BoardConversation
from tablemen.protocols.hub.event import Event, Opened, Started
from tablemen.protocols.transport import Transport
from tablemen.protocols.transport.process import ProcessTransport

CLOSED = "is closed"


class Connection:
    """A conversation over a transport. `take` is told of all that happens, and `leave` when it has ended.

    After an error nothing is left of the program: it is let go, and then those who wait for it are told.
    """

    def __init__(
        self,
        transport: Transport,
        conversation: BoardConversation,
        take: Callable[[Event], None],
        leave: Callable[[], None],
    ) -> None:
        self.peer = transport.peer
        self._transport = transport
        self._conversation = conversation
        self._take = take
        self._leave = leave
        self._saying = asyncio.Lock()
        self._awaited: dict[type[Event], asyncio.Future[None]] = {}
        self._error: PeerError | None = None  # what the program did wrong
        self._is_told = False  # whether somebody knows of it
        self._ending: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._listener = asyncio.create_task(self._listen())

    def is_ending(self) -> bool:
        """Whether the program is let go."""
        return self._ending is not None

    def check(self) -> None:
        """Raises what the program did wrong for whoever asks first, and afterwards that it is gone."""
        if self._error is None:
            return
        if not self._is_told:
            self._is_told = True
            raise self._error
        problem = self._error.problem
        raise PeerGoneError(self.peer, problem if problem == CLOSED else f"{CLOSED}: it {problem}")

    async def say(self, lines: Iterable[str]) -> None:
        """Send lines, and none of anybody else between them. Raises `PeerError`."""
        async with self._saying:
            for line in lines:
                try:
                    await self._transport.send(line.encode())
                except PeerError as error:
                    self.fail(error)
                await self._check_ending()

    def say_soon(self, lines: Iterable[str]) -> None:
        """Send lines, and wait for nothing; where the program is gone, whoever waits for it is told."""
        self.keep(self._say_quietly(lines))

    async def _say_quietly(self, lines: Iterable[str]) -> None:
        with contextlib.suppress(PeerError):
            await self.say(lines)

    async def wait_for(self, event: type[Event], lines: Iterable[str], seconds: float, problem: str) -> None:
        """Send lines, and wait for what they come to. Raises `PeerError`."""
        waiting = self._awaited[event] = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(seconds):
                await self.say(lines)
                await waiting
        except TimeoutError:
            self.fail(PeerTimeoutError(self.peer, problem, seconds))
        except asyncio.CancelledError:
            if event in {Opened, Started}:  # nothing can be asked before that
                self.fail(PeerGoneError(self.peer, "was left before it was ready"))
            raise
        finally:
            self._awaited.pop(event, None)
        await self._check_ending()

    def keep(self, work: Coroutine[Any, Any, None]) -> None:
        """Runs something beside what is asked."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def fail(self, error: PeerError) -> None:
        """Let the program go for this reason, if there was no other before."""
        if self._ending is None:
            self._error = error
            self._conversation.end()
            self._ending = asyncio.create_task(self._let_go())

    async def close(self) -> None:
        """Let the program go, and wait until it has gone."""
        if self._ending is None:
            if not self._saying.locked():  # else it does not take what is sent
                await self._say_quietly(self._conversation.quit())
            self._is_told = True
            self.fail(PeerGoneError(self.peer, CLOSED))
        assert self._ending is not None
        await asyncio.shield(self._ending)

    async def _check_ending(self) -> None:
        if self._ending is not None:
            await asyncio.shield(self._ending)
            self.check()

    async def _listen(self) -> None:
        """Takes whatever the program says, so that it never waits for us."""
        try:
            while (line := await self._transport.receive()) is not None:
                event = self._conversation.hear(line.decode(errors="replace"))
                if event is not None:
                    self._take(event)
                    waiting = self._awaited.get(type(event))
                    if waiting is not None and not waiting.done():
                        waiting.set_result(None)
            end = "closed the connection"
            if isinstance(self._transport, ProcessTransport):
                end = await self._transport.describe_end()
            self.fail(PeerGoneError(self.peer, end))
        except PeerError as error:
            self.fail(error)

    async def _let_go(self) -> None:
        try:
            await self._transport.close()
        finally:
            self._listener.cancel()
            self._leave()
            for waiting in self._awaited.values():
                if not waiting.done():
                    waiting.set_result(None)
