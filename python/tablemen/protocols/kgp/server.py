"""Our server of the Kalah Game Protocol: it accepts clients, pairs them, and tests them with problems."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

from tablemen.errors import PeerError, TablemenError
from tablemen.game import Game
from tablemen.mancala import VARIANTS, MancalaRules, Move, Position
from tablemen.outcome import Outcome, Side
from tablemen.protocols.kgp.engine import DEFAULT_TIMEOUTS, KgpConnection, KgpTimeouts
from tablemen.protocols.kgp.messages import FRAMING, accepted_solutions, make_problem, solve_problem
from tablemen.protocols.kgp.protocol import FREEPLAY
from tablemen.protocols.kgp.tournament import (
    ClientParticipant,
    LocalParticipant,
    Pairings,
    Participant,
    TournamentResults,
    ViolationPolicy,
    play_game,
)
from tablemen.protocols.transport import Listener, Transport
from tablemen.protocols.transport.tcp import Address, listen
from tablemen.protocols.transport.websocket import WebSocketListener, listen_websocket

if TYPE_CHECKING:
    from tablemen.players import Player

PROBLEM_TIMEOUT = 20.0  # seconds
INTERNAL_ERROR = "internal server error"


@dataclass(frozen=True, slots=True)
class ClientJoined:
    """A client has connected and chosen its mode."""

    name: str
    mode: str
    peer: str


@dataclass(frozen=True, slots=True)
class ClientParted:
    """A client has disconnected, or was disconnected."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class GameEnded:
    """A game is over; `note` explains an ending not defined by the rules, such as a forfeit."""

    number: int
    game: Game[Position, Move]
    names: Mapping[Side, str]
    outcome: Outcome
    note: str


@dataclass(frozen=True, slots=True)
class ClientVerified:
    """A client has answered all problems."""

    name: str
    solved: int
    asked: int


TournamentEvent: TypeAlias = "ClientJoined | ClientParted | GameEnded | ClientVerified"


@dataclass(frozen=True, slots=True, kw_only=True)
class KgpServerSettings:
    """The games and limits of a server."""

    boards: tuple[MancalaRules, ...] = (VARIANTS["kgp"],)  # variants that every pair plays from both sides
    seconds: float = 5.0  # time for a move
    rounds: int | None = None  # meetings of each pair; None for no limit
    clients: int = 2  # number of clients that must have connected before a server with rounds ends
    play_forced: bool = False
    on_silence: ViolationPolicy = ViolationPolicy.RANDOM  # as the specification requires
    on_illegal: ViolationPolicy = ViolationPolicy.LOSE
    problems: int = 100  # for each client in mode `verify`
    connections: int = 64
    per_address: int = 16
    seed: int = 0
    pause: float = 0.5  # seconds after a game lost by a violation, so that a client cannot fill the record with them
    timeouts: KgpTimeouts = DEFAULT_TIMEOUTS


