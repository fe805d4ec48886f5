"""Published perft counts, by the core, and by the references up to smaller counts."""

from __future__ import annotations

import pytest

from tablemen.mancala import VARIANTS, KalahRules, Position
from tests.mancala.oracle import to_reference
from tests.perft.suite import MANCALA, Block, read_suite
from tests.reference import kalah, oware

# Maximum counts of the default, slow and deep tests
QUICK, LARGE = 5_000_000, 400_000_000  # of the core
PLAIN, PLAIN_LARGE, PLAIN_HUGE = 1_200, 40_000, 3_000_000  # of the references
SUITE = read_suite(MANCALA)


def get_cases(minimum: int, maximum: int) -> list[object]:
    """Return the counts in a range, as parameters of a test."""
    return [
        pytest.param(block, depth, count, id=f"{block}-{depth}")
        for block in SUITE
        for depth, count in block.counts.items()
        if minimum <= count < maximum
    ]


def plain_perft(position: Position, depth: int) -> int:
    """Return the count of the reference."""
    plain = to_reference(position)
    return kalah.perft(plain, depth) if isinstance(plain, kalah.KalahPosition) else oware.perft(plain, depth)


def test_every_variant_has_counts() -> None:
    assert {block.variant for block in SUITE if block.name == "start"} == set(VARIANTS)


@pytest.mark.parametrize(("block", "depth", "count"), get_cases(0, QUICK))
def test_counts_of_the_core(block: Block, depth: int, count: int) -> None:
    assert block.perft(depth) == count


@pytest.mark.slow
@pytest.mark.parametrize(("block", "depth", "count"), get_cases(QUICK, LARGE))
def test_large_counts_of_the_core(block: Block, depth: int, count: int) -> None:
    assert block.perft(depth, threads=2) == count


@pytest.mark.parametrize(("block", "depth", "count"), get_cases(0, PLAIN))
def test_counts_of_the_reference(block: Block, depth: int, count: int) -> None:
    assert plain_perft(block.position, depth) == count


@pytest.mark.slow
@pytest.mark.parametrize(("block", "depth", "count"), get_cases(PLAIN, PLAIN_LARGE))
def test_large_counts_of_the_reference(block: Block, depth: int, count: int) -> None:
    assert plain_perft(block.position, depth) == count


@pytest.mark.deep
@pytest.mark.parametrize(("block", "depth", "count"), get_cases(PLAIN_LARGE, PLAIN_HUGE))
def test_huge_counts_of_the_reference(block: Block, depth: int, count: int) -> None:
    assert plain_perft(block.position, depth) == count


@pytest.mark.parametrize("name", VARIANTS)
def test_divide_counts_after_each_move(name: str) -> None:
    position = Position.start(name)
    divided = position.divide(3)
    assert tuple(divided) == position.legal_moves()
    assert divided == {move: position.play(move).perft(2) for move in position.legal_moves()}


@pytest.mark.parametrize("block", SUITE, ids=str)
def test_counts_do_not_depend_on_threads(block: Block) -> None:
    depth = max(depth for depth, count in block.counts.items() if count <= QUICK // 10)
    assert block.perft(depth, threads=2) == block.counts[depth]
    assert block.position.divide(depth, threads=2) == block.position.divide(depth)


def test_a_finished_game_has_no_moves_to_count() -> None:
    over = Position.from_text("<2,3,1,0,0,2,0> south", KalahRules(name="two", houses=2))
    assert [over.perft(depth) for depth in range(3)] == [1, 0, 0]
    assert over.divide(1) == {}


@pytest.mark.parametrize("depth", [-1, 2**40, 2**80, -(2**80)])
def test_a_depth_out_of_range_is_an_error(depth: int) -> None:
    with pytest.raises(ValueError, match="depth"):
        Position.start("kalah").perft(depth)
    with pytest.raises(ValueError, match="depth"):
        Position.start("kalah").divide(min(depth, 0))


@pytest.mark.parametrize("threads", [0, -1])
def test_too_few_threads_are_an_error(threads: int) -> None:
    with pytest.raises(ValueError, match="threads"):
        Position.start("oware").perft(3, threads=threads)
