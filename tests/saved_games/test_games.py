"""The saved games of a folder, and their locks."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from tablemen import TablemenError, saved_games
from tablemen.draughts import ENGLISH
from tablemen.family import get_family
from tablemen.mancala import KALAH
from tablemen.saved_games import GONE, IN_USE, SavedGames
from tests.saved_games.fixtures import NOON, make_session, only_game, play_random_moves, suffixes
from tests.timeouts import ended_when_late


def later(microseconds: int) -> datetime:
    return NOON + timedelta(microseconds=microseconds)


def test_the_last_saved_game_is_listed_first(saved: SavedGames, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, rules in enumerate((KALAH, ENGLISH, KALAH)):
        monkeypatch.setattr(saved_games, "now", partial(later, number))
        with make_session(get_family(rules).start(rules)) as session:
            saved.autosave(session)
            play_random_moves(session, 1)
    assert [game.saved_at.microsecond for game in saved.list()] == [2, 1, 0]
    assert [game.rules.name for game in saved.list()] == ["kalah", "english", "kalah"]
    assert [game.rules for game in saved.list(ENGLISH)] == [ENGLISH]
    assert saved.list(replace(KALAH, houses=3)) == []


def test_a_game_in_play_is_not_listed(saved: SavedGames) -> None:
    with make_session() as session:
        saved.autosave(session)
        play_random_moves(session, 1)
        assert saved.list() == []
    game = only_game(saved)
    with saved.resume(game):
        assert SavedGames(saved.folder).list() == []
        for action in (saved.resume, saved.remove):
            with pytest.raises(TablemenError, match=f"^{IN_USE}$"):
                action(game)
    assert only_game(saved).game == game.game


def test_a_game_finished_by_another_process_cannot_be_resumed(saved: SavedGames) -> None:
    with make_session() as session:
        saved.autosave(session)
        play_random_moves(session, 1)
    game = only_game(saved)
    saved.remove(game)
    assert suffixes(saved) == []
    with pytest.raises(TablemenError, match=f"^{GONE}$"):
        saved.resume(game)
    saved.folder.rmdir()
    with pytest.raises(TablemenError, match=f"^{GONE}$"):
        saved.resume(game)


def test_a_game_is_resumed_in_its_last_saved_state(saved: SavedGames) -> None:
    with make_session() as session:
        saved.autosave(session)
        play_random_moves(session, 1)
    game = only_game(saved)
    with saved.resume(game) as session:
        play_random_moves(session, 5)
    with saved.resume(game) as session:
        assert len(session.game.moves) == 5


OTHER = """
import sys
from tablemen.saved_games import SavedGames
saved = SavedGames(sys.argv[1])
print(len(saved.list()), flush=True)
held = [saved.resume(game) for game in saved.list()]
print(*[len(session.game.moves) for session in held], flush=True)
sys.stdin.read()
"""


def test_a_lock_ends_with_its_process(saved: SavedGames) -> None:
    with make_session() as session:
        saved.autosave(session)
        play_random_moves(session, 3)
        with other_process(saved) as lines:
            assert lines == ["0", ""]
    with other_process(saved) as lines:
        assert lines == ["1", "3"]
        assert saved.list() == []
    assert len(only_game(saved).game.moves) == 3
    with saved.resume(only_game(saved)):
        assert suffixes(saved) == [".json", ".lock"]
    assert suffixes(saved) == [".json"]


def test_stale_files_are_removed_when_games_are_listed(saved: SavedGames) -> None:
    """Locks and temporary files of killed processes go; those of running ones and of other programs stay."""
    for count in (2, 3):
        with make_session() as session:
            saved.autosave(session)
            play_random_moves(session, count)
    foreign = {"poetry.lock", "draft.new", "english-0123.lock"}
    for name in (*foreign, "english-0123456789abcdef.new", "kalah-fedcba9876543210.lock"):
        (saved.folder / name).touch()
    with other_process(saved) as lines:
        assert lines == ["2", "3 2"]
        playing = {path.name for path in saved.folder.iterdir()}
        assert sum(name.endswith(".lock") for name in playing - foreign) == 2
        for path in saved.folder.glob("english*.json"):
            path.with_suffix(".new").touch()  # as if the process were writing
        assert saved.list() == []
        assert {path.name for path in saved.folder.iterdir()} == playing | {
            path.with_suffix(".new").name for path in saved.folder.glob("english*.json")
        }
    assert len(saved.list()) == 2  # the process was killed
    assert {path.name for path in saved.folder.iterdir() if path.suffix != ".json"} == foreign


@contextmanager
def other_process(saved: SavedGames) -> Iterator[list[str]]:
    """Start a process that resumes every game, and yield its output; kill it at the end."""
    command = [sys.executable, "-c", OTHER, str(saved.folder)]
    with (
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process,
        ended_when_late(process),
    ):
        assert process.stdout is not None
        yield [process.stdout.readline().strip() for _ in range(2)]


def test_the_default_folder_is_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TABLEMEN_DATA", str(tmp_path))
    assert SavedGames().folder == tmp_path / "games"


def test_a_binary_file_is_reported(saved: SavedGames) -> None:
    saved.folder.mkdir(parents=True)
    (saved.folder / "bad.json").write_bytes(b"\xff")
    (saved.folder / "folder.json").mkdir()
    (saved.folder / "notes.txt").touch()
    assert saved.list() == []
    assert len(saved.problems) == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_named_pipes_do_not_block(saved: SavedGames) -> None:
    with make_session() as session:
        saved.autosave(session)
        session.move("11-15")
    os.mkfifo(saved.folder / "pipe.json")
    os.mkfifo(only_path(saved).with_suffix(".lock"))
    assert len(saved.list()) == 1
    (problem,) = saved.problems
    assert problem.startswith(f"{saved.folder / 'pipe.json'}: ")


def only_path(saved: SavedGames) -> Path:
    return next(path for path in saved.folder.glob("english*.json"))


def test_a_game_with_an_unknown_player_cannot_be_resumed(saved: SavedGames) -> None:
    with make_session() as session:
        saved.autosave(session)
        session.move("11-15")
    path = only_game(saved).path
    path.write_text(path.read_text(encoding="utf-8").replace('"black": "human"', '"black": "alien"'), encoding="utf-8")
    for _ in range(2):
        with pytest.raises(TablemenError, match="'alien'"):
            saved.resume(only_game(saved))
    assert suffixes(saved) == [".json"]
