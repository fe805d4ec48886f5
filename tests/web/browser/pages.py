"""Page objects for boards and games. Elements are found by their roles and accessible names."""

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
REDUCED_MOTION = {"reduced_motion": "reduce"}
MAX_TABS = 60  # tab stops of a page
MAX_STEPS = 40  # places in a row or column of a board

SIDES = ("white", "black", "south", "north")
PLAYABLE = "can move|can be played"  # in the labels of squares and houses

# Labels and texts that several tests use
EARLIER = "Viewing an earlier position"
INVITE_LINK = "Send this link to your friend"
SAME_DEVICE = "Same device"
INVITE = "Invite a friend"
SHORTCUTS = "Keyboard shortcuts"

Move = dict[str, Any]  # `MoveInfo` of the API


class Board:
    """A board on a page. Squares and pits are found by their labels for screen readers."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.grid = page.get_by_role("grid")

    def place(self, name: str) -> Locator:
        """Find a square (`32`, `c3`) or a pit (`south 3`, `north store`)."""
        side, _, pit = name.partition(" ")
        if not pit:
            pattern = rf"^(square )?{re.escape(side)},"
        elif pit == "store":
            pattern = rf"^{side}'s store,"
        else:
            pattern = rf"^{side}, house {pit},"
        return self.grid.get_by_role("gridcell", name=re.compile(pattern, re.IGNORECASE))

    def expect_label(self, name: str, pattern: str) -> None:
        """Wait until the label of a square or pit matches a pattern."""
        expect(self.place(name)).to_have_accessible_name(re.compile(pattern))

    @property
    def playable(self) -> Locator:
        """The places that a legal move starts from."""
        return self.grid.get_by_role("gridcell", name=re.compile(PLAYABLE))


# Input methods: each plays a move on the board, given its places


def click(board: Board, places: Sequence[str]) -> None:
    """Click each place."""
    for place in places:
        board.place(place).click()


def drag(board: Board, places: Sequence[str]) -> None:
    """Drag from each place to the next."""
    mouse = board.page.mouse
    for start, end in pairwise(places):
        mouse.move(*_middle(board.place(start)))
        mouse.down()
        mouse.move(*_middle(board.place(end)), steps=3)
        mouse.up()


def tap(board: Board, places: Sequence[str]) -> None:
    """Tap each place."""
    for place in places:
        board.place(place).tap()


def press_keys(board: Board, places: Sequence[str]) -> None:
    """Go to each place with the arrow keys, and press Enter."""
    if not board.grid.locator(":focus").count():
        press_tab_until(board.grid.locator(":focus"))
    for place in places:
        move_cursor(board, place)
        board.page.keyboard.press("Enter")


InputMethod = Callable[[Board, Sequence[str]], None]


def press_tab_until(focused: Locator) -> None:
    """Press Tab until the locator, which must include `:focus`, matches an element."""
    for _ in range(MAX_TABS):
        focused.page.keyboard.press("Tab")
        if focused.count():
            return
    raise AssertionError(f"Tab does not reach {focused}")


def move_cursor(board: Board, place: str) -> None:
    """Move the cursor to a place with the arrow keys: first to its row, then along the row."""
    target = board.place(place)
    middle = _middle(target)
    for axis, keys in ((1, ("ArrowUp", "ArrowDown")), (0, ("ArrowLeft", "ArrowRight"))):
        for _ in range(MAX_STEPS):
            distance = middle[axis] - _middle(board.grid.locator(":focus"))[axis]
            if abs(distance) < 5:
                break
            board.page.keyboard.press(keys[distance > 0])
    expect(target).to_be_focused()


def _middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def create_game(server: Server, **choices: Any) -> dict[str, str]:
    """Create a game, on one device by default. Return the path for each side, and `watch` for spectators."""
    created = server.ask("/api/games", {"opponent": "screen", **choices})
    path = f"/game/{created['id']}"
    return {side: f"{path}#{key}" for side, key in created["keys"].items()} | {"watch": path}


class GamePage:
    """The page of a game, as a player or a spectator sees it."""

    def __init__(self, page: Page, server: Server) -> None:
        self.page = page
        self.server = server
        self.board = Board(page)
        self.id = page.url.rpartition("/")[2].partition("#")[0]
        self.panel = page.get_by_role("region", name="Game", exact=True)
        self.moves = page.get_by_role("list", name="Moves").get_by_role("button")
        self.announcer = page.get_by_role("status")

    @property
    def state(self) -> dict[str, Any]:
        """The state of the game on the server, as a spectator gets it."""
        state: dict[str, Any] = self.server.ask(f"/api/games/{self.id}")
        return state

    @property
    def ply_count(self) -> int:
        """The number of moves on the server."""
        return len(self.state["plies"])

    def find_move(self, text: str) -> Move:
        """Return the legal move with this text."""
        return next(move for move in self.state["legal"] if text in {move["text"], move["full"]})

    def play(self, move: Move, method: InputMethod = click) -> None:
        """Play a legal move, and wait until the server has it and the page shows it."""
        state = self.state
        places = [f"{state['turn']} {each}" if move["sowing"] else each for each in move["places"]]
        self.board.expect_label(places[0], PLAYABLE)
        method(self.board, places)
        number = len(state["plies"]) + 1
        wait_until(lambda: self.ply_count >= number, f"{move['full']} was not played")
        expect(self.moves.nth(number - 1)).to_have_text(move["text"])

    def play_to_the_end(self, method: InputMethod = click, *, sides: Sequence[str] = SIDES) -> None:
        """Play for these sides until the game is over. Other players move by themselves."""
        while True:
            wait_until(
                lambda: self.state["outcome"] is not None or self.state["turn"] in sides, "the opponent does not move"
            )
            state = self.state
            if state["outcome"] is not None:
                return
            self.play(state["legal"][0], method)

    def resign(self) -> None:
        """Resign, with the confirmation that this needs."""
        self.page.get_by_role("button", name=re.compile("^Resign$| resigns$")).click()
        assert self.state["outcome"] is None
        self.button("Confirm").click()

    def expect_result(self, text: str) -> None:
        """Wait until the page shows the result of the game."""
        expect(self.result(text)).to_be_visible()

    def result(self, text: str) -> Locator:
        """Find the panel with the result of the game."""
        return self.panel.get_by_role("group", name=text, exact=True)

    def expect_moves(self, count: int) -> None:
        """Wait until the page lists this number of moves."""
        expect(self.moves).to_have_count(count)

    def button(self, name: str) -> Locator:
        """Find a button of the page by the start of its name."""
        return self.page.get_by_role("button", name=re.compile(rf"^{re.escape(name)}"))


OpenGame = Callable[..., GamePage]  # `open_game("kalah", clock="5+3")`
