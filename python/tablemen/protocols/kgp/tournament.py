"""Tournaments of a server: pairings, participants, games and results."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations, islice, product
from random import Random
from typing import TYPE_CHECKING, Protocol

from tablemen.console import escape_controls, format_error
from tablemen.enums import Named
from tablemen.errors import PeerError, TablemenError
from tablemen.game import Game
from tablemen.mancala import Move, Position
from tablemen.outcome import Outcome, Side, Termination
from tablemen.protocols.kgp.engine import KgpConnection
from tablemen.threads import run_in_daemon_thread, stop_until_done

if TYPE_CHECKING:
    from tablemen.players import Player

MAX_PAIRS = 10_000  # pairs whose meetings are counted
MAX_ROWS = 1000  # rows of the results, without the row for dropped participants
STOP_TIMEOUT = 30.0  # seconds for a local player to stop
ANONYMOUS = "anonymous"
OTHERS = "all others"  # name of the row for dropped participants


@dataclass(slots=True)
class Pairings:
    """Pairings of clients with each other and with local players. Each pair meets `rounds` times, or without limit.

    >>> pairings = Pairings(local=("robot",), rounds=1)
    >>> pairings.pair(["Ann", "Bob"]), pairings.pair(["Ann"]), pairings.pair(["Ann"])
    (('Ann', 'Bob'), ('Ann', 'robot'), None)
    """

    local: Sequence[str] = ()
    rounds: int | None = None
    _meetings: Counter[frozenset[str]] = field(default_factory=Counter)

    def pair(self, idle: Iterable[str]) -> tuple[str, str] | None:
        """Return the next pair and count its meeting: prefer pairs of clients, then the fewest meetings."""
        pairs = self._open_pairs(list(idle))
        if not pairs:
            return None
        chosen = min(pairs, key=lambda pair: (pair[1] in self.local, self._meetings[frozenset(pair)]))
        self._meetings[frozenset(chosen)] += 1
        if len(self._meetings) > MAX_PAIRS:  # drop the oldest half, whose clients may be disconnected
            for pair in list(islice(self._meetings, MAX_PAIRS // 2 + 1)):
                del self._meetings[pair]
        return chosen

    def is_over(self, present: Iterable[str]) -> bool:
        """Return whether no pair has a meeting left."""
        return not self._open_pairs(list(present))

    def _open_pairs(self, keys: list[str]) -> list[tuple[str, str]]:
        pairs = [*combinations(keys, 2), *product(keys, self.local)]
        return [pair for pair in pairs if self.rounds is None or self._meetings[frozenset(pair)] < self.rounds]


class ViolationPolicy(Named):
    """The consequence for a client that makes no move in time or an illegal move."""

    LOSE = "lose"  # the client loses the game
    RANDOM = "random"  # the server plays a random move for the client


class Violation(Exception):  # noqa: N818 - a rule violation of a participant, not an error of the server
    """A violation for which a participant loses a game: a forfeit, a timeout or a resignation."""

    def __init__(self, reason: str, termination: Termination = Termination.FORFEIT) -> None:
        super().__init__(reason)
        self.termination = termination


class Participant(Protocol):
    """One side of a game."""

    name: str

    async def begin_game(self, game: str, opponent: str) -> None:
        """Announce a game. Raises `Violation`."""
        ...

    async def choose(self, game: Game[Position, Move]) -> Move:
        """Return a legal move. Raises `Violation`."""
        ...

    async def end_game(self) -> None:
        """Release the resources of the game. Never raises."""
        ...


@dataclass(slots=True)
class ClientParticipant:
    """A client; its last move within the time counts."""

    name: str
    connection: KgpConnection
    seconds: float
    random: Random
    on_silence: ViolationPolicy = ViolationPolicy.RANDOM
    on_illegal: ViolationPolicy = ViolationPolicy.LOSE

    async def begin_game(self, game: str, opponent: str) -> None:
        """Announce a game to the client."""
        with self._violations():
            await self.connection.announce_game(game, opponent)

    async def choose(self, game: Game[Position, Move]) -> Move:
        """Return the client's move; if it is missing or illegal and the policy is `RANDOM`, return a random one."""
        with self._violations():
            house = await self.connection.choose(game.position, self.seconds)
        moves = game.legal_moves()
        for move in moves:
            if move.house == house:
                return move
        if house is None and self.on_silence is ViolationPolicy.LOSE:
            raise Violation(f"{self.name} made no move within {self.seconds:g} s", Termination.TIME)
        if house is not None and self.on_illegal is ViolationPolicy.LOSE:
            raise Violation(f"{self.name} chose house {house}, which cannot be played")
        return self.random.choice(moves)

    @contextlib.contextmanager
    def _violations(self) -> Iterator[None]:
        try:
            yield
        except PeerError as error:
            raise Violation(f"{self.name} {error.problem}") from error

    async def end_game(self) -> None:
        """Do nothing: the protocol has no message for results."""


