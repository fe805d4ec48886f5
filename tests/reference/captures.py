"""Captures, jump by jump, and which of them take precedence.

A capture under way is a `Flight`. What comes next depends on nothing but the flight, so complete captures are found by
going from flight to flight, to each only once; the ways they can go are read off backward from the ends that count.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from tablemen.draughts.rules import Criterion, KingLanding, MostValue, Promotion, Removal
from tests.reference.board import Place, Step, is_far_row, lines, steps

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from collections.abc import Set as AbstractSet

    from tests.reference.position import ReferencePosition


class Flight(NamedTuple):
    """A piece in the middle of its capture, or at its end."""

    start: Place
    place: Place
    is_king: bool
    captured: frozenset[Place] = frozenset()
    kings_captured_as: tuple[int, ...] = ()  # at which jumps; told apart only under KINGS_FIRST
    heading: Step | None = None  # of the last jump; where captured pieces stay, the last one bars the way back itself


class Jump(NamedTuple):
    """A piece that can be captured now, and the free places behind it where the capturing piece can stop."""

    victim: Place
    landings: tuple[Place, ...]
    heading: Step


@lru_cache(maxsize=4)
def all_flights(position: ReferencePosition) -> dict[Flight, list[Flight]]:
    """Every flight that the side to move can come to, with those that can follow it."""
    return dict(flights(position))


def flights(position: ReferencePosition) -> Iterator[tuple[Flight, list[Flight]]]:
    """The same, one by one."""
    search = _search(position)
    waiting = search.first_flights()
    reached = set(waiting)
    while waiting:
        flight = waiting.pop()
        following = list(search.next_flights(flight))
        yield flight, following
        waiting.extend(after for after in following if after not in reached)
        reached.update(following)


def captures(position: ReferencePosition) -> set[Flight]:
    """Every complete capture, before precedence; captures that differ in the way alone are one."""
    return {flight for flight, following in all_flights(position).items() if flight.captured and not following}


def capture_ways(position: ReferencePosition, ends: Iterable[Flight]) -> Iterator[tuple[Flight, ...]]:
    """Every way that leads to one of the complete captures, as all its flights from the start to the end."""
    before = defaultdict(list)
    for flight, following in all_flights(position).items():
        for after in following:
            before[after].append(flight)

    def ways_to(flight: Flight) -> Iterator[tuple[Flight, ...]]:
        if not flight.captured:
            yield (flight,)
        for earlier in before[flight]:
            for way in ways_to(earlier):
                yield (*way, flight)

    for end in ends:
        yield from ways_to(end)


class _Search:
    """The board as a capture finds it, and the jumps that the rules allow on it."""

    def __init__(self, position: ReferencePosition) -> None:
        rules, side = position.rules, position.turn
        self.rules = rules
        self.position = position
        self.occupied = position.pieces(side) | position.pieces(side.opponent)
        self.steps = {False: steps(rules, side, rules.man_captures), True: steps(rules, side, rules.king_captures)}
        self.line = lines(rules)
        # Remembered, because among many pieces the same flights come up again and again.
        self.jumps = cache(lambda flight: tuple(self._jumps(flight)))

    def first_flights(self) -> list[Flight]:
        """Every piece of the side to move, about to capture."""
        men, kings = self.position.men(self.position.turn), self.position.kings(self.position.turn)
        return [Flight(place, place, is_king=place in kings) for place in men | kings]

    def next_flights(self, flight: Flight) -> Iterator[Flight]:
        """The flight after each possible next jump; none when the capture is complete."""
        for jump in self.jumps(flight):
            landed = [self._land(flight, jump, landing) for landing in jump.landings]
            # Where the capture goes on from one of the landings, it must go on.
            going_on = [after for after in landed if self.jumps(after)]
            yield from going_on or [after for after in landed if self._may_end(jump, after)]

    def _jumps(self, flight: Flight) -> Iterator[Jump]:
        """Every piece that can be captured now."""
        if self._is_stopped(flight):
            return
        flies = flight.is_king and self.rules.flying_kings
        stops_at_once = not flies or self.rules.king_landing is KingLanding.BEHIND_EACH
        occupied, victims = self._occupied(flight), self._victims(flight)
        for step in self.steps[flight.is_king]:
            if _turns_back(flight, step) and not self.rules.reverse_captures:
                continue
            ahead = self.line(flight.place, step)
            before = until_occupied(ahead, occupied) if flies else ()
            if len(before) == len(ahead) or ahead[len(before)] not in victims:
                continue
            behind = until_occupied(ahead[len(before) + 1 :], occupied)
            if behind:
                yield Jump(ahead[len(before)], behind[:1] if stops_at_once else behind, step)

    def _is_stopped(self, flight: Flight) -> bool:
        """Whether a man has reached the far row by a jump and the rules end the capture there."""
        on_far_row = is_far_row(self.rules, self.position.turn, flight.place)
        stops = self.rules.promotion is Promotion.STOPS
        return stops and bool(flight.captured) and not flight.is_king and on_far_row

    def _occupied(self, flight: Flight) -> frozenset[Place]:
        """The places that are not free: the piece has left its start, and captured pieces go when the rules say so."""
        removed = flight.captured if self.rules.removal is Removal.AT_ONCE else frozenset()
        return self.occupied - removed - {flight.start}

    def _victims(self, flight: Flight) -> frozenset[Place]:
        """The pieces that may be captured; none is captured twice."""
        takes_kings = flight.is_king or self.rules.men_capture_kings
        opponent = self.position.turn.opponent
        return (self.position.pieces(opponent) if takes_kings else self.position.men(opponent)) - flight.captured

    def _land(self, flight: Flight, jump: Jump, landing: Place) -> Flight:
        """The flight after a jump; a man on the far row may have become a king."""
        rules, side = self.rules, self.position.turn
        crowned = rules.promotion is Promotion.IN_FLIGHT and is_far_row(rules, side, landing)
        kings_captured_as = flight.kings_captured_as
        if Criterion.KINGS_FIRST in rules.precedence and jump.victim in self.position.kings(side.opponent):
            kings_captured_as += (len(flight.captured) + 1,)
        return Flight(
            start=flight.start,
            place=landing,
            is_king=flight.is_king or crowned,
            captured=flight.captured | {jump.victim},
            kings_captured_as=kings_captured_as,
            heading=jump.heading if rules.removal is Removal.AT_ONCE else None,
        )

    def _may_end(self, jump: Jump, after: Flight) -> bool:
        """Whether the capture may end on this landing, as far as the rule on a king's last landing goes."""
        last_was_king = jump.victim in self.position.kings(self.position.turn.opponent)
        bound = self.rules.king_landing is KingLanding.BEHIND_LAST or (
            self.rules.king_landing is KingLanding.BEHIND_LAST_KING and last_was_king
        )
        return not bound or after.place == jump.landings[0]


