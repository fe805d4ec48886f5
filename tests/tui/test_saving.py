"""Saved games, and game files."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from textual.widgets import Input

from tablemen.saved_games import IN_USE, SavedGames, parse_saved_game
from tablemen.session import format_loaded
from tablemen.tui.app import NEW_GAME
from tablemen.tui.menu import MenuScreen
from tablemen.tui.table_screen import RESIGN
from tablemen.tui.widgets import ChoiceDialog, TextDialog
from tests.tui.fixtures import Player, async_test, make_session, open_app
from tests.tui.test_menu import options, save_game, saved_options


def saved_moves(folder: Path) -> list[str]:
    """Return the moves of the only game of a folder."""
    (path,) = folder.glob("*.json")
    return [str(move) for move in parse_saved_game(path.read_text(), path).game.moves]


def played_moves(player: Player) -> list[str]:
    return [str(move) for move in player.game.moves]


@async_test
async def test_every_move_is_saved(tmp_path: Path) -> None:
    async with open_app(make_session("international"), tmp_path) as player:
        assert not list(tmp_path.glob("*.json"))
        for move in ("32-28", "19-23"):
            await player.type(move)
            assert saved_moves(tmp_path) == played_moves(player)
        await player.press("u")
        assert saved_moves(tmp_path) == ["32-28"]
        await player.press("r")
        await player.wait_for_screen(ChoiceDialog)
        await player.choose(RESIGN)
        await player.wait_for(lambda: player.question == player.result != "")
        assert not list(tmp_path.glob("*.json"))  # the game is over


@pytest.mark.slow
@async_test
async def test_a_saved_game_is_offered(tmp_path: Path) -> None:
    save_game(tmp_path, "international", "32-28", "19-23")
    save_game(tmp_path, "kalah", "3")
    async with open_app(make_session("international"), tmp_path) as player:
        assert "International draughts (2 moves, between two people, saved " in player.question
        await player.press("enter")
        await player.wait_for(lambda: player.has_started)
        assert played_moves(player) == ["32-28", "19-23"]
        async with open_app(make_session("international"), tmp_path) as second:  # while the first app plays it
            assert second.app.screen is second.table
            assert not second.game.moves
    async with open_app(make_session("international"), tmp_path) as player:
        await player.choose(NEW_GAME)
        await player.wait_for(lambda: player.has_started)
        assert not player.game.moves
        await player.press("n")
        await player.wait_for_screen(MenuScreen)
        newest, oldest = saved_options(player)
        assert "International" in newest
        assert "Kalah" in oldest
        assert options(player)[2] == "Kalah"
    async with open_app(make_session("international"), tmp_path, offer=False) as player:
        assert player.is_at_table()


@pytest.mark.slow
@async_test
async def test_a_game_may_be_in_use_by_another_process(tmp_path: Path) -> None:
    save_game(tmp_path, "international", "32-28")
    async with open_app(make_session("international"), tmp_path) as player:
        (game,) = SavedGames(tmp_path).list()
        with SavedGames(tmp_path).resume(game):
            await player.press("enter")
            await player.wait_for_screen(MenuScreen)
            assert not saved_options(player)
            await player.wait_for(lambda: player.notifications == [IN_USE])


@async_test
async def test_a_game_that_cannot_be_saved_continues(tmp_path: Path) -> None:
    file = tmp_path / "[" / "b]"  # a name that looks like markup
    file.parent.mkdir()
    file.write_text("")
    async with open_app(make_session("kalah"), file / "games") as player:
        for house in ("1", "1", "2"):
            await player.type(house)
        assert played_moves(player) == ["1", "1", "2"]
        (problem,) = player.notifications  # shown only once
        assert str(file) in problem
        assert "Not a directory" in problem


async def ask_for_file(player: Player, key: str, name: str) -> None:
    """Open the dialog for a file, and enter a name."""
    await player.press(key)
    await player.wait_for_screen(TextDialog)
    player.app.screen.query_one(Input).value = name
    await player.press("enter")
    await player.wait_for(player.is_at_table)


@pytest.mark.parametrize(
    ("variant", "moves", "file"),
    [
        pytest.param("russian", ["c3-d4", "f6-g5"], "[b]games.pdn", id="russian"),
        pytest.param("kalah", ["3", "6"], "games.txt", id="kalah", marks=pytest.mark.slow),
    ],
)
def test_games_are_saved_in_files_and_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variant: str, moves: list[str], file: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))

    async def save_and_open() -> None:
        async with open_app(make_session(variant), tmp_path / "saved") as player:
            for move in moves:
                await player.type(move)
            await ask_for_file(player, "s", f"~/{file}")
            assert f"~/{file}" in player.message
            assert not player.shows_error
            await ask_for_file(player, "s", f"~/{file}")
            await player.press("u")
            await ask_for_file(player, "o", f"~/{file}")
            assert [str(move) for move in player.game.moves] == moves
            assert f"~/{file}" in player.message
            assert format_loaded(2) in player.message

    async_test(save_and_open)()
    assert (tmp_path / file).read_text().count(moves[0]) >= 2


@pytest.mark.slow
@async_test
async def test_file_errors_are_shown(tmp_path: Path) -> None:
    (tmp_path / "other.pdn").write_text('[GameType "20"]\n\n1. 32-28 *\n')
    (tmp_path / "empty.pdn").write_text("")
    (tmp_path / "no text.pdn").write_bytes(b"\xff\xfe\x00\x80")
    async with open_app(make_session("russian"), tmp_path / "saved") as player:
        await player.type("c3-d4")
        for key, name, problem in (
            ("o", "missing.pdn", os.strerror(errno.ENOENT)),
            ("o", "", os.strerror(errno.EISDIR)),
            ("o", "other.pdn", "international"),
            ("o", "empty.pdn", "empty.pdn"),
            ("o", "no text.pdn", "no text.pdn"),
            ("s", "missing/x.pdn", os.strerror(errno.ENOENT)),
            ("s", "", os.strerror(errno.EISDIR)),
        ):
            await ask_for_file(player, key, f"{tmp_path}/{name}")
            assert problem in player.message, name
            assert player.shows_error
            assert [str(move) for move in player.game.moves] == ["c3-d4"]
        await player.press("s")
        await player.wait_for_screen(TextDialog)
        assert player.app.screen.query_one(Input).value.startswith("russian-")
        await player.press("escape")
        assert player.is_at_table()
