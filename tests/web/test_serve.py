"""`tablemen serve` as a process: ports, output and signals."""

from __future__ import annotations

import errno
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tablemen import TablemenError
from tablemen.cli import serve as command
from tablemen.web import serve as serving
from tablemen.web.analysis.service import STOPPING
from tests.timeouts import TIMEOUT, read_first_line
from tests.web.games.test_store import PAGE_SIZE, damage, write_games
from tests.web.subprocess_server import URL, invoke_serve


@contextmanager
def served(*words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run a server in a subprocess; yield the process and the URL."""
    arguments = [sys.executable, "-m", "tablemen", "serve", "--no-browser", *words]
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        line = read_first_line(process)
        url = URL.search(line)
        assert url is not None, (line, process.communicate(timeout=TIMEOUT))
        yield process, url[0]
    finally:
        process.kill()
        process.communicate(timeout=TIMEOUT)


def request(address: str, path: str, body: object = None, host: str | None = None) -> Any:
    """Send a request that must succeed, and return the JSON of the response."""
    headers = {} if host is None else {"Host": host}
    answer = httpx.request(
        "GET" if body is None else "POST", address + path, json=body, headers=headers, timeout=TIMEOUT
    )
    assert answer.is_success, answer.text
    return answer.json()


def receive_until_closed(page: ClientConnection) -> None:
    while True:
        page.recv(TIMEOUT)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_a_signal_stops_the_server_without_losing_moves(tmp_path: Path, number: signal.Signals) -> None:
    database = tmp_path / "games.sqlite"
    with served("--port", "0", "--database", str(database)) as (process, address):
        created = request(
            address, "/api/games", {"variant": "kalah", "opponent": "computer", "level": 10, "side": "south"}
        )
        path = f"/api/games/{created['id']}"
        with connect(f"ws{address.removeprefix('http')}{path}/socket") as page:
            page.send(json.dumps({"key": created["keys"]["south"]}))
            page.recv(TIMEOUT)
            page.send(json.dumps({"id": 1, "action": "move", "move": "1", "ply": 0}))
            while json.loads(page.recv(TIMEOUT))["type"] != "answer":
                pass
            process.send_signal(number)  # while the computer thinks
            with pytest.raises(ConnectionClosed) as caught:
                receive_until_closed(page)
            assert caught.value.rcvd is not None
            assert caught.value.rcvd.code == 1012
        output, errors = process.communicate(timeout=TIMEOUT)
        assert (process.returncode, output, errors.count("\n")) == (128 + number, "", 1)
    assert [each.name for each in tmp_path.iterdir()] == ["games.sqlite"]  # no lock file or WAL is left
    with served("--port", "0", "--database", str(database)) as (_, address):
        assert request(address, path)["plies"][0]["move"]["text"] == "1"


@pytest.mark.slow
def test_an_analysis_does_not_delay_the_stop(tmp_path: Path) -> None:
    body = {"subject": {"variant": "international"}, "seconds": 3600}
    with served("--port", "0", "--database", str(tmp_path / "games.sqlite")) as (process, address):
        with httpx.stream("POST", f"{address}/api/analyse", json=body, timeout=TIMEOUT) as answer:
            lines = answer.iter_lines()
            assert json.loads(next(lines))["type"] == "found"
            process.terminate()
            *_, last = map(json.loads, lines)
            assert last == {"type": "ended", "id": 0, "error": STOPPING}
        _, errors = process.communicate(timeout=TIMEOUT)
        assert ("SIGTERM" in errors, errors.count("\n")) == (True, 1)


@pytest.mark.slow
def test_the_default_database_is_in_the_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLEMEN_DATA", str(tmp_path / "data"))
    with served("--port", "0") as (_, address):
        assert request(address, "/api/games", {"variant": "english"})["id"]
    assert (tmp_path / "data" / "games.sqlite").is_file()


@pytest.mark.slow
def test_a_second_server_on_the_same_database_is_refused(tmp_path: Path) -> None:
    database = str(tmp_path / "games.sqlite")
    with served("--port", "0", "--database", database):
        status, output = invoke_serve("--port", "0", "--database", database)
    assert status == 2
    assert output.startswith(f"Error: {database}: ")


@pytest.mark.slow
def test_a_damaged_database_is_recovered_on_request(tmp_path: Path) -> None:
    database = tmp_path / "games.sqlite"
    games = write_games(database, 60)
    damage(database, 5, bytes(PAGE_SIZE))
    status, output = invoke_serve("--port", "0", "--database", str(database))
    assert (status, output.count("\n"), "--recover" in output) == (2, 1, True)
    with served("--port", "0", "--database", str(database), "--recover") as (process, address):
        statuses = [httpx.get(f"{address}/api/games/{name}", timeout=TIMEOUT).status_code for name in games]
        process.terminate()
        _, errors = process.communicate(timeout=TIMEOUT)
    assert 30 < 60 - statuses.count(404) < 60
    assert f"{database}.damaged1" in errors
    with served("--port", "0", "--database", str(database), "--recover") as (process, _):
        process.terminate()
        assert process.communicate(timeout=TIMEOUT)[1] == "Ended by SIGTERM.\n"  # nothing to recover any more


def test_a_port_in_use_is_reported(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as used:
        port = used.getsockname()[1]
        status, output = invoke_serve("--port", str(port), "--database", str(tmp_path / "games.sqlite"))
    assert status == 2
    assert f"port {port}" in output
    assert os.strerror(errno.EADDRINUSE) in output


def test_the_next_free_port_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as used:
        port = used.getsockname()[1]
        monkeypatch.setattr(serving, "DEFAULT_PORT", port)
        with serving.listen("127.0.0.1", None) as found:
            assert port < found.getsockname()[1] < port + serving.MAX_PORTS
        monkeypatch.setattr(serving, "MAX_PORTS", 1)
        with pytest.raises(TablemenError, match=str(port)):
            serving.listen("127.0.0.1", None)


def test_a_public_host_needs_the_option() -> None:
    status, output = invoke_serve("--host", "0.0.0.0", "--port", "0")
    assert status == 2
    assert "0.0.0.0" in output
    assert "--public" in output


@pytest.mark.parametrize(
    ("name", "host"),
    [
        ("Play.Example.org", "play.example.org"),
        ("bücher.example", "xn--bcher-kva.example"),
        ("[2001:DB8::1]", "[2001:db8::1]"),
    ],
)
def test_host_names_are_normalized(name: str, host: str) -> None:
    assert serving.accepted_hosts("127.0.0.1", [name])[-1] == host


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *(("--host-name", value) for value in ("play.example:8080", "https://play.example", "*", "", "a..b", "x" * 64)),
        *(("--trusted-proxy", value) for value in ("nginx", "10.0.0.1/8", "*", "")),
    ],
)
def test_an_invalid_name_or_proxy_is_reported(tmp_path: Path, option: str, value: str) -> None:
    status, output = invoke_serve("--port", "0", "--database", str(tmp_path / "games.sqlite"), option, value)
    assert (status, output.count("\n")) == (2, 1)
    assert output.startswith("Error: ")
    assert repr(value)[:10] in output


def test_control_characters_in_engine_names_are_escaped() -> None:
    for value in ("a\x1b[2Jb", "a\x1b[2Jb=random", "a=\x1b[2Jb"):
        status, output = invoke_serve("--engine", value)
        assert (status, "\x1b" in output, "\\x1b[2Jb" in output) == (2, False, True)


@pytest.mark.parametrize("host", ["no.such.host.invalid", "two..dots", "x" * 64])
def test_an_unknown_host_is_reported(host: str) -> None:
    status, output = invoke_serve("--host", host, "--port", "0", "--public")
    assert status == 2
    assert host in output.splitlines()[-1]


@pytest.mark.slow
def test_a_public_server_warns_and_accepts_only_its_names(tmp_path: Path) -> None:
    database = str(tmp_path / "games.sqlite")
    options = ("--host", "0.0.0.0", "--public", "--host-name", "Some.Name", "--database", database)
    with served("--port", "0", *options) as (process, address):
        assert address.startswith("http://127.0.0.1:")
        for host in ("some.name:80", "SOME.NAME", "localhost"):
            assert request(address, "/api/variants", host=host)
        assert request(address.replace("127.0.0.1", "127.0.0.5"), "/api/variants")  # the address of the connection
        for host in ("other.name", "127.0.0.6"):
            answer = httpx.get(f"{address}/api/variants", headers={"Host": host}, timeout=TIMEOUT)
            assert answer.status_code == 421
            assert "--host-name" in answer.json()["error"]
        process.terminate()
        _, errors = process.communicate(timeout=TIMEOUT)
    assert errors.startswith("Warning: ")


@pytest.mark.slow
def test_another_loopback_name_is_accepted(tmp_path: Path) -> None:
    words = ("--port", "0", "--host", "127.0.0.2", "--database", str(tmp_path / "games.sqlite"))
    with served(*words) as (_, address):
        assert address.startswith("http://127.0.0.2:")
        assert request(address, "/api/variants")
        assert request(address, "/api/variants", host="localhost")
        assert httpx.get(f"{address}/api/variants", headers={"Host": "elsewhere"}, timeout=TIMEOUT).status_code == 421


@pytest.mark.parametrize("missing", ["uvicorn", "websockets"])
def test_a_missing_package_is_reported_with_its_extra(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    monkeypatch.delitem(sys.modules, "tablemen.web.serve")
    monkeypatch.delattr("tablemen.web.serve")  # as if it had never been imported
    monkeypatch.setitem(sys.modules, missing, None)
    status, output = invoke_serve()
    assert (status, output) == (2, f"Error: {command.NO_WEB}\n")
    assert "pip install 'tablemen[web]'" in output


def test_the_browser_is_opened(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    with serving.listen("127.0.0.1", 0) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}/"
        assert serving.server_url(listening) == url
        command._announce(url, None, browser=True)
        command._announce(url, None, browser=False)
    assert opened == [url]
    lines = capsys.readouterr().out.splitlines()
    assert [url in line for line in lines] == [True, True]
