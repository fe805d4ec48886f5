"""The analysis page keeps to one view, to the focus that one has, and to what is on the board."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.analysis import AnalysisPage, Study
from tests.web.browser.pages import PHONE, WIDE
from tests.web.subprocess_server import Server

NORTH_WINS = "<6,20,22,1,0,0,0,0,0,0,1,0,0,0,2> north"


@pytest.mark.parametrize("size", [WIDE, PHONE])
def test_a_win_that_is_found_fits_into_a_row(study: Study, size: dict[str, int]) -> None:
    page = study({"viewport": size}, variant="english", position="B:W32:B1,2,3,5")
    page.panel.get_by_role("switch", name="Engine").click()
    score = page.panel.locator(".best-score")
    expect(score).to_have_text(re.compile(r"^−#\d+$"))
    expect(page.lines.first.locator(".line-score")).to_have_text(re.compile(r"^−#\d+$"))
    expect(page.panel.get_by_role("status")).to_contain_text("Black wins in")
    expect(page.meter).to_have_attribute("aria-valuetext", re.compile("Black wins in"))
    status = page.panel.locator(".head .status").bounding_box()
    chooser = page.panel.get_by_role("combobox", name="How many lines").bounding_box()
    assert status is not None
    assert chooser is not None
    assert status["x"] + status["width"] <= chooser["x"]
    assert page.panel.locator(".head .status").evaluate("it => it.scrollWidth <= it.clientWidth")


def test_values_of_houses_are_of_the_same_view_as_lines(study: Study) -> None:
    page = study(variant="kalah", position=NORTH_WINS)
    page.panel.get_by_role("switch", name="Engine").click()
    expect(page.panel.get_by_text("Exact:")).to_contain_text("+ for South, − for North")
    best = page.lines.first
    value = best.locator(".line-score").inner_text()
    assert value.startswith("−")
    page.board.says(f"north {best.locator('.move').first.inner_text()}", rf"value {value}\b")


def test_what_is_typed_and_not_read_is_not_taken_along(study: Study) -> None:
    page = study(variant="international")
    discard = page.files.get_by_role("button", name="Discard it")
    expect(page.game).not_to_have_value("")
    expect(discard).to_be_hidden()
    page.game.fill("my junk")
    expect(discard).to_be_visible()
    page.play("32", "28")
    expect(page.current).to_have_text("32-28")
    with page.page.expect_download() as download:
        page.files.get_by_role("button", name="Download").click()
    assert "1. 32-28" in Path(download.value.path()).read_text(encoding="utf-8")
    page.files.get_by_role("button", name="Copy", exact=True).last.click()
    expect(page.said).to_have_text("Game copied.")
    assert "1. 32-28" in page.copied()
    expect(page.game).to_have_value("my junk")
    discard.click()
    expect(page.game).to_have_value(re.compile("1. 32-28"))
    expect(discard).to_be_hidden()
    expect(page.game).to_be_focused()


def test_a_file_of_the_other_family_is_read(study: Study) -> None:
    page = study(variant="international")
    page.game.fill("Variant: kalah\nMoves: 3 6\n")
    page.files.get_by_role("button", name="Read it in").click()
    expect(page.moves).to_have_text(["3", "6"])
    page.game.fill('[GameType "21"]\n\n1. 11-15 22-18 *')
    page.files.get_by_role("button", name="Read it in").click()
    expect(page.moves).to_have_text(["11-15", "22-18"])


def test_the_focus_stays_where_it_is(study: Study) -> None:
    page = study(variant="international", moves="32-28 19-23")
    page.page.keyboard.press("ArrowLeft")
    page.play("18", "23")
    main, out = page.button("Make this the main line"), page.button("Delete from here")
    main.focus()
    page.page.keyboard.press("Enter")
    expect(page.moves).to_have_text(["32-28", "18-23", "19-23"])
    expect(main).to_be_disabled()
    expect(main).to_be_focused()
    page.page.keyboard.press("ArrowLeft")
    out.focus()
    page.page.keyboard.press("Enter")
    page.page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.moves).to_have_count(0)
    expect(out).to_be_disabled()
    expect(out).to_be_focused()
    page.page.keyboard.press("Enter")
    expect(page.page.get_by_role("dialog")).to_have_count(0)


def test_a_link_says_which_side_is_at_the_bottom(study: Study, visit: Callable[..., Page], server: Server) -> None:
    page = study(variant="international", orientation="black")
    first, last = page.board.place("1").bounding_box(), page.board.place("50").bounding_box()
    assert first is not None
    assert last is not None
    assert first["y"] > last["y"]
    page.button("Copy link").click()
    expect(page.said).to_contain_text("Link copied.")
    assert page.copied().endswith("orientation=black")
    page.page.keyboard.press("f")
    expect(page.page).not_to_have_url(re.compile("orientation"))
    again = AnalysisPage(visit(server, page.copied()))
    first, last = again.board.place("1").bounding_box(), again.board.place("50").bounding_box()
    assert first is not None
    assert last is not None
    assert first["y"] > last["y"]


def test_a_piece_that_is_lifted_in_the_editor_is_told(study: Study) -> None:
    page = study(variant="international")
    page.page.keyboard.press("e")
    page.board.place("32").click()
    expect(page.said).to_have_text("White man on 32 picked")
    expect(page.board.place("32")).to_have_class(re.compile(r"\blifted\b"))
    page.board.place("27").click()
    expect(page.said).to_have_text("White man on 27")
    expect(page.page.locator(".lifted")).to_have_count(0)


def test_a_size_that_no_board_has_is_told_at_its_field(study: Study) -> None:
    page = study(variant="kalah")
    houses = page.panel.get_by_role("spinbutton", name="Houses")
    houses.fill("25")
    houses.press("Tab")
    assert houses.evaluate("it => it.matches(':invalid')")
    expect(page.page.locator(".toast")).to_have_count(0)


def test_a_piece_that_must_not_move_says_why(study: Study) -> None:
    page = study(variant="international", moves="32-28 19-23")
    page.board.says("28", "can move")
    page.board.place("33").click()
    expect(page.page.locator(".toast")).to_have_text(re.compile("must capture: 28x19"))
    expect(page.said).to_contain_text("must capture: 28x19")
