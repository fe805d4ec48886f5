"""Two browsers on one game, and those who watch it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.console_log import Watch
from tests.web.browser.pages import PHONE, GamePage, begin, click, tap
from tests.web.subprocess_server import Server


class Pair(NamedTuple):
    """Two players at their own screens, and somebody who watches."""

    white: GamePage
    black: GamePage
    watcher: GamePage

    def play(self, *texts: str) -> None:
        """Moves, each on the page of its player; the others see it."""
        for text in texts:
            count = self.white.played
            mover = self.white if count % 2 == 0 else self.black
            mover.play(mover.find_move(text), tap if mover is self.black else click)
            for page in self:
                page.shows(count + 1)


@pytest.fixture
def pair(server: Server, visit: Callable[..., Page]) -> Pair:
    """International draughts, White on a large screen and Black on a phone."""
    addresses = begin(server, variant="international", opponent="link", side="white")
    options = {"reduced_motion": "reduce"}
    pages = Pair(
        GamePage(visit(server, addresses["white"], **options), server),
        GamePage(visit(server, addresses["black"], has_touch=True, viewport=PHONE, **options), server),
        GamePage(visit(server, addresses["watch"], **options), server),
    )
    for page in pages:
        expect(page.board.grid).to_be_visible()
    return pages


def test_all_see_the_same_and_only_players_move(pair: Pair) -> None:
    expect(pair.black.board.playable).to_have_count(0)
    pair.play("32-28", "19-23", "28x19")
    for page in pair:
        page.board.says("19", "white man, last move")
        page.board.says("28", "empty")
    expect(pair.watcher.board.playable).to_have_count(0)
    for name in ("Take back", "Hint", "Offer draw", "Resign"):
        expect(pair.watcher.button(name)).to_be_hidden()
    expect(pair.watcher.side.get_by_text("You are watching")).to_be_visible()
    pair.watcher.board.place("14").click()
    assert pair.watcher.played == 3


def test_a_key_is_taken_out_of_the_address(pair: Pair) -> None:
    for page in pair:
        assert "#" not in page.page.url
    pair.play("32-28")
    pair.black.page.reload()
    pair.black.board.says("19", "can move")


def test_each_sees_the_board_from_their_own_side(pair: Pair) -> None:
    expect(pair.white.board.grid).to_have_accessible_name(re.compile("white at the bottom", re.IGNORECASE))
    expect(pair.black.board.grid).to_have_accessible_name(re.compile("black at the bottom", re.IGNORECASE))


def test_a_takeback_is_asked_for_and_allowed(pair: Pair) -> None:
    pair.play("32-28", "19-23")
    pair.white.button("Take back").click()
    expect(pair.white.side.get_by_text("has not answered yet")).to_be_visible()
    expect(pair.black.side.get_by_text("asks to take back a move")).to_be_visible()
    pair.black.button("Accept").tap()
    for page in pair:
        page.shows(0)
        page.board.says("32", "white man")
    pair.play("33-28")


def test_a_takeback_is_declined(pair: Pair) -> None:
    pair.play("32-28")
    pair.white.button("Take back").click()
    pair.black.button("Decline").tap()
    expect(pair.white.side.get_by_text("has not answered yet")).to_be_hidden()
    expect(pair.black.button("Decline")).to_be_hidden()
    expect(pair.white.page.get_by_text("does not want the move taken back")).not_to_have_count(0)
    expect(pair.black.page.locator(":focus")).not_to_have_count(0)
    assert pair.white.played == 1


def test_two_offers_are_answered_each_by_its_name(pair: Pair) -> None:
    pair.play("32-28")
    pair.white.button("Take back").click()
    pair.white.button("Offer draw").click()
    expect(pair.black.button("Accept the takeback")).to_be_visible()
    pair.black.button("Accept the draw").tap()
    for page in pair:
        expect(page.side.get_by_text("A draw", exact=True)).to_be_visible()
        page.shows(1)


def test_a_draw_is_declined(pair: Pair) -> None:
    pair.play("32-28")
    pair.white.button("Offer draw").click()
    pair.black.button("Decline").tap()
    expect(pair.white.page.locator(".toast")).to_have_text("The draw was declined.")


def test_a_draw_is_offered_and_accepted(pair: Pair) -> None:
    pair.play("32-28")
    pair.white.button("Offer draw").click()
    expect(pair.black.side.get_by_text("offers a draw")).to_be_visible()
    expect(pair.black.said).to_contain_text("draw")
    pair.black.button("Accept").first.tap()
    for page in pair:
        expect(page.side.get_by_text("A draw", exact=True)).to_be_visible()
        expect(page.board.playable).to_have_count(0)


def test_a_draw_offer_is_gone_after_a_move(pair: Pair) -> None:
    pair.play("32-28")
    pair.white.button("Offer draw").click()
    expect(pair.black.side.get_by_text("offers a draw")).to_be_visible()
    pair.play("19-23")
    for page in pair:
        expect(page.side.get_by_text(re.compile("offers? a draw"))).to_have_count(0)


def test_a_resignation_is_told_to_all(pair: Pair) -> None:
    pair.play("32-28")
    pair.white.resign()
    expect(pair.black.page).to_have_title(re.compile("^You won"))
    expect(pair.white.page).to_have_title(re.compile("^You lost"))
    expect(pair.watcher.page).to_have_title(re.compile("^Black won"))


def go_on(page: GamePage) -> GamePage:
    """The page of the next game, once the browser has gone there."""
    page.page.wait_for_url(lambda url: "/game/" in url and page.id not in url)
    there = GamePage(page.page, page.server)
    expect(there.board.grid).to_be_visible()
    return there


def test_a_rematch_is_asked_for_and_accepted(pair: Pair) -> None:
    pair.play("32-28")
    pair.black.resign()
    pair.white.button("Rematch").click()
    expect(pair.white.side.get_by_text("has not answered yet")).to_be_visible()
    expect(pair.white.button("Rematch")).to_be_disabled()
    expect(pair.black.side.get_by_text("asks for a rematch")).to_be_visible()
    expect(pair.black.said).to_contain_text("asks for a rematch")
    pair.black.page.reload()
    pair.black.button("Accept the rematch").tap()
    expect(pair.watcher.said).to_contain_text("The next game has begun.")
    watcher_link = pair.watcher.page.get_by_role("link", name="Watch the next game")
    watcher_link.click()
    again = Pair(white=go_on(pair.black), black=go_on(pair.white), watcher=go_on(pair.watcher))
    for page in again:
        assert "#" not in page.page.url
        expect(page.side.get_by_text("Send this link to your friend")).to_be_hidden()
    assert len({page.id for page in again}) == 1
    expect(again.white.board.grid).to_have_accessible_name(re.compile("white at the bottom", re.IGNORECASE))
    expect(again.watcher.side.get_by_text("You are watching")).to_be_visible()
    again.white.play(again.white.find_move("32-28"), tap)
    again.black.shows(1)
    again.black.play(again.black.find_move("19-23"))
    for page in again:
        page.shows(2)
    again.black.page.reload()
    again.black.shows(2)
    expect(again.black.button("Resign")).to_be_enabled()


def test_a_rematch_is_declined(pair: Pair) -> None:
    pair.white.resign()
    pair.white.button("Rematch").click()
    pair.black.button("Decline").tap()
    expect(pair.white.said).to_contain_text("The rematch was declined.")
    expect(pair.white.side.get_by_text("has not answered yet")).to_be_hidden()
    for page in (pair.white, pair.black):
        expect(page.button("Rematch")).to_be_enabled()
    assert pair.white.state["next"] is None


def test_who_comes_later_finds_the_next_game(pair: Pair) -> None:
    pair.white.resign()
    pair.black.button("Rematch").tap()
    address = pair.black.page.url
    pair.black.page.goto("/")
    expect(pair.white.side.get_by_text("asks for a rematch")).to_be_visible()
    pair.white.button("Accept the rematch").click()
    white = go_on(pair.white)
    expect(pair.black.page.get_by_role("listitem").filter(has_text="asks for a rematch")).to_be_hidden()
    pair.black.page.reload()
    expect(pair.black.page.get_by_text("The rematch has begun")).to_be_visible()
    pair.black.page.goto(address)
    expect(pair.black.button("Rematch")).to_be_hidden()
    pair.black.page.get_by_role("link", name="Go to the next game").tap()
    black = go_on(pair.black)
    assert black.id == white.id
    black.play(black.find_move("32-28"), tap)
    white.shows(1)
    white.page.go_back()
    expect(white.page.get_by_role("link", name="Go to the next game")).to_be_visible()


def test_who_leaves_is_seen_to_be_away_and_comes_back(pair: Pair, visit: Callable[..., Page]) -> None:
    pair.play("32-28")
    expect(pair.white.page).to_have_title(re.compile("^Your friend’s turn"))
    address = pair.black.page.url
    pair.black.page.goto("/")
    expect(pair.white.page).to_have_title(re.compile("^Waiting for your friend"))
    pair.black.page.goto(address)
    expect(pair.white.page).to_have_title(re.compile("^Your friend’s turn"))
    pair.play("19-23")


def test_a_friend_comes_with_the_link(server: Server, visit: Callable[..., Page]) -> None:
    page = visit(server, "/?variant=kalah")
    page.get_by_role("radio", name="Friend by link").check()
    page.get_by_role("radio", name="South").check()
    page.get_by_role("button", name="Play").click()
    page.wait_for_url("**/game/*")
    host = GamePage(page, server)
    link = page.get_by_role("textbox", name="Send this link to your friend")
    expect(link).to_have_value(re.compile(r"/game/.+#.+"))
    friend = GamePage(visit(server, link.input_value()), server)
    expect(link).to_be_hidden()
    host.play(host.find_move("1"))
    friend.shows(1)
    friend.play(friend.find_move("1"))
    host.shows(2)


@pytest.mark.parametrize("key", ["A" * 22, "cut-short", "with%20more>"])
def test_a_wrong_key_only_watches(server: Server, visit: Callable[..., Page], watch: Watch, key: str) -> None:
    watch.forgive("status of 403")
    address = begin(server, variant="kalah")["watch"]
    game = GamePage(visit(server, f"{address}#{key}"), server)
    words = "This link’s key fits no side of this game; you are watching."
    expect(game.side.get_by_role("alert")).to_have_text(words)
    expect(game.board.playable).to_have_count(0)


def test_a_wrong_key_takes_no_seat_away(server: Server, visit: Callable[..., Page], watch: Watch) -> None:
    watch.forgive("status of 403")
    addresses = begin(server, variant="kalah", opponent="link", side="south")
    game = GamePage(visit(server, addresses["south"]), server)
    expect(game.board.playable).not_to_have_count(0)
    game.page.evaluate("key => { location.hash = key; }", "A" * 22)
    expect(game.side.get_by_role("alert")).to_contain_text("you play south with the key that this browser has")
    game.play(game.find_move("1"))


def test_a_place_on_the_page_is_no_key(server: Server, visit: Callable[..., Page]) -> None:
    page = visit(server, begin(server, variant="kalah")["watch"] + "#main")
    expect(page.get_by_text("You are watching")).to_be_visible()
    expect(page.get_by_text("fits no side")).to_be_hidden()
