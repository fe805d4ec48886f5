"""A server of the Kalah Game Protocol: clients come, and play each other or players of the server's own."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any

from tablemen.errors import PeerError, TablemenError
from tablemen.game import Game
from tablemen.mancala import VARIANTS, MancalaRules, Move, Position
from tablemen.outcome import Side
from tablemen.protocols.kgp.client_conversation import FREEPLAY
from tablemen.protocols.kgp.connection import ANSWER, HANDSHAKE, SILENCE, GuestConnection
from tablemen.protocols.kgp.problem import accepted_solutions, make_problem, solve_problem
from tablemen.protocols.kgp.server.event import Event, GameEnded, Joined, Parted, Verified
from tablemen.protocols.kgp.server.fixtures import Fixtures
from tablemen.protocols.kgp.server.results import Results
from tablemen.protocols.kgp.server.seats import GuestSeat, PlayerSeat, Seat, Treatment, play_game
from tablemen.protocols.transport import Listener, Transport
from tablemen.protocols.transport.framing import KGP
from tablemen.protocols.transport.tcp import Address, listen
from tablemen.protocols.transport.websocket import WebSocketListener, listen_websocket

if TYPE_CHECKING:
    from tablemen.players import Player

SOLVING = 20.0  # seconds for a problem
FAULT = "the server has made a mistake"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a server plays, and whom it lets in."""

    boards: tuple[MancalaRules, ...] = (VARIANTS["kgp"],)  # every pair plays each of them from both sides
    seconds: float = 5.0  # for a move
    rounds: int | None = None  # how often a pair meets; without, until the server is stopped
    clients: int = 2  # that must have come before a server with rounds ends
    play_forced: bool = False
    on_silence: Treatment = Treatment.RANDOM  # as the specification wants
    on_illegal: Treatment = Treatment.LOSE
    problems: int = 100  # for each client that wants to be verified
    connections: int = 64
    per_address: int = 16
    seed: int = 0
    pause: float = 0.5  # seconds after a game that somebody lost by a fault: nobody fills a file with them in no time
    handshake: float = HANDSHAKE
    silence: float = SILENCE
    answer: float = ANSWER


