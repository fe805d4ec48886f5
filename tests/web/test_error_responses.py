"""Error responses to invalid requests."""

from __future__ import annotations

from json import dumps
from typing import Any

import pytest

from tablemen.web.bodies import MAX_OBJECTS, parse_json
from tablemen.web.error_responses import InvalidRequestError
from tests.web.in_process_server import Running


@pytest.mark.parametrize(
    ("body", "facts"),
    [
        ({"variant": "kalah", "houses": 0}, ["houses", "1", "0"]),
        ({"variant": "kalah", "houses": 25}, ["houses", "24", "25"]),
        ({"variant": "kalah", "seeds": 1.5}, ["seeds", "1.5"]),
        ({"variant": "kalah", "seeds": "x" * 50}, ["seeds", f" {'x' * 20}…"]),
        ({"variant": "kalah", "moves": ["1", "2" * 401]}, ["move 2", "400"]),
        ({"variant": "kalah", "position": "2" * 401}, ["position", "400"]),
        ({"variant": "kalah", "moves": ["1"] * 2001}, ["moves", "2000"]),
        ({}, ["variant"]),
        ({"variant": "kalah", "seeds": [[1]]}, ["seeds"]),
        ({"variant": 5}, ["variant"]),
    ],
)
def test_an_invalid_field_is_named_with_its_limit(server: Running, body: dict[str, Any], facts: list[str]) -> None:
    answer = server.post("/api/positions", body)
    assert answer.status_code == 422
    error = answer.json()["error"]
    assert answer.json()["problems"] == [error]
    assert [each for each in facts if each not in error] == []


@pytest.mark.parametrize("body", [b"{", b"[1", b"nonsense"])
def test_a_body_that_is_not_json_is_refused(server: Running, body: bytes) -> None:
    answer = server.client.post("/api/positions", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert "JSON" in answer.json()["error"]


@pytest.mark.parametrize(("variant", "position"), [("kalah", "nonsense"), ("english", "W:W99:B1")])
def test_errors_in_a_single_line_omit_line_and_column(server: Running, variant: str, position: str) -> None:
    error = server.post("/api/positions", {"variant": variant, "position": position}).json()["error"]
    assert error
    assert "column" not in error


@pytest.mark.parametrize("body", [{"variant": "kalah", "houses": "\ud800"}, {"variant": "kalah", "\ud800{0}": 1}])
def test_lone_surrogates_are_refused(server: Running, body: dict[str, Any]) -> None:
    json = {"Content-Type": "application/json"}
    answer = server.client.post("/api/positions", content=dumps(body).encode("ascii"), headers=json)
    assert answer.status_code == 422
    assert answer.json()["error"]


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"a":' * 100_000, "9" * 5000, "{" + '"a":0,' * 101 + '"b":0}', "\ud800"]
)
def test_json_of_unlimited_complexity_is_refused(text: str) -> None:
    with pytest.raises(InvalidRequestError):
        parse_json(text)


def test_the_number_of_objects_is_limited() -> None:
    assert len(parse_json(f"[{'{},' * 39_999}{{}}]")) == MAX_OBJECTS
    with pytest.raises(InvalidRequestError, match="40,000"):
        parse_json(f"[{'{},' * 40_000}{{}}]")
