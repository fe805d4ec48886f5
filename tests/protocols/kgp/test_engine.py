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
from tablemen.protocols.kgp.engine import AsyncKgpEngine, KgpEngine, KgpTimeouts, move_time
from tablemen.protocols.kgp.messages import KgpBoard
from tablemen.search import Clock, Limit
from tests.processes import wait_for_end
from tests.protocols.kgp.fakes import ThreadedClient, answering, connecting, free_port, started
from tests.timeouts import TIMEOUT, run_in_time

MUCH = Limit(time=1000)


def test_an_engine_chooses_moves_of_either_side() -> None:
    def script(client: ThreadedClient) -> None:
        client.send_lines('set info:name "Ann"', "mode freeplay")
        for house in (2, 5):
            state = client.receive_until("state")
            assert state is not None
            boards.append(state.board(0))
            client.send_lines(f"@{state.id} move 1", f"@{state.id} move {house}", f"@{state.id} yield")
        assert client.receive_until("goodbye") is not None

    boards: list[KgpBoard | None] = []
    game = started()
    with connecting(script) as port, Engine.open("kgp", f"127.0.0.1:{port}") as engine:
        assert engine.name == "Ann"
        for house in (2, 5):
            before = game.copy()
            answer = engine.choose(game, MUCH)
            assert game == before
            assert answer.move.house == house
            game.push(answer.move)
    assert boards == [KgpBoard.from_position(position) for position in game.positions[:2]]
    with pytest.raises(PeerGoneError, match="is closed"):
        engine.choose(game)
    engine.close()
    engine.stop()


def test_simultaneous_choices_are_serialized() -> None:
    def script(client: ThreadedClient) -> None:
        client.send_lines("mode freeplay")
        for house in (2, 5):
            state = client.receive_until("state")
            assert state is not None
            time.sleep(0.05)  # for the other choice to interfere, if it could
            client.send_lines(f"@{state.id} move {house}", f"@{state.id} yield")
        assert client.receive_until("goodbye") is not None

    with (
        connecting(script) as port,
        KgpEngine.open(f"127.0.0.1:{port}") as engine,
        ThreadPoolExecutor() as threads,
    ):
        asked = [threads.submit(engine.choose, started(), MUCH) for _ in range(2)]
        assert {each.result(TIMEOUT).move.house for each in asked} == {2, 5}


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
    with connecting(answering(*answers)) as port:
        engine = KgpEngine.open(f"127.0.0.1:{port}")
        game = started()
        with pytest.raises(error, match=problem):
            engine.choose(game, MUCH)
        assert game == started()
        with pytest.raises(PeerGoneError):
            engine.choose(game, MUCH)


def test_a_client_that_disconnects() -> None:
    with connecting(answering("@# move 3", leave=True)) as port:
        engine = KgpEngine.open(f"127.0.0.1:{port}")
        with pytest.raises(PeerGoneError):
            engine.choose(started(), MUCH)


def test_a_client_that_never_moves() -> None:
    with connecting(answering()) as port:
        engine = KgpEngine.open(f"127.0.0.1:{port}", timeouts=KgpTimeouts(grace=0.02))
        with pytest.raises(PeerTimeoutError, match="chose no move within"):
            engine.choose(started(), Limit(time=0.01))


def test_the_last_move_counts_when_the_time_ends() -> None:
    with connecting(answering("@# move 3")) as port, KgpEngine.open(f"127.0.0.1:{port}") as engine:
        assert engine.choose(started(), Limit(time=0.1)).move.house == 3


def test_stop_ends_a_choice_with_the_last_move() -> None:
    def script(client: ThreadedClient) -> None:
        client.send_lines("mode freeplay")
        state = client.receive_until("state")
        assert state is not None
        client.send_lines(f"@{state.id} move 3")
        engine.stop()
        client.receive_until("goodbye")

    with connecting(script) as port, KgpEngine.open(f"127.0.0.1:{port}") as engine:
        engine.stop()  # without effect on the next choice
        assert engine.choose(started(), MUCH).move.house == 3


def test_a_choice_that_is_stopped_early_ends_with_the_first_move() -> None:
    async def choose(port: int) -> int:
        async with await AsyncKgpEngine.open(f"127.0.0.1:{port}") as engine:
            answer = await engine.choose(started(), MUCH, is_stopped=lambda: True)
            house: int = answer.move.house
            return house

    with connecting(answering("@# move 3")) as port:
        assert run_in_time(choose(port)) == 3


def test_unsupported_games() -> None:
    with connecting(answering("@# move 1")) as port, KgpEngine.open(f"127.0.0.1:{port}") as engine:
        with pytest.raises(GameError, match="swap"):
            engine.choose(started(KalahRules(name="pie", swap=Swap.PIE)))
        with pytest.raises(GameError, match="Kalah family"):
            engine.choose(started("oware"))
        over = started()
        over.resign(Side.WHITE)
        with pytest.raises(GameOverError):
            engine.choose(over)
        assert engine.choose(started("irving"), Limit(time=0)).move.house == 1


def test_no_client_connects() -> None:
    port = free_port()
    with pytest.raises(PeerTimeoutError, match="received no connection"):
        KgpEngine.open(f"127.0.0.1:{port}", timeouts=KgpTimeouts(connect=0.02))
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(PeerGoneError, match="cannot be listened at"):
            KgpEngine.open(f"127.0.0.1:{taken.getsockname()[1]}")
    with pytest.raises(ArgumentError):
        KgpEngine.open("nowhere")


def test_a_client_in_another_mode_is_disconnected() -> None:
    def script(client: ThreadedClient) -> None:
        client.send_lines("mode verify")
        assert client.receive_until("goodbye") is not None
        other = ThreadedClient(client.socket.getpeername()[1])
        answering("@# move 2", "@# yield")(other)
        other.close()

    with connecting(script) as port, KgpEngine.open(f"127.0.0.1:{port}") as engine:
        assert engine.choose(started(), MUCH).move.house == 2


def test_silent_clients_do_not_block_others() -> None:
    silent: list[ThreadedClient] = []

    def script(client: ThreadedClient) -> None:
        silent.extend([client, *(ThreadedClient(client.socket.getpeername()[1]) for _ in range(3))])
        other = ThreadedClient(client.socket.getpeername()[1])
        answering("@# move 2", "@# yield")(other)
        other.close()
        for each in silent:
            error = each.receive_until("error")
            assert error is not None
            assert error.text(0) == "somebody else plays here"
            assert each.receive_until("goodbye") is not None
            each.close()

    with connecting(script) as port, KgpEngine.open(f"127.0.0.1:{port}", time=5) as engine:
        assert engine.choose(started(), MUCH).move.house == 2


def test_move_time_is_the_smallest_limit() -> None:
    assert move_time(Limit(), None) == 1
    assert move_time(Limit(time=3), None) == 3
    assert move_time(Limit(time=3), Clock(30.0)) == 1
    assert move_time(Limit(clock=Clock(60.0, increment=1.0)), None) == 2.8
    assert move_time(Limit(), Clock(1.0, increment=10.0)) == 0.5


@pytest.mark.slow
def test_a_program_that_ends_is_reported_and_leaves_no_processes(tmp_path: Path) -> None:
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
