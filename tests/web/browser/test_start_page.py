"""What can be chosen on the start page, and what comes of it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.timeouts import TIMEOUT
from tests.web.browser.console_log import Watch
from tests.web.browser.pages import GamePage, press_keys, press_tab_until
from tests.web.subprocess_server import Server


def test_every_variant_can_be_chosen(server: Server, visit: Callable[..., Page]) -> None:
    page = visit(server)
    page.get_by_text("more games").click()
    games = page.get_by_role("region", name="Choose a game")
    variants = server.ask("/api/variants")
    expect(games.get_by_role("radio")).to_have_count(len(variants))
    for variant in variants:
        name = f"{variant['title']} {variant['about']}"
        expect(games.get_by_role("radio", name=name, exact=True)).to_be_visible()


def test_a_game_is_found_by_its_name_and_begun(server: Server, visit: Callable[..., Page]) -> None:
    page = visit(server)
    page.get_by_role("searchbox", name="Find a game").fill("frysk")
    games = page.get_by_role("region", name="Choose a game")
    expect(games.get_by_role("radio").and_(page.locator(":visible"))).to_have_count(1)
    page.keyboard.press("Enter")
    page.get_by_role("radio", name="Friend here").check()
    page.get_by_role("button", name="Play").click()
    page.wait_for_url("**/game/*")
    state = GamePage(page, server).state
    assert state["variant"] == "frysk"
    assert {seat["kind"] for seat in state["players"].values()} == {"person"}


def test_what_is_typed_before_the_games_are_there_counts_too(
    server: Server, new_context: Callable[..., BrowserContext], watch: Watch
) -> None:
    context = new_context(base_url=server.url)
    context.set_default_timeout(1000 * TIMEOUT)
    watch.over(context, server.url)
    held: list[Route] = []
    context.route("**/api/variants", lambda route: held.append(route))  # noqa: PLW0108 - playwright looks at its signature
    page = context.new_page()
    with page.expect_request("**/api/variants"):
        page.goto("/")
    page.get_by_role("searchbox", name="Find a game").fill("frysk")
    held[0].continue_()
    games = page.get_by_role("region", name="Choose a game")
    expect(games.get_by_role("radio")).not_to_have_count(0)
    expect(games.get_by_role("radio").and_(page.locator(":visible"))).to_have_count(1)


def test_a_game_is_begun_with_the_keyboard_alone(server: Server, visit: Callable[..., Page]) -> None:
    page = visit(server)
    expect(page.get_by_role("button", name="Play")).to_be_enabled()
    press_tab_until(page.get_by_role("radio", name="International draughts").and_(page.locator(":focus")))
    page.keyboard.press("ArrowRight")
    press_tab_until(page.get_by_role("radio", name="Computer").and_(page.locator(":focus")))
    page.keyboard.press("ArrowRight")
    press_tab_until(page.get_by_role("button", name="Play").and_(page.locator(":focus")))
    page.keyboard.press("Enter")
    page.wait_for_url("**/game/*")
    game = GamePage(page, server)
    assert game.state["variant"] == "english"
    game.play(game.state["legal"][0], press_keys)
    game.play(game.state["legal"][0], press_keys)


def test_an_answer_that_comes_late_does_not_change_what_is_chosen(server: Server, visit: Callable[..., Page]) -> None:
    page = visit(server)
    late: list[Route] = []
    page.route("**/api/variants/english", lambda route: late.append(route))  # noqa: PLW0108 - it takes no other
    page.reload()
    page.get_by_role("radio", name="English draughts").check()
    page.get_by_role("radio", name="Russian draughts").check()
    chosen = page.get_by_role("heading", name="Russian draughts")
    expect(chosen).to_be_visible()
    with page.expect_request_finished(lambda request: request.url.endswith("/english")):
        late[0].continue_()
    page.wait_for_load_state("networkidle")
    expect(chosen).to_be_visible()
    page.get_by_role("button", name="Play").click()
    page.wait_for_url("**/game/*")
    assert GamePage(page, server).state["variant"] == "russian"


def test_the_last_choice_is_remembered(server: Server, visit: Callable[..., Page]) -> None:
    page = visit(server)
    page.get_by_role("radio", name=re.compile("^Kalah")).check()
    page.get_by_role("spinbutton", name="Houses a side").fill("4")
    page.get_by_role("spinbutton", name="Seeds in each").fill("3")
    page.get_by_role("radio", name="7", exact=True).check()
    page.get_by_role("radio", name="South").check()
    page.get_by_role("radio", name="3+2").check()
    page.get_by_role("button", name="Play").click()
    page.wait_for_url("**/game/*")
    page.goto("/")
    for name in (re.compile("^Kalah"), re.compile("^7$"), "Computer", "South", "3+2"):
        expect(page.get_by_role("radio", name=name)).to_be_checked()
    expect(page.get_by_role("spinbutton", name="Houses a side")).to_have_value("4")
    expect(page.get_by_role("spinbutton", name="Seeds in each")).to_have_value("3")


def test_what_is_wrong_with_a_position_is_said(server: Server, visit: Callable[..., Page], watch: Watch) -> None:
    watch.forgive("status of 422")
    page = visit(server, "/?variant=russian&position=W:Wc3:Bz9")
    expect(page.get_by_role("alert")).to_contain_text("z9")
    expect(page.get_by_role("button", name="Play")).to_be_disabled()
    page.get_by_label("Position").fill("W:Wc3:Bb6")
    expect(page.get_by_role("button", name="Play")).to_be_enabled()
    expect(page.get_by_role("alert")).to_be_hidden()


@pytest.mark.parametrize(("clock", "written"), [("None", None), ("5+3", "5+3"), ("Own", "2+1")])
def test_a_clock(server: Server, visit: Callable[..., Page], clock: str, written: str | None) -> None:
    page = visit(server)
    page.get_by_role("radio", name=clock, exact=True).check()
    if clock == "Own":
        page.get_by_role("spinbutton", name="Minutes").fill("2")
        page.get_by_role("spinbutton", name="Seconds a move").fill("1")
    page.get_by_role("radio", name="Friend here").check()
    page.get_by_role("button", name="Play").click()
    page.wait_for_url("**/game/*")
    state = GamePage(page, server).state
    assert (state["clock"] and state["clock"]["control"]) == written


def test_games_are_listed_to_go_on_with_or_to_be_forgotten(server: Server, visit: Callable[..., Page]) -> None:
    page = visit(server, "/?variant=kalah")
    page.get_by_role("radio", name="Friend here").check()
    page.get_by_role("button", name="Play").click()
    page.wait_for_url("**/game/*")
    game = GamePage(page, server)
    expect(game.board.playable).to_have_count(6)
    page.goto("/")
    games = page.get_by_role("region", name="Your games").get_by_role("listitem")
    expect(games).to_have_count(1)
    expect(games).to_contain_text("South to move")
    games.get_by_role("link").click()
    expect(game.board.playable).to_have_count(6)
    assert GamePage(page, server).id == game.id
    page.goto("/")
    expect(games).to_contain_text("South to move")
    remove = games.get_by_role("button")
    remove.click()
    remove.click()
    expect(games).to_have_count(0)
    page.reload()
    expect(page.get_by_role("radio", name=re.compile("^Kalah"))).to_be_checked()
    expect(games).to_have_count(0)


def test_a_clock_without_time_is_told_at_its_field(server: Server, visit: Callable[..., Page]) -> None:
    page = visit(server)
    page.get_by_role("radio", name="Own").check()
    minutes = page.get_by_label("Minutes", exact=True)
    minutes.fill("0")
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("alert").filter(has_text="A clock has up to 600 minutes")).to_be_visible()
    expect(minutes).to_be_focused()
    minutes.fill("0.5")
    page.get_by_role("button", name="Play").click()
    page.wait_for_url("**/game/*")
    assert GamePage(page, server).state["clock"]["control"] == "30s+4"


def test_a_position_that_is_over_is_not_begun(server: Server, visit: Callable[..., Page]) -> None:
    page = visit(server, "/?variant=international&position=W:W:B20")
    expect(page.get_by_text("This game is over: Black wins: White has no pieces left.")).to_be_visible()
    expect(page.get_by_role("button", name="Play")).to_be_disabled()
