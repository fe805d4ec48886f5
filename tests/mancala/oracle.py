"""Comparison of positions of the core with the reference implementations in plain Python."""

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
    """Return the rules of Kalah in the form of the reference."""
    return kalah.Rules(
        houses=rules.houses,
        seeds=rules.seeds,
        capture_if_opposite_empty=rules.capture is Capture.EVEN_IF_OPPOSITE_EMPTY,
        end=ENDS[rules.end],
        rest_counts=rules.rest is Rest.OWNER,
        swap=rules.swap is Swap.PIE,
    )


def to_reference(position: Position) -> kalah.KalahPosition | oware.OwarePosition:
    """Return the position in the form of the reference."""
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
    """Return the properties of a position that both implementations have."""
    return position.turn, position.houses(SOUTH), position.houses(NORTH), position.stores, position.score()


def move_facts(move: Move, position: Position) -> object:
    """Return the move in the form of the reference."""
    if isinstance(position.variant, KalahRules):
        return kalah.Move(move.house, move.sown, move.captured, move.extra_turn)
    assert not move.extra_turn
    return oware.Move(move.house, move.sown, move.captured)


def check_agreement(position: Position) -> None:
    """Check moves, captures, successors, score and outcome against the reference."""
    reference: Any = to_reference(position)
    assert facts(position) == facts(reference)
    expected = reference.legal_moves()
    moves = position.legal_moves()
    assert [move_facts(move, position) for move in moves] == list(expected)
    for move, other in zip(moves, expected, strict=True):
        after, expected_after = position.play(move), reference.play(other)
        assert facts(after) == facts(expected_after)
        assert after.swap_open == getattr(expected_after, "swap_ahead", False)
        assert count_seeds(after) == count_seeds(position)
    check_outcome(position, reference)


def check_outcome(position: Position, reference: Any) -> None:
    """Check that the game is over if there is no legal move, and that the side with more seeds wins."""
    outcome = position.outcome()
    assert (outcome is None) == bool(reference.legal_moves())
    if outcome is None:
        return
    score = reference.score()
    assert outcome.winner == (None if score[SOUTH] == score[NORTH] else max(Side, key=lambda side: score[side]))
    total, empty = count_seeds(position), [not any(position.houses(side)) for side in Side]
    match outcome.termination:
        case Termination.MAJORITY:
            assert max(position.stores.values()) > total / 2
        case Termination.NO_SEEDS:
            assert any(empty)
        case termination:
            assert termination is Termination.NO_MOVE
            assert isinstance(position.variant, OwareRules)
            assert any(position.houses(position.turn))


def count_seeds(position: Position) -> int:
    """Return the number of seeds on the board."""
    return sum(map(sum, (position.houses(SOUTH), position.houses(NORTH)))) + sum(position.stores.values())