@dataclass(slots=True)
class Server:
    """Lets clients in, pairs them, and counts; `run` goes on until all is played, or it is cancelled.

    `players` are those of its own by name, each with what makes one. `tell` hears what happens.
    """

    settings: Settings = field(default_factory=Settings)
    players: Mapping[str, Callable[[], Player]] = field(default_factory=dict)
    tell: Callable[[Event], object] = lambda _: None
    results: Results = field(default_factory=Results)
    listeners: list[Listener | WebSocketListener] = field(default_factory=list)
    _guests: dict[str, GuestConnection] = field(default_factory=dict)  # who plays or waits, by key
    _playing: set[str] = field(default_factory=set)  # keys, also of those who have gone while their game is counted
    _house: dict[str, Callable[[], Player]] = field(default_factory=dict)  # by key
    _hosts: Counter[str] = field(default_factory=Counter)  # connections by where they come from
    _come: set[str] = field(default_factory=set)  # the keys of all who ever played, or were verified
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _failure: Exception | None = None
    _games: int = 0
    _verifying: Counter[str] = field(default_factory=Counter)  # keys
    _meetings: int = 0

    async def listen(self, address: Address, *, websocket: Address | None = None) -> None:
        """Begins to listen. Raises `OSError` where that cannot be done; it listens nowhere then."""
        self.listeners.append(await listen(address, KGP))
        if websocket is not None:
            try:
                self.listeners.append(await listen_websocket(websocket, KGP))
            except BaseException:
                await self.listeners.pop().close()
                raise

    async def run(self) -> None:
        """Plays with all who come; at the end everybody is told goodbye."""
        for name, make in self.players.items():
            self._house[self.results.enter(name, present=self._house)] = make
        fixtures = Fixtures(tuple(self._house), self.settings.rounds)
        try:
            for listener in self.listeners:
                self._start(self._accept(listener))
            while not self._is_over(fixtures):
                self._changed.clear()
                pair = fixtures.pair(key for key in self._guests if key not in self._playing)
                if pair is None:
                    await self._changed.wait()
                else:
                    self._meet(pair)
        finally:
            await self._close()

    def _is_over(self, fixtures: Fixtures) -> bool:
        """Whether all has been played that is to be. Raises what has gone wrong with us."""
        if self._failure is not None:
            raise self._failure
        if self.settings.rounds is None or len(self._come) < self.settings.clients or self._verifying or self._meetings:
            return False
        return fixtures.is_over(self._guests)

    async def _close(self) -> None:
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for listener in self.listeners:
            await listener.close()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(self._watch(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _watch(self, work: Coroutine[Any, Any, None]) -> None:
        """What goes wrong with us, and not with a client, ends the server."""
        try:
            await work
        except Exception as error:  # noqa: BLE001 - raised where the server runs
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        self._failure = self._failure or error
        self._changed.set()

    def _report(self, event: Event) -> None:
        """Tells what has happened; where nobody can hear of it, the server ends."""
        try:
            self.tell(event)
        except Exception as error:  # noqa: BLE001 - raised where the server runs
            self._fail(error)

    async def _accept(self, listener: Listener | WebSocketListener) -> None:
        while True:
            transport = await listener.accept()
            host = transport.peer.rpartition(":")[0]
            if self._hosts.total() >= self.settings.connections or self._hosts[host] >= self.settings.per_address:
                self._start(_refuse(transport))
                continue
            self._hosts[host] += 1
            self._start(self._receive(transport, host))

    async def _receive(self, transport: Transport, host: str) -> None:
        """A client from its first word to its last."""
        guest = GuestConnection(transport, silence=self.settings.silence, answer=self.settings.answer)
        name, key, farewell = transport.peer, "", ""
        try:
            mode = await guest.begin(seconds=self.settings.seconds, patience=self.settings.handshake)
            present = {*self._guests, *self._house, *self._playing, *self._verifying}
            key = self.results.enter(guest.name, token=guest.conversation.about.token, present=present)
            name = self.results.name_of(key)
            self._report(Joined(name, mode, guest.peer))
            if mode == FREEPLAY:
                await self._stay(key, guest)
            else:
                await self._verify(key, guest)
        except TablemenError as error:
            farewell = error.problem if isinstance(error, PeerError) else str(error)
            self._report(Parted(name, farewell))
        except Exception as error:  # noqa: BLE001 - what goes wrong with one client is no end for the others
            farewell = FAULT
            self._report(Parted(name, f"{FAULT}: {error!r}"))
        finally:
            self._hosts[host] -= 1
            self._hosts += Counter()  # forgets places that nobody is connected from
            await guest.close(farewell)
            self._forget(key)
            self._changed.set()

    async def _stay(self, key: str, guest: GuestConnection) -> None:
        """Lets a client play until it goes. Raises why it went."""
        other = self._guests.get(key)
        self._guests[key] = guest
        self._changed.set()
        try:
            if other is not None:
                await other.close("the same token has come again")
            raise await guest.wait_gone()
        finally:
            if self._guests.get(key) is guest:
                del self._guests[key]

    def _arrive(self, *keys: str) -> None:
        """Counts those who have come, as far as anybody asks how many."""
        if len(self._come) < self.settings.clients:
            self._come.update(keys)

    def _forget(self, key: str) -> None:
        """Drops the row of somebody who has gone and has done nothing."""
        if not any(key in each for each in (self._guests, self._playing, self._verifying, self._house)):
            self.results.forget_idle(key)

    async def _verify(self, key: str, guest: GuestConnection) -> None:
        """Asks a client all problems. Raises `PeerError`."""
        random = Random(f"{self.settings.seed} problems")
        shifts = {0, 1}  # how many houses further the client reads a number: 1 where it counts from 0
        self._verifying[key] += 1
        self._arrive(key)
        try:
            for _ in range(self.settings.problems):
                board, house = make_problem(random)
                solved = await guest.solve(board, house, SOLVING)
                fits = {shift for shift in shifts if solved.solution in accepted_solutions(board, house + shift)}
                shifts = fits or shifts
                self.results.add_problem(key, is_solved=bool(fits))
                right = solve_problem(board, house)
                assert right is not None
                await guest.judge(solved.answer_id, None if fits else f"Expected {right.board} {int(right.repeats)}")
            row = self.results.rows[key]
            self._report(Verified(row.name, row.solved, row.asked))
        finally:
            self._verifying -= Counter([key])

    def _meet(self, pair: tuple[str, str]) -> None:
        """Lets two play all boards from both sides."""
        guests = {key: self._guests[key] for key in pair if key in self._guests}
        self._playing.update(guests)
        self._arrive(*guests)
        self._meetings += 1
        self._start(self._play_all(pair, guests))

    async def _play_all(self, pair: tuple[str, str], guests: dict[str, GuestConnection]) -> None:
        try:
            for rules in self.settings.boards:
                for south, north in (pair, pair[::-1]):
                    if any(guest.is_gone for guest in guests.values()):
                        return
                    if await self._play({Side.WHITE: south, Side.BLACK: north}, guests, rules):
                        await asyncio.sleep(self.settings.pause)
        except Exception as error:  # noqa: BLE001 - what goes wrong with one pair is no end for the others
            for guest in guests.values():
                self._report(Parted(guest.name or guest.peer, f"{FAULT}: {error!r}"))
                await guest.close(FAULT)
        finally:
            self._meetings -= 1
            self._playing.difference_update(guests)
            for key in guests:
                self._forget(key)
            self._changed.set()

    async def _play(self, keys: dict[Side, str], guests: dict[str, GuestConnection], rules: MancalaRules) -> str:
        """Plays a game, and gives what there is to say of an end that the rules do not know."""
        self._games += 1
        number = self._games
        seats = {side: self._seat(key, guests.get(key), number) for side, key in keys.items()}
        game: Game[Position, Move] = Game(Position.start(rules))
        outcome, note = await play_game(game, seats, title=str(number), play_forced=self.settings.play_forced)
        winner = Side.WHITE if outcome.winner is None else outcome.winner
        self.results.add_game(keys[winner], keys[winner.opponent], is_draw=outcome.winner is None)
        self._report(GameEnded(number, game, {side: seat.name for side, seat in seats.items()}, outcome, note))
        return note

    def _seat(self, key: str, guest: GuestConnection | None, number: int) -> Seat:
        name, settings = self.results.name_of(key), self.settings
        if guest is None:
            return PlayerSeat(name, self._house[key](), settings.seconds)
        random = Random(f"{settings.seed} game {number} {name}")
        return GuestSeat(name, guest, settings.seconds, random, settings.on_silence, settings.on_illegal)


async def _refuse(transport: Transport) -> None:
    """Sends somebody away for whom there is no room."""
    with contextlib.suppress(PeerError):
        await transport.send(b'error "there is no room"')
        await transport.send(b"goodbye")
    await transport.close()
