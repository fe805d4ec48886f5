"""`tablemen engine kgp` and `tablemen kgp-server`."""

from __future__ import annotations

import contextlib
import json
import re
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tablemen import Game
from tablemen.cli import main
from tablemen.cli.kgp_server import _report
from tablemen.mancala import NORTH, SOUTH, Position
from tablemen.mancala.notation import parse_records
from tablemen.protocols.kgp.server import ClientJoined, ClientParted, ClientVerified, GameEnded, KgpServer
from tests.cli.programs import started
from tests.timeouts import TIMEOUT


def call(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


@pytest.mark.parametrize(
    ("arguments", "option"), [(["kgp-server", "--time", "0"], "--time"), (["engine", "kgp"], "--connect")]
)
def test_invalid_and_missing_options_exit_with_2(arguments: list[str], option: str) -> None:
    result = call(*arguments)
    assert result.exit_code == 2
    assert option in result.stderr


@pytest.mark.parametrize("arguments", [["--port"], ["--port", "0", "--websocket"]])
def test_taken_port_is_reported(arguments: list[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = call("kgp-server", *arguments, port)
    assert result.exit_code == 2
    assert "127.0.0.1" in result.stderr
    assert port in result.stderr


def test_public_server_prints_a_warning() -> None:
    with socket.create_server(("0.0.0.0", 0)) as taken:
        result = call("kgp-server", "--host", "0.0.0.0", "--public", "--port", str(taken.getsockname()[1]))
    assert result.exit_code == 2  # the port is taken
    assert result.stderr.startswith("Warning: ")


@pytest.mark.parametrize("error", [OSError("no space left"), KeyError("row")])
def test_table_is_printed_after_an_error(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run(server: KgpServer) -> None:
        server.results.add_game(server.results.enter("Ann"), server.results.enter("Bob"))
        for listener in server.listeners:
            await listener.close()
        raise error

    monkeypatch.setattr(KgpServer, "run", run)
    result = call("kgp-server", "--port", "0")
    assert result.exit_code == 1
    assert [line.split()[0] for line in result.stdout.splitlines()] == ["name", "Ann", "Bob"]


def test_refused_connection_is_retried(monkeypatch: pytest.MonkeyPatch) -> None:
    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    pauses: list[float] = []
    monkeypatch.setattr("tablemen.cli.engine.kgp.asyncio.sleep", sleep)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    result = call("engine", "kgp", "--connect", address, "--retry", "7")
    assert result.exit_code == 1
    assert pauses == [1, 2, 4, 8, 16, 30, 30]
    assert result.stderr.count(address) == 8
    assert re.findall(r"in (\d+) s$", result.stderr, re.MULTILINE) == ["1", "2", "4", "8", "16", "30", "30"]


def serve_lines(*lines: str) -> tuple[str, list[str], threading.Thread]:
    """Start a server that sends these lines; return its address, the list of received lines, and its thread."""
    listening = socket.create_server(("127.0.0.1", 0))
    listening.settimeout(TIMEOUT)
    received: list[str] = []

    def run() -> None:
        with listening, listening.accept()[0] as wire:
            wire.settimeout(TIMEOUT)
            wire.sendall("".join(line + "\r\n" for line in lines).encode())
            with wire.makefile("r", encoding="utf-8") as reader:
                received.extend(line.rstrip("\n") for line in reader)

    thread = threading.Thread(target=run)
    thread.start()
    return f"127.0.0.1:{listening.getsockname()[1]}", received, thread


@pytest.mark.parametrize("source", ["argument", "file", "environment"])
def test_client_sends_its_description_and_token(source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "token"
    file.write_text("secret\n")
    token = {"argument": ["--token", "secret"], "file": ["--token-file", str(file)], "environment": []}[source]
    monkeypatch.setenv("TABLEMEN_KGP_TOKEN", "secret" if source == "environment" else "other")
    address, received, thread = serve_lines("kgp 1 0 1", 'error "\\t\x1b[2J!"', "goodbye")
    about = ["--name", "Ann", "--authors", "A. Nn", "--description", "thinks"]
    result = call("engine", "kgp", "--connect", address, "--player", "random", *about, *token)
    thread.join()
    assert result.exit_code == 0
    assert received == [
        '1 set info:name "Ann"',
        '3 set info:authors "A. Nn"',
        '5 set info:description "thinks"',
        '7 set auth:token "secret"',
        "9 mode freeplay",
    ]
    connected, error, end = result.stderr.splitlines()
    assert address in connected
    assert error.endswith(r": \t\x1b[2J!")
    assert " 0 requests " in end


def test_server_of_another_protocol_exits_with_1() -> None:
    address, _, thread = serve_lines("HTTP/1.1 400 Bad Request")
    result = call("engine", "kgp", "--connect", address, "--player", "robot")
    thread.join()
    assert result.exit_code == 1
    assert address in result.stderr
    assert "KGP" in result.stderr


@contextlib.contextmanager
def serving(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """Start a server; return the process and its addresses."""
    with started("kgp-server", "--port", "0", *arguments) as server:
        assert server.stderr is not None
        addresses: list[str] = []
        while len(addresses) < 1 + ("--websocket" in arguments):
            addresses += re.findall(r"Listening at (\S+)", server.stderr.readline())
            assert server.poll() is None
        yield server, addresses


def client(address: str, *arguments: str) -> contextlib.AbstractContextManager[subprocess.Popen[str]]:
    """Start a client."""
    return started("engine", "kgp", "--connect", address, *arguments)


@pytest.mark.slow
def test_two_clients_and_a_player_of_the_server(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    words = f"--websocket 0 --rounds 1 --clients 2 --against robot --houses 6 --seeds 2 --json --record {file}".split()
    with (
        serving(*words) as (server, addresses),
        client(addresses[0], "--name", "Ann", "--player", "searcher:depth=3") as ann,
        client(addresses[1], "--name", "Bob", "--player", "random") as bob,
    ):
        out, errors = server.communicate(timeout=TIMEOUT)
        for each in (ann, bob):
            each.communicate(timeout=TIMEOUT)
            assert each.returncode == 0
    assert server.returncode == 0
    facts = json.loads(out)
    assert facts["interrupted"] is False
    rows = {row["name"]: row for row in facts["players"]}
    assert set(rows) == {"Ann", "Bob", "robot"}
    assert {row["games"] for row in rows.values()} == {4}
    assert len([line for line in errors.splitlines() if line.startswith("game ")]) == 6
    records = parse_records(file.read_text())
    assert len(records) == 6
    points: dict[str, float] = dict.fromkeys(rows, 0.0)
    for game, tags in records:
        outcome = game.outcome()
        assert outcome is not None
        assert tags["Termination"] == str(outcome.termination)
        for name, result in zip((tags["South"], tags["North"]), tags["Result"].split("-"), strict=True):
            points[name] += {"1": 1.0, "0": 0.0, "1/2": 0.5}[result]
    assert points == {name: row["points"] for name, row in rows.items()}


@pytest.mark.slow
def test_killing_a_client_ends_its_game_and_ctrl_c_ends_the_server() -> None:
    with serving("--against", "robot", "--houses", "6", "--seeds", "6") as (server, (address,)):
        with client(address, "--name", "Ann", "--player", "searcher:time=600", "--thoughts", "1") as killed:
            wait_for(server.stderr, "Ann connected")
            killed.kill()
        wait_for(server.stderr, "Ann disconnected: ")
        with client(address, "--name", "Bob", "--player", "robot") as other:
            wait_for(server.stderr, "robot - Bob: ")
            server.send_signal(signal.SIGINT)
            out, errors = server.communicate(timeout=TIMEOUT)
            other.communicate(timeout=TIMEOUT)
    assert server.returncode == 130
    assert errors.splitlines()[-1] == "Interrupted."
    head, *rows = out.splitlines()
    assert head.split() == ["name", "games", "won", "drawn", "lost", "points"]
    assert ["Ann", "1", "0", "0", "1", "0.0"] in [row.split() for row in rows]
    assert other.returncode == 0


@pytest.mark.slow
def test_ctrl_c_ends_a_client() -> None:
    with (
        serving("--against", "robot") as (server, (address,)),
        client(address, "--name", "Ann", "--player", "searcher:time=600") as ann,
    ):
        wait_for(server.stderr, "Ann connected")
        ann.send_signal(signal.SIGINT)
        _, errors = ann.communicate(timeout=TIMEOUT)
        assert ann.returncode == 130
        assert errors.splitlines()[-1] == "Interrupted."
        wait_for(server.stderr, "Ann disconnected: ")
        server.send_signal(signal.SIGTERM)
        server.communicate(timeout=TIMEOUT)
    assert server.returncode == 128 + signal.SIGTERM


def wait_for(lines: Any, text: str) -> None:
    """Read lines until one contains this text."""
    assert any(text in line for line in lines), f"no line contains {text!r}"


def test_server_events_are_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.txt"
    game = Game(Position.start("kgp"), ["3", "6"])
    names = {SOUTH: "Ann", NORTH: "B\x1bob"}
    for event in (
        ClientJoined("Ann", "freeplay", "somewhere"),
        GameEnded(2, game, names, game.resign(NORTH), "did not answer"),
        ClientVerified("Ann", 3, 4),
        ClientParted("Ann", "said goodbye"),
    ):
        _report(event, str(file))
    joined, ended, verified, parted = capsys.readouterr().err.splitlines()
    assert re.match("Ann .*somewhere.*freeplay", joined)
    assert re.match(r"game 2, 6 houses: Ann - B\\x1bob: South wins.*\(did not answer\)", ended)
    assert re.match("Ann .*3 of 4", verified)
    assert re.match("Ann .*said goodbye", parted)
    (record,) = parse_records(file.read_text(encoding="utf-8"))
    assert record.game.moves == game.moves
    assert record.tags["Note"] == "did not answer"
