"""Tests of the usability of the analysis page: scores, focus, links, and texts that are not imported."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.analysis import AnalysisPage, OpenAnalysis
from tests.web.browser.pages import PHONE, WIDE
from tests.web.subprocess_server import Server

NORTH_WINS = "<6,20,22,1,0,0,0,0,0,0,1,0,0,0,2> north"


@pytest.mark.parametrize("size", [WIDE, PHONE])
def test_score_of_a_win_fits_into_one_row(open_analysis: OpenAnalysis, size: dict[str, int]) -> None:
    page = open_analysis({"viewport": size}, variant="english", position="B:W32:B1,2,3,5")
    page.engine.click()
    score = page.panel.locator(".best-score")
    expect(score).to_have_text(re.compile(r"^−#\d+$"))
    expect(page.lines.first.locator(".line-score")).to_have_text(re.compile(r"^−#\d+$"))
    expect(page.panel.get_by_role("status")).to_contain_text("Black wins")
    expect(page.meter).to_have_attribute("aria-valuetext", re.compile("Black wins"))
    status = page.panel.locator(".head .status").bounding_box()
    line_count = page.line_count.bounding_box()
    assert status is not None
    assert line_count is not None
    assert status["x"] + status["width"] <= line_count["x"]
    assert page.panel.locator(".head .status").evaluate("it => it.scrollWidth <= it.clientWidth")


def test_exact_values_have_the_same_sign_as_scores(open_analysis: OpenAnalysis) -> None:
    page = open_analysis(variant="kalah", position=NORTH_WINS)
    page.engine.click()
    expect(page.panel.get_by_text("Exact:")).to_contain_text("+ for South, − for North")
    best = page.lines.first
    value = best.locator(".line-score").inner_text()
    assert value.startswith("−")
    page.board.expect_label(f"north {best.locator('.move').first.inner_text()}", rf"value {value}\b")


def test_text_that_is_not_imported_is_not_exported(open_analysis: OpenAnalysis) -> None:
    page = open_analysis(variant="international")
    discard = page.file_button("Discard")
    expect(page.game).not_to_have_value("")
    expect(discard).to_be_hidden()
    page.game.fill("not a game")
    expect(discard).to_be_visible()
    page.play("32", "28")
    expect(page.current).to_have_text("32-28")
    with page.page.expect_download() as download:
        page.file_button("Export").click()
    assert "1. 32-28" in Path(download.value.path()).read_text(encoding="utf-8")
    page.file_button("Copy").last.click()
    expect(page.announcer).to_have_text("Game copied.")
    assert "1. 32-28" in page.read_clipboard()
    expect(page.game).to_have_value("not a game")
    discard.click()
    expect(page.game).to_have_value(re.compile("1. 32-28"))
    expect(discard).to_be_hidden()
    expect(page.game).to_be_focused()


def test_file_of_the_other_family_is_imported(open_analysis: OpenAnalysis) -> None:
    page = open_analysis(variant="international")
    page.game.fill("Variant: kalah\nMoves: 3 6\n")
    page.file_button("Import").click()
    expect(page.moves).to_have_text(["3", "6"])
    page.game.fill('[GameType "21"]\n\n1. 11-15 22-18 *')
    page.file_button("Import").click()
    expect(page.moves).to_have_text(["11-15", "22-18"])


def test_focus_stays_on_disabled_buttons(open_analysis: OpenAnalysis) -> None:
    page = open_analysis(variant="international", moves="32-28 19-23")
    page.page.keyboard.press("ArrowLeft")
    page.play("18", "23")
    expect(page.current).to_have_text("18-23")
    main, delete = page.button("Make this the main line"), page.button("Delete from here")
    main.focus()
    page.page.keyboard.press("Enter")
    expect(page.moves).to_have_text(["32-28", "18-23", "19-23"])
    expect(main).to_be_disabled()
    expect(main).to_be_focused()
    page.page.keyboard.press("ArrowLeft")
    delete.focus()
    page.page.keyboard.press("Enter")
    page.page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.moves).to_have_count(0)
    expect(delete).to_be_disabled()
    expect(delete).to_be_focused()
    page.page.keyboard.press("Enter")
    expect(page.page.get_by_role("dialog")).to_have_count(0)


def test_link_contains_the_orientation(
    open_analysis: OpenAnalysis, open_page: Callable[..., Page], server: Server
) -> None:
    page = open_analysis(variant="international", orientation="black")
    first, last = page.board.place("1").bounding_box(), page.board.place("50").bounding_box()
    assert first is not None
    assert last is not None
    assert first["y"] > last["y"]
    page.button("Copy link").click()
    expect(page.announcer).to_contain_text("Link copied.")
    assert page.read_clipboard().endswith("orientation=black")
    page.page.keyboard.press("f")
    expect(page.page).not_to_have_url(re.compile("orientation"))
    again = AnalysisPage(open_page(server, page.read_clipboard()))
    first, last = again.board.place("1").bounding_box(), again.board.place("50").bounding_box()
    assert first is not None
    assert last is not None
    assert first["y"] > last["y"]


def test_selection_in_the_editor_is_announced(open_analysis: OpenAnalysis) -> None:
    page = open_analysis(variant="international")
    page.page.keyboard.press("e")
    page.board.place("32").click()
    expect(page.announcer).to_have_text("White man on 32 selected")
    expect(page.board.place("32")).to_have_class(re.compile(r"\blifted\b"))
    page.board.place("27").click()
    expect(page.announcer).to_have_text("White man on 27")
    expect(page.page.locator(".lifted")).to_have_count(0)


def test_invalid_board_size_marks_the_field(open_analysis: OpenAnalysis) -> None:
    page = open_analysis(variant="kalah")
    houses = page.panel.get_by_role("spinbutton", name="Houses")
    houses.fill("25")
    houses.press("Tab")
    assert houses.evaluate("it => it.matches(':invalid')")
    expect(page.page.locator(".toast")).to_have_count(0)


def test_click_on_a_blocked_piece_explains_the_rule(open_analysis: OpenAnalysis) -> None:
    page = open_analysis(variant="international", moves="32-28 19-23")
    page.board.expect_label("28", "can move")
    page.board.place("33").click()
    expect(page.page.locator(".toast")).to_contain_text("28x19")
    expect(page.announcer).to_contain_text("28x19")
