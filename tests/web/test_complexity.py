"""Positions that are too complex to be served."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tablemen import work_limit
from tablemen.draughts import Position
from tablemen.draughts.complexity import check_complexity
from tablemen.draughts.notation import format_move
from tablemen.errors import WorkLimitError
from tests.web.in_process_server import Running, running

# Positions found by hill climbing. The first has 2,448 paths for a few hundred captures, the second millions of paths,
# which take long to list. The third has more pieces than any game, and takes even longer.
MANY_PATHS = (
    "international",
    ["23", "25", "3", "34", "5"],
    "1 12 14 17 18 21 29 30 31 37 39 40 41 42 43 45 46 48 7 8",
)
SLOW = ("frisian", ["48"], "11 16 18 20 21 23 24 27 29 32 33 36 38 41 42 43 45 47 49 9")
TOO_MANY_PIECES = (
    "armenian",
    ["26"],
    "1 10 12 15 19 20 21 22 24 27 3 31 33 34 36 37 39 4 40 42 44 46 49 51 53 54 55 58 60 62 8",
)


def setup(variant: str, white: list[str], black: str, turn: str = "white") -> dict[str, Any]:
    board = {"white": {"kings": white}, "black": {"kings": black.split()}}
    return {"variant": variant, "board": board, "turn": turn}


def test_too_many_paths_are_reduced_to_one_per_move(server: Running) -> None:
    view = server.post("/api/positions/setup", setup(*MANY_PATHS)).json()
    assert 100 < len(view["legal"]) < 1000
    assert len({(each["places"][0], each["places"][-1], *sorted(each["captured"])) for each in view["legal"]}) == len(
        view["legal"]
    )


@pytest.mark.parametrize("turn", ["white", "black"])
def test_a_position_with_too_many_captures_is_refused(
    server: Running, monkeypatch: pytest.MonkeyPatch, turn: str
) -> None:
    answer = server.post("/api/positions/setup", setup(*SLOW, turn))  # a quiet move of Black lets White capture
    assert answer.status_code == 422
    monkeypatch.setattr("tablemen.draughts.complexity.MAX_LISTING_WORK", 500_000)
    assert server.post("/api/positions/setup", setup(*SLOW, turn)).status_code == 200


def slow_fen() -> str:
    return "W:WK48:BK" + ",K".join(SLOW[2].split())


def slow_file(setups: int) -> str:
    """Return a game with set-ups after its start, each with a capture of which all others must be listed."""
    return '[GameType "40"] 1. 32-28 ' + f'/FEN "{slow_fen()}"/ 1. 48x3 (1. 48x4) ' * setups + "*"


def test_the_work_of_a_request_is_limited(tmp_path: Path) -> None:
    with running(tmp_path, request_work=1_000_000) as server:
        answer = server.post("/api/files/read", {"text": slow_file(10)})
        assert answer.status_code == 200
        assert len(answer.json()["problems"]) == 1
        assert "work" in answer.json()["problems"][0]
        # Other requests are not affected.
        assert server.post("/api/files/read", {"text": '[GameType "40"] 1. 32-28 *'}).json()["problems"] == []


def test_the_work_of_writing_a_tree_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablemen.draughts.complexity.MAX_LISTING_WORK", 10_000_000)
    move = Position.from_fen(slow_fen(), "frisian").legal_moves()[0]
    nodes = [{"parent": -1, "move": format_move(move, full=True)}] * 10
    with running(tmp_path, request_work=2_000_000) as server:
        answer = server.post("/api/files/write", {"variant": "frisian", "position": slow_fen(), "nodes": nodes})
        assert answer.status_code == 422
        assert "work" in answer.json()["error"]


def test_the_work_of_creating_a_game_is_limited(tmp_path: Path) -> None:
    with running(tmp_path, request_work=1) as server:
        answer = server.post("/api/games", {"variant": "frisian", "moves": ["32-28", "19-23"]})
        assert answer.status_code == 422
        assert "work" in answer.json()["error"]


def test_an_exceeded_outer_limit_is_not_reported_as_a_complex_position() -> None:
    with work_limit(1), pytest.raises(WorkLimitError):
        check_complexity(Position.start("international"))


def test_a_move_to_a_position_with_too_many_captures_is_refused(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Let a quiet move of Black open the position for White's king, with another limit than at the start."""
    monkeypatch.setattr("tablemen.draughts.complexity.MAX_LISTING_WORK", 10_000_000)
    fen = slow_fen().replace("W:", "B:", 1)
    game = server.post("/api/games", {"variant": "frisian", "position": fen, "opponent": "screen"}).json()
    monkeypatch.setattr("tablemen.draughts.complexity.MAX_LISTING_WORK", 100_000)  # after the move it takes 151,636
    key = {"Authorization": f"Bearer {game['keys']['black']}"}
    path = f"/api/games/{game['id']}/actions"
    answer = server.client.post(path, json={"action": "move", "move": "9-4"}, headers=key)
    assert answer.status_code == 409
    state = server.get(f"/api/games/{game['id']}").json()
    assert (state["turn"], state["plies"]) == ("black", [])


def test_more_pieces_than_in_a_game_are_refused(server: Running) -> None:
    answer = server.post("/api/positions/setup", setup(*TOO_MANY_PIECES))
    assert answer.status_code == 422
    assert "pieces" in answer.json()["error"]
    position = "W:W26:BK" + ",K".join(TOO_MANY_PIECES[2].split())
    for path, body in (
        ("/api/positions", {"variant": "armenian", "position": position}),
        ("/api/analyse", {"subject": {"variant": "armenian", "position": position}}),
        ("/api/games", {"variant": "armenian", "position": position}),
        ("/api/files/write", {"variant": "armenian", "position": position}),
        ("/api/files/read", {"text": f'[FEN "{position}"] 1. 1-2 *', "variant": "armenian"}),
    ):
        answer = server.post(path, body)
        assert answer.status_code == 422, path
        assert "pieces" in answer.json()["error"]
