"""Engines that speak Hub as processes, correct and faulty ones."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tablemen import mancala
from tablemen.draughts import Position
from tablemen.errors import (
    ArgumentError,
    GameOverError,
    PeerError,
    PeerGoneError,
    PeerTimeoutError,
    ProtocolError,
    TablemenError,
)
from tablemen.game import Game
from tablemen.outcome import Side
from tablemen.protocols import Engine
from tablemen.protocols.hub import HubEngine, HubTimeouts
from tablemen.protocols.transport import open_process, process
from tablemen.protocols.transport.process import ProcessTransport
from tablemen.search import Clock, Limit
from tests.protocols.hub.fakes import fake

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes as Linux has them")

SHORT = HubTimeouts(opening=60, init=60, grace=0.05, stopping=0.2, quiet=0.05, pong=0.2)
OURS = [sys.executable, "-m", "tablemen", "engine", "hub"]
WELL = (
    'greet()\nwhile True:\n    search()\n    say("info depth=1 score=0.5 pv=32-28", "done move=32-28 ponder=19-23")\n'
)


def start() -> Game[Position, Any]:
    return Game(Position.start("international"))


@pytest.fixture(autouse=True)
def groups(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Return the process groups that are started, and check that they end."""
    numbers: list[int] = []

    async def note(*arguments: Any) -> ProcessTransport:
        transport = await open_process(*arguments)
        numbers.append(transport.process.pid)
        return transport

    monkeypatch.setattr(process, "END_TIMEOUT", 0.05)
    monkeypatch.setattr("tablemen.protocols.hub.engine.open_process", note)
    yield numbers
    for number in numbers:
        wait_for_end(number)


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait long enough for processes that end by themselves to have a status."""
    monkeypatch.setattr(process, "END_TIMEOUT", 60)


def wait_for_end(group: int) -> None:
    for _ in range(1000):
        if not members_of(group):
            return
        time.sleep(0.01)
    pytest.fail(f"processes {members_of(group)} go on")


def members_of(group: int) -> list[str]:
    """Return the processes of a group, without zombies."""
    members = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, leader = stat.read_text().rpartition(")")[2].split()[:3]
        except (OSError, ValueError):
            continue
        if int(leader) == group and state != "Z":
            members.append(stat.parent.name)
    return members


def test_an_engine_chooses_and_analyses() -> None:
    with Engine.open("hub", fake(WELL), timeouts=SHORT) as engine:
        assert isinstance(engine, HubEngine)
        assert engine.name == "Fake 1"
        assert engine.id == {"name": "Fake", "version": "1"}
        assert engine.options["threads"].most == 4
        game = start()
        answer = engine.choose(game, Limit(time=30))
        assert (str(answer.move), str(answer.ponder)) == ("32-28", "19-23")
        assert answer.score is not None
        assert answer.score.value == 0.5
        assert game == start()
        result = engine.analyse(game, Limit(time=30)).result()
        assert (str(result.move), result.lines[0].depth) == ("32-28", 1)
    with pytest.raises(PeerGoneError, match="is closed"):
        engine.choose(start())
    engine.close()
    engine.stop()


def test_unknown_options_and_variants_are_refused() -> None:
    with pytest.raises(TablemenError, match=r"Fake 1 has no option 'thread'; did you mean threads\?"):
        HubEngine.open(fake(WELL), options={"thread": 2})
    with pytest.raises(ArgumentError, match="threads is 9: a whole number from 1 to 4 is expected"):
        HubEngine.open(fake(WELL), options={"threads": 9})
    with pytest.raises(TablemenError, match="Fake 1 does not play frisian"):
        HubEngine.open(fake(WELL), variant="frisian")
    with HubEngine.open(fake(WELL)) as engine, pytest.raises(TablemenError, match="Hub is for draughts"):
        engine.choose(Game(mancala.Position.start("kalah")))


@pytest.mark.parametrize("seconds", [0, -1, True, "5", float("nan")])
def test_timeouts_are_positive_numbers(seconds: Any) -> None:
    with pytest.raises(ArgumentError, match=r"opening is .*: a number of seconds above 0 is expected"):
        HubTimeouts(opening=seconds)


def test_a_game_that_is_over_is_not_sent() -> None:
    game = start()
    game.resign(Side.WHITE)
    with HubEngine.open(fake(WELL)) as engine, pytest.raises(GameOverError):
        engine.choose(game)


def test_a_missing_program_is_an_error() -> None:
    with pytest.raises(PeerGoneError, match=r"^no-such-engine hub cannot be started"):
        HubEngine.open("no-such-engine hub")


WRONG_AT_FIRST = {
    "dies at once": (
        "print('no licence \\x1b[31m', file=sys.stderr); sys.exit(3)",
        PeerGoneError,
        r"ended with status 3: no licence \\x1b\[31m$",
    ),
    "is killed": ("os.kill(os.getpid(), signal.SIGKILL)", PeerGoneError, r"was ended by SIGKILL$"),
    "says nothing": ("time.sleep(60)", PeerTimeoutError, r"did not tell its options within 0\.1 s$"),
    "is never ready": (
        "hear(); say('wait')\nwhile True: hear()",
        PeerTimeoutError,
        r"was not ready within 0\.1 s$",
    ),
    "says a line without an end": (
        "while True: sys.stdout.write('x' * 9999)",
        ProtocolError,
        r"sent a message of more than 65,536 bytes: 'xxx",
    ),
    "floods": ("while True: say('id name=again')", PeerTimeoutError, r"did not tell its options within 0\.1 s$"),
    "reports an error": (
        "hear(); say('error message=\"no weights\"'); time.sleep(60)",
        ProtocolError,
        r"reports an error: 'no weights'$",
    ),
    "closes its output": ("os.close(1); os.close(0); time.sleep(60)", PeerGoneError, r"closed its output$"),
}


def some_slow(faults: Iterable[str], light: Collection[str]) -> list[Any]:
    """Return the faults as parameters, marked as slow unless they are in `light`."""
    return [fault if fault in light else pytest.param(fault, marks=pytest.mark.slow) for fault in faults]


@pytest.mark.parametrize("fault", some_slow(WRONG_AT_FIRST, {"dies at once", "says nothing"}))
def test_faults_at_the_start_are_errors(fault: str, request: pytest.FixtureRequest) -> None:
    script, kind, problem = WRONG_AT_FIRST[fault]
    if "ended" in problem:
        request.getfixturevalue("patient")
    opening = 0.1 if kind is PeerTimeoutError and "options" in problem else 60
    timeouts = HubTimeouts(opening=opening, init=0.1)
    with pytest.raises(kind, match=problem):
        HubEngine.open(fake(script), timeouts=timeouts)


STAYS = "import subprocess; subprocess.Popen([sys.executable, '-I', '-S', '-c', 'import time; time.sleep(60)'])\n"

WRONG_IN_SEARCH = {
    "dies": ("sys.exit(7)", PeerGoneError, r"ended with status 7$"),
    "dies, and leaves somebody behind": (STAYS + "os._exit(7)", PeerError, r"status 7$|did not|closed its output$"),
    "hangs": ("time.sleep(60)", PeerTimeoutError, r"was told to stop its search, and did not within 0\.2 s$"),
    "floods": (
        "while True: say('info depth=1 score=0.1 pv=32-28')",
        PeerTimeoutError,
        r"was told to stop its search, and did not within 0\.2 s$",
    ),
    "lies": (
        "say('done move=1-6'); time.sleep(60)",
        ProtocolError,
        r"played a move that is not legal: 'done move=1-6'$",
    ),
    "says a line without an end": (
        "while True: sys.stdout.write('info ' * 999)",
        ProtocolError,
        r"sent a message of more than 65,536 bytes",
    ),
    "does not listen": (
        "signal.signal(signal.SIGTERM, signal.SIG_IGN); say('wait'); time.sleep(60)",
        ProtocolError,
        r"said wait without being asked: 'wait'$",
    ),
}


@pytest.mark.parametrize("fault", some_slow(WRONG_IN_SEARCH, {"dies", "lies"}))
def test_faults_in_a_search_close_the_engine(fault: str, request: pytest.FixtureRequest) -> None:
    script, kind, problem = WRONG_IN_SEARCH[fault]
    game, seconds = start(), 0.01 if kind in {PeerTimeoutError, PeerError} else 60
    if kind is PeerGoneError:
        request.getfixturevalue("patient")
    with HubEngine.open(fake(f"greet(); search()\n{script}"), timeouts=SHORT) as engine:
        with pytest.raises(kind, match=problem):
            engine.choose(game, Limit(time=seconds))
        with pytest.raises(PeerGoneError, match="is closed: it "):
            engine.choose(game, Limit(time=seconds))
    assert game == start()


@pytest.mark.slow
def test_an_engine_that_hangs_in_an_infinite_search_is_detected() -> None:
    with (
        HubEngine.open(fake("greet(); search(); time.sleep(60)"), timeouts=SHORT) as engine,
        pytest.raises(PeerTimeoutError, match=r"did not answer a ping within 0\.2 s$"),
    ):
        engine.choose(start(), Limit(depth=30))


def test_a_quiet_engine_that_answers_pings_may_continue() -> None:
    pings = "for _ in range(3):\n    assert hear() == 'ping'; say('pong')\n"
    script = f"greet(); search()\n{pings}say('done move=32-28')\nhear()"
    with HubEngine.open(fake(script), timeouts=HubTimeouts(quiet=0.02, pong=60)) as engine:
        assert str(engine.choose(start(), Limit(depth=30)).move) == "32-28"


def test_a_second_result_is_an_error_in_the_next_search() -> None:
    script = "greet(); search(); say('done move=32-28', 'done move=31-27'); time.sleep(60)"
    with HubEngine.open(fake(script), timeouts=SHORT) as engine:
        assert str(engine.choose(start(), Limit(time=30)).move) == "32-28"
        with pytest.raises(ProtocolError, match=r"said done without being asked|is not legal"):
            engine.choose(Game(Position.start("international"), ["32-28"]), Limit(time=60))


@pytest.mark.slow
def test_a_ping_without_an_answer_is_an_error() -> None:
    with (
        HubEngine.open(fake("greet(); time.sleep(60)"), timeouts=SHORT) as engine,
        pytest.raises(PeerTimeoutError, match=r"did not answer a ping within 0\.2 s$"),
    ):
        engine.ping()


def test_a_stop_from_another_thread_ends_the_search() -> None:
    script = "greet(); search(); say('info score=0')\nwhile hear() != 'stop': pass\nsay('done move=32-28'); hear()"
    with HubEngine.open(fake(script)) as engine:
        over = threading.Event()

        def stop_again_and_again() -> None:  # a stop before the search does not count
            while not over.wait(0.01):
                engine.stop()

        stopping = threading.Thread(target=stop_again_and_again)
        stopping.start()
        try:
            assert str(engine.choose(start()).move) == "32-28"
        finally:
            over.set()
            stopping.join()


def test_a_choice_fails_when_another_thread_closes_the_engine() -> None:
    script = "greet(); search(); say('info score=0')\nwhile True: hear()"
    errors: list[PeerError] = []

    def wait() -> None:
        try:
            engine.choose(start())
        except PeerError as error:
            errors.append(error)

    with HubEngine.open(fake(script)) as engine:
        waiting = threading.Thread(target=wait)
        waiting.start()
        engine.close()
        waiting.join(60)
    assert [type(error) for error in errors] == [PeerGoneError]
    assert "closed" in str(errors[0])


def test_unread_results_are_dropped() -> None:
    infos = "for depth in range(1, 2001): say(f'info depth={depth} score=0')"
    script = f"greet(); search()\n{infos}\nsay('done move=32-28'); hear()"
    with HubEngine.open(fake(script)) as engine:
        analysis = engine.analyse(start())
        assert analysis.result().lines[0].depth == 2000
        found = list(analysis)
        assert len(found) <= 32
        assert found[-1].depth == 2000


@pytest.mark.usefixtures("patient")
def test_an_analysis_reports_the_end_of_its_engine() -> None:
    script = "greet(); search(); say('info depth=1 score=0'); sys.exit(2)"
    with HubEngine.open(fake(script)) as engine:
        analysis = engine.analyse(start())
        with pytest.raises(PeerGoneError, match="ended with status 2"):
            list(analysis)


@pytest.mark.slow
@pytest.mark.usefixtures("patient")
def test_two_of_our_servers_play_several_variants(groups: list[int]) -> None:
    variants = ("international", "killer", "breakthrough", "frisian", "antidraughts", "russian", "turkish", "canadian")
    with HubEngine.open(OURS, options={"table": 1}) as one, HubEngine.open(OURS, options={"table": 1}) as other:
        for variant in variants:
            game = Game(Position.start(variant))
            engines = {Side.WHITE: (one, Limit(depth=2)), Side.BLACK: (other, Limit(depth=1))}
            while game.outcome() is None and len(game.moves) < 100:
                engine, limit = engines[game.position.turn]
                game.push(engine.choose(game, limit, clock=Clock(600, 1)).move)
            assert len(game.moves) > 10
            one.end_game(game, game.outcome())
            other.end_game(game, game.outcome())
    assert len(groups) == 2


@pytest.mark.slow
@pytest.mark.usefixtures("patient")
def test_a_killed_engine_is_reported(groups: list[int]) -> None:
    with HubEngine.open(OURS, options={"table": 1}) as engine:
        analysis = engine.analyse(start())
        next(analysis)
        os.kill(groups[0], 9)
        with pytest.raises(PeerGoneError, match="was ended by SIGKILL"):
            analysis.result()
        with pytest.raises(PeerGoneError, match="is closed: it was ended by SIGKILL"):
            engine.choose(start())
