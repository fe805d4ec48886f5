"""What keeps nobody waiting, leaves nobody without a word, and loses nothing."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.timeouts import wait_until
from tests.web.browser.pages import CALM, Board, GamePage, SitDown, begin, click
from tests.web.subprocess_server import Server

LIVELY: dict[str, str] = {"reduced_motion": "no-preference"}
FULL = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };"
SLOW = """
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, timing) {
  return animate.call(this, frames, { ...timing, duration: 100 * timing.duration, delay: 100 * (timing.delay ?? 0) });
};
"""


def test_nobody_waits_for_seeds_that_fly(server: Server, visit: Callable[..., Page]) -> None:
    address = begin(server, variant="kalah", clock="1+0")
    page = visit(server, address["south"], **LIVELY)
    page.add_init_script(SLOW)  # so slow that the next move comes while they fly in any case
    page.reload()
    game = GamePage(page, server)
    game.play(game.find_move("2"))
    expect(page.locator(".flying-seed")).not_to_have_count(0)
    game.play(game.find_move("2"))
    assert [ply["side"] for ply in game.state["plies"]] == ["south", "north"]


def test_moves_that_are_still_to_be_shown_are_left_out_for_who_goes_on(
    server: Server, visit: Callable[..., Page]
) -> None:
    page = visit(server, begin(server, variant="kalah", clock="1+0")["south"], **LIVELY)
    page.add_init_script(SLOW)
    page.reload()
    game = GamePage(page, server)
    other = GamePage(visit(server, page.url), server)
    key = page.evaluate(f"sessionStorage.getItem('tablemen.key.{game.id}')")
    for move in ("2", "1"):
        server.ask(f"/api/games/{game.id}/actions", {"action": "move", "move": move}, key=key)
    game.shows(2)
    other.shows(2)
    expect(page.locator(".flying-seed")).not_to_have_count(0)
    click(game.board, ["south 1"])
    wait_until(lambda: game.played == 3, "the move was not played")


def test_a_double_click_sows_once(sit_down: SitDown) -> None:
    game = sit_down("kalah", houses=1, seeds=3, position="<1,0,0,4,2> south")
    game.board.place("south 1").dblclick()
    game.shows(1)
    assert game.played == 1


@pytest.mark.parametrize("hand", ["mouse", "keys"])
def test_a_piece_that_may_not_move_is_told_why(sit_down: SitDown, hand: str) -> None:
    game = sit_down("international", moves=["32-28", "19-23"])
    if hand == "mouse":
        game.board.place("33").click()
    else:
        game.board.place("33").focus()
        game.page.keyboard.press("Enter")
    expect(game.said).to_contain_text("White must capture: 28x19")
    expect(game.page.locator(".toast")).to_have_count(1)
    game.board.place("33").click()
    expect(game.page.locator(".toast")).to_have_count(1)


def test_the_end_of_kalah_counts_every_seed(sit_down: SitDown) -> None:
    game = sit_down("kalah", houses=3, seeds=3, position="<3,10,4,0,0,1,2,0,1> south")
    game.play(game.find_move("3"))
    outcome = game.state["outcome"]
    assert outcome["score"] == {"south": 11, "north": 7}
    for side, seeds in outcome["score"].items():
        expect(game.page.get_by_role("group", name=re.compile(f"^{side}:", re.IGNORECASE))).to_contain_text(
            f"{seeds} seeds"
        )


def test_a_browser_that_keeps_nothing_has_the_friends_link(server: Server, visit: Callable[..., Page]) -> None:
    page = visit(server, "/?variant=international", **CALM)
    page.add_init_script(FULL)
    page.reload()
    page.get_by_text("Friend by link", exact=True).click()
    page.get_by_role("button", name=re.compile("^Play")).click()
    link = page.get_by_label("Send this link to your friend")
    expect(link).to_be_visible()
    page.reload()
    expect(link).to_be_visible()
    friend = GamePage(visit(server, link.input_value(), **CALM), server)
    expect(friend.button("Resign")).to_be_enabled()
    own = page.get_by_role("button", name="Sounds")
    own.click()
    expect(own).to_have_attribute("aria-pressed", "true")


def test_after_a_move_by_mouse_the_arrows_step_through_the_game(sit_down: SitDown) -> None:
    game = sit_down("international")
    game.play(game.find_move("32-28"))
    game.play(game.find_move("19-23"))
    for count in (1, 0):
        game.page.keyboard.press("ArrowLeft")
        expect(game.page.get_by_text("An earlier position")).to_be_visible()
        expect(game.page.locator("[aria-current=true]")).to_have_count(count)
    game.page.keyboard.press("End")
    expect(game.page.get_by_text("An earlier position")).to_be_hidden()


def test_who_came_by_keyboard_goes_over_the_board(sit_down: SitDown) -> None:
    game = sit_down("international", moves=["32-28"])
    board = Board(game.page)
    board.place("20").click()
    game.page.keyboard.press("Escape")
    game.page.keyboard.press("Tab")
    board.place("20").focus()
    game.page.keyboard.press("ArrowLeft")
    expect(board.place("19")).to_be_focused()


def test_the_focus_stays_on_the_page(sit_down: SitDown) -> None:
    game = sit_down("international")
    game.play(game.find_move("32-28"))
    game.button("Take back").focus()
    game.page.keyboard.press("Enter")
    game.shows(0)
    expect(game.board.grid.locator(":focus")).to_have_count(1)
    game.play(game.find_move("32-28"))
    game.button("Black resigns").focus()
    game.page.keyboard.press("Enter")
    game.page.keyboard.press("Enter")
    expect(game.page.get_by_role("group", name="White won")).to_be_focused()
    game.button("Back").focus()
    game.page.keyboard.press("Enter")
    expect(game.button("Forward")).to_be_focused()


def test_a_step_through_the_game_is_said(sit_down: SitDown) -> None:
    game = sit_down("international", moves=["32-28", "19-23"])
    game.button("Back").click()
    expect(game.said).to_contain_text("White: 32 to 28. Looking back, 1 of 2.")
    game.button("Hint").click()
    expect(game.page.get_by_text("An earlier position", exact=True)).to_be_hidden()
    expect(game.said).to_contain_text("Hint:")


def test_what_was_resigned_goes_on_with_every_move(sit_down: SitDown) -> None:
    game = sit_down("international", moves=["32-28", "19-23"])
    game.resign()
    expect(game.side.get_by_text("Black won")).to_be_visible()
    game.button("Take back").click()
    expect(game.side.get_by_text("Black won")).to_be_hidden()
    game.shows(2)


def test_analysis_has_the_same_side_below(sit_down: SitDown) -> None:
    game = sit_down("international")
    link = game.page.get_by_role("link", name="Analyse").last
    expect(link).not_to_have_attribute("href", re.compile("orientation"))
    game.button("Flip").click()
    expect(link).to_have_attribute("href", re.compile("orientation=black"))


def test_where_the_least_wins_nobody_is_ahead_by_pieces(sit_down: SitDown) -> None:
    game = sit_down("poddavki", position="W:Wa1,c3:Bd4,h8")
    game.play(next(move for move in game.state["legal"] if move["captured"]))
    expect(game.page.get_by_text("captured 1 man")).to_be_attached()
    expect(game.page.get_by_text("+1")).to_have_count(0)