@dataclass(slots=True)
class LocalParticipant:
    """A local player of the server, which runs in a thread."""

    name: str
    player: Player
    seconds: float

    async def begin_game(self, game: str, opponent: str) -> None:
        """Do nothing: the player gets the game with its first choice."""

    async def choose(self, game: Game[Position, Move]) -> Move:
        """Return the player's move; stop the player when its time ends."""
        choosing = run_in_daemon_thread(partial(self.player.choose, game.copy()))
        try:
            await asyncio.wait([choosing], timeout=self.seconds)
        finally:
            is_done = await stop_until_done(choosing, self.player.stop, STOP_TIMEOUT)
        if not is_done:
            raise Violation(f"{self.name} did not stop within {STOP_TIMEOUT:g} s", Termination.TIME)
        try:
            choice = choosing.result()
        except Exception as error:
            raise Violation(f"{self.name} failed: {format_error(error)}") from error
        if choice not in game.legal_moves():
            raise Violation(f"{self.name} resigned", Termination.RESIGNATION)
        move: Move = choice
        return move

    async def end_game(self) -> None:
        """Close the player."""
        with contextlib.suppress(Exception):
            await run_in_daemon_thread(self.player.close)


async def play_game(
    game: Game[Position, Move], participants: dict[Side, Participant], *, title: str = "", play_forced: bool = False
) -> tuple[Outcome, str]:
    """Play a game to its end. Return the outcome, and a note that explains an ending not defined by the rules.

    With `play_forced`, the only legal move of a side is played without a request.
    """
    side = game.position.turn
    try:
        for side in Side:
            await participants[side].begin_game(title, participants[side.opponent].name)
        while (outcome := game.outcome()) is None:
            side = game.position.turn
            moves = game.legal_moves()
            game.push(moves[0] if play_forced and len(moves) == 1 else await participants[side].choose(game))
    except Violation as violation:
        return Outcome(side.opponent, violation.termination), str(violation)
    finally:
        for participant in participants.values():
            await participant.end_game()
    return outcome, ""


@dataclass(slots=True)
class ResultRow:
    """The games and problems of a participant."""

    name: str
    won: int = 0
    drawn: int = 0
    lost: int = 0
    asked: int = 0  # number of problems
    solved: int = 0

    @property
    def games(self) -> int:
        """The number of games."""
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        """The points: one for a win, a half for a draw."""
        return self.won + self.drawn / 2


