"""DXP engines over sockets, with peers that observe the protocol and peers that violate it."""

from __future__ import annotations

import shlex
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tablemen import (
    ArgumentError,
    Game,
    Outcome,
    PeerError,
    PeerGoneError,
    PeerTimeoutError,
    ProtocolError,
    Side,
    TablemenError,
    Termination,
    mancala,
)
from tablemen.draughts import Move, Position
from tablemen.protocols import Engine
from tablemen.protocols.dxp.engine import END_CLAIMS, MAX_CHATS, REFUSALS, DxpEngine, DxpTimeouts
from tablemen.protocols.dxp.messages import AcceptCode, EndReason
from tablemen.protocols.dxp.protocol import Phase
from tablemen.search import Clock, Limit
from tests.processes import is_running
from tests.protocols.dxp.fakes import ACCEPTS, Script, Wire, flood, leave, peer, reply, script
from tests.timeouts import TIMEOUT

SHORT_ACCEPT, SHORT_MOVE = DxpTimeouts(accept=0.05), DxpTimeouts(move=0.06)
NAME = b"tablemen" + b" " * 24
START = b"R01" + NAME + b"W005000A"
BEGINS = b"<" + START, b">" + ACCEPTS  # a game is requested and accepted


def new_game() -> Game[Position, Move]:
    return Game(Position.start("international"))


def test_a_program_plays_the_side_to_move() -> None:
    run_peer = script(*BEGINS, b">M0001322800", b"<M0000192300", b">Chm", b">M009928190123", b"<")
    game = new_game()
    with peer(run_peer) as address, Engine.open("dxp", address) as engine:
        assert engine.name == f"{address[0]}:{address[1]}"
        assert str(engine.choose(game).move) == "32-28"
        assert engine.name == "the other"
        assert not game.moves
        game.push("32-28")
        game.push("19-23")
        assert str(engine.choose(game).move) == "28x19"
        assert isinstance(engine, DxpEngine)
        assert engine.chats == ("hm",)


def test_a_game_is_requested_from_the_current_position() -> None:
    position = b"z" * 20 + b"e" * 7 + b"w" + b"ee" + b"w" + b"e" + b"w" * 18
    run_peer = script(b"<R01" + NAME + b"Z010040BZ" + position, b">" + ACCEPTS, b">M0001192300", b"<")
    game = Game(Position.start("international"), ["32-28"])
    with peer(run_peer) as address, DxpEngine.open(address, minutes=10, moves=40) as engine:
        assert str(engine.choose(game).move) == "19-23"


@pytest.mark.parametrize(("clock", "minutes"), [(None, b"005"), (Clock(1200.0), b"020"), (Clock(3.0, 1.0), b"001")])
def test_a_clock_is_sent_as_whole_minutes(clock: Clock | None, minutes: bytes) -> None:
    run_peer = script(b"<R01" + NAME + b"W" + minutes + b"000A", b">" + ACCEPTS, b">M0001322800", b"<")
    with peer(run_peer) as address, DxpEngine.open(address) as engine:
        assert str(engine.choose(new_game(), clock=clock).move) == "32-28"


@pytest.mark.parametrize(
    ("seconds", "clock", "minutes"),
    [(0.2, None, b"001"), (7.5, None, b"008"), (1e6, None, b"999"), (7.5, Clock(180), b"003")],
)
def test_a_time_per_move_is_sent_as_the_minutes_of_60_moves(
    seconds: float, clock: Clock | None, minutes: bytes
) -> None:
    run_peer = script(b"<R01" + NAME + b"W" + minutes + b"000A", b">" + ACCEPTS, b">M0001322800", b"<")
    with peer(run_peer) as address, DxpEngine.open(address) as engine:
        assert engine.id == {}
        assert str(engine.choose(new_game(), Limit(time=seconds), clock=clock).move) == "32-28"
        assert engine.id == {"name": "the other"}


def test_a_move_that_takes_longer_than_its_time_fails() -> None:
    timeouts = DxpTimeouts(grace=0.01)
    with peer(reply(ACCEPTS)) as address, DxpEngine.open(address, timeouts=timeouts) as engine:
        with pytest.raises(PeerTimeoutError) as caught:
            engine.choose(new_game(), Limit(time=0.02))
        assert caught.value.seconds == pytest.approx(0.03)


