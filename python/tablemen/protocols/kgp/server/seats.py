"""Who sits at a game of a server: a client, or a player of the server's own."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from tablemen.console import explain
from tablemen.enums import Named
from tablemen.errors import PeerError
from tablemen.game import Game
from tablemen.mancala import Move, Position
from tablemen.outcome import Outcome, Side, Termination
from tablemen.protocols.kgp.connection import GuestConnection
from tablemen.protocols.stopping import stop_until_done
from tablemen.threads import run_in_daemon_thread

if TYPE_CHECKING:
    from tablemen.players import Player

GRACE = 30.0  # seconds for a player of our own to end once it is stopped


class Treatment(Named):
    """What becomes of a client that makes no move in time, or one that is not legal."""

    LOSE = "lose"  # it loses the game
    RANDOM = "random"  # a move by chance is made for it


class Fault(Exception):  # noqa: N818 - what a player did, and nothing that went wrong with us
    """Why a player has lost its game, other than by the rules."""

    def __init__(self, reason: str, termination: Termination = Termination.FORFEIT) -> None:
        super().__init__(reason)
        self.termination = termination


class Seat(Protocol):
    """Whoever chooses the moves of one side."""

    name: str

    async def begin(self, game: str, opponent: str) -> None:
        """A game begins. Raises `Fault`."""
        ...

    async def choose(self, game: Game[Position, Move]) -> Move:
        """A legal move. Raises `Fault`."""
        ...

    async def end(self) -> None:
        """The game is over. Never raises."""
        ...


@dataclass(slots=True)
class GuestSeat:
    """A client; the last move that it names in time counts."""

    name: str
    guest: GuestConnection
    seconds: float
    random: Random
    on_silence: Treatment = Treatment.RANDOM
    on_illegal: Treatment = Treatment.LOSE

    async def begin(self, game: str, opponent: str) -> None:
        """Tells the client which game it is."""
        with self._faults():
            await self.guest.announce(game, opponent)

    async def choose(self, game: Game[Position, Move]) -> Move:
        """What the client plays, or what is played for it."""
        with self._faults():
            house = await self.guest.choose(game.position, self.seconds)
        moves = game.legal_moves()
        for move in moves:
            if move.house == house:
                return move
        if house is None and self.on_silence is Treatment.LOSE:
            raise Fault(f"{self.name} made no move within {self.seconds:g} s", Termination.TIME)
        if house is not None and self.on_illegal is Treatment.LOSE:
            raise Fault(f"{self.name} chose house {house}, which cannot be played")
        return self.random.choice(moves)

    @contextlib.contextmanager
    def _faults(self) -> Any:
        try:
            yield
        except PeerError as error:
            raise Fault(f"{self.name} {error.problem}") from error

    async def end(self) -> None:
        """Nothing: the protocol tells no results."""


@dataclass(slots=True)
class PlayerSeat:
    """A player of the server's own, in a thread."""

    name: str
    player: Player
    seconds: float

    async def begin(self, game: str, opponent: str) -> None:
        """Nothing: it is told with the first choice."""

    async def choose(self, game: Game[Position, Move]) -> Move:
        """What the player chooses; it is stopped when the time is over."""
        thought = run_in_daemon_thread(partial(self.player.choose, game.copy()))
        try:
            await asyncio.wait([thought], timeout=self.seconds)
        finally:
            is_done = await stop_until_done(thought, self.player.stop, GRACE)
        if not is_done:
            raise Fault(f"{self.name} did not end its thoughts", Termination.TIME)
        try:
            choice = thought.result()
        except Exception as error:
            raise Fault(f"{self.name} failed: {explain(error)}") from error
        if choice not in game.legal_moves():
            raise Fault(f"{self.name} gives up", Termination.RESIGNATION)
        move: Move = choice
        return move

    async def end(self) -> None:
        """Lets the player go."""
        with contextlib.suppress(Exception):
            await run_in_daemon_thread(self.player.close)


async def play_game(
    game: Game[Position, Move], seats: dict[Side, Seat], *, title: str = "", play_forced: bool = False
) -> tuple[Outcome, str]:
    """Plays a game to its end; how it ended, and what there is to say of an end that the rules do not know.

    `play_forced` makes the only move of a side without asking for it.
    """
    side = game.position.turn
    try:
        for side in Side:
            await seats[side].begin(title, seats[side.opponent].name)
        while (outcome := game.outcome()) is None:
            side = game.position.turn
            moves = game.legal_moves()
            game.push(moves[0] if play_forced and len(moves) == 1 else await seats[side].choose(game))
    except Fault as fault:
        return Outcome(side.opponent, fault.termination), str(fault)
    finally:
        for seat in seats.values():
            await seat.end()
    return outcome, ""
