"""Exact scores agree with retrograde analysis of all positions of a tiny board.

Without pruning, the search must find each win and loss within its depth, with the exact number of plies. With pruning,
it may find a longer win first, or none yet, but its scores must be correct: the side that it gives as the winner wins
in at most that many plies, and the move that it returns preserves the win.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random
from typing import TypeAlias

import pytest

from tablemen import Game, Side
from tablemen.draughts import INTERNATIONAL, VARIANTS, DraughtsRules, Move, Position
from tablemen.draws import DrawRule, Repetition
from tablemen.search import Limit, Searcher, SearchResult
from tests.reference.minimax import Value, minimax
from tests.reference.retrograde import Verdict, all_positions, analyse, tiny

Verdicts: TypeAlias = dict[Position, Verdict | None]

# Short and flying kings, crowning during a capture, precedence, a losing game, a win on the far row.
RULES = ("english", "international", "russian", "italian", "antidraughts", "breakthrough")
MOVE_FIELDS = (
    *("columns", "rows", "playable", "man_moves", "man_captures", "men_capture_kings", "promotion", "flying_kings"),
    *("king_moves", "king_captures", "king_landing", "king_move_limit", "capture_compulsory", "precedence", "removal"),
    *(
        "reverse_captures",
        "losing",
        "breakthrough",
        "lone_piece_loses",
        "lone_man_loses_to_king",
        "start_rows",
        "draws",
    ),
)
ALL_SQUARES = ("turkish", "armenian", "gothic")  # boards with twice as many playable squares
DRAWS: dict[str, tuple[DrawRule, ...]] = {"no draws": (), "repetition": (Repetition(3),)}

with_draws = pytest.mark.parametrize("draws", DRAWS)


@cache
def get_verdicts(name: str, size: int, pieces: int, draws: str = "no draws") -> Verdicts:
    return analyse(all_positions(tiny(VARIANTS[name], size, DRAWS[draws]), pieces))


def undecided(verdicts: Verdicts) -> list[Position]:
    """Return the positions of unfinished games."""
    return [position for position, verdict in verdicts.items() if verdict is None or verdict.plies]


def sample(verdicts: Verdicts, count: int) -> list[Position]:
    """Return a fixed sample."""
    positions = undecided(verdicts)
    return Random(2024).sample(positions, min(count, len(positions)))


def check_unpruned(verdicts: Verdicts, positions: list[Position], depth: int) -> None:
    """Check that every result within the depth is exact without pruning."""
    searcher = Searcher(pruning=False, table_mb=1)
    for position in positions:
        verdict, score = verdicts[position], searcher.choose(position, Limit(depth=depth)).score
        if verdict is None or verdict.plies > depth:
            assert score.plies is None, f"{position!r}: {score}, but {verdict}"
            continue
        assert (score.is_win, score.is_loss, score.plies) == (verdict.wins, not verdict.wins, verdict.plies), (
            f"{position!r}: {score}, but {verdict}"
        )


def check_claims(verdicts: Verdicts, position: Position, result: SearchResult[Move]) -> None:
    """Check that the score is correct, and that the move preserves it."""
    verdict, score, words = verdicts[position], result.score, f"{position!r}: {result.score}, but {verdicts[position]}"
    after = verdicts[position.play(result.move)]
    if score.is_win or score.is_loss:
        assert verdict is not None, words
        assert verdict.wins == score.is_win, words
        assert score.plies is not None, words
        assert score.plies >= verdict.plies, words
        assert (score.plies - verdict.plies) % 2 == 0, words
    if score.is_win:
        assert after is not None, words
        assert not after.wins, words
        assert score.plies is not None, words
        assert after.plies < score.plies, words
    if score.is_draw and score.exact:
        assert verdict is None, words
        assert after is None, words


def check_pruned(verdicts: Verdicts, positions: list[Position], limit: Limit, *, found: int) -> None:
    """Check that no score is wrong with pruning, and that results within `found` plies are found."""
    searcher = Searcher(table_mb=4)
    for position in positions:
        result, verdict = searcher.choose(position, limit), verdicts[position]
        check_claims(verdicts, position, result)
        if verdict is not None and verdict.plies <= found:
            assert result.score.plies == verdict.plies, f"{position!r}: {result.score}, but {verdict}"


@with_draws
@pytest.mark.parametrize("name", RULES)
def test_unpruned_scores_are_exact_on_four_by_four(name: str, draws: str) -> None:
    verdicts = get_verdicts(name, 4, 3, draws)
    check_unpruned(verdicts, sample(verdicts, 150), 4)


@with_draws
@pytest.mark.parametrize("name", RULES)
def test_pruned_scores_are_correct_on_four_by_four(name: str, draws: str) -> None:
    verdicts = get_verdicts(name, 4, 3, draws)
    check_pruned(verdicts, sample(verdicts, 150), Limit(depth=10), found=5)


@with_draws
@pytest.mark.parametrize("name", RULES)
def test_scores_of_two_pieces_are_correct_on_six_by_six(name: str, draws: str) -> None:
    verdicts = get_verdicts(name, 6, 2, draws)
    check_unpruned(verdicts, sample(verdicts, 100), 3)
    check_pruned(verdicts, sample(verdicts, 100), Limit(depth=12), found=5)


def distinct_on_four_by_four() -> list[str]:
    """Return the variants that differ from all earlier ones in more than names and boards."""
    names: dict[DraughtsRules, str] = {}
    for name, rules in VARIANTS.items():
        plain = replace(INTERNATIONAL, **{field: getattr(tiny(rules, 4), field) for field in MOVE_FIELDS})
        names.setdefault(plain, name)
    return list(names.values())


@pytest.mark.slow
@pytest.mark.parametrize("name", distinct_on_four_by_four())
def test_scores_of_every_variant_are_correct_on_four_by_four(name: str) -> None:
    verdicts = get_verdicts(name, 4, 2 if name in ALL_SQUARES else 3)
    check_unpruned(verdicts, sample(verdicts, 300), 3)
    # Positions with Black to move are the same with the board turned around.
    positions = [position for position in undecided(verdicts) if position.turn is Side.WHITE]
    check_pruned(verdicts, positions, Limit(depth=8), found=3)


@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
def test_scores_of_four_pieces_are_correct_on_four_by_four(name: str) -> None:
    verdicts = get_verdicts(name, 4, 4)
    check_pruned(verdicts, sample(verdicts, 1500), Limit(depth=8), found=3)


@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
def test_scores_of_three_pieces_are_correct_on_six_by_six(name: str) -> None:
    verdicts = get_verdicts(name, 6, 3, "repetition")
    check_unpruned(verdicts, sample(verdicts, 500), 3)
    check_pruned(verdicts, sample(verdicts, 500), Limit(depth=12), found=5)


@pytest.mark.deep
@with_draws
@pytest.mark.parametrize("name", RULES)
def test_all_scores_of_three_pieces_are_correct_on_six_by_six(name: str, draws: str) -> None:
    verdicts = get_verdicts(name, 6, 3, draws)
    check_unpruned(verdicts, undecided(verdicts), 3)
    check_pruned(verdicts, undecided(verdicts), Limit(depth=12), found=5)


# The retrograde analysis itself


def test_every_position_is_analysed() -> None:
    """Count positions of two kings, a king and a man, or two men on eight squares, with either side to move."""
    rules = tiny(VARIANTS["english"], 4)
    positions = list(all_positions(rules, 2))
    assert len(positions) == len(set(positions)) == 2 * (8 * 7 + 2 * (6 * 7) + (2 * 6 + 4 * 5))
    assert set(positions) <= set(get_verdicts("english", 4, 2))


@pytest.mark.parametrize("name", RULES)
def test_retrograde_analysis_and_minimax_agree(name: str) -> None:
    verdicts = get_verdicts(name, 4, 3)
    for position in sample(verdicts, 150):
        value, verdict = minimax(Game(position), 3, lambda _position: 0.0), verdicts[position]
        if verdict is None or verdict.plies > 3:
            assert value == Value(0, 0), repr(position)
        else:
            assert value == (Value(1, -verdict.plies) if verdict.wins else Value(-1, verdict.plies)), repr(position)
