"""A server with clients over real sockets: whole games, and how it ends."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from tablemen import Side, Termination
from tablemen.mancala import Position
from tablemen.players import MinimaxPlayer, RandomPlayer, RobotPlayer
from tablemen.protocols.kgp.client_conversation import ClientConversation
from tablemen.protocols.kgp.problem import solve_problem
from tablemen.protocols.kgp.program import Agent
from tablemen.protocols.kgp.server.event import Event, GameEnded, Joined, Verified
from tablemen.protocols.kgp.server.seats import Treatment
from tablemen.protocols.kgp.server.server import Server, Settings
from tablemen.protocols.kgp.thinking import PlayerThinker, SearchThinker, Thinker
from tablemen.protocols.transport.framing import KGP as FRAMING
from tablemen.protocols.transport.tcp import Address, connect
from tablemen.protocols.transport.websocket import connect_websocket
from tablemen.search import Limit
from tests.patience import run_in_time
from tests.players_for_tests import Failing, Resigning
from tests.protocols.kgp.server.games import KGP, ONCE, SMALL, check_games, games_of
from tests.protocols.kgp.wires import Visitor, running


async def join(server: Server, name: str, player: Any, *, mode: str = "freeplay", websocket: bool = False) -> Agent:
    """A client of our own, until the server says goodbye."""
    address = server.listeners[websocket].address
    transport = await (connect_websocket(f"ws://{address}/", FRAMING) if websocket else connect(address, FRAMING))
    agent = Agent(transport, ClientConversation(transport.peer, mode, {"info:name": name}), player)
    await agent.run()
    return agent


def search() -> Thinker:
    return SearchThinker(Limit(depth=3), table_mb=1)


def robot() -> Thinker:
    return PlayerThinker(RobotPlayer())


def test_two_clients_play_each_other_from_both_sides() -> None:
    async def run() -> None:
        server = Server(replace(ONCE, boards=(SMALL, replace(KGP, houses=3, seeds=3))))
        async with running(server) as told:
            agents = await asyncio.gather(join(server, "Ann", search), join(server, "Bob", robot))
        games = games_of(told)
        check_games(games)
        assert [each.number for each in games] == [1, 2, 3, 4]
        assert [each.game.start.variant.houses for each in games] == [2, 2, 3, 3]
        for one, other in (games[:2], games[2:]):
            assert one.names == {side: other.names[side.opponent] for side in Side}
        moves = sum(len(each.game.moves) for each in games)
        assert sum(agent.answered for agent in agents) == moves
        rows = {row["name"]: row for row in server.results.facts()}
        won = [each.names[each.outcome.winner] for each in games if each.outcome.winner is not None]
        for name, row in rows.items():
            assert (row["games"], row["won"]) == (4, won.count(str(name)))

    run_in_time(run())


@pytest.mark.slow
@pytest.mark.parametrize(("houses", "seeds"), [(1, 1), (4, 3), (6, 4), (6, 6), (8, 8), (12, 2)])
def test_whole_games_of_many_sizes_over_both_wires(houses: int, seeds: int) -> None:
    async def run() -> None:
        settings = replace(ONCE, boards=(replace(KGP, houses=houses, seeds=seeds),), clients=3)
        server = Server(settings, {"minimax": lambda: MinimaxPlayer(depth=1)})
        async with running(server, websocket=True) as told:
            await asyncio.gather(
                join(server, "Ann", search),
                join(server, "Bob", robot, websocket=True),
                join(server, "Cy", lambda: PlayerThinker(RandomPlayer()), websocket=True),
            )
        games = games_of(told)
        check_games(games)
        assert len(games) == 2 * (3 + 3)
        assert {row["games"] for row in server.results.facts()} == {6}

    run_in_time(run())


def test_a_client_alone_plays_the_players_of_the_server() -> None:
    async def run() -> None:
        settings = replace(ONCE, clients=1, rounds=2)
        server = Server(settings, {"robot": RobotPlayer, "minimax": lambda: MinimaxPlayer(depth=2)})
        async with running(server, websocket=True) as told:
            await join(server, "Ann", search, websocket=True)
        games = games_of(told)
        check_games(games)
        opponents = [next(name for name in each.names.values() if name != "Ann") for each in games]
        assert sorted(opponents) == ["minimax"] * 4 + ["robot"] * 4

    run_in_time(run())


@pytest.mark.parametrize(
    ("player", "termination", "note"),
    [
        (Resigning, Termination.RESIGNATION, "own gives up"),
        (Failing, Termination.FORFEIT, "own failed: RuntimeError: out\nof {ideas}"),
    ],
)
def test_players_of_the_server_that_fail(player: Any, termination: Termination, note: str) -> None:
    async def run() -> None:
        server = Server(replace(ONCE, clients=1, boards=(KGP,)), {"own": player})
        async with running(server) as told, Visitor(server.listeners[0].address) as visitor:
            await visitor.play("Ann")
        games = games_of(told)
        assert [(each.outcome.termination, each.note) for each in games] == [(termination, note)] * 2
        assert server.results.facts()[0]["won"] == 2

    run_in_time(run())


def test_verification() -> None:
    async def run() -> None:
        server = Server(replace(ONCE, clients=2, problems=30))
        async with running(server) as told, Visitor(server.listeners[0].address) as bad:
            agent = asyncio.create_task(join(server, "Ann", search, mode="verify"))
            await bad.say('set info:name "Bob"', "mode verify")
            while (message := await bad.hear()) is not None and message.verb != "goodbye":
                if message.verb == "problem":
                    await bad.say(f"1@{message.id} solution {message.board(0)} 0")  # as if nothing had been played
            await agent
        assert {event for event in told if isinstance(event, Verified)} == {
            Verified("Ann", 30, 30),
            Verified("Bob", 0, 30),
        }
        assert [event.mode for event in told if isinstance(event, Joined)] == ["verify"] * 2

    run_in_time(run())


def test_clients_that_count_from_zero_are_verified_too() -> None:
    async def run() -> None:
        server = Server(replace(ONCE, clients=1, problems=20))
        async with running(server) as told, Visitor(server.listeners[0].address) as client:
            await client.say("mode go-kgp:verify")
            while (message := await client.hear()) is not None and message.verb != "goodbye":
                board, house = message.board(0), message.whole(1)
                if message.verb == "problem" and board is not None and house is not None:
                    solution = solve_problem(board, house + 1)
                    assert solution is not None
                    await client.say(f"@{message.id} solution {solution.board} {str(solution.repeats).lower()}")
        assert [event for event in told if isinstance(event, Verified)] == [Verified("anonymous", 20, 20)]

    run_in_time(run())


def test_a_server_without_rounds_goes_on_until_it_is_stopped() -> None:
    async def run() -> None:
        server = Server(replace(ONCE, rounds=None), {"robot": RobotPlayer})
        told: list[Event] = []
        async with Visitor((await _begin(server, told)).address) as ann:
            task = asyncio.create_task(server.run())
            playing = asyncio.create_task(ann.play("Ann"))
            while len(games_of(told)) < 6:
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await playing  # it was told goodbye
        assert task.cancelled()

    run_in_time(run())


async def _begin(server: Server, told: list[Event]) -> Any:
    server.tell = told.append
    await server.listen(Address("127.0.0.1", 0))
    return server.listeners[0]


def test_what_goes_wrong_with_the_server_itself_ends_it() -> None:
    async def run() -> None:
        server = Server(replace(ONCE, clients=1), {"robot": RobotPlayer})

        def tell(event: Event) -> None:
            if isinstance(event, GameEnded):
                raise OSError("no space left")

        listener = await _begin(server, [])
        server.tell = tell
        task = asyncio.create_task(server.run())
        async with Visitor(listener.address) as ann:
            await ann.play("Ann")
        with pytest.raises(OSError, match="no space left"):
            await task

    run_in_time(run())


def test_the_usual_settings() -> None:
    assert Position.start(Settings().boards[0]) == Position.start(KGP)
    assert (Settings().on_silence, Settings().on_illegal) == (Treatment.RANDOM, Treatment.LOSE)
