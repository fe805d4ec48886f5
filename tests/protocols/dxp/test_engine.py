"""Programs at the other end of real sockets as engines: those that play, and those that do not."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

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
from tests.patience import LONG
from tests.protocols.dxp.peers import ACCEPTS, Wire, flood, leave, peer, say, script

UNACCEPTED, UNMOVED = Patience(accepting=0.05), Patience(moving=0.05)  # for those who will not
NAME = b"tablemen" + b" " * 24
START = b"R01" + NAME + b"W005000A"
BEGINS = b"<" + START, b">" + ACCEPTS  # a game is asked for and accepted


def new_game() -> Game[Position, Move]:
    return Game(Position.start("international"))


def test_a_program_plays_the_side_to_move() -> None:
    talk = script(*BEGINS, b">M0001322800", b"<M0000192300", b">Chm", b">M009928190123", b"<")
    game = new_game()
    with peer(talk) as address, Engine.open("dxp", address) as engine:
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
    position = b"z" * 20 + b"e" * 7 + b"w" + b"ee" + b"w" + b"e" + b"w" * 18
    talk = script(b"<R01" + NAME + b"Z010040BZ" + position, b">" + ACCEPTS, b">M0001192300", b"<")
    game = Game(Position.start("international"), ["32-28"])
    with peer(talk) as address, DxpEngine.open(address, minutes=10, moves=40) as engine:
        assert str(engine.choose(game).move) == "19-23"


@pytest.mark.parametrize(("clock", "minutes"), [(None, b"005"), (Clock(1200.0), b"020"), (Clock(3.0, 1.0), b"001")])
def test_a_clock_is_told_in_minutes(clock: Clock | None, minutes: bytes) -> None:
    talk = script(b"<R01" + NAME + b"W" + minutes + b"000A", b">" + ACCEPTS, b">M0001322800", b"<")
    with peer(talk) as address, DxpEngine.open(address) as engine:
        assert str(engine.choose(new_game(), clock=clock).move) == "32-28"


def test_who_asks_while_another_waits_comes_after_it() -> None:
    def talk(wire: Wire) -> None:
        assert {wire.receive(), wire.receive()} == {START, b"Chello"}
        wire.send(ACCEPTS)
        time.sleep(0.05)  # for the other to come in between, if it could
        wire.send(b"M0001322800")
        wire.expect(b"E00")
        wire.send(b"E00")
        wire.expect(START)
        wire.send(ACCEPTS, b"M0001312700")
        wire.receive()

    with peer(talk) as address, DxpEngine.open(address) as engine, ThreadPoolExecutor() as threads:
        asked = [threads.submit(engine.choose, new_game()) for _ in range(2)]
        engine.say("hello")  # which may be said at any time
        moves = [str(each.result(LONG).move) for each in asked]
    assert sorted(moves) == ["31-27", "32-28"]


def test_games_follow_each_other_and_each_end_is_told() -> None:
    talk = script(
        *(*BEGINS, b">M0001322800", b"<E10", b">E00"),
        *(*BEGINS, b">E10", b"<E00"),
        *(*BEGINS, b">M0001322800", b"<E00", b">E00", b"<"),
    )
    with peer(talk) as address, DxpEngine.open(address) as engine:
        game = new_game()
        game.push(engine.choose(game).move)
        engine.end_game(game, game.resign(Side.BLACK))
        assert engine.choose(new_game()).move is None  # it gives up
        engine.end_game(new_game(), None)
        assert str(engine.choose(new_game()).move) == "32-28"
        engine.end_game(new_game(), None)


def test_the_outcome_is_told_as_we_see_it() -> None:
    outcomes = {
        b"<E30": Outcome(Side.BLACK, Termination.TIME),
        b"<E10": Outcome(Side.WHITE, Termination.FORFEIT),
        b"<E20": Outcome(None, Termination.ADJUDICATION),
        b"<E00": None,
    }
    games = [line for told in outcomes for line in (*BEGINS, b">M0001322800", told, b">E00")]
    with peer(script(*games, b"<")) as address, DxpEngine.open(address) as engine:
        for outcome in outcomes.values():
            game = new_game()
            game.push(engine.choose(game).move)
            engine.end_game(game, outcome)


def test_a_game_that_goes_another_way_is_begun_anew() -> None:
    talk = script(*BEGINS, b">M0001322800", b"<E00", b">E00", *BEGINS, b">M0001332900", b"<")
    with peer(talk) as address, DxpEngine.open(address) as engine:
        game = new_game()
        game.push(engine.choose(game).move)
        game.pop()
        assert str(engine.choose(game).move) == "33-29"


@pytest.mark.parametrize(
    "end",
    [
        pytest.param([b">E10", b"<E00", b"<"], id="it gives up"),
        pytest.param([b">M0000010600", b"<E30", b">E01", b"<"], id="it plays on, and is told of the end"),
    ],
)
def test_the_last_move_is_sent_before_the_end(end: list[bytes]) -> None:
    request = b"R01" + NAME + b"Z005000BZ" + b"e" * 17 + b"z" + b"e" * 9 + b"w" + b"e" * 22
    talk = script(b"<" + request, b">" + ACCEPTS, b">M0001182300", b"<M000028190123", *end)
    with peer(talk) as address, DxpEngine.open(address) as engine:
        game = Game(Position.from_fen("B:W28:B18", "international"))
        game.push(engine.choose(game).move)
        game.push("28x19")
        engine.end_game(game, game.outcome())


def test_who_does_not_confirm_an_end_is_connected_to_anew() -> None:
    first = script(*BEGINS, b">M0001322800", b"<E20", b"<")
    second = script(*BEGINS, b">M0001332900", b"<")
    patience = Patience(ending=0.05)
    with peer(first, second) as address, DxpEngine.open(address, patience=patience) as engine:
        game = new_game()
        game.push(engine.choose(game).move)
        engine.end_game(game, game.agree_draw())
        assert str(engine.choose(new_game()).move) == "33-29"


@pytest.mark.parametrize("game", [[b">M0001322800", b"<E00", b">E01"], [b">E10", b"<E00"]])
def test_who_leaves_after_a_game_is_connected_to_anew(game: list[bytes]) -> None:
    first, second = script(*BEGINS, *game), script(*BEGINS, b">M0001332900", b"<")
    with peer(first, second) as address, DxpEngine.open(address) as engine:
        engine.choose(new_game())
        engine.end_game(new_game(), None)
        assert str(engine.choose(new_game()).move) == "33-29"


def test_a_takeback_is_not_supported_in_games_that_others_keep() -> None:
    talk = script(*BEGINS, b">B001W", b"<K1", b">M0001322800", b"<")
    with peer(talk) as address, DxpEngine.open(address) as engine:
        assert str(engine.choose(new_game()).move) == "32-28"


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
    talk, expected, problem = BAD[kind]
    patience = {"silent": UNACCEPTED, "hanging": UNMOVED, "chatting": UNMOVED}.get(kind)
    game = new_game()
    threads = threading.active_count()
    with peer(talk) as address:
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

    def talk(wire: Wire) -> None:
        wire.receive()
        wire.send(ACCEPTS, b"B001W")
        wire.expect(b"K1")
        thinking.set()
        assert wire.receive() is None

    with peer(talk) as address:
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

    def talk(wire: Wire) -> None:
        wire.receive()
        wire.send(ACCEPTS)
        thinking.set()
        assert wire.receive() is None

    with peer(talk) as address:
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
