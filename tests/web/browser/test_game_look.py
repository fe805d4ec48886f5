"""Tests of the display of a game: orientation, window sizes, shortcuts, sounds and animations."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.timeouts import wait_until
from tests.web.browser.axe import horizontal_overflow
from tests.web.browser.pages import EARLIER, PHONE, SHORTCUTS, WIDE, OpenGame


def test_earlier_position_is_shown(open_game: OpenGame) -> None:
    game = open_game("international", moves=["32-28", "19-23", "28x19"])
    game.expect_moves(3)
    game.moves.nth(0).click()
    game.board.expect_label("28", "white man, last move")
    expect(game.board.playable).to_have_count(0)
    expect(game.page.get_by_text(EARLIER)).to_be_visible()
    game.page.keyboard.press("ArrowLeft")
    game.board.expect_label("32", "white man")
    game.button("Back to the game").click()
    game.board.expect_label("19", "white man, last move")
    expect(game.board.playable).not_to_have_count(0)


def test_board_is_flipped(open_game: OpenGame) -> None:
    game = open_game("international")
    expect(game.board.grid).to_have_accessible_name(re.compile("white at the bottom", re.IGNORECASE))
    first, last = game.board.place("1").bounding_box(), game.board.place("50").bounding_box()
    game.page.keyboard.press("f")
    expect(game.board.grid).to_have_accessible_name(re.compile("black at the bottom", re.IGNORECASE))
    assert game.board.place("50").bounding_box() == first
    assert game.board.place("1").bounding_box() == last


def test_letter_shortcuts_can_be_disabled(open_game: OpenGame) -> None:
    game = open_game("international")
    game.page.keyboard.press("?")
    help_ = game.page.get_by_role("dialog", name=SHORTCUTS)
    expect(help_).to_be_visible()
    help_.get_by_role("checkbox", name="Use letter keys as shortcuts").uncheck()
    game.page.keyboard.press("Escape")
    expect(help_).to_be_hidden()
    game.page.keyboard.press("f")
    game.page.keyboard.press("?")
    expect(game.board.grid).to_have_accessible_name(re.compile("white at the bottom", re.IGNORECASE))
    expect(help_).to_be_hidden()


def test_letters_in_a_text_field_are_not_shortcuts(open_game: OpenGame) -> None:
    game = open_game("international")
    game.page.get_by_role("textbox", name="Type a move").press_sequentially("fhu?")
    expect(game.page.get_by_role("textbox", name="Type a move")).to_have_value("fhu?")
    expect(game.board.grid).to_have_accessible_name(re.compile("white at the bottom", re.IGNORECASE))


def test_sounds_play_only_if_enabled(open_game: OpenGame) -> None:
    game = open_game("international")
    game.page.context.add_init_script(
        "window.contexts = 0; const kind = window.AudioContext; "
        "window.AudioContext = class extends kind { constructor() { super(); window.contexts += 1; } };"
    )
    game.page.reload()
    game.play(game.find_move("32-28"))
    assert game.page.evaluate("contexts") == 0
    game.button("Sounds").click()
    game.play(game.find_move("19-23"))
    # The content security policy of the page does not allow `wait_for_function`.
    wait_until(lambda: game.page.evaluate("contexts") == 1, "no sound is played")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
@pytest.mark.parametrize(("variant", "move"), [("kalah", "1"), ("international", "32-28")])
def test_reduced_motion_disables_animations(open_game: OpenGame, motion: str, variant: str, move: str) -> None:
    game = open_game(variant, {"reduced_motion": motion})
    game.page.context.add_init_script(
        "window.animations = 0; const animate = Element.prototype.animate; "
        "Element.prototype.animate = function (...args) { window.animations += 1; return animate.apply(this, args); };"
    )
    game.page.reload()
    game.play(game.find_move(move))
    game.board.expect_label(*(("south 1", "0 seeds") if variant == "kalah" else ("28", "white man, last move")))
    assert (game.page.evaluate("animations") > 0) == (motion == "no-preference")


# Animations stand still until the test finishes them.
PAUSE_ANIMATIONS = """
const animate = Element.prototype.animate;
window.paused = new Set();
Element.prototype.animate = function (...given) {
  const animation = animate.apply(this, given);
  animation.pause();
  paused.add(animation);
  return animation;
};
window.finishAnimations = () => {
  const count = paused.size;
  paused.forEach((animation) => animation.finish());
  paused.clear();
  return count;
};
"""


@pytest.mark.parametrize(
    ("variant", "position", "move", "winner"),
    [
        ("kalah", "<6,10,10,0,0,0,0,1,0,1,0,0,0,0,0> south", "5", "South"),
        ("international", "W:W28:B22", "28x17", "White"),
    ],
)
def test_result_is_shown_after_the_animation_of_the_last_move(
    open_game: OpenGame, variant: str, position: str, move: str, winner: str
) -> None:
    game = open_game(variant, {"reduced_motion": "no-preference"}, position=position)
    game.page.context.add_init_script(PAUSE_ANIMATIONS)
    game.page.reload()
    game.play(game.find_move(move))
    assert game.state["outcome"] is not None
    expect(game.page).to_have_title(re.compile("to move"))
    expect(game.result(f"{winner} won")).to_be_hidden()
    wait_until(lambda: game.page.evaluate("finishAnimations()") == 0, "the animation does not end")
    game.expect_result(f"{winner} won")
    expect(game.page).to_have_title(re.compile(f"^{winner} won"))


def test_extra_turn_is_shown_and_announced_once(open_game: OpenGame) -> None:
    game = open_game("kalah")
    game.play(game.find_move("3"))
    expect(game.panel.get_by_text("South to move, once more", exact=True)).to_be_visible()
    expect(game.announcer).to_have_text("South: house 3, moves again. South to move.")
    game.play(game.find_move("1"))
    expect(game.panel.get_by_text("North to move", exact=True)).to_be_visible()


def test_repeated_message_is_shown_once(open_game: OpenGame) -> None:
    game = open_game("kalah", {"permissions": ["clipboard-read", "clipboard-write"]})
    game.page.get_by_text("Share").click()
    for _ in range(3):
        game.button("Copy position").click()
        expect(game.announcer).to_have_text("Position copied.")
    expect(game.page.locator(".toast")).to_have_count(1)
    game.button("Copy spectator link").click()
    expect(game.page.locator(".toast")).to_have_count(2)


@pytest.mark.parametrize("size", [PHONE, WIDE], ids=["phone", "wide"])
@pytest.mark.parametrize("variant", ["international", "canadian", "kalah"])
def test_board_and_players_fit_the_window(open_game: OpenGame, variant: str, size: dict[str, int]) -> None:
    game = open_game(variant, {"viewport": size}, clock="5+3")
    expect(game.board.playable).not_to_have_count(0)
    box = game.page.get_by_role("region", name="Board and players").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= size["width"]
    assert box["y"] + box["height"] <= size["height"]


@pytest.mark.parametrize("houses", [1, 3, 8, 12, 24])
def test_mancala_board_fits_a_phone(open_game: OpenGame, houses: int) -> None:
    game = open_game("kalah", {"viewport": PHONE}, houses=houses, seeds=2)
    expect(game.board.playable).to_have_count(houses)
    assert horizontal_overflow(game.page) == 0
