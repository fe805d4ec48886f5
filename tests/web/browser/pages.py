"""The pages as a person uses them: by what they are called, never by how they are built."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.timeouts import wait_until
from tests.web.subprocess_server import Server

PHONE = {"width": 360, "height": 740}
LANDSCAPE = {"width": 740, "height": 360}
WIDE = {"width": 1280, "height": 800}
CALM = {"reduced_motion": "reduce"}
MOST_TABS = 60  # from one end of a page to the other

ANY = ("white", "black", "south", "north")

Move = dict[str, Any]  # MoveFacts, as the server tells them


class Board:
    """A board on a page; its squares and pits are found by what a screen reader says."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.grid = page.get_by_role("grid")

    def place(self, name: str) -> Locator:
        """A square, `32` or `c3`; or a pit, `south 3` or `north store`."""
        side, _, pit = name.partition(" ")
        if not pit:
            pattern = rf"^(square )?{re.escape(side)},"
        elif pit == "store":
            pattern = rf"^{side}'s store,"
        else:
            pattern = rf"^{side}, house {pit},"
        return self.grid.get_by_role("gridcell", name=re.compile(pattern, re.IGNORECASE))

    def says(self, name: str, words: str) -> None:
        """Waits until a square or pit is called so."""
        expect(self.place(name)).to_have_accessible_name(re.compile(words))

    @property
    def playable(self) -> Locator:
        """Where a move can begin."""
        return self.grid.get_by_role("gridcell", name=re.compile("can move|can be played"))


# Four ways to put a move on the board, given the places that it touches


def click(board: Board, places: Sequence[str]) -> None:
    """With a mouse, place by place."""
    for place in places:
        board.place(place).click()


def drag(board: Board, places: Sequence[str]) -> None:
    """With a mouse, from place to place without letting go in between."""
    mouse = board.page.mouse
    for start, end in pairwise(places):
        mouse.move(*_middle(board.place(start)))
        mouse.down()
        mouse.move(*_middle(board.place(end)), steps=3)
        mouse.up()


def tap(board: Board, places: Sequence[str]) -> None:
    """With a finger."""
    for place in places:
        board.place(place).tap()


def press_keys(board: Board, places: Sequence[str]) -> None:
    """With the keyboard alone."""
    if not board.grid.locator(":focus").count():
        press_tab_until(board.grid.locator(":focus"))
    for place in places:
        walk_to(board, place)
        board.page.keyboard.press("Enter")


Hand = Callable[[Board, Sequence[str]], None]


def press_tab_until(focused: Locator) -> None:
    """Presses Tab until this has the focus."""
    for _ in range(MOST_TABS):
        focused.page.keyboard.press("Tab")
        if focused.count():
            return
    raise AssertionError(f"Tab does not lead to {focused}")


def walk_to(board: Board, place: str) -> None:
    """Goes over the board with the arrows, as it is seen: first to the row, then along it."""
    goal = board.place(place)
    there = _middle(goal)
    for axis, keys in ((1, ("ArrowUp", "ArrowDown")), (0, ("ArrowLeft", "ArrowRight"))):
        for _ in range(40):
            far = there[axis] - _middle(board.grid.locator(":focus"))[axis]
            if abs(far) < 5:
                break
            board.page.keyboard.press(keys[far > 0])
    expect(goal).to_be_focused()


def _middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def begin(server: Server, **wanted: Any) -> dict[str, str]:
    """A new game, on one screen unless something else is wanted: the address for each side, and for who watches."""
    created = server.ask("/api/games", {"opponent": "screen", **wanted})
    path = f"/game/{created['id']}"
    return {side: f"{path}#{key}" for side, key in created["keys"].items()} | {"watch": path}


class GamePage:
    """The page of a game, with the key that it was opened with."""

    def __init__(self, page: Page, server: Server) -> None:
        self.page = page
        self.server = server
        self.board = Board(page)
        self.id = page.url.rpartition("/")[2].partition("#")[0]
        self.side = page.get_by_role("region", name="Game", exact=True)
        self.moves = page.get_by_role("list", name="Moves").get_by_role("button")
        self.said = page.get_by_role("status")

    @property
    def state(self) -> dict[str, Any]:
        """The game as the server tells anybody."""
        state: dict[str, Any] = self.server.ask(f"/api/games/{self.id}")
        return state

    @property
    def played(self) -> int:
        """How many moves the server has."""
        return len(self.state["plies"])

    def find_move(self, text: str) -> Move:
        """A move that can be played now, by its text."""
        return next(move for move in self.state["legal"] if text in {move["text"], move["full"]})

    def play(self, move: Move, hand: Hand = click) -> None:
        """Plays a legal move, and waits until the server has it and the page shows it."""
        state = self.state
        places = [f"{state['turn']} {each}" if move["sowing"] else each for each in move["places"]]
        self.board.says(places[0], "can move|can be played")
        hand(self.board, places)
        number = len(state["plies"]) + 1
        wait_until(lambda: self.played >= number, f"{move['full']} was not played")
        expect(self.moves.nth(number - 1)).to_have_text(move["text"])

    def play_on(self, hand: Hand = click, *, sides: Sequence[str] = ANY) -> None:
        """Plays for these sides until the game is over; whoever has the others plays by themselves."""
        while True:
            wait_until(lambda: self.state["outcome"] is not None or self.state["turn"] in sides, "nobody else moves")
            state = self.state
            if state["outcome"] is not None:
                return
            self.play(state["legal"][0], hand)

    def resign(self) -> None:
        """Resigns; the first press only asks."""
        self.page.get_by_role("button", name=re.compile("^Resign$| resigns$")).click()
        assert self.state["outcome"] is None
        self.button("Really?").click()

    def shows(self, count: int) -> None:
        """Waits until the page shows so many moves."""
        expect(self.moves).to_have_count(count)

    def button(self, name: str) -> Locator:
        """A button of the page, by how it begins."""
        return self.page.get_by_role("button", name=re.compile(rf"^{re.escape(name)}"))


SitDown = Callable[..., GamePage]  # `sit_down("kalah", clock="5+3")`
