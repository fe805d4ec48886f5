"""Sessions saved to game files and loaded from them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tablemen import TablemenError
from tablemen.draughts import Position
from tablemen.draughts.pdn import read_pdn
from tablemen.mancala import Position as Pits
from tablemen.players import RandomPlayer
from tests.session.sessions import INTERNATIONAL, table


@pytest.mark.parametrize("start", [INTERNATIONAL, Position.start("frysk"), Pits.start("oware")])
def test_games_are_saved_and_loaded(tmp_path: Path, start: Any) -> None:
    file = tmp_path / "games"
    session = table(start, RandomPlayer(seed=1), RandomPlayer(seed=2))
    for _ in range(2):
        for _ in range(5):
            session.think()
        session.save(file)
    saved = session.game
    other = table(start)
    assert other.load(file) == 2
    assert other.game == saved
    other.move(str(other.game.legal_moves()[0]))
    assert len(other.game.moves) == 11


def test_the_headers_of_saved_games(tmp_path: Path) -> None:
    session = table(black=RandomPlayer(seed=4))
    session.move("32-28")
    session.think()
    session.resign()
    session.save(tmp_path / "game.pdn")
    (game,) = read_pdn(tmp_path / "game.pdn")
    assert dict(game.tags) == {
        "Event": "tablemen play",
        "White": "human",
        "Black": "random:seed=4",
        "Result": "0-2",
        "GameType": "20",
        "Termination": "resignation",
    }


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "game has no games"),
        (b"1. 32-28 32-28 *", "game: game 1, line 1, column 10: 32-28 is not legal here"),
        (b'[GameType "21"] 1. 11-15 *', "game: game 1, line 1, column 1: the game is english, not international"),
        (b"1. 32-28 \xff *", "game is not a text"),
    ],
)
def test_a_failed_load_does_not_change_the_game(tmp_path: Path, content: bytes, problem: str) -> None:
    (tmp_path / "game").write_bytes(content)
    session = table()
    session.move("32-28")
    with pytest.raises(TablemenError, match=problem):
        session.load(tmp_path / "game")
    assert len(session.game.moves) == 1


def sheet_of(start: Any, *moves: str) -> str:
    session = table(start)
    for move in moves:
        session.move(move)
    return session.family.format_game(session.sheet())


@pytest.mark.parametrize(
    ("start", "move", "other", "broken"),
    [
        (INTERNATIONAL, "32-28", sheet_of(Position.start("english"), "11-15"), '[Event "x"]\n\n1. 32-28 32-28 *\n'),
        (Pits.start("kalah"), "3", sheet_of(Pits.start("oware"), "1"), "Variant: kalah\nMoves: 3 3 3\n"),
        (Pits.start("kalah"), "3", sheet_of(Pits.start("oware"), "1"), "Variant: kalah\nrubbish\nMoves: 3\n"),
    ],
    ids=["draughts", "mancala", "no record"],
)
def test_other_games_are_skipped(tmp_path: Path, start: Any, move: str, other: str, broken: str) -> None:
    file = tmp_path / "games"
    file.write_text("\n".join([other, sheet_of(start), broken, sheet_of(start, move), other, broken]))
    session = table(start)
    assert session.load(file) == 2
    assert [str(each) for each in session.game.moves] == [move]
    file.write_text(f"{other}\n{broken}")
    with pytest.raises(TablemenError, match=r"games: none of its 2 games can be loaded; the last: .*line"):
        session.load(file)


@pytest.mark.parametrize("start", [INTERNATIONAL, Pits.start("kalah")], ids=["draughts", "mancala"])
@pytest.mark.parametrize("end", ["", "\n", "\n\n", "\r\n", "\r\n\r\n"])
def test_a_game_is_appended_after_any_end_of_a_file(tmp_path: Path, start: Any, end: str) -> None:
    file = tmp_path / "games"
    written = sheet_of(start).rstrip()
    file.write_bytes((written + end).encode())
    session = table(start)
    session.save(file)
    content = file.read_bytes().decode().replace("\r\n", "\n")
    assert content == f"{written}\n\n{sheet_of(start)}"
    assert session.load(file) == 2


@pytest.mark.parametrize(
    ("start", "other", "names"),
    [
        (INTERNATIONAL, Pits.start("kalah"), "mancala, not of draughts"),
        (Pits.start("kalah"), INTERNATIONAL, "draughts, not of mancala"),
    ],
)
def test_files_of_another_family_are_refused(tmp_path: Path, start: Any, other: Any, names: str) -> None:
    file = tmp_path / "games"
    table(other).save(file)
    before = file.read_bytes()
    for use in (table(start).save, table(start).load):
        with pytest.raises(TablemenError, match=f"games has games of {names}"):
            use(file)
    assert file.read_bytes() == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full here")
def test_a_full_disk_error_names_the_file() -> None:
    with pytest.raises(OSError, match="No space left on device: '/dev/full'"):
        table().save("/dev/full")


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="no file here that opens and cannot be read")
def test_a_read_error_names_the_file() -> None:
    with pytest.raises(OSError, match="Input/output error: '/proc/self/mem'"):
        table().load("/proc/self/mem")


def test_a_device_can_be_written_to() -> None:
    table().save("/dev/null")
    with pytest.raises(OSError, match="No such file"):
        table().save("/no/such/folder/game.pdn")
