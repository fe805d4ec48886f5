"""Games on the full screen are kept after every move, and offered again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablemen.saved_games import SavedGames, parse_saved_game
from tablemen.tui.dialogs import Choice
from tablemen.tui.menu import Menu
from tests.tui.tables import Player, in_program, make_session, sit_down
from tests.tui.test_menu import keep_a_game, options


def kept_moves(folder: Path) -> list[str]:
    """The moves of the one game of a folder, whoever plays it."""
    (path,) = folder.glob("*.json")
    return [str(move) for move in parse_saved_game(path.read_text(), path).game.moves]


def moves_of(player: Player) -> list[str]:
    return [str(move) for move in player.game.moves]


@in_program
async def test_every_move_is_in_the_file(tmp_path: Path) -> None:
    async with sit_down(make_session("international"), tmp_path) as player:
        assert not list(tmp_path.glob("*.json"))
        for move in ("32-28", "19-23"):
            await player.type(move)
            assert kept_moves(tmp_path) == moves_of(player)
        await player.press("u")
        assert kept_moves(tmp_path) == ["32-28"]
        await player.press("r")
        await player.wait_for_screen(Choice)
        await player.choose("Resign")
        await player.wait_for(lambda: player.question == "White wins: resignation.")
        assert not list(tmp_path.glob("*.json"))  # nobody goes on with it


@pytest.mark.slow
@in_program
async def test_a_kept_game_is_offered(tmp_path: Path) -> None:
    keep_a_game(tmp_path, "international", "32-28", "19-23")
    keep_a_game(tmp_path, "kalah", "3")
    async with sit_down(make_session("international"), tmp_path) as player:
        assert player.question.startswith("Go on with International draughts (2 moves, between two people, saved ")
        await player.press("enter")
        await player.wait_for(lambda: player.has_begun)
        assert moves_of(player) == ["32-28", "19-23"]
        async with sit_down(make_session("international"), tmp_path) as second:  # while the first plays it
            assert second.app.screen is second.table
            assert not second.game.moves
    async with sit_down(make_session("international"), tmp_path) as player:
        await player.choose("New game")
        await player.wait_for(lambda: player.has_begun)
        assert not player.game.moves
        await player.press("n")
        await player.wait_for_screen(Menu)
        assert [option[:12] for option in options(player)[:3]] == ["Go on: Inter", "Go on: Kalah", "Kalah"]
    async with sit_down(make_session("international"), tmp_path, offer=False) as player:
        assert player.is_at_table()


@pytest.mark.slow
@in_program
async def test_a_game_that_somebody_else_takes_up_first(tmp_path: Path) -> None:
    keep_a_game(tmp_path, "international", "32-28")
    async with sit_down(make_session("international"), tmp_path) as player:
        (game,) = SavedGames(tmp_path).list()
        with SavedGames(tmp_path).resume(game):
            await player.press("enter")
            await player.wait_for_screen(Menu)
            assert not options(player)[0].startswith("Go on")
            await player.wait_for(lambda: player.told == ["the game is being played elsewhere"])


@in_program
async def test_a_game_that_cannot_be_kept_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "[" / "b]"  # a name that could be taken for markup
    file.parent.mkdir()
    file.write_text("")
    async with sit_down(make_session("kalah"), file / "games") as player:
        for house in ("1", "1", "2"):
            await player.type(house)
        assert moves_of(player) == ["1", "1", "2"]
        (problem,) = player.told  # once
        assert problem.startswith("the game cannot be saved: ")
        assert "Not a directory" in problem
