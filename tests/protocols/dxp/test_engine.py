"""Programs at the other end of real sockets as engines: those that play, and those that do not."""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
import threading
import time
from collections.abc import Callable
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
from tablemen.protocols.dxp.asynchronous import CHATS
from tablemen.protocols.dxp.engine import DxpEngine
from tablemen.protocols.dxp.patience import Patience
from tablemen.search import Clock
from tests.protocols.dxp.peers import ACCEPTS, Wire, peer
from tests.protocols.patience import LONG

UNACCEPTED, UNMOVED = Patience(accepting=0.05), Patience(moving=0.05)  # for those who will not
NAME = b"tablemen" + b" " * 24
START = b"R01" + NAME + b"W005000A"


def new_game() -> Game[Position, Move]:
    return Game(Position.start("international"))


def test_a_program_plays_the_side_to_move() -> None:
    def script(wire: Wire) -> None:
        wire.expect(START)
        wire.send(ACCEPTS, b"M0001322800")
        wire.expect(b"M0000192300")
        wire.send(b"Chm", b"M0099281901" + b"23")
        assert wire.receive() is None

    game = new_game()
    with peer(script) as address, Engine.open("dxp", address) as engine:
        assert engine.name == f"{address[0]}:{address[1]}"
        assert str(engine.choose(game).move) == "32-28"
        assert engine.name == "the other"
        assert not game.moves
        game.push("32-28")
        game.push("19-23")
        assert str(engine.choose(game).move) == "28x19"
        assert isinstance(engine, DxpEngine)
        assert engine.chats == ("hm",)


def test_a_program_is_asked_from_the_position_that_the_game_has() -> None:
    def script(wire: Wire) -> None:
        wire.expect(b"R01" + NAME + b"Z010040BZ" + b"z" * 20 + b"e" * 7 + b"w" + b"ee" + b"w" + b"e" + b"w" * 18)
        wire.send(ACCEPTS, b"M0001192300")
        wire.receive()

    game = Game(Position.start("international"), ["32-28"])
    with peer(script) as address, DxpEngine.open(address, minutes=10, moves=40) as engine:
        assert str(engine.choose(game).move) == "19-23"


@pytest.mark.parametrize(("clock", "minutes"), [(None, b"005"), (Clock(1200.0), b"020"), (Clock(3.0, 1.0), b"001")])
def test_a_clock_is_told_in_minutes(clock: Clock | None, minutes: bytes) -> None:
    def script(wire: Wire) -> None:
        wire.expect(b"R01" + NAME + b"W" + minutes + b"000A")
        wire.send(ACCEPTS, b"M0001322800")
        wire.receive()

    with peer(script) as address, DxpEngine.open(address) as engine:
        assert str(engine.choose(new_game(), clock=clock).move) == "32-28"


def test_who_asks_while_another_waits_comes_after_it() -> None:
    def script(wire: Wire) -> None:
        assert {wire.receive(), wire.receive()} == {START, b"Chello"}
        wire.send(ACCEPTS)
        time.sleep(0.05)  # for the other to come in between, if it could
        wire.send(b"M0001322800")
        wire.expect(b"E00")
        wire.send(b"E00")
        wire.expect(START)
        wire.send(ACCEPTS, b"M0001312700")
        wire.receive()

    with peer(script) as address, DxpEngine.open(address) as engine, ThreadPoolExecutor() as threads:
        asked = [threads.submit(engine.choose, new_game()) for _ in range(2)]
        engine.say("hello")  # which may be said at any time
        moves = [str(each.result(LONG).move) for each in asked]
    assert sorted(moves) == ["31-27", "32-28"]


def test_games_follow_each_other_and_each_end_is_told() -> None:
    def script(wire: Wire) -> None:
        wire.expect(START)
        wire.send(ACCEPTS, b"M0001322800")
        wire.expect(b"E10")
        wire.send(b"E00")
        wire.expect(START)
        wire.send(ACCEPTS, b"E10")
        wire.expect(b"E00", START)
        wire.send(ACCEPTS, b"M0001322800")
        wire.expect(b"E00")
        wire.send(b"E00")
        assert wire.receive() is None

    with peer(script) as address, DxpEngine.open(address) as engine:
        game = new_game()
        game.push(engine.choose(game).move)
        engine.end_game(game, game.resign(Side.BLACK))
        assert engine.choose(new_game()).move is None  # it gives up
        engine.end_game(new_game(), None)
        assert str(engine.choose(new_game()).move) == "32-28"
        engine.end_game(new_game(), None)


