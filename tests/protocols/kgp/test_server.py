"""Our KGP server, with clients over sockets."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from tablemen import Outcome, Side, Termination
from tablemen.mancala import Position
from tablemen.players import MinimaxPlayer, RandomPlayer, RobotPlayer
from tablemen.protocols.kgp.client import KgpClient, KgpWorker, PlayerWorker, SearchWorker
from tablemen.protocols.kgp.engine import MAX_RATE, KgpTimeouts
from tablemen.protocols.kgp.messages import FRAMING, KgpMessage, solve_problem
from tablemen.protocols.kgp.protocol import MAX_CLIENT_ERRORS, KgpClientProtocol
from tablemen.protocols.kgp.server import (
    INTERNAL_ERROR,
    ClientJoined,
    ClientParted,
    ClientVerified,
    GameEnded,
    KgpServer,
    KgpServerSettings,
    TournamentEvent,
)
from tablemen.protocols.kgp.tournament import ViolationPolicy
from tablemen.protocols.transport.tcp import Address, connect
from tablemen.protocols.transport.websocket import connect_websocket
from tablemen.search import Limit
from tests.fake_players import Failing, Resigning
from tests.protocols.kgp.fakes import KGP, LARGER, ONCE, SMALL, ScriptedClient, check_games, list_games, running
from tests.timeouts import run_in_time


async def join(
    server: KgpServer, name: str, player: Any, *, mode: str = "freeplay", websocket: bool = False
) -> KgpClient:
    """Connect our client to a server, and run it until the server says goodbye."""
    address = server.listeners[websocket].address
    transport = await (connect_websocket(f"ws://{address}/", FRAMING) if websocket else connect(address, FRAMING))
    client = KgpClient(transport, KgpClientProtocol(transport.peer, mode, {"info:name": name}), player)
    await client.run()
    return client


def search() -> KgpWorker:
    return SearchWorker(Limit(depth=3), table_mb=1)


def robot() -> KgpWorker:
    return PlayerWorker(RobotPlayer())


def test_two_clients_play_each_other_from_both_sides() -> None:
    async def run() -> None:
        server = KgpServer(replace(ONCE, boards=(SMALL, replace(KGP, houses=3, seeds=3))))
        async with running(server) as events:
            clients = await asyncio.gather(join(server, "Ann", search), join(server, "Bob", robot))
        games = list_games(events)
        check_games(games)
        assert [each.number for each in games] == [1, 2, 3, 4]
        assert [each.game.start.variant.houses for each in games] == [2, 2, 3, 3]
        for one, other in (games[:2], games[2:]):
            assert one.names == {side: other.names[side.opponent] for side in Side}
        moves = sum(len(each.game.moves) for each in games)
        assert sum(client.answered for client in clients) == moves
        rows = {row["name"]: row for row in server.results.serialize()}
        won = [each.names[each.outcome.winner] for each in games if each.outcome.winner is not None]
        for name, row in rows.items():
            assert (row["games"], row["won"]) == (4, won.count(str(name)))

    run_in_time(run())


@pytest.mark.slow
@pytest.mark.parametrize(("houses", "seeds"), [(1, 1), (4, 3), (6, 4), (6, 6), (8, 8), (12, 2)])
def test_complete_games_of_many_sizes_over_tcp_and_websockets(houses: int, seeds: int) -> None:
    async def run() -> None:
        settings = replace(ONCE, boards=(replace(KGP, houses=houses, seeds=seeds),), clients=3)
        server = KgpServer(settings, {"minimax": lambda: MinimaxPlayer(depth=1)})
        async with running(server, websocket=True) as events:
            await asyncio.gather(
                join(server, "Ann", search),
                join(server, "Bob", robot, websocket=True),
                join(server, "Cy", lambda: PlayerWorker(RandomPlayer()), websocket=True),
            )
        games = list_games(events)
        check_games(games)
        assert len(games) == 2 * (3 + 3)
        assert {row["games"] for row in server.results.serialize()} == {6}

    run_in_time(run())


def test_a_single_client_plays_the_local_players() -> None:
    async def run() -> None:
        settings = replace(ONCE, clients=1, rounds=2)
        server = KgpServer(settings, {"robot": RobotPlayer, "minimax": lambda: MinimaxPlayer(depth=2)})
        async with running(server, websocket=True) as events:
            await join(server, "Ann", search, websocket=True)
        games = list_games(events)
        check_games(games)
        opponents = [next(name for name in each.names.values() if name != "Ann") for each in games]
        assert sorted(opponents) == ["minimax"] * 4 + ["robot"] * 4

    run_in_time(run())


@pytest.mark.parametrize(
    ("player", "termination", "detail"),
    [
        (Resigning, Termination.RESIGNATION, ""),
        (Failing, Termination.FORFEIT, "RuntimeError: out\nof {ideas}"),
    ],
)
def test_local_players_that_fail_lose(player: Any, termination: Termination, detail: str) -> None:
    async def run() -> None:
        server = KgpServer(replace(ONCE, clients=1, boards=(KGP,)), {"own": player})
        async with running(server) as events, ScriptedClient(server.listeners[0].address) as client:
            await client.play("Ann")
        games = list_games(events)
        assert [each.outcome.termination for each in games] == [termination] * 2
        assert all(each.note.startswith("own ") and detail in each.note for each in games)
        assert server.results.serialize()[0]["won"] == 2

    run_in_time(run())


def test_clients_are_verified() -> None:
    async def run() -> None:
        server = KgpServer(replace(ONCE, clients=2, problems=30))
        async with running(server) as events, ScriptedClient(server.listeners[0].address) as bad:
            client = asyncio.create_task(join(server, "Ann", search, mode="verify"))
            await bad.send_lines('set info:name "Bob"', "mode verify")
            while (message := await bad.receive_message()) is not None and message.verb != "goodbye":
                if message.verb == "problem":
                    await bad.send_lines(
                        f"1@{message.id} solution {message.board(0)} 0"
                    )  # wrong: the board before the move
            await client
        assert {event for event in events if isinstance(event, ClientVerified)} == {
            ClientVerified("Ann", 30, 30),
            ClientVerified("Bob", 0, 30),
        }
        assert [event.mode for event in events if isinstance(event, ClientJoined)] == ["verify"] * 2

    run_in_time(run())


def test_clients_that_count_from_zero_are_verified() -> None:
    async def run() -> None:
        server = KgpServer(replace(ONCE, clients=1, problems=20))
        async with running(server) as events, ScriptedClient(server.listeners[0].address) as client:
            await client.send_lines("mode go-kgp:verify")
            while (message := await client.receive_message()) is not None and message.verb != "goodbye":
                board, house = message.board(0), message.integer(1)
                if message.verb == "problem" and board is not None and house is not None:
                    solution = solve_problem(board, house + 1)
                    assert solution is not None
                    await client.send_lines(f"@{message.id} solution {solution.board} {str(solution.repeats).lower()}")
        assert [event for event in events if isinstance(event, ClientVerified)] == [ClientVerified("anonymous", 20, 20)]

    run_in_time(run())


def test_a_server_without_rounds_runs_until_cancelled() -> None:
    async def run() -> None:
        server = KgpServer(replace(ONCE, rounds=None), {"robot": RobotPlayer})
        events: list[TournamentEvent] = []
        async with ScriptedClient((await listen(server, events)).address) as ann:
            task = asyncio.create_task(server.run())
            playing = asyncio.create_task(ann.play("Ann"))
            while len(list_games(events)) < 6:
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await playing  # until goodbye
        assert task.cancelled()

    run_in_time(run())


async def listen(server: KgpServer, events: list[TournamentEvent]) -> Any:
    server.on_event = events.append
    await server.listen(Address("127.0.0.1", 0))
    return server.listeners[0]


def test_an_error_in_the_event_handler_ends_the_server() -> None:
    async def run() -> None:
        server = KgpServer(replace(ONCE, clients=1), {"robot": RobotPlayer})

        def fail(event: TournamentEvent) -> None:
            if isinstance(event, GameEnded):
                raise OSError("no space left")

        listener = await listen(server, [])
        server.on_event = fail
        task = asyncio.create_task(server.run())
        async with ScriptedClient(listener.address) as ann:
            await ann.play("Ann")
        with pytest.raises(OSError, match="no space left"):
            await task

    run_in_time(run())


def test_default_settings_follow_the_specification() -> None:
    assert Position.start(KgpServerSettings().boards[0]) == Position.start(KGP)
    assert (KgpServerSettings().on_silence, KgpServerSettings().on_illegal) == (
        ViolationPolicy.RANDOM,
        ViolationPolicy.LOSE,
    )


def play_against_robot(settings: KgpServerSettings, script: Any) -> tuple[KgpServer, list[TournamentEvent]]:
    """Run a server with a robot and one client that runs a script; return the server and its events."""

    async def run() -> tuple[KgpServer, list[TournamentEvent]]:
        server = KgpServer(replace(settings, clients=1), {"robot": RobotPlayer})
        async with running(server) as events, ScriptedClient(server.listeners[0].address) as client:
            await script(client)
        return server, events

    return run_in_time(run())


def test_a_client_that_disconnects_loses_only_that_game() -> None:
    async def script(client: ScriptedClient) -> None:
        await client.play("Ann", games=1)
        client.disconnect()

    server, events = play_against_robot(LARGER, script)
    first, second = list_games(events)
    assert first.note == ""
    assert second.outcome == Outcome(Side.WHITE, Termination.FORFEIT)  # the robot moves first
    assert second.note.startswith("Ann ")
    assert [row["points"] for row in server.results.serialize() if row["name"] == "robot"] == [
        1.0 + (first.outcome.winner is Side.BLACK) + (first.outcome.winner is None) / 2
    ]
    assert any(isinstance(event, ClientParted) for event in events)


@pytest.mark.parametrize("house", [7, -1, 99])
def test_an_illegal_move_loses(house: int) -> None:
    async def script(client: ScriptedClient) -> None:
        await client.play("Ann", house)

    _, events = play_against_robot(LARGER, script)
    games = list_games(events)
    assert [each.outcome.winner for each in games] == [Side.BLACK, Side.WHITE]
    assert all(each.note.startswith("Ann ") and str(house) in each.note for each in games)
    assert games[0].game.moves == ()


@pytest.mark.parametrize(("house", "pauses"), [(99, 2), (None, 0)])
def test_a_pause_follows_a_violation(house: int | None, pauses: int, monkeypatch: pytest.MonkeyPatch) -> None:
    sleep, slept = asyncio.sleep, []

    async def record(seconds: float) -> None:
        slept.append(seconds)
        await sleep(0)

    async def script(client: ScriptedClient) -> None:
        await client.play("Ann", house)

    monkeypatch.setattr("tablemen.protocols.kgp.server.asyncio.sleep", record)
    play_against_robot(replace(LARGER, pause=7), script)
    assert slept.count(7) == pauses


def test_an_illegal_move_may_be_replaced_by_a_random_one() -> None:
    async def script(client: ScriptedClient) -> None:
        await client.play("Ann", 99)

    _, events = play_against_robot(replace(ONCE, on_illegal=ViolationPolicy.RANDOM), script)
    check_games(list_games(events))


@pytest.mark.parametrize("policy", ViolationPolicy)
def test_the_policy_applies_to_a_client_that_makes_no_move(policy: ViolationPolicy) -> None:
    async def script(client: ScriptedClient) -> None:
        await client.send_lines("mode freeplay")
        received = await client.receive_all()
        states = [message.id for message in received if message.verb == "state"]
        assert [message.ref for message in received if message.verb == "stop"] == states
        assert received[-1] == KgpMessage("goodbye")

    _, events = play_against_robot(replace(LARGER, seconds=0.01, on_silence=policy), script)
    games = list_games(events)
    if policy is ViolationPolicy.RANDOM:
        check_games(games)
    else:
        assert {each.outcome.termination for each in games} == {Termination.TIME}
        assert all(each.note.startswith("anonymous ") and "0.01 s" in each.note for each in games)


def test_forced_moves_are_played_without_a_request() -> None:
    choices: list[int] = []

    async def script(client: ScriptedClient) -> None:
        await client.send_lines("mode freeplay")
        while (message := await client.receive_message()) is not None and message.verb != "goodbye":
            board = message.board(0)
            if board is not None:
                houses = [number for number, seeds in enumerate(board.south, 1) if seeds]
                choices.append(len(houses))
                await client.send_lines(f"@{message.id} move {houses[-1]}", f"@{message.id} yield")

    _, events = play_against_robot(replace(ONCE, play_forced=True), script)
    check_games(list_games(events))
    assert min(choices) > 1
    choices.clear()
    play_against_robot(ONCE, script)
    assert min(choices) == 1


def test_the_server_sends_its_options_before_the_first_state() -> None:
    lines: list[str] = []

    async def script(client: ScriptedClient) -> None:
        await client.send_lines('  set   info:name  "Ann"', "1 mode freeplay", end="\r\n")
        while (message := await client.receive_message()) is not None and message.verb != "state":
            lines.append(str(message))
        client.disconnect()

    play_against_robot(replace(ONCE, seconds=30), script)
    assert lines == [
        "2 kgp 1 0 1",
        '4 set info:name "tablemen"',
        '6 set time:mode "relative"',
        "8 set time:clock 30",
        "10@1 ok",
        '12 set game:id "1"',
        '14 set game:opponent "robot"',
    ]


# What hostile clients send, and a detail of the reason for which they are disconnected.
HOSTILE = {
    "silent": (b"", "mode"),
    "never-ending line": (b"x" * 100_000, "16,384 bytes"),
    "nonsense": (b"\xff\x00\n" * 200, f"{MAX_CLIENT_ERRORS} invalid messages"),
    "flood": (b"ok\n" * 5000, f"{MAX_RATE:g} messages a second"),
    "flood of long messages": (
        (b"set info:comment " + b"x" * 16_000 + b"\n") * 50,
        f"{MAX_RATE:g} messages a second",
    ),
    "another mode": (b"mode chess\n", "freeplay"),
    "goodbye": (b"goodbye\n", "goodbye"),
    "half a line": (b"mode free", "mode"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_clients_are_disconnected_and_others_play_on(kind: str) -> None:
    async def run() -> None:
        data, detail = HOSTILE[kind]
        server = KgpServer(
            replace(ONCE, timeouts=KgpTimeouts(handshake=0.2 if kind in {"silent", "half a line"} else 30.0))
        )
        async with running(server) as events, ScriptedClient(server.listeners[0].address) as hostile:
            hostile.writer.write(data)
            await hostile.receive_all()
            async with (
                ScriptedClient(server.listeners[0].address) as ann,
                ScriptedClient(server.listeners[0].address) as bob,
            ):
                await asyncio.gather(ann.play("Ann"), bob.play("Bob"))
        check_games(list_games(events))
        (parted,) = [event for event in events if isinstance(event, ClientParted) and "127.0.0.1" in event.name]
        assert detail in parted.reason
        assert len(server.results.rows) == 2

    run_in_time(run())


def test_connections_are_limited() -> None:
    async def run() -> None:
        server = KgpServer(replace(ONCE, per_address=2))
        async with running(server), ScriptedClient(server.listeners[0].address) as ann:
            await ann.receive_until("kgp")
            async with ScriptedClient(server.listeners[0].address) as bob:
                await bob.receive_until("kgp")
                async with ScriptedClient(server.listeners[0].address) as cy:
                    assert [message.verb for message in await cy.receive_all()] == ["error", "goodbye"]
                await asyncio.gather(ann.play("Ann"), bob.play("Bob"))
        assert not server._hosts

    run_in_time(run())


def test_a_token_identifies_a_client() -> None:
    async def run() -> None:
        server = KgpServer(replace(ONCE, clients=1, rounds=2), {"robot": RobotPlayer})
        async with running(server) as events, ScriptedClient(server.listeners[0].address) as first:
            await first.send_lines('set auth:token "secret"')
            await first.play("Ann", games=1)
            async with ScriptedClient(server.listeners[0].address) as second:  # before the first has disconnected
                await second.send_lines('set auth:token "secret"')
                playing = asyncio.create_task(second.play("Ann again"))
                first_received = await first.receive_all()
                await playing
        assert [message.verb for message in first_received][-2:] == ["error", "goodbye"]
        names = [row["name"] for row in server.results.serialize()]
        assert sorted(map(str, names)) == ["Ann again", "robot"]
        notes = [each.note for each in list_games(events)]
        assert len([note for note in notes if note]) == 1

    run_in_time(run())


def test_two_clients_with_one_token_are_verified() -> None:
    async def run() -> None:
        server = KgpServer(replace(ONCE, clients=1, problems=1))
        async with running(server) as events, ScriptedClient(server.listeners[0].address) as second:
            async with ScriptedClient(server.listeners[0].address) as first:
                for each in (first, second):
                    await each.send_lines('set auth:token "x"', "mode verify")
                problem = await second.receive_until("problem")
                await first.receive_until("problem")
            while not any(isinstance(event, ClientParted) for event in events):
                await asyncio.sleep(0)
            await second.send_lines(f"@{problem.id} solution <1,0,0,1,1> 0")
            assert (await second.receive_all())[-1].verb == "goodbye"
        assert [event for event in events if isinstance(event, ClientVerified)] == [ClientVerified("anonymous", 0, 1)]

    run_in_time(run())


@pytest.mark.parametrize("method", ["add_problem", "add_game"])
def test_an_error_with_one_client_does_not_affect_others(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise KeyError("row")

    async def run() -> None:
        server = KgpServer(replace(ONCE, clients=2, problems=1), {"robot": RobotPlayer})
        async with running(server) as events, ScriptedClient(server.listeners[0].address) as ann:
            with monkeypatch.context() as patch:
                patch.setattr(type(server.results), method, fail)
                if method == "add_game":
                    await ann.play("Ann")
                else:
                    await ann.send_lines('set info:name "Ann"', "mode verify")
                    await ann.send_lines(f"@{(await ann.receive_until('problem')).id} solution <1,0,0,1,1> 0")
                    errors = [message.text(0) for message in await ann.receive_all() if message.verb == "error"]
                    assert INTERNAL_ERROR in errors
            async with ScriptedClient(server.listeners[0].address) as bob:
                await bob.play("Bob")
        check_games(list_games(events))
        assert [set(each.names.values()) for each in list_games(events)] == [{"Bob", "robot"}] * 2
        reasons = [event.reason for event in events if isinstance(event, ClientParted) and event.name == "Ann"]
        assert any("KeyError('row')" in reason for reason in reasons)

    run_in_time(run())
