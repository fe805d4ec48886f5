"""A program that speaks Hub, for those who use asyncio."""

from __future__ import annotations

import asyncio
import contextlib
import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType, TracebackType
from typing import Any

from tablemen.draughts.rules import DraughtsRules
from tablemen.draughts.variants import find_variant
from tablemen.errors import GameOverError, PeerError, PeerGoneError, PeerTimeoutError, TablemenError
from tablemen.game import Game
from tablemen.protocols.engine import ENDLESS, Answer
from tablemen.protocols.hub.analysis import AsyncHubAnalysis, Stopped
from tablemen.protocols.hub.driving import (
    Driving,
    Event,
    Finished,
    Informed,
    Mode,
    Opened,
    Ponged,
    Started,
    State,
    option_of_first_hub,
)
from tablemen.protocols.hub.options import Option, OptionType
from tablemen.protocols.hub.patience import USUAL, Patience
from tablemen.protocols.hub.variants import NORMAL, VARIANT, hub_name_of
from tablemen.protocols.transport import Transport, open_process
from tablemen.protocols.transport.framing import HUB
from tablemen.protocols.transport.process import ProcessTransport
from tablemen.search import Clock, Limit


class AsyncHubEngine:
    """A program that is asked for moves and analyses; `async with` closes it.

    What it does wrong is a `PeerError`, and closes it. A question that comes while it searches stops that search first.
    """

    def __init__(self, transport: Transport, *, patience: Patience = USUAL, first: bool = False) -> None:
        self._transport = transport
        self._patience = patience
        self._driving = Driving(transport.peer, first)
        self._awaited: dict[type[Event], asyncio.Future[None]] = {}
        self._asking = asyncio.Lock()
        self._search: AsyncHubAnalysis | None = None
        self._error: PeerError | None = None  # what it did wrong
        self._is_told = False  # whether somebody knows of it
        self._ending: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._heard = 0.0  # when it last said something
        self._variant = NORMAL
        self._start: Any = None  # of the last game
        self._is_new = False  # whether another game is to begin
        self._listener = asyncio.create_task(self._listen())

    @classmethod
    async def open(
        cls,
        command: str | Sequence[str],
        *,
        variant: str | DraughtsRules = "international",
        options: Mapping[str, Any] = MappingProxyType({}),
        patience: Patience = USUAL,
        hub1: bool = False,
    ) -> AsyncHubEngine:
        """Starts a program, and waits until it is ready to play a variant.

        `options` are values for those that it declares. A program that speaks the first Hub is recognised when it
        greets; `hub1` says so from the beginning. Raises `PeerError`, and `ArgumentError` for an option that it does
        not have, `TablemenError` for a variant that it does not play.
        """
        name = hub_name_of(find_variant(variant))
        engine = cls(await open_process(command, HUB), patience=patience, first=hub1)
        try:
            await engine._begin(name, options)
        except BaseException:
            await engine.close()
            raise
        return engine

    @property
    def name(self) -> str:
        """What the program calls itself, with its version; else how it was started."""
        return " ".join(filter(None, (self.id.get("name"), self.id.get("version")))) or self._transport.peer

    @property
    def id(self) -> Mapping[str, str]:
        """What it says of itself: name, version, author, country."""
        return MappingProxyType(self._driving.facts)

    @property
    def options(self) -> Mapping[str, Option]:
        """What can be changed, with the values that it has now."""
        return MappingProxyType(self._driving.options)

    async def choose(
        self,
        game: Game[Any, Any],
        limit: Limit = ENDLESS,
        *,
        clock: Clock | None = None,
        is_stopped: Stopped = lambda: False,
    ) -> Answer:
        """What it plays. `is_stopped` is asked when it begins: whether somebody has stopped it already."""
        limit = limit if clock is None else replace(limit, clock=clock)
        analysis = await self._ask(game, limit, Mode.THINK)
        if is_stopped():
            analysis.stop()
        try:
            return await analysis.answer()
        finally:
            analysis.stop()  # where nobody waits any more

    async def analyse(
        self, game: Game[Any, Any], limit: Limit = ENDLESS, *, ponder: bool = False
    ) -> AsyncHubAnalysis:
        """Begin to look at a game. `ponder` begins in the opponent's time: see `AsyncHubAnalysis.ponder_hit`."""
        return await self._ask(game, limit, Mode.PONDER if ponder else Mode.ANALYSE)

    def stop(self) -> None:
        """End the search that is going on soon, if there is one."""
        if self._search is not None:
            self.stop_search(self._search)

    async def configure(self, name: str, value: Any) -> None:
        """Give an option a value; the program begins anew with it. Raises `ArgumentError` where it cannot have it."""
        async with self._asking:
            self._check_open()
            await self._interrupt()
            await self._set({name: value})

    async def ping(self) -> None:
        """Ask whether it is there. Raises `PeerError` where it is not."""
        async with self._asking:
            self._check_open()
            await self._wait_for(Ponged, self._driving.ping(), self._patience.pong, "did not answer a ping")

    def end_game(self) -> None:
        """What is asked next is about another game."""
        self._is_new = True

    async def close(self) -> None:
        """Let the program go, and wait until it has gone. May be called again."""
        if self._ending is None:
            with contextlib.suppress(PeerError):
                await self._send(self._driving.quit())
            self._is_told = True
            self._fail(PeerGoneError(self._transport.peer, "is closed"))
        assert self._ending is not None
        await asyncio.shield(self._ending)

    async def __aenter__(self) -> AsyncHubEngine:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    # What is asked.

    async def _begin(self, variant: str, options: Mapping[str, Any]) -> None:
        await self._wait_for(Opened, self._driving.greet(), self._patience.opening, "did not tell its options")
        self._variant = str(self.options[VARIANT].value) if VARIANT in self.options else NORMAL
        wanted = dict(options)
        if variant != self._variant:
            wanted[VARIANT] = variant
        await self._set(wanted)

    async def _ask(self, game: Game[Any, Any], limit: Limit, mode: Mode) -> AsyncHubAnalysis:
        if outcome := game.outcome():
            raise GameOverError(outcome)
        name = hub_name_of(game.position.variant)
        game = game.copy()  # it may go on while the program thinks
        async with self._asking:
            self._check_open()
            await self._interrupt()
            if name != self._variant:
                await self._set({VARIANT: name})
            if self._is_new or (self._start is not None and self._start != game.start):
                await self._send(self._driving.forget())
            self._start, self._is_new = game.start, False
            search = self._search = AsyncHubAnalysis(self, game.position, limit, mode)
            self._heard = asyncio.get_running_loop().time()
            lines = self._driving.search(game, limit, mode)
            self._keep(self._watch(search))
            await self._send(lines)
        return search

    async def _interrupt(self) -> None:
        """The search that is going on is over."""
        search = self._search
        if search is not None and not search.is_over:
            search.stop()
            await search.answer()

    async def _set(self, values: Mapping[str, Any]) -> None:
        """Set options, and begin with them."""
        texts = {name: self._written(name, value) for name, value in values.items()}
        for name, text in texts.items():
            await self._send(self._driving.set_option(name, text))
            if self._driving.first:
                self._driving.options[name] = option_of_first_hub(name, text)
        await self._wait_for(Started, self._driving.start(), self._patience.init, "was not ready")
        self._variant = texts.get(VARIANT, self._variant)

    def _written(self, name: str, value: Any) -> str:
        """The text of a value that an option can have."""
        option = self.options.get(name)
        if name == VARIANT:
            knows = option is not None and (option.type is not OptionType.ENUM or value in option.values)
            if not knows and value != NORMAL:
                raise TablemenError(f"{self.name} does not play {value}")
        if option is None and self._driving.first:
            return str(value)
        if option is None:
            near = difflib.get_close_matches(name, self.options, n=2)
            known = f"did you mean {' or '.join(near)}?" if near else f"it has {', '.join(self.options) or 'none'}"
            raise TablemenError(f"{self.name} has no option {name!r}; {known}")
        return option.write(value)

    # What goes on while it searches.

    def stop_search(self, search: AsyncHubAnalysis) -> None:
        """End this search soon, if it is still going on."""
        if not search.is_over and not search.is_stopped and self._driving.state is State.SEARCHING:
            search.is_stopped = True
            self._keep(self._send_quietly(self._driving.stop()))
            search.nudged.set()

    def hit_search(self, search: AsyncHubAnalysis) -> None:
        """The expected move was played."""
        if not search.is_over and search.mode is Mode.PONDER:
            search.mode = Mode.THINK
            self._keep(self._send_quietly(self._driving.hit()))
            search.nudged.set()

    def check_alive(self, search: AsyncHubAnalysis) -> None:
        """Raises `PeerError` where the search ended because the program did."""
        if search.finished is None:
            self._check_open()

    async def _watch(self, search: AsyncHubAnalysis) -> None:
        """Sees to it that the search comes to its end."""
        patience, now = self._patience, asyncio.get_running_loop().time
        while not search.is_over and not search.is_stopped:
            search.nudged.clear()
            if search.allowed is not None:
                if await self._passes(search, now() + search.allowed + patience.grace):
                    self.stop_search(search)
                    break
            elif await self._passes(search, self._heard + patience.quiet) and self._heard + patience.quiet <= now():
                if self._ending is not None:
                    return
                pinged = now()
                await self._send_quietly(self._driving.ping())
                if await self._passes(search, pinged + patience.pong) and self._heard < pinged:
                    self._fail(PeerTimeoutError(self._transport.peer, "did not answer a ping", patience.pong))
        if not search.is_over:
            search.nudged.clear()
            if await self._passes(search, now() + patience.stopping):
                seconds, problem = patience.stopping, "was told to stop, and did not"
                self._fail(PeerTimeoutError(self._transport.peer, problem, seconds))

    async def _passes(self, search: AsyncHubAnalysis, moment: float) -> bool:
        """Whether it comes to this moment before anything changes."""
        try:
            async with asyncio.timeout_at(moment):
                await search.nudged.wait()
        except TimeoutError:
            return not search.is_over
        return False

    # What goes over the wire.

    async def _listen(self) -> None:
        """Takes whatever the program says, so that it never waits for us, and nothing is kept that is not asked for."""
        try:
            while (line := await self._transport.receive()) is not None:
                self._heard = asyncio.get_running_loop().time()
                event = self._driving.hear(line.decode(errors="replace"))
                if event is not None:
                    self._take(event)
            end = "closed its output"
            if isinstance(self._transport, ProcessTransport):
                end = await self._transport.describe_end()
            self._fail(PeerGoneError(self._transport.peer, end))
        except PeerError as error:
            self._fail(error)

    def _take(self, event: Event) -> None:
        search = self._search
        if isinstance(event, Informed) and search is not None:
            search.inform(event.told)
        elif isinstance(event, Finished) and search is not None:
            search.finish(event)
        waiting = self._awaited.pop(type(event), None)
        if waiting is not None and not waiting.done():
            waiting.set_result(None)

    async def _wait_for(self, event: type[Event], lines: Iterable[str], seconds: float, problem: str) -> None:
        """Say something, and wait for what it comes to. Raises `PeerError`."""
        self._check_open()
        waiting = self._awaited[event] = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(seconds):
                await self._send(lines)
                await waiting
        except TimeoutError:
            self._fail(PeerTimeoutError(self._transport.peer, problem, seconds))
        except asyncio.CancelledError:
            if event is not Ponged:  # it cannot be asked anything before that
                self._fail(PeerGoneError(self._transport.peer, "was left before it was ready"))
            raise
        finally:
            self._awaited.pop(event, None)
        if self._ending is not None:
            await asyncio.shield(self._ending)
            self._check_open()

    async def _send(self, lines: Iterable[str]) -> None:
        for line in lines:
            try:
                await self._transport.send(line.encode())
            except PeerError as error:
                self._fail(error)
                assert self._ending is not None
                await asyncio.shield(self._ending)
                self._check_open()

    async def _send_quietly(self, lines: Iterable[str]) -> None:
        """Say something; where it is gone, whoever waits for it is told."""
        with contextlib.suppress(PeerError):
            await self._send(lines)

    # How it ends.

    def _check_open(self) -> None:
        """Raises what the program did wrong for whoever asks first, and afterwards that it is gone."""
        if self._error is None:
            return
        if not self._is_told:
            self._is_told = True
            raise self._error
        problem = self._error.problem
        raise PeerGoneError(self._transport.peer, problem if problem == "is closed" else f"is closed: it {problem}")

    def _fail(self, error: PeerError) -> None:
        """Let the program go for this reason, if there was no other before."""
        if self._ending is None:
            self._error = error
            self._driving.end()
            self._ending = asyncio.create_task(self._let_go())

    async def _let_go(self) -> None:
        """Nothing of it is left; then those who wait are told."""
        try:
            await self._transport.close()
        finally:
            self._listener.cancel()
            if self._search is not None and not self._search.is_over:
                self._search.finish(None)
            for waiting in self._awaited.values():
                if not waiting.done():
                    waiting.set_result(None)

    def _keep(self, work: Any) -> None:
        """Runs beside what is asked."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


