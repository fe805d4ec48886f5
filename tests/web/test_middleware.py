"""Hosts, origins, sizes and security headers of requests."""

from __future__ import annotations

import http.client
import json
from pathlib import Path
from typing import Any

import pytest
from starlette.types import Scope

from tablemen.web.middleware import HEADERS, SecurityMiddleware
from tablemen.web.models import MAX_ACTION_BYTES, MAX_REQUEST_BYTES
from tablemen.web.settings import Settings
from tests.timeouts import TIMEOUT, run_in_time
from tests.web.in_process_server import Running, running


def test_every_response_has_security_headers(server: Running) -> None:
    for path in ("/", "/api/variants", "/page/style.css", "/api/nothing", "/api/board.svg"):
        headers = server.get(path).headers
        assert {name: headers[name] for name in HEADERS} == HEADERS


def test_an_unknown_host_is_rejected(server: Running) -> None:
    for host, status in (
        ("localhost", 200),
        (f"127.0.0.1:{server.port}", 200),
        ("LOCALHOST:1", 200),
        ("[::1]:80", 200),
        ("evil.example", 421),
        ("localhost.evil.example", 421),
        ("", 421),
    ):
        answer = server.client.get("/api/variants", headers={"Host": host})
        assert answer.status_code == status, host


def test_any_host_is_accepted_without_a_list(tmp_path: Path) -> None:
    with running(tmp_path, hosts=()) as server:
        assert server.client.get("/api/variants", headers={"Host": "anything.example"}).status_code == 200


def test_another_origin_is_rejected(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        for origin, status in (
            (f"http://127.0.0.1:{server.port}", 200),
            ("http://127.0.0.1", 403),
            ("https://elsewhere.example", 403),
            ("null", 403),
            ("http://[", 403),
        ):
            answer = server.client.get("/api/variants", headers={"Origin": origin})
            assert answer.status_code == status, origin


def test_a_body_that_is_too_large_is_rejected(tmp_path: Path) -> None:
    with running(tmp_path, body_bytes=1000) as server:
        assert server.post("/api/positions", {"variant": "english"}).status_code == 200
        answer = server.post("/api/positions", {"variant": "x" * 1000})
        assert answer.status_code == 413
        assert "1,000 bytes" in answer.json()["error"]


@pytest.mark.parametrize(
    ("path", "limit"),
    [
        ("/api/positions", MAX_REQUEST_BYTES),
        ("/api/games", MAX_REQUEST_BYTES),
        ("/api/games/none/actions", MAX_ACTION_BYTES),
        ("/api/analyse", MAX_REQUEST_BYTES),
    ],
)
def test_a_body_is_limited_by_its_route(server: Running, path: str, limit: int) -> None:
    for body in (b"x" * (limit + 1), iter([b"x" * (limit + 1)])):  # with a length and without
        answer = server.client.post(path, content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code == 413
        assert f"{limit:,} bytes" in answer.json()["error"]
    answer = server.client.post(path, content=b"x" * limit, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422


def test_a_body_without_length_is_cut_off_at_the_limit(tmp_path: Path) -> None:
    with running(tmp_path, body_bytes=1000) as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=TIMEOUT)
        connection.request("POST", "/api/positions", (b"x" * 500 for _ in range(10)), {"Content-Type": "text/plain"})
        answer = connection.getresponse()
        assert answer.status == 413
        body = json.loads(answer.read())
        assert ("1,000 bytes" in body["error"], body["problems"]) == (True, [])
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        connection.close()
        assert server.post("/api/positions", {"variant": "english"}).status_code == 200


def test_an_invalid_length_is_rejected(server: Running) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=TIMEOUT)
    connection.request("POST", "/api/positions", b"", {"Content-Length": "-1"})
    assert connection.getresponse().status == 400
    connection.close()


def test_an_unknown_path_is_a_json_error(server: Running) -> None:
    answer = server.get("/api/nothing")
    assert answer.status_code == 404
    assert answer.json()["error"]
    assert server.get("/api/positions").status_code == 405


def test_a_browser_gets_a_page_for_an_unknown_path(server: Running) -> None:
    answer = server.client.get("/nowhere", headers={"Accept": "text/html,*/*;q=0.8"})
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")
    for path, accepted in (("/nowhere", "*/*"), ("/api/nowhere", "*/*"), ("/api/nowhere", "text/html")):
        answer = server.client.get(path, headers={"Accept": accepted})
        assert (answer.status_code, answer.json()["problems"]) == (404, [])


def test_files_outside_the_page_folder_are_not_served(server: Running) -> None:
    for path in ("/page/../app.py", "/page/%2e%2e/app.py", "/page/..%2fapp.py", "/page//etc/passwd"):
        assert server.get(path).status_code == 404


def test_the_client_address_is_normalized(tmp_path: Path) -> None:
    seen: list[Any] = []

    async def app(scope: Scope, _receive: object, _send: object) -> None:
        seen.append(scope["client"])

    async def nothing(*_: object) -> Any:
        raise AssertionError

    scope = {"type": "http", "headers": [(b"host", b"localhost")], "client": ("2001:db8:1:2:3:4:5:6", 99)}
    run_in_time(SecurityMiddleware(app, Settings(database=tmp_path / "unused"))(scope, nothing, nothing))
    assert seen == [("2001:db8:1:2::/64", 99)]
