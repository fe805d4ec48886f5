"""Regret and the share of optimal moves, compared with plain minimax and plain retrograde analysis."""

from __future__ import annotations

import math
import pickle
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablemen import ArgumentError, IllegalMoveError, TablemenError, UnknownValueError
from tablemen.draughts import ENGLISH, VARIANTS, Position
from tablemen.draughts.tablebase import build, random_positions
from tablemen.ground_truth import GroundTruth, regret, share_of_optimal_moves
from tablemen.mancala import KALAH
from tablemen.mancala import Position as MancalaPosition
from tablemen.players import RESIGN, MinimaxPlayer, Player, RandomPlayer
from tests.mancala.oracle import to_reference
from tests.mancala.strategies import small_positions
from tests.reference import from_core
from tests.reference.kalah_solution import move_values
from tests.reference.retrograde import Verdict, all_positions, analyse_reference, tiny

WIN = Position.from_fen("W:WK10,K14:BK27", "english")  # 14-18 wins in 23 plies, 14-9 in 27


@settings(max_examples=60)
@given(positions=st.lists(small_positions(st.integers(1, 4)), max_size=8), data=st.data())
def test_regret_in_kalah_is_that_of_minimax(positions: list[MancalaPosition], data: st.DataObject) -> None:
    """Rules, turns and right to swap differ from position to position."""
    positions = [position for position in positions if position.legal_moves()]
    chosen = [data.draw(st.sampled_from(position.legal_moves())) for position in positions]
    known = [
        {move.house: value for move, value in move_values(to_reference(position)).items()}  # type: ignore[arg-type]
        for position in positions
    ]
    truth = GroundTruth.find(positions, threads=2)
    lost = [max(values.values()) - values[move.house] for move, values in zip(chosen, known, strict=True)]
    assert truth.regret(chosen) == lost
    assert [{move.house for move in truth.best_moves(index)} for index in range(len(positions))] == [
        {house for house, value in values.items() if value == max(values.values())} for values in known
    ]
    slots = [position.legal_moves().index(move) for position, move in zip(positions, chosen, strict=True)]
    assert truth.regret(slots) == truth.regret([str(move) for move in chosen]) == lost
    if positions:
        assert truth.share_of_optimal_moves(chosen) == lost.count(0) / len(lost)


@cache
def tiny_truth(name: str) -> tuple[Sequence[Position], dict[Any, Verdict | None], GroundTruth]:
    """Return all positions with two pieces on a tiny board that are not over, their verdicts, and their truth."""
    rules = tiny(VARIANTS[name], 4 if name == "turkish" else 6)
    positions = [position for position in all_positions(rules, 2) if position.legal_moves()]
    return positions, analyse_reference(positions), GroundTruth.find(positions, threads=2)


@pytest.mark.parametrize("name", ["english", "international", "turkish", "antidraughts"])
def test_regret_in_draughts_is_that_of_retrograde_analysis(name: str) -> None:
    positions, verdicts, truth = tiny_truth(name)
    assert len({known.value for known in truth.values if known}) >= 2
    for position, known in zip(positions, truth.values, strict=True):
        assert known is not None
        assert list(known.moves) == list(position.legal_moves())
        assert known.value == points(verdicts[from_core(position)])
        for move, value in known.moves.items():
            after = verdicts[from_core(position.play(move))]
            assert value == 1 - points(after)
            assert known.distances[move] == (None if after is None else after.plies + 1)


def points(verdict: Verdict | None) -> Fraction:
    return Fraction(1, 2) if verdict is None else Fraction(verdict.wins)


@pytest.mark.parametrize("name", ["english", "antidraughts"])
def test_regret_in_plies_is_the_delay_of_a_win_or_the_haste_of_a_loss(name: str) -> None:
    positions, verdicts, truth = tiny_truth(name)
    for index, position in enumerate(positions):
        verdict = verdicts[from_core(position)]
        afters = {move: verdicts[from_core(position.play(move))] for move in position.legal_moves()}
        for move, after in afters.items():
            (found,) = GroundTruth((position,), (truth.values[index],)).regret([move], distances=True)
            if points(after) != 1 - points(verdict):
                assert found == math.inf
            elif verdict is None or after is None:
                assert found == 0
            else:
                assert found == abs(after.plies + 1 - verdict.plies)


