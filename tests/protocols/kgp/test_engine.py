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
    PeerError,
    PeerGoneError,
    PeerTimeoutError,
    ProtocolError,
)
from tablemen.mancala import KalahRules, Swap
from tablemen.protocols import Engine
from tablemen.protocols.kgp.engine import MAX_RATE, OCCUPIED, AsyncKgpEngine, KgpEngine, KgpTimeouts, move_time
from tablemen.protocols.kgp.messages import KgpBoard
from tablemen.protocols.kgp.protocol import MAX_CLIENT_ERRORS
from tablemen.search import Clock, Limit
from tests.processes import wait_for_end
from tests.protocols.kgp.fakes import ThreadedClient, answering, connecting, free_port, started
from tests.timeouts import TIMEOUT, run_in_time

LONG = Limit(time=1000)


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
            answer = engine.choose(game, LONG)
            assert game == before
            assert answer.move.house == house
            game.push(answer.move)
    assert boards == [KgpBoard.from_position(position) for position in game.positions[:2]]
    with pytest.raises(PeerGoneError) as caught:
        engine.choose(game)
    assert caught.value.peer == "Ann"
    engine.close()
    engine.stop()


def test_concurrent_choices_run_one_after_the_other() -> None:
    def script(client: ThreadedClient) -> None:
        client.send_lines("mode freeplay")
        for house in (2, 5):
            state = client.receive_until("state")
            assert state is not None
            time.sleep(0.05)  # time for the other choice to interfere
            client.send_lines(f"@{state.id} move {house}", f"@{state.id} yield")
        assert client.receive_until("goodbye") is not None

    with (
        connecting(script) as port,
        KgpEngine.open(f"127.0.0.1:{port}") as engine,
        ThreadPoolExecutor() as threads,
    ):
        choices = [threads.submit(engine.choose, started(), LONG) for _ in range(2)]
        assert {each.result(TIMEOUT).move.house for each in choices} == {2, 5}


@pytest.mark.parametrize(
    ("answers", "error", "detail"),
    [
        (["@# move 7", "@# yield"], ProtocolError, "house 7"),
        (["@# move 0", "@# yield"], ProtocolError, "house 0"),
        (["@# yield"], ProtocolError, "yield"),
        (["goodbye"], PeerGoneError, "goodbye"),
        (["x" * 20_000], ProtocolError, "16,384 bytes"),
        (["ok"] * 5000, ProtocolError, f"{MAX_RATE:g} messages a second"),
        (["<"] * 100, ProtocolError, f"{MAX_CLIENT_ERRORS} invalid messages"),
    ],
    ids=["house 7", "house 0", "yield", "goodbye", "long line", "flood", "nonsense"],
)
def test_a_fault_of_the_client_raises_and_closes_the_engine(
    answers: list[str], error: type[PeerError], detail: str
) -> None:
    with connecting(answering(*answers)) as port:
        engine = KgpEngine.open(f"127.0.0.1:{port}")
        game = started()
        with pytest.raises(error) as caught:
            engine.choose(game, LONG)
        assert detail in caught.value.problem
        assert game == started()
        with pytest.raises(PeerGoneError) as closed:
            engine.choose(game, LONG)
        assert closed.value.__cause__ is caught.value


def test_a_client_that_disconnects_raises() -> None:
    with connecting(answering("@# move 3", leave=True)) as port:
        engine = KgpEngine.open(f"127.0.0.1:{port}")
        with pytest.raises(PeerGoneError):
            engine.choose(started(), LONG)


def test_a_client_that_never_moves_times_out() -> None:
    with connecting(answering()) as port:
        engine = KgpEngine.open(f"127.0.0.1:{port}", timeouts=KgpTimeouts(grace=0.02))
        with pytest.raises(PeerTimeoutError) as caught:
            engine.choose(started(), Limit(time=0.01))
        assert caught.value.seconds == 0.01 + 0.02


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
        engine.stop()  # no effect on the next choice
        assert engine.choose(started(), LONG).move.house == 3


