"""`tablemen engine dxp`."""

from __future__ import annotations

import contextlib
import re
import signal
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tablemen.cli import main
from tests.cli.programs import COMMAND, started
from tests.protocols.dxp.fakes import Wire, peer
from tests.timeouts import TIMEOUT


def test_invalid_number_of_minutes_exits_with_2() -> None:
    result = CliRunner().invoke(main, ["engine", "dxp", "--minutes", "1000"])
    assert result.exit_code == 2
    assert "1000" in result.output


def connect(*arguments: str, script: Callable[[Wire], object]) -> Result:
    """Run the command against a peer that listens."""
    with peer(script) as (host, port):
        return CliRunner().invoke(main, ["engine", "dxp", "--connect", f"{host}:{port}", *arguments])


def test_initiator_plays_reports_and_writes_games(tmp_path: Path) -> None:
    def script(wire: Wire) -> None:
        wire.expect(b"R01" + b"tablemen random:seed=1".ljust(32) + b"Z003000A")
        wire.send(b"CI am \x1b[31mred", b"Athe other0")
        assert (wire.receive() or b"")[:1] == b"M"
        wire.send(b"Cwell played", b"E10")
        wire.expect(b"E00", b"R01" + b"tablemen random:seed=1".ljust(32) + b"W003000A")
        wire.send(b"Athe other0", b"M0000322800")
        assert (wire.receive() or b"")[:1] == b"M"
        wire.send(b"E00")
        wire.expect(b"E01")

    file = tmp_path / "games.pdn"
    result = connect(*f"--player random:seed=1 --games 2 --minutes 3 --pdn {file}".split(), script=script)
    assert result.exit_code == 0
    assert not result.stdout
    connected, first, chat, first_end, second, second_end, disconnected = result.stderr.splitlines()
    assert "127.0.0.1:" in connected
    assert [first, chat, second] == [
        "game 1: white against the other",
        "the other: well played",
        "game 2: black against the other",
    ]
    assert first_end.startswith("game 1: White wins")
    assert second_end.startswith("game 2: no result")
    assert "127.0.0.1:" in disconnected
    assert "2 games" in disconnected
    text = file.read_text()
    assert re.findall(r'\[(?:White|Black|Result|Round) "(.*)"\]', text) == [
        *("1", "tablemen random:seed=1", "the other", "2-0"),
        *("2", "the other", "tablemen random:seed=1", "*"),
    ]


def test_games_without_moves_are_not_written(tmp_path: Path) -> None:
    def script(wire: Wire) -> None:
        assert (wire.receive() or b"")[:1] == b"R"
        wire.send(b"Athe other0", b"E10")
        wire.expect(b"E01")

    file = tmp_path / "games.pdn"
    result = connect(*f"--player random --colour black --pdn {file}".split(), script=script)
    assert result.exit_code == 0
    assert "game 1: Black wins" in result.stderr
    assert not file.exists() or not file.read_text()


def test_connecting_side_can_be_the_follower() -> None:
    def script(wire: Wire) -> None:
        wire.send(b"R01" + b"them".ljust(32) + b"Z005000BZ" + b"z" * 12 + b"e" * 8 + b"w" * 12)
        wire.expect(b"Aours".ljust(33) + b"0")
        assert (wire.receive() or b"")[:1] == b"M"
        wire.send(b"E11")
        wire.expect(b"E00")

    result = connect("--follower", "--variant", "english", "--name", "ours", "--player", "random", script=script)
    assert result.exit_code == 0
    assert "game 1: black against them" in result.stderr


def test_peer_failure_is_reported_with_status_1(tmp_path: Path) -> None:
    def script(wire: Wire) -> None:
        wire.receive()
        wire.send(b"Athe other0")
        wire.receive()
        wire.send(b"M0000010100")
        assert wire.receive() is None

    file = tmp_path / "games.pdn"
    result = connect("--player", "random", "--pdn", str(file), script=script)
    assert result.exit_code == 1
    assert "Error: 127.0.0.1:" in result.stderr
    assert "'M0000010100'" in result.stderr
    assert '[Result "2-0"]' in file.read_text()


def test_player_that_cannot_be_started_exits_before_the_first_game() -> None:
    result = CliRunner().invoke(main, ["engine", "dxp", "--listen", "0", "--player", "hub:no-such-program"])
    assert result.exit_code == 1
    assert result.stderr == "Error: no-such-program cannot be started: No such file or directory\n"


