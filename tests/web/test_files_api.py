"""Game files over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from tablemen.web.models import MAX_REQUEST_BYTES
from tests.web.in_process_server import Running


def test_a_file_survives_a_round_trip(server: Running) -> None:
    text = '[White "Ann"]\n[GameType "20"]\n\n1. 32-28 {solid} (1. 33-28) 1... 19-23 *\n'
    answer = server.post("/api/files/read", {"text": text})
    assert answer.status_code == 200
    (game,) = answer.json()["games"]
    nodes = [
        {"parent": node["parent"], "move": node["move"]["full"], "comment": node["comment"], "glyphs": node["glyphs"]}
        for node in game["nodes"]
    ]
    tree = {"variant": game["variant"], "tags": game["tags"], "nodes": nodes}
    assert server.post("/api/files/write", tree).json() == {"text": text, "problems": []}


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("read", {}),
        ("read", {"text": ""}),
        ("read", {"text": "1. 32-28", "variant": "nix"}),
        ("read", {"text": 5}),
        ("write", {}),
        ("write", {"variant": "nix"}),
        ("write", {"variant": "kalah", "nodes": [{"parent": -2, "move": "1"}]}),
        ("write", {"variant": "kalah", "nodes": [{"parent": -1, "move": "7"}]}),
        ("write", {"variant": "kalah", "tags": {"bad name": "x"}}),
        ("write", {"variant": "english", "tags": {"Bad": "two\nlines"}}),
        ("write", {"variant": "english", "nodes": [{"parent": -1, "move": "11-15", "glyphs": [70_000]}]}),
    ],
)
def test_an_invalid_request_is_refused(server: Running, path: str, body: dict[str, Any]) -> None:
    answer = server.post(f"/api/files/{path}", body)
    assert answer.status_code == 422
    assert answer.json()["error"]


@pytest.mark.parametrize("chosen", ["kalah", "oware", "english", None])
@pytest.mark.parametrize(
    ("text", "variant"),
    [
        ("South: Ann\nVariant: kalah\nMoves: 3 6\n", "kalah"),
        ("Variant: oware\nMoves: 3 4\n", "oware"),
        ('[White "Ann"]\n[GameType "21"]\n\n1. 11-15 {Moves: few} 22-18 *\n', "english"),
    ],
)
def test_the_family_of_a_file_is_detected(server: Running, text: str, variant: str, chosen: str | None) -> None:
    read = server.post("/api/files/read", {"text": text, "variant": chosen}).json()
    assert read["problems"] == []
    assert [(game["variant"], len(game["nodes"])) for game in read["games"]] == [(variant, 2)]


def test_game_files_may_be_larger_than_other_bodies(server: Running) -> None:
    text = f'[GameType "21"] 1. 11-15 {{{"x" * 2 * MAX_REQUEST_BYTES}}} *'
    assert server.post("/api/files/read", {"text": text}).json()["problems"] == []
    assert server.post("/api/positions", {"variant": "english", "position": text}).status_code == 413
