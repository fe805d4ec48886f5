"""External engines: chosen in the menu, stopped, replaced, and their failures."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input, Select

from tablemen import Side
from tablemen.saved_games import SavedGames
from tablemen.tui.menu import ENGINE_FILE, MenuScreen, read_recent_engine, write_recent_engine
from tablemen.tui.widgets import ChoiceDialog, TextDialog, player_name
from tests.fake_engines import FakeEngine, FakePlayer, add_fakes
from tests.tui.fixtures import Player, async_test, make_session, open_app


@pytest.fixture(autouse=True)
def fakes(monkeypatch: pytest.MonkeyPatch) -> None:
    add_fakes(monkeypatch)


def program_of(player: Player, side: Side = Side.BLACK) -> FakePlayer:
    program = player.table.session.players[side]
    assert isinstance(program, FakePlayer)
    return program


async def write(player: Player, text: str) -> None:
    """Fill in the input of the screen."""
    field = player.app.screen.query_one(Input)
    field.focus()
    field.value = text
    await player.pilot.pause()
    await player.press("enter")


def problem_of(player: Player) -> str:
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
        assert problem_of(player) == ""
        for text, problem in [
            ("", 'write who plays: hub:"scan hub",time=1'),
            ("scan hub", "there is no player 'scan hub'"),
            ("fake", "address is ''"),
            ("fake:plays,tim=1", "fake has no option 'tim'; did you mean time?"),
            ("fake:choosy", "a fake that is choosy plays draughts alone"),
            ("human", "that is a person"),
        ]:
            await write(player, text)
            assert problem_of(player).startswith(problem)
            assert player.app.screen is menu
        await write(player, "fake:plays,time=1")
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
        assert player.message == (
            "Black fails: a fake ended with status 3: no \\x1b[2J book. p lets it try again, w chooses another player."
        )
        program = program_of(player)
        assert program.calls == ["open", ("choose", 0, None, None), "close"]
        await player.press("p")
        await player.wait_for(lambda: program.calls.count("open") == 2)
        await player.wait_for(lambda: "status 3" in player.message)
        await player.press("w")
        await player.wait_for_screen(TextDialog)
        assert player.question == "Who plays Black?"
        assert player.app.screen.query_one(Input).value == "fake:dies"
        await write(player, "nobody")
        assert problem_of(player).startswith("there is no player 'nobody'")
        await write(player, "fake:plays")
        await player.wait_for(lambda: len(player.game.moves) == 1)
        assert player.message.endswith("Your move.")
        await player.press("w", "escape")
        await player.type("24-20")
        await player.wait_for(lambda: len(player.game.moves) == 3)
    assert program_of(player).calls[-2:] == [("end", 3, None), "close"]


@async_test
async def test_an_engine_moves_at_once_and_is_closed(tmp_path: Path) -> None:
    async with open_app(make_session("international", "human", "fake:waits"), tmp_path) as player:
        program = program_of(player)
        await player.press("!")  # no engine is thinking
        await player.type("32-28")
        await player.wait_for(lambda: len(program.calls) == 2)
        assert player.message == "Black is thinking …"
        await player.press("v", "!")  # the screen responds
        await player.wait_for(lambda: len(player.game.moves) == 2)
        await player.type("31-26")
        await player.wait_for(lambda: len(player.game.moves) == 3 and program.calls[-1] == ("choose", 3, None, None))
        await player.press("u")
        await player.wait_for(lambda: len(player.game.moves) == 2)
    assert program.calls[-1] == "close"
    (kept,) = SavedGames(tmp_path).list()
    assert kept.players[Side.BLACK] == "fake:waits"


@async_test
async def test_an_engine_that_fails_when_stopped_has_not_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(engine: FakeEngine) -> None:
        engine.is_closed = True  # so that it raises
        engine.is_released.set()

    monkeypatch.setattr(FakeEngine, "stop", stop)
    async with open_app(make_session("international", "human", "fake:waits"), tmp_path) as player:
        program = program_of(player)
        await player.type("32-28")
        await player.wait_for(lambda: len(program.calls) == 2)
        await player.press("u")
        await player.wait_for(lambda: program.calls[-1] == "close")
        assert player.message == "Took back a move. Your move."
        await player.type("31-26")
        await player.wait_for(lambda: program.calls.count("open") == 2 and len(program.calls) == 5)
        await player.press("p")
        await player.wait_for(lambda: program.calls[-1] == "close")
        assert player.message == "Paused: p goes on."


@pytest.mark.slow
@async_test
async def test_either_of_two_engines_can_be_replaced(tmp_path: Path) -> None:
    async with open_app(make_session("kalah", "fake:dies", "fake:dies"), tmp_path) as player:
        await player.wait_for(lambda: "South fails" in player.message)
        await player.press("w")
        await player.wait_for_screen(ChoiceDialog)
        await player.choose("South")
        await player.wait_for_screen(TextDialog)
        await write(player, "fake:plays")
        await player.wait_for(lambda: "North fails" in player.message)
        await player.type("seat", into=True)
        await player.wait_for_screen(ChoiceDialog)
        await player.press("escape")
        assert player.is_at_table()