def test_refused_connection_exits_with_1() -> None:
    with peer() as (host, port):
        pass
    result = CliRunner().invoke(main, ["engine", "dxp", "--connect", f"{host}:{port}"])
    assert result.exit_code == 1
    assert f"{host}:{port}" in result.output


def test_taken_port_exits_with_2() -> None:
    with peer(lambda wire: wire.receive()) as (host, port):
        result = CliRunner().invoke(main, ["engine", "dxp", "--listen", str(port)])
        assert result.exit_code == 2
        assert f"127.0.0.1:{port}" in result.output
        socket.create_connection((host, port)).close()


@pytest.mark.slow
def test_two_programs_play_each_other_until_a_signal(tmp_path: Path) -> None:
    files = [tmp_path / "one.pdn", tmp_path / "other.pdn"]
    listening = f"--listen 0 --variant frysk --player random --name here --pdn {files[0]}".split()
    with started("engine", "dxp", *listening) as here:
        assert here.stderr is not None
        found = re.search(r"\S+:\d+", here.stderr.readline())
        assert found is not None
        connecting = f"--connect {found[0]} --variant frysk --games 2 --player minimax:depth=1 --pdn {files[1]}".split()
        for _ in range(2):
            command = [*COMMAND, "engine", "dxp", *connecting]
            there = subprocess.run(command, stderr=subprocess.PIPE, text=True, timeout=TIMEOUT, check=False)
            assert there.returncode == 0, there.stderr
        here.send_signal(signal.SIGINT)
        _, errors = here.communicate(timeout=TIMEOUT)
    assert here.returncode == 130
    assert errors.count(" 2 games\n") == 2
    assert errors.endswith("Interrupted.\n")
    one, other = (file.read_text() for file in files)
    assert one == other
    assert one.count("[Event") == 4


@pytest.mark.slow
def test_ctrl_c_during_a_game_writes_it(tmp_path: Path) -> None:
    file = tmp_path / "games.pdn"
    with started("engine", "dxp", "--listen", "0", "--player", "searcher:depth=60", "--pdn", str(file)) as here:
        assert here.stderr is not None
        found = re.search(r"(\S+):(\d+)", here.stderr.readline())
        assert found is not None
        with socket.create_connection((found[1], int(found[2]))) as connected:
            wire = Wire(connected)
            wire.send(b"R01" + b"them".ljust(32) + b"Z005000A")
            assert (wire.receive() or b"")[:1] == b"A"
            wire.send(b"M0000322800", b"B009W")
            wire.expect(b"K2")  # sent during a search
            here.send_signal(signal.SIGINT)
            assert wire.receive() is None
        _, errors = here.communicate(timeout=TIMEOUT)
    assert here.returncode == 130
    assert "game 1: no result" in errors
    assert "Traceback" not in errors
    assert re.search(r"\{.+\} \*", file.read_text())


@pytest.mark.slow
def test_peers_without_a_request_are_dropped_and_the_next_is_served() -> None:
    with started("engine", "dxp", "--listen", "0", "--player", "random", "--handshake-timeout", "1") as here:
        assert here.stderr is not None
        found = re.search(r"(\S+):(\d+)", here.stderr.readline())
        assert found is not None
        address = found[1], int(found[2])
        with contextlib.ExitStack() as stack:
            silent, half, garbage, wire = (
                Wire(stack.enter_context(socket.create_connection(address))) for _ in range(4)
            )
            half.socket.sendall(b"R01half a mess")
            garbage.socket.sendall(b"\xff" * 1000)
            wire.send(b"R01" + b"them".ljust(32) + b"Z005000A")
            assert (wire.receive() or b"")[:1] == b"A"
            assert [each.receive() for each in (silent, half, garbage)] == [None] * 3
            wire.send(b"E11")
            wire.expect(b"E00")
            ports = [each.socket.getsockname()[1] for each in (silent, half, garbage)]
        here.send_signal(signal.SIGINT)
        _, errors = here.communicate(timeout=TIMEOUT)
    for port, problem in zip(ports, ("did not request", "did not request", "more than 127 bytes"), strict=True):
        lines = [line for line in errors.splitlines() if line.startswith(f"127.0.0.1:{port} ")]
        assert lines[0].endswith(" connected")
        assert len(lines) == 2
        assert problem in lines[1]
    assert "Traceback" not in errors