@lru_cache(maxsize=4)
def _search(position: ReferencePosition) -> _Search:
    """The same search for every question about a position: it remembers what it has seen."""
    return _Search(position)


def until_occupied(places: tuple[Place, ...], occupied: AbstractSet[Place]) -> tuple[Place, ...]:
    """The first of the places, as many as are free one after the other."""
    for count, place in enumerate(places):
        if place in occupied:
            return places[:count]
    return places


def _turns_back(flight: Flight, step: Step) -> bool:
    return flight.heading == (-step[0], -step[1])


def preferred(position: ReferencePosition, complete: set[Flight]) -> set[Flight]:
    """The captures that no other takes precedence over: each criterion in turn leaves its best."""
    for criterion in position.rules.precedence:
        merits = {flight: _merit(position, flight, criterion) for flight in complete}
        best = max(merits.values(), default=())
        complete = {flight for flight, merit in merits.items() if merit == best}
    return complete


def _merit(position: ReferencePosition, flight: Flight, criterion: Criterion | MostValue) -> tuple[int, ...]:
    """How good a complete capture is by one criterion; the larger is the better."""
    kings = len(flight.captured & position.kings(position.turn.opponent))
    men = len(flight.captured) - kings
    if isinstance(criterion, MostValue):
        return (men * criterion.man + kings * criterion.king,)
    match criterion:
        case Criterion.MOST_PIECES:
            return (men + kings,)
        case Criterion.MOST_KINGS:
            return (kings,)
        case Criterion.WITH_KING:
            return (int(flight.start in position.kings(position.turn)),)
        case Criterion.KINGS_FIRST:
            return tuple(-jump for jump in flight.kings_captured_as)
