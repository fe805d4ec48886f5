"""The analysis page: moves and variations, the engine, and the whole game judged."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tablemen.family import get_family
from tablemen.mancala import KALAH, solve
from tests.web.browser.analysis import Study
from tests.web.browser.console_log import Watch
from tests.web.browser.pages import WIDE

GAME = (
    "32-28 19-23 28x19 14x23 37-32 10-14 41-37 14-19 34-29 23x34 40x29 20-25 45-40 5-10 32-28 10-14 47-41 15-20 "
    "37-32 25-30 35x15 19-24 29x20 14x25 31-26 4-10 15x4 18-23 28x19 13x24 4x35 17-22"
)
OPENING = "32-28 19-23 28x19 14x23"
KALAH_END = "<6,20,22,0,0,0,1,0,2,0,1,0,1,0,1> south"


# The tree


def test_moves_go_into_the_tree_and_others_become_variations(study: Study) -> None:
    page = study(variant="international")
    page.play("32", "28")
    expect(page.current).to_have_text("32-28")
    page.play("19", "23")
    expect(page.current).to_have_text("19-23")
    page.page.keyboard.press("ArrowLeft")
    page.board.says("28", "white man, last move")
    page.play("18", "23")
    expect(page.moves).to_have_text(["32-28", "19-23", "18-23"])
    page.page.keyboard.press("ArrowLeft")
    page.play("19", "23")
    expect(page.moves).to_have_count(3)
    expect(page.current).to_have_text("19-23")
    page.page.keyboard.press("ArrowDown")
    expect(page.current).to_have_text("18-23")


def test_a_variation_becomes_the_main_line_and_is_deleted(study: Study) -> None:
    page = study(variant="international", moves="32-28 19-23")
    page.page.keyboard.press("ArrowLeft")
    page.play("18", "23")
    page.button("Make this the main line").click()
    expect(page.moves).to_have_text(["32-28", "18-23", "19-23"])
    page.button("Delete from here").click()  # one move is deleted without a question
    expect(page.moves).to_have_text(["32-28", "19-23"])


def test_signs_and_comments_are_part_of_the_game(study: Study) -> None:
    page = study(variant="international", moves="32-28")
    page.button("!?").click()
    page.button("Comment").click()
    field = page.page.get_by_role("textbox", name="Comment on 1. 32-28")
    expect(field).to_be_focused()
    field.fill("An opening of old masters.")
    page.page.keyboard.press("Escape")
    expect(field).to_be_hidden()
    expect(page.game).to_have_value(re.compile(r"1\. 32-28 ?(\$5|!\?) \{ ?An opening of old masters\. ?\}"))


def test_a_reload_loses_nothing(study: Study) -> None:
    page = study(variant="international", moves="32-28 19-23")
    page.page.keyboard.press("ArrowLeft")
    page.play("18", "23")
    expect(page.current).to_have_text("18-23")
    page.page.reload()
    expect(page.moves).to_have_text(["32-28", "19-23", "18-23"])
    expect(page.current).to_have_text("18-23")
    page.board.says("23", "black man, last move")


def test_the_whole_line_is_gone_through_with_keys(study: Study) -> None:
    page = study(variant="international", moves=OPENING)
    for key, text in [("Home", None), ("ArrowRight", "32-28"), ("End", "14x23"), ("ArrowLeft", "28x19")]:
        page.page.keyboard.press(key)
        if text is None:
            expect(page.current).to_have_count(0)
        else:
            expect(page.current).to_have_text(text)


def test_a_variant_is_chosen_after_a_question(study: Study) -> None:
    page = study(variant="international", moves="32-28")
    page.panel.get_by_role("combobox", name="Variant").select_option(label="Russian draughts")
    page.page.get_by_role("dialog").get_by_role("button", name="Begin anew").click()
    expect(page.board.grid).to_have_accessible_name(re.compile("^Russian draughts"))
    expect(page.moves).to_have_count(0)
    page.button("Bring it back").click()
    expect(page.moves).to_have_text(["32-28"])


def test_a_comment_is_begun_with_a_key_and_its_field_stays(study: Study) -> None:
    page = study(variant="international", moves=OPENING)
    field = page.page.get_by_role("textbox", name=re.compile("^Comment on"))
    expect(field).to_be_hidden()
    page.page.keyboard.press("c")
    expect(field).to_be_focused()
    page.moves.first.click()
    expect(field).to_be_visible()
    expect(field).to_have_accessible_name("Comment on 1. 32-28")


def test_the_keys_are_listed(study: Study) -> None:
    page = study(variant="international")
    page.page.keyboard.press("?")
    keys = page.page.get_by_role("dialog", name="Keys")
    expect(keys).to_be_visible()
    page.page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    page.position.fill("elf?")
    expect(keys).to_be_hidden()
    expect(page.editor).to_be_hidden()


# The engine


def test_lines_the_bar_and_the_best_move_appear(study: Study) -> None:
    page = study(variant="international", moves="32-28 19-23")
    expect(page.meter).to_have_attribute("aria-valuetext", "not known")
    page.panel.get_by_role("switch", name="Engine").click()
    expect(page.lines).to_have_count(1)  # a capture that must be made
    expect(page.meter).to_have_attribute("aria-valuetext", re.compile("White can expect"))
    expect(page.page.locator("svg .best").first).to_be_attached()
    page.lines.get_by_role("button").nth(1).click()
    expect(page.moves).to_have_count(4)
    page.panel.get_by_role("combobox", name="How many lines").select_option("5")
    expect(page.lines).to_have_count(5)
    page.page.keyboard.press("l")
    expect(page.panel.get_by_role("switch", name="Engine")).not_to_be_checked()


def test_exact_values_of_every_house(study: Study) -> None:
    page = study(variant="kalah", position=KALAH_END)
    page.panel.get_by_role("switch", name="Engine").click()
    expect(page.panel.get_by_text("Exact:")).to_be_visible()
    values = solve(get_family(KALAH).parse_position(KALAH_END, KALAH), each_move=True).values
    assert len(values) == 2
    for move, value in values.items():
        page.board.says(f"south {move}", rf"value [+−-]?{abs(value)}\b")


def test_the_graph_of_a_game(study: Study) -> None:
    page = study(variant="russian", moves="c3-d4 b6-c5 d4xb6 a7xc5 b2-c3 f6-g5")
    page.button("Analyse the game").click()
    graph = page.panel.get_by_role("slider", name="Evaluation of the game")
    expect(graph).to_have_attribute("aria-valuemax", "6")
    expect(graph).to_have_attribute("aria-valuetext", re.compile("f6-g5"))
    graph.focus()
    page.page.keyboard.press("ArrowLeft")
    expect(page.current).to_contain_text("b2-c3")
    page.page.keyboard.press("Home")
    expect(page.current).to_have_count(0)


def test_moves_have_room_beside_lines_and_graph_and_the_current_one_is_seen(study: Study) -> None:
    page = study({"viewport": WIDE}, variant="international", moves=GAME)
    page.panel.get_by_role("switch", name="Engine").click()
    expect(page.lines).to_have_count(3)
    page.button("Analyse the game").click()
    expect(page.said).to_contain_text("The game is analysed")
    expect(page.panel.get_by_role("slider", name="Evaluation of the game")).to_be_in_viewport(ratio=1)
    tree, current = page.tree.bounding_box(), page.current.bounding_box()
    assert tree is not None
    assert current is not None
    assert tree["height"] >= 9 * current["height"]
    assert tree["y"] <= current["y"] + 1
    assert current["y"] + current["height"] <= tree["y"] + tree["height"] + 1
    assert page.page.evaluate("scrollY") == 0


def test_moves_are_not_pulled_back_from_where_somebody_scrolled(study: Study) -> None:
    page = study({"viewport": {"width": 1280, "height": 600}}, variant="international", moves=GAME)
    expect(page.current).to_be_in_viewport()
    page.tree.hover()
    page.page.mouse.wheel(0, -2000)
    expect(page.moves.first).to_be_in_viewport()
    page.page.keyboard.press("c")  # something takes of its room
    expect(page.moves.first).to_be_in_viewport()
    expect(page.current).not_to_be_in_viewport()
    page.page.keyboard.press("Escape")
    page.page.keyboard.press("ArrowLeft")
    expect(page.current).to_be_in_viewport()


def test_a_line_is_shown_whole(study: Study) -> None:
    page = study({"viewport": WIDE}, variant="international")
    page.panel.get_by_role("switch", name="Engine").click()
    late = page.lines.first.locator(".move").nth(9)
    expect(late).to_be_attached()
    expect(late).not_to_be_in_viewport()
    page.button("The whole of line 1").click()
    expect(page.button("The whole of line 1")).to_have_attribute("aria-expanded", "true")
    expect(late).to_be_in_viewport()


# What goes wrong


def test_a_server_that_is_lost_is_told_and_asked_again(study: Study, watch: Watch) -> None:
    watch.forgive("ERR_INTERNET_DISCONNECTED|failed later: Error: The server cannot be reached")
    page = study(variant="international", moves=OPENING)
    page.page.context.set_offline(True)  # `page.route` would let the next question pass now and then
    page.page.keyboard.press("Home")
    expect(page.said).to_contain_text("The server cannot be reached.")
    expect(page.board.playable).to_have_count(0)
    page.page.context.set_offline(False)
    page.page.keyboard.press("Home")
    expect(page.board.playable).not_to_have_count(0)


def test_a_mistake_of_the_page_is_not_for_who_uses_it(study: Study, watch: Watch) -> None:
    watch.forgive("no such board")
    page = study(variant="international")
    with page.page.expect_console_message(lambda message: message.text.startswith("TypeError: no such board")):
        page.page.evaluate("() => void Promise.reject(new TypeError('no such board'))")
    expect(page.page.get_by_text("no such board")).to_have_count(0)


def test_nothing_is_moved_where_nobody_wants_it(study: Study) -> None:
    page = study(variant="international")
    moving = "() => (document.querySelector('[role=switch]').click(), document.getAnimations().length)"
    assert page.page.evaluate(moving) == 0
