"""The reference implementation of Kalah: values that other programs have proven, and disputed rules."""

from __future__ import annotations

import pytest

from tests.reference.kalah import NORTH, SOUTH, KalahPosition, Move, Rules, lay, margin, perft

DEFAULT = Rules()
OPEN_SPIEL = Rules(end="either empty")
IRVING = Rules(end="either empty", capture_if_opposite_empty=True)

# The first player's margin for 1, 2, 3, … seeds in each house, from independent solvers.
VALUES = [
    (DEFAULT, 1, "0 -2 +6 -2 0 0"),
    (OPEN_SPIEL, 1, "0 -2 +6 -2 +2 0"),
    (IRVING, 1, "0 -2 +6 -2 +2 0"),
    (DEFAULT, 2, "+2 -2 -2 -12 +6 +8"),
    (OPEN_SPIEL, 2, "+2 -2 -2 -10 +6 +8"),
    (IRVING, 2, "+2 -2 -2 -12 +6 +8"),
    (DEFAULT, 3, "0 +4"),
    (OPEN_SPIEL, 3, "0 +4"),
    (IRVING, 3, "0 +4"),
]
HARDER_VALUES = [
    (DEFAULT, 3, "0 +4 +2"),
    (OPEN_SPIEL, 3, "0 +4 +2"),
    (IRVING, 3, "0 +4 +2"),
    (DEFAULT, 4, "+2"),
    (OPEN_SPIEL, 4, "+2"),
    (IRVING, 5, "0"),
]


def resize(rules: Rules, houses: int, seeds: int) -> Rules:
    return Rules(houses=houses, seeds=seeds, end=rules.end, capture_if_opposite_empty=rules.capture_if_opposite_empty)


def compute_margins(rules: Rules, houses: int, values: str) -> list[int]:
    sizes = range(1, len(values.split()) + 1)
    return [margin(KalahPosition.start(resize(rules, houses, seeds))) for seeds in sizes]


@pytest.mark.parametrize(("rules", "houses", "values"), VALUES)
def test_margins_agree_with_independent_solvers(rules: Rules, houses: int, values: str) -> None:
    assert compute_margins(rules, houses, values) == [int(value) for value in values.split()]


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "houses", "values"), HARDER_VALUES)
def test_margins_on_larger_boards_agree_with_independent_solvers(rules: Rules, houses: int, values: str) -> None:
    assert compute_margins(rules, houses, values) == [int(value) for value in values.split()]


def test_the_first_moves_are_counted_correctly() -> None:
    # House 3 ends in the store, and five houses are left for the extra turn.
    assert [perft(KalahPosition.start(DEFAULT), depth) for depth in range(3)] == [1, 6, 5 * 6 + 5]


def play_south(rules: Rules, house: int, south: list[int], north: list[int]) -> tuple[Move, KalahPosition]:
    position = KalahPosition(rules, SOUTH, lay(south, north))
    move = next(move for move in position.legal_moves() if move.house == house)
    return move, position.play(move)


def test_a_full_lap_captures_the_seed_sown_opposite() -> None:
    move, position = play_south(DEFAULT, 2, [0, 13, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0])
    assert move == Move(house=2, sown=13, captured=2, extra_turn=False)
    assert position.houses(SOUTH) == (1, 0, 1, 1, 1, 1)
    assert position.houses(NORTH) == (1, 1, 1, 1, 0, 1)
    assert position.stores == {SOUTH: 3, NORTH: 0}


def test_the_store_of_the_opponent_is_not_sown() -> None:
    _, position = play_south(DEFAULT, 6, [1, 1, 0, 0, 0, 9], [1] * 6)
    assert position.stores == {SOUTH: 1, NORTH: 0}
    assert position.houses(SOUTH) == (2, 2, 0, 0, 0, 0)


@pytest.mark.parametrize(("rules", "captured"), [(DEFAULT, 0), (IRVING, 1)])
def test_capture_opposite_an_empty_house_depends_on_the_rules(rules: Rules, captured: int) -> None:
    move, _ = play_south(rules, 1, [1, 0, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0])
    assert move.captured == captured


@pytest.mark.parametrize(("rules", "is_over"), [(DEFAULT, False), (OPEN_SPIEL, True), (IRVING, True)])
def test_the_end_by_empty_houses_depends_on_the_rules(rules: Rules, *, is_over: bool) -> None:
    assert KalahPosition(rules, SOUTH, lay([1, 0, 0, 0, 0, 0], [0] * 6)).is_over() is is_over
    assert KalahPosition(rules, NORTH, lay([1, 0, 0, 0, 0, 0], [0] * 6)).is_over()


@pytest.mark.parametrize(("store", "is_over"), [(24, False), (25, True)])
def test_a_majority_ends_the_game(store: int, *, is_over: bool) -> None:
    rules = Rules(end="either empty or majority")
    board = lay([24 - store // 2, 0, 0, 0, 0, 0], [24 - (store + 1) // 2, 0, 0, 0, 0, 0], south_store=store)
    assert sum(board.values()) == 48
    assert KalahPosition(rules, NORTH, board).is_over() is is_over


def test_remaining_seeds_count_or_not() -> None:
    board = lay([0] * 6, [2, 0, 1, 0, 0, 0], south_store=2, north_store=1)
    counted, not_counted = (KalahPosition(Rules(rest_counts=rest), SOUTH, board) for rest in (True, False))
    assert (counted.score(), counted.winner()) == ({SOUTH: 2, NORTH: 4}, NORTH)
    assert (not_counted.score(), not_counted.winner()) == ({SOUTH: 2, NORTH: 1}, SOUTH)


def test_the_second_player_may_swap_at_the_first_turn_only() -> None:
    start = KalahPosition.start(Rules(swap=True))
    opened = start.play(start.legal_moves()[2])  # an extra turn of the first player
    assert not any(move.is_swap for move in (*start.legal_moves(), *opened.legal_moves()))
    moved = opened.play(opened.legal_moves()[0])
    swap = moved.legal_moves()[-1]
    assert swap.is_swap
    swapped = moved.play(swap)
    assert swapped.turn is SOUTH
    assert swapped.houses(NORTH) == moved.houses(SOUTH)
    assert swapped.stores == {SOUTH: 0, NORTH: 1}
    for reply in moved.legal_moves():
        after_reply = moved.play(reply)
        later = [after_reply.play(move) for move in after_reply.legal_moves()]
        assert not any(move.is_swap for position in (after_reply, *later) for move in position.legal_moves())
