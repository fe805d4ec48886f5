"""Whole games by keyboard, by mouse and by typing."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from examples.heap import Heaps
from tablemen import Side
from tablemen.family import register_family, unregister_family
from tablemen.mancala import KALAH
from tablemen.mancala.moves import Pit
from tablemen.session import Session
from tablemen.tui import mancala_board
from tablemen.tui.board import BoardWidget
from tablemen.tui.mancala_board import MancalaBoard, Sowing, count_seeds
from tablemen.tui.widgets import ChoiceDialog
from tests.tui.fixtures import Player, async_test, find_place, make_session, open_app

Way = Callable[[Player, tuple[str, ...]], Awaitable[None]]


async def by_mouse(player: Player, places: tuple[str, ...]) -> None:
    for place in places:
        await player.click(place)


async def by_keyboard(player: Player, places: tuple[str, ...]) -> None:
    board = player.table.board
    for place in places:
        await go_to(player, board, place)
        await player.press("enter")
    await player.pilot.pause()


async def go_to(player: Player, board: BoardWidget, place: str) -> None:
    """Move the cursor to a place by its position on the screen."""
    if not board.has_cursor:
        await player.press("right")
    before = None
    while board.cursor_place() != place:
        assert board.cursor_place() != before, f"the cursor cannot reach {place}"
        before = board.cursor_place()
        await player.press(direction(board, place))


def direction(board: BoardWidget, place: str) -> str:
    (x, y), (wanted_x, wanted_y) = find_place(board, board.cursor_place()), find_place(board, place)
    if abs(y - wanted_y) > 1:
        return "down" if wanted_y > y else "up"
    return "right" if wanted_x > x else "left"


async def by_typing(player: Player, places: tuple[str, ...]) -> None:
    await player.type("-".join(places))


async def play_to_the_end(player: Player, way: Way, *, seed: int) -> None:
    """Play random moves of both sides until the game is over."""
    chance = random.Random(seed)
    game = player.game
    while game.outcome() is None:
        places, move = chance.choice(player.table.move_input.paths)
        before = len(game.moves)
        await way(player, places)
        assert len(game.moves) == before + 1, player.message
        assert game.moves[-1] == move


SHORT: dict[str, tuple[Any, str | None, int]] = {  # short games with these seeds, with multiple captures
    "kalah": (replace(KALAH, houses=3, seeds=2), None, 4),
    "international": ("international", "W:W32,38,K47:B28,19,18,9,12", 1),
    "russian": ("russian", "W:Wc3,Kh2:Bd4,f6,b6", 2),
}


async def a_whole_game(session: Session, folder: Path, way: Way, seed: int) -> None:
    async with open_app(session, folder) as player:
        await play_to_the_end(player, way, seed=seed)
        await player.wait_for_screen(ChoiceDialog)
        assert player.question == player.result != ""


QUICK = {("kalah", by_keyboard), ("international", by_mouse), ("russian", by_typing)}


@pytest.mark.parametrize(
    ("name", "way"),
    [
        pytest.param(name, way, marks=() if (name, way) in QUICK else pytest.mark.slow)
        for name in SHORT
        for way in (by_mouse, by_keyboard, by_typing)
    ],
)
def test_a_short_game_can_be_played_to_its_end(tmp_path: Path, name: str, way: Way) -> None:
    variant, start, seed = SHORT[name]
    async_test(a_whole_game)(make_session(variant, start=start), tmp_path, way, seed)


@pytest.mark.slow
@pytest.mark.parametrize("way", [by_mouse, by_keyboard])
@pytest.mark.parametrize("variant", ["english", "kalah"])
def test_a_whole_game_can_be_played_to_its_end(tmp_path: Path, variant: str, way: Way) -> None:
    async_test(a_whole_game)(make_session(variant), tmp_path, way, 4)


@async_test
async def test_a_family_without_a_board_widget_is_drawn_as_text(tmp_path: Path) -> None:
    register_family(Heaps())
    try:
        async with open_app(make_session("heap"), tmp_path) as player:
            assert "|" * 13 in player.shown()
            await player.pilot.click("#board")
            await player.press("right", "enter")
            assert not player.game.moves
            await player.type("3")
            assert player.message == player.report
            assert f" {'|' * 10} " in player.shown()
            await player.type("5")
            assert player.shows_error
            await player.wait_for(lambda: not player.table.meter.display)
    finally:
        unregister_family("heaps")


@pytest.mark.parametrize("variant", ["kalah", "oware"])
def test_every_seed_is_sown(variant: str) -> None:
    """Unless seeds are captured, the sown seeds are the next position."""
    chance = random.Random(1)
    game = make_session(variant).game
    while game.outcome() is None:
        before = game.position
        move = chance.choice(game.legal_moves())
        game.push(move)
        sowing = Sowing(before, move)
        total = sum(sowing.seeds.values())
        while sowing.pits:
            sowing.sow()
            total += 1
            assert sum(sowing.seeds.values()) == total
        assert move.captured or sowing.seeds == count_seeds(game.position)


def is_sowing(board: MancalaBoard) -> bool:
    return board._sowing is not None


@async_test
async def test_the_next_move_waits_for_the_sowing(tmp_path: Path) -> None:
    with patch.multiple(mancala_board, SOWING_INTERVAL=9999, MAX_SOWING_TIME=9999):
        async with open_app(make_session("kalah", "human", "robot"), tmp_path) as player:
            player.app.animation_level = "full"
            board = player.table.board
            assert isinstance(board, MancalaBoard)
            player.table._play("2")  # a key would skip the animation
            shown = []
            for _ in range(5):
                shown.append([board._seeds(Pit(Side.WHITE, house)) for house in range(1, 7)])
                board._sow_seed()
            assert shown == [
                [4, 0, 4, 4, 4, 4],
                [4, 0, 5, 4, 4, 4],
                [4, 0, 5, 5, 4, 4],
                [4, 0, 5, 5, 5, 4],
                [4, 0, 5, 5, 5, 5],
            ]
            assert not is_sowing(board)
            await player.wait_for(lambda: len(player.game.moves) == 2)
            assert is_sowing(board)  # the move of the computer
            await player.pilot.pause(0.1)
            assert len(player.game.moves) == 2  # although the computer moves again


@pytest.mark.slow
@async_test
async def test_a_key_or_a_click_skips_the_sowing(tmp_path: Path) -> None:
    with patch.multiple(mancala_board, SOWING_INTERVAL=9999, MAX_SOWING_TIME=9999):
        async with open_app(make_session("kalah"), tmp_path) as player:
            board = player.table.board
            assert isinstance(board, MancalaBoard)
            await player.type("1")
            assert not is_sowing(board)  # animations are off
            player.app.animation_level = "full"
            for skip in (lambda: player.press("escape"), lambda: player.pilot.click("#message")):
                board.focus()
                await player.pilot.pause()
                player.table._play(str(player.game.legal_moves()[0]))
                assert is_sowing(board)
                await skip()
                assert not is_sowing(board)
