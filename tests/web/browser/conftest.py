"""A browser, a server, and pages that are looked after. Without a browser these tests are skipped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from tests.timeouts import TIMEOUT
from tests.web.browser.analysis import AnalysisPage, Study
from tests.web.browser.browser import launch_options
from tests.web.browser.console_log import Watch
from tests.web.browser.pages import CALM, GamePage, SitDown, begin
from tests.web.subprocess_server import Server

HERE = Path(__file__).parent

expect.set_options(timeout=1000 * TIMEOUT)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Iterator[None]:
    """Marks the tests in a browser as slow, and puts them last, whatever else orders tests.

    Playwright keeps an event loop in the main thread until the session ends, and `asyncio.run` of other tests would
    fail after that.
    """
    for item in items:
        if _is_ours(item):
            item.add_marker(pytest.mark.slow)
    yield
    items.sort(key=_is_ours)


def _is_ours(item: pytest.Item) -> bool:
    return item.path.is_relative_to(HERE)


@pytest.fixture(scope="session")
def base_url() -> None:
    """None for all: a page is opened on the server of its test, and the plug-in's own fixture warns."""


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Debian's browser in place of one that playwright would fetch."""
    options = launch_options()
    if options is None:
        pytest.skip("there is no Chromium here: apt-get install chromium-headless-shell")
    return browser_type_launch_args | options


@pytest.fixture(scope="session")
def server_of_all(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that leave it running."""
    server = Server(tmp_path_factory.mktemp("server") / "games.sqlite")
    yield server
    server.stop()


@pytest.fixture
def server(server_of_all: Server) -> Iterator[Server]:
    """A server that has nothing to complain about."""
    before = server_of_all.errors
    yield server_of_all
    assert server_of_all.errors == before


@pytest.fixture
def server_to_kill(tmp_path: Path) -> Iterator[Server]:
    """A server of the test's own."""
    server = Server(tmp_path / "games.sqlite")
    yield server
    server.stop()


@pytest.fixture
def watch() -> Iterator[Watch]:
    """Whatever a page does that it must not do fails the test."""
    watch = Watch()
    yield watch
    assert watch.unforgiven == []


@pytest.fixture
def visit(new_context: Callable[..., Any], watch: Watch) -> Callable[..., Page]:
    """Opens an address in a browser of its own: `visit(server, "/analyse", viewport=PHONE)`."""

    def open_page(server: Server, path: str = "/", **options: Any) -> Page:
        context = new_context(base_url=server.url, **options)
        context.set_default_timeout(1000 * TIMEOUT)
        watch.over(context, server.url)
        page: Page = context.new_page()
        page.goto(path)
        return page

    return open_page


@pytest.fixture
def sit_down(server: Server, visit: Callable[..., Page]) -> SitDown:
    """A new game and its page: `sit_down("kalah", clock="5+3")`."""

    def open_game(variant: str, options: dict[str, Any] | None = None, **wanted: Any) -> GamePage:
        address = next(iter(begin(server, variant=variant, **wanted).values()))
        game = GamePage(visit(server, address, **(CALM if options is None else options)), server)
        expect(game.board.grid).to_be_visible()
        if "opponent" not in wanted:
            expect(game.board.playable).not_to_have_count(0)  # so it is connected
        return game

    return open_game


@pytest.fixture
def study(server: Server, visit: Callable[..., Page]) -> Study:
    """The analysis page with a position: `study(variant="russian", moves="c3-d4")`."""
    copying = {"permissions": ["clipboard-read", "clipboard-write"]}

    def open_page(options: dict[str, Any] | None = None, **wanted: str) -> AnalysisPage:
        return AnalysisPage(visit(server, f"/analyse?{urlencode(wanted)}", **CALM, **copying, **(options or {})))

    return open_page