def test_games_of_several_families_can_be_mixed() -> None:
    kalah = MancalaPosition.start(replace(KALAH, houses=4, seeds=3))
    oware, over = MancalaPosition.start("oware"), Position.from_fen("B:WK10:B", "english")
    done: list[int] = []
    truth = GroundTruth.find([kalah, WIN, oware, over], allow_unknown=True, on_progress=done.append)
    assert done == sorted(done)
    assert done[-1] == 4
    assert [known and known.value for known in truth.values] == [6, 1, None, 0]
    assert regret(replace_last(truth), ["1", "14-9", "1"]) == [12, 0, None]
    assert share_of_optimal_moves(["1", "14-9", "1"], replace_last(truth)) == 0.5
    assert share_of_optimal_moves(["1", "14-9", "1"], [kalah, WIN, oware], allow_unknown=True) == 0.5
    assert truth.best_moves(2) == truth.best_moves(3) == ()
    copy = pickle.loads(pickle.dumps(truth))
    assert copy == truth


def replace_last(truth: GroundTruth) -> GroundTruth:
    """Return the truth without its last position."""
    return GroundTruth(truth.positions[:-1], truth.values[:-1])


def test_a_player_is_measured_by_the_moves_that_it_chooses() -> None:
    positions, _, truth = tiny_truth("english")
    picked = [index for index, known in enumerate(truth.values) if known and len(set(known.moves.values())) > 1]
    part = GroundTruth(tuple(positions[index] for index in picked), tuple(truth.values[index] for index in picked))

    class Resigning(Player):
        name = "resigning"

        def choose(self, game: Any) -> Any:  # noqa: ARG002 - it resigns any game
            return RESIGN

    class Perfect(Player):
        name = "perfect"

        def choose(self, game: Any) -> Any:
            return part.best_moves(part.positions.index(game.position))[-1]

    shares = [
        share_of_optimal_moves(player, part)
        for player in (Resigning(), RandomPlayer(seed=1), MinimaxPlayer(depth=3), Perfect())
    ]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0, 1)
    assert 0 < shares[1] < shares[2]


@pytest.mark.parametrize(
    ("position", "part"),
    [
        (MancalaPosition.start("oware"), "Kalah"),
        (Position.start("english"), "24 pieces"),
        (Position.from_fen("W:WK1:BK50", "frisian"), "no tablebases"),
        (Position.from_fen("W:WK10,K14:BK27,K3", "english"), "tablemen tablebase build english --pieces 4"),
        (Position.from_fen("W:W1,K20:BK27", "english"), "promotion row"),
    ],
)
def test_an_unknown_value_is_explained(position: Any, part: str) -> None:
    with pytest.raises(UnknownValueError) as caught:
        regret([WIN, position], ["14-9", "1"])
    assert (caught.value.index, caught.value.position) == (1, position)
    assert part in caught.value.reason
    copy = pickle.loads(pickle.dumps(caught.value))
    assert str(copy) == str(caught.value)
    assert GroundTruth.find([position], allow_unknown=True).values == (None,)


@pytest.mark.parametrize(
    ("position", "move", "name"),
    [(WIN, 8, "moves[0]"), (WIN, -1, "moves[0]"), (Position.from_fen("B:WK10:B", "english"), 0, "moves[0]")],
)
def test_a_slot_must_be_that_of_a_legal_move(position: Position, move: int, name: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        regret([position], [move])
    assert caught.value.name == name


def test_illegal_moves_and_wrong_arguments_raise() -> None:
    other = Position.start("english").legal_moves()[0]
    for move in (other, "14-23", None):
        with pytest.raises(IllegalMoveError):
            regret([WIN], [move])
    kalah = MancalaPosition.start(replace(KALAH, houses=2, seeds=2))
    over = Position.from_fen("B:WK10:B", "english")
    truth = GroundTruth.find([WIN])
    calls: list[tuple[Any, str]] = [
        (lambda: regret([WIN], []), "moves"),
        (lambda: regret([kalah], [0], distances=True), "distances"),
        (lambda: regret(truth, ["14-9"], threads=2), "threads"),
        (lambda: share_of_optimal_moves([], []), "positions"),
        (lambda: share_of_optimal_moves(RandomPlayer(), [over]), "positions[0]"),
        (lambda: GroundTruth.find([None]), "subject"),
    ]
    for call, name in calls:
        with pytest.raises(ArgumentError) as caught:
            call()
        assert caught.value.name == name


def test_a_tablebase_without_distances_knows_points_only(tmp_path: Path) -> None:
    small = replace(ENGLISH, name="small", columns=6, rows=6, start_rows=2)
    tablebase = build(small, 2, folder=tmp_path)
    positions = [each for each in random_positions(small, 2, 200) if each.outcome() is None]
    truth = GroundTruth.find(positions, tablebase=tablebase)
    expected = GroundTruth.find(positions)
    assert [known and known.moves for known in truth.values] == [known and known.moves for known in expected.values]
    with pytest.raises(ArgumentError) as caught:
        truth.regret([0] * len(positions), distances=True)
    assert caught.value.name == "distances"
    with pytest.raises(TablemenError):
        GroundTruth.find([WIN], tablebase=tablebase)
