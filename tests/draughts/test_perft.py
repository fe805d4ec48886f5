"""Perft counts agree with published ones; options and errors of perft, and of the files of counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablemen import ArgumentError, NotationError
from tablemen.draughts import VARIANTS, Position
from tests.draughts import invalid_input
from tests.perft.suite import Block, parse_perft, read_perft, read_suite

MAX_QUICK = 2_000_000  # leaves of a count in the default run
MAX_SLOW = 300_000_000  # leaves of a count that is marked slow
MAX_SLOW_SMALL = 1_000_000_000  # the same on a board of 32 squares, up to depth 11
SUITE = read_suite()


def size(block: Block, depth: int, count: int) -> str:
    """Return whether a count is quick, slow or deep."""
    if count <= MAX_QUICK:
        return "quick"
    small_board = len(block.position.variant.mover.squares) == 32
    return "slow" if count <= (MAX_SLOW_SMALL if small_board and depth <= 11 else MAX_SLOW) else "deep"


def cases(kind: str) -> list[object]:
    """Return the counts that are quick, slow or deep, as parameters of a test."""
    return [
        pytest.param(block, depth, count, id=f"{block}-{depth}")
        for block in SUITE
        for depth, count in block.counts.items()
        if size(block, depth, count) == kind
    ]


def test_every_variant_has_a_file() -> None:
    assert {block.variant for block in SUITE if block.name == "start"} == set(VARIANTS)


@pytest.mark.parametrize(("block", "depth", "count"), cases("quick"))
def test_count(block: Block, depth: int, count: int) -> None:
    assert block.perft(depth) == count


@pytest.mark.slow
@pytest.mark.parametrize(("block", "depth", "count"), cases("slow"))
def test_large_count(block: Block, depth: int, count: int) -> None:
    assert block.perft(depth, threads=2) == count


@pytest.mark.deep
@pytest.mark.parametrize(("block", "depth", "count"), cases("deep"))
def test_huge_count(block: Block, depth: int, count: int) -> None:
    assert block.perft(depth, threads=2) == count


@pytest.mark.parametrize("name", VARIANTS)
def test_divide_adds_up_to_perft(name: str) -> None:
    position = Position.start(name)
    divided = position.divide(4)
    assert tuple(divided) == position.legal_moves()
    assert sum(divided.values()) == position.perft(4)


@pytest.mark.parametrize("name", VARIANTS)
def test_divide_is_the_perft_after_each_move(name: str) -> None:
    position = Position.start(name)
    assert position.divide(3) == {move: position.play(move).perft(2) for move in position.legal_moves()}


@pytest.mark.parametrize("block", SUITE, ids=str)
def test_threads_do_not_change_counts(block: Block) -> None:
    depth = max(depth for depth, count in block.counts.items() if count <= MAX_QUICK // 4)
    assert block.position.perft(depth, threads=2) == block.position.perft(depth, threads=1)
    assert block.position.divide(depth, threads=2) == block.position.divide(depth, threads=1)


def paths(position: Position, depth: int) -> int:
    """Count leaves with every path of a capture as a separate move."""
    moves = position.legal_moves(paths=True)
    return len(moves) if depth == 1 else sum(paths(position.play(move), depth - 1) for move in moves)


@pytest.mark.parametrize("block", SUITE, ids=str)
def test_paths_are_counted_as_listed(block: Block) -> None:
    depth = max(depth for depth, count in block.counts.items() if count <= MAX_QUICK // 500)
    assert block.position.perft(depth, paths=True) == paths(block.position, depth)


def test_depth_zero_is_the_position_itself() -> None:
    assert Position.start("international").perft(0) == 1


def test_game_over_has_no_leaves() -> None:
    lost = Position.from_fen("W:W:B1", "international")
    assert [lost.perft(depth) for depth in range(3)] == [1, 0, 0]
    assert lost.divide(1) == {}


@pytest.mark.parametrize("depth", [-1, 2**40, 2**80, -(2**80)])
def test_depth_out_of_range_is_rejected(depth: int) -> None:
    with pytest.raises(ArgumentError) as caught:
        Position.start("english").perft(depth)
    assert caught.value.name == "depth"


@pytest.mark.parametrize("depth", [0, -1])
def test_divide_needs_a_depth_of_at_least_1(depth: int) -> None:
    with pytest.raises(ArgumentError) as caught:
        Position.start("english").divide(depth)
    assert (caught.value.name, caught.value.value) == ("depth", depth)


@pytest.mark.parametrize("threads", [0, -1])
def test_perft_needs_at_least_one_thread(threads: int) -> None:
    with pytest.raises(ArgumentError) as caught:
        Position.start("english").perft(3, threads=threads)
    assert (caught.value.name, caught.value.value) == ("threads", threads)


GOOD = """\
# Thai checkers.

[start]
source a program
source another program
1 7

[12 men a side]
rules start_rows=3 losing=True
fen W:W30:B2
count paths
source a program
2 3
4 5
"""


def test_parse_file() -> None:
    first, second = parse_perft(GOOD, "thai")
    assert first == Block("thai", "start", Position.start("thai"), ("a program", "another program"), {1: 7})
    assert (second.name, second.counts, str(second)) == ("12 men a side", {2: 3, 4: 5}, "thai-12_men_a_side")
    assert (second.position.variant.start_rows, second.position.variant.losing) == (3, True)
    assert (first.paths, second.paths) == (False, True)
    assert second.position == Position.from_fen("W:W30:B2", second.position.variant)


@pytest.mark.parametrize(("text", "line"), invalid_input.PERFT_FILES)
def test_error_in_a_file_has_its_line(text: str, line: int) -> None:
    with pytest.raises(NotationError) as caught:
        parse_perft(text, "english")
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("setting", "kind"), [("start_rows=three", ValueError), ("start_rows=", SyntaxError), ("start_lines=3", TypeError)]
)
def test_invalid_setting_in_a_file(setting: str, kind: type[Exception]) -> None:
    with pytest.raises(NotationError) as caught:
        parse_perft(f"[a]\nrules {setting}", "english")
    assert caught.value.line == 2
    assert type(caught.value.__cause__) is kind


def test_error_has_the_file_name_as_a_note(tmp_path: Path) -> None:
    path = tmp_path / "english.perft"
    path.write_text("[start]\nsource a program\n1 seven\n", encoding="utf-8")
    with pytest.raises(NotationError) as caught:
        read_perft(path)
    assert caught.value.line == 3
    assert caught.value.__notes__ == ["in english.perft"]
