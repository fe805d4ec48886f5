"""External engines: chosen in the menu, stopped, replaced, and their failures."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input, Select

from tablemen import Side
from tablemen.family import get_family
from tablemen.mancala import KALAH
from tablemen.saved_games import SavedGames
from tablemen.session import format_taken_back
from tablemen.tui.menu import ENGINE_FILE, MenuScreen, check_engine, read_recent_engine, write_recent_engine
from tablemen.tui.table_screen import FAILED, PAUSED
from tablemen.tui.widgets import ChoiceDialog, TextDialog, player_name
from tests.fake_engines import FakeEngine, FakePlayer, add_fakes
from tests.tui.fixtures import Player, async_test, make_session, open_app


@pytest.fixture(autouse=True)
def fakes(monkeypatch: pytest.MonkeyPatch) -> None:
    add_fakes(monkeypatch)


def get_engine(player: Player, side: Side = Side.BLACK) -> FakePlayer:
    engine = player.table.session.players[side]
    assert isinstance(engine, FakePlayer)
    return engine


async def fill_in(player: Player, text: str) -> None:
    """Fill in the input of the screen, and press Enter."""
    field = player.app.screen.query_one(Input)
    field.focus()
    field.value = text
    await player.pilot.pause()
    await player.press("enter")


def shown_problem(player: Player) -> str:
    line = player.app.screen.query_one("#problem")
    return str(line.render()) if line.display else ""


@async_test
async def test_an_engine_is_chosen_and_remembered(tmp_path: Path) -> None:
    async with open_app(None, tmp_path) as player:
        menu = player.app.screen
        assert isinstance(menu, MenuScreen)
        assert not menu.query_one("#ask-program").display
        menu.query_one("#opponent", Select).value = "program"
        await player.wait_for(lambda: menu.query_one("#ask-program").display)
        assert not menu.query_one("#ask-level").display
        assert menu.query_one("#ask-side").display
        assert shown_problem(player) == ""
        start = get_family(KALAH).start(KALAH)
        for text in ("", "scan hub", "fake", "fake:plays,tim=1", "fake:choosy", "human"):
            await fill_in(player, text)
            assert shown_problem(player) == check_engine(text, start) != ""
            assert player.app.screen is menu
        await fill_in(player, "fake:plays,time=1")
        await player.wait_for(lambda: player.has_started)
        names = {side: each.name for side, each in player.table.session.players.items()}
        assert names == {Side.WHITE: "human", Side.BLACK: "fake:plays,time=1"}
    async with open_app(None, tmp_path) as player:
        assert player.app.screen.query_one("#program", Input).value == "fake:plays,time=1"


def test_engine_names_are_short() -> None:
    assert player_name(FakePlayer(address="/opt/scan/scan hub"), alone=True) == "scan hub"
    assert player_name(FakePlayer(address="localhost:27531"), alone=True) == "localhost:27531"


def test_the_recent_engine_is_optional(tmp_path: Path) -> None:
    assert read_recent_engine(tmp_path / "nowhere") == ""
    (tmp_path / ENGINE_FILE).write_bytes(b"\xff\xfe")
    assert read_recent_engine(tmp_path) == ""
    write_recent_engine("fake:plays", tmp_path / ENGINE_FILE / "no folder")
    write_recent_engine("fake:plays", tmp_path)
    assert read_recent_engine(tmp_path) == "fake:plays"


@async_test
async def test_a_crashed_engine_can_be_replaced(tmp_path: Path) -> None:
    async with open_app(make_session("english", "human", "fake:dies"), tmp_path) as player:
        await player.wait_for(lambda: "status 3" in player.message)
        assert player.shows_error
        assert "Black" in player.message
        assert player.message.endswith(f"no \\x1b[2J book. {FAILED}")
        engine = get_engine(player)
        assert engine.calls == ["open", ("choose", 0, None, None), "close"]
        await player.press("p")
        await player.wait_for(lambda: engine.calls.count("open") == 2)
        await player.wait_for(lambda: "status 3" in player.message)
        await player.press("w")
        await player.wait_for_screen(TextDialog)
        assert "Black" in player.question
        assert player.app.screen.query_one(Input).value == "fake:dies"
        await fill_in(player, "unknown")
        assert "unknown" in shown_problem(player)
        await fill_in(player, "fake:plays")
        await player.wait_for(lambda: len(player.game.moves) == 1)
        assert player.message.endswith(f"{player.turn}.")
        await player.press("w", "escape")
        await player.type("24-20")
        await player.wait_for(lambda: len(player.game.moves) == 3)
    assert get_engine(player).calls[-2:] == [("end", 3, None), "close"]


@async_test
async def test_an_engine_moves_at_once_and_is_closed(tmp_path: Path) -> None:
    async with open_app(make_session("international", "human", "fake:waits"), tmp_path) as player:
        engine = get_engine(player)
        await player.press("!")  # no engine is thinking
        await player.type("32-28")
        await player.wait_for(lambda: len(engine.calls) == 2)
        assert player.message == player.turn
        await player.press("v", "!")  # the screen responds
        await player.wait_for(lambda: len(player.game.moves) == 2)
        await player.type("31-26")
        await player.wait_for(lambda: len(player.game.moves) == 3 and engine.calls[-1] == ("choose", 3, None, None))
        await player.press("u")
        await player.wait_for(lambda: len(player.game.moves) == 2)
    assert engine.calls[-1] == "close"
    (saved,) = SavedGames(tmp_path).list()
    assert saved.players[Side.BLACK] == "fake:waits"


@async_test
async def test_an_engine_that_fails_when_stopped_has_not_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(engine: FakeEngine) -> None:
        engine.is_closed = True  # so that the search raises
        engine.is_released.set()

    monkeypatch.setattr(FakeEngine, "stop", stop)
    async with open_app(make_session("international", "human", "fake:waits"), tmp_path) as player:
        engine = get_engine(player)
        await player.type("32-28")
        await player.wait_for(lambda: len(engine.calls) == 2)
        await player.press("u")
        await player.wait_for(lambda: engine.calls[-1] == "close")
        assert player.message == f"{format_taken_back(1)}. {player.turn}."
        await player.type("31-26")
        await player.wait_for(lambda: engine.calls.count("open") == 2 and len(engine.calls) == 5)
        await player.press("p")
        await player.wait_for(lambda: engine.calls[-1] == "close")
        assert player.message == PAUSED


@pytest.mark.slow
@async_test
async def test_either_of_two_engines_can_be_replaced(tmp_path: Path) -> None:
    async with open_app(make_session("kalah", "fake:dies", "fake:dies"), tmp_path) as player:
        await player.wait_for(lambda: player.shows_error and "South" in player.message)
        await player.press("w")
        await player.wait_for_screen(ChoiceDialog)
        await player.choose("South")
        await player.wait_for_screen(TextDialog)
        await fill_in(player, "fake:plays")
        await player.wait_for(lambda: player.shows_error and "North" in player.message)
        await player.type("seat", into=True)
        await player.wait_for_screen(ChoiceDialog)
        await player.press("escape")
        assert player.is_at_table()
