"""Connections of a KGP server to its clients."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from tablemen.errors import PeerGoneError, PeerTimeoutError, ProtocolError
from tablemen.mancala import Position
from tablemen.protocols.kgp import engine as module
from tablemen.protocols.kgp.engine import KgpConnection, KgpTimeouts
from tablemen.protocols.kgp.messages import KgpBoard, ProblemSolution
from tests.protocols.kgp.fakes import MemoryTransport, make_transports
from tests.timeouts import TIMEOUT, run_in_time

START = Position.start("kgp")
LONG = 1000.0  # seconds; another event ends the test


def run_script(script: Callable[[KgpConnection, MemoryTransport], Awaitable[None]], *, mode: str = "freeplay") -> None:
    """Run a script with a started connection and the transport of the client."""

    async def run() -> None:
        ours, theirs = make_transports()
        connection = KgpConnection(ours)
        await theirs.send_lines(f"1 mode {mode}")
        try:
            assert await connection.start() == mode
            await script(connection, theirs)
        finally:
            await connection.close()
        assert asyncio.all_tasks() == {asyncio.current_task()}

    run_in_time(run())


def test_the_last_move_counts() -> None:
    async def script(connection: KgpConnection, client: MemoryTransport) -> None:
        choice = asyncio.create_task(connection.choose(START, LONG))
        number = (await client.receive_until("state")).id
        await client.send_lines(
            "@4711 move 6", f"@{number} move 3", "", "  ", f"7@{number}  MOVE   2 ", f"@{number} yield"
        )
        assert await choice == 2
        assert connection.has_yielded
        assert (await client.receive_until("stop")).ref == number
        await client.send_lines(f"@{number} move 5")  # too late
        choice = asyncio.create_task(connection.choose(START, LONG))
        number = (await client.receive_until("state")).id
        await client.send_lines("move 4", "yield")
        assert await choice == 4

    run_script(script)


def limit_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allow only a few messages besides answers."""
    monkeypatch.setattr(module, "MAX_RATE", 0.0)
    monkeypatch.setattr(module, "MAX_BURST", 20.0)


def test_fast_moves_are_not_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    async def script(connection: KgpConnection, client: MemoryTransport) -> None:
        for _ in range(50):
            choice = asyncio.create_task(connection.choose(START, LONG))
            number = (await client.receive_until("state")).id
            await client.send_lines(f"@{number} move 3", f"@{number} move 2", f"@{number} yield")
            assert await choice == 2
        assert not connection.is_closed

    limit_rate(monkeypatch)
    run_script(script)


def test_fast_solutions_are_not_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    async def script(connection: KgpConnection, client: MemoryTransport) -> None:
        for _ in range(50):
            solving = asyncio.create_task(connection.solve(KgpBoard(0, 0, (1,), (1,)), 1, LONG))
            number = (await client.receive_until("problem")).id
            await client.send_lines(f"@{number} solution <1,0,0,1,1> 0")
            assert (await solving).solution is not None
        assert not connection.is_closed

    limit_rate(monkeypatch)
    run_script(script, mode="verify")


def test_other_messages_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    async def script(connection: KgpConnection, client: MemoryTransport) -> None:
        choice = asyncio.create_task(connection.choose(START, LONG))
        number = (await client.receive_until("state")).id
        await client.send_lines(*[f"@{number} move 3"] * 50)
        with pytest.raises(ProtocolError):
            await choice
        assert connection.is_closed

    limit_rate(monkeypatch)
    run_script(script)


def test_a_choice_ends_when_its_time_is_over() -> None:
    async def script(connection: KgpConnection, client: MemoryTransport) -> None:
        choice = asyncio.create_task(connection.choose(START, 0.05))
        await client.receive_until("state")
        assert await choice is None
        choice = asyncio.create_task(connection.choose(START, 0.0, grace=LONG))
        number = (await client.receive_until("state")).id
        await client.send_lines(f"@{number} move 5")
        assert await choice == 5
        assert not connection.has_yielded
        stopped = asyncio.Event()
        choice = asyncio.create_task(connection.choose(START, LONG, grace=LONG, stopped=stopped))
        number = (await client.receive_until("state")).id
        stopped.set()
        await client.send_lines(f"@{number} move 1")
        assert await choice == 1

    run_script(script)


