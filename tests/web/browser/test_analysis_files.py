"""What goes into the analysis page and out of it: positions, game files, links and pictures."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.analysis import AnalysisPage, Study
from tests.web.browser.console_log import Watch
from tests.web.subprocess_server import Server


def test_a_position_is_played_from_here(study: Study) -> None:
    page = study(variant="russian", moves="c3-d4")
    position = page.position.input_value()
    page.files.get_by_role("link", name="Play from here").click()
    expect(page.page.get_by_role("textbox", name="Position")).to_have_value(position)
    expect(page.page.get_by_role("button", name="Play")).to_be_enabled()


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
    expect(page.game).not_to_have_value("")
    page.game.fill("1. 32-28 19-99 *")
    with page.page.expect_response("**/api/files/write"):  # of the move that could be read
        page.files.get_by_role("button", name="Read it in").click()
    expect(page.files.get_by_role("status")).to_contain_text("19-99")
    expect(page.moves).to_have_text(["32-28"])
    page.files.get_by_role("button", name="Download").click()  # it is written once more
    expect(page.game).to_have_value("1. 32-28 19-99 *")
    page.files.get_by_role("button", name="Discard it").click()
    expect(page.game).to_have_value(re.compile(r"1\. 32-28 \*"))


def test_a_link_holds_the_position(study: Study, visit: Callable[..., Page], server: Server) -> None:
    page = study(variant="russian", position="W:Wa1,c1,e1,g1,c3,g3,a3:Bb6,d4,f6,h6,b8,d8,f8,d6")
    page.play("c3", "e5", "g7")
    expect(page.said).to_contain_text("c3 takes e5 takes g7")  # the move is announced when the server has answered
    page.button("Copy link").click()
    expect(page.said).to_contain_text("Link copied.")
    again = AnalysisPage(visit(server, page.copied()))
    expect(again.position).to_have_value(page.position.input_value())
    expect(again.moves).to_have_text([page.moves.first.inner_text()])


def test_a_bad_link_says_what_is_wrong(server: Server, visit: Callable[..., Page], watch: Watch) -> None:
    watch.forgive("status of 422")
    page = visit(server, "/analyse?variant=russian&moves=c3-d5")
    expect(page.get_by_role("alert")).to_contain_text("d5")
    page.get_by_role("button", name="Analyse from the start position").click()
    expect(page.get_by_role("grid")).to_have_accessible_name(re.compile("^Russian"))


def test_a_link_of_a_game_that_nobody_knows(server: Server, visit: Callable[..., Page], watch: Watch) -> None:
    watch.forgive("status of 404")
    page = visit(server, "/analyse?variant=kala")
    expect(page.get_by_role("alert")).to_contain_text("There is no game called 'kala'; did you mean kalah")
    expect(page.get_by_role("grid")).to_have_accessible_name(re.compile("^International"))


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
