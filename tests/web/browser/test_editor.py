"""The board editor of the analysis page."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.web.browser.analysis import Study


def test_pieces_are_put_on_the_board(study: Study) -> None:
    page = study(variant="english")
    page.page.keyboard.press("e")
    page.editor.get_by_role("button", name="Clear the board").click()
    for tool, square in [("White king", "1"), ("Black man", "10"), ("Black man", "32")]:
        page.editor.get_by_role("radio", name=tool).check()
        page.board.place(square).click()
    page.board.says("1", "white king")
    page.editor.get_by_role("radio", name="takes away").check()
    page.board.place("10").click()
    page.board.says("10", "empty")
    page.editor.get_by_role("radio", name="moves pieces").check()
    page.board.place("32").drag_to(page.board.place("31"))
    page.board.says("31", "black man")
    page.editor.get_by_role("radio", name="Black to move").check()
    text = page.editor.get_by_role("textbox", name="As text")
    expect(text).to_have_value(re.compile(r"^B:.*K1.*31"))
    page.editor.get_by_role("button", name="Analyse this position").click()
    expect(page.position).to_have_value(re.compile(r"^B:.*K1.*31"))
    page.board.says("31", "black man")


def test_what_a_set_up_comes_to_is_said_and_it_can_be_left(study: Study) -> None:
    page = study(variant="english")
    page.page.keyboard.press("e")
    page.editor.get_by_role("button", name="Clear the board").click()
    page.editor.get_by_role("radio", name="White man").check()
    page.board.place("20").click()
    page.editor.get_by_role("radio", name="White to move").check()
    expect(page.editor.get_by_role("status")).to_be_empty()
    page.editor.get_by_role("radio", name="Black to move").check()
    expect(page.editor.get_by_role("status")).to_contain_text("White wins: Black has no pieces left")
    page.editor.get_by_role("button", name="Cancel").click()
    page.board.says("1", "black man")


def test_seeds_are_put_into_pits(study: Study) -> None:
    page = study(variant="kalah")
    page.page.keyboard.press("e")
    page.board.place("south 3").click()
    field = page.editor.get_by_role("spinbutton")
    field.fill("9")
    page.board.says("south 3", "9 seeds")
    page.editor.get_by_role("button", name="One seed more").click()
    page.board.says("south 3", "10 seeds")
    page.editor.get_by_role("button", name="Analyse this position").click()
    expect(page.position).to_have_value(re.compile(r"10"))
    page.board.says("south 3", "10 seeds, can be played")


@pytest.mark.parametrize("leave", ["Analyse this position", "Play from here"])
def test_whoever_is_quick_leaves_with_the_last_change(study: Study, leave: str) -> None:
    page = study(variant="kalah")
    page.page.keyboard.press("e")
    page.board.place("south 3").click()
    field = page.editor.get_by_role("spinbutton")
    field.fill("9")
    expect(page.editor.get_by_role("textbox", name="As text")).to_have_value(re.compile(r",9,"))
    quickly = """([editor, words]) => {
        const find = (text) => [...editor.querySelectorAll("button, a")].find((each) =>
            [each.textContent, each.getAttribute("aria-label")].includes(text));
        find("One seed more").click();
        find(words).click();
    }"""
    page.page.evaluate(quickly, [page.editor.element_handle(), leave])
    page.page.wait_for_url(re.compile(r"position=[^&]*(,|%2C)10(,|%2C)"))


def test_a_reload_keeps_what_is_put_together(study: Study) -> None:
    page = study(variant="english", moves="9-13")
    page.page.keyboard.press("e")
    page.editor.get_by_role("button", name="Clear the board").click()
    page.editor.get_by_role("radio", name="White king").check()
    page.board.place("20").click()
    page.board.says("20", "white king")
    page.editor.get_by_role("radio", name="White to move").check()
    page.page.reload()
    expect(page.editor).to_be_visible()
    page.board.says("20", "white king")
    page.board.says("1", "empty")
    expect(page.editor.get_by_role("radio", name="White to move")).to_be_checked()
    page.editor.get_by_role("button", name="Cancel").click()
    page.board.says("13", "black man, last move")
    page.page.reload()
    page.board.says("13", "black man, last move")
    expect(page.editor).to_be_hidden()
