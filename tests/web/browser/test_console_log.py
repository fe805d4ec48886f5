"""Tests of the console log, on which the other tests rely."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Route

from tests.timeouts import TIMEOUT
from tests.web.browser.console_log import ConsoleLog

HOST = "http://page.test"


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        ("console.error('oh dear')", "error: oh dear"),
        ("console.warn('oh dear')", "warning: oh dear"),
        ("setTimeout(() => { throw new Error('no such board'); })", "uncaught error: .*no such board"),
        ("Promise.reject(new Error('no such move'))", "uncaught error: .*no such move"),
        ("document.body.setAttribute('style', 'color: red')", "policy violation: style-src"),
        ("fetch('http://elsewhere.test/').catch(() => {})", "policy violation: connect-src"),
        ("new Image().src = 'http://elsewhere.test/a.png'", "request to another host: http://elsewhere.test/a.png"),
        ("new WebSocket('ws://elsewhere.test/')", "request to another host: ws://elsewhere.test/"),
    ],
    ids=["error", "warning", "exception", "rejection", "style", "fetch", "image", "socket"],
)
def test_problem_is_recorded(new_context: Callable[..., BrowserContext], script: str, problem: str) -> None:
    def answer(route: Route) -> None:
        is_script = route.request.url.endswith("script.js")
        policy = "default-src 'self'; img-src *; connect-src 'self' ws:"
        route.fulfill(
            body=f"{script};" if is_script else "<!doctype html><body><script src='/script.js'></script>",
            content_type="text/javascript" if is_script else "text/html",
            headers={"Content-Security-Policy": policy},
        )

    console_log = ConsoleLog()
    console_log.allow(problem)
    context = new_context()
    console_log.attach(context, HOST)
    context.route("**", answer)
    page = context.new_page()
    page.goto(HOST)
    for _ in range(50 * TIMEOUT):
        if len(console_log.problems) > len(console_log.unexpected):
            return
        page.wait_for_timeout(20)  # playwright delivers events only during a call
    pytest.fail(f"{problem!r} is not in {console_log.problems}")
