"""Hosts, origins, sizes and security headers of requests."""

from __future__ import annotations

import http.client
import json
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI, Request
from starlette.types import Receive, Scope, Send

from tablemen.web.app import create_app
from tablemen.web.middleware import HEADERS, SecurityMiddleware
from tablemen.web.models import MAX_ACTION_BYTES, MAX_REQUEST_BYTES
from tablemen.web.routes.pages import PAGES
from tablemen.web.settings import Settings
from tests.timeouts import TIMEOUT, run_in_time
from tests.web.clients import create
from tests.web.in_process_server import Running, running


@cache
def make_app(trusted_proxies: tuple[str, ...]) -> FastAPI:
    """Return an application with an endpoint that shows the client and the scheme."""
    app = create_app(Settings(database=Path("unused"), trusted_proxies=trusted_proxies))

    async def show(request: Request) -> dict[str, str]:
        assert request.client is not None
        return {"client": request.client.host, "scheme": request.url.scheme}

    app.get("/show")(show)
    return app


def request_app(
    headers: Any,
    *,
    peer: str = "127.0.0.1",
    server: str = "127.0.0.1",
    trusted_proxies: tuple[str, ...] = (),
) -> httpx.Response:
    """Send a request from a peer to an address of the server."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await make_app(trusted_proxies)({**scope, "server": (server, 8080)}, receive, send)

    async def run() -> httpx.Response:
        transport = httpx.ASGITransport(app, client=(peer, 4000))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.get("/show", headers=headers)

    return run_in_time(run())


def test_every_response_has_security_headers(server: Running) -> None:
    for path in ("/", "/api/variants", "/page/style.css", "/api/nothing", "/api/board.svg"):
        headers = server.get(path).headers
        assert {name: headers[name] for name in HEADERS} == HEADERS


def test_head_is_get_without_a_body(server: Running) -> None:
    """Request every page, every GET of the API, a file and an error."""
    values = {"game_id": create(server).id, "name": "english"}
    queries = {"/api/board.svg": "?variant=english"}
    paths = [path for path, methods in server.app.openapi()["paths"].items() if "get" in methods]
    paths += [*PAGES, "/api/openapi.json", "/page/style.css", "/nowhere", "/api/nowhere", "/api/positions"]
    assert len(paths) >= 12
    for path in paths:
        url = path.format_map(values) + queries.get(path, "")
        get, head = server.client.get(url), server.client.head(url)
        assert (head.status_code, head.content) == (get.status_code, b""), url
        for each in (get, head):
            del each.headers["Date"], each.headers["X-Request-ID"]
        assert head.headers == get.headers
        expected = {"/nowhere": 404, "/api/nowhere": 404, "/api/positions": 405}.get(path, 200)
        assert get.status_code == expected, (url, get.text)


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


def test_the_address_of_the_server_is_accepted_as_host() -> None:
    for address, host, status in (
        ("192.0.2.7", "192.0.2.7:8080", 200),
        ("::ffff:192.0.2.7", "192.0.2.7", 200),
        ("2001:db8::7", "[2001:db8::7]:8080", 200),
        ("192.0.2.7", "192.0.2.8", 421),
        ("192.0.2.7", "rebound.example", 421),
    ):
        assert request_app({"Host": host}, server=address).status_code == status, host


# The peer, its headers, and the client that the limits count, with two trusted proxies.
PROXIES = ("127.0.0.1", "10.0.0.0/8")
FORWARDED: list[tuple[str, list[str], str]] = [
    ("127.0.0.1", [], "127.0.0.1"),
    ("127.0.0.1", ["192.0.2.1"], "192.0.2.1"),
    ("::ffff:127.0.0.1", ["192.0.2.1"], "192.0.2.1"),
    ("127.0.0.1", ["192.0.2.1:4711"], "192.0.2.1"),
    ("127.0.0.1", ["[2001:db8:1:2:3::4]:4711"], "2001:db8:1:2::/64"),
    ("127.0.0.1", ["192.0.2.1, 10.1.2.3"], "192.0.2.1"),  # a chain of two proxies
    ("127.0.0.1", ["192.0.2.1", "10.1.2.3"], "192.0.2.1"),
    ("127.0.0.1", ["198.51.100.1, 192.0.2.1, 10.1.2.3"], "192.0.2.1"),  # the first address is forged
    ("127.0.0.1", ["10.9.9.9, 192.0.2.1"], "192.0.2.1"),
    ("127.0.0.1", ["nonsense, 192.0.2.1"], "192.0.2.1"),
    ("192.0.2.1", ["198.51.100.1"], "192.0.2.1"),  # a header of a peer that is not trusted
    ("192.0.2.1", ["127.0.0.1"], "192.0.2.1"),
    ("11.0.0.1", ["198.51.100.1"], "11.0.0.1"),
]


@pytest.mark.parametrize(("peer", "forwarded", "client"), FORWARDED)
def test_a_trusted_proxy_names_the_client(peer: str, forwarded: list[str], client: str) -> None:
    headers = [("Host", "localhost"), *(("X-Forwarded-For", each) for each in forwarded)]
    assert request_app(headers, peer=peer, trusted_proxies=PROXIES).json()["client"] == client
    without = request_app(headers, peer=peer).json()["client"]
    assert without == peer.removeprefix("::ffff:")  # by default the header is ignored


def test_a_trusted_proxy_names_the_scheme() -> None:
    for peer, forwarded, scheme in (
        ("127.0.0.1", "https", "https"),
        ("127.0.0.1", "http", "http"),
        ("127.0.0.1", "javascript", "http"),
        ("192.0.2.1", "https", "http"),
    ):
        headers = {"Host": "localhost", "X-Forwarded-Proto": forwarded}
        assert request_app(headers, peer=peer, trusted_proxies=PROXIES).json()["scheme"] == scheme
        for origin in ("http", "https"):
            answer = request_app(headers | {"Origin": f"{origin}://localhost"}, peer=peer, trusted_proxies=PROXIES)
            assert answer.status_code == (403 if (origin, scheme) == ("http", "https") else 200)


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

    scope = {
        "type": "http",
        "method": "GET",
        "scheme": "http",
        "headers": [(b"host", b"localhost")],
        "client": ("2001:db8:1:2:3:4:5:6", 99),
    }
    run_in_time(SecurityMiddleware(app, Settings(database=tmp_path / "unused"))(scope, nothing, nothing))
    assert seen == [("2001:db8:1:2::/64", 99)]
