"""Clients of a server over real sockets: those that behave badly, and those that are known again."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from tablemen import Outcome, Side, Termination
from tablemen.players import RobotPlayer
from tablemen.protocols.kgp.message import Message
from tablemen.protocols.kgp.server.event import Event, Parted, Verified
from tablemen.protocols.kgp.server.seats import Treatment
from tablemen.protocols.kgp.server.server import Server, Settings
from tests.patience import run_in_time
from tests.protocols.kgp.server.games import LARGER, ONCE, check_games, games_of
from tests.protocols.kgp.wires import Visitor, running


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
