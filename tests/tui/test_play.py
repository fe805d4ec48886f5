"""Whole games on the full screen, by keyboard, by mouse and by typing."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tablemen.mancala import KALAH
from tablemen.session import Session
from tablemen.tui.board import Board
from tablemen.tui.dialogs import Choice
from tests.tui.tables import Player, find_place, in_program, make_session, sit_down

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


async def go_to(player: Player, board: Board, place: str) -> None:
    """Takes the cursor to a place as somebody would who looks at the screen."""
    if not board.has_cursor:
        await player.press("right")
    before = None
    while board.cursor_place() != place:
        assert board.cursor_place() != before, f"the cursor does not come to {place}"
        before = board.cursor_place()
        await player.press(direction(board, place))


def direction(board: Board, place: str) -> str:
    (x, y), (wanted_x, wanted_y) = find_place(board, board.cursor_place()), find_place(board, place)
    if abs(y - wanted_y) > 1:
        return "down" if wanted_y > y else "up"
    return "right" if wanted_x > x else "left"


async def by_typing(player: Player, places: tuple[str, ...]) -> None:
    await player.type("-".join(places))


async def play_to_the_end(player: Player, way: Way, *, seed: int) -> None:
    """Both sides' moves by chance, each made at the screen, until the program says that it is over."""
    chance = random.Random(seed)
    game = player.game
    while game.outcome() is None:
        places, move = chance.choice(player.table.picking.paths)
        before = len(game.moves)
        await way(player, places)
        assert len(game.moves) == before + 1, player.message
        assert game.moves[-1] == move


SHORT: dict[str, tuple[Any, str | None, int]] = {  # with captures of several pieces; few moves with these seeds
    "kalah": (replace(KALAH, houses=3, seeds=2), None, 4),
    "international": ("international", "W:W32,38,K47:B28,19,18,9,12", 1),
    "russian": ("russian", "W:Wc3,Kh2:Bd4,f6,b6", 2),
}


async def a_whole_game(session: Session, folder: Path, way: Way, seed: int) -> None:
    async with sit_down(session, folder) as player:
        await play_to_the_end(player, way, seed=seed)
        await player.wait_for_screen(Choice)
        outcome = player.game.outcome()
        assert outcome is not None
        told = player.table.session.family.describe_outcome(outcome, player.game.position)
        assert str(player.app.screen.query_one(".question").render()) == f"{told}."


QUICK = {("kalah", by_keyboard), ("international", by_mouse), ("russian", by_typing)}


@pytest.mark.parametrize(
    ("name", "way"),
    [
        pytest.param(name, way, marks=() if (name, way) in QUICK else pytest.mark.slow)
        for name in SHORT
        for way in (by_mouse, by_keyboard, by_typing)
    ],
)
def test_a_short_game(tmp_path: Path, name: str, way: Way) -> None:
    variant, start, seed = SHORT[name]
    in_program(a_whole_game)(make_session(variant, start=start), tmp_path, way, seed)


@pytest.mark.slow
@pytest.mark.parametrize("way", [by_mouse, by_keyboard])
@pytest.mark.parametrize("variant", ["english", "kalah"])
def test_a_whole_game(tmp_path: Path, variant: str, way: Way) -> None:
    in_program(a_whole_game)(make_session(variant), tmp_path, way, 4)
