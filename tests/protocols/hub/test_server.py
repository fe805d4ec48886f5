"""Our Hub server, with the board in the same event loop."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tablemen.draughts import VARIANTS, Position
from tablemen.errors import PeerGoneError, ProtocolError, TablemenError
from tablemen.game import Game
from tablemen.protocols.hub import AsyncHubEngine
from tablemen.protocols.hub.server import HubServer
from tablemen.search import Clock, Limit, Searcher
from tests.protocols.hub.fakes import MemoryTransport, make_transports
from tests.timeouts import run_in_time

SMALL = {"table": 1}
Script = Callable[[AsyncHubEngine, MemoryTransport], Awaitable[None]]


def run_engine(script: Script, *, variant: str = "international", hub1: bool = False) -> None:
    """Run a script with our server as an engine, and the transport of the board."""

    async def run() -> None:
        board, theirs = make_transports()
        server = asyncio.create_task(HubServer(theirs, hub1=hub1).run())
        engine = await AsyncHubEngine.over(board, variant=variant, options={} if hub1 else SMALL)
        await script(engine, board)
        await engine.close()
        await server

    run_in_time(run())


async def receive_until(transport: MemoryTransport, command: str) -> list[str]:
    lines: list[str] = []
    while not lines or lines[-1].split()[0] != command:
        line = await transport.receive()
        assert line is not None
        lines.append(line.decode())
    return lines


def send(*lines: str, until: str = "done", then: tuple[str, ...] = ()) -> list[str]:
    """Return the answers of our server to lines, up to the command `until`; then also to the lines `then`."""

    async def run() -> list[str]:
        board, theirs = make_transports()
        server = asyncio.create_task(HubServer(theirs).run())
        theirs.put("set-param name=table value=1", *lines)
        received = await receive_until(board, until)
        theirs.put(*then)
        if then:
            received += await receive_until(board, "done")
        await board.close()
        await server
        return received

    return run_in_time(run())


def test_a_variant_is_prepared_once() -> None:
    async def script(engine: AsyncHubEngine, board: MemoryTransport) -> None:
        before = len(board.sent)
        await engine.prepare("frisian")
        await engine.prepare("frisian")
        assert list(board.sent)[before:] == ["set-param name=variant value=frisian", "init"]
        assert engine.options["variant"].value == "frisian"
        await engine.choose(Game(Position.start("frisian")), Limit(depth=1))
        assert list(board.sent).count("init") == 2

    run_engine(script)


def test_a_search_ends_with_one_move() -> None:
    lines = send("pos start", "level depth=3", "go think")
    assert [line.split()[0] for line in lines] == ["info", "info", "info", "done"]
    assert lines[-1].startswith("done move=")


def test_any_other_line_stops_an_infinite_search() -> None:
    lines = send("pos start", "level infinite", "go analyze", until="info", then=("ping", "stop"))
    assert "pong" in lines
    assert lines.index("pong") < len(lines) - 1
    lines = send("pos start", "go think", until="info", then=("new-game",))
    assert lines[-1].startswith("done move=")


def test_pondering_lasts_until_the_ponder_hit() -> None:
    lines = send("pos start", "level move-time=0.001", "go ponder", until="info", then=("ponder-hit",))
    assert lines[-1].startswith("done move=")


def test_the_end_of_the_input_ends_a_search() -> None:
    assert send("pos start", "go analyze", until="info")[-1].startswith("info")


def test_limited_levels_play_a_legal_move() -> None:
    for level in (1, 7):
        lines = send(f"set-param name=level value={level}", "pos start", "level nodes=500", "go think")
        assert lines[-1].startswith("done move=")


def test_a_table_without_memory_is_reported_and_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*, table_mb: int, **settings: Any) -> object:
        if table_mb > 100:
            raise TablemenError("too little memory")
        return Searcher(table_mb=1, **settings)

    monkeypatch.setattr("tablemen.protocols.hub.server.Searcher", refuse)
    lines = send("set-param name=table value=60000", "pos start", "level depth=1", "go think")
    assert lines[0] == 'error message="too little memory"'
    assert lines[-1].startswith("done move=")


def test_a_failed_search_ends_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(server: HubServer, action: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(HubServer, "_start_analysis", fail)

    async def run() -> None:
        _, transport = make_transports()
        transport.put("set-param name=table value=1", "pos start", "go think")
        await HubServer(transport).run()

    with pytest.raises(ZeroDivisionError):
        run_in_time(run())


def test_a_closed_connection_ends_the_server() -> None:
    async def run() -> None:
        board, transport = make_transports()
        await board.close()
        transport.incoming = asyncio.Queue()
        transport.put("ping", "ping")
        await HubServer(transport).run()
        assert transport.incoming.qsize() == 1

    run_in_time(run())


def test_an_error_of_the_transport_is_raised() -> None:
    class Failing(MemoryTransport):
        async def receive(self) -> bytes | None:
            raise error

    error = ProtocolError("the board", "sent a message of more than 65,536 bytes")
    with pytest.raises(ProtocolError) as caught:
        run_in_time(run_server(Failing("the board")))
    assert caught.value is error


async def run_server(transport: MemoryTransport) -> None:
    await HubServer(transport).run()


def test_every_command_is_used() -> None:
    async def script(engine: AsyncHubEngine, board: MemoryTransport) -> None:
        assert engine.name.startswith("tablemen ")
        assert engine.options["table"].value == 1
        game = Game(Position.start("international"))
        while game.outcome() is None and len(game.moves) < 16:
            answer = await engine.choose(game, Limit(depth=1), clock=Clock(60, 1))
            assert answer.score is not None
            game.push(answer.move)
        assert "level depth=1 time=60 inc=1" in board.sent
        infos = [info async for info in await engine.analyse(game, Limit(depth=3))]
        assert [info.depth for info in infos][-1] == 3
        assert infos[-1].line[0] in game.legal_moves()
        async with await engine.analyse(game) as analysis:
            await anext(analysis)
        assert (await analysis.result()).move in game.legal_moves()
        pondering = await engine.analyse(game, Limit(time=0.001), ponder=True)
        await anext(pondering)
        pondering.ponder_hit()
        assert (await pondering.result()).move in game.legal_moves()
        await engine.ping()
        await engine.configure("seed", 7)
        assert "set-param name=seed value=7" in board.sent
        assert "new-game" not in board.sent
        engine.new_game()
        await engine.choose(game, Limit(depth=1))
        assert "new-game" in board.sent
        with pytest.raises(TablemenError, match=r"'sed'.* seed\b"):
            await engine.configure("sed", 7)
        await engine.close()
        with pytest.raises(PeerGoneError) as caught:
            await engine.choose(game, Limit(depth=1))
        assert caught.value.peer == "the program"

    run_engine(script)


def test_a_search_stops_the_previous_one() -> None:
    async def script(engine: AsyncHubEngine, board: MemoryTransport) -> None:
        game = Game(Position.start("international"))
        analysis = await engine.analyse(game)
        answer = await engine.choose(game, Limit(depth=1))
        assert answer.move in game.legal_moves()
        assert analysis.is_over
        assert (await analysis.answer()).move in game.legal_moves()
        assert list(board.sent).count("stop") == 1

    run_engine(script)


def test_cancelling_a_choice_stops_the_search() -> None:
    async def script(engine: AsyncHubEngine, board: MemoryTransport) -> None:
        game = Game(Position.start("international"))
        choosing = asyncio.create_task(engine.choose(game))
        while "go think" not in board.sent:
            await asyncio.sleep(0)
        choosing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await choosing
        answer = await engine.choose(game, Limit(depth=1), is_stopped=lambda: True)
        assert answer.move in game.legal_moves()
        assert list(board.sent).count("stop") >= 1

    run_engine(script)


@pytest.mark.parametrize(
    ("variant", "name"), [("killer", "killer"), ("breakthrough", "bt"), ("antidraughts", "losing")]
)
def test_another_variant_is_set_and_initialised(variant: str, name: str) -> None:
    async def script(engine: AsyncHubEngine, board: MemoryTransport) -> None:
        assert f"set-param name=variant value={name}" in board.sent
        game = Game(Position.start("english"))
        assert (await engine.choose(game, Limit(depth=1))).move in game.legal_moves()
        assert "set-param name=variant value=english" in board.sent
        assert list(board.sent).count("init") == 2

    run_engine(script, variant=variant)


def test_hub_1_with_both_ends() -> None:
    async def script(engine: AsyncHubEngine, board: MemoryTransport) -> None:
        game = Game(Position.start("international"), ["32-28", "19-23"])
        answer = await engine.choose(game, Limit(depth=2))
        assert str(answer.move) == "28x19"
        assert answer.score is not None
        assert "move 32-28" in board.sent
        with pytest.raises(TablemenError, match="Hub 1"):
            await engine.choose(game, Limit(nodes=100))
        with pytest.raises(TablemenError, match="frisian"):
            await engine.choose(Game(Position.start("frisian")))
        await engine.configure("threads", 2)
        assert "set threads 2" in board.sent

    run_engine(script, hub1=True)


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_is_played_to_its_end(variant: str) -> None:
    async def script(engine: AsyncHubEngine, board: MemoryTransport) -> None:
        dice = random.Random(variant)
        game = Game(Position.start(variant))
        while game.outcome() is None and len(game.moves) < 80:
            answer = await engine.choose(game, Limit(depth=1))
            assert answer.move in game.legal_moves()
            game.push(answer.move if dice.random() < 0.5 else dice.choice(game.legal_moves()))
        assert list(board.sent).count("go think") == len(game.moves)

    run_engine(script)