@dataclass(slots=True)
class TournamentResults:
    """The results of a tournament: a row for every participant, by a permanent key.

    >>> results = TournamentResults()
    >>> ann, bob = results.enter("Ann"), results.enter("Bob")
    >>> results.add_game(ann, bob)
    >>> print(results.table())
    name  games  won  drawn  lost  points
    Ann       1    1      0     0     1.0
    Bob       1    0      0     1     0.0
    """

    rows: dict[str, ResultRow] = field(default_factory=dict)

    def enter(self, name: str, *, token: bytes = b"", present: Container[str] = ()) -> str:
        """Return the key of a participant, derived from its token, or from its name and a number if others use it now.

        If the table is full, add the row of an absent participant to the row for dropped ones. Raises `TablemenError`
        if all participants are present.
        """
        shown = escape_controls(name).strip() or ANONYMOUS
        key = f"token {token.hex()}" if token else f"name {shown}"
        number = 1
        while not token and key in present:
            number += 1
            key = f"name {shown} ({number})"
        if key in self.rows:
            if token and name:
                self.rows[key].name = self._unique_name(shown, key)
            return key
        if len(self.rows) >= MAX_ROWS:
            self._drop_row(present)
        self.rows[key] = ResultRow(self._unique_name(shown if number == 1 else f"{shown} ({number})", key))
        return key

    def _drop_row(self, present: Container[str]) -> None:
        """Add the absent row with the fewest games to the row for dropped participants."""
        absent = [key for key in self.rows if key not in present and key != OTHERS]
        if not absent:
            raise TablemenError(f"the server is full: it has {MAX_ROWS:,} players")
        row = self.rows.pop(min(absent, key=lambda key: (self.rows[key].games, self.rows[key].asked)))
        others = self.rows.setdefault(OTHERS, ResultRow(self._unique_name(OTHERS, OTHERS)))
        for name in ("won", "drawn", "lost", "asked", "solved"):
            setattr(others, name, getattr(others, name) + getattr(row, name))

    def _unique_name(self, name: str, key: str) -> str:
        """Return the name, with a number if another participant has it."""
        taken = {row.name for other, row in self.rows.items() if other != key}
        unique, number = name, 1
        while unique in taken:
            number += 1
            unique = f"{name} ({number})"
        return unique

    def drop_idle(self, key: str) -> None:
        """Delete the row of a participant without games and problems."""
        row = self.rows.get(key)
        if row is not None and not row.games and not row.asked:
            del self.rows[key]

    def add_game(self, winner: str, loser: str, *, is_draw: bool = False) -> None:
        """Count a game."""
        if is_draw:
            self.rows[winner].drawn += 1
            self.rows[loser].drawn += 1
        else:
            self.rows[winner].won += 1
            self.rows[loser].lost += 1

    def add_problem(self, key: str, *, is_solved: bool) -> None:
        """Count a problem."""
        self.rows[key].asked += 1
        self.rows[key].solved += is_solved

    def ranking(self) -> list[ResultRow]:
        """Return the rows with games or problems: most points first, then fewest games, then by name."""
        rows = [row for row in self.rows.values() if row.games or row.asked]
        return sorted(rows, key=lambda row: (-row.points, row.games, row.name))

    def table(self) -> str:
        """Return the ranking as text with a header."""
        ranking = self.ranking()
        has_problems = any(row.asked for row in ranking)
        lines = [["name", "games", "won", "drawn", "lost", "points", *(["solved"] if has_problems else [])]]
        for row in ranking:
            cells = [row.name, str(row.games), str(row.won), str(row.drawn), str(row.lost), f"{row.points:.1f}"]
            if has_problems:
                cells.append(f"{row.solved} of {row.asked}" if row.asked else "")
            lines.append(cells)
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join(
            "  ".join(
                cell.ljust(width) if at == 0 else cell.rjust(width)
                for at, (cell, width) in enumerate(zip(line, widths, strict=True))
            ).rstrip()
            for line in lines
        )

    def serialize(self) -> list[dict[str, object]]:
        """Return the ranking as values for JSON."""
        return [
            {
                "name": row.name,
                "games": row.games,
                "won": row.won,
                "drawn": row.drawn,
                "lost": row.lost,
                "points": row.points,
                "problems": row.asked,
                "solved": row.solved,
            }
            for row in self.ranking()
        ]
