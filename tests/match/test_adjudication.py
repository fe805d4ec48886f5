"""Adjudication of games by the scores of their players."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablemen import ArgumentError, Game, Outcome, Side, Termination
from tablemen.draughts import Position
from tablemen.family import get_family
from tablemen.mancala import Position as Pits
from tablemen.match import (
    DrawAdjudication,
    PlayedGame,
    ResignAdjudication,
    parse_draw,
    parse_resign,
    play_game,
)
from tablemen.search import Score
from tests.fake_players import First

WHITE, BLACK = Side
LOST = Score(-math.inf, exact=True, plies=3)
LONGEST = 40  # plies


class ScoringPlayer(First):
    """A player that gives its moves these scores in order, and repeats the last one."""

    name = "scoring"

    def __init__(self, *scores: float | Score | None) -> None:
        self.scores = [Score(each) if isinstance(each, float | int) else each for each in scores]
        self.moves = 0

    def choose(self, game: Game[Any, Any]) -> Any:
        self.score = self.scores[min(self.moves, len(self.scores) - 1)]
        self.moves += 1
        return super().choose(game)


def play(white: Iterable[Any], black: Iterable[Any], *, start: Any = None, **rules: Any) -> PlayedGame:
    players = {WHITE: ScoringPlayer(*white), BLACK: ScoringPlayer(*black)}
    return play_game(
        Game(Position.start("international") if start is None else start), players, longest=LONGEST, **rules
    )


@pytest.mark.parametrize(
    ("scores", "plies"),
    [
        ([-5], 5),  # the third move of White
        ([0, -5, -6, -7], 7),
        ([-5, -5, -4.9, -5], 11),
        ([-5, -5, None, -5], 11),
        ([-math.inf], 5),
        ([LOST], 5),
        ([5, -8, -8, Score(-5.0, exact=False)], 7),
    ],
)
def test_a_side_with_losing_scores_loses(scores: list[Any], plies: int) -> None:
    played = play(scores, [None], resign=ResignAdjudication(5))
    assert played.outcome == Outcome(BLACK, Termination.ADJUDICATION)
    assert len(played.game.moves) == plies
    assert played.game.outcome() is None
    assert f"{{{played.note}}}" in re.sub(r"\s+", " ", get_family(played.game.start).format_game(played.sheet()))


@pytest.mark.parametrize("scores", [[None], [-4.9], [5], [math.inf], [math.nan], [-5, -5, 0, -5, -5, None]])
def test_a_better_score_or_none_ends_a_losing_streak(scores: list[Any]) -> None:
    played = play(scores * 4, scores * 4, resign=ResignAdjudication(5))
    assert (len(played.game.moves), played.outcome) == (LONGEST, Outcome(None, Termination.ADJUDICATION))


def test_a_rule_may_need_only_one_move() -> None:
    played = play([0], [-3], resign=ResignAdjudication(3, 1))
    assert (len(played.game.moves), played.outcome.winner) == (2, WHITE)


@pytest.mark.parametrize(
    ("white", "black", "plies"),
    [
        ([0], [0], 6),
        ([0.1, -0.1], [0.05], 6),
        ([1, 0], [0], 7),
        ([0], [1, 1, 0], 10),
        ([Score(0.0, exact=True)], [0], 6),
    ],
)
def test_even_scores_of_both_sides_are_a_draw(white: list[Any], black: list[Any], plies: int) -> None:
    played = play(white, black, draw=DrawAdjudication(0.1, 3, 0))
    assert played.outcome == Outcome(None, Termination.ADJUDICATION)
    assert len(played.game.moves) == plies


@pytest.mark.parametrize(("white", "black"), [([0], [None]), ([None], [None]), ([0], [0.2]), ([0], [math.nan])])
def test_a_draw_needs_even_scores_of_both_sides(white: list[Any], black: list[Any]) -> None:
    assert len(play(white, black, draw=DrawAdjudication(0.1, 3, 0)).game.moves) == LONGEST


def test_no_draw_is_adjudicated_before_the_minimum_number_of_moves() -> None:
    played = play([0], [0], draw=DrawAdjudication(0, 1, 12))
    assert len(played.game.moves) == 24


def test_a_proven_margin_of_any_size_is_a_win() -> None:
    # In mancala an exact score is the margin at the end.
    by_two = Score(-2.0, exact=True)
    played = play([0], [by_two], start=Pits.start("kalah"), resign=ResignAdjudication(10, 2))
    assert played.outcome == Outcome(WHITE, Termination.ADJUDICATION)
    other = play([0], [by_two], start=Pits.start("kalah"), draw=DrawAdjudication(3, 2, 0))
    assert other.outcome.termination is Termination.NO_SEEDS


def test_a_finished_game_is_not_adjudicated() -> None:
    played = play([-9], [-9], start=Position.from_fen("W:W28:B23", "international"), resign=ResignAdjudication(5, 1))
    assert played.outcome == Outcome(WHITE, Termination.NO_PIECES)


@given(score=st.floats(1e-9, 1e9), moves=st.integers(1, 999), after=st.integers(0, 999))
def test_rules_round_trip(score: float, moves: int, after: int) -> None:
    resign, draw = ResignAdjudication(score, moves), DrawAdjudication(score, moves, after)
    assert parse_resign(str(resign)) == resign
    assert parse_draw(str(draw)) == draw


@pytest.mark.parametrize(
    ("name", "texts"),
    [("resign", ["", "5:", "5:1.5", "5:3:1", "x"]), ("score", ["0", "-5", "nan", "inf"]), ("moves", ["5:0"])],
)
def test_invalid_resign_rules(name: str, texts: list[str]) -> None:
    for text in texts:
        with pytest.raises(ArgumentError) as caught:
            parse_resign(text)
        assert caught.value.name == name


@pytest.mark.parametrize(
    ("name", "texts"),
    [("draw", ["", "0:", "0:1:1:1", "x"]), ("score", ["-1", "nan", "inf"]), ("moves", ["0:0"]), ("after", ["0:1:-1"])],
)
def test_invalid_draw_rules(name: str, texts: list[str]) -> None:
    for text in texts:
        with pytest.raises(ArgumentError) as caught:
            parse_draw(text)
        assert caught.value.name == name


def test_a_score_beyond_floats_is_invalid() -> None:
    for kind in (ResignAdjudication, DrawAdjudication):
        with pytest.raises(ArgumentError) as caught:
            kind(10**400)
        assert caught.value.name == "score"