def test_a_choice_stopped_before_its_start_ends_with_the_first_move() -> None:
    async def choose(port: int) -> int:
        async with await AsyncKgpEngine.open(f"127.0.0.1:{port}") as engine:
            answer = await engine.choose(started(), LONG, is_stopped=lambda: True)
            house: int = answer.move.house
            return house

    with connecting(answering("@# move 3")) as port:
        assert run_in_time(choose(port)) == 3


def test_unsupported_games_are_refused() -> None:
    with connecting(answering("@# move 1")) as port, KgpEngine.open(f"127.0.0.1:{port}") as engine:
        with pytest.raises(GameError, match="pie"):
            engine.choose(started(KalahRules(name="pie", swap=Swap.PIE)))
        with pytest.raises(GameError, match="Oware"):
            engine.choose(started("oware"))
        over = started()
        over.resign(Side.WHITE)
        with pytest.raises(GameOverError):
            engine.choose(over)
        assert engine.choose(started("irving"), Limit(time=0)).move.house == 1


def test_opening_without_a_client_or_with_a_bad_address_raises() -> None:
    port = free_port()
    with pytest.raises(PeerTimeoutError) as timeout:
        KgpEngine.open(f"127.0.0.1:{port}", timeouts=KgpTimeouts(connect=0.02))
    assert (timeout.value.peer, timeout.value.seconds) == (f"127.0.0.1:{port}", 0.02)
    with socket.socket() as used:
        used.bind(("127.0.0.1", 0))
        used.listen()
        with pytest.raises(PeerGoneError) as gone:
            KgpEngine.open(f"127.0.0.1:{used.getsockname()[1]}")
        assert isinstance(gone.value.__cause__, OSError)
    with pytest.raises(ArgumentError) as invalid:
        KgpEngine.open("nowhere")
    assert (invalid.value.name, invalid.value.value) == ("address", "nowhere")


def test_a_client_in_another_mode_is_disconnected() -> None:
    def script(client: ThreadedClient) -> None:
        client.send_lines("mode verify")
        assert client.receive_until("goodbye") is not None
        other = ThreadedClient(client.socket.getpeername()[1])
        answering("@# move 2", "@# yield")(other)
        other.close()

    with connecting(script) as port, KgpEngine.open(f"127.0.0.1:{port}") as engine:
        assert engine.choose(started(), LONG).move.house == 2


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
            assert error.text(0) == OCCUPIED
            assert each.receive_until("goodbye") is not None
            each.close()

    with connecting(script) as port, KgpEngine.open(f"127.0.0.1:{port}", time=5) as engine:
        assert engine.choose(started(), LONG).move.house == 2


def test_move_time_is_the_smallest_limit() -> None:
    assert move_time(Limit(), None) == 1
    assert move_time(Limit(time=3), None) == 3
    assert move_time(Limit(time=3), Clock(30.0)) == 1
    assert move_time(Limit(clock=Clock(60.0, increment=1.0)), None) == 2.8
    assert move_time(Limit(), Clock(1.0, increment=10.0)) == 0.5


@pytest.mark.slow
def test_a_program_that_exits_raises_and_leaves_no_processes(tmp_path: Path) -> None:
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
    pid = tmp_path / "child"
    engine = KgpEngine.open(f"{sys.executable} {program} {{port}} {pid}")
    with pytest.raises(PeerGoneError, match=r"status 1.*out of ideas"):
        engine.choose(started(), LONG)
    wait_for_end(int(pid.read_text()))


@pytest.mark.slow
def test_programs_that_never_connect_raise() -> None:
    with pytest.raises(PeerGoneError) as caught:
        KgpEngine.open("no-such-program-anywhere {port}")
    assert isinstance(caught.value.__cause__, FileNotFoundError)
    with pytest.raises(PeerGoneError, match="status 3"):
        KgpEngine.open(f"{sys.executable} -c 'import sys; sys.exit(3)' {{port}}")
