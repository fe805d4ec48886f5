"""The search finds what is known: shots, forced wins, draws. What is known is proven here by trying everything."""

from __future__ import annotations

from collections import Counter

import pytest

from tablemen.draughts import VARIANTS, Kind
from tablemen.search import Limit, Searcher
from tests.draughts.tactics import Tactic, read_tactics
from tests.reference.proof import balance, moves_that_gain, shortest_win, winning_moves
from tests.reference.retrograde import analyse

TACTICS = read_tactics()
LIMIT = Limit(nodes=20_000)
LONGEST_PROOF = 9  # plies; longer wins are proven by going back from the end
MAIN = (
    *("international", "frisian", "russian", "brazilian", "english", "italian", "spanish", "czech", "pool", "turkish"),
    *("antidraughts", "breakthrough", "killer", "canadian"),
)


def blocks(*, kind: str, endings: bool = False) -> pytest.MarkDecorator:
    """Those that tell a win, a gain or a draw; endings are so long that only retrograde analysis knows them."""
    chosen = [block for block in TACTICS if getattr(block, kind) and is_ending(block) is endings]
    return pytest.mark.parametrize("block", chosen, ids=str)


def is_ending(block: Tactic) -> bool:
    return block.drawn or bool(block.win and block.win > LONGEST_PROOF)


def test_every_variant_has_its_positions() -> None:
    counts = Counter(block.variant.name for block in TACTICS)
    assert set(counts) == set(VARIANTS)
    assert all(counts[name] >= 4 for name in MAIN)
    assert len({str(block) for block in TACTICS}) == len(TACTICS)


def test_every_block_is_whole() -> None:
    for block in TACTICS:
        assert sum((bool(block.win), bool(block.gain), block.drawn)) == 1, str(block)
        assert bool(block.best) != block.drawn, str(block)
        assert block.shows.endswith("."), str(block)
        assert block.source, str(block)
        assert block.game().outcome() is None, str(block)


# The search


@blocks(kind="win")
def test_a_forced_win_is_found(block: Tactic) -> None:
    result = Searcher(table_mb=1).choose(block.game(), LIMIT)
    assert result.score.is_win, str(result.score)
    assert result.score.plies == block.win
    assert str(result.move) == block.best


@blocks(kind="gain")
def test_a_shot_is_found(block: Tactic) -> None:
    result = Searcher(table_mb=1).choose(block.game(), LIMIT)
    assert str(result.move) == block.best
    assert result.score.value > 0.5, str(result.score)  # all of them begin with equal material


@blocks(kind="drawn", endings=True)
def test_no_win_is_claimed_in_a_draw(block: Tactic) -> None:
    score = Searcher(table_mb=1).choose(block.game(), LIMIT).score
    assert score.plies is None, str(score)
    assert abs(score.value) < 3, str(score)


@blocks(kind="win", endings=True)
def test_a_long_win_is_not_taken_for_a_loss(block: Tactic) -> None:
    score = Searcher(table_mb=1).choose(block.game(), LIMIT).score
    assert score.value > 0, str(score)
    assert score.plies is None or score.plies >= (block.win or 0), str(score)


# The proofs


@pytest.mark.slow
@blocks(kind="win")
def test_a_win_is_proven(block: Tactic) -> None:
    assert block.win is not None
    assert shortest_win(block.game(), block.win) == block.win
    assert [str(move) for move in winning_moves(block.game(), block.win)] == [block.best]


@pytest.mark.slow
@blocks(kind="gain")
def test_a_gain_is_proven(block: Tactic) -> None:
    """The move brings what is said, and no other brings as much as one man less."""
    assert block.gain is not None
    position = block.game().position
    assert balance(position, position.turn) == 0
    for men in (block.gain.men, block.gain.men - 1):
        assert [str(move) for move in moves_that_gain(position, men, block.gain.plies)] == [block.best]


@pytest.mark.deep
@pytest.mark.parametrize("block", [block for block in TACTICS if is_ending(block)], ids=str)
def test_an_ending_is_proven(block: Tactic) -> None:
    """Draw rules apart, which only make draws."""
    position = block.game().position
    verdicts = analyse([position])
    verdict = verdicts[position]
    if block.drawn:
        assert verdict is None
        return
    assert verdict is not None
    assert (verdict.wins, verdict.plies) == (True, block.win)
    best = verdicts[position.play(position.parse_move(block.best))]
    assert best is not None
    assert (best.wins, best.plies) == (False, verdict.plies - 1)


def test_endings_have_few_pieces() -> None:
    """Else nobody could go through all of them."""
    for block in TACTICS:
        position = block.game().position
        pieces = sum(len(position.squares(side, kind)) for side in type(position.turn) for kind in Kind)
        assert pieces <= 4 or not is_ending(block), str(block)
