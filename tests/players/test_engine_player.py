"""Engine players: opened on demand, reopened after a failure, and always closed."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tablemen import Game, mancala
from tablemen.draughts import Position
from tablemen.errors import PeerGoneError
from tablemen.players import KgpPlayer
from tests.fake_engines import FakeEngine, FakePlayer
from tests.timeouts import TIMEOUT

START = Position.start("international")


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + TIMEOUT
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_a_program_is_opened_once_and_gets_the_limit() -> None:
    game = Game(START)
    with FakePlayer(address="plays", time=2) as player:
        for _ in range(2):
            game.push(player.choose(game))
    assert player.calls == ["open", ("choose", 0, 2, None), ("choose", 1, 2, None), "close"]


def test_a_failed_program_is_reopened() -> None:
    player = FakePlayer(address="dies")
    for _ in range(2):
        with pytest.raises(PeerGoneError, match="status 3"):
            player.choose(Game(START))
    assert player.calls == ["open", ("choose", 0, None, None), "close"] * 2


def test_a_closed_player_stays_closed() -> None:
    player = FakePlayer(address="plays")
    player.choose(Game(START))
    player.close()
    for use in (player.choose, player.begin_game):
        with pytest.raises(PeerGoneError, match=r"^fake:plays is closed$"):
            use(Game(START))
    player.stop()
    player.end_game(Game(START), None)
    player.close()
    assert player.calls == ["open", ("choose", 0, None, None), "close"]


def test_a_player_has_the_name_that_its_program_reports() -> None:
    player = FakePlayer(address="named")
    assert (player.name, player.author) == ("fake:named", "")
    player.begin_game(Game(START))
    player.close()
    assert (player.name, player.author, str(player)) == ("Fake 1.0", "A. Nonymous", "fake:named")


def test_a_label_replaces_the_name_of_the_program() -> None:
    with FakePlayer(address="named", label="Mine, too") as player:
        player.begin_game(Game(START))
        assert (player.name, player.author) == ("Mine, too", "")
        assert str(player) == 'fake:named,name="Mine, too"'


def test_an_open_program_is_prepared_for_the_next_game(monkeypatch: pytest.MonkeyPatch) -> None:
    def begin(engine: FakeEngine, game: Game[Any, Any]) -> None:
        engine.calls.append(("begin", game.position.variant.name))
        if game.position.variant.name == "english":
            raise PeerGoneError("a fake", "exited after its last game")

    monkeypatch.setattr(FakeEngine, "begin_game", begin)
    player = FakePlayer(address="plays")
    for variant in ("international", "frisian", "english"):
        player.begin_game(Game(Position.start(variant)))
    assert player.calls == ["open", ("begin", "frisian"), ("begin", "english"), "close", "open"]


def test_a_program_closed_during_begin_game_is_not_reopened(monkeypatch: pytest.MonkeyPatch) -> None:
    player = FakePlayer(address="plays")

    def begin(_engine: FakeEngine, _game: Game[Any, Any]) -> None:
        player.close()
        raise PeerGoneError("a fake", "was closed meanwhile")

    monkeypatch.setattr(FakeEngine, "begin_game", begin)
    player.begin_game(Game(START))
    with pytest.raises(PeerGoneError, match="was closed meanwhile"):
        player.begin_game(Game(START))
    assert player.calls == ["open", "close"]


def test_end_game_waits_for_the_current_move() -> None:
    player = FakePlayer(address="waits")
    with ThreadPoolExecutor() as threads:
        chosen = threads.submit(player.choose, Game(START))
        wait_for(lambda: len(player.calls) == 2)
        ended = threads.submit(player.end_game, Game(START), None)
        player.stop()
        assert str(chosen.result(TIMEOUT)) == "31-27"
        ended.result(TIMEOUT)
    assert player.calls[2:] == ["stop", ("end", 0, None)]


def test_close_during_the_opening_closes_the_program() -> None:
    player = FakePlayer(address="late")
    with ThreadPoolExecutor() as threads:
        chosen = threads.submit(player.choose, Game(START))
        wait_for(lambda: player.calls == ["open"])
        player.close()
        player.may_begin.set()
        with pytest.raises(PeerGoneError) as caught:
            chosen.result(TIMEOUT)
    assert caught.value.peer == "fake:late"
    assert player.calls == ["open", "close"]


def test_an_interrupt_during_the_start_closes_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(_engine: FakeEngine) -> FakeEngine:
        raise KeyboardInterrupt

    monkeypatch.setattr(FakeEngine, "start", start)
    player = FakePlayer(address="plays")
    with pytest.raises(KeyboardInterrupt):
        player.begin_game(Game(START))
    assert player.calls == ["open", "close"]
    assert player._starting is player._engine is None


def test_close_cancels_the_wait_for_a_connection() -> None:
    player = KgpPlayer(address="127.0.0.1:0")
    game = Game(mancala.Position.start("kgp"))
    with ThreadPoolExecutor() as threads:
        chosen = threads.submit(player.choose, game)
        wait_for(lambda: player._starting is not None)
        player.end_game(game, None)  # there is no program to notify
        player.close()
        with pytest.raises(PeerGoneError) as caught:
            chosen.result(TIMEOUT / 2)  # before the timeout of the engine
    assert caught.value.peer == "kgp:127.0.0.1:0"
    assert player._starting is player._engine is None


def test_stop_during_the_opening_shortens_the_first_move() -> None:
    player = FakePlayer(address="late", time=20)
    with ThreadPoolExecutor() as threads:
        chosen = threads.submit(player.choose, Game(START))
        wait_for(lambda: player.calls == ["open"])
        player.stop()
        player.may_begin.set()
        chosen.result(TIMEOUT)
    assert player.calls[1] == ("choose", 0, 0.05, None)
