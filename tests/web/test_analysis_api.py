"""Analyses and reviews as streams over HTTP."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tablemen.draughts import Position
from tablemen.family import families
from tablemen.mancala import KALAH, solve
from tablemen.mancala import Position as MancalaPosition
from tests.timeouts import TIMEOUT
from tests.web.in_process_server import Running, quick_first, running

SHOT = {"variant": "international", "position": "W:WK29,38,42,45:B27,35,K47"}
NAMES = [name for family in families() for name in family.variants]


def request(subject: dict[str, Any], **options: Any) -> dict[str, Any]:
    return {"subject": subject, "depth": 3, "seconds": 30, **options}


def test_a_forced_win_is_found_with_its_line(server: Running) -> None:
    *_, found, ended = server.post_lines("/api/analyse", request(SHOT, depth=12, lines=2))
    assert ended == {"type": "ended", "id": 0, "error": None}
    best, other = found["lines"]
    assert best["line"][0] == best["move"]["text"] == "38-33"
    assert best["move"]["places"] == ["38", "33"]
    assert best["score"] | {"text": ""} == {"text": "", "value": None, "exact": True, "plies": 9}
    assert "White wins" in best["score"]["text"]
    assert best["chances"] == found["chances"] == 1.0
    assert found["score"] == best["score"]
    assert "White wins" in found["verdict"]
    assert found["depth"] >= 9
    assert other["move"]["text"] != "38-33"


def test_scores_are_from_the_point_of_view_of_the_first_side(server: Running) -> None:
    white_has_more = "32,33,34,35,36,37,38,39,40,41,42:B1"
    for turn in "WB":
        subject = {"variant": "international", "position": f"{turn}:W{white_has_more}"}
        *_, found, _ended = server.post_lines("/api/analyse", request(subject))
        assert found["chances"] > 0.9
        assert all(line["chances"] > 0.9 for line in found["lines"])


@pytest.mark.parametrize("name", quick_first(NAMES))
def test_every_variant_is_analysed(server: Running, name: str) -> None:
    *_, found, ended = server.post_lines("/api/analyse", request({"variant": name}, lines=2))
    assert ended["error"] is None
    legal = {each["full"] for each in server.post("/api/positions", {"variant": name}).json()["legal"]}
    assert {line["move"]["full"] for line in found["lines"]} <= legal
    assert len(found["lines"]) == 2


def test_a_game_with_its_moves_is_analysed(server: Running) -> None:
    moves = ["32-28", "19-23", "28x19"]
    *_, found, _ = server.post_lines("/api/analyse", request({"variant": "international", "moves": moves}, lines=5))
    assert {line["move"]["text"] for line in found["lines"]} == {"14x23", "13x24"}


def test_a_finished_game_has_a_verdict_and_no_lines(server: Running) -> None:
    found, ended = server.post_lines("/api/analyse", request({"variant": "english", "position": "B:WK1:B"}))
    assert ended["error"] is None
    assert found["lines"] == []
    assert found["verdict"].startswith("White wins")
    assert (found["chances"], found["depth"]) == (1.0, 0)


def test_kalah_has_exact_values(server: Running) -> None:
    subject = {"variant": "kalah", "houses": 3, "seeds": 3}
    messages = server.post_lines("/api/analyse", request(subject, depth=1))
    (values,) = (each["values"] for each in messages if each["type"] == "values")
    solution = solve(MancalaPosition.start(replace(KALAH, houses=3, seeds=3)), cache=False)
    assert values == {str(move): value for move, value in solution.values.items()}


def test_a_tablebase_proves_the_value_of_a_position_and_of_its_moves(server: Running) -> None:
    found, ended = server.post_lines("/api/analyse", request({"variant": "english", "position": "W:WK10,K14:BK27"}))
    assert ended["error"] is None
    assert (found["verdict"], found["chances"]) == ("White wins in 23 plies", 1)
    assert found["score"] | {"text": ""} == {"text": "", "value": None, "exact": True, "plies": 23}
    endgame = found["endgame"]
    assert (endgame["value"], endgame["distance"], endgame["drawn_by"], len(endgame["line"])) == ("win", 23, None, 23)
    assert {each["move"]["text"]: (each["value"], each["distance"]) for each in endgame["moves"]} == {
        "14-18": ("win", 23),
        **dict.fromkeys(("10-6", "10-7", "10-15", "14-9", "14-17"), ("win", 27)),
    }
    assert endgame["moves"][0]["move"] == found["lines"][0]["move"]
    assert endgame["line"] == found["lines"][0]["line"]


def test_oware_has_no_exact_values(server: Running) -> None:
    messages = server.post_lines("/api/analyse", request({"variant": "oware"}))
    assert {each["type"] for each in messages} == {"found", "ended"}


def test_a_position_that_is_not_solved_in_time_has_no_values(tmp_path: Path) -> None:
    with running(tmp_path, solve_seconds=0) as server:
        messages = server.post_lines("/api/analyse", request({"variant": "kalah", "houses": 3, "seeds": 3}))
        assert {each["type"] for each in messages} == {"found", "ended"}


def test_the_server_limits_the_time_of_an_analysis(tmp_path: Path) -> None:
    with running(tmp_path, search_seconds=0.2) as server:
        *_, ended = server.post_lines("/api/analyse", {"subject": {"variant": "frisian"}, "seconds": 1e300})
        assert ended["error"] is None


@pytest.mark.parametrize(
    ("body", "fact"),
    [
        ({}, "subject"),
        (request({"variant": "nix"}), "nix"),
        (request({"variant": "english", "position": "W:W99:B1"}), "99"),
        (request({"variant": "english", "moves": ["1-99"]}), "99"),
        (request({"variant": "english", "houses": 3}), "houses"),
        (request({"variant": "kalah"}, lines=0), "lines"),
        (request({"variant": "kalah"}, lines=11), "lines"),
        (request({"variant": "kalah"}, seconds=0), "seconds"),
        (request({"variant": "kalah"}, speed=1), "speed"),
    ],
)
def test_an_invalid_request_is_refused(server: Running, body: dict[str, Any], fact: str) -> None:
    answer = server.post("/api/analyse", body)
    assert answer.status_code == 422
    assert fact in answer.json()["error"]


def test_disconnecting_ends_the_search(tmp_path: Path) -> None:
    with running(tmp_path, searches=1) as server:
        body = request({"variant": "international"}, depth=None, seconds=60)
        with server.client.stream("POST", "/api/analyse", json=body) as answer:
            assert json.loads(next(answer.iter_lines()))["type"] == "found"
        # This analysis needs the only slot.
        *_, ended = server.post_lines("/api/analyse", request({"variant": "english"}))
        assert ended["error"] is None


def test_a_full_queue_refuses_analyses(tmp_path: Path) -> None:
    with running(tmp_path, searches=1, waiting=0, turn_seconds=1000) as server:
        body = request({"variant": "international"}, depth=None, seconds=60)
        with server.client.stream("POST", "/api/analyse", json=body) as answer:
            lines = answer.iter_lines()
            assert json.loads(next(lines))["type"] == "found"
            refused = server.post("/api/analyse", body)
        assert refused.status_code == 503
        assert "analyses" in refused.json()["error"]
        assert refused.headers["retry-after"] == "5"


@pytest.mark.slow
def test_analyses_share_the_processors(tmp_path: Path) -> None:
    with running(tmp_path, searches=1, turn_seconds=0.05) as server:
        streams: dict[str, list[Any]] = {}

        def analyse(name: str) -> None:
            body = request({"variant": name}, depth=None, seconds=0.3)
            streams[name] = server.post_lines("/api/analyse", body)

        with ThreadPoolExecutor() as threads:
            list(threads.map(analyse, ("international", "russian", "english"), timeout=TIMEOUT))
        for messages in streams.values():
            depths = [each["depth"] for each in messages if each["type"] == "found"]
            assert depths == sorted(depths)
            assert messages[-1]["error"] is None
        assert sum(any(each["type"] == "waiting" for each in messages) for messages in streams.values()) >= 2


def test_lines_are_legal_from_the_position(server: Running) -> None:
    *_, found, _ = server.post_lines("/api/analyse", request({"variant": "russian"}, depth=6))
    for each in found["lines"]:
        position = Position.start("russian")
        for text in each["line"]:
            position = position.play(position.parse_move(text))


def test_a_game_is_reviewed_move_by_move(server: Running) -> None:
    subject = {**SHOT, "moves": ["29-7", "27-32"]}
    *judged, ended = server.post_lines("/api/analyse/game", {"subject": subject})
    assert ended == {"type": "ended", "id": 0, "error": None}
    assert [each["ply"] for each in judged] == [0, 1, 2]
    assert judged[0]["score"]["text"].startswith("White wins")
    assert (judged[0]["mark"], judged[0]["best"]) == (None, None)
    assert (judged[1]["mark"], judged[1]["best"]) == ("??", "38-33")
    assert judged[1]["chances"] < 0.5 < judged[0]["chances"]
    assert judged[2]["mark"] is None


def test_a_win_that_becomes_a_draw_is_a_blunder(server: Running) -> None:
    subject = {"variant": "english", "position": "W:WK10,19:BK11", "moves": ["19-16"]}
    before, after, _ended = server.post_lines("/api/analyse/game", {"subject": subject})
    assert (before["proven"], before["chances"]) == ("White wins in 9 plies", 1)
    assert (after["mark"], after["best"], after["chances"], after["score"]["exact"]) == ("??", "10-6", 0.5, True)
    assert "drawn" in after["proven"]


def test_the_review_of_a_game_without_moves_has_one_position(server: Running) -> None:
    judged, _ = server.post_lines("/api/analyse/game", {"subject": {"variant": "kalah"}})
    assert judged["ply"] == 0


def test_a_finished_game_is_reviewed_to_its_end(server: Running) -> None:
    subject = {"variant": "english", "position": "W:W31:B26", "moves": ["31x22"]}
    *_, last, _ended = server.post_lines("/api/analyse/game", {"subject": subject})
    assert last["chances"] == 1
    assert "White" in last["score"]["text"]


def test_a_game_that_is_too_long_is_not_reviewed(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablemen.web.analysis.tasks.MAX_REVIEW_PLIES", 1)
    subject = {"variant": "international", "moves": ["32-28", "19-23"]}
    answer = server.post("/api/analyse/game", {"subject": subject})
    assert answer.status_code == 422
    assert "2 moves" in answer.json()["error"]


def test_reviews_share_the_processors_with_analyses(tmp_path: Path) -> None:
    with running(tmp_path, searches=1, turn_seconds=0) as server, server.open("/api/analyse/socket") as socket:
        socket.send({"type": "analyse", "id": 1, "subject": {"variant": "russian"}, "seconds": 60})
        assert socket.receive()["type"] == "found"
        moves = ["32-28", "19-23", "28x19", "14x23"]
        *judged, ended = server.post_lines(
            "/api/analyse/game", {"subject": {"variant": "international", "moves": moves}}
        )
        assert ended["error"] is None
        assert [each["ply"] for each in judged if each["type"] == "judged"] == [0, 1, 2, 3, 4]
        assert any(each["type"] == "waiting" for each in judged)
