"""One king against one king, solved by plain retrograde analysis of every position."""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations
from typing import TYPE_CHECKING, TypeAlias

from tablemen import Side
from tests.reference.board import Place, playable_places
from tests.reference.moves import legal_moves, play
from tests.reference.outcome import outcome
from tests.reference.position import ReferencePosition

if TYPE_CHECKING:
    from tablemen.draughts import DraughtsRules

Kings: TypeAlias = tuple[Place, Place, Side]  # the places of White's king and Black's, and the side to move


PLIES = 3  # the longest forced win in the known variants; test_two_kings.py checks it with `decided`


def is_decided(position: ReferencePosition) -> bool:
    """Return whether one side wins by force in a position with one king a side, by a search of `PLIES` plies."""
    return _find_winner(position, PLIES) is not None


@lru_cache(maxsize=4096)
def _find_winner(position: ReferencePosition, plies: int) -> Side | None:
    if ended := outcome(position):
        return ended.winner
    moves = legal_moves(position)
    if plies <= 1:  # only a capture can end the game now
        return next((_find_winner(play(position, move), 0) for move in moves if move.captured), None)
    winners = {_find_winner(play(position, move), plies - 1) for move in moves}
    if position.turn in winners:
        return position.turn
    return position.turn.opponent if winners == {position.turn.opponent} else None


@lru_cache(maxsize=8)
def decided(rules: DraughtsRules) -> dict[Kings, int]:
    """Return the positions in which one side wins by force, each with the number of plies to the end."""
    afters = {kings: _afters(rules, kings) for kings in all_kings(rules)}
    winners: dict[Kings, Side] = {}
    plies: dict[Kings, int] = {}
    number, changed = 0, True
    while changed:
        found = {}
        for kings, after in afters.items():
            if kings in winners:
                continue
            turn = kings[2]
            known = {winners.get(each) if isinstance(each, tuple) else each for each in after}
            if turn in known or known == {turn.opponent}:
                found[kings] = turn if turn in known else turn.opponent
        number, changed = number + 1, bool(found)
        winners |= found
        plies |= dict.fromkeys(found, number)
    return plies


def all_kings(rules: DraughtsRules) -> list[Kings]:
    """Return every position with one king a side."""
    return [(*places, turn) for places in permutations(playable_places(rules), 2) for turn in Side]


def set_up(rules: DraughtsRules, kings: Kings) -> ReferencePosition:
    """Return the position with these kings."""
    white, black, turn = kings
    return ReferencePosition(rules, turn, white_kings=frozenset({white}), black_kings=frozenset({black}))


def _afters(rules: DraughtsRules, kings: Kings) -> list[Kings | Side]:
    """Return the position after each move, or the winner if the game is over, before or after it."""
    position = set_up(rules, kings)
    if ended := outcome(position):
        assert ended.winner is not None
        return [ended.winner]
    afters: list[Kings | Side] = []
    for move in legal_moves(position):
        after = play(position, move)
        if after.white_kings and after.black_kings:
            (white,), (black,) = after.white_kings, after.black_kings
            afters.append((white, black, after.turn))
        else:
            ended = outcome(after)
            assert ended is not None
            assert ended.winner is not None
            afters.append(ended.winner)
    return afters
