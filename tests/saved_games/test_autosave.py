"""Auto-save: the file of a game, and when a game has none."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tablemen import Game, Termination, saved_games
from tablemen.clock import GameClock, TimeControl
from tablemen.draughts import Position
from tablemen.draughts.pdn import read_pdn
from tablemen.mancala import Position as Pits
from tablemen.players import RobotPlayer, SearcherPlayer
from tablemen.saved_games import SavedGames, parse_saved_game
from tablemen.session import Session
from tests.saved_games.fixtures import make_session, play_random_moves, suffixes


def test_a_game_is_saved_after_every_move(saved: SavedGames) -> None:
    with make_session() as session:
        autosave = saved.autosave(session)
        assert (suffixes(saved), autosave.is_saved) == ([], False)
        for number, move in enumerate(["11-15", "22-18", "15x22"], 1):
            session.move(move)
            assert autosave.is_saved
            assert len(parse_saved_game(autosave.path.read_text(encoding="utf-8"), autosave.path).game.moves) == number
        session.back()
        assert len(parse_saved_game(autosave.path.read_text(encoding="utf-8"), autosave.path).game.moves) == 2
        assert suffixes(saved) == [".json", ".lock"]
    assert suffixes(saved) == [".json"]


@pytest.mark.parametrize("leave", [Session.resign, lambda session: [session.back(), session.back()]])
def test_a_game_that_cannot_be_resumed_has_no_file(saved: SavedGames, leave: Callable[[Session], object]) -> None:
    session = make_session()
    saved.autosave(session)
    play_random_moves(session, 2)
    leave(session)
    assert suffixes(saved) == [".lock"]
    if session.game.outcome() is not None:
        session.back()
        assert suffixes(saved) == [".json", ".lock"]
        session.resign()
    session.close()
    assert suffixes(saved) == []


def test_a_game_remains_saved_when_another_begins(saved: SavedGames) -> None:
    time = [0.0]
    with make_session() as session:
        session.clock = GameClock(TimeControl(60), now=lambda: time[0])
        saved.autosave(session)
        session.resume()
        play_random_moves(session, 2)
        time[0] += 7
        session.restart()
        assert suffixes(saved) == [".json"]  # not locked any more
        play_random_moves(session, 3)
        assert suffixes(saved) == [".json", ".json", ".lock"]
        session.restart()
        session.restart()  # the game between has no moves, and is not saved
    assert sorted(len(game.game.moves) for game in saved.list()) == [2, 3]
    assert {tuple(game.used.values()) for game in saved.list()} == {(0.0, 7.0), (0.0, 0.0)}


def test_a_finished_game_is_kept_in_a_game_file(saved: SavedGames) -> None:
    moves = []
    with make_session() as session:
        for length in (2, 4):
            autosave = saved.autosave(session)
            play_random_moves(session, length, seed=length)
            session.resign()
            assert autosave.finished_file == saved.folder / "finished" / "english.pdn"
            moves.append(session.game.moves)
            session.flip()  # saves the session again
            session.restart()
    assert suffixes(saved) == []
    kept = list(read_pdn(saved.folder / "finished" / "english.pdn"))
    assert [game.moves for game in kept] == moves
    assert {game.tags["Termination"] for game in kept} == {"resignation"}


def test_a_finished_game_from_a_file_is_not_kept_again(saved: SavedGames) -> None:
    with make_session(Position.from_fen("W:W22:B18", "english")) as session:
        autosave = saved.autosave(session)
        session.move("22x15")
        assert autosave.finished_file is not None
        file = autosave.finished_file
        session.restart()
        session.load(file)
        session.flip()
        assert session.game.outcome() is not None
        assert len(list(read_pdn(file))) == 1


def test_a_finished_game_that_cannot_be_kept_is_a_problem(saved: SavedGames) -> None:
    saved.folder.mkdir(parents=True)
    (saved.folder / "finished").touch()
    session = make_session()
    autosave = saved.autosave(session)
    play_random_moves(session, 2)
    session.resign()
    assert str(saved.folder / "finished") in str(autosave.problem)
    assert autosave.finished_file is None
    assert autosave.path.exists()  # the last position before the end


def test_a_game_is_saved_from_the_first_move_of_a_person(saved: SavedGames) -> None:
    with make_session(Position.start("international"), white=SearcherPlayer(nodes=10)) as session:
        autosave = saved.autosave(session)
        session.think()
        assert (session.has_begun, autosave.is_saved) == (False, False)
        session.move(str(session.game.legal_moves()[0]))
        assert (session.has_begun, autosave.is_saved) == (True, True)
        session.back()
        assert (session.has_begun, autosave.is_saved) == (False, False)
    assert suffixes(saved) == []


def test_a_game_of_computers_is_saved_from_the_first_move(saved: SavedGames) -> None:
    with make_session(white=RobotPlayer(), black=RobotPlayer(), start=Pits.start("kalah")) as session:
        autosave = saved.autosave(session)
        assert (session.has_begun, autosave.is_saved) == (False, False)
        session.think()
        assert (session.has_begun, autosave.is_saved) == (True, True)


def test_a_game_that_has_begun_is_saved_at_once(saved: SavedGames) -> None:
    with make_session(Game(Position.start("english"), ["11-15"])) as session:
        assert saved.autosave(session).is_saved


def test_a_folder_that_cannot_be_created_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    saved = SavedGames(tmp_path / "file" / "games")
    with make_session() as session:
        autosave = saved.autosave(session)
        problems = [autosave.problem]
        session.move("11-15")
        problems.append(autosave.problem)
        assert all(str(tmp_path / "file") in str(problem) for problem in problems)
        assert all(os.strerror(errno.ENOTDIR) in str(problem) for problem in problems)
    assert saved.list() == []
    assert saved.problem is not None


def test_a_user_without_a_home_folder_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> Path:
        raise OSError("no home")

    monkeypatch.setattr(saved_games, "data_folder", fail)
    saved = SavedGames()
    with make_session() as session:
        autosave = saved.autosave(session)
        session.move("11-15")
        assert "no home" in str(autosave.problem)
    assert (saved.list(), saved.problem) == ([], "no home")


def test_a_game_lost_on_time_is_not_saved(saved: SavedGames) -> None:
    session = make_session()
    time = [0.0]
    session.clock = GameClock(TimeControl(60), now=lambda: time[0])
    saved.autosave(session)
    session.move("11-15")
    time[0] += 60
    outcome = session.check_time()
    assert outcome is not None
    assert outcome.termination is Termination.TIME
    session.close()
    assert suffixes(saved) == []
