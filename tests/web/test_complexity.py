"""Positions that are too complex to be served."""

from __future__ import annotations

from typing import Any

import pytest

from tests.timeouts import TIMEOUT
from tests.web.in_process_server import Running

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
    monkeypatch.setattr("tablemen.draughts.complexity.MAX_LISTING_SECONDS", 0.001)
    answer = server.post("/api/positions/setup", setup(*SLOW, turn))  # a quiet move of Black lets White capture
    assert answer.status_code == 422
    monkeypatch.setattr("tablemen.draughts.complexity.MAX_LISTING_SECONDS", TIMEOUT)
    assert server.post("/api/positions/setup", setup(*SLOW, turn)).status_code == 200


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
