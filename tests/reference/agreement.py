"""Comparison of the core with the reference."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from tablemen.draughts.board import Playable
from tests.reference.captures import capture_paths, captures, preferred, visit_states
from tests.reference.convert import from_core, move_from_core, route_from_core, to_core
from tests.reference.moves import Route, legal_moves, legal_routes, play
from tests.reference.outcome import outcome

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Set as AbstractSet

    from tablemen.draughts import Position
    from tests.reference.board import Place, Step
    from tests.reference.position import ReferencePosition


def check_agreement(position: Position) -> None:
    """Compare legal moves, paths, positions after moves, and the outcome."""
    reference = from_core(position)
    assert to_core(reference) == position
    _check_moves(position, reference)
    _check_routes(position, reference)
    assert position.outcome() == outcome(reference)


def has_few_captures(position: Position, maximum: int) -> bool:
    """Return whether neither the capture graph nor the paths of legal captures exceed the maximum."""
    reference = from_core(position)
    if _are_more(visit_states(reference), maximum):
        return False
    return not _are_more(capture_paths(reference, preferred(reference, captures(reference))), maximum)


def _are_more(items: Iterable[object], maximum: int) -> bool:
    return sum(1 for _ in islice(items, maximum + 1)) > maximum


def _check_moves(position: Position, reference: ReferencePosition) -> None:
    moves = {move_from_core(move): move for move in position.legal_moves()}
    assert len(moves) == len(position.legal_moves()), "a move is listed twice"
    expected = legal_moves(reference)
    assert set(moves) == expected, _difference(set(moves), expected)
    assert position.perft(1) == len(expected), "the number of moves differs from perft"
    for expected_move, move in moves.items():
        assert position.is_legal(move)
        after, expected_after = position.play(move), play(reference, expected_move)
        assert from_core(after) == expected_after
        # A new position with the same pieces is equal, and has the same hash.
        again = to_core(expected_after)
        assert (after, hash(after), after.hash_key) == (again, hash(again), again.hash_key)
        assert position.play_unchecked(move) == after


def _check_routes(position: Position, reference: ReferencePosition) -> None:
    expected = legal_routes(reference)
    routes = [route_from_core(move) for move in position.legal_moves(paths=True)]
    assert len(set(routes)) == len(routes), "a path is listed twice"
    assert set(routes) == expected, _difference(set(routes), expected)
    assert position.perft(1, paths=True) == len(expected), "the number of paths differs from perft"
    for move in position.legal_moves():
        route = route_from_core(move)
        assert route in expected, "the path of a move is not among the listed paths"
        assert not _lands_late(position, route)


def _difference(found: AbstractSet[object], expected: AbstractSet[object]) -> str:
    """Describe the first items that are only in one of the sets."""
    wrong, missing = (sorted(map(str, each))[:5] for each in (found - expected, expected - found))
    return f"wrong: {wrong}, missing: {missing}"


def _lands_late(position: Position, route: Route) -> bool:
    """Return whether a piece that captures straight on did not land directly behind the piece before."""
    for start, landing, onward, victim in zip(route.path, route.path[1:], route.path[2:], route.captured, strict=False):
        heading = _toward(start, landing)
        step = 2 if position.variant.playable is Playable.ONE_COLOUR and 0 in heading else 1
        directly_behind = (victim[0] + step * heading[0], victim[1] + step * heading[1])
        if heading == _toward(landing, onward) and landing != directly_behind:
            return True
    return False


def _toward(start: Place, end: Place) -> Step:
    """Return the signs of the differences in row and column."""
    return _sign(end[0] - start[0]), _sign(end[1] - start[1])


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
