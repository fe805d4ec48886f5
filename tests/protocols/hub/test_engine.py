"""Hub engines as processes: correct ones, and ones with faults."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

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

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")

SHORT = HubTimeouts(opening=60, init=60, grace=0.05, stopping=0.2, quiet=0.05, pong=0.25)
OUR_ENGINE = [sys.executable, "-m", "tablemen", "engine", "hub"]
CORRECT = """
greet()
while True:
    await_search()
    send("info depth=1 score=0.5 pv=32-28", "done move=32-28 ponder=19-23")
"""


def new_game() -> Game[Position, Any]:
    return Game(Position.start("international"))


@pytest.fixture(autouse=True)
def groups(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Return the process groups that the test starts, and check that all their processes end."""
    numbers: list[int] = []

    async def record(*arguments: Any, **settings: Any) -> ProcessTransport:
        transport = await open_process(*arguments, **settings)
        numbers.append(transport.process.pid)
        return transport

    monkeypatch.setattr(process, "END_TIMEOUT", 0.05)
    monkeypatch.setattr("tablemen.protocols.hub.engine.open_process", record)
    yield numbers
    for number in numbers:
        wait_for_end(number)


@pytest.fixture
def long_end_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait until processes that end by themselves have an exit status."""
    monkeypatch.setattr(process, "END_TIMEOUT", 60)


def wait_for_end(group: int) -> None:
    for _ in range(1000):
        if not list_processes(group):
            return
        time.sleep(0.01)
    pytest.fail(f"processes {list_processes(group)} still run")


def list_processes(group: int) -> list[str]:
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
    with Engine.open("hub", fake(CORRECT), timeouts=SHORT) as engine:
        assert isinstance(engine, HubEngine)
        assert engine.name == "Fake 1"
        assert engine.id == {"name": "Fake", "version": "1"}
        assert engine.options["threads"].maximum == 4
        game = new_game()
        answer = engine.choose(game, Limit(time=30))
        assert (str(answer.move), str(answer.ponder)) == ("32-28", "19-23")
        assert answer.score is not None
        assert answer.score.value == 0.5
        assert game == new_game()
        result = engine.analyse(game, Limit(time=30)).result()
        assert (str(result.move), result.lines[0].depth) == ("32-28", 1)
    with pytest.raises(PeerGoneError) as caught:
        engine.choose(new_game())
    assert caught.value.peer == "Fake 1"
    engine.close()
    engine.stop()


def test_unknown_options_and_variants_are_refused() -> None:
    with pytest.raises(TablemenError, match=r"Fake 1 .*'thread'.* threads\b"):
        HubEngine.open(fake(CORRECT), options={"thread": 2})
    with pytest.raises(ArgumentError) as caught:
        HubEngine.open(fake(CORRECT), options={"threads": 9})
    assert (caught.value.name, caught.value.value) == ("threads", 9)
    with pytest.raises(TablemenError, match=r"Fake 1 .*frisian"):
        HubEngine.open(fake(CORRECT), variant="frisian")
    with HubEngine.open(fake(CORRECT)) as engine, pytest.raises(TablemenError, match=r"Hub .*Kalah"):
        engine.choose(Game(mancala.Position.start("kalah")))


@pytest.mark.parametrize("seconds", [0, -1, True, "5", float("nan")])
def test_timeouts_are_positive_numbers(seconds: Any) -> None:
    with pytest.raises(ArgumentError) as caught:
        HubTimeouts(opening=seconds)
    assert caught.value.name == "opening"
    assert caught.value.value is seconds


def test_a_game_that_is_over_is_not_sent() -> None:
    game = new_game()
    game.resign(Side.WHITE)
    with HubEngine.open(fake(CORRECT)) as engine, pytest.raises(GameOverError):
        engine.choose(game)


def test_a_missing_program_raises() -> None:
    with pytest.raises(PeerGoneError) as caught:
        HubEngine.open("no-such-engine hub")
    assert caught.value.peer == "no-such-engine hub"
    assert isinstance(caught.value.__cause__, FileNotFoundError)


class Fault(NamedTuple):
    """A script of an engine with a fault, the error, its details, and the seconds of a timeout."""

    script: str
    error: type[PeerError]
    details: tuple[str, ...] = ()
    seconds: float | None = None


FAULTS_AT_START = {
    "exits": Fault(
        "print('no licence \\x1b[31m', file=sys.stderr); sys.exit(3)",
        PeerGoneError,
        ("status 3", r"no licence \x1b[31m"),
    ),
    "is killed": Fault("os.kill(os.getpid(), signal.SIGKILL)", PeerGoneError, ("SIGKILL",)),
    "sends nothing": Fault("time.sleep(60)", PeerTimeoutError, seconds=0.1),
    "is never ready": Fault("receive(); send('wait')\nwhile True: receive()", PeerTimeoutError, seconds=0.2),
    "sends a line without an end": Fault(
        "while True: sys.stdout.write('x' * 9999)", ProtocolError, ("65,536 bytes", "xxx")
    ),
    "floods": Fault("while True: send('id name=again')", PeerTimeoutError, seconds=0.1),
    "reports an error": Fault(
        "receive(); send('error message=\"no weights\"'); time.sleep(60)", ProtocolError, ("'no weights'",)
    ),
    "closes its output": Fault("os.close(1); os.close(0); time.sleep(60)", PeerGoneError, ("output",)),
}


def mark_slow(faults: Iterable[str], fast: Collection[str]) -> list[Any]:
    """Return the faults as parameters, marked as slow unless they are in `fast`."""
    return [fault if fault in fast else pytest.param(fault, marks=pytest.mark.slow) for fault in faults]


def check_error(error: PeerError, fault: Fault) -> None:
    assert type(error) is fault.error
    assert all(detail in str(error) for detail in fault.details)
    assert getattr(error, "seconds", None) == fault.seconds


@pytest.mark.parametrize("name", mark_slow(FAULTS_AT_START, {"exits", "sends nothing"}))
def test_faults_at_the_start_raise(name: str, request: pytest.FixtureRequest) -> None:
    fault = FAULTS_AT_START[name]
    if name in {"exits", "is killed"}:
        request.getfixturevalue("long_end_timeout")
    timeouts = HubTimeouts(opening=0.1 if fault.seconds == 0.1 else 60, init=0.2)
    with pytest.raises(fault.error) as caught:
        HubEngine.open(fake(fault.script), timeouts=timeouts)
    check_error(caught.value, fault)


FAULTS_IN_SEARCH = {
    "exits": Fault("sys.exit(7)", PeerGoneError, ("status 7",)),
    "hangs": Fault("time.sleep(60)", PeerTimeoutError, seconds=SHORT.stopping),
    "floods": Fault("while True: send('info depth=1 score=0.1 pv=32-28')", PeerTimeoutError, seconds=SHORT.stopping),
    "plays an illegal move": Fault("send('done move=1-6'); time.sleep(60)", ProtocolError, ("'done move=1-6'",)),
    "sends a line without an end": Fault(
        "while True: sys.stdout.write('info ' * 999)", ProtocolError, ("65,536 bytes",)
    ),
    "ignores SIGTERM": Fault(
        "signal.signal(signal.SIGTERM, signal.SIG_IGN); send('wait'); time.sleep(60)", ProtocolError, ("'wait'",)
    ),
}


@pytest.mark.parametrize("name", mark_slow(FAULTS_IN_SEARCH, {"exits", "plays an illegal move"}))
def test_faults_in_a_search_close_the_engine(name: str, request: pytest.FixtureRequest) -> None:
    fault = FAULTS_IN_SEARCH[name]
    if fault.error is PeerGoneError:
        request.getfixturevalue("long_end_timeout")
    game, limit = new_game(), Limit(time=0.01 if fault.error is PeerTimeoutError else 60)
    with HubEngine.open(fake(f"greet(); await_search()\n{fault.script}"), timeouts=SHORT) as engine:
        with pytest.raises(fault.error) as caught:
            engine.choose(game, limit)
        check_error(caught.value, fault)
        with pytest.raises(PeerGoneError) as closed:
            engine.choose(game, limit)
        assert closed.value.__cause__ is caught.value
    assert game == new_game()


@pytest.mark.slow
def test_an_engine_that_leaves_a_child_behind_is_closed() -> None:
    child = "import subprocess; subprocess.Popen([sys.executable, '-I', '-S', '-c', 'import time; time.sleep(60)'])"
    script = f"greet(); await_search()\n{child}\nos._exit(7)"
    with HubEngine.open(fake(script), timeouts=SHORT) as engine:
        with pytest.raises(PeerError) as caught:
            engine.choose(new_game(), Limit(time=0.01))
        # The child keeps the pipes open, so that the exit may be detected by a timeout.
        assert isinstance(caught.value, PeerGoneError | PeerTimeoutError)
        with pytest.raises(PeerGoneError) as closed:
            engine.choose(new_game(), Limit(time=0.01))
        assert closed.value.__cause__ is caught.value


@pytest.mark.slow
def test_an_engine_that_hangs_in_an_infinite_search_times_out() -> None:
    with (
        HubEngine.open(fake("greet(); await_search(); time.sleep(60)"), timeouts=SHORT) as engine,
        pytest.raises(PeerTimeoutError) as caught,
    ):
        engine.choose(new_game(), Limit(depth=30))
    assert caught.value.seconds == SHORT.pong


def test_a_quiet_engine_that_answers_pings_may_continue() -> None:
    pings = "for _ in range(3):\n    assert receive() == 'ping'; send('pong')\n"
    script = f"greet(); await_search()\n{pings}send('done move=32-28')\nreceive()"
    with HubEngine.open(fake(script), timeouts=HubTimeouts(quiet=0.02, pong=60)) as engine:
        assert str(engine.choose(new_game(), Limit(depth=30)).move) == "32-28"


def test_a_second_result_raises_in_the_next_search() -> None:
    script = "greet(); await_search(); send('done move=32-28', 'done move=31-27'); time.sleep(60)"
    with HubEngine.open(fake(script), timeouts=SHORT) as engine:
        assert str(engine.choose(new_game(), Limit(time=30)).move) == "32-28"
        with pytest.raises(ProtocolError) as caught:
            engine.choose(Game(Position.start("international"), ["32-28"]), Limit(time=60))
        assert caught.value.said == "'done move=31-27'"


@pytest.mark.slow
def test_a_ping_without_an_answer_times_out() -> None:
    with (
        HubEngine.open(fake("greet(); time.sleep(60)"), timeouts=SHORT) as engine,
        pytest.raises(PeerTimeoutError) as caught,
    ):
        engine.ping()
    assert caught.value.seconds == SHORT.pong


def test_a_stop_from_another_thread_ends_the_search() -> None:
    wait = "while receive() != 'stop': pass"
    script = f"greet(); await_search(); send('info score=0')\n{wait}\nsend('done move=32-28'); receive()"
    with HubEngine.open(fake(script)) as engine:
        is_over = threading.Event()

        def stop_repeatedly() -> None:  # a stop before the search has no effect
            while not is_over.wait(0.01):
                engine.stop()

        stopping = threading.Thread(target=stop_repeatedly)
        stopping.start()
        try:
            assert str(engine.choose(new_game()).move) == "32-28"
        finally:
            is_over.set()
            stopping.join()


def test_choose_fails_if_another_thread_closes_the_engine() -> None:
    script = "greet(); await_search(); send('info score=0')\nwhile True: receive()"
    errors: list[PeerError] = []

    def wait() -> None:
        try:
            engine.choose(new_game())
        except PeerError as error:
            errors.append(error)

    with HubEngine.open(fake(script)) as engine:
        waiting = threading.Thread(target=wait)
        waiting.start()
        engine.close()
        waiting.join(60)
    assert [type(error) for error in errors] == [PeerGoneError]


def test_unread_results_are_dropped() -> None:
    infos = "for depth in range(1, 2001): send(f'info depth={depth} score=0')"
    script = f"greet(); await_search()\n{infos}\nsend('done move=32-28'); receive()"
    with HubEngine.open(fake(script)) as engine:
        analysis = engine.analyse(new_game())
        assert analysis.result().lines[0].depth == 2000
        found = list(analysis)
        assert len(found) <= 32
        assert found[-1].depth == 2000


@pytest.mark.usefixtures("long_end_timeout")
def test_an_analysis_raises_when_its_engine_exits() -> None:
    script = "greet(); await_search(); send('info depth=1 score=0'); sys.exit(2)"
    with HubEngine.open(fake(script)) as engine:
        analysis = engine.analyse(new_game())
        with pytest.raises(PeerGoneError, match="status 2"):
            list(analysis)


@pytest.mark.slow
@pytest.mark.usefixtures("long_end_timeout")
def test_two_of_our_servers_play_several_variants(groups: list[int]) -> None:
    variants = ("international", "killer", "breakthrough", "frisian", "antidraughts", "russian", "turkish", "canadian")
    options = {"table": 1}
    with HubEngine.open(OUR_ENGINE, options=options) as one, HubEngine.open(OUR_ENGINE, options=options) as other:
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
@pytest.mark.usefixtures("long_end_timeout")
def test_a_killed_engine_raises(groups: list[int]) -> None:
    with HubEngine.open(OUR_ENGINE, options={"table": 1}) as engine:
        analysis = engine.analyse(new_game())
        next(analysis)
        os.kill(groups[0], 9)
        for _ in range(2):
            with pytest.raises(PeerGoneError, match="SIGKILL"):
                analysis.result()
        with pytest.raises(PeerGoneError, match="SIGKILL"):
            engine.choose(new_game())
