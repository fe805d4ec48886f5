"""Terminals without colours: no colour is used, and characters distinguish everything."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.style import Style

from tablemen import Game, Side
from tablemen.draughts import Position
from tablemen.mancala import KALAH
from tablemen.mancala import Position as Pits
from tablemen.move_input import MoveInput
from tablemen.tui.board import BoardView
from tablemen.tui.draughts_board import DraughtsBoard
from tablemen.tui.mancala_board import MancalaBoard
from tablemen.tui.widgets import HelpDialog
from tests.tui.fixtures import Player, async_test, find_places, make_session, open_app
from tests.tui.test_boards import sized, texts


def styles(player: Player) -> list[Style]:
    """Return the styles on the screen, after the filters of the app."""
    filters = player.app._filters
    background = player.app.screen.background_colors[1]
    found = []
    for strip in player.app.screen._compositor.render_strips():
        for each in filters:
            strip = strip.apply_filter(each, background)  # noqa: PLW2901 - one after the other
        found += [segment.style for segment in strip if segment.style is not None]
    return found


async def collect_styles(player: Player) -> list[Style]:
    """Return the styles of the table with a cursor and a picked piece, the help and the menu."""
    await player.press("right", "right")
    await player.click(player.table.move_input.paths[0][0][0])
    found = styles(player)
    await player.press("question_mark")
    assert isinstance(player.app.screen, HelpDialog)
    found += styles(player)
    await player.press("escape", "n")
    await player.wait_for(lambda: bool(player.app.screen.query("#list")))
    await player.pilot.pause()
    return found + styles(player)


@pytest.mark.parametrize("variant", ["international", pytest.param("kalah", marks=pytest.mark.slow)])
def test_no_color_uses_no_colour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variant: str) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def look() -> None:
        async with open_app(make_session(variant), tmp_path) as player:
            coloured = [style for style in await collect_styles(player) if style.color or style.bgcolor]
            assert [style for style in coloured if not is_default(style)] == []

    async_test(look)()


def is_default(style: Style) -> bool:
    """Return whether these are the terminal's default colours."""
    return all(colour is None or colour.is_default for colour in (style.color, style.bgcolor))


def test_colours_are_used_by_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)

    async def look() -> None:
        async with open_app(make_session("international"), tmp_path) as player:
            grounds = {style.bgcolor for style in styles(player) if style.bgcolor and not is_default(style)}
            assert len(grounds) > 3

    async_test(look)()


MARKED = ["plain", "cursor", "picked", "hint", "last"]


def marked_square(variant: str, fen: str, mark: str, size: tuple[int, int]) -> str:
    """Return the characters of a square with a piece, or an empty one, with a highlight."""
    game = Game(Position.from_fen(fen, variant))
    board = sized(DraughtsBoard, BoardView(game), size)
    square = board.places[board.cursor.row, board.cursor.column]
    name = square.name
    move_input = MoveInput((), (name,)) if mark == "picked" else MoveInput(())
    move = type("Marked", (), {"path": (square,), "start": square, "end": square})()
    view = replace(board.view, move_input=move_input, hint=move if mark == "hint" else None)
    if mark == "last":
        view = type("Last", (), {**vars(view), "last_move": move})()
    else:
        view = type("None", (), {**vars(view), "last_move": None})()
    board.view, board.has_cursor = view, mark == "cursor"
    left, top = board.margins()
    drawn = texts(board)
    return "".join(drawn[y - top][x - left] for x, y in find_places(board)[name])


@pytest.mark.parametrize(
    "size", [(34, 10), (60, 21), *(pytest.param(size, marks=pytest.mark.slow) for size in ((80, 32), (100, 41)))]
)
def test_characters_distinguish_pieces_and_highlights(size: tuple[int, int]) -> None:
    board = sized(DraughtsBoard, BoardView(Game(Position.start("international"))), size)
    name = board.cursor.name
    others = {"White man": f"W:W{name}:B1", "white king": f"W:WK{name}:B1", "black man": f"W:W50:B{name}",
              "black king": f"W:W50:BK{name}", "nothing": "W:W50:B1"}  # fmt: skip
    looks = {
        (piece, mark): marked_square("international", fen, mark, size)
        for piece, fen in others.items()
        for mark in MARKED
    }
    same = [(one, other) for one in looks for other in looks if one < other and looks[one] == looks[other]]
    assert same == []


def test_characters_distinguish_targets() -> None:
    game = Game(Position.from_fen("W:W32:B28,19,18", "international"))
    move_input = MoveInput.for_game(game).touch("32")
    board = sized(DraughtsBoard, BoardView(game, move_input=move_input), (34, 10))
    left, top = board.margins()
    drawn = texts(board)
    looks = {name: "".join(drawn[y - top][x - left] for x, y in points) for name, points in find_places(board).items()}
    assert {name for name, look in looks.items() if "•" in look} == {"23", "12", "14"}
    assert looks["32"] == "[○]"


def house_looks(view: BoardView, size: tuple[int, int], **state: Any) -> dict[str, str]:
    board = sized(MancalaBoard, view, size)
    vars(board).update(state)
    left, top = board.margins()
    drawn = texts(board)
    places = find_places(board)
    looks = {place: "".join(drawn[y - top][x - left] for x, y in points) for place, points in places.items()}
    return {
        place: "".join(sign for sign in look if not sign.isdecimal() and sign != "•") for place, look in looks.items()
    }


@pytest.mark.parametrize("size", [(40, 8), (90, 12), (30, 9)], ids=["small", "large", "vertical"])
def test_characters_distinguish_houses(size: tuple[int, int]) -> None:
    game = Game(Pits.start(KALAH))
    game.push("6")
    game.push("6")
    game.push("1")
    view = BoardView(game, Side.WHITE, MoveInput.for_game(game), hint=game.legal_moves()[-1])
    looks = house_looks(view, size, has_cursor=True, cursor=3)
    closed = next(place for place in looks if place not in view.move_input.starts | {"south 1"})
    kinds = [looks[place] for place in ("3", str(view.hint), "south 1", "4", closed)]
    assert len(set(kinds)) == len(kinds), kinds
