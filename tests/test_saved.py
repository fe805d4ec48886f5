"""Games in progress in files: they come back whole, after any crash, to one process at a time."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tablemen import Game, Side, TablemenError, Termination
from tablemen.clock import GameClock, TimeControl
from tablemen.draughts import ENGLISH, Position
from tablemen.families import FAMILIES, family_of
from tablemen.mancala import KALAH
from tablemen.mancala import Position as Pits
from tablemen.players import HumanPlayer, Player, RobotPlayer, SearcherPlayer, parse_player
from tablemen.saved import SavedGame, SavedGames, games
from tablemen.saved import keeper as keeping
from tablemen.saved.text import format_saved, parse_saved
from tablemen.session import Session
from tests.patience import LONG, ended_when_late
from tests.players_for_tests import First

ALL = [rules for family in FAMILIES for rules in family.variants.values()]
WHITE, BLACK = Side
NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
def saved(tmp_path: Path) -> SavedGames:
    return SavedGames(tmp_path / "deep" / "games")


def table(start: Any = None, white: Player | None = None, black: Player | None = None) -> Session:
    players = {WHITE: white or HumanPlayer(), BLACK: black or HumanPlayer()}
    return Session(Position.start("english") if start is None else start, players)


def files(saved: SavedGames) -> list[str]:
    return sorted(path.suffix for path in saved.folder.iterdir()) if saved.folder.exists() else []


def played(session: Session, plies: int, seed: int = 1) -> Session:
    random = Random(seed)
    while len(session.game.moves) < plies and session.game.outcome() is None:
        session.move(str(random.choice(session.game.legal_moves())))
    return session


def only(saved: SavedGames) -> SavedGame:
    (game,) = saved.list()
    assert saved.problems == ()
    return game


@pytest.mark.parametrize("rules", ALL, ids=lambda rules: rules.name)
def test_a_game_of_every_variant_comes_back(rules: Any) -> None:
    start = family_of(rules).start(rules)
    for begun in (start, played(table(start), 13).game.position):
        session = played(table(begun, black=SearcherPlayer(level=3)), 40, seed=2)
        text = format_saved(session, NOON)
        back = parse_saved(text, Path("game"))
        assert back.game.start == session.game.start
        assert back.game.moves == session.game.moves
        assert back.rules == rules


def test_everything_comes_back(saved: SavedGames) -> None:
    rules = replace(KALAH, houses=4, seeds=3)
    session = table(Pits.start(rules), white=RobotPlayer(), black=SearcherPlayer(depth=2, threads=2))
    session.flip()
    time = [0.0]
    session.clock = GameClock(TimeControl(90, 2), now=lambda: time[0])
    saved.keep(session)
    session.resume()
    time[0] += 7.5
    session.move("1")
    time[0] += 4.25
    session.close()
    game = only(saved)
    assert game.rules == rules
    assert game.players == {WHITE: "robot", BLACK: "searcher:depth=2,threads=2"}
    assert (game.orientation, game.control) == (session.orientation, TimeControl(90, 2))
    assert (game.used, game.added) == ({WHITE: 7.5, BLACK: 4.25}, {WHITE: 2.0, BLACK: 0.0})
    with saved.take_up(game) as again:
        assert again.game == session.game
        assert again.players == session.players
        assert again.orientation is session.orientation
        assert [again.clock.left(side) for side in Side] == [84.5, 85.75]
        assert again.clock.running is None
        again.restart()
        assert [again.clock.left(side) for side in Side] == [90, 90]


def test_a_game_is_kept_after_every_move(saved: SavedGames) -> None:
    with table() as session:
        keeper = saved.keep(session)
        assert (files(saved), keeper.is_kept) == ([], False)
        for number, move in enumerate(["11-15", "22-18", "15x22"], 1):
            session.move(move)
            assert keeper.is_kept
            assert len(parse_saved(keeper.path.read_text(encoding="utf-8"), keeper.path).game.moves) == number
        session.back()
        assert len(parse_saved(keeper.path.read_text(encoding="utf-8"), keeper.path).game.moves) == 2
        assert files(saved) == [".json", ".lock"]
    assert files(saved) == [".json"]


@pytest.mark.parametrize("leave", [Session.resign, lambda session: [session.back(), session.back()]])
def test_what_nobody_can_go_on_with_is_kept_no_longer(saved: SavedGames, leave: Callable[[Session], object]) -> None:
    session = table()
    saved.keep(session)
    played(session, 2)
    leave(session)
    assert files(saved) == [".lock"]
    if session.game.outcome() is not None:
        session.back()
        assert files(saved) == [".json", ".lock"]
        session.resign()
    session.close()
    assert files(saved) == []


def test_a_game_stays_kept_where_another_begins(saved: SavedGames) -> None:
    time = [0.0]
    with table() as session:
        session.clock = GameClock(TimeControl(60), now=lambda: time[0])
        saved.keep(session)
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


def test_a_game_that_is_over_is_not_kept_when_another_begins(saved: SavedGames) -> None:
    with table() as session:
        saved.keep(session)
        played(session, 2)
        session.resign()
        session.restart()
    assert files(saved) == []


def test_a_game_begins_when_a_person_moves(saved: SavedGames) -> None:
    with table(Position.start("international"), white=SearcherPlayer(nodes=10)) as session:
        keeper = saved.keep(session)
        session.think()
        assert (session.has_begun, keeper.is_kept) == (False, False)
        session.move(str(session.game.legal_moves()[0]))
        assert (session.has_begun, keeper.is_kept) == (True, True)
        session.back()
        assert (session.has_begun, keeper.is_kept) == (False, False)
    assert files(saved) == []


def test_a_game_of_computers_begins_with_any_move(saved: SavedGames) -> None:
    with table(white=RobotPlayer(), black=RobotPlayer(), start=Pits.start("kalah")) as session:
        keeper = saved.keep(session)
        assert (session.has_begun, keeper.is_kept) == (False, False)
        session.think()
        assert (session.has_begun, keeper.is_kept) == (True, True)


def test_a_game_that_has_begun_is_kept_from_the_start(saved: SavedGames) -> None:
    with table(Game(Position.start("english"), ["11-15"])) as session:
        assert saved.keep(session).is_kept


def later(microseconds: int) -> datetime:
    return NOON + timedelta(microseconds=microseconds)


def test_the_last_saved_comes_first(saved: SavedGames, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, rules in enumerate((KALAH, ENGLISH, KALAH)):
        monkeypatch.setattr(keeping, "now", partial(later, number))
        with table(family_of(rules).start(rules)) as session:
            saved.keep(session)
            played(session, 1)
    assert [game.saved_at.microsecond for game in saved.list()] == [2, 1, 0]
    assert [game.rules.name for game in saved.list()] == ["kalah", "english", "kalah"]
    assert [game.rules for game in saved.list(ENGLISH)] == [ENGLISH]
    assert saved.list(replace(KALAH, houses=3)) == []


def test_a_game_that_is_being_played_is_not_offered(saved: SavedGames) -> None:
    with table() as session:
        saved.keep(session)
        played(session, 1)
        assert saved.list() == []
    game = only(saved)
    with saved.take_up(game):
        assert SavedGames(saved.folder).list() == []
        for action in (saved.take_up, saved.remove):
            with pytest.raises(TablemenError, match="the game is being played elsewhere"):
                action(game)
    assert only(saved).game == game.game


def test_what_was_ended_elsewhere_is_told(saved: SavedGames) -> None:
    with table() as session:
        saved.keep(session)
        played(session, 1)
    game = only(saved)
    saved.remove(game)
    assert files(saved) == []
    with pytest.raises(TablemenError, match="the game was ended elsewhere"):
        saved.take_up(game)
    saved.folder.rmdir()
    with pytest.raises(TablemenError, match="the game was ended elsewhere"):
        saved.take_up(game)


def test_what_was_played_on_meanwhile_is_taken_up_as_it_is(saved: SavedGames) -> None:
    with table() as session:
        saved.keep(session)
        played(session, 1)
    game = only(saved)
    with saved.take_up(game) as session:
        played(session, 5)
    with saved.take_up(game) as session:
        assert len(session.game.moves) == 5


OTHER = """
import sys
from tablemen.saved import SavedGames
saved = SavedGames(sys.argv[1])
print(len(saved.list()), flush=True)
held = [saved.take_up(game) for game in saved.list()]
print(*[len(session.game.moves) for session in held], flush=True)
sys.stdin.read()
"""


def test_a_lock_ends_with_its_process(saved: SavedGames) -> None:
    with table() as session:
        saved.keep(session)
        played(session, 3)
        with other_process(saved) as told:
            assert told == ["0", ""]
    with other_process(saved) as told:
        assert told == ["1", "3"]
        assert saved.list() == []
    assert len(only(saved).game.moves) == 3
    with saved.take_up(only(saved)):
        assert files(saved) == [".json", ".lock"]
    assert files(saved) == [".json"]


@contextmanager
def other_process(saved: SavedGames) -> Iterator[list[str]]:
    """A process that takes up every game, and what it told; it is killed in the end."""
    command = [sys.executable, "-c", OTHER, str(saved.folder)]
    with (
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process,
        ended_when_late(process),
    ):
        assert process.stdout is not None
        yield [process.stdout.readline().strip() for _ in range(2)]


KILLED = """
import os, pathlib, signal, sys
from tablemen.saved import SavedGames

