"""Game files over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.running import Running


def test_a_file_is_read_and_written_again(server: Running) -> None:
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
def test_what_makes_no_sense_is_refused_in_words(server: Running, path: str, body: dict[str, Any]) -> None:
    answer = server.post(f"/api/files/{path}", body)
    assert answer.status_code == 422
    assert answer.json()["error"]
