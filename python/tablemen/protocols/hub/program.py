"""Our search as a program that speaks Hub over standard input and output, or over any other wire."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from tablemen import __version__
from tablemen.errors import PeerGoneError, TablemenError
from tablemen.protocols.hub.options import Option, OptionType
from tablemen.protocols.hub.program_conversation import (
    Act,
    Begin,
    Forget,
    Hit,
    Prepare,
    ProgramConversation,
    Quit,
    Say,
    Stop,
)
from tablemen.protocols.hub.variants import HUB_VARIANTS, NORMAL, VARIANT
from tablemen.protocols.transport import Transport
from tablemen.search import Analysis, Level, Limit, Searcher

MOST_THREADS, MOST_MB = 256, 1 << 16
USUAL_MB = 64
MOST_SEED = 2**63 - 1
LEVELS = 10


def our_options() -> dict[str, Option]:
    """What a board can change: each of them does something."""
    options = (
        Option(VARIANT, OptionType.ENUM, NORMAL, values=tuple(HUB_VARIANTS)),
        Option("threads", OptionType.INT, 1, least=1, most=MOST_THREADS),
        Option("table", OptionType.INT, USUAL_MB, least=1, most=MOST_MB),  # megabytes
        Option("level", OptionType.INT, 0, least=0, most=LEVELS),  # 0 is all it can do
        Option("seed", OptionType.INT, 0, least=0, most=MOST_SEED),
    )
    return {option.name: option for option in options}


class HubProgram:
    """Answers a board over a wire until it is told to quit, or nobody is there any more."""

    def __init__(self, transport: Transport, *, first: bool = False) -> None:
        self._transport = transport
        facts = {"name": "tablemen", "version": __version__, "author": "the authors of tablemen"}
        self._conversation = ProgramConversation(facts, our_options(), first)
        self._searcher: Searcher | None = None
        self._made: tuple[int, ...] = ()  # what the searcher was made with
        self._analysis: Analysis[Any] | None = None
        self._search: asyncio.Task[None] | None = None
        self._is_stopped = self._is_hit = False
        self._is_over = False
        self._saying = asyncio.Lock()
        self._main: asyncio.Task[Any] | None = None
        self._error: BaseException | None = None  # of a search

    async def run(self) -> None:
        """Answer, until the end. Raises `ProtocolError` where a line is too long to be one."""
        self._main = asyncio.current_task()
        try:
            while not self._is_over:
                line = await self._transport.receive()
                if line is None:
                    return
                await self._do(self._conversation.hear(line.decode(errors="replace")))
                while self._conversation.held is not None and self._search is not None:
                    await self._search  # what was said is obeyed there; nothing else is heard before
        except PeerGoneError:
            return  # it does not listen any more
        except asyncio.CancelledError:
            if self._error is None:
                raise
            if not isinstance(self._error, PeerGoneError):
                raise self._error from None
        finally:
            self._main = None
            self._stop()
            if self._search is not None:
                await asyncio.gather(self._search, return_exceptions=True)

    async def _do(self, acts: Iterable[Act]) -> None:  # noqa: C901 - a case each
        for act in acts:
            match act:
                case Say(line):
                    async with self._saying:  # the search speaks too
                        await self._transport.send(line.encode())
                case Begin():
                    self._is_stopped = self._is_hit = False
                    self._search = asyncio.create_task(self._think(act))
                    self._search.add_done_callback(self._look)
                case Prepare():
                    await self._prepare_as_told()
                case Stop():
                    self._stop()
                case Hit():
                    self._is_hit = True
                    if self._analysis is not None:
                        self._analysis.ponder_hit()
                case Forget():
                    if self._searcher is not None:
                        self._searcher.clear()
                case Quit():
                    self._is_over = True

    def _look(self, search: asyncio.Task[None]) -> None:
        """A search that failed ends the program: the board would wait for ever."""
        if not search.cancelled() and (error := search.exception()) is not None and self._main is not None:
            self._error = error
            self._main.cancel()

    def _stop(self) -> None:
        self._is_stopped = True
        if self._analysis is not None:
            self._analysis.stop()

    async def _think(self, order: Begin) -> None:
        """A search from its beginning to what the board says after it."""
        try:
            await self._prepare_as_told()
            analysis = self._analysis = await asyncio.to_thread(self._begin, order)
            if self._is_stopped:  # while it began, when there was nothing to stop yet
                analysis.stop()
            if self._is_hit:
                analysis.ponder_hit()
            try:
                while (info := await asyncio.to_thread(next, analysis, None)) is not None:
                    if info.rank == 1:
                        await self._do(self._conversation.inform(info))
                result = await asyncio.to_thread(analysis.result)
            finally:
                analysis.stop()
                self._analysis = None
        except TablemenError as error:
            if isinstance(error, PeerGoneError):
                raise
            await self._do(self._conversation.fail(str(error)))
            await self._do(self._conversation.finish(order.game.legal_moves()[0]))
            return
        await self._do(self._conversation.finish(result.move, result.ponder))

    def _begin(self, order: Begin) -> Analysis[Any]:
        assert self._searcher is not None
        number = 0 if order.analyse else self._value("level")
        if not number:
            return self._searcher.analyse(order.game, order.limit, ponder=order.ponder)
        level = Level(number)
        if level.error and not order.ponder:  # a few plies, for which there is always time
            return self._searcher.begin(order.game, level)
        return self._searcher.analyse(order.game, _within(order.limit, level.limit), ponder=order.ponder)

    async def _prepare_as_told(self) -> None:
        """A searcher as the options want it; where there is too little memory, one with a usual table."""
        try:
            await self._prepare()
        except TablemenError as error:
            await self._do(self._conversation.fail(str(error)))
            self._conversation.options["table"] = our_options()["table"]
            await self._prepare()

    async def _prepare(self) -> None:
        wanted = (self._value("table"), self._value("threads"), self._value("seed"))
        if self._searcher is None or wanted != self._made:
            table, threads, seed = self._made = wanted
            self._searcher = None  # its table goes before the next one comes
            self._searcher = await asyncio.to_thread(Searcher, table_mb=table, threads=threads, seed=seed)

    def _value(self, name: str) -> int:
        return int(self._conversation.options[name].value)


def _within(first: Limit, second: Limit) -> Limit:
    """What comes first of both."""

    def least(one: int | None, other: int | None) -> int | None:
        return min((each for each in (one, other) if each is not None), default=None)

    return Limit(
        depth=least(first.depth, second.depth),
        nodes=least(first.nodes, second.nodes),
        time=first.time,
        clock=first.clock,
    )
