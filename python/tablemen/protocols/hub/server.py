"""Our Hub engine, over standard input and output or another transport."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from tablemen import __version__
from tablemen.errors import PeerGoneError, TablemenError
from tablemen.protocols.hub.messages import HUB_VARIANTS, NORMAL, VARIANT, Option, OptionType
from tablemen.protocols.hub.protocol import (
    ClearSearch,
    HubAction,
    HubEngineProtocol,
    PonderHit,
    Prepare,
    Quit,
    SendLine,
    StartSearch,
    StopSearch,
)
from tablemen.protocols.transport import Transport
from tablemen.search import INSTALLED, Analysis, Level, Searcher

MAX_THREADS = 256
DEFAULT_TABLE_MB, MAX_TABLE_MB = 64, 1 << 16
MAX_SEED = 2**63 - 1
MAX_LEVEL = 10


def engine_options() -> dict[str, Option]:
    """Return the options of the engine with their default values."""
    options = (
        Option(VARIANT, OptionType.ENUM, NORMAL, values=tuple(HUB_VARIANTS)),
        Option("threads", OptionType.INT, 1, minimum=1, maximum=MAX_THREADS),
        Option("table", OptionType.INT, DEFAULT_TABLE_MB, minimum=1, maximum=MAX_TABLE_MB),  # megabytes
        Option("level", OptionType.INT, 0, minimum=0, maximum=MAX_LEVEL),  # 0 for full strength
        Option("seed", OptionType.INT, 0, minimum=0, maximum=MAX_SEED),
        Option("tablebases", OptionType.BOOL, value=True),  # those that the user has built
    )
    return {option.name: option for option in options}


class HubServer:
    """The engine for one board, until the board quits or closes the connection."""

    def __init__(self, transport: Transport, *, hub1: bool = False) -> None:
        self._transport = transport
        id_fields = {"name": "tablemen", "version": __version__, "author": "the authors of tablemen"}
        self._protocol = HubEngineProtocol(id_fields, engine_options(), hub1)
        self._searcher: Searcher | None = None
        self._searcher_settings: tuple[int, ...] = ()
        self._analysis: Analysis[Any] | None = None
        self._search: asyncio.Task[None] | None = None
        self._is_stopped = self._is_ponder_hit = False
        self._is_over = False
        self._sending = asyncio.Lock()
        self._main: asyncio.Task[Any] | None = None
        self._error: BaseException | None = None  # the error of a failed search

    async def run(self) -> None:
        """Serve until the end. Raises `ProtocolError` if a line is too long."""
        self._main = asyncio.current_task()
        try:
            while not self._is_over:
                line = await self._transport.receive()
                if line is None:
                    return
                await self._execute(self._protocol.receive(line.decode(errors="replace")))
                while self._protocol.held is not None and self._search is not None:
                    await self._search  # executes the held line when it ends
        except PeerGoneError:
            return
        except asyncio.CancelledError:
            if self._error is None:
                raise
            if not isinstance(self._error, PeerGoneError):
                raise self._error from None
        finally:
            self._main = None
            self._stop_search()
            if self._search is not None:
                await asyncio.gather(self._search, return_exceptions=True)

    async def _execute(self, actions: Iterable[HubAction]) -> None:  # noqa: C901 - one branch for each action
        for action in actions:
            match action:
                case SendLine(line):
                    async with self._sending:  # the search task sends lines too
                        await self._transport.send(line.encode())
                case StartSearch():
                    self._is_stopped = self._is_ponder_hit = False
                    self._search = asyncio.create_task(self._run_search(action))
                    self._search.add_done_callback(self._check_search)
                case Prepare():
                    await self._prepare()
                case StopSearch():
                    self._stop_search()
                case PonderHit():
                    self._is_ponder_hit = True
                    if self._analysis is not None:
                        self._analysis.ponder_hit()
                case ClearSearch():
                    if self._searcher is not None:
                        self._searcher.clear()
                case Quit():
                    self._is_over = True

    def _stop_search(self) -> None:
        self._is_stopped = True
        if self._analysis is not None:
            self._analysis.stop()

    def _check_search(self, search: asyncio.Task[None]) -> None:
        """End the server if a search failed: otherwise the board would wait forever."""
        if not search.cancelled() and (error := search.exception()) is not None and self._main is not None:
            self._error = error
            self._main.cancel()

    async def _run_search(self, action: StartSearch) -> None:
        """Search, send the results and the move, and then execute the line that was held meanwhile."""
        try:
            await self._prepare()
            analysis = self._analysis = await asyncio.to_thread(self._start_analysis, action)
            if self._is_stopped:  # `stop` arrived before the analysis started
                analysis.stop()
            if self._is_ponder_hit:
                analysis.ponder_hit()
            try:
                while (info := await asyncio.to_thread(next, analysis, None)) is not None:
                    if info.rank == 1:
                        await self._execute(self._protocol.inform(info))
                result = await asyncio.to_thread(analysis.result)
            finally:
                analysis.stop()
                self._analysis = None
        except TablemenError as error:
            if isinstance(error, PeerGoneError):
                raise
            await self._execute(self._protocol.fail(str(error)))
            await self._execute(self._protocol.finish(action.game.legal_moves()[0]))
            return
        await self._execute(self._protocol.finish(result.move, result.ponder))

    def _start_analysis(self, action: StartSearch) -> Analysis[Any]:
        assert self._searcher is not None
        limit, number = action.limit, 0 if action.analyse else self._value("level")
        if number:
            level = Level(number)
            if level.has_errors and not action.ponder:  # a search of a few plies, which takes almost no time
                return self._searcher.begin(action.game, level)
            depth, nodes = _lesser(limit.depth, level.limit.depth), _lesser(limit.nodes, level.limit.nodes)
            limit = replace(limit, depth=depth, nodes=nodes)
        return self._searcher.analyse(action.game, limit, ponder=action.ponder)

    async def _prepare(self) -> None:
        """Create a searcher with the current options; if memory is short, report it and use the default table size."""
        try:
            await self._create_searcher()
        except TablemenError as error:
            await self._execute(self._protocol.fail(str(error)))
            self._protocol.options["table"] = engine_options()["table"]
            await self._create_searcher()

    async def _create_searcher(self) -> None:
        settings = tuple(self._value(name) for name in ("table", "threads", "seed", "tablebases"))
        if self._searcher is None or settings != self._searcher_settings:
            table, threads, seed, tablebases = self._searcher_settings = settings
            self._searcher = None  # free its table before the next one is allocated
            tablebase = INSTALLED if tablebases else None
            self._searcher = await asyncio.to_thread(
                Searcher, table_mb=table, threads=threads, seed=seed, tablebase=tablebase
            )

    def _value(self, name: str) -> int:
        return int(self._protocol.options[name].value)


def _lesser(one: int | None, other: int | None) -> int | None:
    return min((each for each in (one, other) if each is not None), default=None)
