"""Our server, with the board in the same event loop."""

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
from tests.protocols.hub.fakes import MemoryTransport, wire
from tests.timeouts import run_in_time

SMALL = {"table": 1}
Talk = Callable[[AsyncHubEngine, MemoryTransport], Awaitable[None]]


def with_program(talk: Talk, *, variant: str = "international", first: bool = False) -> None:
    """Drive our server as an engine; the transport is the board's end."""

    async def run() -> None:
        board, end = wire()
        program = asyncio.create_task(HubServer(end, hub1=first).run())
        engine = await AsyncHubEngine.over(board, variant=variant, options={} if first else SMALL)
        await talk(engine, board)
        await engine.close()
        await program

    run_in_time(run())


async def lines_until(end: MemoryTransport, word: str) -> list[str]:
    lines: list[str] = []
    while not lines or lines[-1].split()[0] != word:
        line = await end.receive()
        assert line is not None
        lines.append(line.decode())
    return lines


def say(*lines: str, wait: str = "done", then: tuple[str, ...] = ()) -> list[str]:
    """Return the answers of our server to lines, until the command `wait`; then also to the lines `then`."""

    async def run() -> list[str]:
        board, end = wire()
        program = asyncio.create_task(HubServer(end).run())
        end.hear("set-param name=table value=1", *lines)
        heard = await lines_until(board, wait)
        end.hear(*then)
        if then:
            heard += await lines_until(board, "done")
        await board.close()
        await program
        return heard

    return run_in_time(run())


def test_an_engine_is_prepared_for_a_variant_once() -> None:
    async def talk(engine: AsyncHubEngine, board: MemoryTransport) -> None:
        before = len(board.sent)
        await engine.prepare("frisian")
        await engine.prepare("frisian")
        assert list(board.sent)[before:] == ["set-param name=variant value=frisian", "init"]
        assert engine.options["variant"].value == "frisian"
        await engine.choose(Game(Position.start("frisian")), Limit(depth=1))
        assert list(board.sent).count("init") == 2

    with_program(talk)


def test_a_search_ends_with_exactly_one_move() -> None:
    lines = say("pos start", "level depth=3", "go think")
    assert [line.split()[0] for line in lines] == ["info", "info", "info", "done"]
    assert lines[-1].startswith("done move=")


def test_an_infinite_search_is_stopped_by_any_line() -> None:
    lines = say("pos start", "level infinite", "go analyze", wait="info", then=("ping", "stop"))
    assert "pong" in lines
    assert lines.index("pong") < len(lines) - 1
    lines = say("pos start", "go think", wait="info", then=("new-game",))
    assert lines[-1].startswith("done move=")


def test_pondering_lasts_until_the_ponder_hit() -> None:
    lines = say("pos start", "level move-time=0.001", "go ponder", wait="info", then=("ponder-hit",))
    assert lines[-1].startswith("done move=")


def test_the_end_of_the_input_ends_a_search() -> None:
    assert say("pos start", "go analyze", wait="info")[-1].startswith("info")


def test_limited_levels_play_a_legal_move() -> None:
    for level in (1, 7):
        lines = say(f"set-param name=level value={level}", "pos start", "level nodes=500", "go think")
        assert lines[-1].startswith("done move=")


def test_too_large_a_table_is_reported_and_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*, table_mb: int, **settings: Any) -> object:
        if table_mb > 100:
            raise TablemenError("too little memory")
        return Searcher(table_mb=1, **settings)

    monkeypatch.setattr("tablemen.protocols.hub.server.Searcher", refuse)
    lines = say("set-param name=table value=60000", "pos start", "level depth=1", "go think")
    assert lines[0] == 'error message="too little memory"'
    assert lines[-1].startswith("done move=")


