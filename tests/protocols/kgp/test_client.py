"""Our client of the Kalah Game Protocol, and its workers."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from itertools import pairwise
from typing import Any

import pytest

from tablemen.errors import PeerError, PeerGoneError, PeerTimeoutError, ProtocolError
from tablemen.mancala import Position
from tablemen.players import RandomPlayer, RobotPlayer
from tablemen.protocols.kgp.client import (
    FoundMove,
    KgpClient,
    KgpWorker,
    PlayerWorker,
    SearchWorker,
)
from tablemen.protocols.kgp.engine import KgpTimeouts
from tablemen.protocols.kgp.messages import KgpBoard
from tablemen.protocols.kgp.protocol import KgpClientProtocol, SearchRequested
from tablemen.search import Clock, Limit
from tests.fake_players import Resigning
from tests.protocols.kgp.fakes import MemoryTransport, make_transports
from tests.timeouts import TIMEOUT, run_in_time

THREES = "<3,0,0,3,3,3,3,3,3>"
FOURS = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>"


class Waiting:
    """A worker that reports every move and then waits until it is stopped; `searches` counts its searches."""

    searches = 0

    def search(
        self, request: SearchRequested, on_move: Callable[[FoundMove], object], stopped: threading.Event
    ) -> None:
        type(self).searches += 1
        for move in request.position.legal_moves():
            on_move(FoundMove(move, 0.5))
        assert stopped.wait(TIMEOUT)

    def stop(self) -> None:
        pass

    def close(self) -> None:
        pass


def run_client(
    serve: Callable[[MemoryTransport], Awaitable[None]],
    make: Callable[[], KgpWorker] = lambda: SearchWorker(Limit(depth=4), table_mb=1),
    *,
    mode: str = "freeplay",
    **options: Any,
) -> KgpClient:
    """Run a client with a server that a test controls."""

    async def run() -> KgpClient:
        ours, theirs = make_transports()
        client = KgpClient(ours, KgpClientProtocol("server", mode, {"info:name": "Ann"}), make, **options)
        task = asyncio.create_task(client.run())
        await serve(theirs)
        await task
        assert asyncio.all_tasks() == {asyncio.current_task()}
        return client

    return run_in_time(run())


async def greet(server: MemoryTransport) -> None:
    await server.send_lines("2 kgp 1 0 1")
    assert (await server.receive_until("mode")).id == 3


def test_a_search_sends_moves_and_yields() -> None:
    async def serve(server: MemoryTransport) -> None:
        await greet(server)
        await server.send_lines(f"4 state {FOURS}")
        houses = []
        while (message := await server.receive_message()).verb == "move":
            assert message.ref == 4
            houses.append(message.integer(0))
        assert (message.verb, message.ref) == ("yield", 4)
        assert houses[0] == 3  # the move of a simple strategy, without a search
        assert all(one != other for one, other in pairwise(houses))
        await server.send_lines("6@4 stop", "goodbye")

    assert run_client(serve).answered == 1


def test_states_are_answered_in_parallel_and_stopped_separately() -> None:
    async def serve(server: MemoryTransport) -> None:
        await greet(server)
        await server.send_lines(f"4 state {THREES}", f"6 state {FOURS}")
        last: dict[int | None, int | None] = {}
        while last != {4: 3, 6: 6}:
            message = await server.receive_message()
            assert message.verb == "move"
            last[message.ref] = message.integer(0)
        await server.send_lines("8@4 stop", f"8 state {THREES}", "10 ping")
        verbs = [(message.verb, message.ref) for message in [await server.receive_message() for _ in range(4)]]
        assert sorted(verbs) == [("move", 8)] * 3 + [("pong", 10)]
        await server.send_lines("12@6 stop", "12@8 stop", "14 ping")
        assert (await server.receive_message()).verb == "pong"
        await server.send_lines("goodbye")

    Waiting.searches = 0
    client = run_client(serve, Waiting)
    assert client.answered == 3
    assert Waiting.searches == 3


def test_a_queued_state_is_answered_at_once() -> None:
    async def serve(server: MemoryTransport) -> None:
        await greet(server)
        await server.send_lines(f"4 state {THREES}", f"6 state {FOURS}", "8 state <2,0,0,0,1,1,1>")
        answers: dict[int | None, tuple[str, int | None]] = {}
        while set(answers) != {4, 6, 8}:
            message = await server.receive_message()
            answers.setdefault(message.ref, (message.verb, message.integer(0)))
        assert answers[6] == ("move", 3)
        assert answers[8] == ("move", 2)  # the only legal move
        await server.send_lines("10@6 stop", "10@4 stop", "goodbye")

    Waiting.searches = 0
    run_client(serve, Waiting, workers=1)
    assert Waiting.searches == 1


def test_a_search_sends_evaluations() -> None:
    async def serve(server: MemoryTransport) -> None:
        await greet(server)
        await server.send_lines("4 state <1,0,0,1,1>")  # a seed for the store, and one for North
        message = await server.receive_until("eval")
        assert message.ref == 4
        assert message.arguments == (0.0,)
        await server.send_lines(f"6 state {FOURS}")
        message = await server.receive_until("eval")
        assert message.ref == 6
        assert isinstance(message.arguments[0], float)
        await server.send_lines("goodbye")

    run_client(serve, mode="eval")


def test_a_player_without_a_score_sends_the_static_evaluation() -> None:
    async def serve(server: MemoryTransport) -> None:
        await greet(server)
        await server.send_lines("4 state <2,3,0,1,1,1,1>")
        position = KgpBoard(3, 0, (1, 1), (1, 1)).playable_position()
        assert position is not None
        assert (await server.receive_until("eval")).arguments == (position.evaluate(),)
        await server.send_lines("goodbye")

    run_client(serve, lambda: PlayerWorker(RobotPlayer()), mode="eval")


def test_problems_are_solved() -> None:
    async def serve(server: MemoryTransport) -> None:
        await greet(server)
        await server.send_lines(f"4 problem {THREES} 1")
        message = await server.receive_message()
        assert str(message) == "5@4 solution <3,1,0,0,4,4,3,3,3> 1"
        await server.send_lines("goodbye")

    run_client(serve, mode="verify")


def test_errors_are_reported_in_both_directions() -> None:
    async def serve(server: MemoryTransport) -> None:
        await greet(server)
        await server.send_lines('error "illegal move"', "state <", "", "4 dance")
        assert (await server.receive_message()).verb == "error"
        assert (await server.receive_message()).ref == 4
        await server.send_lines("goodbye")

    errors: list[str] = []
    run_client(serve, on_error=errors.append)
    assert errors == ["illegal move"]


def test_a_server_that_disconnects_raises() -> None:
    async def serve(server: MemoryTransport) -> None:
        await greet(server)
        await server.send_lines(f"4 state {FOURS}")
        await server.receive_until("move")
        await server.close()

    with pytest.raises(PeerGoneError):
        run_client(serve, Waiting)


def test_a_silent_server_times_out() -> None:
    async def serve(_server: MemoryTransport) -> None:
        pass

    with pytest.raises(PeerTimeoutError) as caught:
        run_client(serve, timeouts=KgpTimeouts(handshake=0.02))
    assert caught.value.seconds == 0.02


def test_an_idle_server_is_pinged() -> None:
    timeouts = KgpTimeouts(idle=0.02, pong=TIMEOUT)

    async def serve(server: MemoryTransport) -> None:
        await greet(server)
        await server.receive_until("ping")
        object.__setattr__(timeouts, "pong", 0.03)  # for the next ping
        await server.send_lines("ok")
        await server.receive_until("ping")

    with pytest.raises(PeerTimeoutError) as caught:
        run_client(serve, timeouts=timeouts)
    assert caught.value.seconds == 0.03


@pytest.mark.parametrize("line", ["HTTP/1.1 400 Bad Request", "kgp 9 0 0", "220 mail.example.org"])
def test_servers_of_other_protocols_are_rejected(line: str) -> None:
    async def serve(server: MemoryTransport) -> None:
        await server.send_lines(line)

    with pytest.raises(ProtocolError):
        run_client(serve)


def test_a_worker_that_fails_ends_the_client() -> None:
    class Failing(Waiting):
        def search(self, *_: object) -> None:
            raise error

    async def serve(server: MemoryTransport) -> None:
        await greet(server)
        await server.send_lines(f"4 state {FOURS}")
        await server.receive_until("goodbye")

    error = PeerError("the player", "failed")
    with pytest.raises(PeerError) as caught:
        run_client(serve, Failing)
    assert caught.value is error


def search(worker: KgpWorker, request: SearchRequested, *, is_stopped: bool = False) -> list[FoundMove]:
    found: list[FoundMove] = []
    stopped = threading.Event()
    if is_stopped:
        stopped.set()
    worker.search(request, found.append, stopped)
    worker.close()
    return found


def test_a_search_reports_every_iteration() -> None:
    found = search(SearchWorker(Limit(depth=5), table_mb=1), SearchRequested(4, Position.start("kgp")))
    assert len(found) >= 5
    assert all(each.value is not None for each in found)


@pytest.mark.parametrize("time", [{"seconds": 0.02}, {"clock": Clock(0.5)}])
def test_a_search_observes_the_time_of_the_server(time: dict[str, object]) -> None:
    assert search(SearchWorker(Limit(), table_mb=1), SearchRequested(4, Position.start("kgp"), **time))  # type: ignore[arg-type]


def test_a_search_stopped_before_its_start_ends() -> None:
    assert search(SearchWorker(Limit(), table_mb=1), SearchRequested(4, Position.start("kgp")), is_stopped=True)


def test_players_report_one_move() -> None:
    request = SearchRequested(4, Position.start("kgp"))
    assert [found.move.house for found in search(PlayerWorker(RobotPlayer()), request)] == [3]
    assert search(PlayerWorker(RandomPlayer()), request, is_stopped=True) == []
    assert search(PlayerWorker(Resigning()), request) == []
