"""`tablemen serve` as a process: ports, output and signals."""

from __future__ import annotations

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
from tests.timeouts import TIMEOUT, read_first_line
from tests.web.subprocess_server import refused_start


@contextmanager
def served(*words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server in a process of its own, and its address."""
    arguments = [sys.executable, "-m", "tablemen", "serve", "--no-browser", *words]
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        line = read_first_line(process)
        assert line.startswith("tablemen serves at http://"), (line, process.communicate(timeout=TIMEOUT))
        assert line.endswith("/ (Ctrl-C stops it)\n")
        yield process, line.split()[3].rstrip("/")
    finally:
        process.kill()
        process.communicate(timeout=TIMEOUT)


def ask(address: str, path: str, body: object = None, host: str | None = None) -> Any:
    """What a server answers."""
    headers = {} if host is None else {"Host": host}
    answer = httpx.request(
        "GET" if body is None else "POST", address + path, json=body, headers=headers, timeout=TIMEOUT
    )
    assert answer.is_success, answer.text
    return answer.json()


def hear_on(page: ClientConnection) -> None:
    while True:
        page.recv(TIMEOUT)


@pytest.mark.slow
@pytest.mark.parametrize(("number", "said"), [(signal.SIGINT, "Interrupted."), (signal.SIGTERM, "Ended by SIGTERM.")])
def test_a_signal_stops_the_server_without_losing_moves(tmp_path: Path, number: signal.Signals, said: str) -> None:
    database = tmp_path / "games.sqlite"
    with served("--port", "0", "--database", str(database)) as (process, address):
        created = ask(address, "/api/games", {"variant": "kalah", "opponent": "computer", "level": 10, "side": "south"})
        path = f"/api/games/{created['id']}"
        with connect(f"ws{address.removeprefix('http')}{path}/socket") as page:
            page.send(json.dumps({"key": created["keys"]["south"]}))
            page.recv(TIMEOUT)
            page.send(json.dumps({"id": 1, "action": "move", "move": "1", "ply": 0}))
            while json.loads(page.recv(TIMEOUT))["type"] != "answer":
                pass
            process.send_signal(number)  # while the computer thinks
            with pytest.raises(ConnectionClosed) as caught:
                hear_on(page)
            assert caught.value.rcvd is not None
            assert caught.value.rcvd.code == 1012
        output, errors = process.communicate(timeout=TIMEOUT)
        assert (process.returncode, output, errors) == (128 + number, "", f"{said}\n")
    assert [each.name for each in tmp_path.iterdir()] == ["games.sqlite"]  # nothing is left open
    with served("--port", "0", "--database", str(database)) as (_, address):
        assert ask(address, path)["plies"][0]["move"]["text"] == "1"


@pytest.mark.slow
def test_an_analysis_does_not_delay_the_stop(tmp_path: Path) -> None:
    asked = {"subject": {"variant": "international"}, "seconds": 3600}
    with served("--port", "0", "--database", str(tmp_path / "games.sqlite")) as (process, address):
        with httpx.stream("POST", f"{address}/api/analyse", json=asked, timeout=TIMEOUT) as answer:
            lines = answer.iter_lines()
            assert json.loads(next(lines))["type"] == "found"
            process.terminate()
            *_, last = map(json.loads, lines)
            assert last == {"type": "ended", "id": 0, "error": "the server is about to stop"}
        assert process.communicate(timeout=TIMEOUT)[1] == "Ended by SIGTERM.\n"


@pytest.mark.slow
def test_the_default_database_is_in_the_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLEMEN_DATA", str(tmp_path / "data"))
    with served("--port", "0") as (_, address):
        assert ask(address, "/api/games", {"variant": "english"})["id"]
    assert (tmp_path / "data" / "games.sqlite").is_file()


@pytest.mark.slow
def test_a_second_server_on_the_same_database_is_refused(tmp_path: Path) -> None:
    database = str(tmp_path / "games.sqlite")
    with served("--port", "0", "--database", database):
        status, said = refused_start("--port", "0", "--database", database)
    assert status == 2
    assert said == f"Error: {database}: another server is using this database\n"


def test_a_port_in_use_is_reported(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as used:
        port = used.getsockname()[1]
        status, said = refused_start("--port", str(port), "--database", str(tmp_path / "games.sqlite"))
    assert status == 2
    assert said == f"Error: cannot listen at 127.0.0.1, port {port}: {os.strerror(98)}\n"


def test_the_next_free_port_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as used:
        port = used.getsockname()[1]
        monkeypatch.setattr(serving, "DEFAULT_PORT", port)
        with serving.listen("127.0.0.1", None) as found:
            assert port < found.getsockname()[1] < port + serving.MAX_PORTS
        monkeypatch.setattr(serving, "MAX_PORTS", 1)
        with pytest.raises(TablemenError, match=f"ports {port} to {port}"):
            serving.listen("127.0.0.1", None)


def test_a_public_host_needs_the_option() -> None:
    status, said = refused_start("--host", "0.0.0.0", "--port", "0")
    assert (status, said) == (2, "Error: other machines may reach 0.0.0.0: add --public if they are to\n")
    status, said = refused_start("--host", "no.such.host.invalid", "--port", "0", "--public")
    assert status == 2
    assert "Error: cannot listen at no.such.host.invalid, port 0: " in said
    for host in ("two..dots", "x" * 64):
        status, said = refused_start("--host", host, "--port", "0", "--public")
        assert status == 2
        assert said.endswith(f"Error: cannot listen at {host}: not a valid host name\n")


@pytest.mark.slow
def test_a_public_server_warns(tmp_path: Path) -> None:
    database = str(tmp_path / "games.sqlite")
    with served("--port", "0", "--host", "0.0.0.0", "--public", "--database", database) as (process, address):
        assert address.startswith("http://127.0.0.1:")
        assert ask(address, "/api/variants", host="some.name:80")
        process.terminate()
        _, errors = process.communicate(timeout=TIMEOUT)
    assert errors.startswith("Warning: anyone who reaches this machine can connect")


@pytest.mark.slow
def test_another_loopback_name_is_accepted(tmp_path: Path) -> None:
    words = ("--port", "0", "--host", "127.0.0.2", "--database", str(tmp_path / "games.sqlite"))
    with served(*words) as (_, address):
        assert address.startswith("http://127.0.0.2:")
        assert ask(address, "/api/variants")
        assert ask(address, "/api/variants", host="localhost")
        assert httpx.get(f"{address}/api/variants", headers={"Host": "elsewhere"}, timeout=TIMEOUT).status_code == 421


@pytest.mark.parametrize("missing", ["uvicorn", "websockets"])
def test_a_missing_package_is_reported_with_its_extra(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    monkeypatch.delitem(sys.modules, "tablemen.web.serve")
    monkeypatch.delattr("tablemen.web.serve")  # as if it had never been imported
    monkeypatch.setitem(sys.modules, missing, None)
    status, said = refused_start()
    assert (status, said) == (2, f"Error: {command.NO_WEB}\n")
    assert "pip install 'tablemen[web]'" in said


def test_the_browser_is_opened(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    with serving.listen("127.0.0.1", 0) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}/"
        command._announce(listening, serving, browser=True)
        command._announce(listening, serving, browser=False)
    assert opened == [url]
    assert capsys.readouterr().out == f"tablemen serves at {url} (Ctrl-C stops it)\n" * 2
