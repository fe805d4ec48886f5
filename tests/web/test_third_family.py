"""A family other than draughts and mancala in the HTTP API."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator

import pytest

from examples.heap import Heaps
from tablemen.family import register_family, unregister_family
from tests.web.clients import act, create, get_error, send_action, show
from tests.web.in_process_server import Running


@pytest.fixture(autouse=True)
def heaps() -> Iterator[None]:
    register_family(Heaps())
    yield
    unregister_family("heaps")


def test_variants_are_listed_with_their_boards(server: Running) -> None:
    (listed,) = [each for each in server.get("/api/variants").json() if each["family"] == "heaps"]
    variant = server.get("/api/variants/nim").json()
    assert listed["name"] == variant["name"] == "heap"
    assert variant["sides"] == ["first", "second"]
    assert variant["start"] == "13 first"
    assert variant["board"] == {"kind": "heaps"}
    assert "houses" in get_error(server.get("/api/variants/heap", houses=3), 422)


def test_positions_are_shown(server: Running) -> None:
    view = server.post("/api/positions", {"variant": "heap", "position": "5 first", "moves": ["3"]}).json()
    assert view["position"] == "2 second"
    assert [move["places"] for move in view["legal"]] == [["1"], ["2"]]
    assert view["plies"][0]["board"] == {"first": {}, "second": {}}
    body = {"variant": "heap", "position": "2 first", "place": "3"}
    assert "1 to 2" in server.post("/api/positions/objection", body).json()["reason"]
    setup = {"variant": "heap", "board": {"first": {"matches": 3}, "second": {}}, "turn": "first"}
    assert get_error(server.post("/api/positions/setup", setup), 422)


def test_a_family_without_pictures_is_drawn_as_text(server: Running) -> None:
    answer = server.get("/api/board.svg", variant="heap", position="5 first", moves="2", size=100)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
    spans = ET.fromstring(answer.text).iter("{http://www.w3.org/2000/svg}tspan")
    assert [span.text for span in spans] == ["|||", "Second to move"]


def test_a_game_is_played_to_its_end(server: Running) -> None:
    game = create(server, variant="heap", position="3 first", side="first")
    assert act(server, game.id, game.keys["first"], action="move", move="1").state.turn == "second"
    result = act(server, game.id, game.keys["second"], action="move", move="2").state
    assert result.outcome is not None
    assert result.outcome.winner == "second"
    assert show(server, game.id).plies[-1].position == "0 first"
    assert server.get(f"/api/games/{game.id}/file").text == "Heap 3: 1 2\n"


def test_requests_that_need_a_search_are_refused(server: Running) -> None:
    body = {"subject": {"variant": "heap"}}
    assert "The heap" in get_error(server.post("/api/analyse", body), 422)
    assert "The heap" in get_error(server.post("/api/analyse/game", body), 422)
    assert "The heap" in get_error(server.post("/api/games", {"variant": "heap"}), 422)
    game = create(server, variant="heap", opponent="screen", side=None)
    assert show(server, game.id, game.keys["first"]).actions == ["move", "draw", "resign"]
    assert "The heap" in get_error(send_action(server, game.id, game.keys["first"], action="hint"), 409)


def test_game_files_are_read_and_written(server: Running) -> None:
    (game,) = server.post("/api/files/read", {"text": "Heap 4: 1 3\n"}).json()["games"]
    assert [node["move"]["text"] for node in game["nodes"]] == ["1", "3"]
    nodes = [{"parent": -1, "move": "1"}, {"parent": -1, "move": "2"}]
    written = server.post("/api/files/write", {"variant": "heap", "nodes": nodes}).json()
    assert written["text"] == "Heap 13: 1\n"
    (problem,) = written["problems"]
    assert "variations" in problem
