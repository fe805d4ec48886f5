"""Our DXP host: one of our players plays games over connections."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from tablemen.clock import GameClock, TimeControl
from tablemen.console import escape_controls, format_error
from tablemen.draughts import DraughtsRules, Move, Position
from tablemen.errors import PeerError, PeerGoneError, PeerTimeoutError, ProtocolError, TablemenError
from tablemen.family import ScoreSheet, get_family
from tablemen.game import Game
from tablemen.outcome import Outcome, Side, Termination
from tablemen.protocols.dxp.engine import DEFAULT_MINUTES, END_CLAIMS, DxpConnection, DxpTimeouts
from tablemen.protocols.dxp.messages import (
    MAX_MOVES,
    AcceptCode,
    EndReason,
    GameSettings,
    TakebackCode,
    UnsupportedRequest,
)
from tablemen.protocols.dxp.protocol import (
    ChatReceived,
    DxpEvent,
    EndReceived,
    GameRequested,
    OpponentMoved,
    Phase,
    TakebackRequested,
)
from tablemen.protocols.transport import Transport
from tablemen.protocols.transport.stream import time_limit
from tablemen.search import Clock
from tablemen.threads import run_in_daemon_thread, stop_until_done

if TYPE_CHECKING:
    from tablemen.players import Player

IDLE_TIMEOUT = 600.0  # seconds without a game request after a game; then the connection is closed
GAME_INTERVAL = 0.1  # seconds between games of a connection, so that a peer cannot flood the log or the disk
MAX_FAILED_REQUESTS = 20  # requests of a connection that are declined or lead to a game without moves
MAX_TAKEBACKS = 100  # accepted in each game: every one restores the clocks, so a game could last forever
MAX_NOTICES = 100  # chats and takebacks that are reported in each game, and before each game
MOVE_TIMEOUT = 600.0  # seconds for a move without a clock: the opponent may be a person, but others may wait
STOP_TIMEOUT = 30.0  # seconds for our player to stop; most stop at once

DISPUTES = {EndReason.DRAWN: ", but it is not drawn", EndReason.WON: ", but it is not won"}


def _ignore(_: object) -> None:
    pass


@dataclass(frozen=True, kw_only=True)
class DxpHost:
    """The host of games between one of our players and the peers of connections.

    Several connections may be open at the same time, but the player plays one game at a time: the others wait for the
    end of the game, in the order of their requests.

    `settings` has our name, and the time and length of games that we request. The player resigns by returning
    `resignation`. `report` is called with a line of text for each event, `on_game` with each game, even an aborted one.
    """

    player: Player
    rules: DraughtsRules
    settings: GameSettings = field(default_factory=GameSettings)
    takebacks: bool = True
    resignation: object = None
    timeouts: DxpTimeouts = field(default_factory=DxpTimeouts)
    report: Callable[[str], object] = _ignore
    on_game: Callable[[ScoreSheet], object] = _ignore
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock, init=False, repr=False, compare=False)

    async def follow(self, transport: Transport, *, games: int | None = None) -> int:
        """Play the games that the peer requests, at most `games`, until it disconnects; return their number.

        Closes the connection. Raises `PeerError` if the peer violates the protocol.
        """
        connection = DxpConnection(transport, self.rules, name=self.settings.name, timeouts=self.timeouts)
        played = failed = 0
        try:
            while not connection.protocol.is_finished:
                timeout = IDLE_TIMEOUT if played else self.timeouts.request
                declined = await self._await_request(connection, MAX_FAILED_REQUESTS - failed, timeout)
                if declined is None:
                    break
                failed += declined
                if played:
                    await asyncio.sleep(GAME_INTERVAL)
                async with self._turn:
                    await connection.send(connection.protocol.accept())
                    played += 1
                    await self._play(connection, played, is_last=played == games)
                failed += not connection.protocol.game.moves
        finally:
            await connection.close()
        return played

    async def lead(self, transport: Transport, *, games: int, first: Side = Side.WHITE) -> int:
        """Request games, in which we play alternate sides, starting with `first`; return the number of games.

        Closes the connection. Raises `PeerError` if the peer violates the protocol or declines a game.
        """
        connection = DxpConnection(transport, self.rules, name=self.settings.name, timeouts=self.timeouts)
        start = Position.start(self.rules)
        played = 0
        try:
            while played < games and not connection.protocol.is_finished:
                side = first if played % 2 == 0 else first.opponent
                minutes = self.settings.minutes or DEFAULT_MINUTES
                async with self._turn:
                    await connection.request_game(start, side.opponent, minutes=minutes, moves=self.settings.moves)
                    played += 1
                    await self._play(connection, played, is_last=played == games)
        finally:
            await connection.close()
        return played

    async def _await_request(self, connection: DxpConnection, allowed: int, timeout: float) -> int | None:
        """Wait for a request that we can accept; return how many we declined, or None if the peer has disconnected.

        Raises `ProtocolError` if we had to decline more than `allowed` requests, and `PeerTimeoutError`.
        """
        chats = declined = 0
        protocol = connection.protocol
        try:
            async with time_limit(timeout, connection.peer, "did not request a game"):
                while True:
                    event = await connection.receive()
                    if isinstance(event, ChatReceived) and (chats := chats + 1) <= MAX_NOTICES:
                        self.report(f"{protocol.peer_name or connection.peer}: {escape_controls(event.text)}")
                    if not isinstance(event, GameRequested):
                        continue
                    if declined >= allowed:
                        await connection.send(protocol.decline(AcceptCode.NO_GAMES))
                        raise ProtocolError(connection.peer, f"requested {MAX_FAILED_REQUESTS} games without playing")
                    if event.position is not None:
                        return declined
                    is_unsupported = isinstance(event.request, UnsupportedRequest)
                    code = AcceptCode.WRONG_VERSION if is_unsupported else AcceptCode.NOT_THIS_GAME
                    await connection.send(protocol.decline(code))
                    declined += 1
                    self.report(f"declined a request of {connection.peer}: {escape_controls(event.problem)}")
        except PeerGoneError:
            return None

    async def _play(self, connection: DxpConnection, number: int, *, is_last: bool) -> None:
        side, opponent = connection.protocol.side, connection.protocol.peer_name or connection.peer
        assert side is not None
        self.report(f"game {number}: {side} against {opponent}")
        played = DxpGame(self, connection, side, is_last=is_last)
        try:
            await played.play()
        finally:
            if played.outcome is None and not played.note:
                played.note = "broken off"
            sheet = ScoreSheet(
                game=played.game.copy(),
                players={side: self.settings.name, side.opponent: opponent},
                outcome=played.outcome,
                round=number,
                note=played.note,
            )
            self.player.end_game(sheet.game, sheet.outcome)
            self.report(f"game {number}: {_describe(sheet)}")
            self.on_game(sheet)


def _describe(sheet: ScoreSheet) -> str:
    """Describe the result of a game in a few words."""
    result = "no result"
    if sheet.outcome is not None:
        result = get_family(sheet.game.start).describe_outcome(sheet.outcome, sheet.game.position)
    return f"{result} ({sheet.note})" if sheet.note else result


class DxpGame:
    """The current game of a connection: the host's player has `side`, and the peer the other side."""

    def __init__(self, host: DxpHost, connection: DxpConnection, side: Side, *, is_last: bool) -> None:
        request = connection.protocol.request
        assert request is not None
        self._host = host
        self._connection = connection
        self._protocol = connection.protocol
        self._side = side
        self._is_last = is_last
        self._max_plies = 2 * (request.moves or MAX_MOVES)  # some variants have no draw rules
        self._clock = GameClock(TimeControl(60 * request.minutes) if request.minutes else None)
        self._clocks: list[GameClock] = []  # copies of the clock before each move, for takebacks
        self._notices = 0
        self._takebacks = 0
        self._end: EndReceived | None = None
        self.outcome: Outcome | None = None
        self.note = ""  # explains an ending that the rules do not define

    @property
    def game(self) -> Game[Position, Move]:
        """The game so far."""
        return self._protocol.game

    async def play(self) -> None:
        """Play the game to its end, and set `outcome`, which is None if the result is unknown, and `note`.

        Raises `PeerError` if the connection fails, and `TablemenError` if our player does not stop.
        """
        self._clock.run(self.game.position.turn)
        self._save_clock()
        try:
            while self._protocol.phase is Phase.PLAYING:
                self.outcome = self._find_outcome()
                if self.outcome is not None:
                    await self._finish(self.outcome)
                elif self._protocol.is_our_turn:
                    await self._move()
                else:
                    await self._await_move()
            if self._protocol.phase is Phase.ENDED:
                await self._confirm_end()
        except PeerError as error:
            if self.outcome is None:
                self.outcome, self.note = Outcome(self._side, Termination.FORFEIT), escape_controls(str(error))
            raise

    def _find_outcome(self) -> Outcome | None:
        """Return the outcome by the rules or, on our turn, by a claim or by the requested length of the game."""
        game = self.game
        if outcome := game.outcome():
            return outcome
        if not self._protocol.is_our_turn:
            return None
        if game.claims():
            return game.claims()[0].outcome(game.position)
        if len(game.moves) >= self._max_plies:
            self.note = f"ended after {len(game.moves)} moves"
            return Outcome(None, Termination.ADJUDICATION)
        return None

    async def _finish(self, outcome: Outcome) -> None:
        await self._connection.finish(EndReason.of(outcome, self._side), is_last=self._is_last)

    async def _confirm_end(self) -> None:
        """Confirm the end that the peer has sent; its reason counts only if it resigns or the rules support it."""
        assert self._end is not None
        game, reason = self.game, self._end.reason
        if outcome := game.outcome():
            self.outcome = outcome
        elif reason is EndReason.LOST:
            self.outcome = Outcome(self._side, Termination.RESIGNATION)
        elif reason is EndReason.DRAWN and game.claims():
            self.outcome = game.claims()[0].outcome(game.position)
        elif len(game.moves) >= self._max_plies:
            self.outcome = Outcome(None, Termination.ADJUDICATION)
            self.note = f"ended after {len(game.moves)} moves"
        elif reason is not EndReason.DRAWN and self._has_flagged(self._side):
            self.outcome = Outcome(self._side.opponent, Termination.TIME)
        else:
            self.outcome = None
            self.note = f"the opponent {END_CLAIMS[reason]}{DISPUTES.get(reason, '')}"
        await self._connection.send(self._protocol.confirm(is_last=self._is_last))

    async def _move(self) -> None:
        """Let our player choose while we handle messages, and play its move unless the game has changed."""
        player, left = self._host.player, self._clock.left(self._side)
        player.clock = None if left is None else Clock(max(0.0, left))
        used = self._clock.used(self._side)
        search: asyncio.Future[Any] = run_in_daemon_thread(partial(player.choose, self.game.copy()))
        try:
            if await self._receive_during(search):
                return
        finally:
            if not search.done():
                await self._stop(search)
        try:
            choice, problem = search.result(), ""
            if choice is not self._host.resignation and choice not in self.game.legal_moves():
                problem = f"chose the illegal move {choice!r}"
        except Exception as error:  # noqa: BLE001 - the peer must get an answer after any error of the player
            choice, problem = None, format_error(error)
        if problem:
            await self._lose(Termination.FORFEIT, f"our player failed: {escape_controls(problem)}")
        elif choice is self._host.resignation:
            await self._lose(Termination.RESIGNATION)
        else:
            await self._send_move(choice, self._clock.used(self._side) - used)

    async def _receive_during(self, search: asyncio.Future[Any]) -> bool:
        """Handle messages until the search is done; return whether one of them made the search obsolete."""
        receiving = asyncio.create_task(self._connection.receive())
        try:
            while not search.done() or receiving.done():
                left = self._clock.left(self._side)
                timeout = None if left is None else max(0.0, left)
                both: set[asyncio.Future[Any]] = {search, receiving}
                done, _ = await asyncio.wait(both, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
                if receiving in done:
                    if await self._handle(receiving.result(), search):
                        return True
                    receiving = asyncio.create_task(self._connection.receive())
                elif not done:  # our time is over: play the best move so far
                    await self._stop(search)
            return False
        finally:
            receiving.cancel()
            await asyncio.gather(receiving, return_exceptions=True)

    async def _stop(self, search: asyncio.Future[Any]) -> None:
        """Wait until our player has stopped. Raises `TablemenError` if it does not."""
        player = self._host.player
        if not await stop_until_done(search, player.stop, STOP_TIMEOUT):
            search.cancel()
            raise TablemenError(f"{player.name} did not stop within {STOP_TIMEOUT:g} s")
        search.exception()  # mark the error as retrieved

    async def _send_move(self, move: Move, seconds: float) -> None:
        try:
            message = self._protocol.play(move, seconds)
        except TablemenError as error:  # the move is ambiguous in DXP
            await self._lose(Termination.FORFEIT, f"our move cannot be sent: {error}")
            return
        await self._connection.send(message)
        self._press_clock()

    async def _lose(self, termination: Termination, note: str = "") -> None:
        self.outcome, self.note = Outcome(self._side.opponent, termination), note
        await self._finish(self.outcome)

    async def _await_move(self) -> None:
        """Handle messages until the peer has moved or the game has changed in another way."""
        left = self._clock.left(self._side.opponent)
        timeout = self._host.timeouts.move
        if timeout is None:
            timeout = MOVE_TIMEOUT if left is None else max(0.0, left) + self._host.timeouts.grace
        try:
            async with asyncio.timeout(timeout):
                while not await self._handle(await self._connection.receive(), None):
                    pass
        except TimeoutError as error:
            if left is None:
                raise PeerTimeoutError(self._connection.peer, "did not move", timeout) from error
            self.outcome = Outcome(self._side, Termination.TIME)
            await self._connection.send(self._protocol.end(EndReason.WON, is_last=self._is_last, overdue=True))
            await self._finish(self.outcome)

    async def _handle(self, event: DxpEvent, search: asyncio.Future[Any] | None) -> bool:
        """Handle an event, possibly during a search of our player; return whether the game has changed."""
        match event:
            case OpponentMoved():
                self._press_clock()
                return True
            case EndReceived():
                self._end = event
                return True
            case TakebackRequested():
                return await self._answer_takeback(event.ply, search)
            case ChatReceived():
                self._report(f": {escape_controls(event.text)}")
            case _:
                pass
        return self._protocol.phase is not Phase.PLAYING or (self._protocol.is_our_turn and search is None)

    async def _answer_takeback(self, ply: int | None, search: asyncio.Future[Any] | None) -> bool:
        if not self._host.takebacks or ply is None or self._takebacks == MAX_TAKEBACKS:
            code = TakebackCode.REFUSED if self._host.takebacks else TakebackCode.NOT_SUPPORTED
            await self._connection.send(self._protocol.answer_takeback(code))
            return False
        if search is not None:
            await self._stop(search)
        self._takebacks += 1
        await self._connection.send(self._protocol.answer_takeback(TakebackCode.ACCEPTED))
        self._clock = self._clocks[ply].copy()
        del self._clocks[ply + 1 :]
        self._clock.run(self.game.position.turn)
        self._report(f" took moves back: {len(self.game.moves)} left")
        return True

    def _report(self, text: str) -> None:
        """Report a chat or a takeback of the peer, at most `MAX_NOTICES` times in a game."""
        self._notices += 1
        if self._notices <= MAX_NOTICES:
            self._host.report(f"{self._protocol.peer_name or self._connection.peer}{text}")

    def _press_clock(self) -> None:
        self._clock.press(self.game.position.turn)
        self._save_clock()

    def _save_clock(self) -> None:
        clock = self._clock.copy()
        clock.pause()
        self._clocks.append(clock)

    def _has_flagged(self, side: Side) -> bool:
        left = self._clock.left(side)
        return left is not None and left <= 0
