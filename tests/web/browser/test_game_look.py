"""How the page of a game looks and sounds: the board turned around, in windows of any size, moving or not."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.timeouts import wait_until
from tests.web.browser.axe import width_beyond_the_window
from tests.web.browser.pages import PHONE, WIDE, SitDown


def test_an_earlier_position_is_looked_at(sit_down: SitDown) -> None:
    game = sit_down("international", moves=["32-28", "19-23", "28x19"])
    game.shows(3)
    game.moves.nth(0).click()
    game.board.says("28", "white man, last move")
    expect(game.board.playable).to_have_count(0)
    expect(game.page.get_by_text("An earlier position")).to_be_visible()
    game.page.keyboard.press("ArrowLeft")
    game.board.says("32", "white man")
    game.button("Back to the game").click()
    game.board.says("19", "white man, last move")
    expect(game.board.playable).not_to_have_count(0)


def test_the_board_is_turned_around(sit_down: SitDown) -> None:
    game = sit_down("international")
    expect(game.board.grid).to_have_accessible_name(re.compile("white at the bottom", re.IGNORECASE))
    first, last = game.board.place("1").bounding_box(), game.board.place("50").bounding_box()
    game.page.keyboard.press("f")
    expect(game.board.grid).to_have_accessible_name(re.compile("black at the bottom", re.IGNORECASE))
    assert game.board.place("50").bounding_box() == first
    assert game.board.place("1").bounding_box() == last


def test_the_keys_are_listed_and_letters_can_be_switched_off(sit_down: SitDown) -> None:
    game = sit_down("international")
    game.page.keyboard.press("?")
    help_ = game.page.get_by_role("dialog", name="Keys")
    expect(help_).to_be_visible()
    help_.get_by_role("checkbox", name="Letters are shortcuts").uncheck()
    game.page.keyboard.press("Escape")
    expect(help_).to_be_hidden()
    game.page.keyboard.press("f")
    game.page.keyboard.press("?")
    expect(game.board.grid).to_have_accessible_name(re.compile("white at the bottom", re.IGNORECASE))
    expect(help_).to_be_hidden()


def test_keys_in_a_text_field_are_text(sit_down: SitDown) -> None:
    game = sit_down("international")
    game.page.get_by_role("textbox", name="Type a move").press_sequentially("fhu?")
    expect(game.page.get_by_role("textbox", name="Type a move")).to_have_value("fhu?")
    expect(game.board.grid).to_have_accessible_name(re.compile("white at the bottom", re.IGNORECASE))


def test_sounds_play_only_where_they_are_on(sit_down: SitDown) -> None:
    game = sit_down("international")
    game.page.context.add_init_script(
        "window.heard = 0; const kind = window.AudioContext; "
        "window.AudioContext = class extends kind { constructor() { super(); window.heard += 1; } };"
    )
    game.page.reload()
    game.play(game.find_move("32-28"))
    assert game.page.evaluate("heard") == 0
    game.button("Sounds").click()
    game.play(game.find_move("19-23"))
    # `wait_for_function` looks a second time from within the page, and its policy forbids that.
    wait_until(lambda: game.page.evaluate("heard") == 1, "nothing is heard")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
@pytest.mark.parametrize(("variant", "move"), [("kalah", "1"), ("international", "32-28")])
def test_nothing_moves_where_nobody_wants_it(sit_down: SitDown, motion: str, variant: str, move: str) -> None:
    game = sit_down(variant, {"reduced_motion": motion})
    game.page.context.add_init_script(
        "window.moved = 0; const move = Element.prototype.animate; "
        "Element.prototype.animate = function (...given) { window.moved += 1; return move.apply(this, given); };"
    )
    game.page.reload()
    game.play(game.find_move(move))
    game.board.says(*(("south 1", "0 seeds") if variant == "kalah" else ("28", "white man, last move")))
    assert (game.page.evaluate("moved") > 0) == (motion == "no-preference")


@pytest.mark.parametrize("size", [PHONE, WIDE], ids=["phone", "wide"])
@pytest.mark.parametrize("variant", ["international", "canadian", "kalah"])
def test_board_and_players_fit_the_window(sit_down: SitDown, variant: str, size: dict[str, int]) -> None:
    game = sit_down(variant, {"viewport": size}, clock="5+3")
    expect(game.board.playable).not_to_have_count(0)
    box = game.page.get_by_role("region", name="Board and players").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= size["width"]
    assert box["y"] + box["height"] <= size["height"]


@pytest.mark.parametrize("houses", [1, 3, 8, 12, 24])
def test_no_board_is_too_wide_for_a_phone(sit_down: SitDown, houses: int) -> None:
    game = sit_down("kalah", {"viewport": PHONE}, houses=houses, seeds=2)
    expect(game.board.playable).to_have_count(houses)
    assert width_beyond_the_window(game.page) == 0
