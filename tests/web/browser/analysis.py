"""The page object of the analysis page."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.web.browser.pages import PLAYABLE, Board

ANALYSE_GAME = "Analyse the game"
GRAPH = "Evaluation graph"


class AnalysisPage:
    """The analysis page and its panels."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.board = Board(page)
        self.panel = page.get_by_role("region", name="Analysis", exact=True)
        self.files = page.get_by_role("region", name="Share, import and export")
        self.editor = page.get_by_role("region", name="Board editor")
        self.tree = self.panel.get_by_role("group", name="Moves")
        self.moves = self.tree.get_by_role("button")
        self.position = self.files.get_by_role("textbox", name="Position")
        self.game = self.files.get_by_role("textbox", name="Game")
        self.meter = page.get_by_role("meter", name="Evaluation")
        self.graph = self.panel.get_by_role("slider", name=GRAPH)
        self.engine = self.panel.get_by_role("switch", name="Engine")
        self.lines = self.panel.get_by_role("list", name="Engine lines").get_by_role("listitem")
        self.verdict = self.panel.locator(".verdict")
        self.values = self.panel.get_by_role("list", name="Moves by value").get_by_role("listitem")
        self.line_count = self.panel.get_by_role("combobox", name="Number of lines")
        self.announcer = page.locator("#announcer")
        expect(self.position).not_to_have_value("")

    @property
    def current(self) -> Locator:
        """The current move in the list."""
        return self.panel.locator("[aria-current=true]")

    def button(self, name: str) -> Locator:
        """Find a button of the page by the start of its name."""
        return self.page.get_by_role("button", name=re.compile(rf"^{re.escape(name)}"))

    def file_button(self, name: str) -> Locator:
        """Find a button of the panel for import and export by its name."""
        return self.files.get_by_role("button", name=name, exact=True)

    def play(self, *places: str) -> None:
        """Play a move by clicks on its places."""
        self.board.expect_label(places[0], PLAYABLE)
        for place in places:
            self.board.place(place).click()

    def read_clipboard(self) -> str:
        """Return the text in the clipboard."""
        text: str = self.page.evaluate("navigator.clipboard.readText()")
        return text


OpenAnalysis = Callable[..., AnalysisPage]  # `open_analysis(variant="russian", moves="c3-d4")`
