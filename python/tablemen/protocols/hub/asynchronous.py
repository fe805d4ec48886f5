"""A program that speaks Hub, for those who use asyncio."""

from __future__ import annotations

import asyncio
import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Self

from tablemen.draughts.rules import DraughtsRules
from tablemen.draughts.variants import find_variant
from tablemen.errors import GameOverError, PeerTimeoutError, TablemenError
from tablemen.game import Game
from tablemen.outcome import Outcome
from tablemen.protocols.engine import NO_LIMIT, Answer, AsyncEngine
from tablemen.protocols.hub.analysis import AsyncHubAnalysis
from tablemen.protocols.hub.board_conversation import BoardConversation, Mode, State
from tablemen.protocols.hub.connection import Connection
from tablemen.protocols.hub.event import Event, Finished, Informed, Opened, Ponged, Started
from tablemen.protocols.hub.options import Option, OptionType
from tablemen.protocols.hub.patience import USUAL, Patience
from tablemen.protocols.hub.variants import NORMAL, VARIANT, hub_name_of
from tablemen.protocols.transport import Transport, open_process
from tablemen.protocols.transport.framing import HUB
from tablemen.search import Clock, Limit


class AsyncHubEngine(AsyncEngine):
    """A program that is asked for moves and analyses; `async with` closes it.

    What it does wrong is a `PeerError`, and closes it. A question that comes while it searches stops that search first.
    """

    def __init__(self, transport: Transport, *, patience: Patience = USUAL, first: bool = False) -> None:
        self._patience = patience
        self._conversation = BoardConversation(transport.peer, first)
        self._connection = Connection(transport, self._conversation, self._take, self._leave)
        self._asking = asyncio.Lock()
        self._search: AsyncHubAnalysis | None = None
        self._variant = NORMAL
        self._start: Any = None  # of the last game
        self._is_new = False  # whether another game is to begin

    @classmethod
    async def open(
        cls,
        command: str | Sequence[str],
        *,
        variant: str | DraughtsRules = "international",
        options: Mapping[str, Any] = MappingProxyType({}),
        patience: Patience = USUAL,
        hub1: bool = False,
    ) -> Self:
        """Starts a program, and waits until it is ready to play a variant.

        `options` are values for those that it declares. A program that speaks the first Hub is recognised when it
        greets; `hub1` says so from the beginning. Raises `PeerError`, and `ArgumentError` for a value that an option
        cannot have, `TablemenError` for an option that it does not have or a variant that it does not play.
        """
        rules = find_variant(variant)
        hub_name_of(rules)  # before anything is started
        transport = await open_process(command, HUB)
        return await cls.over(transport, variant=rules, options=options, patience=patience, hub1=hub1)

    @classmethod
    async def over(
        cls,
        transport: Transport,
        *,
        variant: str | DraughtsRules = "international",
        options: Mapping[str, Any] = MappingProxyType({}),
        patience: Patience = USUAL,
        hub1: bool = False,
    ) -> Self:
        """The same for a program at the other end of any wire; where it fails, the wire is closed."""
        engine = cls(transport, patience=patience, first=hub1)
        try:
            await engine._begin(hub_name_of(find_variant(variant)), options)
        except BaseException:
            await engine.close()
            raise
        return engine

    @property
    def name(self) -> str:
        """What the program calls itself, with its version; else how it was started."""
        return " ".join(filter(None, (self.id.get("name"), self.id.get("version")))) or self._connection.peer

    @property
    def id(self) -> Mapping[str, str]:
        """What it says of itself: name, version, author, country."""
        return MappingProxyType(self._conversation.facts)

    @property
    def options(self) -> Mapping[str, Option]:
        """What can be changed, with the values that it has now."""
        return MappingProxyType(self._conversation.options)

    async def choose(
        self,
        game: Game[Any, Any],
        limit: Limit = NO_LIMIT,
        *,
        clock: Clock | None = None,
        is_stopped: Callable[[], bool] = lambda: False,
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

    async def analyse(self, game: Game[Any, Any], limit: Limit = NO_LIMIT, *, ponder: bool = False) -> AsyncHubAnalysis:
        """Begin to look at a game. `ponder` begins in the opponent's time: see `AsyncHubAnalysis.ponder_hit`."""
        return await self._ask(game, limit, Mode.PONDER if ponder else Mode.ANALYSE)

    async def begin_game(self, game: Game[Any, Any]) -> None:
        """Wait until the program is ready for the variant of a game."""
        await self.prepare(game.position.variant)

    async def prepare(self, variant: str | DraughtsRules) -> None:
        """Wait until the program is ready for a variant; if it is another one, end the current search."""
        name = hub_name_of(find_variant(variant))
        async with self._asking:
            self._connection.check()
            if name != self._variant:
                await self._interrupt()
                await self._set({VARIANT: name})

    def stop(self) -> None:
        """End the search that is going on soon, if there is one."""
        if self._search is not None:
            self.stop_search(self._search)

    async def configure(self, name: str, value: Any) -> None:
        """Give an option a value; the program begins anew with it. Raises `ArgumentError` where it cannot have it."""
        async with self._asking:
            self._connection.check()
            await self._interrupt()
            await self._set({name: value})

    async def ping(self) -> None:
        """Ask whether it is there. Raises `PeerError` where it is not."""
        async with self._asking:
            self._connection.check()
            lines = self._conversation.ping()
            await self._connection.wait_for(Ponged, lines, self._patience.pong, "did not answer a ping")

    def new_game(self) -> None:
        """Announce a new game with the next search."""
        self._is_new = True

    async def end_game(self, game: Game[Any, Any], outcome: Outcome | None) -> None:  # noqa: ARG002 - not reported
        """Announce a new game with the next search."""
        self._is_new = True

    async def close(self) -> None:
        """Let the program go, and wait until it has gone. May be called again."""
        await self._connection.close()

    async def _begin(self, variant: str, options: Mapping[str, Any]) -> None:
        lines = self._conversation.greet()
        await self._connection.wait_for(Opened, lines, self._patience.opening, "did not tell its options")
        self._variant = str(self.options[VARIANT].value) if VARIANT in self.options else NORMAL
        await self._set({**options, VARIANT: variant} if variant != self._variant else options)

    async def _ask(self, game: Game[Any, Any], limit: Limit, mode: Mode) -> AsyncHubAnalysis:
        if outcome := game.outcome():
            raise GameOverError(outcome)
        if self._conversation.first and limit.nodes is not None and limit == Limit(nodes=limit.nodes):
            raise TablemenError(
                f"{self.name} speaks the first Hub, which has no limit of nodes: give a depth or a time"
            )
        name = hub_name_of(game.position.variant)
        game = game.copy()  # it may go on while the program thinks
        async with self._asking:
            self._connection.check()
            await self._interrupt()
            if name != self._variant:
                await self._set({VARIANT: name})
            if self._is_new or (self._start is not None and self._start != game.start):
                await self._connection.say(self._conversation.forget())
            self._start, self._is_new = game.start, False
            lines = self._conversation.search(game, limit, mode)
            search = self._search = AsyncHubAnalysis(self, game.position, limit, mode)
            self._set_end(search)
            self._connection.keep(self._watch(search))
            await self._connection.say(lines)
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
            await self._connection.say(self._conversation.set_option(name, text))
        await self._connection.wait_for(Started, self._conversation.start(), self._patience.init, "was not ready")
        self._variant = texts.get(VARIANT, self._variant)

    def _written(self, name: str, value: Any) -> str:
        """The text of a value that an option can have."""
        option = self.options.get(name)
        if name == VARIANT:
            knows = option is not None and (option.type is not OptionType.ENUM or value in option.values)
            if not knows:
                raise TablemenError(f"{self.name} does not play {value}")
        if option is not None:
            return option.write(value)
        if self._conversation.first:  # where options are not declared
            return str(value)
        near = difflib.get_close_matches(name, self.options, n=2)
        known = f"did you mean {' or '.join(near)}?" if near else f"it has {', '.join(self.options) or 'none'}"
        raise TablemenError(f"{self.name} has no option {name!r}; {known}")

    def stop_search(self, search: AsyncHubAnalysis) -> None:
        """End this search soon, if it is still going on."""
        if not search.is_over and not search.is_stopped and self._conversation.state is State.SEARCHING:
            search.is_stopped = True
            search.nudged.set()
            self._connection.say_soon(self._conversation.stop())

    def hit_search(self, search: AsyncHubAnalysis) -> None:
        """The expected move was played."""
        if not search.is_over and search.mode is Mode.PONDER:
            search.mode = Mode.THINK
            self._set_end(search)
            search.nudged.set()
            self._connection.say_soon(self._conversation.hit())

    def check_alive(self, search: AsyncHubAnalysis) -> None:
        """Raises `PeerError` where the search ended because the program did."""
        if search.finished is None:
            self._connection.check()

    def _set_end(self, search: AsyncHubAnalysis) -> None:
        """Says how long a search may go on from now; an analysis, and one in the opponent's time, for ever."""
        now = asyncio.get_running_loop().time()
        if search.allowed is not None:
            search.ends = now + search.allowed + self._patience.grace
        elif search.mode is Mode.THINK:
            search.ends = now + self._patience.thinking

    async def _watch(self, search: AsyncHubAnalysis) -> None:
        """Sees to it that a search comes to its end."""
        patience, connection, now = self._patience, self._connection, asyncio.get_running_loop().time
        while not (search.is_over or search.is_stopped or connection.is_ending()):
            search.nudged.clear()
            if now() >= search.ends:
                self.stop_search(search)
                break
            if search.allowed is not None:
                await search.lasts_until(search.ends)
            elif await search.lasts_until(min(search.alive + patience.quiet, search.ends)):
                if connection.is_ending() or search.alive + patience.quiet > now():
                    continue
                pinged, ends = now(), min(now() + patience.pong, search.ends)
                connection.say_soon(self._conversation.ping())
                if await search.lasts_until(ends) and search.alive < pinged and ends < search.ends:
                    connection.fail(PeerTimeoutError(connection.peer, "did not answer a ping", patience.pong))
        ends = now() + patience.stopping
        while not (search.is_over or connection.is_ending()):
            search.nudged.clear()
            if await search.lasts_until(ends):
                problem = "was told to stop its search, and did not"
                connection.fail(PeerTimeoutError(connection.peer, problem, patience.stopping))

    def _take(self, event: Event) -> None:
        """What the program said of its search."""
        search = self._search
        if isinstance(event, Informed) and search is not None:
            search.inform(event.told)
        elif isinstance(event, Finished) and search is not None:
            search.finish(event)
        elif isinstance(event, Ponged) and search is not None:
            search.live()
            search.nudged.set()

    def _leave(self) -> None:
        """The program is gone."""
        if self._search is not None and not self._search.is_over:
            self._search.finish(None)
