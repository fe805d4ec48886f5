"""The analysis page: moves and variations, the engine, the editor, and everything that goes in and out."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

from tablemen.families import family_of
from tablemen.mancala import KALAH, solve
from tests.web.browser.pages import Board
from tests.web.browser.watching import Watch
from tests.web.serving import Server

CALM = {"reduced_motion": "reduce", "permissions": ["clipboard-read", "clipboard-write"]}
OPENING = "32-28 19-23 28x19 14x23"
KALAH_END = "<6,20,22,0,0,0,1,0,2,0,1,0,1,0,1> south"


class AnalysisPage:
    """The page with its parts."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.board = Board(page)
        self.panel = page.get_by_role("region", name="Analysis", exact=True)
        self.files = page.get_by_role("region", name="Share and export")
        self.editor = page.get_by_role("region", name="Board editor")
        self.moves = self.panel.get_by_role("group", name="Moves").get_by_role("button")
        self.position = self.files.get_by_role("textbox", name="Position")
        self.game = self.files.get_by_role("textbox", name="Game")
        self.meter = page.get_by_role("meter", name="Evaluation")
        self.lines = self.panel.get_by_role("list", name="Lines of the engine").get_by_role("listitem")
        self.said = page.locator("#announcer")
        expect(self.position).not_to_have_value("")

    @property
    def current(self) -> Locator:
        """The move that is shown."""
        return self.panel.locator("[aria-current=true]")

    def button(self, name: str) -> Locator:
        """A button by how it begins."""
        return self.page.get_by_role("button", name=re.compile(rf"^{re.escape(name)}"))

    def play(self, *places: str) -> None:
        """Clicks place by place."""
        self.board.says(places[0], "can move|can be played")
        for place in places:
            self.board.place(place).click()

    def copied(self) -> str:
        """What was copied last."""
        text: str = self.page.evaluate("navigator.clipboard.readText()")
        return text


@pytest.fixture
def study(server: Server, visit: Callable[..., Page]) -> Callable[..., AnalysisPage]:
    """The page with a position: `study(variant="russian", moves="c3-d4")`."""

    def open_page(**wanted: str) -> AnalysisPage:
        return AnalysisPage(visit(server, f"/analyse?{urlencode(wanted)}", **CALM))

    return open_page


Study = Callable[..., AnalysisPage]


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
    page.button("Delete from here").click()
    confirm = page.page.get_by_role("dialog").get_by_role("button").last
    if confirm.is_visible():
        confirm.click()
    expect(page.moves).to_have_text(["32-28", "19-23"])


def test_signs_and_comments_are_part_of_the_game(study: Study) -> None:
    page = study(variant="international", moves="32-28")
    page.button("!?").click()
    page.page.get_by_role("textbox", name="Comment on 1. 32-28").fill("An opening of old masters.")
    page.page.keyboard.press("Tab")
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
    values = solve(family_of(KALAH).parse_position(KALAH_END, KALAH), each_move=True).values
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


# The editor


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
    expect(page.editor.get_by_role("status")).to_contain_text("White wins: no pieces left")
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


def test_a_position_is_played_from_here(study: Study) -> None:
    page = study(variant="russian", moves="c3-d4")
    position = page.position.input_value()
    page.files.get_by_role("link", name="Play from here").click()
    expect(page.page.get_by_role("textbox", name="Position")).to_have_value(position)
    expect(page.page.get_by_role("button", name="Play")).to_be_enabled()


# In and out


def test_a_position_goes_in_and_out(study: Study, watch: Watch) -> None:
    watch.forgive("status of 422")
    page = study(variant="russian")
    page.position.fill("B:WKa1:Bh8,f6")
    page.files.get_by_role("button", name="Set up").click()
    page.board.says("a1", "white king")
    page.board.says("f6", "black man, can move")
    page.files.get_by_role("button", name="Copy", exact=True).first.click()
    assert page.copied() == page.position.input_value()
    page.position.fill("B:WKa1:Bz9")
    page.files.get_by_role("button", name="Set up").click()
    expect(page.files.get_by_role("status")).to_contain_text("z9")


PDN = """[Event "A game of our own"]
[GameType "20"]

1. 32-28 {quiet} 19-23 (1... 18-23 2. 38-32 {better}) 2. 28x19 14x23 *
"""


def test_a_game_file_goes_in_and_out(study: Study) -> None:
    page = study(variant="international")
    page.game.fill(PDN)
    page.files.get_by_role("button", name="Read it in").click()
    expect(page.moves).to_have_text(["32-28", "19-23", "18-23", "38-32", "28x19", "14x23"])
    for comment in ("quiet", "better"):
        expect(page.panel.get_by_text(comment, exact=True)).to_be_visible()
    expect(page.game).to_have_value(re.compile(r"\(1\.\.\. 18-23 2\. 38-32 \{ ?better ?\}\)"))
    with page.page.expect_download() as download:
        page.files.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename.endswith(".pdn")
    assert 'Event "A game of our own"' in Path(download.value.path()).read_text(encoding="utf-8")


def test_one_of_several_games_is_chosen(study: Study, tmp_path: Path) -> None:
    path = tmp_path / "games.pdn"
    path.write_text(PDN + PDN.replace("A game of our own", "Another").replace(" 14x23", ""), encoding="utf-8")
    page = study(variant="international")
    with page.page.expect_file_chooser() as chooser:
        page.files.get_by_role("button", name="Open a file…").click()
    chooser.value.set_files(path)
    page.page.get_by_role("dialog").get_by_role("button", name=re.compile("Another")).click()
    expect(page.moves).to_have_count(5)


def test_what_cannot_be_read_is_said(study: Study) -> None:
    page = study(variant="international")
    page.game.fill("1. 32-28 19-99 *")
    page.files.get_by_role("button", name="Read it in").click()
    expect(page.files.get_by_role("status")).to_contain_text("19-99")
    expect(page.game).to_have_value(re.compile("19-99"))


def test_a_link_holds_the_position(study: Study, visit: Callable[..., Page], server: Server) -> None:
    page = study(variant="russian", position="W:Wa1,c1,e1,g1,c3,g3,a3:Bb6,d4,f6,h6,b8,d8,f8,d6")
    page.play("c3", "e5", "g7")
    page.button("Copy a link").or_(page.button("Copy link")).click()
    expect(page.said).to_contain_text("The link is copied.")
    again = AnalysisPage(visit(server, page.copied()))
    expect(again.position).to_have_value(page.position.input_value())
    expect(again.moves).to_have_text([page.moves.first.inner_text()])


def test_a_bad_link_says_what_is_wrong(server: Server, visit: Callable[..., Page], watch: Watch) -> None:
    watch.forgive("status of 422")
    page = visit(server, "/analyse?variant=russian&moves=c3-d5")
    expect(page.get_by_role("alert")).to_contain_text("d5")
    page.get_by_role("button", name="Analyse from the start position").click()
    expect(page.get_by_role("grid")).to_have_accessible_name(re.compile("^Russian"))


@pytest.mark.parametrize("variant", ["international", "kalah"])
@pytest.mark.parametrize(("kind", "head"), [("SVG", b"<svg"), ("PNG", b"\x89PNG\r\n\x1a\n")])
def test_a_picture_is_taken_along(study: Study, variant: str, kind: str, head: bytes) -> None:
    page = study(variant=variant)
    with page.page.expect_download() as download:
        page.button(f"{kind} picture").click()
    assert download.value.suggested_filename.endswith(f".{kind.lower()}")
    picture = Path(download.value.path()).read_bytes()
    assert picture.startswith(head)
    assert len(picture) > 3000


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