def test_a_game_that_goes_another_way_is_begun_anew() -> None:
    def script(wire: Wire) -> None:
        wire.expect(START)
        wire.send(ACCEPTS, b"M0001322800")
        wire.expect(b"E00")
        wire.send(b"E00")
        wire.expect(START)
        wire.send(ACCEPTS, b"M0001332900")
        wire.receive()

    with peer(script) as address, DxpEngine.open(address) as engine:
        game = new_game()
        game.push(engine.choose(game).move)
        game.pop()
        assert str(engine.choose(game).move) == "33-29"


def test_the_last_move_is_sent_before_the_end() -> None:
    def script(wire: Wire) -> None:
        wire.receive()
        wire.send(ACCEPTS, b"M0001182300")
        wire.expect(b"M0000281901" + b"23")
        wire.send(b"E10")
        wire.expect(b"E00")
        assert wire.receive() is None

    with peer(script) as address, DxpEngine.open(address) as engine:
        game = Game(Position.from_fen("B:W28:B18", "international"))
        game.push(engine.choose(game).move)
        game.push("28x19")
        engine.end_game(game, game.outcome())


def test_who_plays_on_after_the_end_is_told_of_it() -> None:
    def script(wire: Wire) -> None:
        wire.receive()
        wire.send(ACCEPTS, b"M0001182300")
        wire.expect(b"M0000281901" + b"23")
        wire.send(b"M0000010600")
        wire.expect(b"E30")
        wire.send(b"E01")
        assert wire.receive() is None

    with peer(script) as address, DxpEngine.open(address) as engine:
        game = Game(Position.from_fen("B:W28:B18", "international"))
        game.push(engine.choose(game).move)
        game.push("28x19")
        engine.end_game(game, game.outcome())


def test_who_does_not_confirm_an_end_is_connected_to_anew() -> None:
    def first(wire: Wire) -> None:
        wire.expect(START)
        wire.send(ACCEPTS, b"M0001322800")
        wire.expect(b"E20")
        assert wire.receive() is None

    def second(wire: Wire) -> None:
        wire.expect(START)
        wire.send(ACCEPTS, b"M0001332900")
        wire.receive()

    patience = Patience(ending=0.05)
    with peer(first, second) as address, DxpEngine.open(address, patience=patience) as engine:
        game = new_game()
        game.push(engine.choose(game).move)
        engine.end_game(game, game.agree_draw())
        assert str(engine.choose(new_game()).move) == "33-29"


@pytest.mark.parametrize("ends", [b"E01", None])
def test_who_leaves_after_a_game_is_connected_to_anew(ends: bytes | None) -> None:
    def first(wire: Wire) -> None:
        wire.expect(START)
        wire.send(ACCEPTS, b"E10" if ends is None else b"M0001322800")
        wire.expect(b"E00")
        if ends is not None:
            wire.send(ends)

    def second(wire: Wire) -> None:
        wire.expect(START)
        wire.send(ACCEPTS, b"M0001332900")
        wire.receive()

    with peer(first, second) as address, DxpEngine.open(address) as engine:
        engine.choose(new_game())
        engine.end_game(new_game(), None)
        assert str(engine.choose(new_game()).move) == "33-29"


def test_a_takeback_is_not_supported_in_games_that_others_keep() -> None:
    def script(wire: Wire) -> None:
        wire.expect(START)
        wire.send(ACCEPTS, b"B001W")
        wire.expect(b"K1")
        wire.send(b"M0001322800")
        wire.receive()

    with peer(script) as address, DxpEngine.open(address) as engine:
        assert str(engine.choose(new_game()).move) == "32-28"


def flood(message: bytes) -> Callable[[Wire], object]:
    """Sends without end, until nobody listens."""

    def script(wire: Wire) -> None:
        wire.receive()
        with contextlib.suppress(OSError):
            wire.send(ACCEPTS)
            while True:
                wire.socket.sendall(message * 50)

    return script


def say(*messages: bytes) -> Callable[[Wire], object]:
    """Says this to a request, and waits."""

    def script(wire: Wire) -> None:
        wire.receive()
        wire.send(*messages)
        with contextlib.suppress(OSError):
            while wire.receive() is not None:
                pass

    return script


def leave(said: bytes = b"") -> Callable[[Wire], object]:
    """Says this to a request, message or not, and goes."""

    def script(wire: Wire) -> None:
        wire.receive()
        wire.socket.sendall(said)

    return script


