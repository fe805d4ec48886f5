"""What the other tests rely on: nothing that a page must not do goes unnoticed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Route

from tests.timeouts import TIMEOUT
from tests.web.browser.console_log import Watch

HOST = "http://page.test"


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ("console.error('oh dear')", "error: oh dear"),
        ("console.warn('oh dear')", "warning: oh dear"),
        ("setTimeout(() => { throw new Error('no such board'); })", "failure: .*no such board"),
        ("Promise.reject(new Error('no such move'))", "failure: .*no such move"),
        ("document.body.setAttribute('style', 'color: red')", "against the policy: style-src"),
        ("fetch('http://elsewhere.test/').catch(() => {})", "against the policy: connect-src"),
        ("new Image().src = 'http://elsewhere.test/a.png'", "asked elsewhere: http://elsewhere.test/a.png"),
        ("new WebSocket('ws://elsewhere.test/')", "asked elsewhere: ws://elsewhere.test/"),
    ],
)
def test_what_a_page_must_not_do_is_noticed(
    new_context: Callable[..., BrowserContext], script: str, complaint: str
) -> None:
    def answer(route: Route) -> None:
        is_script = route.request.url.endswith("script.js")
        policy = "default-src 'self'; img-src *; connect-src 'self' ws:"
        route.fulfill(
            body=f"{script};" if is_script else "<!doctype html><body><script src='/script.js'></script>",
            content_type="text/javascript" if is_script else "text/html",
            headers={"Content-Security-Policy": policy},
        )

    watch = Watch()
    watch.forgive(complaint)
    context = new_context()
    watch.over(context, HOST)
    context.route("**", answer)
    page = context.new_page()
    page.goto(HOST)
    for _ in range(50 * TIMEOUT):
        if len(watch.complaints) > len(watch.unforgiven):
            return
        page.wait_for_timeout(20)  # events come while the page is waited for
    pytest.fail(f"only {watch.complaints} was noticed")
