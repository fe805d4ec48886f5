"""Our client of the Kalah Game Protocol: it answers whatever a server asks, several things at a time."""

from __future__ import annotations

import asyncio
import contextlib
import math
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeAlias

from tablemen.errors import PeerError, PeerGoneError, PeerTimeoutError
from tablemen.mancala.robot import choose
from tablemen.protocols.kgp.client_conversation import EVAL, Asked, ClientConversation, Complained, Ended, Stopped
from tablemen.protocols.kgp.message import read_message
from tablemen.protocols.kgp.thinking import Found, Thinker
from tablemen.protocols.transport import Transport

GREETING = 20.0  # seconds for the server to say which protocol this is
SILENCE = 120.0  # seconds without a word before the server is asked for a sign of life
ANSWER = 30.0  # seconds to give one; whatever it says is one
GLANCE = 0.05  # seconds from one look at a thought to the next
THOUGHTS = 2  # positions that are thought about at a time; others wait for their turn

OnComplaint: TypeAlias = "Callable[[str], object]"


@dataclass(eq=False, slots=True)
class _Task:
    """A request, and what was answered last."""

    asked: Asked
    stopped: threading.Event = field(default_factory=threading.Event)
    thinker: Thinker | None = None
    house: int | None = None
    value: float | None = None


class Agent:
    """Answers one server with what thinkers find; `make` makes one for each thought that goes on at a time."""

    def __init__(
        self,
        transport: Transport,
        conversation: ClientConversation,
        make: Callable[[], Thinker],
        *,
        thoughts: int = THOUGHTS,
        on_complaint: OnComplaint | None = None,
    ) -> None:
        self.answered = 0  # requests
        self._transport = transport
        self._conversation = conversation
        self._make = make
        self._thoughts = thoughts
        self._on_complaint = on_complaint or (lambda _: None)
        self._tasks: dict[int, _Task] = {}
        self._waiting: asyncio.Queue[_Task] = asyncio.Queue()
        self._something = asyncio.Event()  # there is something to say
        self._sending = asyncio.Lock()

    async def run(self) -> None:
        """Answers until the server says goodbye. Raises `PeerError` where it goes otherwise; all is let go then."""
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(self._thoughts, thread_name_prefix="kgp") as threads:
            helpers = [asyncio.create_task(self._think(loop, threads)) for _ in range(self._thoughts)]
            helpers.append(asyncio.create_task(self._send()))
            listening = asyncio.create_task(self._listen())
            try:
                await asyncio.wait([listening, *helpers], return_when=asyncio.FIRST_COMPLETED)
                for each in (*helpers, listening):
                    if each.done():
                        each.result()  # raises what has gone wrong there
            finally:
                self._stop_all()
                for each in (listening, *helpers):
                    each.cancel()
                await asyncio.gather(listening, *helpers, return_exceptions=True)
                self._conversation.leave()
                with contextlib.suppress(PeerError):
                    await self._flush()
                await self._transport.close()

    async def _listen(self) -> None:
        seconds = GREETING
        while not self._conversation.is_over:
            message = await self._receive(seconds)
            if message is None:
                raise PeerGoneError(self._transport.peer, "has closed the connection")
            self._take(message)
            await self._flush()
            if self._conversation.is_greeted:
                seconds = SILENCE

    async def _receive(self, seconds: float) -> bytes | None:
        try:
            async with asyncio.timeout(seconds):
                return await self._transport.receive()
        except TimeoutError as error:
            if not self._conversation.is_greeted:
                raise PeerTimeoutError(self._transport.peer, "did not say which protocol it speaks", seconds) from error
        self._conversation.ping()
        await self._flush()
        try:
            async with asyncio.timeout(ANSWER):
                return await self._transport.receive()
        except TimeoutError as error:
            raise PeerTimeoutError(self._transport.peer, "gave no sign of life", ANSWER) from error

    def _take(self, message: bytes) -> None:
        read = read_message(message, self._conversation.object)
        if read is None:
            return
        for event in self._conversation.hear(read):
            match event:
                case Asked():
                    self._begin(event)
                case Stopped(number):
                    self._stop(number)
                case Complained(text):
                    self._on_complaint(text)
                case Ended():
                    self._stop_all()

    def _begin(self, asked: Asked) -> None:
        """Answers at once with what needs no thought, and lets the rest be thought about."""
        self.answered += 1
        moves = asked.position.legal_moves()
        task = _Task(asked)
        if self._conversation.mode != EVAL:
            self._answer(task, Found(moves[0] if len(moves) == 1 else choose(asked.position).move))
            if len(moves) == 1:
                self._conversation.finish(asked.id)
                return
        self._tasks[asked.id] = task
        self._waiting.put_nowait(task)  # the conversation counts them

    def _stop(self, number: int) -> None:
        task = self._tasks.pop(number, None)
        if task is not None:
            task.stopped.set()
            if task.thinker is not None:
                task.thinker.stop()

    def _stop_all(self) -> None:
        for number in tuple(self._tasks):
            self._stop(number)

    async def _think(self, loop: asyncio.AbstractEventLoop, threads: ThreadPoolExecutor) -> None:
        """Thinks about one request after the other, in a thread."""
        thinker = await loop.run_in_executor(threads, self._make)
        try:
            while True:
                task = await self._waiting.get()
                if task.stopped.is_set():
                    continue
                task.thinker = thinker

                def tell(found: Found, task: _Task = task) -> None:
                    loop.call_soon_threadsafe(self._answer, task, found)

                thought = loop.run_in_executor(threads, thinker.think, task.asked, tell, task.stopped)
                try:
                    await _wait_for(thought, thinker, task.stopped)
                except asyncio.CancelledError:
                    task.stopped.set()
                    await _wait_for(thought, thinker, task.stopped)
                    raise
                thought.result()  # raises what went wrong
                self._finish(task)
        finally:
            thinker.close()

    def _answer(self, task: _Task, found: Found) -> None:
        """Says what was found, if it is news."""
        number = task.asked.id
        if task.stopped.is_set():
            return
        if self._conversation.mode == EVAL:
            value = task.asked.position.evaluate() if found.value is None else found.value
            if value != task.value and math.isfinite(value):
                self._conversation.evaluate(number, value)
                task.value = value
        elif found.move.house != task.house:
            self._conversation.move(number, found.move.house)
            task.house = found.move.house
        self._something.set()

    def _finish(self, task: _Task) -> None:
        if self._tasks.pop(task.asked.id, None) is task:
            self._conversation.finish(task.asked.id)
            self._something.set()

    async def _send(self) -> None:
        """Says what the thoughts come to."""
        while True:
            await self._something.wait()
            self._something.clear()
            await self._flush()

    async def _flush(self) -> None:
        async with self._sending:
            for message in self._conversation.take_said():
                await self._transport.send(str(message).encode())


async def _wait_for(thought: asyncio.Future[None], thinker: Thinker, stopped: threading.Event) -> None:
    """Waits for a thought, and tells it to stop until it does: it may have just begun when it was told before."""
    while not thought.done():
        if stopped.is_set():
            thinker.stop()
        await asyncio.wait([thought], timeout=GLANCE)
