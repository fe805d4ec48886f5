"""A family that is neither draughts nor mancala, played through the HTTP API."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from examples.heap import Heaps
from tablemen.family import register_family, unregister_family
from tests.web.clients import act, ask, create, refused, show
from tests.web.in_process_server import Running


@pytest.fixture(autouse=True)
def heaps() -> Iterator[None]:
    register_family(Heaps())
    yield
    unregister_family("heaps")


def test_its_variants_are_listed_with_their_boards(server: Running) -> None:
    (listed,) = [each for each in server.get("/api/variants").json() if each["family"] == "heaps"]
    variant = server.get("/api/variants/nim").json()
    assert listed["name"] == variant["name"] == "heap"
    assert variant["sides"] == ["first", "second"]
    assert variant["start"] == "13 first"
    assert variant["board"] == {"kind": "heaps"}
    assert server.get("/api/variants/heap", houses=3).json()["error"] == "The heap has no houses"


def test_its_positions_are_shown(server: Running) -> None:
    view = server.post("/api/positions", {"variant": "heap", "position": "5 first", "moves": ["3"]}).json()
    assert view["position"] == "2 second"
    assert [move["places"] for move in view["legal"]] == [["1"], ["2"]]
    assert view["plies"][0]["board"] == {"first": {}, "second": {}}
    asked = {"variant": "heap", "position": "2 first", "place": "3"}
    assert server.post("/api/positions/objection", asked).json() == {"reason": "take 1 to 2"}
    setup = {"variant": "heap", "board": {"first": {"matches": 3}, "second": {}}, "turn": "first"}
    assert "cannot be set up" in refused(server.post("/api/positions/setup", setup), 422)


def test_a_game_is_played_to_its_end(server: Running) -> None:
    game = create(server, variant="heap", position="3 first", side="first")
    assert act(server, game.id, game.keys["first"], action="move", move="1").state.turn == "second"
    result = act(server, game.id, game.keys["second"], action="move", move="2").state
    assert result.outcome is not None
    assert result.outcome.winner == "second"
    assert show(server, game.id).plies[-1].position == "0 first"
    assert server.get(f"/api/games/{game.id}/file").text == "Heap 3: 1 2\n"


def test_what_needs_a_search_is_refused(server: Running) -> None:
    asked = {"subject": {"variant": "heap"}}
    assert "cannot be analysed" in refused(server.post("/api/analyse", asked), 422)
    assert "cannot be analysed" in refused(server.post("/api/analyse/game", asked), 422)
    assert "does not play The heap" in refused(server.post("/api/games", {"variant": "heap"}), 422)
    game = create(server, variant="heap", opponent="screen", side=None)
    assert show(server, game.id, game.keys["first"]).actions == ["move", "draw", "resign"]
    assert "no hints" in refused(ask(server, game.id, game.keys["first"], action="hint"), 409)


def test_its_game_files_are_read_and_written(server: Running) -> None:
    (game,) = server.post("/api/files/read", {"text": "Heap 4: 1 3\n"}).json()["games"]
    assert [node["move"]["text"] for node in game["nodes"]] == ["1", "3"]
    nodes = [{"parent": -1, "move": "1"}, {"parent": -1, "move": "2"}]
    written = server.post("/api/files/write", {"variant": "heap", "nodes": nodes}).json()
    assert written["text"] == "Heap 13: 1\n"
    assert written["problems"] == ["variations are left out, a move in all: game files of heaps cannot contain them"]
