"""What a player does on the page of a game."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.timeouts import wait_until
from tests.web.browser.axe import width_beyond_the_window
from tests.web.browser.console_log import Watch
from tests.web.browser.pages import CALM, LANDSCAPE, GamePage, SitDown, begin, click
from tests.web.subprocess_server import Server

TWO_WAYS = "W:Wa1,c1,e1,g1,c3,g3,a3:Bb6,d4,f6,h6,b8,d8,f8,d6"  # a capture that goes two ways
SHUFFLED = ["1-5", "32-28", "5-1", "28-32", "1-5", "32-28", "5-1", "28-32"]


def test_a_capture_of_several_jumps_goes_step_by_step(sit_down: SitDown) -> None:
    game = sit_down("russian", position=TWO_WAYS)
    board = game.board
    move = max(game.state["legal"], key=lambda move: len(move["captured"]))
    start, *way = move["places"]
    board.place(start).click()
    board.says(start, "picked")
    board.says(way[0], "target, captures")
    board.place(way[0]).click()
    board.says(move["captured"][0], "will be captured")
    board.says(way[0], "white man, picked|white king, picked")
    board.says(start, "empty")
    game.page.keyboard.press("Escape")
    board.says(start, "white man, can move")
    assert game.played == 0
    game.play(move)
    for square in (start, *move["captured"]):
        board.says(square, "empty")
    board.says(way[-1], "white .*last move")


def test_a_capture_can_be_finished_where_it_ends(sit_down: SitDown) -> None:
    game = sit_down("international", position="W:W28:B22,12,50")
    board = game.board
    (move,) = game.state["legal"]
    assert len(move["captured"]) == 2
    board.place(move["places"][0]).click()
    board.place(move["places"][-1]).click()
    game.shows(1)
    assert game.state["plies"][0]["move"] == move


def test_a_piece_that_is_dropped_wrongly_goes_back(sit_down: SitDown) -> None:
    game = sit_down("international")
    start, wrong = game.board.place("32"), game.board.place("23")
    start.drag_to(wrong)
    game.board.says("32", "white man")
    game.board.says("23", "empty")
    game.page.keyboard.press("Escape")
    game.board.says("32", "white man, can move")
    assert game.played == 0


def test_a_man_is_crowned(sit_down: SitDown) -> None:
    game = sit_down("english", position="B:W29,30:B27,12")
    game.play(next(move for move in game.state["legal"] if move["crowns"]))
    game.board.says(game.state["plies"][0]["move"]["places"][-1], "black king")
    expect(game.said).to_contain_text("crowned")


def test_captured_pieces_are_shown(sit_down: SitDown) -> None:
    game = sit_down("russian", position=TWO_WAYS)
    bar = game.page.get_by_role("region", name="Board and players")
    expect(bar.get_by_text(re.compile("captured", re.IGNORECASE))).to_have_count(0)
    game.play(max(game.state["legal"], key=lambda move: len(move["captured"])))
    taken = len(game.state["plies"][0]["move"]["captured"])
    expect(bar.get_by_text(f"captured {taken} men")).to_be_attached()


def test_a_house_is_sown_and_told(sit_down: SitDown) -> None:
    game = sit_down("kalah", {})  # seed by seed
    game.play(game.find_move("3"))
    game.board.says("south 3", "0 seeds")
    game.board.says("south store", "1 seed")
    expect(game.said).to_contain_text("house 3, moves again")
    game.board.says("south 4", "5 seeds, can be played")


def test_a_move_is_taken_back(sit_down: SitDown) -> None:
    game = sit_down("international")
    game.play(game.find_move("32-28"))
    game.button("Take back").click()
    game.shows(0)
    game.board.says("32", "white man, can move")
    expect(game.said).to_contain_text("taken back")
    assert game.played == 0


def test_a_move_against_the_computer_is_taken_back_with_its_answer(sit_down: SitDown) -> None:
    game = sit_down("kalah", opponent="computer", level=1, side="south", position=None)
    game.play(game.find_move("1"))
    wait_until(lambda: game.state["turn"] == "south" and game.played > 1, "the computer does not move")
    game.button("Take back").click()
    game.shows(0)
    game.board.says("south 1", "4 seeds, can be played")


def test_a_hint_is_shown_and_said(sit_down: SitDown) -> None:
    game = sit_down("frysk")
    game.button("Hint").click()
    expect(game.said).to_contain_text(re.compile(r"^Hint: \d+ to \d+"))
    hinted = re.findall(r"\d+", game.said.inner_text())
    assert hinted in [move["places"] for move in game.state["legal"]]


def test_resigning_asks_once(sit_down: SitDown) -> None:
    game = sit_down("kalah")
    game.resign()
    expect(game.side.get_by_text("North won")).to_be_visible()
    assert game.state["outcome"]["termination"] == "resignation"


def test_a_draw_is_claimed_with_its_reason(sit_down: SitDown) -> None:
    game = sit_down("english", position="W:WK1,K2:BK31,K32", moves=SHUFFLED[:-1])
    expect(game.side.get_by_text("A draw can be claimed")).to_be_hidden()
    game.play(game.find_move(SHUFFLED[-1]))
    (reason,) = game.state["claims"]
    expect(game.said).to_contain_text(f"A draw can be claimed: {reason}")
    expect(game.side.get_by_text(f"A draw can be claimed: {reason}")).to_be_visible()
    game.button("Claim a draw").click()
    expect(game.side.get_by_text("A draw", exact=True)).to_be_visible()
    assert game.state["outcome"]["winner"] is None


def test_a_draw_is_agreed_on_at_one_screen(sit_down: SitDown) -> None:
    game = sit_down("international")
    game.button("Draw").click()
    assert game.state["outcome"] is None
    game.button("Really?").click()
    expect(game.side.get_by_text("A draw", exact=True)).to_be_visible()


def test_a_clock_runs_out(sit_down: SitDown) -> None:
    game = sit_down("kalah", clock="2s")
    game.play(game.find_move("1"))
    expect(game.page).to_have_title(re.compile("^South won"))
    expect(game.side.get_by_text("Time ran out")).to_be_visible()
    assert game.state["outcome"]["termination"] == "time"


def test_a_move_is_typed(sit_down: SitDown) -> None:
    game = sit_down("international")
    field = game.page.get_by_role("textbox", name="Type a move")
    game.page.keyboard.press("m")
    expect(field).to_be_focused()
    game.page.keyboard.type("32-29")
    game.page.keyboard.press("Enter")
    expect(game.page.get_by_role("alert")).to_contain_text("32")
    field.fill("32-28")
    game.page.keyboard.press("Enter")
    game.shows(1)
    expect(field).to_have_value("")
    game.board.says("28", "white man, last move")


def test_a_reload_changes_nothing(sit_down: SitDown) -> None:
    game = sit_down("international", clock="5+3")
    game.play(game.find_move("32-28"))
    game.page.reload()
    game.shows(1)
    game.board.says("28", "white man, last move")
    game.play(game.find_move("19-23"))
    game.play(game.find_move("28x19"))
    assert game.played == 3


def test_the_game_file_and_the_position_are_taken_along(sit_down: SitDown, tmp_path: Path) -> None:
    game = sit_down("international", CALM | {"permissions": ["clipboard-read", "clipboard-write"]}, moves=["32-28"])
    with game.page.expect_download() as download:
        game.page.get_by_role("link", name="Game file").click()
    assert download.value.suggested_filename.endswith(".pdn")
    download.value.save_as(tmp_path / "game.pdn")
    assert "1. 32-28" in (tmp_path / "game.pdn").read_text(encoding="utf-8")
    game.side.get_by_text("Copy the position or a link").click()
    game.button("Position").click()
    expect(game.said).to_contain_text("Position copied.")
    assert game.page.evaluate("navigator.clipboard.readText()") == game.state["position"]


@pytest.mark.parametrize("name", ["AAAAAAAAAAAAAAAA", "%E0%A4"])
def test_a_game_that_is_not_there(server: Server, visit: Callable[..., Page], watch: Watch, name: str) -> None:
    watch.forgive("status of 404")
    page = visit(server, f"/game/{name}")
    expect(page.get_by_text("There is no such game here.")).to_be_visible()
    page.get_by_role("link", name="New game").click()
    expect(page.get_by_role("button", name="Play")).to_be_enabled()


@pytest.mark.parametrize("way", ["typed", "clicked"])
def test_a_move_before_the_connection_is_kept(
    server: Server, new_context: Callable[..., Any], watch: Watch, way: str
) -> None:
    doors: list[bool] = []

    def answer(socket: Any) -> None:
        if doors:
            socket.connect_to_server()
        else:
            socket.close()

    context = new_context(base_url=server.url, **CALM)
    watch.over(context, server.url)
    page = context.new_page()
    page.route_web_socket(re.compile("/socket$"), answer)
    page.goto(begin(server, variant="international")["white"])
    game = GamePage(page, server)
    if way == "typed":
        page.get_by_role("textbox", name="Type a move").fill("32-28")
        page.keyboard.press("Enter")
    else:
        click(game.board, ["32", "28"])
    expect(game.board.playable).to_have_count(0)
    assert game.played == 0
    doors.append(True)
    game.shows(1)
    game.board.says("28", "white man, last move")
    assert game.played == 1
    expect(game.page.get_by_role("alert")).to_be_hidden()
    game.play(game.find_move("19-23"))


@pytest.mark.parametrize("variant", ["international", "canadian", "kalah", "oware"])
def test_a_phone_on_its_side_shows_the_board_and_both_players(sit_down: SitDown, variant: str) -> None:
    game = sit_down(variant, {"viewport": LANDSCAPE, **CALM}, clock="5+3")
    players = game.page.get_by_role("region", name="Board and players").get_by_role("group")
    clocks = game.page.get_by_role("timer")
    expect(clocks).to_have_count(2)
    for each in (game.board.grid, *players.all(), *clocks.all()):
        box = each.bounding_box()
        assert box is not None
        assert 0 <= box["x"] < box["x"] + box["width"] <= LANDSCAPE["width"]
        assert 0 <= box["y"] < box["y"] + box["height"] <= LANDSCAPE["height"]
    assert width_beyond_the_window(game.page) <= 0
    assert game.page.evaluate("document.documentElement.scrollHeight") == LANDSCAPE["height"]


def test_a_rematch_changes_the_sides(sit_down: SitDown, server: Server) -> None:
    game = sit_down("kalah", opponent="computer", level=1, side="south", clock="5+3")
    game.resign()
    first = game.page.url
    game.button("Rematch").click()
    game.page.wait_for_url(lambda url: "/game/" in url and url != first)
    again = GamePage(game.page, server)
    assert again.state["players"]["north"]["kind"] == "person"
    assert again.state["clock"]["control"] == "5+3"


def test_a_rematch_begins_with_the_same_moves(sit_down: SitDown, server: Server) -> None:
    begun = ["32-28", "19-23"]
    game = sit_down("international", opponent="computer", level=1, side="white", moves=begun)
    game.resign()
    first = game.page.url
    game.button("Rematch").click()
    game.page.wait_for_url(lambda url: "/game/" in url and url != first)
    again = GamePage(game.page, server).state
    assert (again["opening"], again["players"]["black"]["kind"]) == (2, "person")
    assert [ply["move"]["full"] for ply in again["plies"]][:2] == begun
