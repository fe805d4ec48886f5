"""A game between players as the server has it: who may do what, and what becomes of it. Nothing here waits."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tablemen.clock import GameClock, parse_time_control
from tablemen.errors import GameError, GameOverError, TablemenError
from tablemen.families import family_of
from tablemen.game import Game
from tablemen.outcome import Outcome, Side, Termination
from tablemen.players import Player
from tablemen.search import Level
from tablemen.session import Choice, Session, Snapshot
from tablemen.web.games.computer import HINT, Computer, ComputerPlayer, Person
from tablemen.web.games.engines import Engines, EngineSeat
from tablemen.web.games.kept import DRAW, REMATCH, TAKEBACK, KeptGame, Stage, Standing, standing_of
from tablemen.web.games.keys import is_key, new_game_id
from tablemen.web.models import Action, ActionName
from tablemen.web.views import find_rules, tell_move

LONGEST_GAME = 1000  # moves; each takes memory for as long as somebody has the game open

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
    """A game, its clock, its keys and what is offered. An action that cannot be done raises `TablemenError`."""

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
        family = family_of(rules)
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
    def people(self) -> Sides:
        """The sides that people play."""
        keys = {Side.WHITE: self.facts.white_key, Side.BLACK: self.facts.black_key}
        return frozenset(side for side, key in keys.items() if key is not None)

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
        keys = {Side.WHITE: self.facts.white_key, Side.BLACK: self.facts.black_key}
        return frozenset(side for side, kept in keys.items() if is_key(key, kept))

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

    def actions_for(self, sides: Sides) -> list[ActionName]:
        """What can be done now by whoever has these sides."""
        if not sides:
            return []
        is_over = self.game.outcome() is not None
        offered = {kind for kind, side in self.offers.items() if side not in sides}
        names: list[ActionName] = []
        if not is_over and self.game.position.turn in sides:
            names += ["move"] if self.is_between_two else ["move", "hint"]
        if self._can_take_back(sides):
            names.append("takeback")
        if not is_over:
            can_offer = self.is_between_two and self.offers.get(DRAW) not in sides
            if self.game.claims() or can_offer or self.facts.opponent == "screen":
                names.append("draw")
            names.append("resign")
        elif self.is_between_two and self.next is None and self.offers.get(REMATCH) not in sides:
            names.append("rematch")
        if offered:
            names.append("decline")
        if self.can_retry:
            names.append("retry")
        return names

    @property
    def can_retry(self) -> bool:
        """Whether a program has failed, is still there, and plays such games."""
        return self.problem is not None and self.engine is not None and self.engine.can_play(self.game.position)

    def _can_take_back(self, sides: Sides) -> bool:
        if self.is_between_two:
            if self.game.outcome() is not None or self.offers.get(TAKEBACK) in sides:
                return False
            return TAKEBACK in self.offers or self._has_moved(sides)
        return self.game.declared is not None or self._has_moved(sides)

    def _has_moved(self, sides: Sides) -> bool:
        return any(position.turn in sides for position in self.game.positions[:-1])

    def choose(self) -> Choice:
        """What the computer chooses; any thread may wait for it. Raises `GameError` where it is not to move."""
        choice = self.session.choose()
        if choice.side in self.people:  # for whom a draw would be claimed
            raise GameError("it is not for the computer to move")
        return choice

    def act(self, action: Action, sides: Sides) -> bool:
        """Do it, and say whether anything has changed: a move that stands there already is not played again."""
        if action.action == "move":
            return self._move(action, sides)
        if action.action == "rematch":
            return self._rematch(sides)
        outcome = self.game.outcome()
        if outcome is not None and not self._is_for_after_the_end(action.action):
            raise GameOverError(outcome)
        {"takeback": self._take_back, "draw": self._draw, "decline": self._decline, "resign": self._resign}[
            action.action
        ](sides)
        return True

    def _is_for_after_the_end(self, name: ActionName) -> bool:
        if self.is_between_two:
            return name == "decline" and REMATCH in self.offers
        return name == "takeback"

    def _move(self, action: Action, sides: Sides) -> bool:
        text, count = action.move or "", len(self.game.moves)
        if action.ply is not None and action.ply != count:
            if action.ply < count and self._stands_at(action.ply, text, sides):
                return False
            raise GameError(f"the game has changed: moves played by now: {count}, not {action.ply}")
        mover = self.game.position.turn
        if self.game.outcome() is None and mover not in sides:
            raise GameError(f"it is {self.session.family.name_of(mover)}'s turn")
        if count >= LONGEST_GAME:
            raise GameError(f"a game has {LONGEST_GAME:,} moves at most here")
        self.session.move(text)
        # To move is to turn down what was offered, and nobody takes back what is no longer the last.
        self.offers = {kind: side for kind, side in self.offers.items() if side is mover and kind != TAKEBACK}
        self._forget_offers()
        return True

    def _stands_at(self, ply: int, text: str, sides: Sides) -> bool:
        position = self.game.positions[ply]
        try:
            return position.turn in sides and bool(position.parse_move(text) == self.game.moves[ply])
        except TablemenError:
            return False

    def _take_back(self, sides: Sides) -> None:
        if not self.is_between_two:
            declared = self.game.declared
            if declared is not None and declared.termination is not Termination.TIME:
                self.session.reopen()
            else:
                self.session.back()
            self.offers.clear()
            return
        asker = self.offers.get(TAKEBACK)
        if asker is not None and asker not in sides:
            self.session.back(asker)
            self.offers.clear()
            return
        if asker is not None:
            raise GameError("you have asked already")
        if not self._has_moved(sides):
            raise GameError("there is no move of yours to take back")
        self.offers[TAKEBACK] = _only(sides)

    def _draw(self, sides: Sides) -> None:
        offered = self.offers.get(DRAW)
        if self.game.claims():
            self.session.claim_draw()
        elif self.facts.opponent == "screen" or (offered is not None and offered not in sides):
            self.session.agree_draw()
        elif not self.is_between_two:
            raise GameError(f"no draw can be claimed now, and {self.facts.engine or 'the computer'} agrees to none")
        elif offered is not None:
            raise GameError("you have offered one already")
        else:
            self.offers[DRAW] = _only(sides)
        self._forget_offers()

    def _decline(self, sides: Sides) -> None:
        declined = {kind for kind, side in self.offers.items() if side not in sides}
        if not declined:
            raise GameError("nothing is offered to you")
        for kind in declined:
            del self.offers[kind]

    def _rematch(self, sides: Sides) -> bool:
        """Ask for another game, or accept; there is one at most, however often it is accepted."""
        if not self.is_between_two:
            raise GameError("a rematch is asked for between two people with a link: begin a new game")
        if self.game.outcome() is None:
            raise GameError("the game is not over")
        if self.next is not None:
            return False
        asker = self.offers.get(REMATCH)
        if asker is None:
            self.offers[REMATCH] = _only(sides)
        elif asker in sides:
            raise GameError("you have asked already")
        else:
            self.next = new_game_id()
            self.offers.clear()
        return True

    def _resign(self, sides: Sides) -> None:
        self.session.resign(_only(sides) if len(sides) == 1 else None)
        self._forget_offers()

    def check_time(self) -> Outcome | None:
        """The loss on time, if a flag fell."""
        outcome = self.session.check_time()
        self._forget_offers()
        return outcome

    def _forget_offers(self) -> None:
        """Nothing that was offered in a game is open after its end."""
        if self.game.outcome() is not None:
            self.offers = {kind: side for kind, side in self.offers.items() if kind == REMATCH}


def _only(sides: Sides) -> Side:
    (side,) = sides
    return side
