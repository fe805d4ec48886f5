"""A server with clients over real sockets: whole games, and clients that behave badly."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from tablemen import Outcome, Side, Termination
from tablemen.mancala import VARIANTS, Position
from tablemen.players import MinimaxPlayer, RandomPlayer, RobotPlayer
from tablemen.protocols.kgp.client_conversation import ClientConversation
from tablemen.protocols.kgp.message import Message
from tablemen.protocols.kgp.problem import solve_problem
from tablemen.protocols.kgp.program import Agent
from tablemen.protocols.kgp.server.event import Event, GameEnded, Joined, Parted, Verified
from tablemen.protocols.kgp.server.seats import Treatment
from tablemen.protocols.kgp.server.server import Server, Settings
from tablemen.protocols.kgp.thinking import PlayerThinker, SearchThinker, Thinker
from tablemen.protocols.transport.framing import KGP as FRAMING
from tablemen.protocols.transport.tcp import Address, connect
from tablemen.protocols.transport.websocket import connect_websocket
from tablemen.search import Limit
from tests.players_for_tests import Failing, Resigning
from tests.protocols.kgp.wires import Visitor, running
from tests.protocols.patience import run_in_time

KGP = VARIANTS["kgp"]
SMALL = replace(KGP, houses=2, seeds=2)
ONCE = Settings(boards=(SMALL,), rounds=1, seconds=30, pause=0)
LARGER = replace(ONCE, boards=(KGP,))  # where nobody wins before the other has moved


def games_of(told: list[Event]) -> list[GameEnded]:
    return [event for event in told if isinstance(event, GameEnded)]


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


def check_games(games: list[GameEnded]) -> None:
    """Every game is one from its start to its end, with the winner of its last position."""
    for each in games:
        assert each.game.outcome() == each.outcome
        assert each.note == ""
        score = each.game.position.score()
        most = [side for side in Side if score[side] == max(score.values())]
        assert each.outcome.winner == (most[0] if len(most) == 1 else None)


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


def play_against_robot(settings: Settings, visit: Any) -> tuple[Server, list[Event]]:
    """A server with a robot, and one client over TCP that does what a test says."""

    async def run() -> tuple[Server, list[Event]]:
        server = Server(replace(settings, clients=1), {"robot": RobotPlayer})
        async with running(server) as told, Visitor(server.listeners[0].address) as visitor:
            await visit(visitor)
        return server, told

    return run_in_time(run())


def test_a_client_that_goes_away_loses_that_game_alone() -> None:
    async def visit(visitor: Visitor) -> None:
        await visitor.play("Ann", games=1)
        visitor.leave()

    server, told = play_against_robot(LARGER, visit)
    first, second = games_of(told)
    assert first.note == ""
    assert second.outcome == Outcome(Side.WHITE, Termination.FORFEIT)  # the robot has begun
    assert second.note == "Ann has closed the connection"
    assert [row["points"] for row in server.results.facts() if row["name"] == "robot"] == [
        1.0 + (first.outcome.winner is Side.BLACK) + (first.outcome.winner is None) / 2
    ]
    assert any(isinstance(event, Parted) for event in told)


@pytest.mark.parametrize("house", [7, -1, 99])
def test_an_illegal_move_loses(house: int) -> None:
    async def visit(visitor: Visitor) -> None:
        await visitor.play("Ann", house)

    _, told = play_against_robot(LARGER, visit)
    games = games_of(told)
    assert [each.outcome.winner for each in games] == [Side.BLACK, Side.WHITE]
    assert {each.note for each in games} == {f"Ann chose house {house}, which cannot be played"}
    assert games[0].game.moves == ()


@pytest.mark.parametrize(("house", "pauses"), [(99, 2), (None, 0)])
def test_after_a_fault_there_is_a_pause(house: int | None, pauses: int, monkeypatch: pytest.MonkeyPatch) -> None:
    sleep, slept = asyncio.sleep, []

    async def note_down(seconds: float) -> None:
        slept.append(seconds)
        await sleep(0)

    async def visit(visitor: Visitor) -> None:
        await visitor.play("Ann", house)

    monkeypatch.setattr("tablemen.protocols.kgp.server.server.asyncio.sleep", note_down)
    play_against_robot(replace(LARGER, pause=7), visit)
    assert slept.count(7) == pauses


def test_an_illegal_move_may_be_one_by_chance() -> None:
    async def visit(visitor: Visitor) -> None:
        await visitor.play("Ann", 99)

    _, told = play_against_robot(replace(ONCE, on_illegal=Treatment.RANDOM), visit)
    check_games(games_of(told))


@pytest.mark.parametrize("treatment", Treatment)
def test_a_client_that_makes_no_move(treatment: Treatment) -> None:
    async def visit(visitor: Visitor) -> None:
        await visitor.say("mode freeplay")
        heard = await visitor.hear_all()
        states = [message.id for message in heard if message.verb == "state"]
        assert [message.ref for message in heard if message.verb == "stop"] == states
        assert heard[-1] == Message("goodbye")

    _, told = play_against_robot(replace(LARGER, seconds=0.01, on_silence=treatment), visit)
    games = games_of(told)
    if treatment is Treatment.RANDOM:
        check_games(games)
    else:
        assert {each.outcome.termination for each in games} == {Termination.TIME}
        assert {each.note for each in games} == {"anonymous made no move within 0.01 s"}


def test_forced_moves_need_not_be_asked_for() -> None:
    asked: list[int] = []

    async def visit(visitor: Visitor) -> None:
        await visitor.say("mode freeplay")
        while (message := await visitor.hear()) is not None and message.verb != "goodbye":
            board = message.board(0)
            if board is not None:
                houses = [number for number, seeds in enumerate(board.south, 1) if seeds]
                asked.append(len(houses))
                await visitor.say(f"@{message.id} move {houses[-1]}", f"@{message.id} yield")

    _, told = play_against_robot(replace(ONCE, play_forced=True), visit)
    check_games(games_of(told))
    assert min(asked) > 1
    asked.clear()
    play_against_robot(ONCE, visit)
    assert min(asked) == 1


def test_what_a_client_hears() -> None:
    lines: list[str] = []

    async def visit(visitor: Visitor) -> None:
        await visitor.say('  set   info:name  "Ann"', "1 mode freeplay", end="\r\n")
        while (message := await visitor.hear()) is not None and message.verb != "state":
            lines.append(str(message))
        visitor.leave()

    play_against_robot(replace(ONCE, seconds=30), visit)
    assert lines == [
        "2 kgp 1 0 1",
        '4 set info:name "tablemen"',
        '6 set time:mode "relative"',
        "8 set time:clock 30",
        "10@1 ok",
        '12 set game:id "1"',
        '14 set game:opponent "robot"',
    ]


HOSTILE = {
    "silent": (b"", "did not say what it wants"),
    "never-ending line": (b"x" * 100_000, "more than 16,384 bytes"),
    "nonsense": (b"\xff\x00\n" * 200, "makes no sense"),
    "flood": (b"ok\n" * 5000, "too many messages"),
    "flood of long messages": ((b"set info:comment " + b"x" * 16_000 + b"\n") * 50, "too many messages"),
    "another mode": (b"mode chess\n", "another mode"),
    "goodbye": (b"goodbye\n", "said goodbye"),
    "half a line": (b"mode free", "did not say what it wants"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_clients_are_sent_away_and_others_play_on(kind: str) -> None:
    async def run() -> None:
        said, reason = HOSTILE[kind]
        server = Server(replace(ONCE, handshake=0.2 if kind in {"silent", "half a line"} else 30.0))
        async with running(server) as told, Visitor(server.listeners[0].address) as hostile:
            hostile.writer.write(said)
            await hostile.hear_all()
            async with Visitor(server.listeners[0].address) as ann, Visitor(server.listeners[0].address) as bob:
                await asyncio.gather(ann.play("Ann"), bob.play("Bob"))
        check_games(games_of(told))
        (parted,) = [event for event in told if isinstance(event, Parted) and "127.0.0.1" in event.name]
        assert reason in parted.reason
        assert len(server.results.rows) == 2

    run_in_time(run())


def test_there_is_room_for_so_many() -> None:
    async def run() -> None:
        server = Server(replace(ONCE, per_address=2))
        async with running(server), Visitor(server.listeners[0].address) as ann:
            await ann.hear_until("kgp")
            async with Visitor(server.listeners[0].address) as bob:
                await bob.hear_until("kgp")
                async with Visitor(server.listeners[0].address) as cy:
                    assert [str(message) for message in await cy.hear_all()] == ['error "there is no room"', "goodbye"]
                await asyncio.gather(ann.play("Ann"), bob.play("Bob"))
        assert not server._hosts

    run_in_time(run())


def test_a_token_is_known_again() -> None:
    async def run() -> None:
        server = Server(replace(ONCE, clients=1, rounds=2), {"robot": RobotPlayer})
        async with running(server) as told, Visitor(server.listeners[0].address) as first:
            await first.say('set auth:token "secret"')
            await first.play("Ann", games=1)
            async with Visitor(server.listeners[0].address) as second:  # before the first has gone
                await second.say('set auth:token "secret"')
                playing = asyncio.create_task(second.play("Ann at home"))
                told_first = await first.hear_all()
                await playing
        assert 'error "the same token has come again"' in [str(replace(each, id=None)) for each in told_first]
        names = [row["name"] for row in server.results.facts()]
        assert sorted(map(str, names)) == ["Ann at home", "robot"]
        notes = [each.note for each in games_of(told)]
        assert len([note for note in notes if note]) == 1

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


def test_one_token_twice_in_verification() -> None:
    async def run() -> None:
        server = Server(replace(ONCE, clients=1, problems=1))
        async with running(server) as told, Visitor(server.listeners[0].address) as second:
            async with Visitor(server.listeners[0].address) as first:
                for each in (first, second):
                    await each.say('set auth:token "x"', "mode verify")
                problem = await second.hear_until("problem")
                await first.hear_until("problem")
            while not any(isinstance(event, Parted) for event in told):
                await asyncio.sleep(0)
            await second.say(f"@{problem.id} solution <1,0,0,1,1> 0")
            assert (await second.hear_all())[-1].verb == "goodbye"
        assert [event for event in told if isinstance(event, Verified)] == [Verified("anonymous", 0, 1)]

    run_in_time(run())


@pytest.mark.parametrize("method", ["add_problem", "add_game"])
def test_what_goes_wrong_with_one_client_is_no_end_for_the_others(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise KeyError("row")

    async def run() -> None:
        server = Server(replace(ONCE, clients=2, problems=1), {"robot": RobotPlayer})
        async with running(server) as told, Visitor(server.listeners[0].address) as ann:
            with monkeypatch.context() as patch:
                patch.setattr(type(server.results), method, fail)
                if method == "add_game":
                    await ann.play("Ann")
                else:
                    await ann.say('set info:name "Ann"', "mode verify")
                    await ann.say(f"@{(await ann.hear_until('problem')).id} solution <1,0,0,1,1> 0")
                    assert 'error "the server has made a mistake"' in [
                        str(replace(each, id=None, ref=None)) for each in await ann.hear_all()
                    ]
            async with Visitor(server.listeners[0].address) as bob:
                await bob.play("Bob")
        check_games(games_of(told))
        assert [set(each.names.values()) for each in games_of(told)] == [{"Bob", "robot"}] * 2
        assert "the server has made a mistake: KeyError('row')" in [
            event.reason for event in told if isinstance(event, Parted) and event.name == "Ann"
        ]

    run_in_time(run())


def test_the_usual_settings() -> None:
    assert Position.start(Settings().boards[0]) == Position.start(KGP)
    assert (Settings().on_silence, Settings().on_illegal) == (Treatment.RANDOM, Treatment.LOSE)
