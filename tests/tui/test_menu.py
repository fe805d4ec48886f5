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
from tablemen.saved_games import IN_USE, SavedGames
from tablemen.search import DEFAULT_LEVEL
from tablemen.tui.app import CONTINUE
from tablemen.tui.menu import DELETE, KEEP, MenuScreen
from tablemen.tui.widgets import ChoiceDialog
from tests.tui.fixtures import Player, async_test, make_session, open_app

ONE_PER_BOARD = ("international", "english", "russian", "italian", "canadian", "frysk", "turkish", "kalah", "oware")
ALL_VARIANTS = tuple(name for family in families() for name in family.variants)


def get_menu(player: Player) -> MenuScreen:
    assert isinstance(player.app.screen, MenuScreen)
    return player.app.screen


def options(player: Player) -> list[str]:
    games = get_menu(player).query_one(OptionList)
    return [str(games.get_option_at_index(number).prompt) for number in range(games.option_count)]


def get_setup(player: Player) -> tuple[Any, dict[Side, str], TimeControl | None]:
    session = player.table.session
    names = {side: each.name for side, each in session.players.items()}
    return session.game.start.variant, names, session.clock.control


def save_game(folder: Path, variant: Any, *moves: str) -> None:
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
        assert get_menu(player).query_one(OptionList).has_focus
        await player.press("enter", "enter")  # the first game with the default settings
        await player.wait_for(lambda: player.has_started)
        assert get_setup(player) == (KALAH, {Side.WHITE: "human", Side.BLACK: f"searcher:level={DEFAULT_LEVEL}"}, None)


async def choose_with_keys(player: Player, name: str, *keys: str) -> None:
    """Focus a setting with the Tab key, open it, and choose."""
    while not get_menu(player).query_one(f"#{name}").has_focus:
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
        rules, players, control = get_setup(player)
        assert rules == replace(KALAH, houses=4, seeds=5)
        assert players == {Side.WHITE: f"searcher:level={DEFAULT_LEVEL - 1}", Side.BLACK: "human"}
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
        assert not saved_options(player)  # the current game is not offered
        await player.pilot.click("#list", offset=(4, 1))
        assert str(get_menu(player).query_one("#chosen").render()) == "International draughts"
        assert not get_menu(player).query_one("#ask-houses").display
        await player.pilot.click("#opponent")
        await player.pilot.click("#opponent SelectOverlay", offset=(4, 1))
        assert get_menu(player).query_one("#opponent", Select).value == "friend"
        assert not get_menu(player).query_one("#ask-level").display
        await player.pilot.click("#play")
        await player.wait_for(lambda: player.table is not former and player.has_started)
        assert get_setup(player)[0].name == "international"
        assert all(map(player.table.session.is_person, Side))
        assert [str(game.rules) for game in SavedGames(tmp_path).list()] == ["Kalah"]  # the previous game is saved


@async_test
async def test_saved_games_come_first(tmp_path: Path) -> None:
    save_game(tmp_path, "russian", "c3-d4")
    save_game(tmp_path, replace(KALAH, houses=4, seeds=3), "2")
    async with open_app(None, tmp_path) as player:
        first, second = options(player)[:2]
        assert "Kalah" in first
        assert "Russian" in second
        assert saved_options(player) == [first, second]
        assert str(get_menu(player).query_one("#play", Button).label) == CONTINUE
        assert not get_menu(player).query_one("#how").display
        await player.press("enter")
        await player.wait_for(lambda: player.has_started)
        assert len(player.game.moves) == 1
    assert len(SavedGames(tmp_path).list()) == 2


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(ONE_PER_BOARD, id="one of each kind of board", marks=pytest.mark.slow),
        pytest.param(ALL_VARIANTS, id="every game", marks=pytest.mark.deep),
    ],
)
@async_test
async def test_games_can_be_started_from_the_menu(tmp_path: Path, names: tuple[str, ...]) -> None:
    async with open_app(None, tmp_path) as player:
        for name in names:
            games = get_menu(player).query_one(OptionList)
            games.highlighted = games.get_option_index(f"game-{name}")
            await player.pilot.pause()
            await player.pilot.click("#play")
            await player.wait_for(lambda: player.is_at_table() and player.has_started)
            assert player.game.start.variant.name == name
            await player.press("n")
            await player.wait_for_screen(MenuScreen)


def saved_options(player: Player) -> list[str]:
    games = get_menu(player).query_one(OptionList)
    names = [games.get_option_at_index(number).id or "" for number in range(games.option_count)]
    return [option for option, name in zip(options(player), names, strict=True) if name.startswith("saved-")]


