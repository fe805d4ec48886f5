"""Auto-save: when a game has a file, and when it has none."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tablemen import Game, Termination, saved_games
from tablemen.clock import GameClock, TimeControl
from tablemen.draughts import Position
from tablemen.mancala import Position as Pits
from tablemen.players import RobotPlayer, SearcherPlayer
from tablemen.saved_games import SavedGames, parse_saved_game
from tablemen.session import Session
from tests.saved_games.fixtures import files, played, table


def test_a_game_is_saved_after_every_move(saved: SavedGames) -> None:
    with table() as session:
        autosave = saved.autosave(session)
        assert (files(saved), autosave.is_saved) == ([], False)
        for number, move in enumerate(["11-15", "22-18", "15x22"], 1):
            session.move(move)
            assert autosave.is_saved
            assert len(parse_saved_game(autosave.path.read_text(encoding="utf-8"), autosave.path).game.moves) == number
        session.back()
        assert len(parse_saved_game(autosave.path.read_text(encoding="utf-8"), autosave.path).game.moves) == 2
        assert files(saved) == [".json", ".lock"]
    assert files(saved) == [".json"]


@pytest.mark.parametrize("leave", [Session.resign, lambda session: [session.back(), session.back()]])
def test_a_game_that_cannot_be_resumed_has_no_file(saved: SavedGames, leave: Callable[[Session], object]) -> None:
    session = table()
    saved.autosave(session)
    played(session, 2)
    leave(session)
    assert files(saved) == [".lock"]
    if session.game.outcome() is not None:
        session.back()
        assert files(saved) == [".json", ".lock"]
        session.resign()
    session.close()
    assert files(saved) == []


def test_a_game_remains_saved_when_another_begins(saved: SavedGames) -> None:
    time = [0.0]
    with table() as session:
        session.clock = GameClock(TimeControl(60), now=lambda: time[0])
        saved.autosave(session)
        session.resume()
        played(session, 2)
        time[0] += 7
        session.restart()
        assert files(saved) == [".json"]  # anybody can take it up
        played(session, 3)
        assert files(saved) == [".json", ".json", ".lock"]
        session.restart()
        session.restart()  # nobody would miss the one between
    assert sorted(len(game.game.moves) for game in saved.list()) == [2, 3]
    assert {tuple(game.used.values()) for game in saved.list()} == {(0.0, 7.0), (0.0, 0.0)}


def test_a_finished_game_is_not_saved_when_another_begins(saved: SavedGames) -> None:
    with table() as session:
        saved.autosave(session)
        played(session, 2)
        session.resign()
        session.restart()
    assert files(saved) == []


def test_a_game_is_saved_from_the_first_move_of_a_person(saved: SavedGames) -> None:
    with table(Position.start("international"), white=SearcherPlayer(nodes=10)) as session:
        autosave = saved.autosave(session)
        session.think()
        assert (session.has_begun, autosave.is_saved) == (False, False)
        session.move(str(session.game.legal_moves()[0]))
        assert (session.has_begun, autosave.is_saved) == (True, True)
        session.back()
        assert (session.has_begun, autosave.is_saved) == (False, False)
    assert files(saved) == []


def test_a_game_of_computers_is_saved_from_the_first_move(saved: SavedGames) -> None:
    with table(white=RobotPlayer(), black=RobotPlayer(), start=Pits.start("kalah")) as session:
        autosave = saved.autosave(session)
        assert (session.has_begun, autosave.is_saved) == (False, False)
        session.think()
        assert (session.has_begun, autosave.is_saved) == (True, True)


def test_a_game_that_has_begun_is_saved_at_once(saved: SavedGames) -> None:
    with table(Game(Position.start("english"), ["11-15"])) as session:
        assert saved.autosave(session).is_saved


def test_a_folder_that_cannot_be_created_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    saved = SavedGames(tmp_path / "file" / "games")
    with table() as session:
        autosave = saved.autosave(session)
        told = [autosave.problem]
        session.move("11-15")
        told.append(autosave.problem)
        assert all(re.fullmatch("the game cannot be saved: .*: Not a directory", str(each)) for each in told)
    assert saved.list() == []
    assert len(saved.problems) == 1


def test_a_user_without_a_home_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise OSError("no home")

    monkeypatch.setattr(saved_games, "data_folder", nowhere)
    saved = SavedGames()
    with table() as session:
        autosave = saved.autosave(session)
        session.move("11-15")
        assert autosave.problem == "the game cannot be saved: no home"
    assert (saved.list(), saved.problems) == ([], ("no home",))


def test_a_game_lost_on_time_is_not_saved(saved: SavedGames) -> None:
    session = table()
    time = [0.0]
    session.clock = GameClock(TimeControl(60), now=lambda: time[0])
    saved.autosave(session)
    session.move("11-15")
    time[0] += 60
    outcome = session.check_time()
    assert outcome is not None
    assert outcome.termination is Termination.TIME
    session.close()
    assert files(saved) == []
