"""Move input: selected places, typed moves, and messages."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from textual.events import Paste
from textual.widgets import Input

from tablemen import Side
from tablemen.family import get_family
from tablemen.mancala import KALAH, Swap
from tablemen.tui.board import TOO_SMALL
from tablemen.tui.table_screen import SELECT_TARGET, SEVERAL_CAPTURES
from tests.tui.fixtures import async_test, make_session, open_app

SEVERAL = "W:WK10:B14,17,27,31"  # two captures of the king end on 3, and take different men


@async_test
async def test_a_piece_is_selected_and_dropped(tmp_path: Path) -> None:
    async with open_app(make_session("international", start="W:W32,31:B28,19,18,1"), tmp_path) as player:
        table = player.table
        assert not player.picked()
        await player.click("32")
        assert table.move_input.targets | table.move_input.ends == {"23", "12", "14"}
        assert player.message == f"Selected 32. {SELECT_TARGET}"
        await player.press("escape")
        assert not player.picked()
        assert player.message == player.turn
        assert "32x14, 32x12" in player.turn  # a capture is compulsory
        await player.click("32")
        await player.click("23")
        assert player.picked() == ("32", "23")
        assert player.message == f"Selected 32x23. {SELECT_TARGET}"
        await player.click("23")  # a second click drops it
        assert not player.picked()
        assert player.message == player.turn
        await player.click("32")
        await player.click("12")  # the end of the capture
        assert [str(move) for move in player.game.moves] == ["32x12"]
        assert table.board.view.last_move == player.game.moves[-1]
        assert player.message == player.report


@async_test
async def test_captures_with_the_same_end_are_selected_jump_by_jump(tmp_path: Path) -> None:
    async with open_app(make_session("international", start=SEVERAL), tmp_path) as player:
        await player.click("10")
        await player.click("3")
        assert player.message == SEVERAL_CAPTURES
        assert player.picked() == ("10",)
        await player.click("32")
        await player.click("3")
        assert [str(move) for move in player.game.moves] == ["10x32x21x3"]
    async with open_app(make_session("international", start="W:W14:B8,9,18,19"), tmp_path / "other") as player:
        for place in ("14", "23", "12", "3", "14"):  # the capture ends on its start square
            await player.click(place)
        assert [move.end.name for move in player.game.moves] == ["14"]


@async_test
async def test_illegal_places_are_explained(tmp_path: Path) -> None:
    messages = {}
    async with open_app(make_session("international", start="W:W32,47,48,42,K49:B28,1,44,40"), tmp_path) as player:
        for places in (["27"], ["1"], ["47"], ["32", "27"], ["32", "5"]):
            for place in places:
                await player.click(place)
            messages[" ".join(places)] = player.message
            assert player.shows_error
            assert not player.picked()
        assert not player.game.moves
        position, family = player.game.position, player.table.session.family
        assert messages == {
            **{place: family.explain_place(place, position) for place in ("27", "1", "47")},
            **{f"32 {place}": family.explain_illegal(f"32-{place}", position) for place in ("27", "5")},
        }
    async with open_app(make_session("kalah", start="<6,0,4,0,4,4,4,4,4,4,4,4,4,4,4> south"), tmp_path) as player:
        await player.click("1")
        position, family = player.game.position, player.table.session.family
        assert player.message == family.explain_place("1", position) != ""
        await player.click("north 3")
        assert player.message == family.explain_place("north 3", position) != ""
        assert not player.game.moves


@pytest.mark.slow
@async_test
async def test_the_board_can_be_turned_around(tmp_path: Path) -> None:
    async with open_app(make_session("russian"), tmp_path) as player:
        upright = player.place("c3")
        await player.press("v")
        assert player.table.session.orientation is Side.BLACK
        assert player.place("c3") != upright
        assert player.place("f6") == upright
        assert "Black" in player.text("#near")
        await player.click("c3")
        await player.click("d4")
        await player.type("f6-g5")
        assert [str(move) for move in player.game.moves] == ["c3-d4", "f6-g5"]
        await player.press("down", "down")  # the first key shows the cursor; later ones follow the orientation
        before = player.table.board.cursor_place()
        await player.press("down")
        assert player.place(player.table.board.cursor_place())[1] > player.place(before)[1]


@async_test
async def test_lines_that_arrive_together_are_separate(tmp_path: Path) -> None:
    async with open_app(make_session("kalah"), tmp_path) as player:
        await player.type("3\r1\r2")
        await player.wait_for(lambda: [str(move) for move in player.game.moves] == ["3", "1", "2"])


@async_test
async def test_typing_over_the_board_fills_the_input(tmp_path: Path) -> None:
    async with open_app(make_session("international"), tmp_path) as player:
        await player.press("3", "2")
        typed = player.table.query_one("#typed", Input)
        assert (typed.value, typed.has_focus) == ("32", True)
        await player.press("escape")
        assert (typed.value, typed.has_focus) == ("", False)
        assert player.table.board.has_focus
        await player.type("32-27")
        for text in ("32-22", "99", "33-28"):
            await player.type(text)
            assert player.message == get_family(player.game.position).explain_illegal(text, player.game.position) != ""
            assert player.shows_error
        assert [str(move) for move in player.game.moves] == ["32-27"]
        await player.type("[/b]", into=True)  # not interpreted as markup
        assert "[/b]" in player.message
        player.app.post_message(Paste("20-24"))
        await player.wait_for(lambda: typed.value == "20-24")
        await player.press("enter")
        assert [str(move) for move in player.game.moves] == ["32-27", "20-24"]


@pytest.mark.parametrize(
    "way", ["keyboard", *(pytest.param(way, marks=pytest.mark.slow) for way in ("mouse", "typing"))]
)
@pytest.mark.parametrize(
    "size", [pytest.param((80, 24), id="horizontal", marks=pytest.mark.slow), pytest.param((50, 24), id="vertical")]
)
def test_sides_are_swapped(tmp_path: Path, way: str, size: tuple[int, int]) -> None:
    async def swap() -> None:
        async with open_app(
            make_session(replace(KALAH, swap=Swap.PIE, houses=10, seeds=1)), tmp_path, size=size
        ) as player:
            await player.click("2")
            if way == "mouse":
                await player.click("swap")
            elif way == "keyboard":
                await player.press("down", "down", "enter")
            else:
                await player.type("swap", into=True)
            assert [str(move) for move in player.game.moves] == ["2", "swap"]
            assert player.message == player.report

    async_test(swap)()


@async_test
async def test_moves_can_be_typed_if_the_board_does_not_fit(tmp_path: Path) -> None:
    async with open_app(make_session(replace(KALAH, houses=24, seeds=1)), tmp_path) as player:
        assert player.table.board.extent() == (0, 0)
        first, second = (line[:56].strip() for line in player.shown().splitlines()[:2])
        assert f"{first} {second}" == TOO_SMALL
        await player.pilot.click("#board")
        await player.type("24")
        assert [str(move) for move in player.game.moves] == ["24"]
        assert player.message == player.report
        await player.resize(80, 36)
        await player.click("3")
        assert [str(move) for move in player.game.moves] == ["24", "3"]
