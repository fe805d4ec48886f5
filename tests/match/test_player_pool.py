"""The pool of players, which reuses, closes or replaces players between games."""

from __future__ import annotations

import time
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


def test_close_during_a_game_closes_players_without_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: float) -> None:
        raise AssertionError("the pool waits")

    file = tmp_path / "events"
    pool = PlayerPool()
    with pool.acquire([lambda: Reusable(file), First]):
        monkeypatch.setattr(time, "sleep", lambda seconds: None if seconds == 0 else fail(seconds))
        pool.close()
        assert file.read_text().split() == ["closed"]


def test_a_player_created_during_close_is_closed(tmp_path: Path) -> None:
    file = tmp_path / "events"
    pool = PlayerPool()

    def create() -> Reusable:
        pool.close()  # as another thread may do
        return Reusable(file)

    with pytest.raises(TablemenError), pool.acquire([create, First]):
        pass
    assert "closed" in file.read_text()
