"""Captures, jump by jump, and their precedence.

A `CaptureState` is a capture in progress, and the states form a graph, since the next jumps depend only on the state.
Complete captures are the states without a next jump. Their paths are found backwards through the graph.
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


class CaptureState(NamedTuple):
    """A piece during or at the end of its capture."""

    start: Place
    place: Place
    is_king: bool
    captured: frozenset[Place] = frozenset()
    king_jumps: tuple[int, ...] = ()  # the numbers of the jumps over kings; only under KINGS_FIRST
    heading: Step | None = (
        None  # of the last jump; only if pieces are removed at once, so that turning back is possible
    )


class Jump(NamedTuple):
    """A piece that can be captured next, and the free places behind it where the capturing piece can land."""

    victim: Place
    landings: tuple[Place, ...]
    heading: Step


@lru_cache(maxsize=4)
def capture_graph(position: ReferencePosition) -> dict[CaptureState, list[CaptureState]]:
    """Return the reachable states of the side to move, each with its next states."""
    return dict(visit_states(position))


def visit_states(position: ReferencePosition) -> Iterator[tuple[CaptureState, list[CaptureState]]]:
    """Yield the reachable states, each with its next states."""
    search = _search(position)
    waiting = search.first_states()
    reached = set(waiting)
    while waiting:
        state = waiting.pop()
        following = list(search.next_states(state))
        yield state, following
        waiting.extend(after for after in following if after not in reached)
        reached.update(following)


def captures(position: ReferencePosition) -> set[CaptureState]:
    """Return every complete capture, before precedence; paths are not distinguished."""
    return {state for state, following in capture_graph(position).items() if state.captured and not following}


def capture_paths(position: ReferencePosition, ends: Iterable[CaptureState]) -> Iterator[tuple[CaptureState, ...]]:
    """Yield every path to these complete captures, as the states from the start to the end."""
    before = defaultdict(list)
    for state, following in capture_graph(position).items():
        for after in following:
            before[after].append(state)

    def paths_to(state: CaptureState) -> Iterator[tuple[CaptureState, ...]]:
        if not state.captured:
            yield (state,)
        for earlier in before[state]:
            for path in paths_to(earlier):
                yield (*path, state)

    for end in ends:
        yield from paths_to(end)


class _Search:
    """The legal jumps in a position."""

    def __init__(self, position: ReferencePosition) -> None:
        rules, side = position.rules, position.turn
        self.rules = rules
        self.position = position
        self.occupied = position.pieces(side) | position.pieces(side.opponent)
        self.steps = {False: steps(rules, side, rules.man_captures), True: steps(rules, side, rules.king_captures)}
        self.line = lines(rules)
        # Cached, since the same states occur often among many pieces.
        self.jumps = cache(lambda state: tuple(self._jumps(state)))

    def first_states(self) -> list[CaptureState]:
        """Return a state for each piece of the side to move, before its first jump."""
        men, kings = self.position.men(self.position.turn), self.position.kings(self.position.turn)
        return [CaptureState(place, place, is_king=place in kings) for place in men | kings]

    def next_states(self, state: CaptureState) -> Iterator[CaptureState]:
        """Yield the state after each possible next jump; none if the capture is complete."""
        for jump in self.jumps(state):
            landed = [self._land(state, jump, landing) for landing in jump.landings]
            # If the capture can continue from one of the landing places, it must.
            continued = [after for after in landed if self.jumps(after)]
            yield from continued or [after for after in landed if self._may_end(jump, after)]

    def _jumps(self, state: CaptureState) -> Iterator[Jump]:
        """Yield the pieces that can be captured next."""
        if self._is_stopped(state):
            return
        flies = state.is_king and self.rules.flying_kings
        stops_at_once = not flies or self.rules.king_landing is KingLanding.BEHIND_EACH
        occupied, victims = self._occupied(state), self._victims(state)
        for step in self.steps[state.is_king]:
            if _turns_back(state, step) and not self.rules.reverse_captures:
                continue
            ahead = self.line(state.place, step)
            before = until_occupied(ahead, occupied) if flies else ()
            if len(before) == len(ahead) or ahead[len(before)] not in victims:
                continue
            behind = until_occupied(ahead[len(before) + 1 :], occupied)
            if behind:
                yield Jump(ahead[len(before)], behind[:1] if stops_at_once else behind, step)

    def _is_stopped(self, state: CaptureState) -> bool:
        """Return whether a man has reached the far row by a jump, and the rules end the capture there."""
        on_far_row = is_far_row(self.rules, self.position.turn, state.place)
        stops = self.rules.promotion is Promotion.STOPS
        return stops and bool(state.captured) and not state.is_king and on_far_row

    def _occupied(self, state: CaptureState) -> frozenset[Place]:
        """Return the occupied places, without the start of the piece and without removed pieces."""
        removed = state.captured if self.rules.removal is Removal.AT_ONCE else frozenset()
        return self.occupied - removed - {state.start}

    def _victims(self, state: CaptureState) -> frozenset[Place]:
        """Return the pieces that may be captured; no piece is captured twice."""
        takes_kings = state.is_king or self.rules.men_capture_kings
        opponent = self.position.turn.opponent
        return (self.position.pieces(opponent) if takes_kings else self.position.men(opponent)) - state.captured

    def _land(self, state: CaptureState, jump: Jump, landing: Place) -> CaptureState:
        """Return the state after a jump; a man on the far row may have become a king."""
        rules, side = self.rules, self.position.turn
        crowned = rules.promotion is Promotion.IN_FLIGHT and is_far_row(rules, side, landing)
        king_jumps = state.king_jumps
        if Criterion.KINGS_FIRST in rules.precedence and jump.victim in self.position.kings(side.opponent):
            king_jumps += (len(state.captured) + 1,)
        return CaptureState(
            start=state.start,
            place=landing,
            is_king=state.is_king or crowned,
            captured=state.captured | {jump.victim},
            king_jumps=king_jumps,
            heading=jump.heading if rules.removal is Removal.AT_ONCE else None,
        )

    def _may_end(self, jump: Jump, after: CaptureState) -> bool:
        """Return whether the capture may end here, under the rule on the last landing of kings."""
        last_was_king = jump.victim in self.position.kings(self.position.turn.opponent)
        bound = self.rules.king_landing is KingLanding.BEHIND_LAST or (
            self.rules.king_landing is KingLanding.BEHIND_LAST_KING and last_was_king
        )
        return not bound or after.place == jump.landings[0]


@lru_cache(maxsize=4)
def _search(position: ReferencePosition) -> _Search:
    return _Search(position)


def until_occupied(places: tuple[Place, ...], occupied: AbstractSet[Place]) -> tuple[Place, ...]:
    """Return the places before the first occupied one."""
    for count, place in enumerate(places):
        if place in occupied:
            return places[:count]
    return places


def _turns_back(state: CaptureState, step: Step) -> bool:
    return state.heading == (-step[0], -step[1])


def preferred(position: ReferencePosition, complete: set[CaptureState]) -> set[CaptureState]:
    """Return the captures with the highest precedence, by one criterion after the other."""
    for criterion in position.rules.precedence:
        values = {state: _value(position, state, criterion) for state in complete}
        best = max(values.values(), default=())
        complete = {state for state, value in values.items() if value == best}
    return complete


def _value(position: ReferencePosition, state: CaptureState, criterion: Criterion | MostValue) -> tuple[int, ...]:
    """Return the value of a complete capture by a criterion; the highest value has precedence."""
    kings = len(state.captured & position.kings(position.turn.opponent))
    men = len(state.captured) - kings
    if isinstance(criterion, MostValue):
        return (men * criterion.man + kings * criterion.king,)
    match criterion:
        case Criterion.MOST_PIECES:
            return (men + kings,)
        case Criterion.MOST_KINGS:
            return (kings,)
        case Criterion.WITH_KING:
            return (int(state.start in position.kings(position.turn)),)
        case Criterion.KINGS_FIRST:
            return tuple(-jump for jump in state.king_jumps)
