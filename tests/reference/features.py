"""A reference implementation of the evaluation features, to test the compiled ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from tablemen import Side
from tablemen.draughts.rules import Direction
from tests.reference.board import Place, Step, is_playable, lines, playable_places, steps
from tests.reference.position import ReferencePosition

AHEAD = Direction.FORWARD | Direction.FORWARD_DIAGONALS


def features(position: ReferencePosition) -> dict[str, int]:
    """Return the features by name: the count of the side to move minus that of its opponent."""
    turn = position.turn
    own, other = Counter(_of_side(position, turn)), Counter(_of_side(position, turn.opponent))
    own.subtract(other)
    return {**own, "turn": 1, "opposition": _opposition(position)}


def _of_side(position: ReferencePosition, side: Side) -> dict[str, int]:
    men, kings = position.men(side), position.kings(side)
    their_kings = position.kings(side.opponent)
    lines = list(_attack_lines(position, side))
    return {
        "man": len(men),
        "man_against_king": len(men) if their_kings else 0,
        "king": min(1, len(kings)),
        "further_king": max(0, len(kings) - 1),
        "further_king_against_king": max(0, len(kings) - 1) if their_kings else 0,
        "support": _support(position, side),
        "loose": sum(_is_open(position, side, before) and _is_empty(position, behind) for _, before, behind in lines),
        "hanging": len(
            {
                man
                for man, before, behind in lines
                if before in position.men(side.opponent) and _is_empty(position, behind)
            }
        ),
        "step": sum(len(_man_steps(position, side, man)) for man in men),
        "stuck": sum(not _man_steps(position, side, man) for man in men),
        "runner": sum(not (_ahead(position, side, man) & _pieces(position, side.opponent)) for man in men),
        "imbalance": abs(sum(_half(position, man) for man in men)),
        **_king_squares(position, side),
    }


def _pieces(position: ReferencePosition, side: Side) -> frozenset[Place]:
    return position.men(side) | position.kings(side)


def _is_empty(position: ReferencePosition, place: Place) -> bool:
    return is_playable(position.rules, place) and place not in _taken(position)


@lru_cache(maxsize=4)
def _taken(position: ReferencePosition) -> frozenset[Place]:
    return _pieces(position, Side.WHITE) | _pieces(position, Side.BLACK)


def _is_open(position: ReferencePosition, side: Side, place: Place) -> bool:
    """Return whether an enemy is or could be on a place."""
    return is_playable(position.rules, place) and place not in _pieces(position, side)


def _add(place: Place, step: Step, times: int = 1) -> Place:
    return place[0] + times * step[0], place[1] + times * step[1]


def _attack_lines(position: ReferencePosition, side: Side) -> Iterator[tuple[Place, Place, Place]]:
    """Yield the men of the side, each with the place of a capturing enemy man and its landing place."""
    for man in position.men(side):
        for step in steps(position.rules, side.opponent, position.rules.man_captures):
            yield man, _add(man, step, -1), _add(man, step)


def _support(position: ReferencePosition, side: Side) -> int:
    directions = steps(position.rules, side, position.rules.man_moves & AHEAD)
    return sum(_add(man, step, -1) in _pieces(position, side) for man in position.men(side) for step in directions)


def _man_steps(position: ReferencePosition, side: Side, man: Place) -> list[Place]:
    directions = steps(position.rules, side, position.rules.man_moves)
    return [place for step in directions if _is_empty(position, place := _add(man, step))]


def _ahead(position: ReferencePosition, side: Side, man: Place) -> set[Place]:
    """Return the places that a man could reach on an empty board by forward moves."""
    found: set[Place] = set()
    waiting = [man]
    while waiting:
        place = waiting.pop()
        for step in steps(position.rules, side, position.rules.man_moves & AHEAD):
            following = _add(place, step)
            if is_playable(position.rules, following) and following not in found:
                found.add(following)
                waiting.append(following)
    return found


def _half(position: ReferencePosition, place: Place) -> int:
    """Return -1 for the left half of the board, 1 for the right half, 0 for the middle column."""
    doubled = 2 * place[1] + 1 - position.rules.columns
    return (doubled > 0) - (doubled < 0)


def _king_squares(position: ReferencePosition, side: Side) -> dict[str, int]:
    reach = denied = trapped = 0
    for king in position.kings(side):
        targets = list(_king_moves(position, side, king))
        unsafe = sum(_is_guarded(position, side.opponent, place) for place in targets)
        reach += len(targets) - unsafe
        denied += unsafe
        trapped += len(targets) == unsafe
    return {"king_reach": reach, "king_denied": denied, "king_trapped": trapped}


def _king_moves(position: ReferencePosition, side: Side, king: Place) -> Iterator[Place]:
    line = lines(position.rules)
    for step in steps(position.rules, side, position.rules.king_moves):
        for place in line(king, step):
            if not _is_empty(position, place):
                break
            yield place
            if not position.rules.flying_kings:
                break


def _is_guarded(position: ReferencePosition, side: Side, place: Place) -> bool:
    """Return whether a man of the side could capture a king on a place."""
    return position.rules.men_capture_kings and any(
        _add(place, step, -1) in position.men(side) and _is_empty(position, _add(place, step))
        for step in steps(position.rules, side, position.rules.man_captures)
    )


def _opposition(position: ReferencePosition) -> int:
    """Return 1 or -1: who has the opposition, by the number of pieces on certain columns.

    These are the columns whose square in the first row of the side to move is playable. An odd number of pieces on
    them is 1. The result is 0 if the sides have different numbers of pieces, or if all squares are playable.
    """
    rules, turn = position.rules, position.turn
    counts = [len(_pieces(position, side)) for side in Side]
    board = playable_places(rules)
    if counts[0] != counts[1] or len(board) == rules.rows * rules.columns:
        return 0
    first_row = rules.rows - 1 if turn is Side.WHITE else 0
    columns = {column for row, column in board if row == first_row}
    return 1 if sum(column in columns for _, column in _taken(position)) % 2 else -1
