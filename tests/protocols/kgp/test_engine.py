"""Clients of the Kalah Game Protocol as engines."""

from __future__ import annotations

import socket
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tablemen import Side
from tablemen.errors import (
    ArgumentError,
    GameError,
    GameOverError,
    PeerGoneError,
    PeerTimeoutError,
    ProtocolError,
)
from tablemen.mancala import KalahRules, Swap
from tablemen.protocols import Engine
from tablemen.protocols.kgp import asynchronous as module
from tablemen.protocols.kgp.board import Board
from tablemen.protocols.kgp.engine import KgpEngine, seconds_of
from tablemen.search import Clock, Limit
from tests.patience import LONG
from tests.processes import wait_for_end
from tests.protocols.kgp.peers import Client, answering, free_port, played_by, started

MUCH = Limit(time=1000)


def test_an_engine_chooses_moves_of_either_side() -> None:
    def visit(client: Client) -> None:
        client.say('set info:name "Ann"', "mode freeplay")
        for house in (2, 5):
            state = client.hear_until("state")
            assert state is not None
            boards.append(state.board(0))
            client.say(f"@{state.id} move 1", f"@{state.id} move {house}", f"@{state.id} yield")
        assert client.hear_until("goodbye") is not None

    boards: list[Board | None] = []
    game = started()
    with played_by(visit) as port, Engine.open("kgp", f"127.0.0.1:{port}") as engine:
        assert engine.name == "Ann"
        for house in (2, 5):
            before = game.copy()
            answer = engine.choose(game, MUCH)
            assert game == before
            assert answer.move.house == house
            game.push(answer.move)
    assert boards == [Board.of(position) for position in game.positions[:2]]
    with pytest.raises(PeerGoneError, match="is closed"):
        engine.choose(game)
    engine.close()
    engine.stop()


def test_who_asks_while_another_waits_comes_after_it() -> None:
    def visit(client: Client) -> None:
        client.say("mode freeplay")
        for house in (2, 5):
            state = client.hear_until("state")
            assert state is not None
            time.sleep(0.05)  # for the other to come in between, if it could
            client.say(f"@{state.id} move {house}", f"@{state.id} yield")
        assert client.hear_until("goodbye") is not None

    with (
        played_by(visit) as port,
        KgpEngine.open(f"127.0.0.1:{port}") as engine,
        ThreadPoolExecutor() as threads,
    ):
        asked = [threads.submit(engine.choose, started(), MUCH) for _ in range(2)]
        assert {each.result(LONG).move.house for each in asked} == {2, 5}


@pytest.mark.parametrize(
    ("answers", "error", "problem"),
    [
        (["@# move 7", "@# yield"], ProtocolError, "chose house 7, which cannot be played in <6,0,0,"),
        (["@# move 0", "@# yield"], ProtocolError, "chose house 0"),
        (["@# yield"], ProtocolError, "wants to make no move"),
        (["goodbye"], PeerGoneError, "has said goodbye"),
        (["x" * 20_000], ProtocolError, "more than 16,384 bytes"),
        (["ok"] * 5000, ProtocolError, "sends too many messages"),
        (["<"] * 100, ProtocolError, "makes no sense"),
    ],
)
def test_clients_that_fail(answers: list[str], error: type[Exception], problem: str) -> None:
    with played_by(answering(*answers)) as port:
        engine = KgpEngine.open(f"127.0.0.1:{port}")
        game = started()
        with pytest.raises(error, match=problem):
            engine.choose(game, MUCH)
        assert game == started()
        with pytest.raises(PeerGoneError):
            engine.choose(game, MUCH)


def test_a_client_that_goes_away() -> None:
    with played_by(answering("@# move 3", leave=True)) as port:
        engine = KgpEngine.open(f"127.0.0.1:{port}")
        with pytest.raises(PeerGoneError):
            engine.choose(started(), MUCH)


def test_a_client_that_thinks_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GRACE", 0.02)
    with played_by(answering()) as port:
        engine = KgpEngine.open(f"127.0.0.1:{port}")
        with pytest.raises(PeerTimeoutError, match="chose no move within"):
            engine.choose(started(), Limit(time=0.01))


def test_the_last_move_counts_when_the_time_is_over() -> None:
    with played_by(answering("@# move 3")) as port, KgpEngine.open(f"127.0.0.1:{port}") as engine:
        assert engine.choose(started(), Limit(time=0.1)).move.house == 3


