"""Tablebases in the search: probed values, root moves, and tablebases that do not apply."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tablemen import ArgumentError, Game
from tablemen.draughts import ENGLISH, INTERNATIONAL, DraughtsRules, Position
from tablemen.draughts.tablebase import Tablebase, Wdl, build, list_files, random_positions
from tablemen.errors import TablebaseError
from tablemen.players import SearcherPlayer
from tablemen.search import Limit, Score, Searcher

SMALL: dict[str, Any] = {"columns": 6, "rows": 6, "start_rows": 2, "draws": ()}
RULES = (
    replace(ENGLISH, name="small", title="Small board", **SMALL),
    replace(INTERNATIONAL, name="flying", title="Small board with flying kings", **SMALL),
    replace(INTERNATIONAL, name="losing", title="Small losing game", losing=True, **SMALL),
)
LIMIT = Limit(nodes=20_000)


@pytest.fixture(scope="module", params=RULES, ids=lambda rules: rules.name)
def tablebases(request: pytest.FixtureRequest) -> tuple[Tablebase, Tablebase]:
    """Return tablebases with up to three and up to four pieces."""
    rules: DraughtsRules = request.param
    three, four = Tablebase(rules), Tablebase(rules)
    three.build_in_memory(3)
    four.build_in_memory(4)
    return three, four


def to_wdl(score: Score) -> Wdl | None:
    if score.is_draw:
        return Wdl.DRAW
    return Wdl.WIN if score.value == math.inf else Wdl.LOSS if score.value == -math.inf else None


def test_searches_agree_with_a_larger_tablebase(tablebases: tuple[Tablebase, Tablebase]) -> None:
    three, four = tablebases
    searcher = Searcher(table_mb=1, tablebase=three)
    found = dict.fromkeys((*Wdl, None), 0)
    for position in random_positions(three.rules, 4, 200, seed=5):
        if len(position.piece_map()) < 4 or position.outcome() is not None:
            continue
        result = searcher.choose(position, LIMIT)
        wdl = to_wdl(result.score)
        assert wdl in {None, four.probe_wdl(position)}
        if wdl is not None:  # the move keeps the value
            assert -(four.probe_wdl(position.play(result.move)) or 0) == wdl
        distance = four.probe_distance(position)
        if result.score.plies is not None:
            assert distance is not None
            assert result.score.plies >= distance
        found[wdl] += 1
    assert found[Wdl.WIN] > 5
    assert found[Wdl.LOSS] > 5
    assert found[None] < 40


def test_at_a_root_in_the_tablebase_the_play_is_perfect(tablebases: tuple[Tablebase, Tablebase]) -> None:
    tablebase, _ = tablebases
    searcher = Searcher(table_mb=1, tablebase=tablebase)
    for start in random_positions(tablebase.rules, 3, 20, seed=6):
        position, distance = start, tablebase.probe_distance(start)
        for plies in range(distance or 0, 0, -1):
            result = searcher.choose(position, Limit(nodes=200))
            assert abs(result.score.value) == math.inf
            assert result.score.plies == plies
            position = position.play(result.move)
        if distance is not None:
            assert position.outcome() is not None


def test_several_lines_and_given_root_moves(tablebases: tuple[Tablebase, Tablebase]) -> None:
    tablebase, _ = tablebases
    searcher = Searcher(table_mb=1, tablebase=tablebase)
    for position in random_positions(tablebase.rules, 3, 20, seed=7):
        ranked = tablebase.rank_moves(position)
        if not ranked:
            continue
        lines = searcher.analyse(position, Limit(depth=2), multipv=len(ranked)).result().lines
        assert {line.line[0] for line in lines} == {each.move for each in ranked}
        worst = ranked[-1]
        result = searcher.choose(position, Limit(depth=2), root_moves=[worst.move])
        assert result.move == worst.move
        assert to_wdl(result.score) is worst.wdl


def test_a_tablebase_of_other_rules_does_not_apply(tablebases: tuple[Tablebase, Tablebase]) -> None:
    tablebase, _ = tablebases
    position = Position.from_fen("W:WK10,K14:BK27", "english")
    results = [
        Searcher(table_mb=1, tablebase=each).choose(position, Limit(depth=6)).score for each in (None, tablebase)
    ]
    assert results[0] == results[1]


def test_the_tablebase_that_the_user_has_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLEMEN_DATA", str(tmp_path))
    game = Game(Position.from_fen("W:WK10,K14:BK27", "english"))
    players = {name: SearcherPlayer(depth=2, table=1, tablebase=name) for name in ("installed", "none")}

    def scores() -> dict[str, Score | None]:
        for player in players.values():
            player.choose(game)
        return {name: player.score for name, player in players.items()}

    before = scores()
    assert before["installed"] == before["none"]
    build("english", 3, distances=True)
    after = scores()
    assert after == {"installed": Score(math.inf, plies=23), "none": before["none"]}


def test_invalid_tablebases_are_refused(tmp_path: Path) -> None:
    for given in ("somewhere", 3, object()):
        tablebase: Any = given
        with pytest.raises(ArgumentError) as caught:
            Searcher(table_mb=1, tablebase=tablebase)
        assert caught.value.name == "tablebase"
    with pytest.raises(ArgumentError, match="pruning"):
        Searcher(table_mb=1, tablebase="installed", pruning=False)
    path = list_files(tmp_path, build(RULES[0], 2, folder=tmp_path).rules)[0]
    content = bytearray(path.read_bytes())
    content[-10] ^= 1
    path.write_bytes(content)
    with pytest.raises(TablebaseError):
        Searcher(table_mb=1, tablebase=Tablebase.open(tmp_path, RULES[0]))
