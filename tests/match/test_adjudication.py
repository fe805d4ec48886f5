"""Adjudication of games by the scores of their players."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablemen import ArgumentError, Game, Outcome, Side, TablemenError, Termination
from tablemen.draughts import ENGLISH, VARIANTS, Position
from tablemen.draughts.draws import MoveCount
from tablemen.draughts.tablebase import build, random_positions
from tablemen.endgame import Wdl
from tablemen.family import get_family
from tablemen.mancala import Position as Pits
from tablemen.match import (
    DrawAdjudication,
    Match,
    Openings,
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


def can_adjudicate(game: Game[Any, Any]) -> bool:
    """Return whether a tablebase decides the game after its last move."""
    endgame = get_family(game.position).probe_endgame(game)
    if endgame is None or game.claims():
        return False
    return endgame.wdl is Wdl.DRAW or endgame.drawn_by is None


@pytest.mark.parametrize("variant", ["english", "international", "antidraughts"])
def test_a_tablebase_ends_a_game_as_soon_as_it_has_the_position(variant: str) -> None:
    match = Match(VARIANTS[variant], "random:seed=1", "random:seed=2", games=20, openings=Openings(plies=4))
    adjudicated = 0
    for plain, each in zip(match.play(), replace(match, tablebases=True).play(), strict=True):
        played, game = each.played, each.played.game
        assert plain.played.game.moves[: len(game.moves)] == game.moves
        replay: Game[Any, Any] = Game(game.start, game.moves[: played.opening])
        for move in game.moves[played.opening :]:
            assert len(replay.moves) == played.opening or not can_adjudicate(replay)
            replay.push(move)
        endgame = get_family(game.start).probe_endgame(replay)
        if game.outcome() is not None:
            assert played.outcome == game.outcome() == plain.played.outcome
            continue
        adjudicated += 1
        assert endgame is not None
        winners = {Wdl.WIN: game.turn, Wdl.LOSS: game.turn.opponent, Wdl.DRAW: None}
        assert played.outcome == Outcome(winners[endgame.wdl], Termination.ADJUDICATION)
        assert "tablebase" in played.note
    assert adjudicated > 0


@pytest.mark.parametrize(("limit", "plies"), [(22, 2), (23, 1)])
def test_a_game_goes_on_if_a_draw_rule_may_end_it_before_it_is_won(limit: int, plies: int) -> None:
    rules = replace(ENGLISH, draws=(MoveCount(limit, termination=Termination.KING_MOVES),))
    start: Game[Any, Any] = Game(Position.from_fen("W:WK10,K14:BK27", rules))
    endgame = get_family(rules).probe_endgame(start)
    assert endgame is not None
    line = iter((*endgame.line[:1], "27-31"))  # the second move is a mistake that shortens the game
    players = dict.fromkeys(Side, First())
    with patch.object(First, "choose", lambda _self, game: game.position.parse_move(str(next(line)))):
        played = play_game(start, players, tablebases=True)
    assert (len(played.game.moves), played.outcome) == (plies, Outcome(WHITE, Termination.ADJUDICATION))


def test_a_win_without_a_distance_is_not_adjudicated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLEMEN_DATA", str(tmp_path))
    small = replace(ENGLISH, name="small", title="Small board", columns=6, rows=6, start_rows=2)
    lengths = []
    for distances in (False, True):
        build(small, 4, distances=distances)
        for start in random_positions(small, 4, 200, seed=2):
            game: Game[Any, Any] = Game(start)
            after = None
            if len(start.piece_map()) == 4 and game.outcome() is None:
                game.push(First().choose(game))
                after = get_family(small).probe_endgame(game)
            if after is None or after.wdl is Wdl.DRAW or len(game.position.piece_map()) < 4:
                continue
            assert (after.distance is not None) == distances
            lengths.append(len(play([None], [None], start=start, tablebases=True).game.moves))
            break
    assert lengths[0] > lengths[1] == 1


def test_games_with_tablebases_are_the_same_in_worker_processes() -> None:
    match = Match("english", "random:seed=1", "random:seed=2", games=6, openings=Openings(plies=4), tablebases=True)
    alone = {each.number: (each.played.game, each.played.note) for each in match.play()}
    assert alone == {each.number: (each.played.game, each.played.note) for each in match.play(concurrency=2)}
    assert any("tablebase" in note for _, note in alone.values())


@pytest.mark.parametrize("variant", ["frisian", "kalah"])
def test_a_match_with_tablebases_needs_rules_that_have_them(variant: str) -> None:
    with pytest.raises(TablemenError):
        Match(variant, "random", "random", tablebases=True)
    with pytest.raises(ArgumentError):
        Match("english", "random", "random", tablebases=1)  # type: ignore[arg-type]
