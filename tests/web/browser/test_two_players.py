"""Tests of games between two browsers, with a spectator."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, NamedTuple

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.browser.axe import find_violations
from tests.web.browser.console_log import ConsoleLog
from tests.web.browser.pages import INVITE, INVITE_LINK, PHONE, GamePage, click, create_game, tap
from tests.web.subprocess_server import Server

UNANSWERED = "Waiting for your friend’s answer"


class GamePages(NamedTuple):
    """The pages of the two players and a spectator of one game."""

    white: GamePage
    black: GamePage
    spectator: GamePage

    def play(self, *texts: str) -> None:
        """Play moves, each on the page of its player, and wait until all pages show them."""
        for text in texts:
            count = self.white.ply_count
            mover = self.white if count % 2 == 0 else self.black
            mover.play(mover.find_move(text), tap if mover is self.black else click)
            for page in self:
                page.expect_moves(count + 1)


@pytest.fixture
def game(server: Server, open_page: Callable[..., Page]) -> GamePages:
    """Return the pages of international draughts, with White on a wide screen and Black on a phone."""
    addresses = create_game(server, variant="international", opponent="link", side="white")
    options = {"reduced_motion": "reduce"}
    pages = GamePages(
        GamePage(open_page(server, addresses["white"], **options), server),
        GamePage(open_page(server, addresses["black"], has_touch=True, viewport=PHONE, **options), server),
        GamePage(open_page(server, addresses["watch"], **options), server),
    )
    for page in pages:
        expect(page.board.grid).to_be_visible()
    return pages


def test_all_pages_show_the_game_and_only_players_can_move(game: GamePages) -> None:
    expect(game.black.board.playable).to_have_count(0)
    game.play("32-28", "19-23", "28x19")
    for page in game:
        page.board.expect_label("19", "white man, last move")
        page.board.expect_label("28", "empty")
    expect(game.spectator.board.playable).to_have_count(0)
    for name in ("Take back", "Hint", "Offer draw", "Resign"):
        expect(game.spectator.button(name)).to_be_hidden()
    expect(game.spectator.panel.get_by_text("You are watching")).to_be_visible()
    game.spectator.board.place("14").click()
    assert game.spectator.ply_count == 3


def test_key_is_removed_from_the_address(game: GamePages) -> None:
    for page in game:
        assert "#" not in page.page.url
    game.play("32-28")
    game.black.page.reload()
    game.black.board.expect_label("19", "can move")


def test_board_is_oriented_to_the_player(game: GamePages) -> None:
    expect(game.white.board.grid).to_have_accessible_name(re.compile("white at the bottom", re.IGNORECASE))
    expect(game.black.board.grid).to_have_accessible_name(re.compile("black at the bottom", re.IGNORECASE))


def test_takeback_is_accepted(game: GamePages) -> None:
    game.play("32-28", "19-23")
    game.white.button("Take back").click()
    expect(game.white.panel.get_by_text(UNANSWERED)).to_be_visible()
    expect(game.black.panel.get_by_text("asks to take back a move")).to_be_visible()
    game.black.button("Accept").tap()
    for page in game:
        page.expect_moves(0)
        page.board.expect_label("32", "white man")
    game.play("33-28")


def test_takeback_is_declined(game: GamePages) -> None:
    game.play("32-28")
    game.white.button("Take back").click()
    game.black.button("Decline").tap()
    expect(game.white.panel.get_by_text(UNANSWERED)).to_be_hidden()
    expect(game.black.button("Decline")).to_be_hidden()
    expect(game.white.page.get_by_text(re.compile("takeback.* declined"))).not_to_have_count(0)
    expect(game.black.page.locator(":focus")).not_to_have_count(0)
    assert game.white.ply_count == 1


def test_two_offers_have_separate_buttons(game: GamePages) -> None:
    game.play("32-28")
    game.white.button("Take back").click()
    game.white.button("Offer draw").click()
    expect(game.black.button("Accept the takeback")).to_be_visible()
    game.black.button("Accept the draw").tap()
    for page in game:
        page.expect_result("Draw")
        page.expect_moves(1)


def test_draw_offer_is_declined(game: GamePages) -> None:
    game.play("32-28")
    game.white.button("Offer draw").click()
    game.black.button("Decline").tap()
    expect(game.white.page.locator(".toast")).to_have_text(re.compile("draw.* declined"))


def test_draw_offer_is_accepted(game: GamePages) -> None:
    game.play("32-28")
    game.white.button("Offer draw").click()
    expect(game.black.panel.get_by_text("offers a draw")).to_be_visible()
    expect(game.black.announcer).to_contain_text("draw")
    game.black.button("Accept").first.tap()
    for page in game:
        page.expect_result("Draw")
        expect(page.board.playable).to_have_count(0)


def test_move_withdraws_a_draw_offer(game: GamePages) -> None:
    game.play("32-28")
    game.white.button("Offer draw").click()
    expect(game.black.panel.get_by_text("offers a draw")).to_be_visible()
    game.play("19-23")
    for page in game:
        expect(page.panel.get_by_text(re.compile("offer(s|ed) a draw"))).to_have_count(0)


def test_resignation_is_shown_to_all(game: GamePages) -> None:
    game.play("32-28")
    game.white.resign()
    expect(game.black.page).to_have_title(re.compile("^You won"))
    expect(game.white.page).to_have_title(re.compile("^You lost"))
    expect(game.spectator.page).to_have_title(re.compile("^Black won"))


def background(element: Locator) -> tuple[float, ...]:
    """Return the background of an element as red, green and blue."""
    colour = element.evaluate("element => getComputedStyle(element).backgroundColor")
    return tuple(map(float, re.findall(r"[\d.]+", colour)[:3]))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_of_results_have_a_meaning(game: GamePages, scheme: Literal["light", "dark"]) -> None:
    game.white.resign()
    for page, result in zip(game, ("You lost", "You won", "Black won"), strict=True):
        page.page.emulate_media(color_scheme=scheme)
        page.expect_result(result)
        red, green, blue = background(page.result(result))
        assert (green > max(red, blue)) == (result == "You won")
        assert (red > green + 15) == (result == "You lost")
        assert find_violations(page.page) == []


def test_link_that_is_used_twice_is_shown_to_its_player(server: Server, open_page: Callable[..., Page]) -> None:
    addresses = create_game(server, variant="international", opponent="link", side="white")
    white, again, black = (GamePage(open_page(server, addresses[side]), server) for side in ("white", "white", "black"))
    for page in (white, again):
        expect(page.panel.get_by_role("alert")).to_contain_text("Two devices have this seat")
        red, green, _ = background(page.panel.get_by_role("alert"))
        assert red > green + 15
    expect(black.board.grid).to_be_visible()
    white.play(white.find_move("32-28"))
    black.expect_moves(1)
    expect(black.panel.get_by_role("alert")).to_have_count(0)
    again.page.close()
    expect(white.panel.get_by_role("alert")).to_have_count(0)
    white.page.reload()
    white.expect_moves(1)
    expect(white.panel.get_by_role("alert")).to_have_count(0)


def wait_for_rematch(page: GamePage) -> GamePage:
    """Wait until the browser has opened the rematch, and return its page."""
    page.page.wait_for_url(lambda url: "/game/" in url and page.id not in url)
    rematch = GamePage(page.page, page.server)
    expect(rematch.board.grid).to_be_visible()
    return rematch


def test_rematch_is_accepted(game: GamePages) -> None:
    game.play("32-28")
    game.black.resign()
    game.white.button("Rematch").click()
    expect(game.white.panel.get_by_text(UNANSWERED)).to_be_visible()
    expect(game.white.button("Rematch")).to_be_disabled()
    expect(game.black.panel.get_by_text("asks for a rematch")).to_be_visible()
    expect(game.black.announcer).to_contain_text("asks for a rematch")
    game.black.page.reload()
    game.black.button("Accept the rematch").tap()
    expect(game.spectator.announcer).to_contain_text("rematch has started")
    game.spectator.page.get_by_role("link", name="Watch the rematch").click()
    rematch = GamePages(
        white=wait_for_rematch(game.black),
        black=wait_for_rematch(game.white),
        spectator=wait_for_rematch(game.spectator),
    )
    for page in rematch:
        assert "#" not in page.page.url
        expect(page.panel.get_by_text(INVITE_LINK)).to_be_hidden()
    assert len({page.id for page in rematch}) == 1
    expect(rematch.white.board.grid).to_have_accessible_name(re.compile("white at the bottom", re.IGNORECASE))
    expect(rematch.spectator.panel.get_by_text("You are watching")).to_be_visible()
    rematch.white.play(rematch.white.find_move("32-28"), tap)
    rematch.black.expect_moves(1)
    rematch.black.play(rematch.black.find_move("19-23"))
    for page in rematch:
        page.expect_moves(2)
    rematch.black.page.reload()
    rematch.black.expect_moves(2)
    expect(rematch.black.button("Resign")).to_be_enabled()


def test_rematch_is_declined(game: GamePages) -> None:
    game.white.resign()
    game.white.button("Rematch").click()
    game.black.button("Decline").tap()
    expect(game.white.announcer).to_contain_text(re.compile("rematch.* declined"))
    expect(game.white.panel.get_by_text(UNANSWERED)).to_be_hidden()
    for page in (game.white, game.black):
        expect(page.button("Rematch")).to_be_enabled()
    assert game.white.state["next"] is None


def test_absent_player_finds_the_rematch_later(game: GamePages) -> None:
    game.white.resign()
    game.black.button("Rematch").tap()
    address = game.black.page.url
    game.black.page.goto("/")
    expect(game.white.panel.get_by_text("asks for a rematch")).to_be_visible()
    game.white.button("Accept the rematch").click()
    white = wait_for_rematch(game.white)
    expect(game.black.page.get_by_role("listitem").filter(has_text="asks for a rematch")).to_be_hidden()
    game.black.page.reload()
    expect(game.black.page.get_by_text("The rematch has started")).to_be_visible()
    game.black.page.goto(address)
    expect(game.black.button("Rematch")).to_be_hidden()
    game.black.page.get_by_role("link", name="Go to the rematch").tap()
    black = wait_for_rematch(game.black)
    assert black.id == white.id
    black.play(black.find_move("32-28"), tap)
    white.expect_moves(1)
    white.page.go_back()
    expect(white.page.get_by_role("link", name="Go to the rematch")).to_be_visible()


def test_absence_of_a_player_is_shown(game: GamePages, open_page: Callable[..., Page]) -> None:
    game.play("32-28")
    expect(game.white.page).to_have_title(re.compile("^Your friend’s turn"))
    address = game.black.page.url
    game.black.page.goto("/")
    expect(game.white.page).to_have_title(re.compile("^Waiting for your friend"))
    game.black.page.goto(address)
    expect(game.white.page).to_have_title(re.compile("^Your friend’s turn"))
    game.play("19-23")


def test_friend_joins_with_the_invite_link(server: Server, open_page: Callable[..., Page]) -> None:
    page = open_page(server, "/?variant=kalah")
    page.get_by_role("radio", name=INVITE).check()
    page.get_by_role("radio", name="South").check()
    page.get_by_role("button", name="Play").click()
    page.wait_for_url("**/game/*")
    host = GamePage(page, server)
    link = page.get_by_role("textbox", name=INVITE_LINK)
    expect(link).to_have_value(re.compile(r"/game/.+#.+"))
    friend = GamePage(open_page(server, link.input_value()), server)
    expect(link).to_be_hidden()
    host.play(host.find_move("1"))
    friend.expect_moves(1)
    friend.play(friend.find_move("1"))
    host.expect_moves(2)


@pytest.mark.parametrize("key", ["A" * 22, "cut-short", "with%20more>"])
def test_invalid_key_allows_only_watching(
    server: Server, open_page: Callable[..., Page], console_log: ConsoleLog, key: str
) -> None:
    console_log.allow("status of 403")
    address = create_game(server, variant="kalah")["watch"]
    game = GamePage(open_page(server, f"{address}#{key}"), server)
    expect(game.panel.get_by_role("alert")).to_contain_text("You are watching")
    expect(game.board.playable).to_have_count(0)


def test_invalid_key_does_not_replace_the_stored_key(
    server: Server, open_page: Callable[..., Page], console_log: ConsoleLog
) -> None:
    console_log.allow("status of 403")
    addresses = create_game(server, variant="kalah", opponent="link", side="south")
    game = GamePage(open_page(server, addresses["south"]), server)
    expect(game.board.playable).not_to_have_count(0)
    game.page.evaluate("key => { location.hash = key; }", "A" * 22)
    expect(game.panel.get_by_role("alert")).to_contain_text("You play South")
    game.play(game.find_move("1"))


def test_fragment_of_the_page_is_not_a_key(server: Server, open_page: Callable[..., Page]) -> None:
    page = open_page(server, create_game(server, variant="kalah")["watch"] + "#main")
    expect(page.get_by_text("You are watching")).to_be_visible()
    expect(page.get_by_role("alert")).to_be_hidden()
