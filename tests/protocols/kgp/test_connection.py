"""Clients as a server sees them: those that think, and those that behave badly."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from tablemen.errors import PeerGoneError, PeerTimeoutError, ProtocolError
from tablemen.mancala import Position
from tablemen.protocols.kgp import connection as module
from tablemen.protocols.kgp.board import Board
from tablemen.protocols.kgp.connection import GuestConnection
from tablemen.protocols.kgp.problem import Solution
from tests.patience import LONG, run_in_time
from tests.protocols.kgp.wires import MemoryTransport, make_wire

START = Position.start("kgp")
MUCH = 1000.0  # seconds: such a test ends by something else


def meet(visit: Callable[[GuestConnection, MemoryTransport], Awaitable[None]], *, mode: str = "freeplay") -> None:
    """A guest that has said what it wants, and the client's end of the wire."""

    async def run() -> None:
        ours, theirs = make_wire()
        guest = GuestConnection(ours)
        await theirs.say(f"1 mode {mode}")
        try:
            assert await guest.begin() == mode
            await visit(guest, theirs)
        finally:
            await guest.close()
        assert asyncio.all_tasks() == {asyncio.current_task()}

    run_in_time(run())


def test_the_last_move_counts() -> None:
    async def visit(guest: GuestConnection, client: MemoryTransport) -> None:
        choice = asyncio.create_task(guest.choose(START, MUCH))
        number = (await client.hear_until("state")).id
        await client.say("@4711 move 6", f"@{number} move 3", "", "  ", f"7@{number}  MOVE   2 ", f"@{number} yield")
        assert await choice == 2
        assert guest.has_yielded
        assert (await client.hear_until("stop")).ref == number
        await client.say(f"@{number} move 5")  # late
        choice = asyncio.create_task(guest.choose(START, MUCH))
        number = (await client.hear_until("state")).id
        await client.say("move 4", "yield")
        assert await choice == 4

    meet(visit)


def meter_strictly(monkeypatch: pytest.MonkeyPatch) -> None:
    """No message is taken that was not asked for, but for the first few."""
    monkeypatch.setattr(module, "RATE", 0.0)
    monkeypatch.setattr(module, "BURST", 20.0)


def test_who_answers_quickly_may_do_so_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    async def visit(guest: GuestConnection, client: MemoryTransport) -> None:
        for _ in range(50):
            choice = asyncio.create_task(guest.choose(START, MUCH))
            number = (await client.hear_until("state")).id
            await client.say(f"@{number} move 3", f"@{number} move 2", f"@{number} yield")
            assert await choice == 2
        assert not guest.is_gone

    meter_strictly(monkeypatch)
    meet(visit)


def test_who_solves_problems_quickly_may_do_so_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    async def visit(guest: GuestConnection, client: MemoryTransport) -> None:
        for _ in range(50):
            asked = asyncio.create_task(guest.solve(Board(0, 0, (1,), (1,)), 1, MUCH))
            number = (await client.hear_until("problem")).id
            await client.say(f"@{number} solution <1,0,0,1,1> 0")
            assert (await asked).solution is not None
        assert not guest.is_gone

    meter_strictly(monkeypatch)
    meet(visit, mode="verify")


def test_who_talks_without_being_asked_is_sent_away_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    async def visit(guest: GuestConnection, client: MemoryTransport) -> None:
        choice = asyncio.create_task(guest.choose(START, MUCH))
        number = (await client.hear_until("state")).id
        await client.say(*[f"@{number} move 3"] * 50)
        with pytest.raises(ProtocolError, match="sends too many messages"):
            await choice

    meter_strictly(monkeypatch)
    meet(visit)


def test_time_ends_a_choice_with_what_was_said() -> None:
    async def visit(guest: GuestConnection, client: MemoryTransport) -> None:
        choice = asyncio.create_task(guest.choose(START, 0.05))
        await client.hear_until("state")
        assert await choice is None
        choice = asyncio.create_task(guest.choose(START, 0.0, grace=MUCH))
        number = (await client.hear_until("state")).id
        await client.say(f"@{number} move 5")
        assert await choice == 5
        assert not guest.has_yielded
        stopped = asyncio.Event()
        choice = asyncio.create_task(guest.choose(START, MUCH, grace=MUCH, stopped=stopped))
        number = (await client.hear_until("state")).id
        stopped.set()
        await client.say(f"@{number} move 1")
        assert await choice == 1

    meet(visit)


