"""Tests of the usability of the game page: animations, explanations, focus, and keys."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.timeouts import wait_until
from tests.web.browser.pages import (
    EARLIER,
    INVITE,
    INVITE_LINK,
    REDUCED_MOTION,
    Board,
    GamePage,
    OpenGame,
    click,
    create_game,
)
from tests.web.subprocess_server import Server

WITH_ANIMATIONS: dict[str, str] = {"reduced_motion": "no-preference"}
FULL_STORAGE = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };"
SLOW_ANIMATIONS = """
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, timing) {
  return animate.call(this, frames, { ...timing, duration: 100 * timing.duration, delay: 100 * (timing.delay ?? 0) });
};
"""


def test_move_is_accepted_while_seeds_fly(server: Server, open_page: Callable[..., Page]) -> None:
    address = create_game(server, variant="kalah", clock="1+0")
    page = open_page(server, address["south"], **WITH_ANIMATIONS)
    page.add_init_script(SLOW_ANIMATIONS)  # the next move is made during the animation
    page.reload()
    game = GamePage(page, server)
    game.play(game.find_move("2"))
    expect(page.locator(".flying-seed")).not_to_have_count(0)
    game.play(game.find_move("2"))
    assert [ply["side"] for ply in game.state["plies"]] == ["south", "north"]


def test_click_skips_the_animations_of_earlier_moves(server: Server, open_page: Callable[..., Page]) -> None:
    page = open_page(server, create_game(server, variant="kalah", clock="1+0")["south"], **WITH_ANIMATIONS)
    page.add_init_script(SLOW_ANIMATIONS)
    page.reload()
    game = GamePage(page, server)
    other = GamePage(open_page(server, page.url), server)
    key = page.evaluate(f"sessionStorage.getItem('tablemen.key.{game.id}')")
    for move in ("2", "1"):
        server.ask(f"/api/games/{game.id}/actions", {"action": "move", "move": move}, key=key)
    game.expect_moves(2)
    other.expect_moves(2)
    expect(page.locator(".flying-seed")).not_to_have_count(0)
    click(game.board, ["south 1"])
    wait_until(lambda: game.ply_count == 3, "the move was not played")


def test_double_click_sows_once(open_game: OpenGame) -> None:
    game = open_game("kalah", houses=1, seeds=3, position="<1,0,0,4,2> south")
    game.board.place("south 1").dblclick()
    game.expect_moves(1)
    assert game.ply_count == 1


@pytest.mark.parametrize("method", ["mouse", "keys"])
def test_click_on_a_blocked_piece_explains_the_rule_once(open_game: OpenGame, method: str) -> None:
    game = open_game("international", moves=["32-28", "19-23"])
    if method == "mouse":
        game.board.place("33").click()
    else:
        game.board.place("33").focus()
        game.page.keyboard.press("Enter")
    expect(game.announcer).to_contain_text("28x19")
    expect(game.page.locator(".toast")).to_have_count(1)
    game.board.place("33").click()
    expect(game.page.locator(".toast")).to_have_count(1)


def test_final_score_of_kalah_includes_all_seeds(open_game: OpenGame) -> None:
    game = open_game("kalah", houses=3, seeds=3, position="<3,10,4,0,0,1,2,0,1> south")
    game.play(game.find_move("3"))
    outcome = game.state["outcome"]
    assert outcome["score"] == {"south": 11, "north": 7}
    for side, seeds in outcome["score"].items():
        expect(game.page.get_by_role("group", name=re.compile(f"^{side}:", re.IGNORECASE))).to_contain_text(
            f"{seeds} seeds"
        )


def test_invite_link_works_without_storage(server: Server, open_page: Callable[..., Page]) -> None:
    page = open_page(server, "/?variant=international", **REDUCED_MOTION)
    page.add_init_script(FULL_STORAGE)
    page.reload()
    page.get_by_text(INVITE, exact=True).click()
    page.get_by_role("button", name=re.compile("^Play")).click()
    link = page.get_by_label(INVITE_LINK)
    expect(link).to_be_visible()
    page.reload()
    expect(link).to_be_visible()
    friend = GamePage(open_page(server, link.input_value(), **REDUCED_MOTION), server)
    expect(friend.button("Resign")).to_be_enabled()
    sounds = page.get_by_role("button", name="Sounds")
    sounds.click()
    expect(sounds).to_have_attribute("aria-pressed", "true")


def test_arrow_keys_step_through_the_game_after_a_click(open_game: OpenGame) -> None:
    game = open_game("international")
    game.play(game.find_move("32-28"))
    game.play(game.find_move("19-23"))
    for count in (1, 0):
        game.page.keyboard.press("ArrowLeft")
        expect(game.page.get_by_text(EARLIER)).to_be_visible()
        expect(game.page.locator("[aria-current=true]")).to_have_count(count)
    game.page.keyboard.press("End")
    expect(game.page.get_by_text(EARLIER)).to_be_hidden()


def test_arrow_keys_move_the_cursor_after_tab(open_game: OpenGame) -> None:
    game = open_game("international", moves=["32-28"])
    board = Board(game.page)
    board.place("20").click()
    game.page.keyboard.press("Escape")
    game.page.keyboard.press("Tab")
    board.place("20").focus()
    game.page.keyboard.press("ArrowLeft")
    expect(board.place("19")).to_be_focused()


def test_focus_moves_from_disabled_buttons(open_game: OpenGame) -> None:
    game = open_game("international")
    game.play(game.find_move("32-28"))
    game.button("Take back").focus()
    game.page.keyboard.press("Enter")
    game.expect_moves(0)
    expect(game.board.grid.locator(":focus")).to_have_count(1)
    game.play(game.find_move("32-28"))
    game.button("Black resigns").focus()
    game.page.keyboard.press("Enter")
    game.page.keyboard.press("Enter")
    expect(game.result("White won")).to_be_focused()
    game.button("Previous move").focus()
    game.page.keyboard.press("Enter")
    expect(game.button("Next move")).to_be_focused()


def test_viewed_position_is_announced(open_game: OpenGame) -> None:
    game = open_game("international", moves=["32-28", "19-23"])
    game.button("Previous move").click()
    expect(game.announcer).to_contain_text("White: 32 to 28. Viewing move 1 of 2.")
    game.button("Hint").click()
    expect(game.page.get_by_text(EARLIER, exact=True)).to_be_hidden()
    expect(game.announcer).to_contain_text("Hint:")


def test_takeback_after_a_resignation_keeps_all_moves(open_game: OpenGame) -> None:
    game = open_game("international", moves=["32-28", "19-23"])
    game.resign()
    game.expect_result("Black won")
    game.button("Take back").click()
    expect(game.result("Black won")).to_be_hidden()
    game.expect_moves(2)


def test_link_to_the_analysis_keeps_the_orientation(open_game: OpenGame) -> None:
    game = open_game("international")
    link = game.page.get_by_role("link", name="Analyse").last
    expect(link).not_to_have_attribute("href", re.compile("orientation"))
    game.button("Flip board").click()
    expect(link).to_have_attribute("href", re.compile("orientation=black"))


def test_losing_game_shows_no_material_lead(open_game: OpenGame) -> None:
    game = open_game("poddavki", position="W:Wa1,c3:Bd4,h8")
    game.play(next(move for move in game.state["legal"] if move["captured"]))
    expect(game.page.get_by_text("captured 1 man")).to_be_attached()
    expect(game.page.get_by_text("+1")).to_have_count(0)
