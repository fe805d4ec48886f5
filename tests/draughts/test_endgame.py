"""Proven values of games from tablebases: files, small tablebases in memory, and draw rules."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import repeat
from pathlib import Path

import pytest

from tablemen.draughts import ENGLISH, VARIANTS, DraughtsRules, Position
from tablemen.draughts.draws import MoveCount
from tablemen.draughts.endgame import (
    MAX_PIECES_IN_MEMORY,
    find_tablebase,
    is_endgame,
    probe_endgame,
    suggest_build,
)
from tablemen.draughts.tablebase import SUFFIX, build, random_positions
from tablemen.endgame import Wdl
from tablemen.errors import TablebaseError
from tablemen.game import Game
from tablemen.outcome import Termination

SMALL = replace(ENGLISH, name="small", title="Small board", columns=6, rows=6, start_rows=2)


@pytest.mark.parametrize("rules", VARIANTS.values(), ids=lambda rules: rules.name)
def test_the_line_of_a_decided_position_leads_to_the_end(rules: DraughtsRules, tmp_path: Path) -> None:
    longest = 0
    for start in random_positions(rules, 2, 60, seed=1):
        result = probe_endgame(Game(start), folder=tmp_path)
        if result is None:
            assert rules.king_move_limit or Game(start).outcome() is not None
            continue
        assert {each.move for each in result.moves} == set(start.legal_moves())
        assert (result.distance is None) == (result.wdl is Wdl.DRAW)
        assert len(result.line) == (result.distance or 0)
        position = start
        for move in result.line:
            position = position.play(move)
        outcome = position.outcome()
        winner = {Wdl.WIN: result.turn, Wdl.LOSS: result.turn.opponent, Wdl.DRAW: None}[result.wdl]
        assert (None if outcome is None else outcome.winner) is winner
        longest = max(longest, len(result.line))
    assert rules.king_move_limit or longest > 0


@pytest.mark.parametrize(("plies", "drawn_by"), [(22, Termination.KING_MOVES), (40, None)])
def test_a_win_that_needs_more_moves_than_a_rule_allows_is_flagged(plies: int, drawn_by: Termination | None) -> None:
    rules = replace(ENGLISH, draws=(MoveCount(plies, termination=Termination.KING_MOVES),))
    result = probe_endgame(Game(Position.from_fen("W:WK10,K14:BK27", rules)))
    assert result is not None
    assert (result.wdl, result.distance, len(result.line)) == (Wdl.WIN, 23, 23)
    assert result.drawn_by is drawn_by


def test_positions_with_four_pieces_need_files(tmp_path: Path) -> None:
    position = Position.from_fen("W:WK10,K14:BK27,K3", "english")
    assert len(position.piece_map()) == MAX_PIECES_IN_MEMORY + 1
    assert probe_endgame(Game(position), folder=tmp_path) is None
    assert suggest_build(position, folder=tmp_path) == "tablemen tablebase build english --pieces 4 --distances"
    frisian = Position.from_fen("W:WK1,K2:BK50,K49", "frisian")
    assert (probe_endgame(Game(frisian), folder=tmp_path), suggest_build(frisian, folder=tmp_path)) == (None, None)


def test_files_built_or_damaged_after_a_probe_are_noticed(tmp_path: Path) -> None:
    game = Game(Position.from_fen("W:WK13,K14:BK3,K2", SMALL))
    assert probe_endgame(game, folder=tmp_path) is None
    build(SMALL, 4, folder=tmp_path)
    result = probe_endgame(game, folder=tmp_path)
    assert result is not None
    assert (result.distance, result.line) == (None, ())
    (tmp_path / "small" / f"K-K{SUFFIX}").unlink()
    (tmp_path / "small" / f"K-K{SUFFIX}").write_bytes(b"not a tablebase")
    with pytest.raises(TablebaseError):
        probe_endgame(game, folder=tmp_path)


def test_threads_share_the_tablebases_in_memory() -> None:
    """Build as many tablebases as there are variants, each once."""
    names = map(str, range(len(VARIANTS)))
    positions = [Position.from_fen("W:WK1:BK5", replace(SMALL, name=name)) for name in names]
    with ThreadPoolExecutor(4) as threads:
        found = [set(threads.map(find_tablebase, repeat(position, 4))) for position in positions]
    assert [{find_tablebase(position)} for position in positions] == found


@pytest.mark.parametrize(
    ("variant", "fen", "expected"),
    [
        ("english", "W:WK1,K2,K3,K4:BK29,K30,K31", True),
        ("english", "W:WK1,K2,K3,K4:BK29,K30,K31,K32", False),
        ("frisian", "W:WK1:BK50", False),
    ],
)
def test_a_tablebase_may_have_positions_with_few_pieces(*, variant: str, fen: str, expected: bool) -> None:
    position = Position.from_fen(fen, variant)
    assert is_endgame(position) == expected
    if not expected:
        assert find_tablebase(position) is None
