"""Tests of the game page: moves, takebacks, draws, clocks and rematches."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.timeouts import wait_until
from tests.web.browser.axe import horizontal_overflow
from tests.web.browser.console_log import ConsoleLog
from tests.web.browser.pages import LANDSCAPE, REDUCED_MOTION, GamePage, OpenGame, click, create_game
from tests.web.subprocess_server import Server

TWO_PATHS = "W:Wa1,c1,e1,g1,c3,g3,a3:Bb6,d4,f6,h6,b8,d8,f8,d6"  # a capture with two paths
SHUFFLED = ["1-5", "32-28", "5-1", "28-32", "1-5", "32-28", "5-1", "28-32"]


def test_capture_is_entered_jump_by_jump(open_game: OpenGame) -> None:
    game = open_game("russian", position=TWO_PATHS)
    board = game.board
    move = max(game.state["legal"], key=lambda move: len(move["captured"]))
    start, *path = move["places"]
    board.place(start).click()
    board.expect_label(start, "selected")
    board.expect_label(path[0], "target, captures")
    board.place(path[0]).click()
    board.expect_label(move["captured"][0], "will be captured")
    board.expect_label(path[0], "white man, selected|white king, selected")
    board.expect_label(start, "empty")
    game.page.keyboard.press("Escape")
    board.expect_label(start, "white man, can move")
    assert game.ply_count == 0
    game.play(move)
    for square in (start, *move["captured"]):
        board.expect_label(square, "empty")
    board.expect_label(path[-1], "white .*last move")


def test_capture_is_entered_by_its_last_square(open_game: OpenGame) -> None:
    game = open_game("international", position="W:W28:B22,12,50")
    board = game.board
    (move,) = game.state["legal"]
    assert len(move["captured"]) == 2
    board.place(move["places"][0]).click()
    board.place(move["places"][-1]).click()
    game.expect_moves(1)
    assert game.state["plies"][0]["move"] == move


def test_piece_dropped_on_a_wrong_square_is_put_back(open_game: OpenGame) -> None:
    game = open_game("international")
    start, wrong = game.board.place("32"), game.board.place("23")
    start.drag_to(wrong)
    game.board.expect_label("32", "white man")
    game.board.expect_label("23", "empty")
    game.page.keyboard.press("Escape")
    game.board.expect_label("32", "white man, can move")
    assert game.ply_count == 0


def test_crowning_is_shown_and_announced(open_game: OpenGame) -> None:
    game = open_game("english", position="B:W29,30:B27,12")
    game.play(next(move for move in game.state["legal"] if move["crowns"]))
    game.board.expect_label(game.state["plies"][0]["move"]["places"][-1], "black king")
    expect(game.announcer).to_contain_text("crowned")


def test_number_of_captured_pieces_is_shown(open_game: OpenGame) -> None:
    game = open_game("russian", position=TWO_PATHS)
    bar = game.page.get_by_role("region", name="Board and players")
    expect(bar.get_by_text(re.compile("captured", re.IGNORECASE))).to_have_count(0)
    game.play(max(game.state["legal"], key=lambda move: len(move["captured"])))
    taken = len(game.state["plies"][0]["move"]["captured"])
    expect(bar.get_by_text(f"captured {taken} men")).to_be_attached()


def test_sowing_is_shown_and_announced(open_game: OpenGame) -> None:
    game = open_game("kalah", {})  # with animations
    game.play(game.find_move("3"))
    game.board.expect_label("south 3", "0 seeds")
    game.board.expect_label("south store", "1 seed")
    expect(game.announcer).to_contain_text("house 3, moves again")
    game.board.expect_label("south 4", "5 seeds, can be played")


def test_move_is_taken_back(open_game: OpenGame) -> None:
    game = open_game("international")
    game.play(game.find_move("32-28"))
    game.button("Take back").click()
    game.expect_moves(0)
    game.board.expect_label("32", "white man, can move")
    expect(game.announcer).to_contain_text("taken back")
    assert game.ply_count == 0


def test_takeback_against_the_computer_removes_its_reply_too(open_game: OpenGame) -> None:
    game = open_game("kalah", opponent="computer", level=1, side="south", position=None)
    game.play(game.find_move("1"))
    wait_until(lambda: game.state["turn"] == "south" and game.ply_count > 1, "the computer does not move")
    game.button("Take back").click()
    game.expect_moves(0)
    game.board.expect_label("south 1", "4 seeds, can be played")


def test_hint_is_announced(open_game: OpenGame) -> None:
    game = open_game("frysk")
    game.button("Hint").click()
    expect(game.announcer).to_contain_text(re.compile(r"^Hint: \d+ to \d+"))
    places = re.findall(r"\d+", game.announcer.inner_text())
    assert places in [move["places"] for move in game.state["legal"]]


def test_hint_of_a_tablebase_has_its_reason(open_game: OpenGame) -> None:
    game = open_game("english", position="W:WK10,19:BK11")
    game.button("Hint").click()
    expect(game.announcer).to_contain_text("Try 10-6: it wins in 9 plies.")
    expect(game.page.locator(".toast")).to_be_visible()


def test_draw_that_a_tablebase_proves_can_be_claimed_against_the_computer(open_game: OpenGame) -> None:
    won = open_game("english", position="W:WK10,19:BK11", opponent="computer", side="white")
    won.button("Draw").click()
    expect(won.announcer).to_contain_text("cannot claim a draw")
    drawn = open_game("english", position="W:WK10:BK27", opponent="computer", side="white")
    drawn.button("Draw").click()
    expect(drawn.button("Rematch")).to_be_visible()
    assert drawn.state["outcome"]["termination"] == "proven_draw"
    assert won.state["outcome"] is None


def test_resignation_needs_confirmation(open_game: OpenGame) -> None:
    game = open_game("kalah")
    game.resign()
    game.expect_result("North won")
    assert game.state["outcome"]["termination"] == "resignation"


def test_draw_claim_shows_its_reason(open_game: OpenGame) -> None:
    game = open_game("english", position="W:WK1,K2:BK31,K32", moves=SHUFFLED[:-1])
    expect(game.panel.get_by_text("A draw can be claimed")).to_be_hidden()
    game.play(game.find_move(SHUFFLED[-1]))
    (reason,) = game.state["claims"]
    expect(game.announcer).to_contain_text(f"A draw can be claimed: {reason}")
    expect(game.panel.get_by_text(f"A draw can be claimed: {reason}")).to_be_visible()
    game.button("Claim a draw").click()
    game.expect_result("Draw")
    assert game.state["outcome"]["winner"] is None


def test_draw_on_one_device_needs_confirmation(open_game: OpenGame) -> None:
    game = open_game("international")
    game.button("Draw").click()
    assert game.state["outcome"] is None
    game.button("Confirm").click()
    game.expect_result("Draw")


def test_expired_clock_ends_the_game(open_game: OpenGame) -> None:
    game = open_game("kalah", clock="2s")
    game.play(game.find_move("1"))
    expect(game.page).to_have_title(re.compile("^South won"))
    game.expect_result("South won")
    assert game.state["outcome"]["termination"] == "time"


def test_move_can_be_typed(open_game: OpenGame) -> None:
    game = open_game("international")
    field = game.page.get_by_role("textbox", name="Type a move")
    game.page.keyboard.press("m")
    expect(field).to_be_focused()
    game.page.keyboard.type("32-29")
    game.page.keyboard.press("Enter")
    expect(game.page.get_by_role("alert")).to_contain_text("32")
    field.fill("32-28")
    game.page.keyboard.press("Enter")
    game.expect_moves(1)
    expect(field).to_have_value("")
    game.board.expect_label("28", "white man, last move")


def test_reload_keeps_the_game(open_game: OpenGame) -> None:
    game = open_game("international", clock="5+3")
    game.play(game.find_move("32-28"))
    game.page.reload()
    game.expect_moves(1)
    game.board.expect_label("28", "white man, last move")
    game.play(game.find_move("19-23"))
    game.play(game.find_move("28x19"))
    assert game.ply_count == 3


def test_game_file_and_position_are_exported(open_game: OpenGame, tmp_path: Path) -> None:
    game = open_game(
        "international", REDUCED_MOTION | {"permissions": ["clipboard-read", "clipboard-write"]}, moves=["32-28"]
    )
    with game.page.expect_download() as download:
        game.page.get_by_role("link", name="Export").click()
    assert download.value.suggested_filename.endswith(".pdn")
    download.value.save_as(tmp_path / "game.pdn")
    assert "1. 32-28" in (tmp_path / "game.pdn").read_text(encoding="utf-8")
    game.panel.get_by_text("Share", exact=True).click()
    game.button("Copy position").click()
    expect(game.announcer).to_contain_text("Position copied.")
    assert game.page.evaluate("navigator.clipboard.readText()") == game.state["position"]


@pytest.mark.parametrize("name", ["AAAAAAAAAAAAAAAA", "%E0%A4"])
def test_unknown_game_is_reported(
    server: Server, open_page: Callable[..., Page], console_log: ConsoleLog, name: str
) -> None:
    console_log.allow("status of 404")
    page = open_page(server, f"/game/{name}")
    expect(page.get_by_text("Game not found")).to_be_visible()
    page.get_by_role("link", name="New game").click()
    expect(page.get_by_role("button", name="Play")).to_be_enabled()


@pytest.mark.parametrize("method", ["typed", "clicked"])
def test_move_before_the_connection_is_sent_later(
    server: Server, new_context: Callable[..., Any], console_log: ConsoleLog, method: str
) -> None:
    accepts_connections = False

    def answer(socket: Any) -> None:
        if accepts_connections:
            socket.connect_to_server()
        else:
            socket.close()

    context = new_context(base_url=server.url, **REDUCED_MOTION)
    console_log.attach(context, server.url)
    page = context.new_page()
    page.route_web_socket(re.compile("/socket$"), answer)
    page.goto(create_game(server, variant="international")["white"])
    game = GamePage(page, server)
    if method == "typed":
        page.get_by_role("textbox", name="Type a move").fill("32-28")
        page.keyboard.press("Enter")
    else:
        click(game.board, ["32", "28"])
    expect(game.board.playable).to_have_count(0)
    assert game.ply_count == 0
    accepts_connections = True
    game.expect_moves(1)
    game.board.expect_label("28", "white man, last move")
    assert game.ply_count == 1
    expect(game.page.get_by_role("alert")).to_be_hidden()
    game.play(game.find_move("19-23"))


@pytest.mark.parametrize("variant", ["international", "canadian", "kalah", "oware"])
def test_landscape_phone_shows_the_board_and_both_players(open_game: OpenGame, variant: str) -> None:
    game = open_game(variant, {"viewport": LANDSCAPE, **REDUCED_MOTION}, clock="5+3")
    players = game.page.get_by_role("region", name="Board and players").get_by_role("group")
    clocks = game.page.get_by_role("timer")
    expect(clocks).to_have_count(2)
    for each in (game.board.grid, *players.all(), *clocks.all()):
        box = each.bounding_box()
        assert box is not None
        assert 0 <= box["x"] < box["x"] + box["width"] <= LANDSCAPE["width"]
        assert 0 <= box["y"] < box["y"] + box["height"] <= LANDSCAPE["height"]
    assert horizontal_overflow(game.page) <= 0
    assert game.page.evaluate("document.documentElement.scrollHeight") == LANDSCAPE["height"]


def test_rematch_exchanges_the_sides(open_game: OpenGame, server: Server) -> None:
    game = open_game("kalah", opponent="computer", level=1, side="south", clock="5+3")
    game.resign()
    first = game.page.url
    game.button("Rematch").click()
    game.page.wait_for_url(lambda url: "/game/" in url and url != first)
    rematch = GamePage(game.page, server).state
    assert rematch["players"]["north"]["kind"] == "person"
    assert rematch["clock"]["control"] == "5+3"


def test_rematch_begins_with_the_same_opening(open_game: OpenGame, server: Server) -> None:
    opening = ["32-28", "19-23"]
    game = open_game("international", opponent="computer", level=1, side="white", moves=opening)
    game.resign()
    first = game.page.url
    game.button("Rematch").click()
    game.page.wait_for_url(lambda url: "/game/" in url and url != first)
    rematch = GamePage(game.page, server).state
    assert (rematch["opening"], rematch["players"]["black"]["kind"]) == (2, "person")
    assert [ply["move"]["full"] for ply in rematch["plies"]][:2] == opening
