"""The published counts, and what counting promises besides."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablemen import NotationError
from tablemen.draughts import VARIANTS, Position
from tests.perft.suite import Block, parse_perft, read_perft, read_suite

QUICK = 2_000_000  # leaves that a count of the default run may have
LARGE = 300_000_000  # and one that is marked slow
LARGE_SMALL = 1_000_000_000  # the same on a board of 32 squares, which is counted to depth 11
SUITE = read_suite()


def size(block: Block, depth: int, count: int) -> str:
    """How long a count takes: quick, slow or deep."""
    if count <= QUICK:
        return "quick"
    small_board = len(block.position.variant.mover.squares) == 32
    return "slow" if count <= (LARGE_SMALL if small_board and depth <= 11 else LARGE) else "deep"


def cases(wanted: str) -> list[object]:
    """Every count of a size, as parameters of a test."""
    return [
        pytest.param(block, depth, count, id=f"{block}-{depth}")
        for block in SUITE
        for depth, count in block.counts.items()
        if size(block, depth, count) == wanted
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
def test_divide_counts_behind_each_move(name: str) -> None:
    position = Position.start(name)
    assert position.divide(3) == {move: position.play(move).perft(2) for move in position.legal_moves()}


@pytest.mark.parametrize("block", SUITE, ids=str)
def test_threads_count_alike(block: Block) -> None:
    depth = max(depth for depth, count in block.counts.items() if count <= QUICK // 4)
    assert block.position.perft(depth, threads=2) == block.position.perft(depth, threads=1)
    assert block.position.divide(depth, threads=2) == block.position.divide(depth, threads=1)


def paths(position: Position, depth: int) -> int:
    """The leaves of the tree in which every path of a capture is a move of its own."""
    moves = position.legal_moves(paths=True)
    return len(moves) if depth == 1 else sum(paths(position.play(move), depth - 1) for move in moves)


@pytest.mark.parametrize("block", SUITE, ids=str)
def test_paths_are_counted_as_they_are_listed(block: Block) -> None:
    depth = max(depth for depth, count in block.counts.items() if count <= QUICK // 500)
    assert block.position.perft(depth, paths=True) == paths(block.position, depth)


def test_depth_zero_is_the_position_itself() -> None:
    assert Position.start("international").perft(0) == 1


def test_a_finished_game_has_no_leaves() -> None:
    lost = Position.from_fen("W:W:B1", "international")
    assert [lost.perft(depth) for depth in range(3)] == [1, 0, 0]
    assert lost.divide(1) == {}


@pytest.mark.parametrize("depth", [-1, 2**40, 2**80, -(2**80)])
def test_a_depth_out_of_range_is_refused(depth: int) -> None:
    with pytest.raises(ValueError, match="depth"):
        Position.start("english").perft(depth)


@pytest.mark.parametrize("depth", [0, -1])
def test_divide_needs_a_move_to_divide_by(depth: int) -> None:
    with pytest.raises(ValueError, match="depth"):
        Position.start("english").divide(depth)


@pytest.mark.parametrize("threads", [0, -1])
def test_no_threads_are_refused(threads: int) -> None:
    with pytest.raises(ValueError, match="threads"):
        Position.start("english").perft(3, threads=threads)


GOOD = """\
# Thai checkers.

[start]
source somebody
source somebody else
1 7

[12 men a side]
rules start_rows=3 losing=True
fen W:W30:B2
count paths
source somebody
2 3
4 5
"""


def test_a_file_is_read() -> None:
    first, second = parse_perft(GOOD, "thai")
    assert first == Block("thai", "start", Position.start("thai"), ("somebody", "somebody else"), {1: 7})
    assert (second.name, second.counts, str(second)) == ("12 men a side", {2: 3, 4: 5}, "thai-12_men_a_side")
    assert (second.position.variant.start_rows, second.position.variant.losing) == (3, True)
    assert (first.paths, second.paths) == (False, True)
    assert second.position == Position.from_fen("W:W30:B2", second.position.variant)


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("", 1, "no block"),
        ("# a\n\n1 7\n", 3, "begins with its name"),
        ("[start\nsource a\n1 7", 1, "not a name in brackets"),
        ("[]\nsource a\n1 7", 1, "not a name in brackets"),
        ("[a]\nsource a\n1 7\n[a]\n", 4, "a second block"),
        ("[a]\nsource\n1 7", 2, "nothing after 'source'"),
        ("[a]\nsource a\n1", 3, "nothing after '1'"),
        ("[a]\nsource a\n1 seven", 3, "cannot be read"),
        ("[a]\nsource a\n-1 7", 3, "cannot be read"),
        ("[a]\nsource a\n2 7\n2 7", 4, "depth 2 after depth 2"),
        ("[a]\nsource a\n0 1", 3, "depth 0 after"),
        ("[a]\ncount twice", 2, "cannot be read"),
        ("[a]\nrules start_rows", 2, "not field=value"),
        ("[a]\nrules start_rows=three", 2, "malformed"),
        ("[a]\nrules start_rows=", 2, "invalid syntax"),
        ("[a]\nrules start_lines=3", 2, "start_lines"),
        ("[a]\nrules start_rows=9", 2, "do not fit"),
        ("[a]\nfen W:W99:B1", 2, "99"),
        ("[a]\nfen W:W30:B1\nrules start_rows=2", 3, "rules come before"),
        ("[a]\n\n[b]\nsource a\n1 7", 1, "has no sources"),
        ("[a]\nsource a\n1 7\n[b]\nsource a\n", 4, "has no counts"),
    ],
)
def test_a_bad_file_names_the_line(text: str, line: int, problem: str) -> None:
    with pytest.raises(NotationError, match=problem) as caught:
        parse_perft(text, "english")
    assert caught.value.line == line


def test_a_bad_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "english.perft"
    path.write_text("[start]\nsource somebody\n1 seven\n", encoding="utf-8")
    with pytest.raises(NotationError, match="line 3") as caught:
        read_perft(path)
    assert caught.value.__notes__ == ["in english.perft"]
