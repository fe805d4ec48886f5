"""The wording of errors for invalid requests."""

from __future__ import annotations

from json import dumps
from typing import Any

import pytest

from tests.web.in_process_server import Running


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"variant": "kalah", "houses": 0}, "the number of houses must be at least 1, not 0"),
        ({"variant": "kalah", "houses": 25}, "the number of houses must be at most 24, not 25"),
        ({"variant": "kalah", "seeds": 1.5}, "the number of seeds must be a whole number, not 1.5"),
        ({"variant": "kalah", "seeds": "x" * 50}, f"the number of seeds must be a whole number, not {'x' * 20}…"),
        ({"variant": "kalah", "moves": ["1", "2" * 401]}, "move 2 is too long: 400 characters at most"),
        ({"variant": "kalah", "position": "2" * 401}, "position is too long: 400 characters at most"),
        ({"variant": "kalah", "moves": ["1"] * 2001}, "moves: 2000 at most"),
        ({}, "variant is missing"),
        ({"variant": "kalah", "seeds": [[1]]}, "the number of seeds must be a whole number, not that"),
        ({"variant": 5}, "variant: Input should be a valid string"),
    ],
)
def test_an_invalid_field_is_explained(server: Running, body: dict[str, Any], words: str) -> None:
    answer = server.post("/api/positions", body)
    assert answer.status_code == 422
    assert answer.json() == {"error": words, "problems": [words]}


@pytest.mark.parametrize("body", [b"{", b"[1", b"nonsense"])
def test_a_body_that_is_not_json(server: Running, body: bytes) -> None:
    answer = server.client.post("/api/positions", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert answer.json()["error"].startswith("this is no JSON: Expecting ")


@pytest.mark.parametrize(("variant", "position"), [("kalah", "nonsense"), ("english", "W:W99:B1")])
def test_errors_of_one_line_omit_line_and_column(server: Running, variant: str, position: str) -> None:
    error = server.post("/api/positions", {"variant": variant, "position": position}).json()["error"]
    assert error
    assert "column" not in error


@pytest.mark.parametrize("body", [{"variant": "kalah", "houses": "\ud800"}, {"variant": "kalah", "\ud800{0}": 1}])
def test_lone_surrogates_are_answered(server: Running, body: dict[str, Any]) -> None:
    json = {"Content-Type": "application/json"}
    answer = server.client.post("/api/positions", content=dumps(body).encode("ascii"), headers=json)
    assert answer.status_code == 422
    assert answer.json()["error"]
