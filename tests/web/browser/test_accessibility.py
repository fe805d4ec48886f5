"""Accessibility tests of the pages in many states."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.timeouts import wait_until
from tests.web.browser.analysis import ANALYSE_GAME, GRAPH
from tests.web.browser.axe import find_violations, horizontal_overflow
from tests.web.browser.console_log import ConsoleLog
from tests.web.browser.pages import EARLIER, INVITE, INVITE_LINK, PHONE, WIDE, GamePage, create_game
from tests.web.subprocess_server import Server

TWO_PATHS = "W:Wa1,c1,e1,g1,c3,g3,a3:Bb6,d4,f6,h6,b8,d8,f8,d6"
LOOKS = {
    "phone-dark": {"viewport": PHONE, "color_scheme": "dark"},
    "wide-light": {"viewport": WIDE, "color_scheme": "light"},
}

OpenPage = Callable[..., Page]


def selected_piece(server: Server, open_page: OpenPage) -> Page:
    game = _game(server, open_page, variant="russian", position=TWO_PATHS, clock="5+3")
    game.board.place("c3").click()
    game.board.expect_label("c3", "selected")
    return game.page


def hint_in_kalah(server: Server, open_page: OpenPage) -> Page:
    game = _game(server, open_page, variant="kalah")
    game.button("Hint").click()
    expect(game.announcer).to_contain_text("Hint")
    return game.page


def finished_game(server: Server, open_page: OpenPage) -> Page:
    game = _game(server, open_page, variant="international", moves=["32-28", "19-23", "28x19", "14x23"])
    game.resign()
    expect(game.button("Rematch")).to_be_visible()
    return game.page


def earlier_position(server: Server, open_page: OpenPage) -> Page:
    game = _game(server, open_page, variant="international", moves=["32-28", "19-23", "28x19", "14x23"])
    game.moves.nth(1).click()
    expect(game.page.get_by_text(EARLIER)).to_be_visible()
    return game.page


def shortcuts_of_a_game(server: Server, open_page: OpenPage) -> Page:
    game = _game(server, open_page, variant="frysk")
    game.button("Shortcuts").click()
    expect(game.page.get_by_role("dialog")).to_be_visible()
    return game.page


def invite_link(server: Server, open_page: OpenPage) -> Page:
    page = open_page(server, "/?variant=kalah")
    page.get_by_role("radio", name=INVITE).check()
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("textbox", name=INVITE_LINK)).to_be_visible()
    return page


def draw_offer(server: Server, open_page: OpenPage) -> Page:
    addresses = create_game(server, variant="international", opponent="link", side="white")
    path, _, key = addresses["black"].partition("#")
    page = open_page(server, addresses["white"])
    server.ask(f"/api{path.replace('/game/', '/games/')}/actions", {"action": "draw"}, key)
    expect(page.get_by_role("button", name="Decline")).to_be_visible()
    return page


def rematch_offer(server: Server, open_page: OpenPage) -> Page:
    addresses = create_game(server, variant="international", opponent="link", side="white")
    white, black = (GamePage(open_page(server, addresses[side]), server) for side in ("white", "black"))
    white.resign()
    black.button("Rematch").click()
    expect(white.button("Accept the rematch")).to_be_visible()
    return white.page


def invalid_key(server: Server, open_page: OpenPage) -> Page:
    page = open_page(server, create_game(server, variant="kalah")["watch"] + "#no.key")
    expect(page.get_by_role("alert")).to_be_visible()
    return page


def spectator(server: Server, open_page: OpenPage) -> Page:
    page = open_page(server, create_game(server, variant="canadian")["watch"])
    expect(page.get_by_text("You are watching")).to_be_visible()
    return page


def list_of_games(server: Server, open_page: OpenPage) -> Page:
    game = _game(server, open_page, variant="kalah")
    game.page.goto("/")
    expect(game.page.get_by_role("region", name="Your games").get_by_text("South to move")).to_be_visible()
    game.page.get_by_text("more games").click()
    return game.page


def engine_lines(server: Server, open_page: OpenPage) -> Page:
    page = open_page(server, "/analyse?variant=international&moves=32-28+18-23")
    page.get_by_role("switch", name="Engine").click()
    expect(page.get_by_role("list", name="Engine lines").get_by_role("listitem")).to_have_count(3)
    return page


def exact_values(server: Server, open_page: OpenPage) -> Page:
    page = open_page(server, "/analyse?variant=kalah&position=%3C6,20,22,0,0,0,1,0,2,0,1,0,1,0,1%3E+south")
    page.get_by_role("switch", name="Engine").click()
    expect(page.get_by_text("Exact:")).to_be_visible()
    return page


def values_of_a_tablebase(server: Server, open_page: OpenPage) -> Page:
    page = open_page(server, "/analyse?variant=international&position=W:WK12,K22:BK50")
    page.get_by_role("switch", name="Engine").click()
    expect(page.get_by_role("list", name="Moves by value").get_by_role("listitem")).to_have_count(3)
    return page


def missing_tablebase(server: Server, open_page: OpenPage) -> Page:
    page = open_page(server, "/analyse?variant=english&position=W:WK10,K14:BK27,K1,2")
    page.get_by_role("switch", name="Engine").click()
    expect(page.get_by_role("button", name="Copy the command")).to_be_visible()
    return page


def reviewed_game(server: Server, open_page: OpenPage) -> Page:
    page = open_page(server, "/analyse?variant=russian&moves=c3-d4+b6-c5+d4xb6+a7xc5+b2-c3+f6-g5")
    page.get_by_role("button", name=ANALYSE_GAME).click()
    expect(page.get_by_role("slider", name=GRAPH)).to_be_visible()
    expect(page.get_by_role("button", name=ANALYSE_GAME)).to_be_visible()  # the review has ended
    return page


def editor_for_pieces(server: Server, open_page: OpenPage) -> Page:
    page = open_page(server, "/analyse?variant=english")
    page.get_by_role("button", name="Board editor").click()
    expect(page.get_by_role("heading", name="Board editor")).to_be_visible()
    return page


def editor_for_seeds(server: Server, open_page: OpenPage) -> Page:
    page = open_page(server, "/analyse?variant=kalah")
    page.get_by_role("button", name="Board editor").click()
    page.get_by_role("gridcell", name="South, house 3").click()
    return page


def shortcuts_of_the_analysis(server: Server, open_page: OpenPage) -> Page:
    page = open_page(server, "/analyse?variant=english")
    page.get_by_role("button", name="Shortcuts").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    return page


def _game(server: Server, open_page: OpenPage, **choices: object) -> GamePage:
    page = open_page(server, next(iter(create_game(server, **choices).values())))
    game = GamePage(page, server)
    expect(game.board.playable).not_to_have_count(0)
    return game


STATES = (
    selected_piece,
    hint_in_kalah,
    finished_game,
    earlier_position,
    shortcuts_of_a_game,
    invite_link,
    draw_offer,
    rematch_offer,
    invalid_key,
    spectator,
    list_of_games,
    engine_lines,
    exact_values,
    values_of_a_tablebase,
    missing_tablebase,
    reviewed_game,
    editor_for_pieces,
    editor_for_seeds,
    shortcuts_of_the_analysis,
)


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_page_has_no_accessibility_violations(
    server: Server, open_page: OpenPage, console_log: ConsoleLog, state: Callable[[Server, OpenPage], Page]
) -> None:
    if state is invalid_key:
        console_log.allow("status of 403")
    page = state(server, lambda *given: open_page(*given, reduced_motion="reduce"))
    for name, look in LOOKS.items():
        page.set_viewport_size(look["viewport"])  # type: ignore[arg-type]
        page.emulate_media(color_scheme=look["color_scheme"])  # type: ignore[arg-type]
        wait_until(lambda: not page.evaluate("document.getAnimations().length"), "an animation does not end")
        assert (name, find_violations(page), horizontal_overflow(page)) == (name, [], 0)
