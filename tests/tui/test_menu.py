"""The menu: choosing a game with keys and with the mouse, and saved games."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Button, OptionList, Select

from tablemen import Side
from tablemen.clock import TimeControl
from tablemen.family import families
from tablemen.mancala import KALAH
from tablemen.saved_games import SavedGames
from tablemen.tui.dialogs import ChoiceDialog
from tablemen.tui.menu import MenuScreen
from tests.tui.fixtures import Player, async_test, make_session, open_app

ONE_OF_A_KIND = ("international", "english", "russian", "italian", "canadian", "frysk", "turkish", "kalah", "oware")
EVERY_NAME = tuple(name for family in families() for name in family.variants)


def menu_of(player: Player) -> MenuScreen:
    assert isinstance(player.app.screen, MenuScreen)
    return player.app.screen


def options(player: Player) -> list[str]:
    games = menu_of(player).query_one(OptionList)
    return [str(games.get_option_at_index(number).prompt) for number in range(games.option_count)]


def setup_of(player: Player) -> tuple[Any, dict[Side, str], TimeControl | None]:
    session = player.table.session
    names = {side: each.name for side, each in session.players.items()}
    return session.game.start.variant, names, session.clock.control


def keep_a_game(folder: Path, variant: Any, *moves: str) -> None:
    with make_session(variant, "human", "random") as session:
        session.players[Side.BLACK] = session.players[Side.WHITE]
        SavedGames(folder).autosave(session)
        for move in moves:
            session.move(move)


@async_test
async def test_every_variant_is_offered(tmp_path: Path) -> None:
    async with open_app(None, tmp_path) as player:
        titles = [str(rules) for family in families() for rules in family.variants.values()]
        offered = options(player)
        assert offered[:2] == ["Kalah", "International draughts"]
        assert sorted(offered) == sorted(titles)
        await player.press("escape")  # there is no game to return to
        assert menu_of(player).query_one(OptionList).has_focus
        await player.press("enter", "enter")  # the first game with the default settings
        await player.wait_for(lambda: player.has_started)
        assert setup_of(player) == (KALAH, {Side.WHITE: "human", Side.BLACK: "searcher:level=3"}, None)


async def choose_with_keys(player: Player, name: str, *keys: str) -> None:
    """Focus a setting with the Tab key, open it, and choose."""
    while not menu_of(player).query_one(f"#{name}").has_focus:
        await player.press("tab")
    await player.press("enter", *keys, "enter")


@async_test
async def test_a_game_is_chosen_with_keys(tmp_path: Path) -> None:
    async with open_app(None, tmp_path) as player:
        await choose_with_keys(player, "level", "up")
        await choose_with_keys(player, "side", "down")
        await choose_with_keys(player, "clock", "down", "down")
        await choose_with_keys(player, "houses", "up", "up")
        await choose_with_keys(player, "seeds", "down")
        await player.press("tab", "enter")
        await player.wait_for(lambda: player.has_started)
        rules, players, control = setup_of(player)
        assert rules == replace(KALAH, houses=4, seeds=5)
        assert players == {Side.WHITE: "searcher:level=2", Side.BLACK: "human"}
        assert control == TimeControl(180, 2)
        assert player.table.session.orientation is Side.BLACK


@pytest.mark.slow
@async_test
async def test_a_game_is_chosen_with_the_mouse(tmp_path: Path) -> None:
    async with open_app(make_session("kalah"), tmp_path) as player:
        await player.click("3")
        former = player.table
        await player.press("n")
        await player.wait_for_screen(MenuScreen)
        await player.press("escape")
        assert player.app.screen is former  # nothing was chosen
        await player.press("n")
        await player.wait_for_screen(MenuScreen)
        assert "Go on" not in options(player)[0]  # the current game is not offered
        await player.pilot.click("#list", offset=(4, 1))
        assert str(menu_of(player).query_one("#chosen").render()) == "International draughts"
        assert not menu_of(player).query_one("#ask-houses").display
        await player.pilot.click("#opponent")
        await player.pilot.click("#opponent SelectOverlay", offset=(4, 1))
        assert menu_of(player).query_one("#opponent", Select).value == "friend"
        assert not menu_of(player).query_one("#ask-level").display
        await player.pilot.click("#play")
        await player.wait_for(lambda: player.table is not former and player.has_started)
        assert setup_of(player)[0].name == "international"
        assert all(map(player.table.session.is_person, Side))
        assert [str(game.rules) for game in SavedGames(tmp_path).list()] == ["Kalah"]  # the game before is saved


@async_test
async def test_saved_games_come_first(tmp_path: Path) -> None:
    keep_a_game(tmp_path, "russian", "c3-d4")
    keep_a_game(tmp_path, replace(KALAH, houses=4, seeds=3), "2")
    async with open_app(None, tmp_path) as player:
        first, second = options(player)[:2]
        assert {first[:12], second[:12]} == {"Go on: Kalah", "Go on: Russi"}
        assert str(menu_of(player).query_one("#play", Button).label) == "Go on"
        assert not menu_of(player).query_one("#how").display
        await player.press("enter")
        await player.wait_for(lambda: player.has_started)
        assert len(player.game.moves) == 1
    assert len(SavedGames(tmp_path).list()) == 2


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(ONE_OF_A_KIND, id="one of each kind of board", marks=pytest.mark.slow),
        pytest.param(EVERY_NAME, id="every game", marks=pytest.mark.deep),
    ],
)
@async_test
async def test_games_of_the_menu_start(tmp_path: Path, names: tuple[str, ...]) -> None:
    async with open_app(None, tmp_path) as player:
        for name in names:
            games = menu_of(player).query_one(OptionList)
            games.highlighted = games.get_option_index(f"game-{name}")
            await player.pilot.pause()
            await player.pilot.click("#play")
            await player.wait_for(lambda: player.is_at_table() and player.has_started)
            assert player.game.start.variant.name == name
            await player.press("n")
            await player.wait_for_screen(MenuScreen)


def going_on(player: Player) -> list[str]:
    return [option for option in options(player) if option.startswith("Go on")]


def footer(player: Player) -> set[str]:
    """Return the enabled keys of the footer."""
    offered = player.app.screen.active_bindings.values()
    return {each.binding.description for each in offered if each.enabled and each.binding.show}


@pytest.mark.slow
@async_test
async def test_forgetting_a_game_needs_confirmation(tmp_path: Path) -> None:
    keep_a_game(tmp_path, "russian", "c3-d4")
    keep_a_game(tmp_path, "kalah", "3", "6")
    async with open_app(None, tmp_path) as player:
        await player.wait_for(lambda: "Forget" in footer(player))
        await player.press("d")
        await player.wait_for_screen(ChoiceDialog)
        assert player.question.startswith("Forget Kalah (2 moves, between two people, saved ")
        await player.press("enter")  # the default answer
        await player.wait_for_screen(MenuScreen)
        assert len(SavedGames(tmp_path).list()) == len(going_on(player)) == 2
        await player.press("d")
        await player.wait_for_screen(ChoiceDialog)
        await player.choose("Forget it")
        await player.wait_for(lambda: len(going_on(player)) == 1)
        assert [game.rules.name for game in SavedGames(tmp_path).list()] == ["russian"]
        await player.press("d")
        await player.wait_for_screen(ChoiceDialog)
        await player.choose("Forget it")
        await player.wait_for(lambda: options(player)[0] == "Kalah")
        assert list(tmp_path.iterdir()) == []
        await player.wait_for(lambda: "Forget" not in footer(player))
        await player.press("d")
        assert player.app.screen is menu_of(player)
        await player.press("enter", "enter")
        await player.wait_for(lambda: player.has_started)


@async_test
async def test_only_saved_games_can_be_forgotten(tmp_path: Path) -> None:
    keep_a_game(tmp_path, "kalah", "3")
    async with open_app(None, tmp_path) as player:
        await player.press("down")
        await player.wait_for(lambda: "Forget" not in footer(player))
        await player.press("d")
        assert player.app.screen is menu_of(player)
        await player.press("up")
        await player.wait_for(lambda: "Forget" in footer(player))


@async_test
async def test_a_game_in_use_cannot_be_forgotten(tmp_path: Path) -> None:
    keep_a_game(tmp_path, "kalah", "3")
    async with open_app(None, tmp_path) as player:
        (game,) = SavedGames(tmp_path).list()
        with SavedGames(tmp_path).resume(game):
            await player.press("d")
            await player.wait_for_screen(ChoiceDialog)
            await player.choose("Forget it")
            await player.wait_for(lambda: player.notifications == ["the game is being played elsewhere"])
    assert len(SavedGames(tmp_path).list()) == 1


@async_test
async def test_the_menu_lists_nine_saved_games(tmp_path: Path) -> None:
    for _ in range(11):
        keep_a_game(tmp_path, "kalah", "3")
    async with open_app(None, tmp_path) as player:
        assert len(going_on(player)) == 9
        menu_of(player).query_one(OptionList).highlighted = 8
        await player.press("d")
        await player.wait_for_screen(ChoiceDialog)
        await player.choose("Forget it")
        await player.wait_for(lambda: len(menu_of(player).saved) == 10)
        assert len(going_on(player)) == 9
        assert menu_of(player).query_one(OptionList).highlighted == 8
