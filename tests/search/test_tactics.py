"""The search finds known shots, forced wins and draws, which full searches prove."""

from __future__ import annotations

from collections import Counter

import pytest

from tablemen import Side
from tablemen.draughts import VARIANTS, Kind, Move
from tablemen.search import Limit, Searcher, SearchResult
from tests.draughts.tactics import Tactic, read_tactics
from tests.reference.proof import balance, moves_that_gain, shortest_win, winning_moves
from tests.reference.retrograde import analyse

TACTICS = read_tactics()
NODES = 50_000
MAX_PROOF = 9  # plies; longer wins are proven by retrograde analysis
MAIN = (
    *("international", "frisian", "russian", "brazilian", "english", "italian", "spanish", "czech", "pool", "turkish"),
    *("antidraughts", "breakthrough", "killer", "canadian"),
)


def is_ending(block: Tactic) -> bool:
    """Return whether only retrograde analysis can prove the result."""
    return block.drawn or bool(block.win and block.win > MAX_PROOF)


WINS = [block for block in TACTICS if block.win and not is_ending(block)]
LONG_WINS = [block for block in TACTICS if block.win and is_ending(block)]
GAINS = [block for block in TACTICS if block.gain]
DRAWS = [block for block in TACTICS if block.drawn]


def test_every_variant_has_its_positions() -> None:
    counts = Counter(block.variant.name for block in TACTICS)
    assert set(counts) == set(VARIANTS)
    assert all(counts[name] >= 4 for name in MAIN)
    assert len({str(block) for block in TACTICS}) == len(TACTICS)


def test_every_block_is_complete() -> None:
    for block in TACTICS:
        assert sum((bool(block.win), bool(block.gain), block.drawn)) == 1, str(block)
        assert bool(block.best) != block.drawn, str(block)
        assert block.shows.endswith("."), str(block)
        assert block.source, str(block)
        assert block.game().outcome() is None, str(block)


def test_endings_have_few_pieces() -> None:
    """Check that retrograde analysis of the endings is feasible."""
    for block in LONG_WINS + DRAWS:
        position = block.game().position
        assert sum(len(position.squares(side, kind)) for side in Side for kind in Kind) <= 4, str(block)


# The search


def search(block: Tactic) -> SearchResult[Move]:
    return Searcher(table_mb=1).choose(block.game(), Limit(nodes=block.nodes or NODES))


def check_win(block: Tactic) -> None:
    result = search(block)
    assert result.score.is_win, str(result.score)
    assert (result.score.plies, str(result.move)) == (block.win, block.best)


@pytest.mark.parametrize("block", [block for block in WINS if not block.nodes], ids=str)
def test_a_forced_win_is_found(block: Tactic) -> None:
    check_win(block)


@pytest.mark.slow
@pytest.mark.parametrize("block", [block for block in WINS if block.nodes], ids=str)
def test_a_forced_win_among_many_moves_is_found(block: Tactic) -> None:
    check_win(block)


@pytest.mark.parametrize("block", GAINS, ids=str)
def test_a_shot_is_found(block: Tactic) -> None:
    result = search(block)
    assert str(result.move) == block.best
    assert result.score.value > 0.5, str(result.score)  # every position has equal material


@pytest.mark.parametrize("block", DRAWS, ids=str)
def test_no_win_is_claimed_in_a_draw(block: Tactic) -> None:
    score = search(block).score
    assert score.plies is None, str(score)
    assert abs(score.value) < 2, str(score)  # less than the value of two extra kings


@pytest.mark.parametrize("block", LONG_WINS, ids=str)
def test_a_long_win_has_a_better_score(block: Tactic) -> None:
    score = search(block).score
    assert score.value > 0, str(score)
    assert score.plies is None or (block.win or 0) <= score.plies, str(score)


# The proofs


@pytest.mark.slow
@pytest.mark.parametrize("block", WINS, ids=str)
def test_a_win_is_proven(block: Tactic) -> None:
    assert block.win is not None
    assert shortest_win(block.game(), block.win) == block.win
    assert [str(move) for move in winning_moves(block.game(), block.win)] == [block.best]


@pytest.mark.slow
@pytest.mark.parametrize("block", GAINS, ids=str)
def test_a_gain_is_proven(block: Tactic) -> None:
    """Check that the move gains the stated number of men, and every other move fewer."""
    assert block.gain is not None
    position = block.game().position
    assert balance(position, position.turn) == 0
    for men in (block.gain.men, block.gain.men - 1):
        assert [str(move) for move in moves_that_gain(position, men, block.gain.plies)] == [block.best]


@pytest.mark.deep
@pytest.mark.parametrize("block", LONG_WINS + DRAWS, ids=str)
def test_an_ending_is_proven(block: Tactic) -> None:
    """Prove the result without draw rules, which could only turn a win into a draw."""
    position = block.game().position
    verdicts = analyse([position])
    verdict = verdicts[position]
    if block.drawn:
        assert verdict is None
        return
    assert verdict is not None
    assert (verdict.wins, verdict.plies) == (True, block.win)
    shortest = []
    for move in position.legal_moves():
        after = verdicts[position.play(move)]
        if after is not None and not after.wins and after.plies == verdict.plies - 1:
            shortest.append(str(move))
    assert shortest == [block.best]
