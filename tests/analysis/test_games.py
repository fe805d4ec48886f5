"""Analysis of games: scores, losses and marks."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablemen import ArgumentError, Game, Outcome, Side, Termination
from tablemen.analysis import Mark, MoveAnalysis, analyse_game, analyse_pdn, analyse_position
from tablemen.analysis.result import describe, format_score
from tablemen.draughts import INTERNATIONAL, VARIANTS, Position
from tablemen.draughts.pdn import parse_pdn
from tablemen.family import families, get_family
from tablemen.mancala import KALAH, NORTH, SOUTH, solve
from tablemen.mancala import Position as MancalaPosition
from tablemen.search import Limit, Score, Searcher
from tests.analysis.factories import make_analysis
from tests.draughts.tactics import read_tactics
from tests.golden import check_golden

TACTICS = {tactic.name: tactic for tactic in read_tactics()}
TINY = [replace(rules, name="tiny", columns=4, rows=4, start_rows=1) for rules in VARIANTS.values()]
EVERY = [rules for family in families() for rules in family.variants.values()]


def random_game(start: Any, seed: int, max_moves: int) -> Game[Any, Any]:
    random = Random(seed)
    game: Game[Any, Any] = Game(start)
    while game.legal_moves() and len(game.moves) < max_moves:
        game.push(random.choice(game.legal_moves()))
    return game


def analyse_move(start: Any, move: str, limit: Limit) -> MoveAnalysis[Any]:
    (found,) = analyse_game(Game(start, [move]), limit).moves
    return found


def test_move_that_allows_a_shot_is_a_blunder() -> None:
    coup = ("28-22", "17x28", "33x22", "18x27", "32x21", "16x27", "34-30")
    game = Game(Position.start("international"), [*TACTICS["INT-06"].played, *coup])
    analysis = analyse_game(game, Limit(nodes=20_000))
    (blunder,) = analysis.marked()
    assert (str(blunder), blunder.index, blunder.turn) == ("4... 20-25??", 7, Side.BLACK)
    assert 1.5 < blunder.loss < 5
    assert 0.3 < blunder.lost_chances < 0.5
    assert str(blunder.after.best) == TACTICS["INT-06"].best
    assert analysis.summary(Side.BLACK).marks == {Mark.BLUNDER: 1}
    assert analysis.summary(Side.BLACK).average_loss > 5 * analysis.summary(Side.WHITE).average_loss
    assert [analysis.summary(side).moves for side in Side] == [8, 7]


@pytest.mark.parametrize(
    ("name", "move"),
    [
        ("INT-03", "29-7"),
        ("BRA-03", "f4-g5"),
        ("CZE-03", "e1-f2"),
        ("FRI-06", "26-3"),
        ("POO-05", "3-10"),
        ("PODD-02", "f6-e5"),
        ("RUS-05", "h4-g5"),
    ],
)
def test_losing_a_proven_win_is_a_blunder(name: str, move: str) -> None:
    tactic = TACTICS[name]
    found = analyse_move(tactic.game().position, move, Limit(nodes=20_000))
    assert found.before.score.is_win
    assert str(found.before.best) == tactic.best
    assert not found.after.score_for(found.turn).is_win
    assert (found.mark, found.loss) == (Mark.BLUNDER, math.inf)
    best = analyse_move(tactic.game().position, tactic.best, Limit(nodes=20_000))
    assert (best.mark, best.loss, best.lost_chances) == (None, 0, 0)


def test_slower_win_has_no_loss() -> None:
    quick, slow = (Score(math.inf, exact=True, plies=plies) for plies in (3, 8))
    (found,) = make_analysis([quick, slow]).moves
    assert (found.is_best, found.loss, found.lost_chances, found.mark) == (False, 0, 0, None)


def test_move_into_a_proven_loss_is_a_blunder() -> None:
    found = analyse_move(TACTICS["FRI-07"].game().position, "14-19", Limit(nodes=20_000))
    assert not found.before.score.exact
    assert found.after.score_for(found.turn).is_loss
    assert found.mark is Mark.BLUNDER
    (blunder,) = make_analysis([Score(-1.7), Score(-math.inf, exact=True, plies=5)]).moves
    assert 0.1 < blunder.lost_chances < 0.2
    assert blunder.mark is Mark.BLUNDER
    (nearly_lost,) = make_analysis([Score(-5.0), Score(-math.inf, exact=True, plies=5)]).moves
    assert (nearly_lost.mark, nearly_lost.loss) == (None, math.inf)


@pytest.mark.parametrize("rules", [KALAH, VARIANTS["english"]], ids=lambda rules: rules.name)
def test_each_position_is_searched_once(rules: Any) -> None:
    game = random_game(get_family(rules).start(rules), 5, 12)
    analysis = analyse_game(game, Limit(depth=4))
    assert [each.move for each in analysis.moves] == list(game.moves)
    assert analysis.start is analysis.moves[0].before
    for earlier, later in pairwise(analysis.moves):
        assert earlier.after is later.before
    assert [each.before.position for each in analysis.moves] == list(game.positions[:-1])


@pytest.mark.parametrize("seed", range(6))
def test_kalah_scores_are_for_the_side_to_move(seed: int) -> None:
    """Compare whole games on a small board, with extra turns, with the solver."""
    rules = replace(KALAH, houses=3, seeds=3)
    game = random_game(MancalaPosition.start(rules), seed, 99)
    analysis = analyse_game(game, Limit(nodes=2_000_000), searcher=Searcher(table_mb=4))
    assert any(each.after.turn is each.turn and each.after.outcome is None for each in analysis.moves)
    for each in analysis.moves:
        values = solve(each.before.position, each_move=True, cache=False).values
        assert (each.before.score.exact, each.before.score.value) == (True, max(values.values()))
        assert each.loss == max(values.values()) - values[each.move]
        assert each.after.score_for(each.turn).value == values[each.move]
    end = game.position.score()
    assert analysis.moves[-1].after.score_for(SOUTH).value == end[SOUTH] - end[NORTH]


@settings(max_examples=60)
@given(st.sampled_from([*TINY, *EVERY]), st.integers(0, 10_000), st.integers(1, 4))
def test_loss_is_never_negative_and_zero_for_the_best_move(rules: Any, seed: int, depth: int) -> None:
    game = random_game(get_family(rules).start(rules), seed, 16)
    analysis = analyse_game(game, Limit(depth=depth, nodes=300), searcher=Searcher(table_mb=1))
    assert [each.move for each in analysis.moves] == list(game.moves)
    for each in analysis.moves:
        assert each.loss >= 0
        assert 0 <= each.lost_chances <= 1
        if each.move == each.before.best:
            assert (each.loss, each.lost_chances, each.mark) == (0, 0, None)
        worth = each.after.score_for(each.turn).value
        assert each.loss in (0, each.before.score.value - worth)


def test_analysis_is_deterministic() -> None:
    game = Game(Position.start("russian"), ["c3-d4", "d6-c5", "b2-c3", "f6-g5"])

    def found() -> list[tuple[str, str, str]]:
        moves = analyse_game(game, Limit(nodes=3_000)).moves
        return [(str(each), str(each.after.score), str(each.before.best)) for each in moves]

    assert found() == found()


def test_on_move_is_called_for_every_move() -> None:
    seen: list[str] = []

    def stop_at_the_third(each: MoveAnalysis[Any]) -> None:
        seen.append(str(each))
        if len(seen) == 3:
            raise InterruptedError

    game = Game(Position.start("english"), ["11-15", "22-17", "15-19", "24x15"])
    with pytest.raises(InterruptedError):
        analyse_game(game, Limit(depth=2), on_move=stop_at_the_third)
    assert [each.split()[0] for each in seen] == ["1.", "1...", "2."]


def test_move_numbers_are_those_of_game_files() -> None:
    black_to_move = Game(Position.from_fen("B:W31,32:B1,2", "international"), ["1-6", "31-26", "6-11"])
    numbers = [str(each).split()[0] for each in analyse_game(black_to_move, Limit(depth=1)).moves]
    assert numbers == ["1...", "2.", "2..."]
    kalah = Game(MancalaPosition.start("kalah"), ["3", "6", "2", "1", "5"])
    assert [each.number for each in analyse_game(kalah, Limit(depth=1)).moves] == [1, 1, 1, 1, 2]


def test_score_of_a_finished_game_is_its_result() -> None:
    won = analyse_game(Game(Position.from_fen("W:W28:B23", "international"), ["28x19"]), Limit(depth=3))
    end = won.moves[0].after
    assert (end.score, end.lines, end.best) == (Score(-math.inf, exact=True, plies=0), (), None)
    assert format_score(end) == "White has won"
    assert describe(end).startswith("White wins")
    assert won.curve == (1.0, 1.0)
    drawn = analyse_position(Position.from_fen("W:WK1:BK5", "international"))
    assert (drawn.score, drawn.lines) == (Score(0.0, exact=True), ())
    assert drawn.outcome == Outcome(None, Termination.KING_AGAINST_KING)
    assert describe(drawn) == get_family(drawn.position).describe_outcome(drawn.outcome, drawn.position)
    agreed: Game[Any, Any] = Game(Position.start("english"))
    agreed.agree_draw()
    assert analyse_position(agreed).score == Score(0.0, exact=True)


def test_resignation_has_no_margin() -> None:
    game = Game(Position.start("english"), ["11-15"])
    game.resign(Side.WHITE)
    after = analyse_game(game, Limit(depth=2)).moves[0].after
    assert after.outcome is None
    assert not after.score.exact
    resigned: Game[Any, Any] = Game(MancalaPosition.start("kalah"))
    resigned.resign(SOUTH)
    assert analyse_position(resigned).score == Score(-math.inf, exact=True, plies=0)


def test_unknown_moves_and_set_ups_leave_gaps() -> None:
    text = '[GameType "20"] 1. 32-28 ... 2. 28-23 19-24 /FEN "W:W28,50:B23,1"/ 3. 28x19 1-7'
    analysis = analyse_pdn(parse_pdn(text), Limit(depth=2))
    assert [each.index for each in analysis.moves] == [0, 4, 5]
    assert [each.number for each in analysis.moves] == [1, 3, 3]
    assert analysis.length == 6
    assert [chances is None for chances in analysis.curve] == [False, False, True, True, False, False, False]


def test_moves_after_a_draw_are_analysed() -> None:
    shuffle = ["47-42", "3-8", "42-47", "8-3"] * 7
    text = '[GameType "20"] [FEN "W:WK47,K50:BK3"] ' + " ".join(shuffle)
    analysis = analyse_pdn(parse_pdn(text), Limit(depth=1))
    assert analysis.length == len(analysis.moves) == 28
    over = [each for each in analysis.moves if each.before.outcome is not None]
    assert over
    assert all((each.loss, each.mark) == (0, None) for each in over)
    assert over[0].before.outcome == Outcome(None, Termination.REPETITION)
    assert any(each.after.outcome is None for each in over)


def test_all_moves_of_a_position_are_sorted_by_score() -> None:
    start = Position.start("english")
    found = analyse_position(start, Limit(depth=5))
    assert {info.line[0] for info in found.lines} == set(start.legal_moves())
    values = [info.score.value for info in found.lines]
    assert values == sorted(values, reverse=True)
    assert found.score == found.lines[0].score
    assert found.best == found.lines[0].line[0]
    assert len(analyse_position(start, Limit(depth=3), lines=3).lines) == 3
    assert len(analyse_position(start, Limit(depth=3), lines=99).lines) == 7


@pytest.mark.golden
def test_wording_of_descriptions() -> None:
    infinity = math.inf
    scores = {
        "even": Score(0.0),
        "nearly even": Score(-0.001),
        "0.01 for Black": Score(-0.005001),
        "0.1 for White": Score(0.1),
        "0.3 for White": Score(0.3),
        "0.7 for Black": Score(-0.7),
        "1.5 for White": Score(1.5),
        "3 for Black": Score(-3.0),
        "proven draw": Score(0.0, exact=True),
        "proven win in 1 ply": Score(-infinity, exact=True, plies=1),
        "proven win in 7 plies": Score(infinity, exact=True, plies=7),
        "proven win by 4": Score(4.0, exact=True),
    }
    texts = {name: describe(make_analysis([score]).start) for name, score in scores.items()}
    check_golden(Path(__file__).with_name("descriptions.txt"), texts)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: analyse_game(Position.start(INTERNATIONAL)), "game"),  # type: ignore[arg-type]
        (lambda: analyse_pdn(Game(Position.start(INTERNATIONAL))), "game"),  # type: ignore[arg-type]
        (lambda: analyse_position(Position.start(INTERNATIONAL), lines=0), "lines"),
    ],
    ids=["analyse_game", "analyse_pdn", "analyse_position"],
)
def test_invalid_arguments(call: Callable[[], object], name: str) -> None:
    with pytest.raises(ArgumentError) as error:
        call()
    assert error.value.name == name
