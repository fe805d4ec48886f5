"""Compares a position of the core with the plain-Python references."""

from __future__ import annotations

from typing import Any

from tablemen import Side, Termination
from tablemen.mancala import NORTH, SOUTH, Capture, End, GrandSlam, KalahRules, Move, OwareRules, Position, Rest, Swap
from tests.reference import kalah, oware

ENDS: dict[End, kalah.End] = {
    End.MOVER_EMPTY: "mover empty",
    End.EITHER_EMPTY: "either empty",
    End.EITHER_EMPTY_OR_MAJORITY: "either empty or majority",
}
SLAMS: dict[GrandSlam, oware.GrandSlam] = {
    GrandSlam.NO_CAPTURE: "no capture",
    GrandSlam.CAPTURES: "captures",
    GrandSlam.FORBIDDEN: "forbidden",
    GrandSlam.REST_TO_OPPONENT: "rest to opponent",
}


def to_plain_rules(rules: KalahRules) -> kalah.Rules:
    """The same rules of Kalah for the reference."""
    return kalah.Rules(
        houses=rules.houses,
        seeds=rules.seeds,
        capture_if_opposite_empty=rules.capture is Capture.EVEN_IF_OPPOSITE_EMPTY,
        end=ENDS[rules.end],
        rest_counts=rules.rest is Rest.OWNER,
        swap=rules.swap is Swap.PIE,
    )


def to_reference(position: Position) -> kalah.KalahPosition | oware.OwarePosition:
    """The same position in plain Python."""
    rules = position.variant
    if isinstance(rules, KalahRules):
        return kalah.KalahPosition(
            to_plain_rules(rules),
            position.turn,
            kalah.lay(
                list(position.houses(SOUTH)),
                list(position.houses(NORTH)),
                south_store=position.stores[SOUTH],
                north_store=position.stores[NORTH],
            ),
            swap_ahead=position.swap_open,
        )
    assert isinstance(rules, OwareRules)
    return oware.OwarePosition(
        oware.Rules(
            houses=rules.houses,
            seeds=rules.seeds,
            grand_slam=SLAMS[rules.grand_slam],
            must_feed=rules.must_feed,
            majority_ends=rules.majority_ends,
        ),
        position.turn,
        {(side, n): count for side in Side for n, count in enumerate(position.houses(side), start=1)},
        position.stores,
    )


def facts(position: Any) -> tuple[object, ...]:
    """What both versions say of a position."""
    return position.turn, position.houses(SOUTH), position.houses(NORTH), position.stores, position.score()


def move_facts(move: Move, position: Position) -> object:
    """A move as the reference of the position's family has it."""
    if isinstance(position.variant, KalahRules):
        return kalah.Move(move.house, move.sown, move.captured, move.extra_turn)
    assert not move.extra_turn
    return oware.Move(move.house, move.sown, move.captured)


def check_agreement(position: Position) -> None:
    """Moves, what they come to, successors, score and ending are those of the reference."""
    judge: Any = to_reference(position)
    assert facts(position) == facts(judge)
    expected = judge.legal_moves()
    moves = position.legal_moves()
    assert [move_facts(move, position) for move in moves] == list(expected)
    for move, other in zip(moves, expected, strict=True):
        after, judged = position.play(move), judge.play(other)
        assert facts(after) == facts(judged)
        assert after.swap_open == getattr(judged, "swap_ahead", False)
        assert seeds(after) == seeds(position)
    check_outcome(position, judge)


def check_outcome(position: Position, judge: Any) -> None:
    """The game is over when no move is left; who has more has won."""
    outcome = position.outcome()
    assert (outcome is None) == bool(judge.legal_moves())
    if outcome is None:
        return
    score = judge.score()
    assert outcome.winner == (None if score[SOUTH] == score[NORTH] else max(Side, key=lambda side: score[side]))
    total, empty = seeds(position), [not any(position.houses(side)) for side in Side]
    match outcome.termination:
        case Termination.MAJORITY:
            assert max(position.stores.values()) > total / 2
        case Termination.NO_SEEDS:
            assert any(empty)
        case termination:
            assert termination is Termination.NO_MOVE
            assert isinstance(position.variant, OwareRules)
            assert any(position.houses(position.turn))


def seeds(position: Position) -> int:
    """All seeds on the board."""
    return sum(map(sum, (position.houses(SOUTH), position.houses(NORTH)))) + sum(position.stores.values())