def test_stop_takes_what_there_is() -> None:
    def visit(client: Client) -> None:
        client.say("mode freeplay")
        state = client.hear_until("state")
        assert state is not None
        client.say(f"@{state.id} move 3")
        engine.stop()
        client.hear_until("goodbye")

    with played_by(visit) as port, KgpEngine.open(f"127.0.0.1:{port}") as engine:
        engine.stop()  # which does not concern the next one
        assert engine.choose(started(), MUCH).move.house == 3


def test_what_cannot_be_asked() -> None:
    with played_by(answering("@# move 1")) as port, KgpEngine.open(f"127.0.0.1:{port}") as engine:
        with pytest.raises(GameError, match="swap"):
            engine.choose(started(KalahRules(name="pie", swap=Swap.PIE)))
        with pytest.raises(GameError, match="Kalah family"):
            engine.choose(started("oware"))
        over = started()
        over.resign(Side.WHITE)
        with pytest.raises(GameOverError):
            engine.choose(over)
        assert engine.choose(started("irving"), Limit(time=0)).move.house == 1


def test_nobody_comes() -> None:
    port = free_port()
    with pytest.raises(PeerTimeoutError, match="had nobody connect to it"):
        KgpEngine.open(f"127.0.0.1:{port}", patience=0.02)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(PeerGoneError, match="cannot be listened at"):
            KgpEngine.open(f"127.0.0.1:{taken.getsockname()[1]}")
    with pytest.raises(ArgumentError):
        KgpEngine.open("nowhere")


def test_a_client_that_wants_something_else_is_sent_away_and_another_waited_for() -> None:
    def visit(client: Client) -> None:
        client.say("mode verify")
        assert client.hear_until("goodbye") is not None
        other = Client(client.socket.getpeername()[1])
        answering("@# move 2", "@# yield")(other)
        other.close()

    with played_by(visit) as port, KgpEngine.open(f"127.0.0.1:{port}") as engine:
        assert engine.choose(started(), MUCH).move.house == 2


def test_clients_that_say_nothing_keep_nobody_out() -> None:
    silent: list[Client] = []

    def visit(client: Client) -> None:
        silent.extend([client, *(Client(client.socket.getpeername()[1]) for _ in range(3))])
        other = Client(client.socket.getpeername()[1])
        answering("@# move 2", "@# yield")(other)
        other.close()
        for each in silent:
            error = each.hear_until("error")
            assert error is not None
            assert error.text(0) == "somebody else plays here"
            assert each.hear_until("goodbye") is not None
            each.close()

    with played_by(visit) as port, KgpEngine.open(f"127.0.0.1:{port}", time=5) as engine:
        assert engine.choose(started(), MUCH).move.house == 2


def test_the_time_for_a_move() -> None:
    assert seconds_of(Limit(), None) == 1
    assert seconds_of(Limit(time=3), None) == 3
    assert seconds_of(Limit(time=3), Clock(30.0)) == 1
    assert seconds_of(Limit(clock=Clock(60.0, increment=1.0)), None) == 2.8
    assert seconds_of(Limit(), Clock(1.0, increment=10.0)) == 0.5


@pytest.mark.slow
def test_a_program_that_ends_is_told_of_and_leaves_nothing_behind(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import os, socket, subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "open(sys.argv[2], 'w').write(str(child.pid))\n"
        "print('x' * 1_000_000)\n"
        "wire = socket.create_connection(('127.0.0.1', int(sys.argv[1])))\n"
        "wire.sendall(b'mode freeplay\\n')\n"
        "while b'state' not in wire.recv(4096): pass\n"
        "sys.exit('out of ideas')\n"
    )
    number = tmp_path / "child"
    engine = KgpEngine.open(f"{sys.executable} {program} {{port}} {number}")
    with pytest.raises(PeerGoneError, match="ended with status 1: out of ideas"):
        engine.choose(started(), MUCH)
    wait_for_end(int(number.read_text()))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "problem"),
    [
        ("no-such-program-anywhere {port}", "cannot be started"),
        (f"{sys.executable} -c 'import sys; sys.exit(3)' {{port}}", "ended with status 3"),
    ],
)
def test_programs_that_never_connect(command: str, problem: str) -> None:
    with pytest.raises(PeerGoneError, match=problem):
        KgpEngine.open(command)
