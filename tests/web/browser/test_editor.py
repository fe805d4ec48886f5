"""Tests of the board editor."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.web.browser.analysis import OpenAnalysis

ANALYSE, CLEAR, TEXT, MORE = "Analyse this position", "Clear board", "Position as text", "One seed more"


def test_pieces_are_added_moved_and_removed(open_analysis: OpenAnalysis) -> None:
    page = open_analysis(variant="english")
    page.page.keyboard.press("e")
    page.editor.get_by_role("button", name=CLEAR).click()
    for tool, square in [("White king", "1"), ("Black man", "10"), ("Black man", "32")]:
        page.editor.get_by_role("radio", name=tool).check()
        page.board.place(square).click()
    page.board.expect_label("1", "white king")
    page.editor.get_by_role("radio", name="Remove", exact=True).check()
    page.board.place("10").click()
    page.board.expect_label("10", "empty")
    page.editor.get_by_role("radio", name="Move", exact=True).check()
    page.board.place("32").drag_to(page.board.place("31"))
    page.board.expect_label("31", "black man")
    page.editor.get_by_role("radio", name="Black to move").check()
    text = page.editor.get_by_role("textbox", name=TEXT)
    expect(text).to_have_value(re.compile(r"^B:.*K1.*31"))
    page.editor.get_by_role("button", name=ANALYSE).click()
    expect(page.position).to_have_value(re.compile(r"^B:.*K1.*31"))
    page.board.expect_label("31", "black man")


@pytest.mark.parametrize(
    ("variant", "tool", "place", "label"),
    [("english", "Remove", "20", "white man"), ("kalah", "Remove a seed", "south 3", "1 seed")],
)
def test_cleared_board_gets_pieces_at_once(
    open_analysis: OpenAnalysis, variant: str, tool: str, place: str, label: str
) -> None:
    page = open_analysis(variant=variant)
    page.page.keyboard.press("e")
    page.editor.get_by_role("radio", name=tool, exact=True).check()
    page.editor.get_by_role("button", name=CLEAR).click()
    page.board.place(place).click()
    page.board.expect_label(place, label)


def test_finished_position_shows_the_result_and_can_be_cancelled(open_analysis: OpenAnalysis) -> None:
    page = open_analysis(variant="english")
    page.page.keyboard.press("e")
    page.editor.get_by_role("button", name=CLEAR).click()
    page.editor.get_by_role("radio", name="White man").check()
    page.board.place("20").click()
    page.editor.get_by_role("radio", name="White to move").check()
    expect(page.editor.get_by_role("status")).to_be_empty()
    page.editor.get_by_role("radio", name="Black to move").check()
    expect(page.editor.get_by_role("status")).to_contain_text("White wins")
    page.editor.get_by_role("button", name="Cancel").click()
    page.board.expect_label("1", "black man")


def test_seeds_are_set(open_analysis: OpenAnalysis) -> None:
    page = open_analysis(variant="kalah")
    page.page.keyboard.press("e")
    page.board.place("south 3").click()
    field = page.editor.get_by_role("spinbutton")
    field.fill("9")
    page.board.expect_label("south 3", "9 seeds")
    page.editor.get_by_role("button", name=MORE).click()
    page.board.expect_label("south 3", "10 seeds")
    page.editor.get_by_role("button", name=ANALYSE).click()
    expect(page.position).to_have_value(re.compile(r"10"))
    page.board.expect_label("south 3", "10 seeds, can be played")


@pytest.mark.parametrize("leave", [ANALYSE, "Play from here"])
def test_change_just_before_leaving_is_kept(open_analysis: OpenAnalysis, leave: str) -> None:
    page = open_analysis(variant="kalah")
    page.page.keyboard.press("e")
    page.board.place("south 3").click()
    field = page.editor.get_by_role("spinbutton")
    field.fill("9")
    expect(page.editor.get_by_role("textbox", name=TEXT)).to_have_value(re.compile(r",9,"))
    change_and_leave = """([editor, ...names]) => {
        const find = (text) => [...editor.querySelectorAll("button, a")].find((each) =>
            [each.textContent, each.getAttribute("aria-label")].includes(text));
        names.forEach((name) => find(name).click());
    }"""
    page.page.evaluate(change_and_leave, [page.editor.element_handle(), MORE, leave])
    page.page.wait_for_url(re.compile(r"position=[^&]*(,|%2C)10(,|%2C)"))


def test_reload_keeps_the_edited_position(open_analysis: OpenAnalysis) -> None:
    page = open_analysis(variant="english", moves="9-13")
    page.page.keyboard.press("e")
    page.editor.get_by_role("button", name=CLEAR).click()
    page.editor.get_by_role("radio", name="White king").check()
    page.board.place("20").click()
    page.board.expect_label("20", "white king")
    page.editor.get_by_role("radio", name="White to move").check()
    page.page.reload()
    expect(page.editor).to_be_visible()
    page.board.expect_label("20", "white king")
    page.board.expect_label("1", "empty")
    expect(page.editor.get_by_role("radio", name="White to move")).to_be_checked()
    page.editor.get_by_role("button", name="Cancel").click()
    page.board.expect_label("13", "black man, last move")
    page.page.reload()
    page.board.expect_label("13", "black man, last move")
    expect(page.editor).to_be_hidden()
