"""The questions that the core is asked, and the judge's answers."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from tablemen.draughts.board import Playable
from tests.reference.captures import capture_ways, captures, flights, preferred
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
    """Compare everything that the rules decide."""
    judged = from_core(position)
    assert to_core(judged) == position
    _check_moves(position, judged)
    _check_routes(position, judged)
    assert position.outcome() == outcome(judged)


def has_few_captures(position: Position, most: int) -> bool:
    """Whether at most so many flights can be come to, and so many ways lead to the captures that count."""
    judged = from_core(position)
    if _are_more(flights(judged), most):
        return False
    return not _are_more(capture_ways(judged, preferred(judged, captures(judged))), most)


def _are_more(things: Iterable[object], most: int) -> bool:
    return sum(1 for _ in islice(things, most + 1)) > most


def _check_moves(position: Position, judged: ReferencePosition) -> None:
    moves = {move_from_core(move): move for move in position.legal_moves()}
    assert len(moves) == len(position.legal_moves()), "a move is listed twice"
    expected = legal_moves(judged)
    assert set(moves) == expected, _difference(set(moves), expected)
    assert position.perft(1) == len(expected), "moves are not counted as they are listed"
    for expected_move, move in moves.items():
        assert position.is_legal(move)
        after, judged_after = position.play(move), play(judged, expected_move)
        assert from_core(after) == judged_after
        # Set up anew it is the same position, with the same key.
        again = to_core(judged_after)
        assert (after, hash(after), after.hash_key) == (again, hash(again), again.hash_key)
        assert position.play_unchecked(move) == after


def _check_routes(position: Position, judged: ReferencePosition) -> None:
    expected = legal_routes(judged)
    routes = [route_from_core(move) for move in position.legal_moves(paths=True)]
    assert len(set(routes)) == len(routes), "a path is listed twice"
    assert set(routes) == expected, _difference(set(routes), expected)
    assert position.perft(1, paths=True) == len(expected), "paths are not counted as they are listed"
    for move in position.legal_moves():
        route = route_from_core(move)
        assert route in expected, "a move's path is not one of its paths"
        assert not _stops_late(position, route)


def _difference(found: AbstractSet[object], expected: AbstractSet[object]) -> str:
    """What one has and the other has not; a few are enough."""
    wrong, missing = (sorted(map(str, each))[:5] for each in (found - expected, expected - found))
    return f"wrong: {wrong}, missing: {missing}"


def _stops_late(position: Position, route: Route) -> bool:
    """Whether a piece that goes straight on has not stood directly behind the piece captured before."""
    for start, landing, onward, victim in zip(route.path, route.path[1:], route.path[2:], route.captured, strict=False):
        heading = _toward(start, landing)
        step = 2 if position.variant.playable is Playable.ONE_COLOUR and 0 in heading else 1
        directly_behind = (victim[0] + step * heading[0], victim[1] + step * heading[1])
        if heading == _toward(landing, onward) and landing != directly_behind:
            return True
    return False


def _toward(start: Place, end: Place) -> Step:
    """The direction from one place to another: a row and a column at most."""
    return _sign(end[0] - start[0]), _sign(end[1] - start[1])


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
