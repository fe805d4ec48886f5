"""Windows of any size: the important widgets are visible, and resizing loses nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.widget import Widget
from textual.widgets import Button

from tablemen.mancala import KALAH, Swap
from tablemen.tui.board import TOO_SMALL
from tablemen.tui.menu import MenuScreen
from tablemen.tui.widgets import ChoiceDialog
from tests.tui.fixtures import Player, async_test, make_session, open_app

SMALLEST = (40, 20)
SIZES = [SMALLEST, (200, 60), (77, 24), (78, 24), (116, 30), (30, 12), (10, 4), (1, 1), (80, 24)]
NEEDED = ("#board", "#far", "#near", "#message", "#typed")


def is_seen(widget: Widget, player: Player) -> bool:
    """Return whether a widget is completely visible."""
    region = widget.region
    return region.area > 0 and player.app.screen.region.contains_region(region)


def check_whole(player: Player) -> None:
    """Check that all important widgets are visible, do not overlap, and that the board fits."""
    widgets = [player.table.query_one(name) for name in NEEDED]
    for widget in widgets:
        assert is_seen(widget, player), f"{widget} at {player.app.size}"
    regions = [widget.region for widget in widgets]
    assert not any(one.overlaps(other) for one in regions for other in regions if one is not other)
    width, height = player.table.board.extent()
    assert 0 < width <= player.table.board.size.width
    assert 0 < height <= player.table.board.size.height
    assert player.text("#far").strip()
    assert player.text("#near").strip()


@pytest.mark.parametrize("variant", ["international", pytest.param("kalah", marks=pytest.mark.slow)])
def test_resizing_keeps_the_game(tmp_path: Path, variant: str) -> None:
    async def change() -> None:
        async with open_app(make_session(variant), tmp_path) as player:
            ways = player.table.move_input.paths
            await player.click(ways[0][0][0])
            for width, height in SIZES:
                await player.resize(width, height)
                if width >= SMALLEST[0] and height >= SMALLEST[1]:
                    await player.wait_until_passes(lambda: check_whole(player))
            moves = [str(move) for move in player.game.moves]
            await player.click(ways[0][0][-1] if variant == "international" else "2")
            assert len(player.game.moves) == len(moves) + 1

    async_test(change)()


@pytest.mark.parametrize(
    ("variant", "clock"),
    [
        pytest.param("canadian", "6000", id="canadian"),
        pytest.param(replace(KALAH, houses=11), None, id="kalah of 11 houses"),
        pytest.param("russian", None, id="russian", marks=pytest.mark.slow),
        pytest.param("turkish", "60", id="turkish", marks=pytest.mark.slow),
        pytest.param(replace(KALAH, swap=Swap.PIE), "6000", id="kalah with a swap", marks=pytest.mark.slow),
    ],
)
def test_everything_fits_the_smallest_window(tmp_path: Path, variant: Any, clock: str | None) -> None:
    async def look() -> None:
        session = make_session(variant, clock=clock)
        async with open_app(session, tmp_path, size=SMALLEST) as player:
            await player.wait_until_passes(lambda: check_whole(player))
            before = player.table.board.region
            await player.type(str(player.game.legal_moves()[0]))
            await player.wait_until_passes(lambda: check_whole(player))
            assert player.table.board.region == before  # a long message does not move the board
            assert session.family.side_name(session.orientation) in player.text("#near")
            shown = player.shown().splitlines()
            assert len(shown) == SMALLEST[1]
            assert player.message.split(".")[0] in " ".join(line.strip() for line in shown)

    async_test(look)()


@async_test
async def test_dialogs_fit_the_smallest_window(tmp_path: Path) -> None:
    session = make_session("russian", start="W:Wc3:Bd4")
    async with open_app(session, tmp_path, size=SMALLEST) as player:
        await player.press("question_mark")
        assert "Russian" in player.shown()
        await player.press("escape")
        await player.press("s")
        await player.wait_for(lambda: bool(player.app.screen.query("Input")))
        assert is_seen(player.app.screen.query_one("Input"), player)
        await player.press("escape")
        await player.type("c3-e5")
        await player.wait_for_screen(ChoiceDialog)
        await player.pilot.pause()
        for widget in (*player.app.screen.query(Button), player.app.screen.query_one(".question")):
            assert is_seen(widget, player), widget
        await player.choose("Another game")
        await player.wait_for_screen(MenuScreen)
        await player.pilot.pause()
        for name in ("#list", "#chosen", "#play"):
            assert is_seen(player.app.screen.query_one(name), player), name
        assert player.app.screen.query_one("#list").region.height >= 4


@async_test
async def test_moves_can_be_typed_in_tiny_windows(tmp_path: Path) -> None:
    async with open_app(make_session("international"), tmp_path, size=(20, 8)) as player:
        assert player.table.board.extent() == (0, 0)
        assert is_seen(player.table.query_one("#typed"), player)
        assert TOO_SMALL.startswith(player.shown().splitlines()[0].strip())
        await player.type("32-28")
        assert [str(move) for move in player.game.moves] == ["32-28"]