@pytest.mark.parametrize("words", [(), ("goodbye",)])
def test_a_client_that_goes_while_it_thinks(words: tuple[str, ...]) -> None:
    async def visit(guest: GuestConnection, client: MemoryTransport) -> None:
        choice = asyncio.create_task(guest.choose(START, MUCH))
        number = (await client.hear_until("state")).id
        await client.say(f"@{number} move 3", *words)
        await client.close()
        with pytest.raises(PeerGoneError):
            await choice
        assert guest.is_gone
        assert isinstance(await guest.wait_gone(), PeerGoneError)
        with pytest.raises(PeerGoneError):
            await guest.choose(START, MUCH)

    meet(visit)


def test_a_client_that_moves_and_goes_has_moved() -> None:
    async def visit(guest: GuestConnection, client: MemoryTransport) -> None:
        choice = asyncio.create_task(guest.choose(START, MUCH))
        number = (await client.hear_until("state")).id
        await client.say(f"@{number} move 3", f"@{number} yield")
        assert await choice == 3

    meet(visit)


def test_a_client_that_says_nothing_is_not_waited_for() -> None:
    async def run() -> None:
        ours, _theirs = make_wire()
        guest = GuestConnection(ours)
        with pytest.raises(PeerTimeoutError, match=r"did not say what it wants within 0\.05 s"):
            await guest.begin(patience=0.05)
        await guest.close()
        assert ours.is_closed

    run_in_time(run())


def test_signs_of_life() -> None:
    async def run() -> None:
        ours, theirs = make_wire()
        guest = GuestConnection(ours, silence=0.02, answer=LONG)
        await theirs.say("mode freeplay")
        await guest.begin()
        for _ in range(3):
            ping = await theirs.hear_until("ping")
            await theirs.say(f"@{ping.id} pong")
        assert not guest.is_gone
        await guest.close()
        ours, theirs = make_wire()
        guest = GuestConnection(ours, silence=0.02, answer=0.02)
        await theirs.say("mode freeplay")
        await guest.begin()
        error = await guest.wait_gone()
        assert isinstance(error, PeerTimeoutError)
        assert error.problem == "gave no sign of life"
        await guest.close()

    run_in_time(run())


def test_a_thousand_pings_are_answered_and_a_flood_is_not() -> None:
    async def visit(guest: GuestConnection, client: MemoryTransport) -> None:
        for number in range(900):
            await client.say(f"{number} ping")
        for number in range(900):
            assert (await client.hear_until("pong")).ref == number
        for _ in range(10_000):
            await client.say("ok")
        error = await guest.wait_gone()
        assert isinstance(error, ProtocolError)
        assert error.problem == "sends too many messages"
        assert (await client.hear_until("error")).text(0) == error.problem

    meet(visit)


def test_nonsense_ends_soon() -> None:
    async def visit(guest: GuestConnection, client: MemoryTransport) -> None:
        for _ in range(100):
            await client.send(b"\xff\xfe <")
        assert isinstance(await guest.wait_gone(), ProtocolError)
        await client.hear_until("goodbye")

    meet(visit)


def test_a_client_that_takes_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async def visit(guest: GuestConnection, client: MemoryTransport) -> None:
        async def refuse(_message: bytes) -> None:
            raise PeerTimeoutError("client", "did not read what was sent", 10)

        assert guest._transport is not client
        monkeypatch.setattr(guest._transport, "send", refuse)
        with pytest.raises(PeerTimeoutError):
            await guest.choose(START, MUCH)

    meet(visit)


def test_problems() -> None:
    async def visit(guest: GuestConnection, client: MemoryTransport) -> None:
        board = Board(0, 0, (3, 3, 3), (3, 3, 3))
        task = asyncio.create_task(guest.solve(board, 1, MUCH))
        problem = await client.hear_until("problem")
        assert problem.arguments == (board, 1)
        await client.say(f"3@{problem.id} solution {board} false")
        solved = await task
        assert (solved.answer_id, solved.solution) == (3, Solution(board, repeats=False))
        with pytest.raises(PeerTimeoutError, match="did not solve"):
            await guest.solve(board, 1, 0.02)

    meet(visit, mode="verify")