BAD = {
    "silent": (say(), PeerTimeoutError, "did not accept the game within 0.05 s"),
    "hanging": (say(ACCEPTS), PeerTimeoutError, "did not move within 0.05 s"),
    "chatting": (flood(b"Chello\0"), PeerTimeoutError, "did not move"),
    "endless": (flood(b"Chello"), ProtocolError, "sent a message of more than 127 bytes"),
    "empty": (flood(b"\0"), ProtocolError, "sent what is no message of DXP"),
    "illegal": (say(ACCEPTS, b"M0001322200"), ProtocolError, "played what is not legal: 'M0001322200'"),
    "foreign": (say(ACCEPTS, "Cé".encode()), ProtocolError, "no message of DXP .the byte 195"),
    "wrong version": (say(b"Athe other1"), PeerError, "speaks another version of DXP"),
    "not this game": (say(b"Athe other2"), PeerError, "does not want to play this game"),
    "no games": (say(b"Athe other3"), PeerError, "does not want to play any game"),
    "initiator too": (say(START), ProtocolError, "asked for a game while a game was asked for"),
    "gone at once": (leave(), PeerGoneError, "has closed the connection"),
    "gone in a game": (leave(ACCEPTS + b"\0"), PeerGoneError, "has closed the connection"),
    "cut off": (leave(ACCEPTS + b"\0M00"), PeerGoneError, "has closed the connection"),
    "a draw": (say(ACCEPTS, b"E20"), ProtocolError, "ended the game as a draw, and it is not over"),
    "a win": (say(ACCEPTS, b"E30"), ProtocolError, "as one that it has won, and it is not over"),
    "no reason": (say(ACCEPTS, b"E00"), ProtocolError, "without a reason, and it is not over"),
}


@pytest.mark.parametrize("kind", BAD)
def test_what_goes_wrong_is_told_and_nothing_is_left(kind: str) -> None:
    script, expected, problem = BAD[kind]
    patience = {"silent": UNACCEPTED, "hanging": UNMOVED, "chatting": UNMOVED}.get(kind)
    game = new_game()
    threads = threading.active_count()
    with peer(script) as address:
        engine = DxpEngine.open(address, patience=patience)
        with pytest.raises(expected, match=problem):
            engine.choose(game)
        assert not game.moves
        assert len(engine.chats) <= CHATS
        with pytest.raises(PeerGoneError, match="is closed"):
            engine.choose(game)
        engine.close()
        engine.close()
    assert threading.active_count() <= threads


def test_nobody_at_the_address() -> None:
    with peer(lambda wire: wire.receive()) as address:
        DxpEngine.open(address).close()
    with pytest.raises(PeerGoneError, match="cannot be reached"):
        DxpEngine.open(address)


def test_a_choice_that_is_stopped_leaves_the_program_alone() -> None:
    thinking = threading.Event()

    def script(wire: Wire) -> None:
        wire.receive()
        wire.send(ACCEPTS, b"B001W")
        wire.expect(b"K1")
        thinking.set()
        assert wire.receive() is None

    with peer(script) as address:
        engine = DxpEngine.open(address)
        engine.stop()  # nobody chooses yet

        def stop() -> None:
            assert thinking.wait(LONG)
            engine.stop()

        stopper = threading.Thread(target=stop)
        stopper.start()
        with pytest.raises(PeerError, match="was told to stop"):
            engine.choose(new_game())
        stopper.join()
        engine.stop()
        engine.close()
        engine.stop()


def test_an_engine_may_be_closed_while_it_is_waited_for() -> None:
    thinking = threading.Event()

    def script(wire: Wire) -> None:
        wire.receive()
        wire.send(ACCEPTS)
        thinking.set()
        assert wire.receive() is None

    with peer(script) as address:
        engine = DxpEngine.open(address)

        def close() -> None:
            assert thinking.wait(LONG)
            engine.close()

        closer = threading.Thread(target=close)
        closer.start()
        with pytest.raises(PeerGoneError, match=r"was closed|is closed|has closed the connection"):
            engine.choose(new_game())
        closer.join()


def test_a_draw_that_is_due_is_told_as_that() -> None:
    king = "W:WK1:BK28"
    moves = ["1-6", "28-24", "6-1", "24-28"] * 2
    game = Game(Position.from_fen(king, "english"), moves)
    assert game.claims()
    with (
        peer(say(ACCEPTS, b"E20")) as address,
        DxpEngine.open(address) as engine,
        pytest.raises(ProtocolError, match="as a draw, which can be claimed: the referee claims draws itself"),
    ):
        engine.choose(game)


