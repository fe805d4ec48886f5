"""A game between players as the server has it: its moves, clock and keys, and what is offered. Nothing here waits."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from tablemen.clock import GameClock, parse_time_control
from tablemen.errors import GameError
from tablemen.family import get_family
from tablemen.game import Game
from tablemen.outcome import Outcome, Side
from tablemen.players import Player
from tablemen.search import Level
from tablemen.session import PlayerChoice, Session, Snapshot
from tablemen.web.games.computer import HINT, Computer, ComputerPlayer, Person
from tablemen.web.games.engines import Engines, EngineSeat
from tablemen.web.games.kept import REMATCH, KeptGame, Stage, Standing, standing_of
from tablemen.web.games.keys import is_key
from tablemen.web.subjects import find_rules
from tablemen.web.views import tell_move

Sides = frozenset[Side]


@dataclass(frozen=True)
class TableSnapshot:
    """What a table was at a moment."""

    session: Snapshot
    offers: dict[str, Side]
    next: str | None
    revision: int

    @property
    def count(self) -> int:
        """How many moves had been played."""
        return len(self.session.game.moves)


class Table:
    """A game, its clock, its keys and what is offered."""

    def __init__(
        self,
        kept: KeptGame,
        computer: Computer,
        engines: Engines,
        *,
        away: float = 0.0,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """The game as it was kept; whoever was to move has used `away` seconds since."""
        facts, standing = kept.facts, kept.standing
        self.facts = facts
        self.opening = kept.moves[: facts.opening]
        self.revision = standing.revision
        self.next = standing.next  # the game that follows
        rules = find_rules(facts.variant, facts.houses, facts.seeds)
        family = get_family(rules)
        start = family.start(rules) if facts.position is None else family.parse_position(facts.position, rules)
        game = Game(start, kept.moves, declared=standing.declared)
        people = self.people
        self.engine = engines.get(facts.engine)  # the program that plays, where the server has it
        self.problem: str | None = None  # why it does not move
        player: Player = ComputerPlayer(computer, Level(facts.level or 1))
        if facts.engine is not None:
            player = EngineSeat(facts.engine, self.engine)
        control = None if standing.control is None else parse_time_control(standing.control)
        self.session = Session(
            game,
            {side: Person() if side in people else player for side in Side},
            control=control,
        )
        self.hinter = ComputerPlayer(computer, HINT)
        used = {Side.WHITE: standing.white_used, Side.BLACK: standing.black_used}
        used[game.position.turn] += away
        added = {Side.WHITE: standing.white_added, Side.BLACK: standing.black_added}
        self.session.clock = GameClock(control, used=used, added=added, now=now)
        if len(game.moves) > facts.opening:
            self.session.resume()
        self.offers = standing.offers

    @property
    def game(self) -> Game[Any, Any]:
        """Position, moves and result."""
        return self.session.game

    @property
    def _keys(self) -> dict[Side, bytes | None]:
        return {Side.WHITE: self.facts.white_key, Side.BLACK: self.facts.black_key}

    @property
    def people(self) -> Sides:
        """The sides that people play."""
        return frozenset(side for side, kept in self._keys.items() if kept is not None)

    @property
    def began_on(self) -> date:
        """The day, where the server is."""
        return datetime.fromtimestamp(self.facts.created, UTC).astimezone().date()

    @property
    def names(self) -> dict[Side, str]:
        """Who plays, as far as that is known."""
        name = self.facts.engine or f"Computer, level {self.facts.level}"
        return {side: name for side in Side if side not in self.people}

    @property
    def is_between_two(self) -> bool:
        """Whether two people play who do not share a screen."""
        return self.facts.opponent == "link"

    @property
    def is_for_the_computer(self) -> bool:
        """Whether the computer is to move, or a program."""
        return self.game.outcome() is None and self.game.position.turn not in self.people

    def sides_of(self, key: str) -> Sides:
        """The sides that a key can move."""
        return frozenset(side for side, kept in self._keys.items() if is_key(key, kept))

    def snapshot(self) -> TableSnapshot:
        """What can be gone back to."""
        return TableSnapshot(self.session.snapshot(), self.offers.copy(), self.next, self.revision)

    def restore(self, snapshot: TableSnapshot) -> None:
        """Go back to it."""
        self.session.restore(snapshot.session)
        self.offers, self.next, self.revision = snapshot.offers, snapshot.next, snapshot.revision

    @property
    def stage(self) -> Stage:
        """How far the game has got, as far as people played it."""
        if self.game.outcome() is not None:
            return "over"
        positions = self.game.positions[self.facts.opening : -1]
        return "played" if any(position.turn in self.people for position in positions) else "new"

    def standing(self) -> Standing:
        """What is to be kept, beside the moves."""
        return standing_of(self.session, self.offers, revision=self.revision, stage=self.stage, following=self.next)

    def moves_from(self, first: int) -> list[str]:
        """The moves from a number on, as they are kept."""
        positions = self.game.positions
        return [
            tell_move(positions[number], self.game.moves[number]).full for number in range(first, len(self.game.moves))
        ]

    @property
    def can_retry(self) -> bool:
        """Whether a program has failed, is still there, and plays such games."""
        return self.problem is not None and self.engine is not None and self.engine.can_play(self.game.position)

    def choose(self) -> PlayerChoice:
        """What the computer chooses; any thread may wait for it. Raises `GameError` where it is not to move."""
        choice = self.session.choose()
        if choice.side in self.people:  # for whom a draw would be claimed
            raise GameError("it is not for the computer to move")
        return choice

    def check_time(self) -> Outcome | None:
        """The loss on time, if a flag fell."""
        outcome = self.session.check_time()
        self.forget_offers()
        return outcome

    def forget_offers(self) -> None:
        """Nothing that was offered in a game is open after its end."""
        if self.game.outcome() is not None:
            self.offers = {kind: side for kind, side in self.offers.items() if kind == REMATCH}