def test_a_failed_search_ends_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(program: HubServer, order: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(HubServer, "_start_analysis", fail)

    async def run() -> None:
        _, end = wire()
        end.hear("set-param name=table value=1", "pos start", "go think")
        await HubServer(end).run()

    with pytest.raises(ZeroDivisionError):
        run_in_time(run())


def test_a_board_that_is_gone_ends_the_server() -> None:
    async def run() -> None:
        board, end = wire()
        await board.close()
        end.incoming = asyncio.Queue()
        end.hear("ping", "ping")
        await HubServer(end).run()
        assert end.incoming.qsize() == 1

    run_in_time(run())


def test_a_line_that_is_too_long_is_an_error() -> None:
    class Endless(MemoryTransport):
        async def receive(self) -> bytes | None:
            raise ProtocolError(self.peer, "sent a message of more than 65,536 bytes")

    with pytest.raises(ProtocolError, match="more than 65,536 bytes"):
        run_in_time(run_over(Endless("the board")))


async def run_over(transport: MemoryTransport) -> None:
    await HubServer(transport).run()


def test_an_engine_and_our_server_use_every_command() -> None:
    async def talk(engine: AsyncHubEngine, board: MemoryTransport) -> None:
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
        with pytest.raises(TablemenError, match=r"has no option 'sed'; did you mean seed"):
            await engine.configure("sed", 7)
        await engine.close()
        with pytest.raises(PeerGoneError, match="the program is closed"):
            await engine.choose(game, Limit(depth=1))

    with_program(talk)


def test_a_search_stops_the_previous_one() -> None:
    async def talk(engine: AsyncHubEngine, board: MemoryTransport) -> None:
        game = Game(Position.start("international"))
        endless = await engine.analyse(game)
        answer = await engine.choose(game, Limit(depth=1))
        assert answer.move in game.legal_moves()
        assert endless.is_over
        assert (await endless.answer()).move in game.legal_moves()
        assert list(board.sent).count("stop") == 1

    with_program(talk)


def test_cancelling_a_choice_stops_the_search() -> None:
    async def talk(engine: AsyncHubEngine, board: MemoryTransport) -> None:
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

    with_program(talk)


@pytest.mark.parametrize(
    ("variant", "name"), [("killer", "killer"), ("breakthrough", "bt"), ("antidraughts", "losing")]
)
def test_another_variant_is_set_and_initialised(variant: str, name: str) -> None:
    async def talk(engine: AsyncHubEngine, board: MemoryTransport) -> None:
        assert f"set-param name=variant value={name}" in board.sent
        game = Game(Position.start("english"))
        assert (await engine.choose(game, Limit(depth=1))).move in game.legal_moves()
        assert "set-param name=variant value=english" in board.sent
        assert list(board.sent).count("init") == 2

    with_program(talk, variant=variant)


def test_both_ends_of_hub_1() -> None:
    async def talk(engine: AsyncHubEngine, board: MemoryTransport) -> None:
        game = Game(Position.start("international"), ["32-28", "19-23"])
        answer = await engine.choose(game, Limit(depth=2))
        assert str(answer.move) == "28x19"
        assert answer.score is not None
        assert "move 32-28" in board.sent
        with pytest.raises(TablemenError, match="speaks Hub 1, which has no limit of nodes"):
            await engine.choose(game, Limit(nodes=100))
        with pytest.raises(TablemenError, match="does not play frisian"):
            await engine.choose(Game(Position.start("frisian")))
        await engine.configure("threads", 2)
        assert "set threads 2" in board.sent

    with_program(talk, first=True)


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_is_played_to_its_end(variant: str) -> None:
    async def talk(engine: AsyncHubEngine, board: MemoryTransport) -> None:
        dice = random.Random(variant)
        game = Game(Position.start(variant))
        while game.outcome() is None and len(game.moves) < 80:
            answer = await engine.choose(game, Limit(depth=1))
            assert answer.move in game.legal_moves()
            game.push(answer.move if dice.random() < 0.5 else dice.choice(game.legal_moves()))
        assert list(board.sent).count("go think") == len(game.moves)

    with_program(talk)
