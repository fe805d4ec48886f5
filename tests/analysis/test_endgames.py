"""Analysis of positions that a tablebase has: exact scores, ranked moves and lines."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tablemen import Game, Termination
from tablemen.analysis import Mark, analyse_game, analyse_position, serialize_position_analysis
from tablemen.analysis.analyse import endgame_score
from tablemen.analysis.result import describe, format_score
from tablemen.draughts import ENGLISH, VARIANTS, DraughtsRules, Position
from tablemen.draughts.draws import MoveCount
from tablemen.draughts.tablebase import SUFFIX, build, random_positions
from tablemen.endgame import EndgameResult, Wdl
from tablemen.errors import TablebaseError
from tablemen.family import get_family
from tablemen.search import Limit, Score, Searcher

SHORT = Limit(nodes=500)
SMALL = replace(ENGLISH, name="small", title="Small board", columns=6, rows=6, start_rows=2)
SUPPORTED = [rules for rules in VARIANTS.values() if not rules.king_move_limit]


def known_endgames(rules: DraughtsRules, pieces: int, count: int) -> Iterator[tuple[Game[Any, Any], EndgameResult]]:
    for start in random_positions(rules, pieces, count, seed=5):
        game: Game[Any, Any] = Game(start)
        result = get_family(rules).probe_endgame(game)
        if result is not None:
            yield game, result


@pytest.mark.parametrize("rules", SUPPORTED, ids=lambda rules: rules.name)
def test_scores_and_the_order_of_moves_follow_from_the_values(rules: DraughtsRules) -> None:
    searcher = Searcher(table_mb=1)
    for game, result in known_endgames(rules, 2, 25):
        found = analyse_position(game, SHORT, searcher=searcher)
        values = {each.move: each for each in result.moves}
        listed = [values[info.line[0]] for info in found.lines]
        assert {each.move for each in listed} == set(game.legal_moves())
        assert [each.wdl for each in listed] == sorted((each.wdl for each in listed), reverse=True)
        assert [info.rank for info in found.lines] == list(range(1, len(listed) + 1))
        assert found.endgame == result
        assert found.score == found.lines[0].score
        if result.drawn_by is None:
            assert found.score == endgame_score(result.wdl, result.distance)
            assert listed[0].wdl is result.wdl
        if result.drawn_by is None and result.distance is not None:
            assert found.best == result.best_move
            (only,) = analyse_position(game, SHORT, lines=1, searcher=searcher).lines
            assert only.line == result.line
        for info, value in zip(found.lines, listed, strict=True):
            replay = game.copy()
            for move in info.line:
                replay.push(move)
            if info.score.plies is not None and value.distance is not None:
                assert len(info.line) == info.score.plies == value.distance
                outcome = replay.outcome()
                assert outcome is not None
                assert outcome.winner is (game.turn if value.wdl is Wdl.WIN else game.turn.opponent)


@pytest.mark.parametrize("variant", ["english", "russian", "antidraughts"])
def test_a_move_is_a_blunder_exactly_if_it_worsens_the_value(variant: str) -> None:
    marks = set()
    for game, result in known_endgames(VARIANTS[variant], 3, 30):
        for value in result.moves:
            (analysis,) = analyse_game(Game(game.start, [value.move]), SHORT, searcher=Searcher(table_mb=1)).moves
            after = analysis.after.endgame
            if result.drawn_by is None and (after is None or after.drawn_by is None):
                assert analysis.mark is (None if value.wdl is result.wdl else Mark.BLUNDER)
                marks.add(analysis.mark)
    assert marks == {None, Mark.BLUNDER}


def test_tablebases_can_be_ignored() -> None:
    position = Position.from_fen("W:WK10,K14:BK27", "english")
    ignored = analyse_position(position, Limit(depth=2), tablebases=False)
    assert (ignored.endgame, ignored.score.exact) == (None, False)
    assert serialize_position_analysis(ignored)["endgame"] is None
    (move,) = analyse_game(Game(position, ["14-18"]), Limit(depth=2), tablebases=False).moves
    assert (move.before.endgame, move.after.endgame) == (None, None)
    known = serialize_position_analysis(analyse_position(position))
    assert known["score"] == {"text": "win in 23 plies", "value": None, "exact": True, "plies": 23}
    assert isinstance(known["endgame"], dict)
    assert (known["endgame"]["value"], known["endgame"]["distance"]) == ("win", 23)


@pytest.mark.parametrize("plies", [22, 23, 40])
def test_a_win_that_a_draw_rule_prevents_keeps_the_score_of_the_search(plies: int) -> None:
    rules = replace(ENGLISH, draws=(MoveCount(plies, termination=Termination.KING_MOVES),))
    position = Position.from_fen("W:WK10,K14:BK27", rules)
    found = analyse_position(position, SHORT)
    assert found.endgame is not None
    assert (found.endgame.drawn_by is None) == (plies >= 23)
    assert found.score.is_win == (plies >= 23)
    assert {info.line[0] for info in found.lines if not info.score.exact} == {
        each.move for each in found.endgame.moves if each.distance is not None and each.distance > plies
    }
    assert describe(found) == found.endgame.describe("White")


def test_a_lost_game_in_which_a_draw_can_be_claimed_is_not_proven_lost() -> None:
    game: Game[Any, Any] = Game(Position.from_fen("B:WK10,K14:BK27", "english"), ["27-31", "10-6", "31-27", "6-10"] * 2)
    assert game.claims()
    found = analyse_position(game, Limit(depth=2), lines=1)
    assert found.endgame is not None
    assert (found.endgame.wdl, found.endgame.drawn_by) == (Wdl.LOSS, Termination.REPETITION)
    assert not found.score.exact


def test_files_without_distances_prove_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLEMEN_DATA", str(tmp_path))
    build(SMALL, 4)
    values = set()
    for game, result in known_endgames(SMALL, 4, 40):
        found = analyse_position(game, SHORT, searcher=Searcher(table_mb=1))
        values.add(result.wdl)
        assert (found.score.value, found.score.exact) == (result.wdl * math.inf if result.wdl else 0, True)
        if found.score == Score(math.inf, exact=True):
            assert format_score(found) == f"{get_family(SMALL).side_name(found.turn)} wins"
    assert values == set(Wdl)
    path = tmp_path / "tablebases" / "small" / f"K-K{SUFFIX}"
    path.unlink()
    path.write_bytes(b"not a tablebase")
    four = Position.from_fen("W:WK13,K14:BK3,K2", SMALL)
    with pytest.raises(TablebaseError, match="K-K"):
        analyse_position(four, SHORT)
    assert analyse_position(four, SHORT, tablebases=False).endgame is None