def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)

def half_written(path, mode, *, encoding):
    with real_open(path, mode, encoding=encoding) as file:
        file.write('{"version": 1, "variant": "eng')
    die()

def replaced(path, target):
    real_replace(path, target)
    die()

folder, when = sys.argv[1:]
saved = SavedGames(folder)
(game,) = saved.list()
session = saved.take_up(game)
real_open, real_replace = pathlib.Path.open, pathlib.Path.replace
places = {
    "half written": (pathlib.Path, "open", half_written),
    "not synced": (os, "fsync", die),
    "not in its place": (pathlib.Path, "replace", die),
    "in its place": (pathlib.Path, "replace", replaced),
}
setattr(*places[when])
session.move("22-18")
print("never")
"""


@pytest.mark.parametrize(
    ("when", "moves"), [("half written", 1), ("not synced", 1), ("not in its place", 1), ("in its place", 2)]
)
def test_a_process_that_dies_while_it_writes_leaves_the_old_game_or_the_new(
    saved: SavedGames, when: str, moves: int
) -> None:
    with table() as session:
        saved.keep(session)
        session.move("11-15")
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(saved.folder), when], capture_output=True, timeout=LONG, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGKILL, b"", b"")
    with saved.take_up(only(saved)) as session:
        assert [str(move) for move in session.game.moves] == ["11-15", "22-18"][:moves]
        session.move("22-17" if moves == 1 else "15x22")
    assert len(only(saved).game.moves) == moves + 1
    assert files(saved) == [".json"]


@pytest.mark.parametrize("place", ["os.fsync", "pathlib.Path.replace"])
def test_a_full_disk_does_not_stop_the_game(saved: SavedGames, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    session = table()
    keeper = saved.keep(session)
    session.move("11-15")

    def is_full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(place, is_full)
        session.move("22-18")
        assert keeper.problem == f"the game cannot be saved: {keeper.path}: No space left on device"
        assert keeper.is_kept is False
        assert files(saved) == [".json", ".lock"]
    assert len(parse_saved(keeper.path.read_text(encoding="utf-8"), keeper.path).game.moves) == 1
    session.move("15x22")
    session.close()
    assert len(only(saved).game.moves) == 3


def test_an_interrupt_while_it_writes_leaves_the_game(saved: SavedGames, monkeypatch: pytest.MonkeyPatch) -> None:
    session = table()
    saved.keep(session)
    session.move("11-15")

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with session:
        with monkeypatch.context() as pressed:
            pressed.setattr(os, "fsync", interrupt)
            with pytest.raises(KeyboardInterrupt):
                session.move("22-18")
        assert len(session.game.moves) == 2
    assert len(only(saved).game.moves) == 2
    assert files(saved) == [".json"]


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    saved = SavedGames(tmp_path / "file" / "games")
    with table() as session:
        keeper = saved.keep(session)
        told = [keeper.problem]
        session.move("11-15")
        told.append(keeper.problem)
        assert all(re.fullmatch("the game cannot be saved: .*: Not a directory", str(each)) for each in told)
    assert saved.list() == []
    assert len(saved.problems) == 1


def test_a_user_without_a_home_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise OSError("no home")

    monkeypatch.setattr(games, "data_folder", nowhere)
    saved = SavedGames()
    with table() as session:
        keeper = saved.keep(session)
        session.move("11-15")
        assert keeper.problem == "the game cannot be saved: no home"
    assert (saved.list(), saved.problems) == ([], ("no home",))


def test_without_a_name_for_it_games_are_the_user_s(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TABLEMEN_DATA", str(tmp_path))
    assert SavedGames().folder == tmp_path / "games"


@pytest.mark.parametrize(
    ("session", "problem"),
    [
        (table(Position.start(replace(ENGLISH, name="mine"))), "is played by rules of one's own, which have no name"),
        (table(Position.start(replace(ENGLISH, losing=True))), "is played by rules of one's own, which have no name"),
        (table(white=First()), "the player first cannot be written as text"),
    ],
)
def test_what_no_text_can_tell_is_not_kept(saved: SavedGames, session: Session, problem: str) -> None:
    keeper = saved.keep(session)
    session.move("11-15")
    assert keeper.problem is not None
    assert keeper.problem.startswith("the game cannot be saved: ")
    assert keeper.problem.endswith(problem)
    session.close()
    assert files(saved) == []


def damaged(change: Callable[[dict[str, Any]], object]) -> str:
    session = table(Pits.start("kalah"))
    session.move("1")
    content = json.loads(format_saved(session, NOON))
    change(content)
    return json.dumps(content)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "this is no saved game"),
        ("[1]", "this is no saved game"),
        ("[" * 100_000, "this is no saved game"),
        (damaged(lambda content: content.pop("version")), "version is None: a game of version 1 is expected"),
        (damaged(lambda content: content.update(version=2)), "version is 2"),
        (damaged(lambda content: content.update(variant="chess")), "unknown variant 'chess'"),
        (damaged(lambda content: content.update(variant=1)), "variant is 1: a text is expected"),
        (damaged(lambda content: content.pop("houses")), "houses is None: a whole number is expected"),
        (damaged(lambda content: content.update(houses=0)), "invalid rules"),
        (damaged(lambda content: content.update(game="")), "game is '': one game is expected"),
        (damaged(lambda content: content.update(game="Moves: 7")), "line 1, column 1: move 1: .*7"),
        (damaged(lambda content: content["players"].pop("white")), "a value for each side is expected"),
        (damaged(lambda content: content["players"].update(red="human")), "side is 'red'"),
        (damaged(lambda content: content["players"].update(white=1)), "a value for each side is expected"),
        (damaged(lambda content: content.update(used=[1, 2])), "used is .*: a value for each side is expected"),
        (damaged(lambda content: content["used"].update(white=-1)), "used is"),
        (damaged(lambda content: content["used"].update(white=10**400)), "used is"),
        (damaged(lambda content: content["used"].update(white=1)).replace('"white": 1', '"white": 1e400'), "used is"),
        (damaged(lambda content: content["added"].update(black=1e300)), "added is"),
        (damaged(lambda content: content["added"].update(white=True)), "added is"),
        (damaged(lambda content: content.update(control="soon")), "time control is 'soon'"),
        (damaged(lambda content: content.update(orientation="up")), "side is 'up'"),
        (damaged(lambda content: content.update(saved="today")), "saved is 'today': a time is expected"),
        (damaged(lambda content: content.update(saved="2024-05-01T12:00")), "a time with its zone is expected"),
    ],
)
def test_what_is_damaged_is_told_and_left_where_it_is(saved: SavedGames, text: str, problem: str) -> None:
    with table() as session:
        saved.keep(session)
        session.move("11-15")
    (saved.folder / "bad.json").write_text(text, encoding="utf-8")
    with pytest.raises(TablemenError, match=problem):
        parse_saved(text, Path("bad"))
    assert [game.rules.name for game in saved.list()] == ["english"]
    (told,) = saved.problems
    assert told.startswith(f"{saved.folder / 'bad.json'}: ")
    assert (saved.folder / "bad.json").read_text(encoding="utf-8") == text


def test_a_file_that_is_no_text_is_told(saved: SavedGames) -> None:
    saved.folder.mkdir(parents=True)
    (saved.folder / "bad.json").write_bytes(b"\xff")
    (saved.folder / "folder.json").mkdir()
    (saved.folder / "notes.txt").touch()
    assert saved.list() == []
    assert len(saved.problems) == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_nobody_waits_for_what_is_no_file(saved: SavedGames) -> None:
    with table() as session:
        saved.keep(session)
        session.move("11-15")
    os.mkfifo(saved.folder / "pipe.json")
    os.mkfifo(only_path(saved).with_suffix(".lock"))
    assert len(saved.list()) == 1
    assert saved.problems == (f"{saved.folder / 'pipe.json'}: this is no saved game, and no file",)


def only_path(saved: SavedGames) -> Path:
    return next(path for path in saved.folder.glob("english*.json"))


def test_a_player_that_is_not_known_is_told_when_the_game_is_taken_up(saved: SavedGames) -> None:
    with table() as session:
        saved.keep(session)
        session.move("11-15")
    path = only(saved).path
    path.write_text(path.read_text(encoding="utf-8").replace('"black": "human"', '"black": "alien"'), encoding="utf-8")
    for _ in range(2):
        with pytest.raises(TablemenError, match="there is no player 'alien'"):
            saved.take_up(only(saved))
    assert files(saved) == [".json"]


def test_how_a_game_is_described() -> None:
    session = table(Pits.start("oware"), black=SearcherPlayer(level=5))
    session.move("1")
    here = datetime(2024, 5, 1, 14, 3).astimezone()
    game = parse_saved(format_saved(session, here), Path("game"))
    assert game.describe(here) == "Oware Abapa (a move, against searcher:level=5, saved today 14:03)"
    assert game.describe(here + timedelta(days=1)).endswith("saved yesterday 14:03)")
    assert game.describe(here + timedelta(days=2)).endswith(f"saved {here.date()} 14:03)")
    both = replace(game, players={WHITE: "robot", BLACK: "random"}, control=TimeControl(300, 3))
    assert both.describe(here) == "Oware Abapa (a move, robot against random, clock 5+3, saved today 14:03)"
    assert "between two people" in replace(game, players={WHITE: "human", BLACK: "human"}).describe()
    odd = replace(game, players={WHITE: "human", BLACK: "\x1b[2J\n"})
    assert odd.describe(here) == "Oware Abapa (a move, against \\x1b[2J\\n, saved today 14:03)"


def test_a_loss_on_time_is_over(saved: SavedGames) -> None:
    session = table()
    time = [0.0]
    session.clock = GameClock(TimeControl(60), now=lambda: time[0])
    saved.keep(session)
    session.move("11-15")
    time[0] += 60
    outcome = session.check_time()
    assert outcome is not None
    assert outcome.termination is Termination.TIME
    session.close()
    assert files(saved) == []


def test_a_game_against_a_program_comes_back(saved: SavedGames) -> None:
    written = 'hub:"sh -c \\"scan, hub\\"",time=0.5'
    with Session(Position.start("frisian"), {Side.WHITE: HumanPlayer(), Side.BLACK: parse_player(written)}) as session:
        saved.keep(session)
        session.move(str(session.game.legal_moves()[0]))
    (game,) = saved.list()
    assert f"against {written}" in game.describe()
    with saved.take_up(game) as again:
        assert again.players == session.players
        assert again.game == session.game
