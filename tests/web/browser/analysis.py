"""The analysis page as a person uses it."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.web.browser.pages import Board


class AnalysisPage:
    """The page with its parts."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.board = Board(page)
        self.panel = page.get_by_role("region", name="Analysis", exact=True)
        self.files = page.get_by_role("region", name="Share and export")
        self.editor = page.get_by_role("region", name="Board editor")
        self.tree = self.panel.get_by_role("group", name="Moves")
        self.moves = self.tree.get_by_role("button")
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


Study = Callable[..., AnalysisPage]  # `study(variant="russian", moves="c3-d4")`
