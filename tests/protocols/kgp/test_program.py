"""A client that answers a server: several things at a time, and whatever the server does."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from itertools import pairwise

import pytest

from tablemen.errors import PeerError, PeerGoneError, PeerTimeoutError, ProtocolError
from tablemen.mancala import Position
from tablemen.players import RandomPlayer, RobotPlayer
from tablemen.protocols.kgp import program as module
from tablemen.protocols.kgp.board import Board
from tablemen.protocols.kgp.client_conversation import Asked, ClientConversation
from tablemen.protocols.kgp.program import Agent
from tablemen.protocols.kgp.thinking import Found, PlayerThinker, SearchThinker, Thinker
from tablemen.search import Clock, Limit
from tests.patience import LONG, run_in_time
from tests.players_for_tests import Resigning
from tests.protocols.kgp.wires import MemoryTransport, make_wire

THREES = "<3,0,0,3,3,3,3,3,3>"
FOURS = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>"


class Waiting:
    """Finds a move for every house, and then waits to be stopped."""

    begun = 0

    def think(self, asked: Asked, tell: Callable[[Found], object], stopped: threading.Event) -> None:
        type(self).begun += 1
        for move in asked.position.legal_moves():
            tell(Found(move, 0.5))
        assert stopped.wait(LONG)

    def stop(self) -> None:
        pass

    def close(self) -> None:
        pass


def answer(
    serve: Callable[[MemoryTransport], Awaitable[None]],
    make: Callable[[], Thinker] = lambda: SearchThinker(Limit(depth=4), table_mb=1),
    *,
    mode: str = "freeplay",
    thoughts: int = 2,
    complaints: list[str] | None = None,
) -> Agent:
    """An agent at the other end of a server that does what a test says."""

    async def run() -> Agent:
        ours, theirs = make_wire()
        agent = Agent(
            ours,
            ClientConversation("server", mode, {"info:name": "Ann"}),
            make,
            thoughts=thoughts,
            on_complaint=None if complaints is None else complaints.append,
        )
        task = asyncio.create_task(agent.run())
        await serve(theirs)
        await task
        assert asyncio.all_tasks() == {asyncio.current_task()}
        return agent

    return run_in_time(run())


async def greet(server: MemoryTransport) -> None:
    await server.say("2 kgp 1 0 1")
    assert (await server.hear_until("mode")).id == 3


def test_a_search_names_moves_and_yields() -> None:
    async def serve(server: MemoryTransport) -> None:
        await greet(server)
        await server.say(f"4 state {FOURS}")
        houses = []
        while (message := await server.hear()).verb == "move":
            assert message.ref == 4
            houses.append(message.whole(0))
        assert (message.verb, message.ref) == ("yield", 4)
        assert houses[0] == 3  # what needs no thought
        assert all(one != other for one, other in pairwise(houses))
        await server.say("6@4 stop", "goodbye")

    assert answer(serve).answered == 1


def test_states_are_answered_side_by_side_and_stop_ends_one_alone() -> None:
    async def serve(server: MemoryTransport) -> None:
        await greet(server)
        await server.say(f"4 state {THREES}", f"6 state {FOURS}")
        last: dict[int | None, int | None] = {}
        while last != {4: 3, 6: 6}:
            message = await server.hear()
            assert message.verb == "move"
            last[message.ref] = message.whole(0)
        await server.say("8@4 stop", f"8 state {THREES}", "10 ping")
        verbs = [(message.verb, message.ref) for message in [await server.hear() for _ in range(4)]]
        assert sorted(verbs) == [("move", 8)] * 3 + [("pong", 10)]
        await server.say("12@6 stop", "12@8 stop", "14 ping")
        assert (await server.hear()).verb == "pong"
        await server.say("goodbye")

    Waiting.begun = 0
    agent = answer(serve, Waiting)
    assert agent.answered == 3
    assert Waiting.begun == 3


def test_a_state_that_waits_for_its_turn_has_an_answer_all_the_same() -> None:
    async def serve(server: MemoryTransport) -> None:
        await greet(server)
        await server.say(f"4 state {THREES}", f"6 state {FOURS}", "8 state <2,0,0,0,1,1,1>")
        answers: dict[int | None, tuple[str, int | None]] = {}
        while set(answers) != {4, 6, 8}:
            message = await server.hear()
            answers.setdefault(message.ref, (message.verb, message.whole(0)))
        assert answers[6] == ("move", 3)
        assert answers[8] == ("move", 2)  # the only one
        await server.say("10@6 stop", "10@4 stop", "goodbye")

    Waiting.begun = 0
    answer(serve, Waiting, thoughts=1)
    assert Waiting.begun == 1


def test_evaluations() -> None:
    async def serve(server: MemoryTransport) -> None:
        await greet(server)
        await server.say("4 state <1,0,0,1,1>")  # a seed for the store, and one for North
        message = await server.hear_until("eval")
        assert message.ref == 4
        assert message.arguments == (0.0,)
        await server.say(f"6 state {FOURS}")
        message = await server.hear_until("eval")
        assert message.ref == 6
        assert isinstance(message.arguments[0], float)
        await server.say("goodbye")

    answer(serve, mode="eval")


def test_a_player_without_a_score_evaluates_at_first_sight() -> None:
    async def serve(server: MemoryTransport) -> None:
        await greet(server)
        await server.say("4 state <2,3,0,1,1,1,1>")
        position = Board(3, 0, (1, 1), (1, 1)).playable()
        assert position is not None
        assert (await server.hear_until("eval")).arguments == (position.evaluate(),)
        await server.say("goodbye")

    answer(serve, lambda: PlayerThinker(RobotPlayer()), mode="eval")


def test_problems_are_solved() -> None:
    async def serve(server: MemoryTransport) -> None:
        await greet(server)
        await server.say(f"4 problem {THREES} 1")
        message = await server.hear()
        assert str(message) == "5@4 solution <3,1,0,0,4,4,3,3,3> 1"
        await server.say("goodbye")

    answer(serve, mode="verify")


def test_complaints_are_told_and_nonsense_is_complained_of() -> None:
    async def serve(server: MemoryTransport) -> None:
        await greet(server)
        await server.say('error "you play badly"', "state <", "", "4 dance")
        assert (await server.hear()).verb == "error"
        assert (await server.hear()).ref == 4
        await server.say("goodbye")

    complaints: list[str] = []
    answer(serve, complaints=complaints)
    assert complaints == ["you play badly"]


def test_a_server_that_goes_away() -> None:
    async def serve(server: MemoryTransport) -> None:
        await greet(server)
        await server.say(f"4 state {FOURS}")
        await server.hear_until("move")
        await server.close()

    with pytest.raises(PeerGoneError):
        answer(serve, Waiting)


def test_a_server_that_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    async def serve(_server: MemoryTransport) -> None:
        pass

    monkeypatch.setattr(module, "GREETING", 0.02)
    with pytest.raises(PeerTimeoutError, match="did not say which protocol it speaks"):
        answer(serve)


def test_a_server_that_falls_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    async def serve(server: MemoryTransport) -> None:
        await greet(server)
        await server.hear_until("ping")
        monkeypatch.setattr(module, "ANSWER", 0.02)  # for the next one
        await server.say("ok")
        await server.hear_until("ping")

    monkeypatch.setattr(module, "SILENCE", 0.02)
    with pytest.raises(PeerTimeoutError, match="gave no sign of life"):
        answer(serve)


@pytest.mark.parametrize("line", ["HTTP/1.1 400 Bad Request", "kgp 9 0 0", "220 mail.example.org"])
def test_servers_of_another_kind(line: str) -> None:
    async def serve(server: MemoryTransport) -> None:
        await server.say(line)

    with pytest.raises(ProtocolError):
        answer(serve)


def test_a_player_that_fails_ends_the_agent() -> None:
    class Failing(Waiting):
        def think(self, *_: object) -> None:
            raise PeerError("the player", "is ill")

    async def serve(server: MemoryTransport) -> None:
        await greet(server)
        await server.say(f"4 state {FOURS}")
        await server.hear_until("goodbye")

    with pytest.raises(PeerError, match="the player is ill"):
        answer(serve, Failing)


# Thinkers


def think(thinker: Thinker, asked: Asked, *, is_stopped: bool = False) -> list[Found]:
    found: list[Found] = []
    stopped = threading.Event()
    if is_stopped:
        stopped.set()
    thinker.think(asked, found.append, stopped)
    thinker.close()
    return found


def test_a_search_tells_what_it_finds_on_its_way() -> None:
    found = think(SearchThinker(Limit(depth=5), table_mb=1), Asked(4, Position.start("kgp")))
    assert len(found) >= 5
    assert all(each.value is not None for each in found)


@pytest.mark.parametrize("asked", [{"seconds": 0.02}, {"clock": Clock(0.5)}])
def test_a_search_keeps_to_the_time_that_a_server_gives(asked: dict[str, object]) -> None:
    assert think(SearchThinker(Limit(), table_mb=1), Asked(4, Position.start("kgp"), **asked))  # type: ignore[arg-type]


def test_a_search_that_is_stopped_before_it_begins_ends() -> None:
    assert think(SearchThinker(Limit(), table_mb=1), Asked(4, Position.start("kgp")), is_stopped=True)


def test_players_think_too() -> None:
    asked = Asked(4, Position.start("kgp"))
    assert [found.move.house for found in think(PlayerThinker(RobotPlayer()), asked)] == [3]
    assert think(PlayerThinker(RandomPlayer()), asked, is_stopped=True) == []
    assert think(PlayerThinker(Resigning()), asked) == []
