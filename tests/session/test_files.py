"""Sessions saved to game files and loaded from them."""

from __future__ import annotations

import errno
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tablemen import TablemenError
from tablemen.draughts import Position
from tablemen.draughts.pdn import read_pdn
from tablemen.mancala import Position as Pits
from tablemen.players import RandomPlayer
from tests.fake_clock import Time
from tests.session.sessions import INTERNATIONAL, make_session, timed_session


@pytest.mark.parametrize("start", [INTERNATIONAL, Position.start("frysk"), Pits.start("oware")])
def test_games_are_saved_and_loaded(tmp_path: Path, start: Any) -> None:
    file = tmp_path / "games"
    session = make_session(start, RandomPlayer(seed=1), RandomPlayer(seed=2))
    for _ in range(2):
        for _ in range(5):
            session.think()
        session.save(file)
    saved = session.game
    other = make_session(start)
    assert other.load(file) == 2
    assert other.game == saved
    other.move(str(other.game.legal_moves()[0]))
    assert len(other.game.moves) == 11


def test_saved_games_have_headers(tmp_path: Path, time: Time) -> None:
    session = timed_session(time, RandomPlayer(seed=4))
    session.resume()
    for seconds in (5, 10):
        time.now += seconds
        session.move(str(session.game.legal_moves()[0]))
        session.think()
    session.back()
    session.resign()
    session.save(tmp_path / "game.pdn")
    (game,) = read_pdn(tmp_path / "game.pdn")
    assert dict(game.tags) == {
        "Event": "tablemen play",
        "Date": f"{session.date:%Y.%m.%d}",
        "White": "human",
        "Black": "random:seed=4",
        "Result": "0-2",
        "GameType": "20",
        "Termination": "resignation",
        "TimeControl": "60+2",
    }
    assert [node.clock for node in game.nodes] == [timedelta(seconds=57), timedelta(seconds=62)]
    session.load(tmp_path / "game.pdn")
    assert session.clocks == (57.0, 62.0)


@pytest.mark.parametrize(
    ("content", "fact"),
    [
        pytest.param(b"", "game", id="empty"),
        pytest.param(b"1. 32-28 32-28 *", "line 1, column 10", id="illegal move"),
        pytest.param(b'[GameType "21"] 1. 11-15 *', "english", id="another variant"),
        pytest.param(b"1. 32-28 \xff *", "0xff", id="not a text"),
    ],
)
def test_a_failed_load_does_not_change_the_game(tmp_path: Path, content: bytes, fact: str) -> None:
    (tmp_path / "game").write_bytes(content)
    session = make_session()
    session.move("32-28")
    with pytest.raises(TablemenError) as caught:
        session.load(tmp_path / "game")
    assert str(tmp_path / "game") in str(caught.value)
    assert fact in str(caught.value)
    assert len(session.game.moves) == 1


def format_sheet(start: Any, *moves: str) -> str:
    session = make_session(start)
    for move in moves:
        session.move(move)
    return session.family.format_game(session.sheet())


@pytest.mark.parametrize(
    ("start", "move", "other", "broken"),
    [
        (INTERNATIONAL, "32-28", format_sheet(Position.start("english"), "11-15"), '[Event "x"]\n\n1. 32-28 32-28 *\n'),
        (Pits.start("kalah"), "3", format_sheet(Pits.start("oware"), "1"), "Variant: kalah\nMoves: 3 3 3\n"),
        (Pits.start("kalah"), "3", format_sheet(Pits.start("oware"), "1"), "Variant: kalah\nrubbish\nMoves: 3\n"),
    ],
    ids=["draughts", "mancala", "no record"],
)
def test_other_games_are_skipped(tmp_path: Path, start: Any, move: str, other: str, broken: str) -> None:
    file = tmp_path / "games"
    file.write_text("\n".join([other, format_sheet(start), broken, format_sheet(start, move), other, broken]))
    session = make_session(start)
    assert session.load(file) == 2
    assert [str(each) for each in session.game.moves] == [move]
    file.write_text(f"{other}\n{broken}")
    with pytest.raises(TablemenError) as caught:
        session.load(file)
    assert str(file) in str(caught.value)
    assert "2 games" in str(caught.value)


@pytest.mark.parametrize("start", [INTERNATIONAL, Pits.start("kalah")], ids=["draughts", "mancala"])
@pytest.mark.parametrize("end", ["", "\n", "\n\n", "\r\n", "\r\n\r\n"])
def test_a_game_is_appended_after_any_end_of_a_file(tmp_path: Path, start: Any, end: str) -> None:
    file = tmp_path / "games"
    written = format_sheet(start).rstrip()
    file.write_bytes((written + end).encode())
    session = make_session(start)
    session.save(file)
    content = file.read_bytes().decode().replace("\r\n", "\n")
    assert content == f"{written}\n\n{format_sheet(start)}"
    assert session.load(file) == 2


@pytest.mark.parametrize(
    ("start", "other"),
    [(INTERNATIONAL, Pits.start("kalah")), (Pits.start("kalah"), INTERNATIONAL)],
    ids=["mancala", "draughts"],
)
def test_files_of_another_family_are_refused(tmp_path: Path, start: Any, other: Any) -> None:
    file = tmp_path / "games"
    make_session(other).save(file)
    before = file.read_bytes()
    for use in (make_session(start).save, make_session(start).load):
        with pytest.raises(TablemenError) as caught:
            use(file)
        assert str(file) in str(caught.value)
    assert file.read_bytes() == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_error_names_the_file() -> None:
    with pytest.raises(OSError, match="/dev/full") as caught:
        make_session().save("/dev/full")
    assert (caught.value.errno, caught.value.filename) == (errno.ENOSPC, "/dev/full")


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that can be opened but not read")
def test_a_read_error_names_the_file() -> None:
    with pytest.raises(OSError, match="/proc/self/mem") as caught:
        make_session().load("/proc/self/mem")
    assert (caught.value.errno, caught.value.filename) == (errno.EIO, "/proc/self/mem")


def test_a_device_can_be_written_to() -> None:
    make_session().save("/dev/null")
    with pytest.raises(FileNotFoundError):
        make_session().save("/no/such/folder/game.pdn")
