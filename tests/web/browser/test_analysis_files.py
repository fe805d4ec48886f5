"""Tests of import and export on the analysis page: positions, game files, links and pictures."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.analysis import AnalysisPage, OpenAnalysis
from tests.web.browser.console_log import ConsoleLog
from tests.web.subprocess_server import Server


def test_position_can_be_played(open_analysis: OpenAnalysis) -> None:
    page = open_analysis(variant="russian", moves="c3-d4")
    position = page.position.input_value()
    page.files.get_by_role("link", name="Play from here").click()
    expect(page.page.get_by_role("textbox", name="Position")).to_have_value(position)
    expect(page.page.get_by_role("button", name="Play")).to_be_enabled()


def test_position_is_loaded_and_copied(open_analysis: OpenAnalysis, console_log: ConsoleLog) -> None:
    console_log.allow("status of 422")
    page = open_analysis(variant="russian")
    page.position.fill("B:WKa1:Bh8,f6")
    page.file_button("Load").click()
    page.board.expect_label("a1", "white king")
    page.board.expect_label("f6", "black man, can move")
    page.file_button("Copy").first.click()
    assert page.read_clipboard() == page.position.input_value()
    page.position.fill("B:WKa1:Bz9")
    page.file_button("Load").click()
    expect(page.files.get_by_role("status")).to_contain_text("z9")


PDN = """[Event "Club match"]
[GameType "20"]

1. 32-28 {quiet} 19-23 (1... 18-23 2. 38-32 {better}) 2. 28x19 14x23 *
"""


def test_game_is_imported_and_exported(open_analysis: OpenAnalysis) -> None:
    page = open_analysis(variant="international")
    page.game.fill(PDN)
    page.file_button("Import").click()
    expect(page.moves).to_have_text(["32-28", "19-23", "18-23", "38-32", "28x19", "14x23"])
    for comment in ("quiet", "better"):
        expect(page.panel.get_by_text(comment, exact=True)).to_be_visible()
    expect(page.game).to_have_value(re.compile(r"\(1\.\.\. 18-23 2\. 38-32 \{ ?better ?\}\)"))
    with page.page.expect_download() as download:
        page.file_button("Export").click()
    assert download.value.suggested_filename.endswith(".pdn")
    assert 'Event "Club match"' in Path(download.value.path()).read_text(encoding="utf-8")


def test_one_of_several_games_is_imported(open_analysis: OpenAnalysis, tmp_path: Path) -> None:
    path = tmp_path / "games.pdn"
    path.write_text(PDN + PDN.replace("Club match", "Another").replace(" 14x23", ""), encoding="utf-8")
    page = open_analysis(variant="international")
    with page.page.expect_file_chooser() as chooser:
        page.file_button("Open file…").click()
    chooser.value.set_files(path)
    page.page.get_by_role("dialog").get_by_role("button", name=re.compile("Another")).click()
    expect(page.moves).to_have_count(5)


def test_limits_are_shown_before_a_game_is_chosen(open_analysis: OpenAnalysis, tmp_path: Path) -> None:
    page = open_analysis(variant="international")
    opener = page.file_button("Open file…")
    expect(opener).to_have_accessible_description(re.compile("2 MB, 50 games and 20,000 moves"))
    path = tmp_path / "games.pdn"
    path.write_text("1. 32-28 *\n\n" * 60, encoding="utf-8")
    with page.page.expect_file_chooser() as chooser:
        opener.click()
    chooser.value.set_files(path)
    dialog = page.page.get_by_role("dialog", name="Choose one of 50 games")
    expect(dialog).to_contain_text("games.pdn, 720 bytes")
    expect(dialog.get_by_role("listitem").first).to_have_text("The file has 60 games; only the first 50 are shown")
    dialog.get_by_role("button", name=re.compile("^1. ")).click()
    expect(page.moves).to_have_text(["32-28"])
    path.write_bytes(bytes(2_500_000))
    with page.page.expect_file_chooser() as chooser:
        opener.click()
    chooser.value.set_files(path)
    expect(page.files.get_by_role("status")).to_contain_text(
        "The file games.pdn is too large: 2.5 MB. The maximum is 2 MB."
    )


def test_position_in_the_game_box_is_loaded(open_analysis: OpenAnalysis) -> None:
    page = open_analysis(variant="russian")
    expect(page.game).not_to_have_value("")
    page.game.fill("B:WKa1:Bh8,f6")
    page.file_button("Import").click()
    page.board.expect_label("a1", "white king")
    page.board.expect_label("f6", "black man, can move")
    expect(page.game).to_have_value(re.compile(r'FEN "B:WKa1:Bf6,h8"'))


def test_game_with_an_error_is_imported_up_to_the_error(open_analysis: OpenAnalysis) -> None:
    page = open_analysis(variant="international")
    expect(page.game).not_to_have_value("")
    page.game.fill("1. 32-28 19-99 *")
    with page.page.expect_response("**/api/files/write"):  # for the legal move
        page.file_button("Import").click()
    expect(page.files.get_by_role("status")).to_contain_text("19-99")
    expect(page.moves).to_have_text(["32-28"])
    page.file_button("Export").click()  # formats the game again
    expect(page.game).to_have_value("1. 32-28 19-99 *")
    page.file_button("Discard").click()
    expect(page.game).to_have_value(re.compile(r"1\. 32-28 \*"))


def test_link_contains_position_and_moves(
    open_analysis: OpenAnalysis, open_page: Callable[..., Page], server: Server
) -> None:
    page = open_analysis(variant="russian", position="W:Wa1,c1,e1,g1,c3,g3,a3:Bb6,d4,f6,h6,b8,d8,f8,d6")
    page.play("c3", "e5", "g7")
    expect(page.announcer).to_contain_text("c3 takes e5 takes g7")  # the server has answered
    page.button("Copy link").click()
    expect(page.announcer).to_contain_text("Link copied.")
    again = AnalysisPage(open_page(server, page.read_clipboard()))
    expect(again.position).to_have_value(page.position.input_value())
    expect(again.moves).to_have_text([page.moves.first.inner_text()])


def test_link_with_an_illegal_move_shows_an_error(
    server: Server, open_page: Callable[..., Page], console_log: ConsoleLog
) -> None:
    console_log.allow("status of 422")
    page = open_page(server, "/analyse?variant=russian&moves=c3-d5")
    expect(page.get_by_role("alert")).to_contain_text("d5")
    page.get_by_role("button", name="Analyse from the start position").click()
    expect(page.get_by_role("grid")).to_have_accessible_name(re.compile("^Russian"))


def test_link_with_an_unknown_variant_shows_a_suggestion(
    server: Server, open_page: Callable[..., Page], console_log: ConsoleLog
) -> None:
    console_log.allow("status of 404")
    page = open_page(server, "/analyse?variant=kala")
    expect(page.get_by_role("alert")).to_contain_text(re.compile("'kala'.*kalah"))
    expect(page.get_by_role("grid")).to_have_accessible_name(re.compile("^International"))


@pytest.mark.parametrize("variant", ["international", "kalah"])
@pytest.mark.parametrize(("kind", "head"), [("SVG", b"<svg"), ("PNG", b"\x89PNG\r\n\x1a\n")])
def test_picture_is_exported(open_analysis: OpenAnalysis, variant: str, kind: str, head: bytes) -> None:
    page = open_analysis(variant=variant)
    with page.page.expect_download() as download:
        page.file_button(f"Export {kind}").click()
    assert download.value.suggested_filename.endswith(f".{kind.lower()}")
    picture = Path(download.value.path()).read_bytes()
    assert picture.startswith(head)
    assert len(picture) > 3000
