"""The pool of players, which reuses, closes or replaces players between games."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from pathlib import Path

import pytest

from tablemen import TablemenError
from tablemen.match.workers import PlayerPool
from tests.fake_players import Counting, First, Reusable


def test_a_reusable_player_is_reused(tmp_path: Path) -> None:
    reusable, counting = tmp_path / "reusable", tmp_path / "counting"
    factories = [lambda: Reusable(reusable), lambda: Counting(counting)]
    with PlayerPool() as pool:
        with pool.acquire(factories) as before:
            pass
        with pool.acquire(factories) as after:
            assert after[0] is before[0]
            assert after[1] is not before[1]
        assert not reusable.exists()
        assert counting.read_text().split() == ["closed"] * 2
    assert reusable.read_text().split() == ["closed"]


def test_a_discarded_player_is_replaced(tmp_path: Path) -> None:
    file = tmp_path / "events"
    with PlayerPool() as pool:
        with pool.acquire([lambda: Reusable(file), First]) as players:
            pool.discard(players[0])
            assert not file.exists()
        assert file.read_text().split() == ["closed"]
        with pool.acquire([lambda: Reusable(file), First]):
            pass
    assert file.read_text().split() == ["closed"] * 2


def test_an_error_closes_all_players(tmp_path: Path) -> None:
    file = tmp_path / "events"
    pool = PlayerPool()
    with pytest.raises(KeyboardInterrupt), pool.acquire([lambda: Reusable(file), lambda: Reusable(file)]):
        raise KeyboardInterrupt
    assert file.read_text().split() == ["closed", "closed"]
    pool.close()
    assert file.read_text().count("closed") == 2


def test_an_error_of_a_factory_closes_the_other_player(tmp_path: Path) -> None:
    file = tmp_path / "events"

    def fail() -> First:
        raise RuntimeError("no player")

    with pytest.raises(RuntimeError), PlayerPool().acquire([lambda: Reusable(file), fail]):
        pass
    assert file.read_text().split() == ["closed"]


def test_a_closed_pool_provides_no_players() -> None:
    pool = PlayerPool()
    pool.close()
    with pytest.raises(TablemenError), pool.acquire([First, First]):
        pass


def test_errors_on_closing_are_ignored() -> None:
    class FailingToClose(First):
        lasts = True

        def close(self) -> None:
            raise RuntimeError("cannot close")

    with PlayerPool() as pool, pool.acquire([FailingToClose, FailingToClose]) as players:
        pool.discard(players[0])


def test_close_during_a_game_closes_players_and_waits_for_its_end(tmp_path: Path) -> None:
    file = tmp_path / "events"
    file.touch()
    pool = PlayerPool()
    with pool.acquire([lambda: Reusable(file), First]):
        closing = threading.Thread(target=pool.close)
        closing.start()
        while "closed" not in file.read_text():
            pass
        is_waiting = closing.is_alive()
    closing.join()
    assert is_waiting


def test_a_player_reopened_during_close_is_closed_again() -> None:
    game = ExitStack()

    class Reopening(First):
        lasts = True
        is_open = True

        def close(self) -> None:
            self.is_open = False
            if pool._is_playing:
                self.is_open = True
                game.close()

    pool = PlayerPool()
    (player,) = game.enter_context(pool.acquire([Reopening]))
    pool.close()
    assert isinstance(player, Reopening)
    assert not player.is_open
