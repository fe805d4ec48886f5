"""Players between games: who stays, who goes, and who is made anew."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from pathlib import Path

import pytest

from tablemen import TablemenError
from tablemen.match.player_pool import PlayerPool
from tests.players_for_tests import Counting, First, Lasting


def test_who_lasts_keeps_its_seat(tmp_path: Path) -> None:
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


def test_who_is_dismissed_is_made_anew(tmp_path: Path) -> None:
    file = tmp_path / "lasting"
    with PlayerPool() as pool:
        with pool.acquire([lambda: Lasting(file), First]) as seated:
            pool.discard(seated[0])
            assert not file.exists()
        assert file.read_text().split() == ["closed"]
        with pool.acquire([lambda: Lasting(file), First]):
            pass
    assert file.read_text().split() == ["closed"] * 2


def test_after_an_error_nobody_stays(tmp_path: Path) -> None:
    file = tmp_path / "lasting"
    pool = PlayerPool()
    with pytest.raises(KeyboardInterrupt), pool.acquire([lambda: Lasting(file), lambda: Lasting(file)]):
        raise KeyboardInterrupt
    assert file.read_text().split() == ["closed", "closed"]
    pool.close()
    assert file.read_text().count("closed") == 2


def test_who_cannot_be_made_leaves_nobody_behind(tmp_path: Path) -> None:
    file = tmp_path / "lasting"

    def fail() -> First:
        raise RuntimeError("nobody")

    with pytest.raises(RuntimeError), PlayerPool().acquire([lambda: Lasting(file), fail]):
        pass
    assert file.read_text().split() == ["closed"]


def test_nobody_sits_down_after_the_end() -> None:
    pool = PlayerPool()
    pool.close()
    with pytest.raises(TablemenError, match="the match is over"), pool.acquire([First, First]):
        pass


def test_whatever_a_player_does_when_it_is_closed() -> None:
    class Clinging(First):
        lasts = True

        def close(self) -> None:
            raise RuntimeError("no")

    with PlayerPool() as pool, pool.acquire([Clinging, Clinging]) as seated:
        pool.discard(seated[0])


def test_players_are_closed_while_they_play(tmp_path: Path) -> None:
    """Closing waits for the game to notice: a program that is just being started must not be forgotten."""
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


def test_who_is_opened_again_while_it_is_closed_does_not_stay_open() -> None:
    """A game asks a program for its next move, which starts it anew, and then ends."""
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
