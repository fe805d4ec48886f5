"""Players that are reused, closed or replaced between games."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from pathlib import Path

import pytest

from tablemen import TablemenError
from tablemen.match.workers import PlayerPool
from tests.fake_players import Counting, First, Lasting


def test_a_player_that_lasts_is_reused(tmp_path: Path) -> None:
    lasting, counting = tmp_path / "lasting", tmp_path / "counting"
    makers = [lambda: Lasting(lasting), lambda: Counting(counting)]
    with PlayerPool() as pool:
        with pool.acquire(makers) as before:
            pass
        with pool.acquire(makers) as after:
            assert after[0] is before[0]
            assert after[1] is not before[1]
        assert not lasting.exists()
        assert counting.read_text().split() == ["closed"] * 2
    assert lasting.read_text().split() == ["closed"]


def test_a_discarded_player_is_replaced(tmp_path: Path) -> None:
    file = tmp_path / "lasting"
    with PlayerPool() as pool:
        with pool.acquire([lambda: Lasting(file), First]) as seated:
            pool.discard(seated[0])
            assert not file.exists()
        assert file.read_text().split() == ["closed"]
        with pool.acquire([lambda: Lasting(file), First]):
            pass
    assert file.read_text().split() == ["closed"] * 2


def test_after_an_error_all_players_are_closed(tmp_path: Path) -> None:
    file = tmp_path / "lasting"
    pool = PlayerPool()
    with pytest.raises(KeyboardInterrupt), pool.acquire([lambda: Lasting(file), lambda: Lasting(file)]):
        raise KeyboardInterrupt
    assert file.read_text().split() == ["closed", "closed"]
    pool.close()
    assert file.read_text().count("closed") == 2


def test_a_factory_that_fails_closes_the_other_player(tmp_path: Path) -> None:
    file = tmp_path / "lasting"

    def fail() -> First:
        raise RuntimeError("nobody")

    with pytest.raises(RuntimeError), PlayerPool().acquire([lambda: Lasting(file), fail]):
        pass
    assert file.read_text().split() == ["closed"]


def test_a_closed_pool_provides_no_players() -> None:
    pool = PlayerPool()
    pool.close()
    with pytest.raises(TablemenError, match="the match is over"), pool.acquire([First, First]):
        pass


def test_errors_on_closing_are_ignored() -> None:
    class Clinging(First):
        lasts = True

        def close(self) -> None:
            raise RuntimeError("no")

    with PlayerPool() as pool, pool.acquire([Clinging, Clinging]) as seated:
        pool.discard(seated[0])


def test_players_are_closed_during_a_game(tmp_path: Path) -> None:
    """Closing waits for the end of the game, because an engine may just be starting."""
    file = tmp_path / "lasting"
    file.touch()
    pool = PlayerPool()
    with pool.acquire([lambda: Lasting(file), First]):
        closing = threading.Thread(target=pool.close)
        closing.start()
        while "closed" not in file.read_text():
            pass
        is_waiting = closing.is_alive()
    closing.join()
    assert is_waiting


def test_a_player_reopened_while_closing_is_closed_again() -> None:
    """A game that asks an engine for its next move restarts it, and then ends."""
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
