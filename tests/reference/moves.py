"""Legal moves, and positions after them."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from tablemen import Side
from tests.reference.board import Place, is_far_row, lines, steps
from tests.reference.captures import CaptureState, capture_paths, captures, preferred, until_occupied
from tests.reference.endings import decided
from tests.reference.position import KingRun, ReferencePosition

if TYPE_CHECKING:
    from collections.abc import Iterator


class Move(NamedTuple):
    """A move without its path."""

    start: Place
    end: Place
    captured: frozenset[Place] = frozenset()
    crowns: bool = False


class Route(NamedTuple):
    """A move with its path: every place that the piece visits, and the captured pieces in order."""

    path: tuple[Place, ...]
    captured: tuple[Place, ...] = ()
    crowns: bool = False

    @property
    def move(self) -> Move:
        return Move(self.path[0], self.path[-1], frozenset(self.captured), self.crowns)


def legal_moves(position: ReferencePosition) -> set[Move]:
    """Return the legal moves; paths of captures are not distinguished."""
    if decided(position):
        return set()
    best = preferred(position, captures(position))
    taking = {Move(each.start, each.place, each.captured, _crowns(position, each)) for each in best}
    return taking if taking and position.rules.capture_compulsory else taking | set(_quiet_moves(position))


def legal_routes(position: ReferencePosition) -> set[Route]:
    """Return the legal moves with all their paths."""
    if decided(position):
        return set()
    best = preferred(position, captures(position))
    taking = {_route(position, path) for path in capture_paths(position, best)}
    quiet = {Route((each.start, each.end), (), each.crowns) for each in _quiet_moves(position)}
    return taking if taking and position.rules.capture_compulsory else taking | quiet


def _route(position: ReferencePosition, states: tuple[CaptureState, ...]) -> Route:
    captured = (victim for before, after in pairwise(states) for victim in after.captured - before.captured)
    return Route(tuple(state.place for state in states), tuple(captured), _crowns(position, states[-1]))


def _crowns(position: ReferencePosition, complete: CaptureState) -> bool:
    """Return whether a capture crowned a man, during the capture or at its end on the far row."""
    was_man = complete.start in position.men(position.turn)
    return was_man and (complete.is_king or is_far_row(position.rules, position.turn, complete.place))


def _quiet_moves(position: ReferencePosition) -> Iterator[Move]:
    rules, side = position.rules, position.turn
    line = lines(rules)
    occupied = position.pieces(side) | position.pieces(side.opponent)
    for man in position.men(side):
        for step in steps(rules, side, rules.man_moves):
            for end in until_occupied(line(man, step)[:1], occupied):
                yield Move(man, end, crowns=is_far_row(rules, side, end))
    for king in position.kings(side) - _resting_king(position):
        for step in steps(rules, side, rules.king_moves):
            reach = line(king, step)
            for end in until_occupied(reach if rules.flying_kings else reach[:1], occupied):
                yield Move(king, end)


def _resting_king(position: ReferencePosition) -> set[Place]:
    """Return the king of the side to move that has made the maximum number of quiet moves in a row."""
    run = position.run(position.turn)
    limit = position.rules.king_move_limit
    return {run.place} if run and limit and run.moves >= limit and position.men(position.turn) else set()


def play(position: ReferencePosition, move: Move) -> ReferencePosition:
    """Return the position after a legal move."""
    side = position.turn
    by_king = move.start in position.kings(side)
    men, kings = position.men(side) - {move.start}, position.kings(side) - {move.start}
    if by_king or move.crowns:
        kings |= {move.end}
    else:
        men |= {move.end}
    run = _run_after(position, move) if by_king and men and not move.captured else None

    other_men, other_kings = position.men(side.opponent) - move.captured, position.kings(side.opponent) - move.captured
    other_run = position.run(side.opponent)
    if other_run and (other_run.place in move.captured or not other_men):
        other_run = None
    if side is Side.WHITE:
        return ReferencePosition(
            position.rules, side.opponent, men, kings, other_men, other_kings, white_run=run, black_run=other_run
        )
    return ReferencePosition(
        position.rules, side.opponent, other_men, other_kings, men, kings, white_run=other_run, black_run=run
    )


def _run_after(position: ReferencePosition, move: Move) -> KingRun | None:
    """Return the run of a king after one more quiet move."""
    if not position.rules.king_move_limit:
        return None
    before = position.run(position.turn)
    return KingRun(move.end, before.moves + 1 if before and before.place == move.start else 1)


def perft(position: ReferencePosition, depth: int) -> int:
    """Return the number of leaves of the game tree at this depth."""
    if depth == 0:
        return 1
    moves = legal_moves(position)
    return len(moves) if depth == 1 else sum(perft(play(position, move), depth - 1) for move in moves)
