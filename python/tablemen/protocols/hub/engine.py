"""Hub engines as `AsyncHubEngine` and its synchronous facade `HubEngine`; we are the board."""

from __future__ import annotations

import asyncio
import contextlib
import difflib
import math
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from types import MappingProxyType, TracebackType
from typing import Any, Self, TypeVar

from tablemen._core import Position
from tablemen.draughts.rules import DraughtsRules
from tablemen.draughts.variants import find_variant
from tablemen.errors import GameOverError, PeerError, PeerGoneError, PeerTimeoutError, TablemenError
from tablemen.game import Game
from tablemen.outcome import Outcome
from tablemen.protocols.engine import CLOSED, NO_LIMIT, Answer, AsyncEngine, Engine, Timeouts, blocking, opener
from tablemen.protocols.hub.messages import (
    FRAMING,
    NORMAL,
    VARIANT,
    Option,
    OptionType,
    get_hub_name,
    parse_info,
    parse_int,
)
from tablemen.protocols.hub.protocol import (
    Finished,
    HubBoardProtocol,
    HubEvent,
    HubState,
    Informed,
    Opened,
    Ponged,
    SearchMode,
    Started,
)
from tablemen.protocols.transport import Transport, open_process
from tablemen.protocols.transport.process import ProcessTransport
from tablemen.search import Clock, Info, Limit, Score, SearchResult

MAX_INFOS = 32  # unread results that are kept; the oldest are dropped

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class HubTimeouts(Timeouts):
    """Timeouts of an engine in seconds. An engine that exceeds one is closed, unless it is stopped or pinged first."""

    opening: float = 20.0  # to start and declare its options: a virus scanner may check it first
    init: float = 180.0  # to be ready: some engines load gigabytes of tables from slow disks
    grace: float = 5.0  # beyond the time for a move; then the search is stopped
    stopping: float = 10.0  # from `stop` to `done`: some engines poll their input only every few seconds
    thinking: float = 3600.0  # for a move without a time limit; then the search is stopped
    quiet: float = 15.0  # without progress in a search without a time limit; then the engine is pinged
    pong: float = 10.0  # from `ping` to `pong`, also during a search


DEFAULT_TIMEOUTS = HubTimeouts()


class AsyncHubAnalysis:
    """A search: iterate over its results, `stop` it, or await its `result`. `async with` stops it at the end."""

    def __init__(self, engine: AsyncHubEngine, position: Position, limit: Limit, mode: SearchMode) -> None:
        self._engine = engine
        self._position = position
        self._infos: deque[Mapping[str, str]] = deque(maxlen=MAX_INFOS)
        self._updated = asyncio.Event()
        self._reached = {"depth": 0, "nodes": 0}
        times = (limit.time, None if limit.clock is None else limit.clock.left)
        self._seconds = min((time for time in times if time is not None), default=None)
        self.mode = mode
        self.finished: Finished | None = None
        self.is_over = False  # finished, or the engine is closed
        self.is_stopped = False
        self.changed = asyncio.Event()  # set when the timeouts must be computed again
        self.stop_at = math.inf  # event-loop time at which to stop the search
        self.alive_at = asyncio.get_running_loop().time()  # event-loop time of the last progress or pong

    @property
    def seconds(self) -> float | None:
        """The time limit of the search, if any."""
        return None if self.mode is SearchMode.PONDER else self._seconds

    def inform(self, values: Mapping[str, str]) -> None:
        """Add the values of `info`; a greater depth or node count is progress."""
        self._infos.append(values)
        self._updated.set()
        for name, reached in self._reached.items():
            if (number := parse_int(values.get(name)) or 0) > reached:
                self._reached[name] = number
                self.alive_at = asyncio.get_running_loop().time()

    def finish(self, finished: Finished | None) -> None:
        """End the search, without a result if the engine is closed."""
        self.finished = finished
        self.is_over = True
        self._updated.set()
        self.changed.set()

    async def lasts_until(self, moment: float) -> bool:
        """Wait until a time, and return whether the search has neither ended nor changed before."""
        try:
            async with asyncio.timeout_at(moment):
                await self.changed.wait()
        except TimeoutError:
            return not self.is_over
        return False

    def __aiter__(self) -> AsyncHubAnalysis:
        return self

    async def __anext__(self) -> Info[Any]:
        """Return the next result; old results that were not read in time are dropped. Raises `PeerError`."""
        while True:
            while self._infos:
                info = parse_info(self._infos.popleft(), self._position)
                if info is not None:
                    return info
            if self.is_over:
                if self.finished is None:
                    self._engine.check()
                raise StopAsyncIteration
            self._updated.clear()
            await self._updated.wait()

    def stop(self) -> None:
        """End the search soon, with the best move found."""
        self._engine.stop_search(self)

    def ponder_hit(self) -> None:
        """Start the clock of the search: the opponent has played the expected move."""
        self._engine.start_time(self)

    async def answer(self) -> Answer:
        """Wait for the end of the search, and return its move. Raises `PeerError`."""
        result = await self.result()
        if not result.lines:
            return Answer(result.move, None, result.ponder)
        return Answer(result.move, result.score, result.ponder, result.lines[0].line)

    async def result(self) -> SearchResult[Any]:
        """Wait for the end, and return the result; it has score 0 and no lines if the engine reported no score."""
        while not self.is_over:
            self._updated.clear()
            await self._updated.wait()
        if self.finished is None:
            self._engine.check()
        assert self.finished is not None
        info = parse_info(self.finished.values, self._position)
        score, lines = (Score(0.0), ()) if info is None else (info.score, (info,))
        return SearchResult(self.finished.move, score, self.finished.ponder, lines)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