def test_what_dxp_cannot_say_is_refused_before_anybody_is_asked() -> None:
    with peer(lambda wire: wire.receive()) as address, DxpEngine.open(address, variant="frisian") as engine:
        with pytest.raises(TablemenError, match="plays frisian, and not international"):
            engine.choose(new_game())
        with pytest.raises(TablemenError, match="DXP is for draughts"):
            engine.choose(Game(mancala.Position.start("kalah")))
        engine.say("hello")
    for minutes, moves in ((0, 0), (1000, 0), (5, -1), (5, 1000)):
        with pytest.raises(ArgumentError, match="a whole number"):
            DxpEngine.open(address, minutes=minutes, moves=moves)


PROGRAM = """
import os, socket, sys
print("x" * 200_000, flush=True)
open(sys.argv[2], "w").write(str(os.getpid()))
if sys.argv[3] == "fails":
    sys.exit("no database")
if sys.argv[3] == "waits":
    import time; time.sleep(600)
address = "127.0.0.1", int(sys.argv[1])
if sys.argv[3] == "calls":
    there = socket.create_connection(address)
else:
    there, _ = socket.create_server(address).accept()
there.recv(100)
there.sendall(b"Astarted0\\0M0001322800\\0")
there.recv(100)
"""


def command(folder: Path, how: str) -> str:
    program = folder / "program.py"
    program.write_text(PROGRAM)
    return f"{shlex.join([sys.executable, str(program)])} {{port}} {shlex.quote(str(folder / 'pid'))} {how}"


def is_running(folder: Path) -> bool:
    try:
        os.kill(int((folder / "pid").read_text()), 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize(("how", "listens"), [("listens", False), ("calls", True)])
def test_a_command_starts_a_program_that_ends_with_the_engine(tmp_path: Path, how: str, *, listens: bool) -> None:
    with DxpEngine.open(command(tmp_path, how), listen=listens) as engine:
        assert str(engine.choose(new_game()).move) == "32-28"
        assert is_running(tmp_path)
        assert engine.name == "started"
    assert not is_running(tmp_path)


@pytest.mark.parametrize("listens", [False, True])
def test_a_program_that_ends_at_once_says_why(tmp_path: Path, *, listens: bool) -> None:
    with pytest.raises(PeerGoneError, match="ended with status 1: no database"):
        DxpEngine.open(command(tmp_path, "fails"), listen=listens)


@pytest.mark.parametrize(("listens", "problem"), [(False, "did not listen at 127.0.0.1"), (True, "did not connect")])
def test_a_program_that_is_not_there_in_time_is_ended(tmp_path: Path, problem: str, *, listens: bool) -> None:
    with pytest.raises(PeerTimeoutError, match=problem):
        DxpEngine.open(command(tmp_path, "waits"), listen=listens, patience=Patience(connecting=0.3))
    assert not (tmp_path / "pid").exists() or not is_running(tmp_path)


def test_a_program_that_dies_in_a_game_is_told_of(tmp_path: Path) -> None:
    with DxpEngine.open(command(tmp_path, "listens")) as engine:
        game = new_game()
        game.push(engine.choose(game).move)
        game.push("19-23")
        with pytest.raises(PeerGoneError, match="ended with status 0"):
            engine.choose(game)


def test_an_address_can_be_listened_at_only_once(tmp_path: Path) -> None:
    with peer(lambda wire: wire.receive()) as address:
        with pytest.raises(PeerGoneError, match="cannot be listened at"):
            DxpEngine.open(address, listen=True)
        DxpEngine.open(address).close()


def test_the_outcome_is_told_as_we_see_it() -> None:
    def script(wire: Wire) -> None:
        for expected in (b"E30", b"E10", b"E20", b"E00"):
            wire.expect(START)
            wire.send(ACCEPTS, b"M0001322800")
            wire.expect(expected)
            wire.send(b"E00")
        wire.receive()

    with peer(script) as address, DxpEngine.open(address) as engine:
        for outcome in (
            Outcome(Side.BLACK, Termination.TIME),
            Outcome(Side.WHITE, Termination.FORFEIT),
            Outcome(None, Termination.ADJUDICATION),
            None,
        ):
            game = new_game()
            game.push(engine.choose(game).move)
            engine.end_game(game, outcome)
