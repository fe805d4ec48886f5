"""A game as it is sent: JSON that is put together from pieces, each of which is made once."""

from __future__ import annotations

import json
from collections.abc import Collection

from pydantic import TypeAdapter

from tablemen.family import get_family
from tablemen.outcome import Side
from tablemen.web.games.actions import actions_for
from tablemen.web.games.table import Sides, Table
from tablemen.web.models import MoveFacts, OutcomeFacts, Seat
from tablemen.web.views import tell_legal, tell_outcome, tell_ply, tell_scene

_MOVES = TypeAdapter(list[MoveFacts])
_OUTCOME = TypeAdapter(OutcomeFacts | None)
_SEATS = TypeAdapter(dict[str, Seat])


class Telling:
    """What is told of a table: a `GameState` for whoever asks.

    Nothing that is sent is checked on the way out, and the parts that are the same for all are made once a change.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        rules = table.game.start.variant
        sizes = get_family(rules).board_size(rules)
        self._sides = table.session.family.sides
        self._fixed = _members(
            type='"state"',
            id=json.dumps(table.facts.id),
            variant=json.dumps(rules.name),
            houses=json.dumps(sizes.get("houses")),
            seeds=json.dumps(sizes.get("seeds")),
            start=tell_scene(table.game.start).model_dump_json(),
            opening=json.dumps(table.facts.opening),
        )
        self._plies: list[str] = []
        self._changing = ""
        self.refresh(0)

    def refresh(self, keep: int) -> None:
        """The game has changed: its first `keep` moves are what they were."""
        game, session = self._table.game, self._table.session
        del self._plies[keep:]
        positions, moves = game.positions, game.moves
        for number in range(keep, len(moves)):
            ply = tell_ply(positions[number], moves[number], positions[number + 1])
            self._plies.append(ply.model_dump_json())
        position = game.position
        self._changing = _members(
            position=json.dumps(session.family.format_position(position)),
            turn=json.dumps(self._sides[position.turn]),
            legal=_MOVES.dump_json(tell_legal(game)).decode(),
            outcome=_OUTCOME.dump_json(tell_outcome(game.outcome(), position)).decode(),
            claims=json.dumps([str(rule.outcome(position).termination) for rule in game.claims()]),
            revision=json.dumps(self._table.revision),
            offers=json.dumps({kind: self._sides[side] for kind, side in self._table.offers.items()}),
            next=json.dumps(self._table.next),
        )

    def state(self, sides: Sides, *, since: int = 0, connected: Collection[Side], thinking: bool) -> str:
        """A `GameState` with the plies from a number on."""
        return self.states([sides], since=since, connected=connected, thinking=thinking)[sides]

    def states(
        self, audiences: Collection[Sides], *, since: int = 0, connected: Collection[Side], thinking: bool
    ) -> dict[Sides, str]:
        """The same for each of several audiences: those who have no side, one, or both."""
        table = self._table
        people, engine = table.people, table.facts.engine
        other = Seat(kind="computer", level=table.facts.level, connected=True)
        if engine is not None:
            other = Seat(kind="engine", name=engine, connected=True)
        seats = {
            name: Seat(kind="person", connected=side in connected) if side in people else other
            for side, name in self._sides.items()
        }
        first = min(since, len(self._plies))
        common = _members(
            since=json.dumps(first),
            plies=f"[{','.join(self._plies[first:])}]",
            players=_SEATS.dump_json(seats).decode(),
            clock=self._clock(),
            thinking=json.dumps(thinking),
            problem=json.dumps(table.problem),
        )
        return {sides: f"{{{self._fixed},{self._changing},{common},{self._own(sides)}}}" for sides in set(audiences)}

    def _own(self, sides: Sides) -> str:
        return _members(
            you=json.dumps([name for side, name in self._sides.items() if side in sides]),
            actions=json.dumps(actions_for(self._table, sides)),
        )

    def _clock(self) -> str:
        clock = self._table.session.clock
        if clock.control is None:
            return "null"
        left = {name: round(max(0.0, clock.left(side) or 0.0), 3) for side, name in self._sides.items()}
        running = None if clock.running is None else self._sides[clock.running]
        return json.dumps({"control": str(clock.control), "left": left, "running": running})


def _members(**values: str) -> str:
    """Members of an object, whose values are JSON already."""
    return ",".join(f'"{name}":{value}' for name, value in values.items())
