"""Captures, jump by jump, and which of them take precedence.

A capture under way is a `Flight`. What comes next depends on nothing but the flight, so complete captures are found by
going from flight to flight: along every way where the ways are wanted, and only once to each flight where they are not.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from tablemen.draughts.rules import Criterion, KingLanding, MostValue, Promotion, Removal
from tests.reference.board import Place, Step, is_far_row, line, steps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.reference.position import ReferencePosition


@dataclass(frozen=True)
class Flight:
    """A piece in the middle of its capture, or at its end."""

    start: Place
    place: Place
    is_king: bool
    captured: frozenset[Place] = frozenset()
    kings_captured_as: tuple[int, ...] = ()  # at which jumps; told apart only under KINGS_FIRST
    heading: Step | None = None  # of the last jump


class Jump(NamedTuple):
    """A piece that can be captured now, and the free places behind it where the capturing piece can stop."""

    victim: Place
    landings: list[Place]
    heading: Step


def captures(position: ReferencePosition) -> set[Flight]:
    """Every complete capture, before precedence; captures that differ in the way alone are one."""
    waiting = first_flights(position)
    reached = set(waiting)
    complete = set()
    while waiting:
        flight = waiting.pop()
        following = set(next_flights(position, flight))
        if not following and flight.captured:
            complete.add(flight)
        waiting.extend(following - reached)
        reached |= following
    return complete


def capture_ways(position: ReferencePosition) -> Iterator[tuple[Flight, ...]]:
    """Every complete capture, before precedence, as all its flights from the start to the end."""
    for flight in first_flights(position):
        yield from _ways_on(position, (flight,))


def _ways_on(position: ReferencePosition, way: tuple[Flight, ...]) -> Iterator[tuple[Flight, ...]]:
    following = list(next_flights(position, way[-1]))
    for flight in following:
        yield from _ways_on(position, (*way, flight))
    if not following and way[-1].captured:
        yield way


def first_flights(position: ReferencePosition) -> list[Flight]:
    """Every piece of the side to move, about to capture."""
    men, kings = position.men(position.turn), position.kings(position.turn)
    return [Flight(place, place, is_king=place in kings) for place in men | kings]


def next_flights(position: ReferencePosition, flight: Flight) -> Iterator[Flight]:
    """The flight after each possible next jump; none when the capture is complete."""
    for jump in jumps(position, flight):
        landed = [_land(position, flight, jump, landing) for landing in jump.landings]
        # Where the capture goes on from one of the landings, it must go on.
        going_on = [after for after in landed if any(jumps(position, after))]
        yield from going_on or [after for after in landed if _may_end(position, jump, after)]


def jumps(position: ReferencePosition, flight: Flight) -> Iterator[Jump]:
    """Every piece that can be captured now."""
    rules, side = position.rules, position.turn
    if _is_stopped(position, flight):
        return
    flies = flight.is_king and rules.flying_kings
    occupied = _occupied(position, flight)
    victims = position.pieces(side.opponent) if _takes_kings(position, flight) else position.men(side.opponent)
    for step in steps(rules, side, rules.king_captures if flight.is_king else rules.man_captures):
        if _turns_back(flight, step) and not rules.reverse_captures:
            continue
        ahead = list(line(rules, flight.place, step))
        before = list(takewhile(lambda place: place not in occupied, ahead))
        behind = list(takewhile(lambda place: place not in occupied, ahead[len(before) + 1 :]))
        if not behind or (before and not flies):
            continue
        victim = ahead[len(before)]
        if victim in victims and victim not in flight.captured:
            stops_at_once = not flies or rules.king_landing is KingLanding.BEHIND_EACH
            yield Jump(victim, behind[:1] if stops_at_once else behind, step)


def _is_stopped(position: ReferencePosition, flight: Flight) -> bool:
    """Whether a man has reached the far row by a jump and the rules end the capture there."""
    rules = position.rules
    on_far_row = is_far_row(rules, position.turn, flight.place)
    return rules.promotion is Promotion.STOPS and bool(flight.captured) and not flight.is_king and on_far_row


def _occupied(position: ReferencePosition, flight: Flight) -> frozenset[Place]:
    """The places that are not free: the piece has left its start, and captured pieces leave when the rules say so."""
    occupied = position.pieces(position.turn) | position.pieces(position.turn.opponent)
    removed = flight.captured if position.rules.removal is Removal.AT_ONCE else frozenset()
    return occupied - {flight.start} - removed


def _takes_kings(position: ReferencePosition, flight: Flight) -> bool:
    return flight.is_king or position.rules.men_capture_kings


def _turns_back(flight: Flight, step: Step) -> bool:
    return flight.heading == (-step[0], -step[1])


def _land(position: ReferencePosition, flight: Flight, jump: Jump, landing: Place) -> Flight:
    """The flight after a jump; a man on the far row may have become a king."""
    rules, side = position.rules, position.turn
    crowned = rules.promotion is Promotion.IN_FLIGHT and is_far_row(rules, side, landing)
    kings_captured_as = flight.kings_captured_as
    if Criterion.KINGS_FIRST in rules.precedence and jump.victim in position.kings(side.opponent):
        kings_captured_as += (len(flight.captured) + 1,)
    return Flight(
        start=flight.start,
        place=landing,
        is_king=flight.is_king or crowned,
        captured=flight.captured | {jump.victim},
        kings_captured_as=kings_captured_as,
        heading=jump.heading,
    )


def _may_end(position: ReferencePosition, jump: Jump, after: Flight) -> bool:
    """Whether the capture may end on this landing, as far as the rule on a king's last landing goes."""
    rules = position.rules
    last_was_king = jump.victim in position.kings(position.turn.opponent)
    bound = rules.king_landing is KingLanding.BEHIND_LAST or (
        rules.king_landing is KingLanding.BEHIND_LAST_KING and last_was_king
    )
    return not bound or after.place == jump.landings[0]


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
