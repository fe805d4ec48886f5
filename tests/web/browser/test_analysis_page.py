"""Tests of the analysis page: moves and variations, the engine, and the review of a game."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tablemen.family import get_family
from tablemen.mancala import KALAH, solve
from tests.web.browser.analysis import ANALYSE_GAME, OpenAnalysis
from tests.web.browser.console_log import ConsoleLog
from tests.web.browser.pages import SHORTCUTS, WIDE

GAME = (
    "32-28 19-23 28x19 14x23 37-32 10-14 41-37 14-19 34-29 23x34 40x29 20-25 45-40 5-10 32-28 10-14 47-41 15-20 "
    "37-32 25-30 35x15 19-24 29x20 14x25 31-26 4-10 15x4 18-23 28x19 13x24 4x35 17-22"
)
OPENING = "32-28 19-23 28x19 14x23"
KALAH_END = "<6,20,22,0,0,0,1,0,2,0,1,0,1,0,1> south"


# The tree


def test_alternative_moves_become_variations(open_analysis: OpenAnalysis) -> None:
    page = open_analysis(variant="international")
    page.play("32", "28")
    expect(page.current).to_have_text("32-28")
    page.play("19", "23")
    expect(page.current).to_have_text("19-23")
    page.page.keyboard.press("ArrowLeft")
    page.board.expect_label("28", "white man, last move")
    page.play("18", "23")
    expect(page.moves).to_have_text(["32-28", "19-23", "18-23"])
    page.page.keyboard.press("ArrowLeft")
    page.play("19", "23")
    expect(page.moves).to_have_count(3)
    expect(page.current).to_have_text("19-23")
    page.page.keyboard.press("ArrowDown")
    expect(page.current).to_have_text("18-23")


def test_variation_is_made_the_main_line_and_deleted(open_analysis: OpenAnalysis) -> None:
    page = open_analysis(variant="international", moves="32-28 19-23")
    page.page.keyboard.press("ArrowLeft")
    page.play("18", "23")
    page.button("Make this the main line").click()
    expect(page.moves).to_have_text(["32-28", "18-23", "19-23"])
    page.button("Delete from here").click()  # a single move needs no confirmation
    expect(page.moves).to_have_text(["32-28", "19-23"])


def test_annotations_and_comments_are_exported(open_analysis: OpenAnalysis) -> None:
    page = open_analysis(variant="international", moves="32-28")
    page.button("!?").click()
    page.button("Comment").click()
    field = page.page.get_by_role("textbox", name="Comment on 1. 32-28")
    expect(field).to_be_focused()
    field.fill("An opening of old masters.")
    page.page.keyboard.press("Escape")
    expect(field).to_be_hidden()
    expect(page.game).to_have_value(re.compile(r"1\. 32-28 ?(\$5|!\?) \{ ?An opening of old masters\. ?\}"))


def test_reload_keeps_the_tree(open_analysis: OpenAnalysis) -> None:
    page = open_analysis(variant="international", moves="32-28 19-23")
    page.page.keyboard.press("ArrowLeft")
    page.play("18", "23")
    expect(page.current).to_have_text("18-23")
    page.page.reload()
    expect(page.moves).to_have_text(["32-28", "19-23", "18-23"])
    expect(page.current).to_have_text("18-23")
    page.board.expect_label("23", "black man, last move")


def test_keys_step_through_the_line(open_analysis: OpenAnalysis) -> None:
    page = open_analysis(variant="international", moves=OPENING)
    for key, text in [("Home", None), ("ArrowRight", "32-28"), ("End", "14x23"), ("ArrowLeft", "28x19")]:
        page.page.keyboard.press(key)
        if text is None:
            expect(page.current).to_have_count(0)
        else:
            expect(page.current).to_have_text(text)


def test_change_of_variant_needs_confirmation_and_can_be_undone(open_analysis: OpenAnalysis) -> None:
    page = open_analysis(variant="international", moves="32-28")
    page.panel.get_by_role("combobox", name="Variant").select_option(label="Russian draughts")
    page.page.get_by_role("dialog").get_by_role("button", name="New analysis").click()
    expect(page.board.grid).to_have_accessible_name(re.compile("^Russian draughts"))
    expect(page.moves).to_have_count(0)
    page.button("Restore").click()
    expect(page.moves).to_have_text(["32-28"])


def test_comment_field_opens_with_a_key_and_stays_open(open_analysis: OpenAnalysis) -> None:
    page = open_analysis(variant="international", moves=OPENING)
    field = page.page.get_by_role("textbox", name=re.compile("^Comment on"))
    expect(field).to_be_hidden()
    page.page.keyboard.press("c")
    expect(field).to_be_focused()
    page.moves.first.click()
    expect(field).to_be_visible()
    expect(field).to_have_accessible_name("Comment on 1. 32-28")


def test_shortcuts_are_listed(open_analysis: OpenAnalysis) -> None:
    page = open_analysis(variant="international")
    page.page.keyboard.press("?")
    shortcuts = page.page.get_by_role("dialog", name=SHORTCUTS)
    expect(shortcuts).to_be_visible()
    page.page.keyboard.press("Escape")
    expect(shortcuts).to_be_hidden()
    page.position.fill("elf?")  # letters that are shortcuts elsewhere
    expect(shortcuts).to_be_hidden()
    expect(page.editor).to_be_hidden()


# The engine


def test_engine_shows_lines_evaluation_and_best_move(open_analysis: OpenAnalysis) -> None:
    page = open_analysis(variant="international", moves="32-28 19-23")
    expect(page.meter).to_have_attribute("aria-valuetext", "unknown")
    page.engine.click()
    expect(page.lines).to_have_count(1)  # a compulsory capture
    expect(page.meter).to_have_attribute("aria-valuetext", re.compile(r"White: \d+ per cent"))
    expect(page.page.locator("svg .best").first).to_be_attached()
    buttons = page.lines.get_by_role("button")
    expect(buttons.nth(3)).to_be_attached()  # a line of one move has another button in second place
    buttons.nth(1).click()
    expect(page.moves).to_have_count(4)
    page.line_count.select_option("5")
    expect(page.lines).to_have_count(5)
    page.page.keyboard.press("l")
    expect(page.engine).not_to_be_checked()


def test_every_house_shows_its_exact_value(open_analysis: OpenAnalysis) -> None:
    page = open_analysis(variant="kalah", position=KALAH_END)
    page.engine.click()
    expect(page.panel.get_by_text("Exact:")).to_be_visible()
    values = solve(get_family(KALAH).parse_position(KALAH_END, KALAH), each_move=True).values
    assert len(values) == 2
    for move, value in values.items():
        page.board.expect_label(f"south {move}", rf"value [+−-]?{abs(value)}\b")


def test_graph_shows_the_game_and_selects_moves(open_analysis: OpenAnalysis) -> None:
    page = open_analysis(variant="russian", moves="c3-d4 b6-c5 d4xb6 a7xc5 b2-c3 f6-g5")
    page.button(ANALYSE_GAME).click()
    expect(page.graph).to_have_attribute("aria-valuemax", "6")
    expect(page.graph).to_have_attribute("aria-valuetext", re.compile("f6-g5"))
    page.graph.focus()
    page.page.keyboard.press("ArrowLeft")
    expect(page.current).to_contain_text("b2-c3")
    page.page.keyboard.press("Home")
    expect(page.current).to_have_count(0)


def test_moves_of_a_tablebase_are_shown_by_value_and_can_be_played(open_analysis: OpenAnalysis) -> None:
    page = open_analysis(variant="english", position="W:WK10,19:BK11")
    page.engine.click()
    expect(page.verdict).to_have_text("White wins in 9 plies")
    expect(page.values).to_have_text(["Win10-6 (9)10-14 (13)", "Draw19-1619-15", "Loss10-7 (8)10-15 (8)"])
    expect(page.meter).to_have_attribute("aria-valuetext", re.compile(r"^White wins in 9 plies.* 100 per cent$"))
    expect(page.panel.get_by_text("tablebase", exact=True)).to_be_visible()
    expect(page.button("Extend")).to_be_hidden()
    page.page.keyboard.press("b")
    expect(page.current).to_have_text("10-6")
    expect(page.verdict).to_have_text("Black loses in 8 plies")
    page.page.keyboard.press("Home")
    page.values.get_by_role("button", name="19-16").click()
    expect(page.current).to_have_text("19-16")
    expect(page.verdict).to_have_text("The game is drawn with perfect play")
    expect(page.meter).to_have_attribute("aria-valuenow", "50")
    page.button(ANALYSE_GAME).click()
    expect(page.announcer).to_contain_text("analysis complete")
    page.page.get_by_text("Show as table").click()
    cells = page.page.get_by_role("region", name="Game report").get_by_role("cell")
    expect(cells).to_have_text(["1. White 10-6", "Black loses in 8 plies", "", ""])
    page.button("Make this the main line").click()
    page.button(ANALYSE_GAME).click()
    expect(cells).to_have_text(["1. White 19-16", "The game is drawn with perfect play", "??", "10-6"])


def test_command_that_builds_a_missing_tablebase_can_be_copied(open_analysis: OpenAnalysis) -> None:
    page = open_analysis(variant="english", position="W:WK10,K14:BK27,K1,2")
    page.engine.click()
    command = "tablemen tablebase build english --pieces 5 --distances"
    expect(page.panel.get_by_text(command)).to_be_visible()
    expect(page.lines).to_have_count(3)
    page.panel.get_by_role("button", name="Copy the command").click()
    expect(page.announcer).to_contain_text("copied")
    assert page.read_clipboard() == command
    page.engine.click()
    expect(page.panel.get_by_text(command)).to_be_hidden()


def test_current_move_is_visible_beside_lines_and_graph(open_analysis: OpenAnalysis) -> None:
    page = open_analysis({"viewport": WIDE}, variant="international", moves=GAME)
    page.engine.click()
    expect(page.lines).to_have_count(3)
    page.button(ANALYSE_GAME).click()
    expect(page.announcer).to_contain_text("analysis complete")
    expect(page.graph).to_be_in_viewport(ratio=1)
    tree, current = page.tree.bounding_box(), page.current.bounding_box()
    assert tree is not None
    assert current is not None
    assert tree["height"] >= 9 * current["height"]
    assert tree["y"] <= current["y"] + 1
    assert current["y"] + current["height"] <= tree["y"] + tree["height"] + 1
    assert page.page.evaluate("scrollY") == 0


def test_scroll_position_of_the_moves_is_kept(open_analysis: OpenAnalysis) -> None:
    page = open_analysis({"viewport": {"width": 1280, "height": 600}}, variant="international", moves=GAME)
    expect(page.current).to_be_in_viewport()
    page.tree.hover()
    page.page.mouse.wheel(0, -2000)
    expect(page.moves.first).to_be_in_viewport()
    page.page.keyboard.press("c")  # the comment field makes the list smaller
    expect(page.moves.first).to_be_in_viewport()
    expect(page.current).not_to_be_in_viewport()
    page.page.keyboard.press("Escape")
    page.page.keyboard.press("ArrowLeft")
    expect(page.current).to_be_in_viewport()


def test_line_can_be_expanded(open_analysis: OpenAnalysis) -> None:
    page = open_analysis({"viewport": WIDE}, variant="international")
    page.engine.click()
    late = page.lines.first.locator(".move").nth(9)
    expect(late).to_be_attached()
    expect(late).not_to_be_in_viewport()
    page.button("Expand line 1").click()
    expect(page.button("Expand line 1")).to_have_attribute("aria-expanded", "true")
    expect(late).to_be_in_viewport()


# Errors


def test_lost_server_is_reported_and_requested_again(open_analysis: OpenAnalysis, console_log: ConsoleLog) -> None:
    console_log.allow("ERR_INTERNET_DISCONNECTED|unhandled rejection: Error: The server cannot be reached")
    page = open_analysis(variant="international", moves=OPENING)
    page.page.context.set_offline(True)  # `page.route` sometimes lets the next request pass
    page.page.keyboard.press("Home")
    expect(page.announcer).to_contain_text("server cannot be reached")
    expect(page.board.playable).to_have_count(0)
    page.page.context.set_offline(False)
    page.page.keyboard.press("Home")
    expect(page.board.playable).not_to_have_count(0)


def test_script_error_is_logged_and_not_shown(open_analysis: OpenAnalysis, console_log: ConsoleLog) -> None:
    console_log.allow("no such board")
    page = open_analysis(variant="international")
    with page.page.expect_console_message(lambda message: message.text.startswith("TypeError: no such board")):
        page.page.evaluate("() => void Promise.reject(new TypeError('no such board'))")
    expect(page.page.get_by_text("no such board")).to_have_count(0)


def test_reduced_motion_disables_transitions(open_analysis: OpenAnalysis) -> None:
    page = open_analysis(variant="international")
    count_animations = "() => (document.querySelector('[role=switch]').click(), document.getAnimations().length)"
    assert page.page.evaluate(count_animations) == 0