class AsyncHubEngine(AsyncEngine):
    """An engine that chooses moves and analyses games; `async with` closes it.

    A call during a search stops that search first.
    """

    def __init__(self, transport: Transport, *, timeouts: HubTimeouts = DEFAULT_TIMEOUTS, hub1: bool = False) -> None:
        self._transport = transport
        self._timeouts = timeouts
        self._protocol = HubBoardProtocol(transport.peer, hub1)
        self._calling = asyncio.Lock()
        self._sending = asyncio.Lock()
        self._awaited: dict[type[HubEvent], asyncio.Future[None]] = {}
        self._search: AsyncHubAnalysis | None = None
        self._variant = NORMAL
        self._start: Any = None  # first position of the last game
        self._is_new = False  # whether the next search must announce a new game
        self._error: PeerError | None = None  # the error that closed the engine
        self._is_raised = False  # whether `check` has raised the error
        self._closing: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._receiver = asyncio.create_task(self._receive())

    @classmethod
    async def open(  # noqa: PLR0913 - only the command is required
        cls,
        command: str | Sequence[str],
        *,
        folder: str | PathLike[str] | None = None,
        variant: str | DraughtsRules = "international",
        options: Mapping[str, Any] = MappingProxyType({}),
        timeouts: HubTimeouts = DEFAULT_TIMEOUTS,
        hub1: bool = False,
    ) -> Self:
        """Start an engine, and wait until it is ready to play a variant.

        `folder` is its working directory, by default the current one. `options` sets options that the engine declares.
        The version of Hub is detected from the greeting; with `hub1`, Hub 1 is used until then. Raises `PeerError`,
        `ArgumentError` for a bad value of an option, and `TablemenError` for an option or a variant that the engine
        does not have.
        """
        rules = find_variant(variant)
        get_hub_name(rules)  # raise an error for unsupported rules before the engine is started
        transport = await open_process(command, FRAMING, folder=folder)
        return await cls.over(transport, variant=rules, options=options, timeouts=timeouts, hub1=hub1)

    @classmethod
    async def over(
        cls,
        transport: Transport,
        *,
        variant: str | DraughtsRules = "international",
        options: Mapping[str, Any] = MappingProxyType({}),
        timeouts: HubTimeouts = DEFAULT_TIMEOUTS,
        hub1: bool = False,
    ) -> Self:
        """Open the engine at the other end of a transport; close the transport if that fails."""
        engine = cls(transport, timeouts=timeouts, hub1=hub1)
        try:
            await engine._greet(get_hub_name(find_variant(variant)), options)
        except BaseException:
            await engine.close()
            raise
        return engine

    async def _greet(self, variant: str, options: Mapping[str, Any]) -> None:
        lines = self._protocol.greet()
        await self._request(Opened, lines, self._timeouts.opening, "did not declare its options")
        self._variant = str(self.options[VARIANT].value) if VARIANT in self.options else NORMAL
        await self._set_options({**options, VARIANT: variant} if variant != self._variant else options)

    @property
    def name(self) -> str:
        """The name and version that the engine reports, or its command."""
        return " ".join(filter(None, (self.id.get("name"), self.id.get("version")))) or self._transport.peer

    @property
    def id(self) -> Mapping[str, str]:
        """The name, version, author and country that the engine reports."""
        return MappingProxyType(self._protocol.id)

    @property
    def options(self) -> Mapping[str, Option]:
        """The options with their current values."""
        return MappingProxyType(self._protocol.options)

    async def choose(
        self,
        game: Game[Any, Any],
        limit: Limit = NO_LIMIT,
        *,
        clock: Clock | None = None,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> Answer:
        """Return the move of the engine. `is_stopped` is called when the search has started."""
        limit = limit if clock is None else replace(limit, clock=clock)
        search = await self._start_search(game, limit, SearchMode.THINK)
        if is_stopped():
            search.stop()
        try:
            return await search.answer()
        finally:
            search.stop()  # if this call is cancelled

    async def analyse(self, game: Game[Any, Any], limit: Limit = NO_LIMIT, *, ponder: bool = False) -> AsyncHubAnalysis:
        """Start to analyse a game. With `ponder`, the clock starts at `AsyncHubAnalysis.ponder_hit`."""
        return await self._start_search(game, limit, SearchMode.PONDER if ponder else SearchMode.ANALYSE)

    def stop(self) -> None:
        """End the current search soon, if there is one."""
        if self._search is not None:
            self.stop_search(self._search)

    async def begin_game(self, game: Game[Any, Any]) -> None:
        """Wait until the engine is ready for the variant of a game."""
        await self.prepare(game.position.variant)

    async def prepare(self, variant: str | DraughtsRules) -> None:
        """Wait until the engine is ready for a variant; a change of the variant ends the current search."""
        name = get_hub_name(find_variant(variant))
        async with self._calling:
            self.check()
            if name != self._variant:
                await self._end_search()
                await self._set_options({VARIANT: name})

    async def end_game(self, game: Game[Any, Any], outcome: Outcome | None) -> None:  # noqa: ARG002 - not reported
        """Announce a new game with the next search."""
        self._is_new = True

    def new_game(self) -> None:
        """Announce a new game with the next search."""
        self._is_new = True

    async def configure(self, name: str, value: Any) -> None:
        """Set an option; the engine initialises again. Raises `ArgumentError` if the value is not allowed."""
        async with self._calling:
            self.check()
            await self._end_search()
            await self._set_options({name: value})

    async def ping(self) -> None:
        """Send a ping, and wait for the answer. Raises `PeerError` if there is none."""
        async with self._calling:
            self.check()
            await self._request(Ponged, self._protocol.ping(), self._timeouts.pong, "did not answer a ping")

    def check(self) -> None:
        """If the engine is closed, raise the error that closed it; on further calls raise `PeerGoneError`."""
        if self._error is None:
            return
        if not self._is_raised:
            self._is_raised = True
            raise self._error
        problem = self._error.problem
        problem = problem if problem == CLOSED else f"{CLOSED}: it {problem}"
        raise PeerGoneError(self._transport.peer, problem) from self._error

    async def close(self) -> None:
        """End the engine, and wait until it has ended. May be called again."""
        if self._closing is None:
            if not self._sending.locked():  # otherwise the engine does not read its input
                await self._send_quietly(self._protocol.quit())
            self._is_raised = True
            self._fail(PeerGoneError(self._transport.peer, CLOSED))
        assert self._closing is not None
        await asyncio.shield(self._closing)

    async def _set_options(self, values: Mapping[str, Any]) -> None:
        """Set options and initialise the engine."""
        texts = {name: self._format_value(name, value) for name, value in values.items()}
        for name, text in texts.items():
            await self._send(self._protocol.set_option(name, text))
        await self._request(Started, self._protocol.start(), self._timeouts.init, "was not ready")
        self._variant = texts.get(VARIANT, self._variant)

    def _format_value(self, name: str, value: Any) -> str:
        option = self.options.get(name)
        if name == VARIANT:
            is_supported = option is not None and (option.type is not OptionType.ENUM or value in option.values)
            if not is_supported:
                raise TablemenError(f"{self.name} does not play {value}")
        if option is not None:
            return option.format(value)
        if self._protocol.is_hub1:  # Hub 1 does not declare options
            return str(value)
        near = difflib.get_close_matches(name, self.options, n=2)
        hint = f"did you mean {' or '.join(near)}?" if near else f"it has {', '.join(self.options) or 'none'}"
        raise TablemenError(f"{self.name} has no option {name!r}; {hint}")

    async def _start_search(self, game: Game[Any, Any], limit: Limit, mode: SearchMode) -> AsyncHubAnalysis:
        if outcome := game.outcome():
            raise GameOverError(outcome)
        if self._protocol.is_hub1 and limit.nodes is not None and limit == Limit(nodes=limit.nodes):
            raise TablemenError(f"{self.name} uses Hub 1, which has no node limit: set a depth or a time limit")
        variant = get_hub_name(game.position.variant)
        game = game.copy()  # the caller may change the game during the search
        async with self._calling:
            self.check()
            await self._end_search()
            if variant != self._variant:
                await self._set_options({VARIANT: variant})
            if self._is_new or (self._start is not None and self._start != game.start):
                await self._send(self._protocol.new_game())
            self._start, self._is_new = game.start, False
            lines = self._protocol.search(game, limit, mode)
            search = self._search = AsyncHubAnalysis(self, game.position, limit, mode)
            self._set_stop_time(search)
            self._run(self._supervise(search))
            await self._send(lines)
        return search

    async def _end_search(self) -> None:
        search = self._search
        if search is not None and not search.is_over:
            search.stop()
            await search.answer()

    def stop_search(self, search: AsyncHubAnalysis) -> None:
        """End this search soon, if it is not over."""
        if not search.is_over and not search.is_stopped and self._protocol.state is HubState.SEARCHING:
            search.is_stopped = True
            search.changed.set()
            self._run(self._send_quietly(self._protocol.stop()))

    def start_time(self, search: AsyncHubAnalysis) -> None:
        """Start the clock of a search that ponders."""
        if not search.is_over and search.mode is SearchMode.PONDER:
            search.mode = SearchMode.THINK
            self._set_stop_time(search)
            search.changed.set()
            self._run(self._send_quietly(self._protocol.ponder_hit()))

    def _set_stop_time(self, search: AsyncHubAnalysis) -> None:
        """Set when to stop a search; an analysis without a time limit and a search that ponders may last forever."""
        now = asyncio.get_running_loop().time()
        if search.seconds is not None:
            search.stop_at = now + search.seconds + self._timeouts.grace
        elif search.mode is SearchMode.THINK:
            search.stop_at = now + self._timeouts.thinking

    async def _supervise(self, search: AsyncHubAnalysis) -> None:
        """Ping an engine without progress, stop a search after its time, and close an engine that does not respond."""
        timeouts, peer, now = self._timeouts, self._transport.peer, asyncio.get_running_loop().time
        while not (search.is_over or search.is_stopped or self._closing):
            search.changed.clear()
            if now() >= search.stop_at:
                self.stop_search(search)
                break
            if search.seconds is not None:
                await search.lasts_until(search.stop_at)
            elif await search.lasts_until(min(search.alive_at + timeouts.quiet, search.stop_at)):
                if self._closing or search.alive_at + timeouts.quiet > now():
                    continue
                pinged, ends = now(), min(now() + timeouts.pong, search.stop_at)
                self._run(self._send_quietly(self._protocol.ping()))
                if await search.lasts_until(ends) and search.alive_at < pinged and ends < search.stop_at:
                    self._fail(PeerTimeoutError(peer, "did not answer a ping", timeouts.pong))
        ends = now() + timeouts.stopping
        while not (search.is_over or self._closing):
            search.changed.clear()
            if await search.lasts_until(ends):
                self._fail(PeerTimeoutError(peer, "did not stop its search", timeouts.stopping))

    async def _receive(self) -> None:
        """Receive all lines of the engine, so that it never blocks on its output."""
        try:
            while (line := await self._transport.receive()) is not None:
                event = self._protocol.receive(line.decode(errors="replace"))
                if event is not None:
                    self._handle(event)
            end = "has closed the connection"
            if isinstance(self._transport, ProcessTransport):
                end = await self._transport.describe_end()
            self._fail(PeerGoneError(self._transport.peer, end))
        except PeerError as error:
            self._fail(error)

    def _handle(self, event: HubEvent) -> None:
        if (search := self._search) is not None:
            match event:
                case Informed(values):
                    search.inform(values)
                case Finished():
                    search.finish(event)
                case Ponged():
                    search.alive_at = asyncio.get_running_loop().time()
                    search.changed.set()
                case Opened() | Started():
                    pass
        waiting = self._awaited.get(type(event))
        if waiting is not None and not waiting.done():
            waiting.set_result(None)

    async def _request(self, event: type[HubEvent], lines: Iterable[str], seconds: float, problem: str) -> None:
        """Send lines, and wait for an event. Raises `PeerError`."""
        waiting = self._awaited[event] = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(seconds):
                await self._send(lines)
                await waiting
        except TimeoutError:
            self._fail(PeerTimeoutError(self._transport.peer, problem, seconds))
        except asyncio.CancelledError:
            if event in {Opened, Started}:  # the engine cannot be used before these events
                self._fail(PeerGoneError(self._transport.peer, "was closed before it was ready"))
            raise
        finally:
            self._awaited.pop(event, None)
        await self._check_closing()

    async def _send(self, lines: Iterable[str]) -> None:
        """Send lines as a block. Raises `PeerError`."""
        async with self._sending:
            for line in lines:
                try:
                    await self._transport.send(line.encode())
                except PeerError as error:
                    self._fail(error)
                await self._check_closing()

    async def _send_quietly(self, lines: Iterable[str]) -> None:
        """Send lines, and ignore errors: the callers that wait for an answer raise them."""
        with contextlib.suppress(PeerError):
            await self._send(lines)

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine in the background."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _fail(self, error: PeerError) -> None:
        """Close the engine because of an error, if it is not closed yet."""
        if self._closing is None:
            self._error = error
            self._protocol.state = HubState.ENDED
            self._closing = asyncio.create_task(self._close_transport())

    async def _close_transport(self) -> None:
        try:
            await self._transport.close()
        finally:
            self._receiver.cancel()
            if self._search is not None and not self._search.is_over:
                self._search.finish(None)
            for waiting in self._awaited.values():
                if not waiting.done():
                    waiting.set_result(None)

    async def _check_closing(self) -> None:
        if self._closing is not None:
            await asyncio.shield(self._closing)
            self.check()


class HubAnalysis:
    """The synchronous facade of an `AsyncHubAnalysis`, like `tablemen.search.Analysis`; `with` stops it."""

    def __init__(self, engine: HubEngine, analysis: AsyncHubAnalysis) -> None:
        self._engine = engine
        self._analysis = analysis

    def __iter__(self) -> Iterator[Info[Any]]:
        return self

    def __next__(self) -> Info[Any]:
        async def get_next() -> Info[Any] | None:
            return await anext(self._analysis, None)

        info = self._run(get_next)
        if info is None:
            raise StopIteration
        return info

    def stop(self) -> None:
        """End the search soon, with the best move found. Any thread may call this."""
        self._engine.call(self._analysis.stop)

    def ponder_hit(self) -> None:
        """Start the clock of the search: the opponent has played the expected move."""
        self._engine.call(self._analysis.ponder_hit)

    def result(self) -> SearchResult[Any]:
        """Wait for the end, and return the result; it has score 0 and no lines if the engine reported no score."""
        return self._run(self._analysis.result)

    def _run(self, method: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Return the result of a coroutine; stop the search if the caller is interrupted."""
        try:
            return self._engine.run(method)
        except BaseException:
            self.stop()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


class HubEngine(Engine):
    """The synchronous facade of an `AsyncHubEngine`."""

    protocol = "hub"
    _engine: AsyncHubEngine

    open = opener(AsyncHubEngine.open)  # type: ignore[assignment]  # without the parameter `protocol`
    configure = blocking(AsyncHubEngine.configure)
    ping = blocking(AsyncHubEngine.ping)

    @property
    def options(self) -> Mapping[str, Option]:
        """The options with their current values."""
        return self._engine.options

    def analyse(self, game: Game[Any, Any], limit: Limit = NO_LIMIT, *, ponder: bool = False) -> HubAnalysis:
        """Start to analyse a game; the next search ends it. With `ponder`, the clock starts at `ponder_hit`."""
        return HubAnalysis(self, self.run(lambda: self._engine.analyse(game, limit, ponder=ponder)))

    def new_game(self) -> None:
        """Announce a new game with the next search."""
        self._engine.new_game()