def test_concurrent_choices_run_one_after_the_other() -> None:
    def run_peer(wire: Wire) -> None:
        assert {wire.receive(), wire.receive()} == {START, b"Chello"}
        wire.send(ACCEPTS)
        time.sleep(0.05)  # time for the other choice to interfere
        wire.send(b"M0001322800")
        wire.expect(b"E00")
        wire.send(b"E00")
        wire.expect(START)
        wire.send(ACCEPTS, b"M0001312700")
        wire.receive()

    with peer(run_peer) as address, DxpEngine.open(address) as engine, ThreadPoolExecutor() as threads:
        choices = [threads.submit(engine.choose, new_game()) for _ in range(2)]
        engine.send_chat("hello")  # allowed at any time
        moves = [str(each.result(TIMEOUT).move) for each in choices]
    assert sorted(moves) == ["31-27", "32-28"]


def test_the_end_of_each_game_is_sent() -> None:
    run_peer = script(
        *(*BEGINS, b">M0001322800", b"<E10", b">E00"),
        *(*BEGINS, b">E10", b"<E00"),
        *(*BEGINS, b">M0001322800", b"<E00", b">E00", b"<"),
    )
    with peer(run_peer) as address, DxpEngine.open(address) as engine:
        game = new_game()
        game.push(engine.choose(game).move)
        engine.end_game(game, game.resign(Side.BLACK))
        assert engine.choose(new_game()).move is None  # the program resigns
        engine.end_game(new_game(), None)
        assert str(engine.choose(new_game()).move) == "32-28"
        engine.end_game(new_game(), None)


def test_the_outcome_is_sent_from_our_point_of_view() -> None:
    outcomes = {
        b"<E30": Outcome(Side.BLACK, Termination.TIME),
        b"<E10": Outcome(Side.WHITE, Termination.FORFEIT),
        b"<E20": Outcome(None, Termination.ADJUDICATION),
        b"<E00": None,
    }
    games = [line for end in outcomes for line in (*BEGINS, b">M0001322800", end, b">E00")]
    with peer(script(*games, b"<")) as address, DxpEngine.open(address) as engine:
        for outcome in outcomes.values():
            game = new_game()
            game.push(engine.choose(game).move)
            engine.end_game(game, outcome)


def test_another_game_is_requested() -> None:
    run_peer = script(*BEGINS, b">M0001322800", b"<E00", b">E00", *BEGINS, b">M0001332900", b"<")
    with peer(run_peer) as address, DxpEngine.open(address) as engine:
        game = new_game()
        game.push(engine.choose(game).move)
        game.pop()
        assert str(engine.choose(game).move) == "33-29"


@pytest.mark.parametrize(
    "end",
    [
        pytest.param([b">E10", b"<E00", b"<"], id="resigns"),
        pytest.param([b">M0000010600", b"<E30", b">E01", b"<"], id="plays on"),
    ],
)
def test_the_last_move_is_sent_before_the_end(end: list[bytes]) -> None:
    request = b"R01" + NAME + b"Z005000BZ" + b"e" * 17 + b"z" + b"e" * 9 + b"w" + b"e" * 22
    run_peer = script(b"<" + request, b">" + ACCEPTS, b">M0001182300", b"<M000028190123", *end)
    with peer(run_peer) as address, DxpEngine.open(address) as engine:
        game = Game(Position.from_fen("B:W28:B18", "international"))
        game.push(engine.choose(game).move)
        game.push("28x19")
        engine.end_game(game, game.outcome())


def test_an_unconfirmed_end_leads_to_a_new_connection() -> None:
    first = script(*BEGINS, b">M0001322800", b"<E20", b"<")
    second = script(*BEGINS, b">M0001332900", b"<")
    timeouts = DxpTimeouts(end=0.05)
    with peer(first, second) as address, DxpEngine.open(address, timeouts=timeouts) as engine:
        game = new_game()
        game.push(engine.choose(game).move)
        engine.end_game(game, game.agree_draw())
        assert str(engine.choose(new_game()).move) == "33-29"


@pytest.mark.parametrize("game", [[b">M0001322800", b"<E00", b">E01"], [b">E10", b"<E00"]])
def test_a_peer_that_leaves_leads_to_a_new_connection(game: list[bytes]) -> None:
    first, second = script(*BEGINS, *game), script(*BEGINS, b">M0001332900", b"<")
    with peer(first, second) as address, DxpEngine.open(address) as engine:
        engine.choose(new_game())
        engine.end_game(new_game(), None)
        assert str(engine.choose(new_game()).move) == "33-29"


