"""The reference implementation agrees with the perft counts of independent programs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tablemen.draughts import VARIANTS, Position
from tests.reference import from_core, legal_moves, legal_routes, perft, start_position

MAX_QUICK = 3_000  # leaves of a count in the default run

# Perft counts of depth 1, 2, 3 … from the start.
COUNTS = {
    "international": (9, 81, 658, 4265),
    "killer": (9, 81, 658, 4265),
    "antidraughts": (9, 81, 658, 4265),
    "breakthrough": (9, 81, 658, 4265),
    "frisian": (9, 81, 658, 3874),
    "frysk": (9, 81, 657, 5329),
    "canadian": (11, 121, 1222),
    "srilankan": (11, 121, 1222),
    "malaysian": (11, 121, 1222),
    "spantsiretti": (9, 81, 658, 4265),
    "brazilian": (7, 49, 302, 1469, 7473),
    "filipino": (7, 49, 302, 1469, 7473),
    "russian": (7, 49, 302, 1469, 7482),
    "pool": (7, 49, 302, 1469, 7482),
    "jamaican": (7, 49, 302, 1469, 7482),
    "english": (7, 49, 302, 1469, 7361),
    "interview": (7, 49, 302, 1469, 7361),
    "czech": (7, 49, 302, 1469, 7361),
    "spanish": (7, 49, 302, 1469, 7361),
    "portuguese": (7, 49, 302, 1469, 7361),
    "italian": (7, 49, 302, 1469, 7361),
    "german": (7, 49, 302, 1469, 7361),
    "argentine": (7, 49, 302, 1469, 7361),
    "thai": (7, 49, 392, 3136),
    "turkish": (8, 64, 708, 7538),
    "armenian": (22, 484),
    "gothic": (14, 196, 2940),
}

# Depths and counts at which the variants differ.
DEEPER = {"international": (5, 27117), "frisian": (5, 21265), "brazilian": (6, 37628), "italian": (6, 36473)}


@pytest.mark.parametrize("name", COUNTS)
def test_counts_from_the_start(name: str) -> None:
    position = start_position(VARIANTS[name])
    expected = [count for count in COUNTS[name] if count <= MAX_QUICK]
    assert [perft(position, depth) for depth in range(1, len(expected) + 1)] == expected


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, counts in COUNTS.items() if counts[-1] > MAX_QUICK])
def test_larger_counts_from_the_start(name: str) -> None:
    *_, expected = COUNTS[name]
    assert perft(start_position(VARIANTS[name]), len(COUNTS[name])) == expected


@pytest.mark.slow
@pytest.mark.parametrize("name", DEEPER)
def test_deeper_counts_from_the_start(name: str) -> None:
    depth, expected = DEEPER[name]
    assert perft(start_position(VARIANTS[name]), depth) == expected


@pytest.mark.parametrize("name", VARIANTS)
def test_start_agrees_with_the_core(name: str) -> None:
    assert start_position(VARIANTS[name]) == from_core(Position.start(name))


def test_counts_of_custom_rules() -> None:
    twelve_men = replace(VARIANTS["thai"], name="thai with 12 men", start_rows=3)
    wide = replace(VARIANTS["international"], name="10 wide and 8 high", rows=8, start_rows=3)
    assert [perft(start_position(twelve_men), depth) for depth in (3, 4, 5)] == [302, 1469, 7361]
    assert [perft(start_position(wide), depth) for depth in (3, 4)] == [658, 4265]


def test_counts_with_kings() -> None:
    fen = "B:BK17,K24:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46"
    position = from_core(Position.from_fen(fen, "international"))
    assert [perft(position, depth) for depth in (1, 2, 3, 4)] == [14, 55, 1168, 5432]


def test_counts_of_a_locked_position() -> None:
    fen = "W:B12,13,14,16,18,19,21,23,24,26:W25,27,28,30,32,33,34,35,37,38"
    position = from_core(Position.from_fen(fen, "international"))
    assert [perft(position, depth) for depth in range(1, 8)] == [6, 12, 30, 73, 215, 590, 1944]


def test_routes_distinguish_landing_squares() -> None:
    position = from_core(Position.from_fen("W:WK46:B37,19", "international"))
    # The king can land on 32, 28 or 23 between the two pieces, and on 14, 10 or 5 behind the second.
    assert len(legal_moves(position)) == 3
    assert len(legal_routes(position)) == 9
