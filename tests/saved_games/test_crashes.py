"""A crash while a game is written leaves the old file or the new one."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys

import pytest

from tablemen.saved_games import SavedGames, parse_saved_game
from tests.saved_games.fixtures import make_session, only_game, suffixes
from tests.timeouts import TIMEOUT

KILLED = """
import os, pathlib, signal, sys
from tablemen.saved_games import SavedGames

def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)

def half_written(path, mode):
    with real_open(path, mode) as file:
        file.write(b'{"version": 1, "variant": "eng')
    die()

def replaced(path, target):
    real_replace(path, target)
    die()

folder, when = sys.argv[1:]
saved = SavedGames(folder)
(game,) = saved.list()
session = saved.resume(game)
real_open, real_replace = pathlib.Path.open, pathlib.Path.replace
places = {
    "half written": (pathlib.Path, "open", half_written),
    "not synced": (os, "fsync", die),
    "not renamed": (pathlib.Path, "replace", die),
    "renamed": (pathlib.Path, "replace", replaced),
}
setattr(*places[when])
session.move("22-18")
print("not reached")
"""


@pytest.mark.parametrize(
    ("when", "moves"), [("half written", 1), ("not synced", 1), ("not renamed", 1), ("renamed", 2)]
)
def test_a_process_killed_while_writing_leaves_the_old_or_the_new_game(
    saved: SavedGames, when: str, moves: int
) -> None:
    with make_session() as session:
        saved.autosave(session)
        session.move("11-15")
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(saved.folder), when], capture_output=True, timeout=TIMEOUT, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGKILL, b"", b"")
    with saved.resume(only_game(saved)) as session:
        assert [str(move) for move in session.game.moves] == ["11-15", "22-18"][:moves]
        session.move("22-17" if moves == 1 else "15x22")
    assert len(only_game(saved).game.moves) == moves + 1
    assert suffixes(saved) == [".json"]


@pytest.mark.parametrize("place", ["os.fsync", "pathlib.Path.replace"])
def test_a_full_disk_does_not_stop_the_game(saved: SavedGames, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    session = make_session()
    autosave = saved.autosave(session)
    session.move("11-15")

    def is_full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(place, is_full)
        session.move("22-18")
        assert autosave.problem is not None
        assert f"{autosave.path}: No space left on device" in autosave.problem
        assert autosave.is_saved is False
        assert suffixes(saved) == [".json", ".lock"]
    assert len(parse_saved_game(autosave.path.read_text(encoding="utf-8"), autosave.path).game.moves) == 1
    session.move("15x22")
    session.close()
    assert len(only_game(saved).game.moves) == 3


def test_an_interrupt_while_writing_loses_nothing(saved: SavedGames, monkeypatch: pytest.MonkeyPatch) -> None:
    session = make_session()
    saved.autosave(session)
    session.move("11-15")

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with session:
        with monkeypatch.context() as pressed:
            pressed.setattr(os, "fsync", interrupt)
            with pytest.raises(KeyboardInterrupt):
                session.move("22-18")
        assert len(session.game.moves) == 2
    assert len(only_game(saved).game.moves) == 2
    assert suffixes(saved) == [".json"]
