"""Logs and metrics of a server."""

from __future__ import annotations

import json
import logging
import re
import signal
import socket
from pathlib import Path
from typing import Any

import httpx
import pytest

from tablemen.web.monitoring import BUCKETS, JsonFormatter, Metric, PlainFormatter, Sample, format_metrics
from tests.timeouts import TIMEOUT
from tests.web.clients import create
from tests.web.in_process_server import running, wait_for_close
from tests.web.subprocess_server import Server, invoke_serve

LINE = re.compile(r"tablemen_(?P<name>\w+)(?:\{(?P<labels>.*)\})? (?P<value>[0-9.e+-]+)")
LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"(?:,|$)')
NASTY = "a\x1b[31m\r\nb\x7f\x85\u202e\u2028"


def parse(text: str) -> dict[tuple[str, ...], float]:
    """Return the values of metrics by name and label values; every line must be valid."""
    found = {}
    for line in text.splitlines():
        if line.startswith(("# HELP tablemen_", "# TYPE tablemen_")):
            continue
        match = LINE.fullmatch(line)
        assert match is not None, line
        labels = LABEL.findall(match["labels"] or "")
        key = (match["name"], *(value for _, value in labels))
        assert key not in found
        found[key] = float(match["value"])
    return found


@pytest.mark.parametrize("error", [None, ValueError(NASTY)])
def test_control_characters_are_escaped_in_logs(error: Exception | None) -> None:
    exception = None if error is None else (type(error), error, None)
    record = logging.LogRecord("tablemen", logging.WARNING, "file", 1, "%s", (NASTY,), exception)
    plain, as_json = PlainFormatter().format(record).split("\n"), JsonFormatter().format(record)
    assert all(line.isprintable() for line in (*plain, as_json))
    assert (len(plain) == 1) is (error is None)
    content = json.loads(as_json)
    assert (content["level"], content["event"], content["message"]) == ("warning", "message", NASTY.strip())
    assert ("traceback" in content) is (error is not None)


def test_labels_are_escaped() -> None:
    text = format_metrics([Metric("a_total", "counter", "About.", [Sample(2, {"name": 'a"b\\c\nd', "other": "x"})])])
    assert text.splitlines() == [
        "# HELP tablemen_a_total About.",
        "# TYPE tablemen_a_total counter",
        'tablemen_a_total{name="a\\"b\\\\c\\nd",other="x"} 2',
    ]
    assert parse(text) == {("a_total", 'a\\"b\\\\c\\nd', "x"): 2}