def footer(player: Player) -> set[str]:
    """Return the enabled keys of the footer."""
    offered = player.app.screen.active_bindings.values()
    return {each.binding.description for each in offered if each.enabled and each.binding.show}


@pytest.mark.slow
@async_test
async def test_deleting_a_game_needs_confirmation(tmp_path: Path) -> None:
    save_game(tmp_path, "russian", "c3-d4")
    save_game(tmp_path, "kalah", "3", "6")
    async with open_app(None, tmp_path) as player:
        await player.wait_for(lambda: DELETE in footer(player))
        await player.press("d")
        await player.wait_for_screen(ChoiceDialog)
        assert SavedGames(tmp_path).list()[0].describe() in player.question
        await player.press("enter")  # the default answer
        await player.wait_for_screen(MenuScreen)
        assert len(SavedGames(tmp_path).list()) == len(saved_options(player)) == 2
        await player.press("d")
        await player.wait_for_screen(ChoiceDialog)
        await player.choose(DELETE)
        await player.wait_for(lambda: len(saved_options(player)) == 1)
        assert [game.rules.name for game in SavedGames(tmp_path).list()] == ["russian"]
        await player.press("d")
        await player.wait_for_screen(ChoiceDialog)
        await player.choose(DELETE)
        await player.wait_for(lambda: options(player)[0] == "Kalah")
        assert list(tmp_path.iterdir()) == []
        await player.wait_for(lambda: DELETE not in footer(player))
        await player.press("d")
        assert player.app.screen is get_menu(player)
        await player.press("enter", "enter")
        await player.wait_for(lambda: player.has_started)


@async_test
async def test_only_saved_games_can_be_deleted(tmp_path: Path) -> None:
    save_game(tmp_path, "kalah", "3")
    async with open_app(None, tmp_path) as player:
        await player.press("down")
        await player.wait_for(lambda: DELETE not in footer(player))
        await player.press("d")
        assert player.app.screen is get_menu(player)
        await player.press("up")
        await player.wait_for(lambda: DELETE in footer(player))


@async_test
async def test_a_game_in_use_cannot_be_deleted(tmp_path: Path) -> None:
    save_game(tmp_path, "kalah", "3")
    async with open_app(None, tmp_path) as player:
        (game,) = SavedGames(tmp_path).list()
        with SavedGames(tmp_path).resume(game):
            await player.press("d")
            await player.wait_for_screen(ChoiceDialog)
            await player.choose(DELETE)
            await player.wait_for(lambda: player.notifications == [IN_USE])
    assert len(SavedGames(tmp_path).list()) == 1


@pytest.mark.slow
@async_test
async def test_a_damaged_game_is_listed_explained_and_deleted(tmp_path: Path) -> None:
    save_game(tmp_path, "kalah", "3")
    bad = tmp_path / "kalah-[b]01.json"
    bad.write_text("{", encoding="utf-8")
    async with open_app(None, tmp_path) as player:
        assert options(player)[1] == "Damaged: kalah-[b]01.json"
        await player.press("down")
        assert f"{bad}: not a saved game: " in str(get_menu(player).query_one("#chosen").render())
        for answer in (KEEP, DELETE):
            await player.press("enter")
            await player.wait_for_screen(ChoiceDialog)
            assert "It cannot be read: not a saved game: " in player.question
            assert bad.exists()
            await player.choose(answer)
            await player.wait_for_screen(MenuScreen)
        await player.wait_for(lambda: options(player)[1] == "Kalah")
        assert not bad.exists()
        assert len(saved_options(player)) == 1


@pytest.mark.slow
@async_test
async def test_a_damaged_game_is_mentioned_when_a_game_starts(tmp_path: Path) -> None:
    (tmp_path / "kalah-01.json").write_text("{", encoding="utf-8")
    async with open_app(make_session("kalah"), tmp_path) as player:
        assert ["damaged" in text for text in player.notifications] == [True]


@async_test
async def test_the_menu_lists_nine_saved_games(tmp_path: Path) -> None:
    for _ in range(11):
        save_game(tmp_path, "kalah", "3")
    async with open_app(None, tmp_path) as player:
        assert len(saved_options(player)) == 9
        get_menu(player).query_one(OptionList).highlighted = 8
        await player.press("d")
        await player.wait_for_screen(ChoiceDialog)
        await player.choose(DELETE)
        await player.wait_for(lambda: len(get_menu(player).saved) == 10)
        assert len(saved_options(player)) == 9
        assert get_menu(player).query_one(OptionList).highlighted == 8
