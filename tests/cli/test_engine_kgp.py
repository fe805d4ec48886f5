"""`tablemen engine kgp` and `tablemen kgp-server`."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tablemen.cli import main
from tablemen.mancala.record import parse_records
from tablemen.protocols.kgp.server.server import Server
from tests.protocols.kgp.wires import PATIENCE

COMMAND = [sys.executable, "-m", "tablemen"]


def call(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["kgp-server", "--host", "0.0.0.0"], "other machines may reach 0.0.0.0: add --public"),
        (["kgp-server", "--host", "example.org"], "add --public"),
        (["kgp-server", "--against", "human"], "people play at a table"),
        (["kgp-server", "--against", "serchr"], "did you mean searcher?"),
        (["kgp-server", "--houses", "25"], "houses is 25, not 1 to 24"),
        (["kgp-server", "--record", "/no/such/folder/games.txt"], "--record: /no/such/folder/games.txt: No such file"),
        (["kgp-server", "--time", "0"], "--time"),
        (["engine", "kgp"], "--connect"),
        (["engine", "kgp", "--connect", "a b"], "a host and a port"),
        (["engine", "kgp", "--connect", "localhost", "--player", "human"], "people play at a table"),
        (["engine", "kgp", "--connect", "localhost", "--token", "a", "--token-file", "b"], "exclude each other"),
        (["engine", "kgp", "--connect", "localhost", "--token-file", "/no/such/file"], "No such file"),
    ],
)
def test_questions_that_make_no_sense(arguments: list[str], told: str) -> None:
    result = call(*arguments)
    assert result.exit_code == 2
    assert told in result.stderr


@pytest.mark.parametrize("arguments", [["--port"], ["--port", "0", "--websocket"]])
def test_a_port_that_is_taken(arguments: list[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = call("kgp-server", *arguments, port)
    assert result.exit_code == 2
    assert "cannot listen at 127.0.0.1: " in result.stderr
    assert port in result.stderr


def test_whoever_lets_other_machines_in_is_warned() -> None:
    with socket.create_server(("0.0.0.0", 0)) as taken:
        result = call("kgp-server", "--host", "0.0.0.0", "--public", "--port", str(taken.getsockname()[1]))
    assert result.exit_code == 2  # it does not come to anything here
    assert result.stderr.startswith("Warning: whoever reaches this machine can connect")


@pytest.mark.parametrize("error", [OSError("no space left"), KeyError("row")])
def test_the_table_is_printed_whatever_ends_the_server(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run(server: Server) -> None:
        server.results.add_game(server.results.enter("Ann"), server.results.enter("Bob"))
        for listener in server.listeners:
            await listener.close()
        raise error

    monkeypatch.setattr(Server, "run", run)
    result = call("kgp-server", "--port", "0")
    assert result.exit_code == 1
    assert [line.split()[0] for line in result.stdout.splitlines()] == ["name", "Ann", "Bob"]


def test_nobody_listens_and_it_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
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
    assert result.stderr.count("cannot be reached") == 8
    assert result.stderr.count("trying again") == 7


def serve_lines(*lines: str) -> tuple[str, list[str], threading.Thread]:
    """A server that says these lines, and what it hears until it is left."""
    listening = socket.create_server(("127.0.0.1", 0))
    heard: list[str] = []

    def run() -> None:
        with listening, listening.accept()[0] as wire:
            wire.settimeout(PATIENCE)
            wire.sendall("".join(line + "\r\n" for line in lines).encode())
            with wire.makefile("r", encoding="utf-8") as reader:
                heard.extend(line.rstrip("\n") for line in reader)

    thread = threading.Thread(target=run)
    thread.start()
    return f"127.0.0.1:{listening.getsockname()[1]}", heard, thread


@pytest.mark.parametrize("where", ["argument", "file", "environment"])
def test_a_client_introduces_itself(where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "token"
    file.write_text("secret\n")
    more = {"argument": ["--token", "secret"], "file": ["--token-file", str(file)], "environment": []}[where]
    monkeypatch.setenv("TABLEMEN_KGP_TOKEN", "secret" if where == "environment" else "other")
    address, heard, thread = serve_lines("kgp 1 0 1", 'error "\\t\x1b[2J!"', "goodbye")
    about = ["--name", "Ann", "--authors", "A. Nn", "--description", "thinks"]
    result = call("engine", "kgp", "--connect", address, "--player", "random", *about, *more)
    thread.join()
    assert result.exit_code == 0
    assert heard == [
        '1 set info:name "Ann"',
        '3 set info:authors "A. Nn"',
        '5 set info:description "thinks"',
        '7 set auth:token "secret"',
        "9 mode freeplay",
    ]
    assert result.stderr.splitlines() == [
        f"Connected to {address}.",
        r"The server says: \t\x1b[2J!",
        "The server says goodbye; 0 states answered.",
    ]


def test_another_protocol() -> None:
    address, _, thread = serve_lines("HTTP/1.1 400 Bad Request")
    result = call("engine", "kgp", "--connect", address, "--player", "robot")
    thread.join()
    assert result.exit_code == 1
    assert "does not speak KGP" in result.stderr


class Started:
    """A server as a process, once it listens."""

    def __init__(self, *arguments: str) -> None:
        command = [*COMMAND, "kgp-server", "--port", "0", *arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.watchdog = threading.Timer(2 * PATIENCE, self.process.kill)  # nobody reads its output for ever
        self.watchdog.start()
        assert self.process.stderr is not None
        self.told: list[str] = []
        self.addresses: list[str] = []
        for line in self.process.stderr:
            self.addresses += re.findall(r"Listening at (\S+)", line)
            if len(self.addresses) == 1 + ("--websocket" in arguments):
                break

    def end(self) -> tuple[int, str, list[str]]:
        out, err = self.process.communicate(timeout=PATIENCE)
        self.watchdog.cancel()
        return self.process.returncode, out, err.splitlines()


def start_client(address: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*COMMAND, "engine", "kgp", "--connect", address, *arguments], stderr=subprocess.PIPE, text=True
    )


@pytest.mark.slow
def test_two_programs_and_a_player_of_the_server(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    server = Started(
        *("--websocket", "0", "--rounds", "1", "--clients", "2", "--against", "robot", "--houses", "6", "--seeds", "2"),
        *("--record", str(file), "--json"),
    )
    clients = [
        start_client(server.addresses[0], "--name", "Ann", "--player", "searcher:depth=3"),
        start_client(f"{server.addresses[1]}", "--name", "Bob", "--player", "random"),
    ]
    status, out, told = server.end()
    for client in clients:
        _, err = client.communicate(timeout=PATIENCE)
        assert client.returncode == 0
        assert "The server says goodbye" in err
    assert status == 0
    facts = json.loads(out)
    assert facts["interrupted"] is False
    rows = {row["name"]: row for row in facts["players"]}
    assert set(rows) == {"Ann", "Bob", "robot"}
    assert {row["games"] for row in rows.values()} == {4}
    assert len([line for line in told if line.startswith("game ")]) == 6
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
    server = Started("--against", "robot", "--houses", "6", "--seeds", "6")
    assert server.process.stderr is not None
    killed = start_client(server.addresses[0], "--name", "Ann", "--player", "searcher:time=600", "--thoughts", "1")
    wait_for(server.process.stderr, "Ann has come")
    killed.kill()
    killed.communicate()
    wait_for(server.process.stderr, "Ann has gone: ")
    other = start_client(server.addresses[0], "--name", "Bob", "--player", "robot")
    wait_for(server.process.stderr, "robot - Bob: ")
    server.process.send_signal(signal.SIGINT)
    status, out, told = server.end()
    _, err = other.communicate(timeout=PATIENCE)
    assert status == 130
    assert told[-1] == "Interrupted."
    head, *rows = out.splitlines()
    assert head.split() == ["name", "games", "won", "drawn", "lost", "points"]
    assert ["Ann", "1", "0", "0", "1", "0.0"] in [row.split() for row in rows]
    assert other.returncode == 0
    assert "The server says goodbye" in err


@pytest.mark.slow
def test_ctrl_c_ends_a_client() -> None:
    server = Started("--against", "robot")
    assert server.process.stderr is not None
    client = start_client(server.addresses[0], "--name", "Ann", "--player", "searcher:time=600")
    wait_for(server.process.stderr, "Ann has come")
    client.send_signal(signal.SIGINT)
    _, err = client.communicate(timeout=PATIENCE)
    assert client.returncode == 130
    assert err.splitlines()[-1] == "Interrupted."
    wait_for(server.process.stderr, "Ann has gone: ")
    server.process.send_signal(signal.SIGTERM)
    assert server.end()[0] == 128 + signal.SIGTERM


def wait_for(lines: Any, text: str) -> None:
    """Reads on until a line has this in it."""
    assert any(text in line for line in lines), f"nobody said {text}"
