"""Games that were left can be forgotten, on the full screen too; the last ones alone are listed."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import OptionList

from tablemen.saved_games import SavedGames
from tablemen.tui.dialogs import Choice
from tablemen.tui.menu import Menu
from tests.tui.tables import Player, in_program, sit_down
from tests.tui.test_menu import keep_a_game, menu_of, options


def going_on(player: Player) -> list[str]:
    return [option for option in options(player) if option.startswith("Go on")]


def footer(player: Player) -> set[str]:
    """What the footer offers."""
    offered = player.app.screen.active_bindings.values()
    return {each.binding.description for each in offered if each.enabled and each.binding.show}


@pytest.mark.slow
@in_program
async def test_a_game_is_forgotten_after_a_question(tmp_path: Path) -> None:
    keep_a_game(tmp_path, "russian", "c3-d4")
    keep_a_game(tmp_path, "kalah", "3", "6")
    async with sit_down(None, tmp_path) as player:
        await player.wait_for(lambda: "Forget" in footer(player))
        await player.press("d")
        await player.wait_for_screen(Choice)
        assert player.question.startswith("Forget Kalah (2 moves, between two people, saved ")
        await player.press("enter")  # the safe answer
        await player.wait_for_screen(Menu)
        assert len(SavedGames(tmp_path).list()) == len(going_on(player)) == 2
        await player.press("d")
        await player.wait_for_screen(Choice)
        await player.choose("Forget it")
        await player.wait_for(lambda: len(going_on(player)) == 1)
        assert [game.rules.name for game in SavedGames(tmp_path).list()] == ["russian"]
        await player.press("d")
        await player.wait_for_screen(Choice)
        await player.choose("Forget it")
        await player.wait_for(lambda: options(player)[0] == "Kalah")
        assert list(tmp_path.iterdir()) == []
        await player.wait_for(lambda: "Forget" not in footer(player))
        await player.press("d")
        assert player.app.screen is menu_of(player)
        await player.press("enter", "enter")
        await player.wait_for(lambda: player.has_begun)


@in_program
async def test_nothing_but_a_kept_game_can_be_forgotten(tmp_path: Path) -> None:
    keep_a_game(tmp_path, "kalah", "3")
    async with sit_down(None, tmp_path) as player:
        await player.press("down")
        await player.wait_for(lambda: "Forget" not in footer(player))
        await player.press("d")
        assert player.app.screen is menu_of(player)
        await player.press("up")
        await player.wait_for(lambda: "Forget" in footer(player))


@in_program
async def test_a_game_that_is_played_elsewhere_is_not_forgotten(tmp_path: Path) -> None:
    keep_a_game(tmp_path, "kalah", "3")
    async with sit_down(None, tmp_path) as player:
        (game,) = SavedGames(tmp_path).list()
        with SavedGames(tmp_path).resume(game):
            await player.press("d")
            await player.wait_for_screen(Choice)
            await player.choose("Forget it")
            await player.wait_for(lambda: player.told == ["the game is being played elsewhere"])
    assert len(SavedGames(tmp_path).list()) == 1


@in_program
async def test_the_last_nine_are_listed(tmp_path: Path) -> None:
    for _ in range(11):
        keep_a_game(tmp_path, "kalah", "3")
    async with sit_down(None, tmp_path) as player:
        assert len(going_on(player)) == 9
        menu_of(player).query_one(OptionList).highlighted = 8
        await player.press("d")
        await player.wait_for_screen(Choice)
        await player.choose("Forget it")
        await player.wait_for(lambda: len(menu_of(player).kept) == 10)
        assert len(going_on(player)) == 9
        assert menu_of(player).query_one(OptionList).highlighted == 8