@pytest.mark.slow
def test_requests_are_counted_by_route_and_status(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        game = create(server)
        for _ in range(3):
            server.get(f"/api/games/{game.id}")
        server.get("/api/games/none")
        server.client.head("/")
        server.get("/page/style.css")
        server.get("/page/none.css")
        for number in range(5):
            server.get(f"/nowhere/{number}")
            server.client.request(f"METHOD{number}", "/api/variants")
        with server.open("/api/analyse/socket"):
            server.get("/api/engines")
            during = parse(server.server.format_metrics())
        server.post("/api/positions", {"variant": "english", "moves": ["11-15"]})
    found = parse(server.server.format_metrics())  # a request is counted after its response
    assert (during["websockets", "/api/analyse/socket"], during["connections",]) == (1, 2)
    requests = {key[1:]: value for key, value in found.items() if key[0] == "requests_total"}
    assert requests == {
        ("POST", "/api/games", "201"): 1,
        ("GET", "/api/games/{game_id}", "200"): 3,
        ("GET", "/api/games/{game_id}", "404"): 1,
        ("HEAD", "/", "200"): 1,
        ("GET", "/page", "200"): 1,
        ("GET", "/page", "404"): 1,
        ("GET", "other", "404"): 5,
        ("other", "/api/variants", "405"): 5,
        ("GET", "/api/engines", "200"): 1,
        ("POST", "/api/positions", "200"): 1,
    }
    buckets = [
        found["request_duration_seconds_bucket", "/api/games/{game_id}", str(each)] for each in (*BUCKETS, "+Inf")
    ]
    assert buckets == sorted(buckets)
    assert buckets[-1] == found["request_duration_seconds_count", "/api/games/{game_id}"] == 4
    assert found["request_duration_seconds_sum", "/api/games/{game_id}"] > 0
    assert (found["games_stored",], found["games_in_memory",]) == (1, 1)
    assert found["work_units_total",] > 0
    assert {key[1] for key in found if key[0] == "queue_length"} == {
        *("requests", "analyses", "computer", "tablebases")
    }


@pytest.mark.slow
def test_refusals_are_counted_by_reason(tmp_path: Path) -> None:
    limits: dict[str, Any] = {"body_bytes": 1000, "connections_of_one": 1, "new_games_an_hour": 1, "request_work": 10}
    with running(tmp_path, **limits) as server:
        for headers in ({"Host": "other"}, {"Origin": "http://other"}):
            server.client.get("/api/variants", headers=headers)
        server.post("/api/positions", {"variant": "x" * 2000})
        server.client.post("/api/positions", content=(b"x" * 500 for _ in range(5)))
        create(server)
        server.post("/api/games", {"variant": "english"})
        assert server.post("/api/positions", {"variant": "english", "moves": ["11-15"]}).status_code == 422
        with server.open("/api/analyse/socket"), server.open("/api/analyse/socket") as second:
            wait_for_close(second)
    found = parse(server.server.format_metrics())
    refused = {key[1]: value for key, value in found.items() if key[0] == "refused_total"}
    assert refused == {
        "host": 1,
        "origin": 1,
        "size": 2,
        "connections": 1,
        "new_games": 1,
        "memory": 0,
        "database": 0,
        "work": 1,
    }
    assert found["websockets", "/api/analyse/socket"] == 0


@pytest.mark.slow
def test_json_logs_and_metrics_of_a_process(tmp_path: Path) -> None:
    server = Server(tmp_path / "games.sqlite", options=("--log-format", "json", "--metrics", "0"))
    assert server.process.stdout is not None
    metrics = server.process.stdout.readline().split()[-1]
    answer = httpx.get(f"{server.url}/a%1b%0ab", timeout=TIMEOUT)
    assert answer.status_code == 404
    while "requests_total{" not in (text := httpx.get(metrics, timeout=TIMEOUT).text):
        pass  # a request is counted after its response
    assert parse(text)["requests_total", "GET", "other", "404"] == 1
    assert httpx.head(metrics, timeout=TIMEOUT).text == ""
    assert httpx.get(metrics.removesuffix("metrics"), timeout=TIMEOUT).status_code == 404
    assert httpx.get(metrics, headers={"Host": "rebound.example"}, timeout=TIMEOUT).status_code == 421
    url = httpx.URL(metrics)
    assert url.host == "127.0.0.1"
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", url.port or 0), TIMEOUT)  # not even another loopback address
    server.stop()
    start, request, stop = (json.loads(line) for line in server.errors.splitlines())
    assert (start["event"], start["url"]) == ("start", f"{server.url}/")
    assert request.pop("time").endswith("+00:00")
    assert request.pop("seconds") > 0
    assert request == {
        "level": "info",
        "event": "request",
        "request": answer.headers["X-Request-ID"],
        "address": "127.0.0.1",
        "method": "GET",
        "status": 404,
        "path": "/a\x1b\nb",
    }
    assert (stop["event"], stop["signal"]) == ("stop", "SIGTERM")
    assert server.process.returncode == 128 + signal.SIGTERM


@pytest.mark.slow
def test_failures_of_engines_are_logged_and_counted(tmp_path: Path) -> None:
    options = ("--engine", 'Broken=hub:"false"', "--log-format", "json", "--metrics", "0")
    server = Server(tmp_path / "games.sqlite", options=options)
    assert server.process.stdout is not None
    metrics = server.process.stdout.readline().split()[-1]
    game = server.ask(
        "/api/games", {"variant": "international", "opponent": "engine", "engine": "Broken", "side": "black"}
    )
    while server.ask(f"/api/games/{game['id']}")["problem"] is None:
        pass
    found = parse(httpx.get(metrics, timeout=TIMEOUT).text)
    server.stop()
    assert found["engine_failures_total", "Broken"] == 1
    (failure,) = [line for line in map(json.loads, server.errors.splitlines()) if line["event"] == "engine"]
    assert (failure["level"], failure["message"][:8]) == ("warning", "Broken: ")
    assert len(failure["request"]) == 16


def test_a_metrics_port_in_use_is_reported(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as used:
        port = str(used.getsockname()[1])
        status, output = invoke_serve("--port", "0", "--metrics", port, "--database", str(tmp_path / "games.sqlite"))
    assert (status, output.count("\n"), port in output) == (2, 1, True)
    assert not list(tmp_path.iterdir())