def test_a_takeback_is_not_supported() -> None:
    run_peer = script(*BEGINS, b">B001W", b"<K1", b">M0001322800", b"<")
    with peer(run_peer) as address, DxpEngine.open(address) as engine:
        assert str(engine.choose(new_game()).move) == "32-28"


# Peers with faults: the script, the error, and a detail of its message.
FAULTS: dict[str, tuple[Script, type[PeerError], str]] = {
    "does not accept": (reply(), PeerTimeoutError, f"{SHORT_ACCEPT.accept} s"),
    "does not move": (reply(ACCEPTS), PeerTimeoutError, f"{SHORT_MOVE.move} s"),
    "only chats": (flood(b"Chello\0"), PeerTimeoutError, f"{SHORT_MOVE.move} s"),
    "endless message": (flood(b"Chello"), ProtocolError, "127 bytes"),
    "empty messages": (flood(b"\0"), ProtocolError, "the kind of message"),
    "illegal move": (reply(ACCEPTS, b"M0001322200"), ProtocolError, "'M0001322200'"),
    "not ASCII": (reply(ACCEPTS, "Cé".encode()), ProtocolError, "byte 195"),
    "wrong version": (reply(b"Athe other1"), PeerError, REFUSALS[AcceptCode.WRONG_VERSION]),
    "not this game": (reply(b"Athe other2"), PeerError, REFUSALS[AcceptCode.NOT_THIS_GAME]),
    "no games": (reply(b"Athe other3"), PeerError, REFUSALS[AcceptCode.NO_GAMES]),
    "requests a game too": (reply(START), ProtocolError, Phase.REQUESTING.value),
    "leaves": (leave(), PeerGoneError, ""),
    "leaves in a game": (leave(ACCEPTS + b"\0"), PeerGoneError, ""),
    "leaves in a message": (leave(ACCEPTS + b"\0M00"), PeerGoneError, ""),
    "claims a draw": (reply(ACCEPTS, b"E20"), ProtocolError, END_CLAIMS[EndReason.DRAWN]),
    "claims a win": (reply(ACCEPTS, b"E30"), ProtocolError, END_CLAIMS[EndReason.WON]),
    "ends the game": (reply(ACCEPTS, b"E00"), ProtocolError, END_CLAIMS[EndReason.UNKNOWN]),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_raises_and_closes_the_engine(fault: str) -> None:
    run_peer, kind, detail = FAULTS[fault]
    timeouts = {"does not accept": SHORT_ACCEPT, "does not move": SHORT_MOVE, "only chats": SHORT_MOVE}.get(fault)
    game = new_game()
    threads = threading.active_count()
    with peer(run_peer) as address:
        engine = DxpEngine.open(address, timeouts=timeouts)
        with pytest.raises(kind) as caught:
            engine.choose(game)
        assert caught.type is kind
        assert detail in str(caught.value)
        assert not game.moves
        assert len(engine.chats) <= MAX_CHATS
        with pytest.raises(PeerGoneError) as closed:
            engine.choose(game)
        assert closed.value.__cause__ is caught.value
        engine.close()
        engine.close()
    assert threading.active_count() <= threads


def test_an_address_without_a_listener_raises() -> None:
    with peer(lambda wire: wire.receive()) as address:
        DxpEngine.open(address).close()
    with pytest.raises(PeerGoneError) as caught:
        DxpEngine.open(address)
    assert isinstance(caught.value.__cause__, ConnectionRefusedError)


def test_stop_aborts_the_choice() -> None:
    is_thinking = threading.Event()

    def run_peer(wire: Wire) -> None:
        wire.receive()
        wire.send(ACCEPTS, b"B001W")
        wire.expect(b"K1")
        is_thinking.set()
        assert wire.receive() is None

    with peer(run_peer) as address:
        engine = DxpEngine.open(address)
        engine.stop()  # no effect without a choice in progress

        def stop() -> None:
            assert is_thinking.wait(TIMEOUT)
            engine.stop()

        stopper = threading.Thread(target=stop)
        stopper.start()
        with pytest.raises(PeerError) as caught:
            engine.choose(new_game())
        assert caught.type is PeerError
        assert isinstance(caught.value.__cause__, TimeoutError)
        stopper.join()
        engine.stop()
        engine.close()
        engine.stop()


def test_an_engine_can_be_closed_during_a_choice() -> None:
    is_thinking = threading.Event()

    def run_peer(wire: Wire) -> None:
        wire.receive()
        wire.send(ACCEPTS)
        is_thinking.set()
        assert wire.receive() is None

    with peer(run_peer) as address:
        engine = DxpEngine.open(address)

        def close() -> None:
            assert is_thinking.wait(TIMEOUT)
            engine.close()

        closer = threading.Thread(target=close)
        closer.start()
        with pytest.raises(PeerGoneError):
            engine.choose(new_game())
        closer.join()


def test_a_program_cannot_claim_a_draw() -> None:
    moves = ["1-6", "28-24", "6-1", "24-28"] * 2
    game = Game(Position.from_fen("W:WK1:BK28", "english"), moves)
    assert game.claims()
    with (
        peer(reply(ACCEPTS, b"E20")) as address,
        DxpEngine.open(address) as engine,
        pytest.raises(ProtocolError, match="referee"),
    ):
        engine.choose(game)


def test_unsupported_variants_and_settings_are_refused() -> None:
    with peer(lambda wire: wire.receive()) as address, DxpEngine.open(address, variant="frisian") as engine:
        with pytest.raises(TablemenError, match=r"frisian.*international"):
            engine.choose(new_game())
        with pytest.raises(TablemenError, match=r"DXP.*Kalah"):
            engine.choose(Game(mancala.Position.start("kalah")))
        engine.send_chat("hello")
    for name, minutes, moves in (("minutes", 0, 0), ("minutes", 1000, 0), ("moves", 5, -1), ("moves", 5, 1000)):
        with pytest.raises(ArgumentError) as caught:
            DxpEngine.open(address, minutes=minutes, moves=moves)
        assert (caught.value.name, caught.value.value) == (name, moves or minutes)


PROGRAM = """
import os, socket, sys
print("x" * 200_000, flush=True)
open(sys.argv[2], "w").write(str(os.getpid()))
if sys.argv[3] == "fails":
    sys.exit("no database")
if sys.argv[3] == "waits":
    import time; time.sleep(600)
address = "127.0.0.1", int(sys.argv[1])
if sys.argv[3] == "connects":
    there = socket.create_connection(address)
else:
    there, _ = socket.create_server(address).accept()
there.recv(100)
there.sendall(b"Astarted0\\0M0001322800\\0")
there.recv(100)
"""


def make_command(folder: Path, mode: str) -> str:
    program = folder / "program.py"
    program.write_text(PROGRAM)
    return f"{shlex.join([sys.executable, str(program)])} {{port}} {shlex.quote(str(folder / 'pid'))} {mode}"


def is_program_running(folder: Path) -> bool:
    return (folder / "pid").exists() and is_running(int((folder / "pid").read_text()))


@pytest.mark.parametrize(("mode", "listens"), [("listens", False), ("connects", True)])
def test_a_command_starts_a_program_that_ends_with_the_engine(tmp_path: Path, mode: str, *, listens: bool) -> None:
    with DxpEngine.open(make_command(tmp_path, mode), listen=listens) as engine:
        assert str(engine.choose(new_game()).move) == "32-28"
        assert is_program_running(tmp_path)
        assert engine.name == "started"
    assert not is_program_running(tmp_path)


@pytest.mark.parametrize("listens", [False, True])
def test_a_program_that_exits_at_once_raises(tmp_path: Path, *, listens: bool) -> None:
    with pytest.raises(PeerGoneError, match=r"status 1.*no database"):
        DxpEngine.open(make_command(tmp_path, "fails"), listen=listens)


@pytest.mark.parametrize("listens", [False, True])
def test_a_program_that_does_not_connect_in_time_is_ended(tmp_path: Path, *, listens: bool) -> None:
    with pytest.raises(PeerTimeoutError) as caught:
        DxpEngine.open(make_command(tmp_path, "waits"), listen=listens, timeouts=DxpTimeouts(connect=0.3))
    assert caught.value.seconds == 0.3
    assert ("127.0.0.1" in caught.value.problem) is not listens  # the address at which the program should listen
    assert not is_program_running(tmp_path)


def test_a_program_that_exits_during_a_game_raises(tmp_path: Path) -> None:
    with DxpEngine.open(make_command(tmp_path, "listens")) as engine:
        game = new_game()
        game.push(engine.choose(game).move)
        game.push("19-23")
        with pytest.raises(PeerGoneError, match="status 0"):
            engine.choose(game)


def test_listening_at_an_address_in_use_raises() -> None:
    with peer(lambda wire: wire.receive()) as address:
        with pytest.raises(PeerGoneError) as caught:
            DxpEngine.open(address, listen=True)
        assert isinstance(caught.value.__cause__, OSError)
        DxpEngine.open(address).close()
