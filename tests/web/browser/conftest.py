"""Fixtures for tests in a browser: servers, and pages whose errors fail the test.

The tests are skipped if no browser is installed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from tests.timeouts import TIMEOUT
from tests.web.browser.analysis import AnalysisPage, OpenAnalysis
from tests.web.browser.browser import MISSING, launch_options
from tests.web.browser.console_log import ConsoleLog
from tests.web.browser.pages import REDUCED_MOTION, GamePage, OpenGame, create_game
from tests.web.subprocess_server import Server

HERE = Path(__file__).parent

expect.set_options(timeout=1000 * TIMEOUT)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Iterator[None]:
    """Mark the browser tests as slow, and run them last.

    Playwright keeps an event loop in the main thread until the session ends, so that `asyncio.run` in other tests
    would fail after them.
    """
    for item in items:
        if _is_browser_test(item):
            item.add_marker(pytest.mark.slow)
    yield
    items.sort(key=_is_browser_test)


def _is_browser_test(item: pytest.Item) -> bool:
    return item.path.is_relative_to(HERE)


@pytest.fixture(scope="session")
def base_url() -> None:
    """Override the fixture of pytest-base-url, since each page has the URL of its own server."""


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Use the installed browser instead of one that playwright downloads."""
    options = launch_options()
    if options is None:
        pytest.skip(MISSING)
    return browser_type_launch_args | options


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return a server for all tests that do not stop it."""
    server = Server(tmp_path_factory.mktemp("server") / "games.sqlite")
    yield server
    server.stop()


@pytest.fixture
def server(shared_server: Server) -> Iterator[Server]:
    """Return the shared server, which must not log errors during the test."""
    before = shared_server.errors
    yield shared_server
    assert shared_server.errors == before


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """Return a server that the test may stop and start."""
    server = Server(tmp_path / "games.sqlite")
    yield server
    server.stop()


@pytest.fixture
def console_log() -> Iterator[ConsoleLog]:
    """Return the log of page errors. Unexpected ones fail the test."""
    console_log = ConsoleLog()
    yield console_log
    assert console_log.unexpected == []


@pytest.fixture
def open_page(new_context: Callable[..., Any], console_log: ConsoleLog) -> Callable[..., Page]:
    """Return a function that opens a path in a new browser context: `open_page(server, "/analyse", viewport=PHONE)`."""

    def opener(server: Server, path: str = "/", **options: Any) -> Page:
        context = new_context(base_url=server.url, **options)
        context.set_default_timeout(1000 * TIMEOUT)
        console_log.attach(context, server.url)
        page: Page = context.new_page()
        page.goto(path)
        return page

    return opener


@pytest.fixture
def open_game(server: Server, open_page: Callable[..., Page]) -> OpenGame:
    """Return a function that creates a game and opens its page: `open_game("kalah", clock="5+3")`."""

    def opener(variant: str, options: dict[str, Any] | None = None, **choices: Any) -> GamePage:
        address = next(iter(create_game(server, variant=variant, **choices).values()))
        game = GamePage(open_page(server, address, **(REDUCED_MOTION if options is None else options)), server)
        expect(game.board.grid).to_be_visible()
        if "opponent" not in choices:
            expect(game.board.playable).not_to_have_count(0)  # the page is connected
        return game

    return opener


@pytest.fixture
def open_analysis(server: Server, open_page: Callable[..., Page]) -> OpenAnalysis:
    """Return a function that opens a position for analysis: `open_analysis(variant="russian", moves="c3-d4")`."""
    clipboard = {"permissions": ["clipboard-read", "clipboard-write"]}

    def opener(options: dict[str, Any] | None = None, **query: str) -> AnalysisPage:
        path = f"/analyse?{urlencode(query)}"
        return AnalysisPage(open_page(server, path, **REDUCED_MOTION, **clipboard, **(options or {})))

    return opener