@pytest.mark.parametrize("lines", [(), ("goodbye",)])
def test_a_client_that_disconnects_during_a_choice_raises(lines: tuple[str, ...]) -> None:
    async def script(connection: KgpConnection, client: MemoryTransport) -> None:
        choice = asyncio.create_task(connection.choose(START, LONG))
        number = (await client.receive_until("state")).id
        await client.send_lines(f"@{number} move 3", *lines)
        await client.close()
        with pytest.raises(PeerGoneError):
            await choice
        assert connection.is_closed
        assert isinstance(await connection.wait_closed(), PeerGoneError)
        with pytest.raises(PeerGoneError):
            await connection.choose(START, LONG)

    run_script(script)


def test_a_yield_ends_a_choice() -> None:
    async def script(connection: KgpConnection, client: MemoryTransport) -> None:
        choice = asyncio.create_task(connection.choose(START, LONG))
        number = (await client.receive_until("state")).id
        await client.send_lines(f"@{number} move 3", f"@{number} yield")
        assert await choice == 3

    run_script(script)


def test_a_silent_client_times_out() -> None:
    async def run() -> None:
        ours, _theirs = make_transports()
        connection = KgpConnection(ours, timeouts=KgpTimeouts(handshake=0.05))
        with pytest.raises(PeerTimeoutError) as caught:
            await connection.start()
        assert caught.value.seconds == 0.05
        await connection.close()
        assert ours.is_closed

    run_in_time(run())


def test_an_idle_client_is_pinged() -> None:
    async def run() -> None:
        ours, theirs = make_transports()
        connection = KgpConnection(ours, timeouts=KgpTimeouts(idle=0.02, pong=TIMEOUT))
        await theirs.send_lines("mode freeplay")
        await connection.start()
        for _ in range(3):
            ping = await theirs.receive_until("ping")
            await theirs.send_lines(f"@{ping.id} pong")
        assert not connection.is_closed
        await connection.close()
        ours, theirs = make_transports()
        connection = KgpConnection(ours, timeouts=KgpTimeouts(idle=0.02, pong=0.03))
        await theirs.send_lines("mode freeplay")
        await connection.start()
        error = await connection.wait_closed()
        assert isinstance(error, PeerTimeoutError)
        assert error.seconds == 0.03
        await connection.close()

    run_in_time(run())


def test_a_flood_ends_the_connection_and_many_pings_do_not() -> None:
    async def script(connection: KgpConnection, client: MemoryTransport) -> None:
        for number in range(900):
            await client.send_lines(f"{number} ping")
        for number in range(900):
            assert (await client.receive_until("pong")).ref == number
        for _ in range(10_000):
            await client.send_lines("ok")
        error = await connection.wait_closed()
        assert isinstance(error, ProtocolError)
        assert (await client.receive_until("error")).text(0) == error.problem

    run_script(script)


def test_malformed_lines_end_the_connection() -> None:
    async def script(connection: KgpConnection, client: MemoryTransport) -> None:
        for _ in range(100):
            await client.send(b"\xff\xfe <")
        assert isinstance(await connection.wait_closed(), ProtocolError)
        await client.receive_until("goodbye")

    run_script(script)


def test_a_client_that_does_not_read_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    async def script(connection: KgpConnection, client: MemoryTransport) -> None:
        async def refuse(_message: bytes) -> None:
            raise PeerTimeoutError("client", "did not read our message", 10)

        assert connection._transport is not client
        monkeypatch.setattr(connection._transport, "send", refuse)
        with pytest.raises(PeerTimeoutError):
            await connection.choose(START, LONG)

    run_script(script)


def test_a_client_solves_problems() -> None:
    async def script(connection: KgpConnection, client: MemoryTransport) -> None:
        board = KgpBoard(0, 0, (3, 3, 3), (3, 3, 3))
        task = asyncio.create_task(connection.solve(board, 1, LONG))
        problem = await client.receive_until("problem")
        assert problem.arguments == (board, 1)
        await client.send_lines(f"3@{problem.id} solution {board} false")
        solved = await task
        assert (solved.answer_id, solved.solution) == (3, ProblemSolution(board, repeats=False))
        with pytest.raises(PeerTimeoutError) as caught:
            await connection.solve(board, 1, 0.02)
        assert caught.value.seconds == 0.02

    run_script(script, mode="verify")
