"""What axe-core says of the pages in everything that can happen on them: nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.timeouts import wait_until
from tests.web.browser.axe import find_barriers, width_beyond_the_window
from tests.web.browser.console_log import Watch
from tests.web.browser.pages import PHONE, WIDE, GamePage, begin
from tests.web.subprocess_server import Server

TWO_WAYS = "W:Wa1,c1,e1,g1,c3,g3,a3:Bb6,d4,f6,h6,b8,d8,f8,d6"
LOOKS = {
    "phone-dark": {"viewport": PHONE, "color_scheme": "dark"},
    "wide-light": {"viewport": WIDE, "color_scheme": "light"},
}

Visit = Callable[..., Page]


def a_piece_is_picked(server: Server, visit: Visit) -> Page:
    game = _game(server, visit, variant="russian", position=TWO_WAYS, clock="5+3")
    game.board.place("c3").click()
    game.board.says("c3", "picked")
    return game.page


def a_hint_on_a_kalah_board(server: Server, visit: Visit) -> Page:
    game = _game(server, visit, variant="kalah")
    game.button("Hint").click()
    expect(game.said).to_contain_text("Hint")
    return game.page


def a_game_is_over(server: Server, visit: Visit) -> Page:
    game = _game(server, visit, variant="international", moves=["32-28", "19-23", "28x19", "14x23"])
    game.resign()
    expect(game.button("Rematch")).to_be_visible()
    return game.page


def an_earlier_position(server: Server, visit: Visit) -> Page:
    game = _game(server, visit, variant="international", moves=["32-28", "19-23", "28x19", "14x23"])
    game.moves.nth(1).click()
    expect(game.page.get_by_text("An earlier position")).to_be_visible()
    return game.page


def the_keys_of_a_game(server: Server, visit: Visit) -> Page:
    game = _game(server, visit, variant="frysk")
    game.button("Keys").click()
    expect(game.page.get_by_role("dialog")).to_be_visible()
    return game.page


def a_friend_is_waited_for(server: Server, visit: Visit) -> Page:
    page = visit(server, "/?variant=kalah")
    page.get_by_role("radio", name="Friend by link").check()
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("textbox", name="Send this link to your friend")).to_be_visible()
    return page


def a_draw_is_offered(server: Server, visit: Visit) -> Page:
    addresses = begin(server, variant="international", opponent="link", side="white")
    path, _, key = addresses["black"].partition("#")
    page = visit(server, addresses["white"])
    server.ask(f"/api{path.replace('/game/', '/games/')}/actions", {"action": "draw"}, key)
    expect(page.get_by_role("button", name="Decline")).to_be_visible()
    return page


def a_rematch_is_asked_for(server: Server, visit: Visit) -> Page:
    addresses = begin(server, variant="international", opponent="link", side="white")
    white, black = (GamePage(visit(server, addresses[side]), server) for side in ("white", "black"))
    white.resign()
    black.button("Rematch").click()
    expect(white.button("Accept the rematch")).to_be_visible()
    return white.page


def a_key_fits_no_side(server: Server, visit: Visit) -> Page:
    page = visit(server, begin(server, variant="kalah")["watch"] + "#no.key")
    expect(page.get_by_role("alert")).to_be_visible()
    return page


def somebody_watches(server: Server, visit: Visit) -> Page:
    page = visit(server, begin(server, variant="canadian")["watch"])
    expect(page.get_by_text("You are watching")).to_be_visible()
    return page


def games_are_listed(server: Server, visit: Visit) -> Page:
    game = _game(server, visit, variant="kalah")
    game.page.goto("/")
    expect(game.page.get_by_role("region", name="Your games").get_by_text("South to move")).to_be_visible()
    game.page.get_by_text("more games").click()
    return game.page


def the_engine_is_on(server: Server, visit: Visit) -> Page:
    page = visit(server, "/analyse?variant=international&moves=32-28+18-23")
    page.get_by_role("switch", name="Engine").click()
    expect(page.get_by_role("list", name="Lines of the engine").get_by_role("listitem")).to_have_count(3)
    return page


def exact_values(server: Server, visit: Visit) -> Page:
    page = visit(server, "/analyse?variant=kalah&position=%3C6,20,22,0,0,0,1,0,2,0,1,0,1,0,1%3E+south")
    page.get_by_role("switch", name="Engine").click()
    expect(page.get_by_text("Exact:")).to_be_visible()
    return page


def a_game_is_judged(server: Server, visit: Visit) -> Page:
    page = visit(server, "/analyse?variant=russian&moves=c3-d4+b6-c5+d4xb6+a7xc5+b2-c3+f6-g5")
    page.get_by_role("button", name="Analyse the game").click()
    graph = page.get_by_role("slider", name="Evaluation of the game")
    expect(graph).to_be_visible()
    expect(page.get_by_role("button", name="Analyse the game")).to_be_visible()
    return page


def pieces_are_edited(server: Server, visit: Visit) -> Page:
    page = visit(server, "/analyse?variant=english")
    page.get_by_role("button", name="Board editor").click()
    expect(page.get_by_role("heading", name="Board editor")).to_be_visible()
    return page


def seeds_are_edited(server: Server, visit: Visit) -> Page:
    page = visit(server, "/analyse?variant=kalah")
    page.get_by_role("button", name="Board editor").click()
    page.get_by_role("gridcell", name="South, house 3").click()
    return page


def the_keys_of_the_analysis(server: Server, visit: Visit) -> Page:
    page = visit(server, "/analyse?variant=english")
    page.get_by_role("button", name="Keys").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    return page


def _game(server: Server, visit: Visit, **wanted: object) -> GamePage:
    page = visit(server, next(iter(begin(server, **wanted).values())))
    game = GamePage(page, server)
    expect(game.board.playable).not_to_have_count(0)
    return game


STATES = (
    a_piece_is_picked,
    a_hint_on_a_kalah_board,
    a_game_is_over,
    an_earlier_position,
    the_keys_of_a_game,
    a_friend_is_waited_for,
    a_draw_is_offered,
    a_rematch_is_asked_for,
    a_key_fits_no_side,
    somebody_watches,
    games_are_listed,
    the_engine_is_on,
    exact_values,
    a_game_is_judged,
    pieces_are_edited,
    seeds_are_edited,
    the_keys_of_the_analysis,
)


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_nobody_is_kept_out(server: Server, visit: Visit, watch: Watch, state: Callable[[Server, Visit], Page]) -> None:
    if state is a_key_fits_no_side:
        watch.forgive("status of 403")
    page = state(server, lambda *given: visit(*given, reduced_motion="reduce"))
    for name, look in LOOKS.items():
        page.set_viewport_size(look["viewport"])  # type: ignore[arg-type]
        page.emulate_media(color_scheme=look["color_scheme"])  # type: ignore[arg-type]
        wait_until(lambda: not page.evaluate("document.getAnimations().length"), "something goes on moving")
        assert (name, find_barriers(page), width_beyond_the_window(page)) == (name, [], 0)