@dataclass(slots=True)
class KgpServer:
    """A tournament server. `run` ends after the last round, or when it is cancelled.

    `players` maps names to factories of local players. `on_event` is called with every event.
    """

    settings: KgpServerSettings = field(default_factory=KgpServerSettings)
    players: Mapping[str, Callable[[], Player]] = field(default_factory=dict)
    on_event: Callable[[TournamentEvent], object] = lambda _: None
    results: TournamentResults = field(default_factory=TournamentResults)
    listeners: list[Listener | WebSocketListener] = field(default_factory=list)
    _clients: dict[str, KgpConnection] = field(default_factory=dict)  # clients in freeplay, by key
    _playing: set[str] = field(default_factory=set)  # keys of clients in a meeting
    _local: dict[str, Callable[[], Player]] = field(default_factory=dict)  # local players, by key
    _hosts: Counter[str] = field(default_factory=Counter)  # connections by remote host
    _seen: set[str] = field(default_factory=set)  # keys of all clients that played or were verified
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _failure: Exception | None = None
    _games: int = 0
    _verifying: Counter[str] = field(default_factory=Counter)  # keys of clients that solve problems
    _meetings: int = 0

    async def listen(self, address: Address, *, websocket: Address | None = None) -> None:
        """Listen for TCP and WebSocket connections. Raises `OSError` if either fails, and then listens for none."""
        self.listeners.append(await listen(address, FRAMING))
        if websocket is not None:
            try:
                self.listeners.append(await listen_websocket(websocket, FRAMING))
            except BaseException:
                await self.listeners.pop().close()
                raise

    async def run(self) -> None:
        """Run the tournament, and disconnect all clients at its end."""
        for name, make_player in self.players.items():
            self._local[self.results.enter(name, present=self._local)] = make_player
        pairings = Pairings(tuple(self._local), self.settings.rounds)
        try:
            for listener in self.listeners:
                self._start(self._accept(listener))
            while not self._is_over(pairings):
                self._changed.clear()
                pair = pairings.pair(key for key in self._clients if key not in self._playing)
                if pair is None:
                    await self._changed.wait()
                else:
                    self._start_meeting(pair)
        finally:
            await self._close()

    def _is_over(self, pairings: Pairings) -> bool:
        """Return whether all rounds are played. Raises the error of a failed task."""
        if self._failure is not None:
            raise self._failure
        if self.settings.rounds is None or len(self._seen) < self.settings.clients or self._verifying or self._meetings:
            return False
        return pairings.is_over(self._clients)

    async def _close(self) -> None:
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for listener in self.listeners:
            await listener.close()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(self._guard(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guard(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine, and end the server if it raises."""
        try:
            await work
        except Exception as error:  # noqa: BLE001 - raised by `run`
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        self._failure = self._failure or error
        self._changed.set()

    def _report(self, event: TournamentEvent) -> None:
        """Call `on_event`, and end the server if that raises."""
        try:
            self.on_event(event)
        except Exception as error:  # noqa: BLE001 - raised by `run`
            self._fail(error)

    async def _accept(self, listener: Listener | WebSocketListener) -> None:
        while True:
            transport = await listener.accept()
            host = transport.peer.rpartition(":")[0]
            if self._hosts.total() >= self.settings.connections or self._hosts[host] >= self.settings.per_address:
                self._start(_refuse(transport))
                continue
            self._hosts[host] += 1
            self._start(self._serve(transport, host))

    async def _serve(self, transport: Transport, host: str) -> None:
        """Serve a client until it disconnects."""
        connection = KgpConnection(transport, timeouts=self.settings.timeouts)
        name, key, problem = transport.peer, "", ""
        try:
            mode = await connection.start(seconds=self.settings.seconds)
            present = {*self._clients, *self._local, *self._playing, *self._verifying}
            key = self.results.enter(connection.name, token=connection.protocol.info.token, present=present)
            name = self.results.rows[key].name
            self._report(ClientJoined(name, mode, connection.peer))
            if mode == FREEPLAY:
                await self._keep(key, connection)
            else:
                await self._verify(key, connection)
        except TablemenError as error:
            problem = error.problem if isinstance(error, PeerError) else str(error)
            self._report(ClientParted(name, problem))
        except Exception as error:  # noqa: BLE001 - an error with one client must not affect the others
            problem = INTERNAL_ERROR
            self._report(ClientParted(name, f"{INTERNAL_ERROR}: {error!r}"))
        finally:
            self._hosts[host] -= 1
            self._hosts += Counter()  # remove hosts without connections
            await connection.close(problem)
            self._drop_idle(key)
            self._changed.set()

    async def _keep(self, key: str, connection: KgpConnection) -> None:
        """Keep a client available for games until it disconnects, and raise the reason."""
        other = self._clients.get(key)
        self._clients[key] = connection
        self._changed.set()
        try:
            if other is not None:
                await other.close("another client has connected with this token")
            raise await connection.wait_closed()
        finally:
            if self._clients.get(key) is connection:
                del self._clients[key]

    def _add_seen(self, *keys: str) -> None:
        """Remember clients until the required number has been seen."""
        if len(self._seen) < self.settings.clients:
            self._seen.update(keys)

    def _drop_idle(self, key: str) -> None:
        """Delete the row of a disconnected client without games and problems."""
        if not any(key in each for each in (self._clients, self._playing, self._verifying, self._local)):
            self.results.drop_idle(key)

    async def _verify(self, key: str, connection: KgpConnection) -> None:
        """Send all problems to a client. Raises `PeerError`."""
        random = Random(f"{self.settings.seed} problems")
        offsets = {0, 1}  # 0: the client counts houses from 1, as we do; 1: from 0
        self._verifying[key] += 1
        self._add_seen(key)
        try:
            for _ in range(self.settings.problems):
                board, house = make_problem(random)
                answer = await connection.solve(board, house, PROBLEM_TIMEOUT)
                fits = {offset for offset in offsets if answer.solution in accepted_solutions(board, house + offset)}
                offsets = fits or offsets
                self.results.add_problem(key, is_solved=bool(fits))
                right = solve_problem(board, house)
                assert right is not None
                error = None if fits else f"Expected {right.board} {int(right.repeats)}"
                await connection.send_verdict(answer.answer_id, error)
            row = self.results.rows[key]
            self._report(ClientVerified(row.name, row.solved, row.asked))
        finally:
            self._verifying -= Counter([key])

    def _start_meeting(self, pair: tuple[str, str]) -> None:
        """Start the games of a pair: all boards from both sides."""
        clients = {key: self._clients[key] for key in pair if key in self._clients}
        self._playing.update(clients)
        self._add_seen(*clients)
        self._meetings += 1
        self._start(self._play_meeting(pair, clients))

    async def _play_meeting(self, pair: tuple[str, str], clients: dict[str, KgpConnection]) -> None:
        try:
            for rules in self.settings.boards:
                for south, north in (pair, pair[::-1]):
                    if any(connection.is_closed for connection in clients.values()):
                        return
                    if await self._play_game({Side.WHITE: south, Side.BLACK: north}, clients, rules):
                        await asyncio.sleep(self.settings.pause)
        except Exception as error:  # noqa: BLE001 - an error with one pair must not affect the others
            for connection in clients.values():
                self._report(ClientParted(connection.name or connection.peer, f"{INTERNAL_ERROR}: {error!r}"))
                await connection.close(INTERNAL_ERROR)
        finally:
            self._meetings -= 1
            self._playing.difference_update(clients)
            for key in clients:
                self._drop_idle(key)
            self._changed.set()

    async def _play_game(self, keys: dict[Side, str], clients: dict[str, KgpConnection], rules: MancalaRules) -> str:
        """Play a game. Return the note about an ending not defined by the rules."""
        self._games += 1
        number = self._games
        participants = {side: self._make_participant(key, clients.get(key), number) for side, key in keys.items()}
        game: Game[Position, Move] = Game(Position.start(rules))
        outcome, note = await play_game(game, participants, title=str(number), play_forced=self.settings.play_forced)
        winner = Side.WHITE if outcome.winner is None else outcome.winner
        self.results.add_game(keys[winner], keys[winner.opponent], is_draw=outcome.winner is None)
        self._report(GameEnded(number, game, {side: each.name for side, each in participants.items()}, outcome, note))
        return note

    def _make_participant(self, key: str, connection: KgpConnection | None, number: int) -> Participant:
        name, settings = self.results.rows[key].name, self.settings
        if connection is None:
            return LocalParticipant(name, self._local[key](), settings.seconds)
        random = Random(f"{settings.seed} game {number} {name}")
        return ClientParticipant(name, connection, settings.seconds, random, settings.on_silence, settings.on_illegal)


async def _refuse(transport: Transport) -> None:
    """Disconnect a client because there are too many connections."""
    with contextlib.suppress(PeerError):
        await transport.send(b'error "too many connections"')
        await transport.send(b"goodbye")
    await transport.close()
